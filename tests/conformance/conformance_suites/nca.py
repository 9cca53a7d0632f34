"""network-config-analyzer's queries on the configurations of its schemes, answered from netlint's connectivity.

What each query counts is told in the suite's PROVENANCE.md. The answers are about the pods that are there, so they
come from the bitset evaluator; where Z3 proves two policy sets equivalent for every pod, that is held against them too.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from conformance_suites import nca_outputs
from conformance_suites.nca_configurations import Configuration, Suite
from conformance_suites.netpol_tables import Table
from conformance_suites.result import Case
from conformance_suites.traffic import NOTHING, Steps, steps
from conformance_suites.world import IPV6_OFFSET
from netlint.cluster import Workload
from netlint.policy import Direction, PolicySet, Readings
from netlint.predicates import Endpoint, EndpointKind

SCHEMES = "tests/k8s_testcases/"
MEASURED = {
    "connectivityMap", "semanticDiff", "equivalence", "strongEquivalence", "containment", "twoWayContainment",
    "redundancy", "emptiness", "vacuity", "permits", "forbids",
}  # fmt: skip


def _comparable(first: Configuration, second: Configuration) -> bool:
    return first.topology == second.topology


def _domain(table: Table, *configurations: Configuration) -> Table:
    """IPv6 counts only where some policy of those compared mentions it."""
    if any(one.mentions_ipv6 for one in configurations):
        return table
    shown = Table(dict(table.pairs))
    shown.outside = {
        side: kept
        for side, blocks in table.outside.items()
        if (kept := tuple(block for block in blocks if block[0] < IPV6_OFFSET))
    }
    return shown


def _same(first: Configuration, second: Configuration) -> bool:
    return not _domain(first.table, first, second).differences(_domain(second.table, first, second))


def _within(small: Table, big: Table) -> bool:
    return all(not traffic - big.pairs.get(pair, NOTHING) for pair, traffic in small.pairs.items()) and all(
        _steps_within(blocks, big.outside.get(side, ())) for side, blocks in small.outside.items()
    )


def _steps_within(small: Steps, big: Steps) -> bool:
    return steps([*small, *big]) == steps(big)


def _meet(first: Table, second: Table) -> bool:
    """Whether anything is in both."""
    return any(traffic & second.pairs.get(pair, NOTHING) for pair, traffic in first.pairs.items()) or any(
        low <= other_high and other_low <= high and traffic & other
        for side, blocks in first.outside.items()
        for low, high, traffic in blocks
        for other_low, other_high, other in second.outside.get(side, ())
    )


def _contained(first: Configuration, second: Configuration) -> bool:
    if not first.pods.keys() <= second.pods.keys():
        return False
    return _within(_domain(first.table, first, second), _domain(second.table, first, second))


def equivalence(one: Configuration, other: Configuration) -> int:
    return 0 if _comparable(one, other) and _same(one, other) else 1


def strong_equivalence(one: Configuration, other: Configuration) -> int:
    mine = {str(policy.object.ref): policy for policy in one.policies.policies}
    theirs = {str(policy.object.ref): policy for policy in other.policies.policies}
    if not _comparable(one, other) or mine.keys() != theirs.keys():
        return 1
    return 0 if all(_same(one.only(policy), other.only(theirs[name])) for name, policy in mine.items()) else 1


def two_way_containment(one: Configuration, other: Configuration) -> int:
    return 2 * _contained(one, other) + 1 * _contained(other, one)


def permits(specification: Configuration, implementation: Configuration) -> int:
    """1 where the implementation denies something that the specification allows on purpose."""
    explicit = _domain(specification.explicit, specification, implementation)
    return 0 if _within(explicit, _domain(implementation.table, specification, implementation)) else 1


def forbids(specification: Configuration, implementation: Configuration) -> int:
    explicit = _domain(specification.explicit, specification, implementation)
    return int(_meet(explicit, _domain(implementation.table, specification, implementation)))


def interferes(one: Configuration, other: Configuration) -> int:
    """1 where `one` allows more than `other` for the pods that `other` captures."""
    return 0 if _within(_domain(one.explicit, one, other), _domain(other.explicit, one, other)) else 1


def emptiness(one: Configuration) -> int:
    count = 0
    outside = [end for end in one.policy.endpoints if end.kind is EndpointKind.EXTERNAL]
    for policy in one.policies.policies:
        count += not any(policy.subject.holds(pod) for pod in one.pods.values())
        for rule in policy.rules:
            count += not any(rule.peer.holds(end) for end in (*one.pods.values(), *outside))
    return count


def vacuity(one: Configuration) -> int:
    bare = Configuration(one.name, one.policy, PolicySet([], one.policies.tiers), one.mentions_ipv6, one.owners)
    return int(_same(one, bare))


def redundancy(one: Configuration) -> int:
    """Policies that can go without a change, and rules of the others."""
    whole = _domain(one.table, one)
    count = 0
    for policy in one.policies.policies:
        if len(one.policies) > 1:
            without = _domain(one.with_policies(one.policies.without(policy)), one)
            if not whole.differences(without):
                count += 1
                continue
        for rule in policy.rules:
            rest = tuple(other for other in policy.rules if other is not rule)
            changed = one.policies.replace(policy, dataclasses.replace(policy, rules=rest))
            count += not whole.differences(_domain(one.with_policies(changed), one))
    return count


def all_captured(one: Configuration) -> int:
    """Workloads, by the names of the pods' owners, that no policy captures: once for each direction. Without any policy
    every pod counts, once."""
    if not one.policies.policies:
        return sum(map(_replicas, one.pods.values()))
    found = 0
    for direction in Direction:
        found += len({one.owners.get(name, name) for name in one.pods.keys() - one.captured(direction)})
    return found


def _replicas(pod: Endpoint) -> int:
    """Upstream makes at most two pods of a workload."""
    return min(pod.source.replicas or 1, 2) if isinstance(pod.source, Workload) else 1


def disjointness(one: Configuration) -> int:
    taken = [{name for name, pod in one.pods.items() if policy.subject.holds(pod)} for policy in one.policies.policies]
    return sum(bool(first & second) for index, first in enumerate(taken) for second in taken[:index])


def semantic_diff(one: Configuration, other: Configuration) -> int:
    """The categories of change that are not empty: persistent, lost and new peers, with each other and outside."""
    return len(
        nca_outputs.categories(
            _domain(one.table, one, other), _domain(other.table, one, other), set(one.pods), set(other.pods)
        )
    )


_SINGLE: dict[str, Callable[[Configuration], int]] = {
    "emptiness": emptiness,
    "vacuity": vacuity,
    "redundancy": redundancy,
    "allCaptured": all_captured,
    "disjointness": disjointness,
}
_PAIRS: dict[str, Callable[[Configuration, Configuration], int]] = {
    "equivalence": equivalence,
    "strongEquivalence": strong_equivalence,
    "twoWayContainment": two_way_containment,
    "semanticDiff": semantic_diff,
}
_AGAINST_FIRST: dict[str, Callable[[Configuration, Configuration], int]] = {
    "containment": lambda one, base: int(_contained(one, base)),
    "permits": permits,
    "forbids": forbids,
    "interferes": interferes,
}


def answer(suite: Suite, entry: dict[str, Any]) -> int:
    """The number that the query counts to."""
    query = entry["command"]
    found = [suite.configuration(entry["scheme"], name) for name in entry["args"]]
    if query == "allCaptured" and (entry.get("output_configuration") or {}).get("outputEndpoints") == "pods":
        return sum(
            sum(_replicas(one.pods[name]) for name in one.pods.keys() - one.captured(direction))
            for one in found
            for direction in Direction
        )
    if query in _SINGLE:
        return sum(_SINGLE[query](one) for one in found)
    if query in _AGAINST_FIRST:
        return sum(_AGAINST_FIRST[query](one, found[0]) for one in found[1:])
    if query == "pairwiseInterferes":
        return sum(interferes(one, other) for one in found for other in found if one is not other)
    return sum(_PAIRS[query](one, other) for index, one in enumerate(found) for other in found[index + 1 :])


def _proofs(suite: Suite, entry: dict[str, Any]) -> list[str]:
    """What Z3 proves for every pod must hold for those that are there."""
    first, *others = (suite.configuration(entry["scheme"], name) for name in entry["args"])
    problems = []
    for other in others:
        if not _comparable(first, other):
            continue
        if first.policy.prover.equivalent(first.policies, other.policies) and not _same(first, other):
            problems.append(f"{first.name} and {other.name} are proved equivalent, but pods tell them apart")
        if first.policy.prover.contains(first.policies, other.policies) and not _contained(other, first):
            problems.append(f"{other.name} is proved to be within {first.name}, but pods show more")
    return problems


def cases(root: Path, readings: Readings) -> Iterator[Case]:
    """One case a query of the Kubernetes schemes that has an answer to compare with."""
    suite = Suite(root / "nca", readings)
    seen: dict[str, int] = {}
    for entry in json.loads((suite.root / "index.json").read_text()):
        query = entry["command"]
        if not entry.get("scheme", "").startswith(SCHEMES) or query == "sanity":
            continue
        is_map = query == "connectivityMap"
        if entry.get("expected") is None and (is_map or entry.get("expected_value") is None):
            continue
        name = f"{entry['scheme'].removeprefix(SCHEMES)}:{entry['case'].partition(':')[2]}"
        seen[name] = seen.get(name, 0) + 1
        name += f"#{seen[name]}" if seen[name] > 1 else ""
        measured = query in MEASURED
        yield Case("nca", query, "k8s", name, lambda entry=entry: _check(suite, entry), measured)


def _check(suite: Suite, entry: dict[str, Any]) -> list[str]:
    problems: list[str] = []
    query = entry["command"]
    if query != "connectivityMap" and entry.get("expected_value") is not None:
        got = answer(suite, entry)
        if got != entry["expected_value"]:
            problems.append(f"wanted {entry['expected_value']}, got {got}")
        if query in ("equivalence", "containment"):
            problems += _proofs(suite, entry)
    if entry.get("expected") and query in ("connectivityMap", "semanticDiff"):
        text = (suite.root / entry["expected"]).read_text(encoding="utf-8")
        found = [suite.configuration(entry["scheme"], name) for name in entry["args"]]
        tables = [_domain(one.table, *found) for one in found]
        problems += nca_outputs.compare(query, text, tables, [one.pods for one in found], [one.owners for one in found])
    return problems


__all__ = ["Configuration", "Suite", "cases"]
