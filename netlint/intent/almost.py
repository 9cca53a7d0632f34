"""NetworkPolicies that would let a flow by but for one slip: a label of their podSelector, or a missing policyType."""

import copy
from collections.abc import Iterator
from typing import Literal

from netlint.findings import Place
from netlint.policy import Action, Direction, Policy, PolicyAnalysis, Rule, translate
from netlint.predicates import Endpoint, NearMiss, Scope, near_misses
from netlint.resources import Manifest, typed
from netlint.resources.networking import NetworkPolicy

Slip = Literal["selector", "types"]


def almost(
    policy: PolicyAnalysis, direction: Direction, subject: Endpoint, other: Endpoint, protocol: str, port: int
) -> tuple[Policy, Place, Slip, NearMiss | None] | None:
    """The first policy of the subject's namespace that was plainly written for this flow, and the field that slipped.

    `port` is the destination's. A selector counts as slipped where it selects nobody and one label of the subject
    differs by a letter, or all of several labels but one fit.
    """
    destination = subject if direction is Direction.INGRESS else other
    for candidate in policy.policies.policies:
        obj = candidate.object
        if not isinstance(obj, NetworkPolicy) or (obj.namespace or "default") != subject.namespace:
            continue
        selected = candidate.subject.holds(subject)
        if selected and direction not in candidate.isolates:
            if any(_admits(rule, other, destination, protocol, port) for rule in _ignored(policy, obj, direction)):
                return candidate, obj.at("spec", "policyTypes"), "types", None
        elif selected is False:
            miss = None if policy.select(candidate.subject) else _slipped(candidate, subject)
            rules = candidate.rules_of(direction)
            if miss is not None and any(_admits(rule, other, destination, protocol, port) for rule in rules):
                return candidate, candidate.subject_origin, "selector", miss
    return None


def _admits(rule: Rule, other: Endpoint, destination: Endpoint, protocol: str, port: int) -> bool:
    if rule.action is not Action.ALLOW or (rule.peers is not None and not rule.peer.holds(other)):
        return False
    return rule.ports is None or rule.port_set.resolve(destination).contains(protocol, port)


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


def _slipped(candidate: Policy, subject: Endpoint) -> NearMiss | None:
    misses = [miss for miss in near_misses(candidate.subject, [subject]) if miss.scope is Scope.POD]
    if not misses:
        return None
    obj = candidate.object
    assert isinstance(obj, NetworkPolicy)
    selector = obj.spec.pod_selector
    asked = len(selector.match_labels or {}) + len(selector.match_expressions or ()) if selector else 0
    return misses[0] if misses[0].looks_mistyped or asked > 1 else None
