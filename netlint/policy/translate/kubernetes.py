"""networking.k8s.io/v1 NetworkPolicy (kubernetes/api networking/v1/types.go; defaults.go of pkg/apis/networking/v1)."""

from dataclasses import replace
from typing import TypeAlias

from netlint.findings import Path, Place
from netlint.policy.form import NETWORK_POLICY, Action, Direction, Peer, Policy, Ports, Rule
from netlint.policy.readings import Readings
from netlint.policy.translate.parts import (
    UntranslatableError,
    block,
    in_namespace,
    ip_block,
    pods_in,
    port_range,
    select,
)
from netlint.predicates import TRUE, NamedPort, PortSet, Predicate, Scope
from netlint.resources.networking import (
    NetworkPolicy,
    NetworkPolicyPeer,
    NetworkPolicyPort,
)

_Entry: TypeAlias = tuple[list[NetworkPolicyPeer] | None, list[NetworkPolicyPort] | None]
_TYPES = {"Ingress": Direction.INGRESS, "Egress": Direction.EGRESS}
_REFUSED = "the API server would refuse {}"


def translate_network_policy(policy: NetworkPolicy, readings: Readings) -> Policy:
    """One policy. Its rules only ever allow; what isolates is the closing of the tier."""
    namespace = policy.namespace or "default"
    home = in_namespace(namespace)
    directions, unknown = _directions(policy)
    try:
        if policy.rejects("spec", "podSelector"):
            raise UntranslatableError(_REFUSED.format("spec.podSelector"))
        # An absent podSelector is an empty one: the server never asked for it.
        selected = TRUE if policy.spec.pod_selector is None else select(policy.spec.pod_selector)
    except UntranslatableError as error:
        selected = TRUE
        unknown.update(dict.fromkeys(directions, str(error)))
    subject = pods_in(home, selected)
    rules: list[Rule] = []
    for direction in Direction:
        if direction not in directions or direction in unknown:
            continue
        try:
            if policy.rejects("spec", direction.value):
                raise UntranslatableError(_REFUSED.format(f"spec.{direction.value}"))
            rules.extend(_rules(policy, direction, subject, home, readings))
        except UntranslatableError as error:
            unknown[direction] = str(error)
    return Policy(
        object=policy,
        dialect="NetworkPolicy",
        tier=NETWORK_POLICY.name,
        order=(),
        namespace=namespace,
        subject=subject,
        subject_origin=policy.at("spec", "podSelector"),
        isolates=frozenset(directions - unknown.keys()),
        rules=tuple(rules),
        unknown=unknown,
    )


def _directions(policy: NetworkPolicy) -> tuple[set[Direction], dict[Direction, str]]:
    """The directions that the policy isolates, after defaulting: Ingress, and Egress where there is an egress rule."""
    if policy.rejects("spec", "policyTypes"):
        return set(Direction), dict.fromkeys(Direction, _REFUSED.format("spec.policyTypes"))
    listed = policy.spec.policy_types
    if listed:
        return {_TYPES[each] for each in listed if each in _TYPES}, {}
    if policy.spec.egress or policy.rejects("spec", "egress"):
        return set(Direction), {}
    return {Direction.INGRESS}, {}


def _rules(
    policy: NetworkPolicy, direction: Direction, subject: Predicate, home: Predicate, readings: Readings
) -> list[Rule]:
    listed: list[_Entry]
    if direction is Direction.INGRESS:
        peer_field = "from"
        listed = [(rule.from_, rule.ports) for rule in policy.spec.ingress or ()]
    else:
        peer_field = "to"
        listed = [(rule.to, rule.ports) for rule in policy.spec.egress or ()]
    rules = []
    for index, (peers, ports) in enumerate(listed):
        path: Path = ("spec", direction.value, index)
        own = readings if direction is Direction.INGRESS else _with_names(readings, ports)
        # No peers are all peers, no ports all traffic; an empty list means the same as none.
        rules.append(
            Rule(
                policy=policy,
                tier=NETWORK_POLICY.name,
                order=(),
                direction=direction,
                subject=subject,
                action=Action.ALLOW,
                peers=tuple(
                    Peer(_peer(peer, home, own), Place(policy, (*path, peer_field, place)))
                    for place, peer in enumerate(peers)
                )
                if peers
                else None,
                ports=tuple(
                    Ports(_ports(port), Place(policy, (*path, "ports", place))) for place, port in enumerate(ports)
                )
                if ports
                else None,
                origin=Place(policy, path),
            )
        )
    return rules


def _with_names(readings: Readings, ports: list[NetworkPolicyPort] | None) -> Readings:
    """The readings for the blocks of an egress rule, whose named ports engines do not all resolve at a block's pods."""
    named = [isinstance(port.port, str) for port in ports or ()]
    if not any(named) or not readings.ipblock_matches_pods or readings.ipblock_resolves_names:
        return readings
    return replace(readings, ipblock_matches_pods=readings.ipblock_resolves_names if all(named) else None)


def _peer(peer: NetworkPolicyPeer, home: Predicate, readings: Readings) -> Predicate:
    if peer.ip_block is not None:
        if peer.pod_selector is not None or peer.namespace_selector is not None:
            raise UntranslatableError("a peer has ipBlock and a selector")
        return ip_block(block(peer.ip_block.cidr, peer.ip_block.except_ or ()), readings)
    if peer.pod_selector is None and peer.namespace_selector is None:
        raise UntranslatableError("a peer names nobody")
    namespaces = home if peer.namespace_selector is None else select(peer.namespace_selector, Scope.NAMESPACE)
    return pods_in(namespaces, TRUE if peer.pod_selector is None else select(peer.pod_selector))


def _ports(port: NetworkPolicyPort) -> PortSet:
    protocol = port.protocol or "TCP"
    if isinstance(port.port, str):
        if port.end_port is not None:
            raise UntranslatableError("endPort with a named port")
        port_range(protocol)
        return PortSet(named=frozenset({NamedPort(port.port, protocol)}))
    if port.port is None and port.end_port is not None:
        raise UntranslatableError("endPort without a port")
    return PortSet(port_range(protocol, port.port, port.end_port))
