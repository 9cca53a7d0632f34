"""What policies do, apart from what they are called and how they are cut up: equal elements have equal meaning."""

from collections.abc import Hashable
from typing import TypeAlias

from netlint.policy.form import Direction, Policy, PolicySet, Rule

Element: TypeAlias = tuple[Hashable, ...]


def rule_key(rule: Rule) -> Element:
    """A rule without its subject and its place."""
    return (
        rule.direction,
        rule.phase,
        rule.action,
        rule.pass_to,
        rule.peer,
        rule.port_set,
        rule.local,
        rule.source_ports,
        rule.condition,
    )


class Canonical:
    """The elements of a set of policies. Where policies only add, each permission and each isolation is an element by
    itself, so that a policy cut in two, or there twice, is the same as one."""

    def __init__(self, policies: PolicySet) -> None:
        additive = {tier.name for tier in policies.tiers if tier.additive}
        self._of: dict[Policy, list[tuple[Direction, Element]]] = {
            policy: _added(policy) if policy.tier in additive else _ordered(policy) for policy in policies.policies
        }
        self._all = frozenset(element for held in self._of.values() for _, element in held)
        self.fingerprint: Element = (policies.tiers, self._all)

    def beside(self, other: "Canonical", direction: Direction) -> list[Policy]:
        """The policies with an element of a direction that the other set has not."""
        missing = self._all - other._all
        return [
            policy
            for policy, held in self._of.items()
            if any(way is direction and element in missing for way, element in held)
        ]


def _added(policy: Policy) -> list[tuple[Direction, Element]]:
    found: list[tuple[Direction, Element]] = []
    for direction in Direction:
        base = (policy.tier, direction, policy.subject)
        if direction in policy.isolates:
            found.append((direction, (*base, "isolates")))
        if direction in policy.unknown:
            found.append((direction, (*base, "unknown", policy.unknown[direction])))
        for rule in policy.rules_of(direction):
            rest = (rule.action, rule.port_set, rule.local, rule.source_ports, rule.condition)
            found.extend((direction, (*base, peer, *rest)) for peer in rule.alternatives)
    return found


def _ordered(policy: Policy) -> list[tuple[Direction, Element]]:
    return [
        (
            direction,
            (
                policy.tier,
                policy.order,
                direction,
                policy.subject,
                direction in policy.isolates,
                policy.unknown.get(direction),
                tuple(map(rule_key, policy.rules_of(direction))),
            ),
        )
        for direction in Direction
        if policy.concerns(direction)
    ]
