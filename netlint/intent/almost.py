"""NetworkPolicies that would let a flow by but for one slip: a label of their podSelector, or a missing policyType."""

import copy
from collections.abc import Iterable, Iterator
from typing import Literal

from netlint.findings import Place
from netlint.policy import Action, Direction, Policy, PolicyAnalysis, Rule, translate
from netlint.predicates import Endpoint, Label, NearMiss, Predicate, Scope, near_misses
from netlint.resources import Manifest, typed
from netlint.resources.networking import NetworkPolicy

Slip = Literal["selector", "types"]


def almost(
    policy: PolicyAnalysis, direction: Direction, subject: Endpoint, other: Endpoint, protocol: str, port: int
) -> tuple[Policy, Place, Slip, NearMiss | None] | None:
    """The first policy of the subject's namespace that was plainly written for this flow, and the field that slipped.

    `port` is the destination's. A selector counts as slipped where it selects nobody, and `slips` finds the subject.
    """
    destination = subject if direction is Direction.INGRESS else other
    for candidate in policy.policies.about(subject.namespace):
        obj = candidate.object
        if not isinstance(obj, NetworkPolicy):
            continue
        selected = candidate.subject.holds(subject)
        if selected and direction not in candidate.isolates:
            if any(_admits(rule, other, destination, protocol, port) for rule in _ignored(policy, obj, direction)):
                return candidate, obj.at("spec", "policyTypes"), "types", None
        elif selected is False:
            rules = candidate.rules_of(direction)
            if not any(_admits(rule, other, destination, protocol, port) for rule in rules):
                continue
            miss = (
                None if policy.selects_any(candidate.subject) else next(iter(slips(candidate.subject, [subject])), None)
            )
            if miss is not None:
                return candidate, candidate.subject_origin, "selector", miss
    return None


def _admits(rule: Rule, other: Endpoint, destination: Endpoint, protocol: str, port: int) -> bool:
    if rule.action is not Action.ALLOW:
        return False
    if rule.ports is not None and not rule.port_set.resolve(destination).contains(protocol, port):
        return False
    return rule.peers is None or bool(rule.peer.holds(other))


def _ignored(policy: PolicyAnalysis, obj: NetworkPolicy, direction: Direction) -> Iterator[Rule]:
    """The rules of a direction that policyTypes leaves out, as they would read if it did not."""
    rules = obj.spec.ingress if direction is Direction.INGRESS else obj.spec.egress
    if not rules or not obj.spec.policy_types:
        return
    raw = copy.deepcopy(obj.manifest.raw)
    raw["spec"]["policyTypes"] = [*obj.spec.policy_types, direction.value.capitalize()]
    mended = typed(Manifest(obj.manifest.document, obj.manifest.prefix, raw))
    if mended is not None:
        for each in translate([mended], policy.readings).policies:
            yield from each.rules_of(direction)


def slips(predicate: Predicate, endpoints: Iterable[Endpoint], limit: int = 3) -> list[NearMiss]:
    """The pods that a selector plainly meant and does not take, the likeliest first.

    One label differs by a letter or two; or the pod lacks it altogether and fits in at least two others. A pod with
    quite another value is another pod: that is what the label is for.
    """
    tests = sum(1 for atom in predicate.atoms() if isinstance(atom, Label) and atom.scope is Scope.POD)
    found = [miss for miss in near_misses(predicate, endpoints, limit=50) if miss.scope is Scope.POD]
    return [miss for miss in found if miss.looks_mistyped or (miss.found is None and tests > 2)][:limit]
