"""netlint's explanations and exposures held against netpol-analyzer's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from conformance_suites.netpol_explanations import Explanations, PolicyName, Reason, SideReason
from conformance_suites.netpol_exposures import Exposure as WantedExposure
from conformance_suites.netpol_exposures import Part
from conformance_suites.netpol_tables import external
from conformance_suites.traffic import NOTHING, PROTOCOLS, Traffic, named, show_range, steps
from conformance_suites.world import World, normal, peer_name, places
from netlint.policy import Direction, Side, Verdict
from netlint.policy.queries.exposure import Exposure, exposures, unprotected
from netlint.predicates import NAME, Endpoint, EndpointKind, Scope, cells, requirement

if TYPE_CHECKING:
    from conformance_suites.netpol import Focus


def check_explanations(wanted: Explanations, world: World, focus: Focus, args: dict[str, Any]) -> list[str]:
    """Every pair that upstream explains, on every stretch of ports: the same verdict by the same policies."""
    problems: list[str] = []
    for (source, target), reasons in sorted(wanted.pairs.items()):
        for start, end in _endpoints(world, source, target):
            for reason in reasons:
                problems += _check_reason(world, start, end, reason)
            told = NOTHING
            for reason in reasons:
                told |= reason.traffic
            if not args.get("explain-only") and told != focus.traffic:
                problems.append(f"{source} => {target}: the expected text itself leaves out {focus.traffic - told}")
    for source, target in sorted(wanted.by_default):
        for start, end in _endpoints(world, source, target):
            for name, side in (
                ("egress", world.policy.egress(start, end)),
                ("ingress", world.policy.ingress(start, end)),
            ):
                if focus.traffic - normal(side.allowed):
                    problems.append(f"{source} => {target}: wanted the default, but {name} denies something")
            explanation = world.policy.explain(start, end, *_example(focus.traffic))
            for name, reason in (("egress", explanation.egress), ("ingress", explanation.ingress)):
                if _names(reason):
                    problems.append(
                        f"{source} => {target}: wanted the default for {name}, got {sorted(_names(reason))}"
                    )
    return problems + _check_pairs(wanted, world, focus, args)


def _check_pairs(wanted: Explanations, world: World, focus: Focus, args: dict[str, Any]) -> list[str]:
    """Without a filter on verdicts every pair of workloads is explained, once."""
    if args.get("explain-only"):
        return []
    told = {pair for pair in (wanted.pairs.keys() | wanted.by_default) if not any(external(end) for end in pair)}
    ours = {
        (source, target)
        for source in world.workloads
        for target in world.workloads
        if source != target and focus.keeps(source, target)
    }
    return [f"{source} => {target}: explained on one side only" for source, target in sorted(told ^ ours)]


def _example(traffic: Traffic) -> tuple[str, int]:
    protocol, ranges = traffic.ports[0]
    return protocol, ranges[0][0]


def _endpoints(world: World, source: str, target: str) -> list[tuple[Endpoint, Endpoint]]:
    """The pair as endpoints; an external block by both of its ends."""
    found = []
    for names in ((source, target),):
        sides = []
        for name in names:
            block = external(name)
            if block is None:
                sides.append([world.workloads[name]])
            else:
                first, _, last = show_range(*block).partition("-")
                sides.append([world.policy.address(text) for text in dict.fromkeys((first, last))])
        found += [(start, end) for start in sides[0] for end in sides[1]]
    return found


def _check_reason(world: World, start: Endpoint, end: Endpoint, reason: Reason) -> list[str]:
    problems = []
    both = (world.policy.egress(start, end), world.policy.ingress(start, end))
    for protocol, port in _probes(reason.traffic, [normal(one.allowed) for one in both]):
        got = world.policy.explain(start, end, protocol, port)
        said = f"{start.id} => {end.id} {port}/{protocol}"
        if (got.verdict is Verdict.ALLOWED) != reason.allowed or got.verdict is Verdict.UNKNOWN:
            problems.append(f"{said}: wanted {'allowed' if reason.allowed else 'denied'}, got {got.verdict.value}")
        for name, side, mine in (("egress", reason.egress, got.egress), ("ingress", reason.ingress, got.ingress)):
            problems += [f"{said} {name}: {text}" for text in _side_problems(side, mine)]
    return problems


def _probes(traffic: Traffic, allowed: list[Traffic]) -> list[tuple[str, int]]:
    """Both ends of every stretch, also of the stretches that netlint cuts it into."""
    probes = []
    for protocol in PROTOCOLS:
        found: set[int] = set()
        for low, high in traffic.on(protocol):
            found |= {low, high}
            for one in allowed:
                for first, last in one.on(protocol):
                    found |= {port for port in (first - 1, first, last, last + 1) if low <= port <= high}
        probes += [(protocol, port) for port in sorted(found)]
    return probes


def _side_problems(wanted: SideReason | None, got: Side) -> list[str]:
    """Upstream leaves out a side that only the end of the rules denies; there is nothing to compare then."""
    if wanted is None:
        return []
    if (got.verdict is Verdict.ALLOWED) != wanted.allowed or got.verdict is Verdict.UNKNOWN:
        return [f"wanted {'allowed' if wanted.allowed else 'denied'}, got {got.verdict.value}"]
    names = _names(got)
    if names != wanted.deciding:
        return [f"wanted {sorted(wanted.deciding) or 'the default'}, got {sorted(names) or 'the default'}"]
    passed = {_name(rule.policy) for rule in got.passed}
    if wanted.passed and passed != wanted.passed:
        return [f"wanted passed on by {sorted(wanted.passed)}, got {sorted(passed)}"]
    return []


def _names(side: Side) -> frozenset[PolicyName]:
    """The policies that decided one side; none where the default did."""
    if side.basis == "rule":
        return frozenset(_name(rule.policy) for rule in side.rules)
    if side.basis == "isolated":
        return frozenset(_name(one.object) for one in side.selected_by if side.direction in one.isolates)
    return frozenset()


def _name(policy: Any) -> PolicyName:
    ref = policy.ref
    namespace = f"{policy.namespace}/" if policy.namespace else ""
    return ref.kind, f"{namespace}{ref.name}"


def check_exposure(wanted: WantedExposure, world: World, focus: Focus, tier: str) -> list[str]:
    """The rows as a function: for every pod that the labels mentioned tell apart, what each side of each workload lets
    through. Two sets of rows agree when these functions do."""
    problems: list[str] = []
    ours: dict[tuple[str, str], list[Exposure]] = {}
    shown = [end for name, end in world.workloads.items() if not focus.workloads or focus.keeps(name, name)]
    for row in exposures(world.policy, shown):
        ours.setdefault((peer_name(row.endpoint), "in" if row.direction == "ingress" else "out"), []).append(row)
    sides = {(name, side) for name, side, _, _ in wanted.groups} | set(wanted.outside) | set(ours)
    for key in sorted(sides):
        if focus.direction and key[1] != {"ingress": "in", "egress": "out"}[focus.direction]:
            continue
        theirs = {
            (space, pods): traffic for (*side, space, pods), traffic in wanted.groups.items() if tuple(side) == key
        }
        problems += _compare_rows(key, theirs, ours.get(key, []), focus, world.policy.namespaces)
        mine = steps(
            (low, high, normal(row.allowed).without_other() & focus.traffic)
            for row in ours.get(key, ())
            if row.kind == "addresses"
            for low, high in places(row.blocks)
        )
        if mine != wanted.outside.get(key, ()):
            problems.append(f"{key}: outside addresses differ")
    if wanted.unprotected is not None:
        mine_unprotected = {
            (name, side)
            for name, end in world.workloads.items()
            if end in shown and end.kind is EndpointKind.POD
            for side, direction in (("in", Direction.INGRESS), ("out", Direction.EGRESS))
            if unprotected(world.policy, end, direction)
        }
        if focus.direction:
            mine_unprotected = {
                one for one in mine_unprotected if one[1] == {"ingress": "in", "egress": "out"}[focus.direction]
            }
        for one in sorted(mine_unprotected ^ wanted.unprotected):
            problems.append(f"{one} is unprotected on one side only")
    return problems


_Labels = dict[tuple[Scope, str], str | None]


def _compare_rows(
    key: tuple[str, str],
    theirs: dict[tuple[Part, Part], Traffic],
    ours: list[Exposure],
    focus: Focus,
    namespaces: Mapping[str, Mapping[str, str]],
) -> list[str]:
    mine: dict[tuple[Part, Part], Traffic] = {}
    held: list[tuple[Part, Part]] = []
    for row in ours:
        if row.kind == "addresses":
            continue
        names = {named(one.protocol or "", one.name): [(1, 1)] for one in row.named}
        traffic = (normal(row.allowed).without_other() & focus.traffic) | Traffic.of(names)
        group = (_space(row), frozenset(row.pods))
        if row.members and _plain(row) and group not in theirs:
            held.append(group)
        else:
            mine[group] = traffic
    problems = []
    for labels in _cells([*theirs, *mine], namespaces):
        if any(all(values.admits(labels.get(slot)) for slot, values in _row_tests(one)) for one in held):
            continue
        wanted, got = _of(theirs, labels), _of(mine, labels)
        if wanted != got:
            shown = {f"{scope.value}:{label}": value for (scope, label), value in labels.items()}
            problems.append(f"{key} {shown}: wanted {wanted}, got {got}")
    return problems[:5]


def _plain(row: Exposure) -> bool:
    """Whether the group is one that upstream takes for shown once a workload of the input is in it."""
    return all(operator == "In" and len(values) == 1 for _, operator, values in (*row.namespaces, *row.pods))


def _space(row: Exposure) -> Part:
    return frozenset(row.namespaces)


def _tests(part: Part, scope: Scope) -> list[tuple[tuple[Scope, str], Any]]:
    if isinstance(part, str):
        key = NAME if scope is Scope.NAMESPACE else "name"
        return [((scope, key), requirement("In", [part]))]
    return [((scope, key), requirement(operator, values)) for key, operator, values in sorted(part)]


def _row_tests(row: tuple[Part, Part]) -> list[tuple[tuple[Scope, str], Any]]:
    return [*_tests(row[0], Scope.NAMESPACE), *_tests(row[1], Scope.POD)]


def _cells(rows: list[tuple[Part, Part]], namespaces: Mapping[str, Mapping[str, str]]) -> list[_Labels]:
    """A pod for each row that has just the labels that it asks for, pairs of rows together, one with no label, one
    with other values. A namespace of the input keeps the labels that it has."""
    slots: dict[tuple[Scope, str], list[Any]] = {}
    for row in rows:
        for slot, values in _row_tests(row):
            slots.setdefault(slot, []).append(values)
    choices = {slot: cells(found) for slot, found in slots.items()}
    found = [dict.fromkeys(choices), {slot: values[-1] for slot, values in choices.items()}]
    for first in rows:
        for second in rows:
            labels: _Labels | None = dict.fromkeys(choices)
            for slot, _ in (*_row_tests(first), *_row_tests(second)):
                needed = [values for one, values in (*_row_tests(first), *_row_tests(second)) if one == slot]
                fitting = [value for value in choices[slot] if all(one.admits(value) for one in needed)]
                if not fitting:
                    labels = None
                    break
                assert labels is not None
                labels[slot] = fitting[0]
            if labels is not None and labels not in found:
                found.append(labels)
    for labels in found:
        known = namespaces.get(labels.get((Scope.NAMESPACE, NAME)) or "")
        if known is not None:
            labels.update({slot: known.get(slot[1]) for slot in labels if slot[0] is Scope.NAMESPACE})
    return found


def _of(rows: dict[tuple[Part, Part], Traffic], labels: _Labels) -> Traffic:
    """What the rows say of one pod: all that match it together; where none but the whole cluster's does, that one."""
    whole = rows.get((frozenset(), frozenset()), NOTHING)
    matching = [
        traffic
        for row, traffic in rows.items()
        if row != (frozenset(), frozenset())
        and all(values.admits(labels.get(slot)) for slot, values in _row_tests(row))
    ]
    if not matching:
        return whole
    together = NOTHING
    for traffic in matching:
        together |= traffic
    return together
