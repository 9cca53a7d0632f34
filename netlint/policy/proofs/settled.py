"""Policies with the unknown things settled in one way, so that a model can be tried in the concrete evaluator."""

from collections.abc import Mapping
from dataclasses import replace

from netlint.policy.form import Direction, Peer, Policy, PolicySet, Rule
from netlint.predicates import ALL_PORTS, And, Assumption, Not, Or, Predicate, all_of, any_of, negate
from netlint.predicates.predicate import FALSE, TRUE


def settle(policies: PolicySet, flags: Mapping[str, bool]) -> PolicySet:
    """The policies where each assumption and condition has turned out as `flags` say, or has failed."""
    return PolicySet((_policy(policy, flags) for policy in policies.policies), policies.tiers)


def _policy(policy: Policy, flags: Mapping[str, bool]) -> Policy:
    rules = [settle_rule(rule, flags) for rule in policy.rules]
    if all(one is other for one, other in zip(rules, policy.rules, strict=True)):
        return policy
    return replace(policy, rules=tuple(rule for rule in rules if rule is not None))


def settle_rule(rule: Rule, flags: Mapping[str, bool]) -> Rule | None:
    """The rule, or None where its condition has failed."""
    remote = "destination" if rule.direction is Direction.EGRESS else "source"
    changed = rule
    if rule.peers is not None and any(_uncertain(peer.predicate) for peer in rule.peers):
        peers = tuple(Peer(settle_predicate(peer.predicate, flags, remote), peer.origin) for peer in rule.peers)
        changed = replace(changed, peers=peers)
    if rule.conditional:
        if not flags.get(condition_flag(rule), False):
            return None
        changed = replace(changed, condition=None, source_ports=ALL_PORTS)
    return changed


def condition_flag(rule: Rule) -> str:
    """The name of what a rule's condition depends on."""
    return f"condition: {rule.condition or rule.source_ports}"


def settle_predicate(predicate: Predicate, flags: Mapping[str, bool], side: str) -> Predicate:
    if isinstance(predicate, Assumption):
        name = predicate.name if predicate.shared else f"{side}: {predicate.name}"
        return TRUE if flags.get(name, False) else FALSE
    if isinstance(predicate, And):
        return all_of(*(settle_predicate(part, flags, side) for part in predicate.parts))
    if isinstance(predicate, Or):
        return any_of(*(settle_predicate(part, flags, side) for part in predicate.parts))
    if isinstance(predicate, Not):
        return negate(settle_predicate(predicate.part, flags, side))
    return predicate


def _uncertain(predicate: Predicate) -> bool:
    return any(isinstance(atom, Assumption) for atom in predicate.atoms())
