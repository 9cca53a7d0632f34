"""One pair of endpoints at a time: what each side lets pass, and which rules decide it."""

from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

from netlint.policy.classes import Classes, EndpointClass
from netlint.policy.form import Direction, Policy, PolicySet, Rule, Tier, Verdict
from netlint.policy.outcome import EVERYTHING, Connection, Explanation, Side, Trace, evaluate, is_exempt
from netlint.policy.readings import Readings
from netlint.predicates import ALL_TRAFFIC, TRUE, Endpoint, Predicate, TrafficSet
from netlint.predicates.bitsets import places_of

_ByTier: TypeAlias = dict[str, list[Policy]]


class Pairs:
    """Policies over the classes of some endpoints, and over any other endpoint by each predicate's plain reading."""

    def __init__(self, policies: PolicySet, classes: Classes, readings: Readings) -> None:
        self._policies = policies
        self._classes = classes
        self._node_to_pod = readings.node_to_pod_always_allowed
        self._sides: dict[tuple[Direction, EndpointClass | Endpoint, EndpointClass | Endpoint], Connection] = {}
        self._selecting: dict[tuple[Direction, int], _ByTier] = {}
        self._held: dict[tuple[Predicate, Endpoint], bool | None] = {}

    def side(self, direction: Direction, source: Endpoint, destination: Endpoint) -> Connection:
        """What one side lets pass; kept by class for endpoints that are there, and by identity for others."""
        one, other = self._classes.of(source), self._classes.of(destination)
        key = direction, one or source, other or destination
        known = self._sides.get(key)
        if known is None:
            known = self._sides[key] = self._side(direction, source, destination, ALL_TRAFFIC, None)
        return known

    def explain(self, source: Endpoint, destination: Endpoint, traffic: TrafficSet) -> Explanation:
        """The verdict on traffic that no rule divides, with the rules on both sides that decided it."""
        egress = self._explained(Direction.EGRESS, source, destination, traffic)
        ingress = self._explained(Direction.INGRESS, source, destination, traffic)
        verdicts = {egress.verdict, ingress.verdict}
        verdict = next(each for each in (Verdict.DENIED, Verdict.UNKNOWN, Verdict.ALLOWED) if each in verdicts)
        return Explanation(verdict, egress, ingress)

    def selecting(self, endpoint: Endpoint, direction: Direction, answer: bool | None) -> tuple[Policy, ...]:
        """The policies with a say in the direction that certainly (True) or perhaps (None) select an endpoint."""
        known = self._classes.of(endpoint)
        return tuple(
            policy
            for members in self._candidates(endpoint, direction).values()
            for policy in members
            if self._holds(policy.subject, endpoint, known) is answer
        )

    def _explained(self, direction: Direction, source: Endpoint, destination: Endpoint, traffic: TrafficSet) -> Side:
        local = source if direction is Direction.EGRESS else destination
        selected = self.selecting(local, direction, True)
        if is_exempt(source, direction, self._node_to_pod):
            return Side(direction, Verdict.ALLOWED, "exempt", selected_by=selected)
        trace = Trace()
        outcome = self._side(direction, source, destination, traffic, trace)
        return trace.side(direction, outcome, traffic, selected)

    def _side(
        self,
        direction: Direction,
        source: Endpoint,
        destination: Endpoint,
        traffic: TrafficSet,
        trace: Trace | None,
    ) -> Connection:
        local, remote = (source, destination) if direction is Direction.EGRESS else (destination, source)
        if is_exempt(source, direction, self._node_to_pod):
            return EVERYTHING
        local_class, remote_class = self._classes.of(local), self._classes.of(remote)
        candidates = self._candidates(local, direction)
        if not candidates:
            return Connection(traffic)

        def near(tier: Tier) -> Iterable[Policy]:
            return candidates.get(tier.name, ())

        def selects(policy: Policy) -> bool | None:
            return self._holds(policy.subject, local, local_class)

        def matches(rule: Rule) -> bool | None:
            answer = self._holds(rule.peer, remote, remote_class)
            if answer is False or rule.local == TRUE:
                return None if answer and rule.conditional else answer
            here = self._holds(rule.local, local, local_class)
            if here is False:
                return False
            return True if answer and here and not rule.conditional else None

        return evaluate(self._policies, direction, near, selects, matches, destination, traffic, trace)

    def _holds(self, predicate: Predicate, endpoint: Endpoint, known: EndpointClass | None) -> bool | None:
        if known is None:
            key = predicate, endpoint
            if key not in self._held:
                self._held[key] = predicate.holds(endpoint)
            return self._held[key]
        must, may = self._classes.range(predicate)
        if must >> known.index & 1:
            return True
        return None if may >> known.index & 1 else False

    def _candidates(self, endpoint: Endpoint, direction: Direction) -> _ByTier:
        """The policies that may select an endpoint in a direction, by tier."""
        known = self._classes.of(endpoint)
        if known is None:
            near = self._policies.about(endpoint.namespace)
            return _by_tier(
                each for each in near if each.concerns(direction) and each.subject.holds(endpoint) is not False
            )
        key = direction, known.index
        found = self._selecting.get(key)
        if found is None:
            found = self._selecting[key] = _by_tier(self._by_class[direction][known.index])
        return found

    @cached_property
    def _by_class(self) -> dict[Direction, list[list[Policy]]]:
        found: dict[Direction, list[list[Policy]]] = {way: [[] for _ in self._classes.classes] for way in Direction}
        for policy in self._policies.policies:
            _, may = self._classes.range(policy.subject)
            ways = [way for way in Direction if policy.concerns(way)]
            for place in places_of(may):
                for way in ways:
                    found[way][place].append(policy)
        return found


def _by_tier(policies: Iterable[Policy]) -> _ByTier:
    found: _ByTier = {}
    for policy in policies:
        found.setdefault(policy.tier, []).append(policy)
    return found
