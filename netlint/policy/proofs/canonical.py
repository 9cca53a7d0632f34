"""What a policy does, apart from what it is called and where it stands: equal keys have equal meaning."""

from collections.abc import Hashable
from typing import TypeAlias

from netlint.policy.form import Direction, Policy, PolicySet, Rule

Key: TypeAlias = tuple[Hashable, ...]


def rule_key(rule: Rule) -> Key:
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


def policy_key(policy: Policy, additive: bool) -> Key:
    rules: Hashable = tuple(map(rule_key, policy.rules))
    if additive:
        rules = frozenset(map(rule_key, policy.rules))
    unknown = frozenset(policy.unknown.items())
    return (policy.tier, policy.order, policy.subject, policy.isolates, rules, unknown)


class Canonical:
    """The keys of a set of policies. The same policy twice is the same as once."""

    def __init__(self, policies: PolicySet) -> None:
        additive = {tier.name for tier in policies.tiers if tier.additive}
        self.keys: dict[Policy, Key] = {
            policy: policy_key(policy, policy.tier in additive) for policy in policies.policies
        }
        self.fingerprint: Key = (policies.tiers, frozenset(self.keys.values()))

    def beside(self, other: "Canonical", direction: Direction) -> list[Policy]:
        """The policies with a say in a direction that the other set has not."""
        held = set(other.keys.values())
        return [policy for policy, key in self.keys.items() if key not in held and policy.concerns(direction)]
