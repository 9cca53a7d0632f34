"""Questions about every endpoint that could be. Z3 is loaded at the first one that needs it; answers are kept."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Literal

from netlint.policy.form import Direction, Policy, PolicySet, Rule
from netlint.policy.outcome import Connection, let_pass
from netlint.policy.proofs.answers import Answer, Proved, Refuted
from netlint.policy.proofs.assumptions import Assumptions
from netlint.policy.proofs.canonical import Canonical
from netlint.policy.proofs.formula import Formula, Relevant
from netlint.policy.proofs.questions import LIMIT, Asker, Mentioned
from netlint.policy.proofs.rules import overlap, plainly_covers, reached, rule_identity, speaks, traffic_of
from netlint.policy.proofs.sample import sample, samples
from netlint.policy.proofs.settled import settle, settle_rule
from netlint.policy.proofs.witness import Violation
from netlint.policy.readings import Readings
from netlint.predicates import (
    ALL_TRAFFIC,
    FALSE,
    NO_TRAFFIC,
    TRUE,
    And,
    Endpoint,
    Predicate,
    TrafficSet,
    all_of,
    any_of,
    negate,
)
from netlint.predicates.symbolic import Term

Flags = Mapping[str, bool]
_FEW = 8


class Prover:
    """Answers about the endpoints that could be under some assumptions, and about the policies it was made with."""

    def __init__(
        self,
        policies: PolicySet,
        assumptions: Assumptions | None = None,
        readings: Readings | None = None,
        limit: int = LIMIT,
    ) -> None:
        self.policies = policies
        self.assumptions = assumptions or Assumptions()
        self._node_to_pod = (readings or Readings()).node_to_pod_always_allowed
        self._asker = Asker(self.assumptions, self._node_to_pod, limit)
        self._anywhere = Asker(self.assumptions.open(), self._node_to_pod, limit)
        self._answers: dict[Hashable, Answer] = {}
        self._canonical: dict[PolicySet, Canonical] = {}

    # About predicates

    def never_matches(self, target: Predicate | Rule | Policy) -> Answer:
        """Proved: no endpoint that could be, in any namespace, matches a predicate, is selected by a policy, or is
        selected and spoken of by a rule."""
        if isinstance(target, Policy):
            return self.never_matches(target.subject)
        if isinstance(target, Predicate):
            return self._kept(("never", target), lambda: self._satisfiable(target, self._anywhere))
        if not target.port_set.traffic and not target.port_set.named:
            return Proved()
        for part in (all_of(target.subject, target.local), target.peer):
            answer = self.never_matches(part)
            if answer:
                return answer
        return answer

    def implies(self, one: Predicate, other: Predicate) -> Answer:
        """Proved: every endpoint that satisfies one predicate satisfies the other."""
        if one == other:
            return Proved()
        parts = other.parts if isinstance(other, And) else (other,)
        # part by part, so that most answers are plain to see
        left_over = any_of(*(all_of(one, negate(part)) for part in parts))
        return self._kept(("implies", one, other), lambda: self._satisfiable(left_over, self._asker))

    def same(self, one: Predicate, other: Predicate) -> Answer:
        """Proved: the two predicates hold of the same endpoints."""
        answer = self.implies(one, other)
        return self.implies(other, one) if answer else answer

    def _satisfiable(self, predicate: Predicate, asker: Asker) -> Answer:
        if predicate == FALSE:
            return Proved()
        found = sample(predicate, self.assumptions)
        return asker.single(predicate) if found is None else asker.refuted_by(found, predicate)

    # About rules

    def rule_contained(self, rule: Rule, others: Iterable[Rule]) -> Answer:
        """Proved: for every pair of endpoints the other rules of its direction together speak of all the traffic that
        the rule speaks of. What the rules do with it is not asked."""
        near = [other for other in others if other is not rule and overlap(rule, other)]
        if any(plainly_covers(other, rule) for other in near):
            return Proved()

        def failing(formula: Formula) -> Term:
            symbols = formula.symbols
            return symbols.all([speaks(formula, rule), *(symbols.no(speaks(formula, other)) for other in near)])

        def violation(flags: Flags) -> Violation:
            settled = settle_rule(rule, flags)
            rest = [each for other in near if (each := settle_rule(other, flags)) is not None]

            def left(source: Endpoint, destination: Endpoint) -> TrafficSet:
                if settled is None:
                    return NO_TRAFFIC
                found = traffic_of(settled, source, destination)
                for other in rest:
                    found = found - traffic_of(other, source, destination)
                return found

            return left

        key = ("contained", rule_identity(rule), frozenset(map(rule_identity, near)))
        tries = list(self._tries(rule.direction, [all_of(rule.subject, rule.local)], [rule.peer]))
        return self._kept(key, lambda: self._asker.pair(Mentioned.of([rule, *near]), failing, violation, tries=tries))

    def covering(self, rule: Rule, candidates: Iterable[Rule]) -> tuple[Rule, ...]:
        """Some of the candidates that together contain the rule, none of which could be left out; empty where all of
        them together do not contain it."""
        near = [other for other in candidates if other is not rule and overlap(rule, other)]
        for other in near:
            if plainly_covers(other, rule):
                return (other,)

        def build(formula: Formula) -> tuple[Term, list[Term]]:
            return speaks(formula, rule), [formula.symbols.no(speaks(formula, other)) for other in near]

        places = self._asker.core(Mentioned.of([rule, *near]), build) if near else None
        return tuple(near[place] for place in places or ())

    def rule_redundant(self, rule: Rule) -> Answer:
        """Proved: without the rule its side of every connection would be the same. The other side is not looked at."""
        policy = self.policies.policy_of(rule)
        assert policy is not None
        fewer = replace(policy, rules=tuple(each for each in policy.rules if each is not rule))
        near = self._part(self.policies, rule.direction, [policy.subject])
        if any(
            other is not rule and other.action is rule.action and plainly_covers(other, rule)
            for tier in near.tiers
            if tier.additive and tier.name == rule.tier
            for each in near.in_tier(tier)
            for other in each.rules_of(rule.direction)
        ):
            return Proved()
        tries = self._tries(rule.direction, [all_of(rule.subject, rule.local)], [rule.peer])
        without = near.replace(policy, fewer)
        return self._same_side(near, without, rule.direction, [policy.subject], tries=tries)

    def policy_redundant(self, policy: Policy) -> Answer:
        """Proved: without the policy both sides of every connection would be the same."""
        answer: Answer = Proved()
        for direction in Direction:
            if policy.concerns(direction):
                near = self._part(self.policies, direction, [policy.subject])
                peers = [TRUE, *(rule.peer for rule in policy.rules_of(direction))]
                tries = self._tries(direction, [policy.subject], peers)
                answer = self._same_side(near, near.without(policy), direction, [policy.subject], tries=tries)
                if not answer:
                    return answer
        return answer

    def rule_shadowed(self, rule: Rule) -> Answer:
        """Proved: no traffic that the rule speaks of ever gets to it; earlier rules and tiers decide it all."""
        near = self._part(self.policies, rule.direction, [rule.subject])
        if all(policy.object is not rule.policy for policy in near.policies):
            return Proved()  # its subject takes nobody
        relevant = _about(rule.direction, [rule.subject])

        def violation(flags: Flags) -> Violation:
            settled = settle(near, flags)
            return lambda source, destination: reached(settled, rule, source, destination)

        return self._asker.pair(
            Mentioned.of_policies([near]), lambda formula: formula.reaches(near, rule, relevant), violation
        )

    # About sets of policies

    def equivalent(self, one: PolicySet, other: PolicySet) -> Answer:
        """Proved: both sets allow the same connections between every two endpoints that could be."""
        return self._compared(one, other, both_ways=True)

    def contains(self, big: PolicySet, small: PolicySet) -> Answer:
        """Proved: every connection that `small` allows, `big` allows."""
        return self._compared(small, big, both_ways=False)

    def always(
        self,
        verdict: Literal["allow", "deny"],
        source: Predicate,
        destination: Predicate,
        traffic: TrafficSet = ALL_TRAFFIC,
        policies: PolicySet | None = None,
    ) -> Answer:
        """Proved: all connections of this traffic from endpoints that satisfy `source` to endpoints that satisfy
        `destination` are allowed, or denied. A pod that reaches itself is not meant."""
        chosen = policies or self.policies
        relevant = Relevant([source], [destination])
        near = PolicySet(
            (
                policy
                for tier in chosen.tiers
                for policy in dict.fromkeys(each for way in Direction for each in relevant.of(chosen, tier, way))
            ),
            chosen.tiers,
        )

        def failing(formula: Formula) -> Term:
            symbols = formula.symbols
            allowed = formula.allowed(near, relevant)
            wrong = symbols.no(allowed) if verdict == "allow" else allowed
            return symbols.all([formula.source.term(source), formula.destination.term(destination), wrong])

        def violation(flags: Flags) -> Violation:
            settled = settle(near, flags)

            def wrong(one: Endpoint, other: Endpoint) -> TrafficSet:
                if source.holds(one) is not True or destination.holds(other) is not True:
                    return NO_TRAFFIC
                allowed = self._connection(settled, one, other).allowed
                return traffic - allowed if verdict == "allow" else traffic & allowed

            return wrong

        mentioned = Mentioned.of_policies([near], [source, destination])
        key = ("always", verdict, source, destination, traffic, self._key(near).fingerprint)
        tries = list(self._tries(Direction.EGRESS, [source], [destination]))
        return self._kept(key, lambda: self._asker.pair(mentioned, failing, violation, traffic, tries))

    def _compared(self, one: PolicySet, other: PolicySet, both_ways: bool) -> Answer:
        first, second = self._key(one), self._key(other)
        if first.fingerprint == second.fingerprint:
            return Proved()
        key = ("compared", both_ways, first.fingerprint, second.fingerprint)
        return self._kept(key, lambda: self._compare(one, other, both_ways))

    def _compare(self, one: PolicySet, other: PolicySet, both_ways: bool) -> Answer:
        """Side by side first, about those whom the differing policies select: where both sides are alike, so are the
        connections. Else both sides together."""
        first, second = self._key(one), self._key(other)
        changed: dict[Direction, list[Predicate]] = {}
        for direction in Direction:
            differing = [*first.beside(second, direction), *second.beside(first, direction)]
            subjects = list(dict.fromkeys(policy.subject for policy in differing))
            if subjects:
                peers = [TRUE, *(rule.peer for each in differing for rule in each.rules_of(direction))]
                tries = self._tries(direction, subjects[:_FEW], peers[:_FEW])
                answer = self._same_side(one, other, direction, subjects, both_ways, tries)
                if isinstance(answer, Refuted):
                    whole = self._whole(answer, self._difference(one, other, both_ways))
                    if whole is not None:
                        return whole
                if not answer:
                    changed[direction] = subjects
        for direction, subjects in changed.items():
            answer = self._joint(one, other, direction, subjects, both_ways)
            if not answer:
                return answer
        return Proved()

    def _whole(self, answer: Refuted, violation: Violation) -> Answer | None:
        """The counterexample to one side, where it also is one to both sides together."""
        assert answer.destination is not None
        if not violation(answer.source, answer.destination):
            return None
        return self._asker.confirmed(answer.source, answer.destination, violation)

    def _tries(
        self, direction: Direction, locals_: Iterable[Predicate], remotes: Iterable[Predicate]
    ) -> Iterator[tuple[Endpoint, Endpoint]]:
        """A few pairs of endpoints, the barest that satisfy some predicates of the local and of the remote side."""
        far = [found for each in dict.fromkeys(remotes) for found in islice(samples(each, self.assumptions), _FEW)]
        if not far:
            far = [found for found in (sample(TRUE, self.assumptions),) if found is not None]
        for local in dict.fromkeys(locals_):
            near = sample(local, self.assumptions)
            if near is not None:
                for each in far[:_FEW]:
                    yield (near, each) if direction is Direction.EGRESS else (each, near)

    def _joint(
        self, one: PolicySet, other: PolicySet, direction: Direction, subjects: Sequence[Predicate], both_ways: bool
    ) -> Answer:
        relevant = _about(direction, subjects)
        whom = any_of(*subjects)

        def failing(formula: Formula) -> Term:
            symbols = formula.symbols
            here = formula.sides(direction)[0].term(whom)
            before, after = formula.allowed(one, relevant), formula.allowed(other, relevant)
            return symbols.all([here, _differs(formula, before, after, both_ways)])

        def violation(flags: Flags) -> Violation:
            return self._difference(settle(one, flags), settle(other, flags), both_ways)

        return self._asker.pair(Mentioned.of_policies([one, other]), failing, violation)

    def _same_side(
        self,
        one: PolicySet,
        other: PolicySet,
        direction: Direction,
        subjects: Sequence[Predicate],
        both_ways: bool = True,
        tries: Iterable[tuple[Endpoint, Endpoint]] = (),
    ) -> Answer:
        """Whether one side of every connection is the same for the endpoints that one of the subjects takes."""
        whom = any_of(*subjects)
        relevant = _about(direction, subjects)
        first, second = self._part(one, direction, subjects), self._part(other, direction, subjects)

        def failing(formula: Formula) -> Term:
            here = formula.sides(direction)[0].term(whom)
            before, after = formula.passes(first, direction, relevant), formula.passes(second, direction, relevant)
            return formula.symbols.all([here, _differs(formula, before, after, both_ways)])

        def violation(flags: Flags) -> Violation:
            before, after = settle(first, flags), settle(second, flags)

            def differing(source: Endpoint, destination: Endpoint) -> TrafficSet:
                return _minus(
                    let_pass(before, direction, source, destination, self._node_to_pod),
                    let_pass(after, direction, source, destination, self._node_to_pod),
                    both_ways,
                )

            return differing

        key = ("side", direction, both_ways, whom, self._key(first).fingerprint, self._key(second).fingerprint)
        mentioned = Mentioned.of_policies([first, second], [whom])
        return self._kept(key, lambda: self._asker.pair(mentioned, failing, violation, tries=tries))

    def _difference(self, before: PolicySet, after: PolicySet, both_ways: bool) -> Violation:
        def differing(source: Endpoint, destination: Endpoint) -> TrafficSet:
            old, new = self._connection(before, source, destination), self._connection(after, source, destination)
            return _minus(old, new, both_ways)

        return differing

    def _connection(self, policies: PolicySet, source: Endpoint, destination: Endpoint) -> Connection:
        egress = let_pass(policies, Direction.EGRESS, source, destination, self._node_to_pod)
        return egress & let_pass(policies, Direction.INGRESS, source, destination, self._node_to_pod)

    def _part(self, policies: PolicySet, direction: Direction, subjects: Sequence[Predicate]) -> PolicySet:
        relevant = _about(direction, subjects)
        members = (policy for tier in policies.tiers for policy in relevant.of(policies, tier, direction))
        return PolicySet(members, policies.tiers)

    def _key(self, policies: PolicySet) -> Canonical:
        known = self._canonical.get(policies)
        if known is None:
            known = self._canonical[policies] = Canonical(policies)
        return known

    def _kept(self, key: Hashable, ask: Callable[[], Answer]) -> Answer:
        known = self._answers.get(key)
        if known is None:
            known = self._answers[key] = ask()
        return known


def _about(direction: Direction, subjects: Sequence[Predicate]) -> Relevant:
    return Relevant(subjects, None) if direction is Direction.EGRESS else Relevant(None, subjects)


def _differs(formula: Formula, before: Term, after: Term, both_ways: bool) -> Term:
    symbols = formula.symbols
    if not both_ways:
        return symbols.all([before, symbols.no(after)])
    term: Term = symbols.z3.Xor(before, after)
    return term


def _minus(before: Connection, after: Connection, both_ways: bool) -> TrafficSet:
    """What surely passes on one side and surely not on the other."""
    lost = before.allowed - after.allowed - after.unknown
    return lost | (after.allowed - before.allowed - before.unknown) if both_ways else lost
