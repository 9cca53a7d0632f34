"""Needed flows that policies deny: where they are stopped, and which rule comes nearest to letting them by."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from netlint.cluster import Cluster, Workload
from netlint.findings import Place
from netlint.intent.almost import almost
from netlint.intent.apiserver import api_servers
from netlint.intent.flow import API_SERVER, API_SERVER_PORTS, KUBELET, End, Flow, Outside
from netlint.intent.raw import value_at
from netlint.policy import Action, Direction, Policy, PolicyAnalysis, Rule, Side, Verdict
from netlint.predicates import TRUE, Endpoint, EndpointKind, NearMiss

_Servers: TypeAlias = Sequence[tuple[Endpoint, int]]
Reason = Literal["peer", "port", "selector", "types", "no-rule", "denied"]


@dataclass(frozen=True, slots=True)
class Stop:
    """One side of a flow at which policies stop it.

    `policy` is the one to change and `place` the field in it; `rule` comes nearest to admitting the flow: its ports fit
    and its peers do not (`peer`), or the reverse (`port`). `selector`, `types`: the policy would admit it if only it
    selected the pods (`miss`), or listed the direction. `denied`: a rule says so in so many words.
    """

    flow: Flow
    direction: Direction
    source: Endpoint
    destination: Endpoint
    side: Side
    policy: Policy
    place: Place
    reason: Reason
    rule: Rule | None = None
    miss: NearMiss | None = None

    @property
    def subject(self) -> Endpoint:
        """The end whose policies stop the flow."""
        return self.destination if self.direction is Direction.INGRESS else self.source

    @property
    def other(self) -> Endpoint:
        return self.source if self.direction is Direction.INGRESS else self.destination


class Gaps:
    """What policies deny of the needs of one cluster."""

    def __init__(self, cluster: Cluster, policy: PolicyAnalysis, flows: Iterable[Flow]) -> None:
        self.policy = policy
        self._flows = tuple(flows)
        self._servers = tuple((policy.address(address), port) for address, port in api_servers(cluster))

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """Every place at which a needed flow is stopped, in the order of the flows."""
        if not len(self.policy.policies):
            return ()
        return tuple(stop for flow in self._flows for stop in stops(self.policy, flow, self._servers))


def stops(policy: PolicyAnalysis, flow: Flow, servers: _Servers = ()) -> tuple[Stop, ...]:
    """Where a flow is stopped: nowhere, at its source, at its destination, or at both. Unknown verdicts stop nothing.

    A flow from or to something outside the input is stopped where every address that it may come from or go to is.
    `servers` are the endpoints and ports of the API server, where they are known.
    """
    if isinstance(flow.destination, Outside):
        return _to_outside(policy, flow, servers)
    if flow.port is None:
        return ()
    sources, destinations = endpoints_of(policy, flow.source), endpoints_of(policy, flow.destination)
    pairs = [(source, destination) for source in sources for destination in destinations]
    outside = not (isinstance(flow.source, Workload) and isinstance(flow.destination, Workload))
    denied: list[tuple[Endpoint, Endpoint]] = []
    for pair in pairs:
        if policy.verdict(*pair, flow.protocol, flow.port) is Verdict.DENIED:
            denied.append(pair)
            if not outside:
                break
        elif outside:
            return ()
    if not denied:
        return ()
    source, destination = denied[0]
    explanation = policy.explain(source, destination, flow.protocol, flow.port)
    sides = [side for side in (explanation.egress, explanation.ingress) if side.verdict is Verdict.DENIED]
    found = (_stop(policy, flow, source, destination, side) for side in sides)
    return tuple(stop for stop in found if stop is not None)


def _to_outside(policy: PolicyAnalysis, flow: Flow, ends: _Servers) -> tuple[Stop, ...]:
    """Pods that reach the API server at none of its addresses (of unknown ones, at no address on its usual ports), or
    the kubelet of no node."""
    if flow.destination not in (API_SERVER, KUBELET) or not isinstance(flow.source, Workload):
        return ()
    if flow.port is not None:
        ends = [(endpoint, flow.port) for endpoint in endpoints_of(policy, flow.destination)]
    elif not ends:
        usual = endpoints_of(policy, flow.destination)
        ends = [(endpoint, port) for endpoint in usual for port in API_SERVER_PORTS]
    for source in policy.endpoints_of(flow.source):
        reached = (policy.egress(source, end).verdict(flow.protocol, port) for end, port in ends)
        if source.kind is not EndpointKind.POD or not ends or any(each is not Verdict.DENIED for each in reached):
            continue
        stops = [
            _stop(policy, replace(flow, port=port), source, end, _egress(policy, source, end, port))
            for end, port in ends
        ]
        found = [stop for stop in stops if stop is not None]
        if found:
            best = min(found, key=lambda stop: stop.rule is None)
            return (replace(best, flow=flow),)
    return ()


def _egress(policy: PolicyAnalysis, source: Endpoint, end: Endpoint, port: int) -> Side:
    return policy.explain(source, end, "TCP", port).egress


def endpoints_of(policy: PolicyAnalysis, end: End) -> tuple[Endpoint, ...]:
    """The endpoints that stand for an end; for one outside the input, all that it may be."""
    if isinstance(end, Workload):
        return policy.endpoints_of(end)
    if end == API_SERVER:
        return policy.of_kind(EndpointKind.NODE, EndpointKind.API_SERVER, EndpointKind.EXTERNAL)
    if end == KUBELET:
        return policy.of_kind(EndpointKind.NODE) or policy.of_kind(EndpointKind.EXTERNAL)
    return policy.of_kind(EndpointKind.EXTERNAL, EndpointKind.NODE)


def _stop(analysis: PolicyAnalysis, flow: Flow, source: Endpoint, destination: Endpoint, side: Side) -> Stop | None:
    for rule in side.rules:
        if rule.action is Action.DENY:
            policy = _owner(rule, side.selected_by)
            if policy is None:
                return None
            return Stop(flow, side.direction, source, destination, side, policy, rule.origin, "denied", rule)
    subject, other = (destination, source) if side.direction is Direction.INGRESS else (source, destination)
    slip = almost(analysis, side.direction, subject, other, flow.protocol, flow.port or 0)
    if slip is not None:
        written, field, kind, miss = slip
        return Stop(flow, side.direction, source, destination, side, written, field, kind, miss=miss)
    near = nearest_rule(side.selected_by, side.direction, other, destination, flow.protocol, flow.port or 0)
    if near is not None:
        policy, rule, reason = near
        place = peers_place(rule) if reason == "peer" else ports_place(rule)
        return Stop(flow, side.direction, source, destination, side, policy, place, reason, rule)
    policy = most_specific(side.selected_by)
    if policy is None:
        return None
    place = direction_place(policy, side.direction)
    return Stop(flow, side.direction, source, destination, side, policy, place, "no-rule")


def nearest_rule(
    policies: Sequence[Policy], direction: Direction, other: Endpoint, destination: Endpoint, protocol: str, port: int
) -> tuple[Policy, Rule, Literal["peer", "port"]] | None:
    """The rule that lacks one thing only: the peer, or the port. A rule for certain pods comes before one for all."""
    candidates: list[tuple[int, int, int, Policy, Rule, Literal["peer", "port"]]] = []
    for place, policy in enumerate(policies):
        for rule in policy.rules:
            if rule.direction is not direction or rule.action is not Action.ALLOW:
                continue
            peer_fits = rule.peers is None or rule.peer.holds(other) is not False
            port_fits = rule.ports is None or rule.port_set.resolve(destination).contains(protocol, port)
            broad = 1 if policy.subject == TRUE or _takes_namespace(policy) else 0
            if peer_fits and not port_fits and (rule.peers is not None or not broad):
                candidates.append((broad, 0, place, policy, rule, "port"))
            elif port_fits and not peer_fits and rule.ports is not None:
                candidates.append((broad, 1, place, policy, rule, "peer"))
    if not candidates:
        return None
    *_, policy, rule, reason = min(candidates, key=lambda candidate: candidate[:3])
    return policy, rule, reason


def most_specific(policies: Sequence[Policy]) -> Policy | None:
    """The policy to change where none comes near: one for these pods rather than for all of the namespace."""
    if not policies:
        return None
    return next((policy for policy in policies if not _takes_namespace(policy)), policies[0])


def _takes_namespace(policy: Policy) -> bool:
    """Whether a NetworkPolicy's podSelector takes every pod of the namespace."""
    selector = value_at(Place(policy.object, ("spec", "podSelector")))
    return not isinstance(selector, dict) or not any(selector.values())


def _owner(rule: Rule, policies: Sequence[Policy]) -> Policy | None:
    return next((policy for policy in policies if policy.object is rule.policy), None)


def direction_place(policy: Policy, direction: Direction) -> Place:
    """`spec.ingress` or `spec.egress` of a policy."""
    return Place(policy.object, ("spec", "ingress" if direction is Direction.INGRESS else "egress"))


def peers_place(rule: Rule) -> Place:
    """The list of peers of a rule (`spec.ingress[0].from`), the rule itself where it has none."""
    return _list_of(rule.peers[0].origin) if rule.peers else rule.origin


def ports_place(rule: Rule) -> Place:
    """The only port entry of a rule, or its list of ports."""
    if not rule.ports:
        return rule.origin
    return rule.ports[0].origin if len(rule.ports) == 1 else _list_of(rule.ports[0].origin)


def _list_of(place: Place) -> Place:
    path = place.path
    while path and not isinstance(path[-1], int):
        path = path[:-1]
    return Place(place.source, path[:-1]) if path else place
