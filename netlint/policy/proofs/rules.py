"""Single rules: the traffic they speak of, and what is plain about two of them without a proof."""

from collections.abc import Hashable

from netlint.policy.form import Action, Closing, Direction, PolicySet, Rule
from netlint.policy.outcome import rule_matches
from netlint.policy.proofs.canonical import rule_key
from netlint.policy.proofs.formula import Formula, ordered
from netlint.predicates import (
    ALL_PORTS,
    ALL_TRAFFIC,
    FALSE,
    NO_TRAFFIC,
    TRUE,
    And,
    Endpoint,
    Predicate,
    TrafficSet,
    all_of,
)
from netlint.predicates.symbolic import Term


def speaks(formula: Formula, rule: Rule) -> Term:
    """A rule's subject and traffic, apart from what the rule does with it."""
    local, _ = formula.sides(rule.direction)
    return formula.symbols.all([local.term(rule.subject), formula.matches(rule)])


def traffic_of(rule: Rule, source: Endpoint, destination: Endpoint) -> TrafficSet:
    """The traffic between two endpoints that a rule speaks of."""
    local, remote = (source, destination) if rule.direction is Direction.EGRESS else (destination, source)
    if rule.subject.holds(local) is not True or rule_matches(rule, local, remote) is not True:
        return NO_TRAFFIC
    return rule.port_set.resolve(destination)


def reached(policies: PolicySet, target: Rule, source: Endpoint, destination: Endpoint) -> TrafficSet:
    """The traffic between two endpoints that gets as far as a rule and that the rule speaks of."""
    direction = target.direction
    local = source if direction is Direction.EGRESS else destination
    reach = ALL_TRAFFIC
    for tier in policies.tiers:
        members = [each for each in policies.in_tier(tier) if each.subject.holds(local) and each.concerns(direction)]
        passed = NO_TRAFFIC
        for _, rule in ordered(tier, members, direction):
            hit = traffic_of(rule, source, destination) & reach
            if rule.policy is target.policy and rule.origin == target.origin:
                return hit
            if not (tier.additive and tier.name == target.tier):
                reach = reach - hit
                passed |= hit if rule.action is Action.PASS else NO_TRAFFIC
        if tier.closing is Closing.DENY_SELECTED and any(direction in policy.isolates for policy in members):
            reach = NO_TRAFFIC
        reach |= passed
    return NO_TRAFFIC


def overlap(rule: Rule, other: Rule) -> bool:
    """Whether some traffic could concern both rules, as far as that is cheap to tell."""
    if rule.direction is not other.direction:
        return False
    plain = not rule.port_set.named and not other.port_set.named
    if plain and not rule.port_set.traffic.overlaps(other.port_set.traffic):
        return False
    return all_of(rule.subject, other.subject) != FALSE and all_of(rule.peer, other.peer) != FALSE


def plainly_covers(other: Rule, rule: Rule) -> bool:
    """Whether another rule contains a rule by its words alone."""
    if other.direction is not rule.direction or other.condition is not None or other.local != TRUE:
        return False
    if other.source_ports not in (ALL_PORTS, rule.source_ports) or not _plainly_implies(rule.subject, other.subject):
        return False
    if other.port_set.traffic != ALL_TRAFFIC and not (
        rule.port_set.traffic <= other.port_set.traffic and rule.port_set.named <= other.port_set.named
    ):
        return False
    return all(any(_plainly_implies(one, each) for each in other.alternatives) for one in rule.alternatives)


def _plainly_implies(one: Predicate, other: Predicate) -> bool:
    """Whether one conjunction has all the parts of another."""
    if other == TRUE or one == other:
        return True
    return _parts(other) <= _parts(one)


def _parts(predicate: Predicate) -> frozenset[Predicate]:
    return frozenset(predicate.parts) if isinstance(predicate, And) else frozenset((predicate,))


def rule_identity(rule: Rule) -> Hashable:
    return (rule.subject, *rule_key(rule))
