"""policy.networking.k8s.io: AdminNetworkPolicy and BaselineAdminNetworkPolicy v1alpha1, ClusterNetworkPolicy v1alpha2
(kubernetes-sigs/network-policy-api apis/v1alpha1, apis/v1alpha2)."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from netlint.findings import Path, Place
from netlint.policy.form import ADMIN, BASELINE, Action, Direction, Order, Peer, Policy, Ports, Rule, Tier
from netlint.policy.readings import Readings
from netlint.policy.translate.parts import (
    NODES,
    UntranslatableError,
    block,
    networks,
    pods_in,
    port_range,
    select,
)
from netlint.predicates import (
    FALSE,
    TRUE,
    AddressSet,
    Assumption,
    EndpointKind,
    NamedPort,
    OfKind,
    PortSet,
    Predicate,
    Scope,
    all_of,
)
from netlint.resources.policy_k8s_io import (
    AdminNetworkPolicy,
    AdminNetworkPolicyEgressRule,
    AdminNetworkPolicyIngressRule,
    AdminNetworkPolicyPort,
    AdminPolicyPeer,
    BaselineAdminNetworkPolicy,
    ClusterNetworkPolicy,
    ClusterNetworkPolicyEgressRule,
    ClusterNetworkPolicyIngressRule,
    ClusterNetworkPolicyProtocol,
    NamespacedPod,
    PolicySubject,
    ProtocolPorts,
)

_AdminObject: TypeAlias = AdminNetworkPolicy | BaselineAdminNetworkPolicy | ClusterNetworkPolicy
_AdminRule: TypeAlias = (
    AdminNetworkPolicyIngressRule
    | AdminNetworkPolicyEgressRule
    | ClusterNetworkPolicyIngressRule
    | ClusterNetworkPolicyEgressRule
)
_ACTIONS: Final = {"Allow": Action.ALLOW, "Accept": Action.ALLOW, "Deny": Action.DENY, "Pass": Action.PASS}
_REFUSED: Final = "the API server would refuse {}"
_LAST: Final = (1 << 31,)


def translate_admin(policy: AdminNetworkPolicy | BaselineAdminNetworkPolicy, readings: Readings) -> Policy:
    """An AdminNetworkPolicy in the admin tier at its priority, or the baseline policy in the baseline tier."""
    if isinstance(policy, BaselineAdminNetworkPolicy):
        return _translate(policy, BASELINE, (0,), {"Allow", "Deny"}, readings)
    return _translate(policy, ADMIN, _priority(policy.spec.priority), {"Allow", "Deny", "Pass"}, readings)


def translate_cluster(policy: ClusterNetworkPolicy, readings: Readings) -> Policy:
    """A ClusterNetworkPolicy, in its own tier at its priority."""
    tier = BASELINE if policy.spec.tier == "Baseline" else ADMIN
    return _translate(policy, tier, _priority(policy.spec.priority), {"Accept", "Deny", "Pass"}, readings)


def _priority(priority: int | None) -> Order:
    return _LAST if priority is None else (priority,)


def _translate(policy: _AdminObject, tier: Tier, order: Order, actions: set[str], readings: Readings) -> Policy:
    unknown: dict[Direction, str] = {}
    try:
        for field in ("priority", "tier", "subject"):
            if policy.rejects("spec", field):
                raise UntranslatableError(_REFUSED.format(f"spec.{field}"))
        if isinstance(policy, ClusterNetworkPolicy) and policy.spec.tier not in ("Admin", "Baseline"):
            raise UntranslatableError(f"unknown tier {policy.spec.tier!r}")
        subject = _subject(policy.spec.subject)
    except UntranslatableError as error:
        subject = pods_in(TRUE)
        for direction in Direction:
            if _listed(policy, direction) or policy.rejects("spec", direction.value):
                unknown[direction] = str(error)
    rules: list[Rule] = []
    for direction in Direction:
        if direction in unknown:
            continue
        try:
            if policy.rejects("spec", direction.value):
                raise UntranslatableError(_REFUSED.format(f"spec.{direction.value}"))
            for index, rule in enumerate(_listed(policy, direction)):
                rules.append(_rule(policy, tier, order, direction, index, rule, subject, actions, readings))
        except UntranslatableError as error:
            unknown[direction] = str(error)
            rules = [rule for rule in rules if rule.direction is not direction]
    return Policy(
        object=policy,
        dialect=policy.kind,
        tier=tier.name,
        order=order,
        namespace=None,
        subject=subject,
        subject_origin=policy.at("spec", "subject"),
        isolates=frozenset(),
        rules=tuple(rules),
        unknown=unknown,
    )


def _listed(policy: _AdminObject, direction: Direction) -> Sequence[_AdminRule]:
    return (policy.spec.ingress if direction is Direction.INGRESS else policy.spec.egress) or ()


def _subject(subject: PolicySubject | None) -> Predicate:
    if subject is None or (subject.namespaces is None) == (subject.pods is None):
        raise UntranslatableError("the subject needs exactly one of namespaces and pods")
    if subject.namespaces is not None:
        return pods_in(select(subject.namespaces, Scope.NAMESPACE))
    assert subject.pods is not None
    return _pods(subject.pods)


def _pods(pods: NamespacedPod) -> Predicate:
    """Both selectors are required by the CRD and no pointers in the type: to an engine that gets the object all the
    same, one that is absent is empty, and an empty one takes everything."""
    spaces = TRUE if pods.namespace_selector is None else select(pods.namespace_selector, Scope.NAMESPACE)
    return pods_in(spaces, TRUE if pods.pod_selector is None else select(pods.pod_selector))


def _rule(
    policy: _AdminObject,
    tier: Tier,
    order: Order,
    direction: Direction,
    index: int,
    rule: _AdminRule,
    subject: Predicate,
    actions: set[str],
    readings: Readings,
) -> Rule:
    if rule.action not in actions:
        raise UntranslatableError(f"unknown action {rule.action!r}")
    action = _ACTIONS[rule.action]
    path: Path = ("spec", direction.value, index)
    if isinstance(rule, AdminNetworkPolicyIngressRule | ClusterNetworkPolicyIngressRule):
        listed, field = rule.from_ or (), "from"
    else:
        listed, field = rule.to or (), "to"
    peers = tuple(
        Peer(_peer(peer, action, readings), Place(policy, (*path, field, place))) for place, peer in enumerate(listed)
    )
    if isinstance(rule, AdminNetworkPolicyIngressRule | AdminNetworkPolicyEgressRule):
        ports_field, entries = "ports", [_admin_port(port) for port in rule.ports or ()]
    else:
        ports_field, entries = "protocols", [_cluster_port(entry) for entry in rule.protocols or ()]
    ports = tuple(Ports(entry, Place(policy, (*path, ports_field, place))) for place, entry in enumerate(entries))
    return Rule(
        policy=policy,
        tier=tier.name,
        order=order,
        direction=direction,
        subject=subject,
        action=action,
        peers=peers,
        ports=ports or None,
        origin=Place(policy, path),
        name=rule.name,
    )


def _peer(peer: AdminPolicyPeer, action: Action, readings: Readings) -> Predicate:
    if peer.namespaces is not None:
        return pods_in(select(peer.namespaces, Scope.NAMESPACE))
    if peer.pods is not None:
        return _pods(peer.pods)
    if peer.nodes is not None:
        return all_of(NODES, select(peer.nodes, Scope.NODE))
    if peer.networks:
        held = AddressSet()
        for network in peer.networks:
            held |= block(network)
        return networks(held, readings)
    if peer.domain_names:
        names = " or ".join(sorted(peer.domain_names))
        return all_of(OfKind({EndpointKind.EXTERNAL}), Assumption(f"the address belongs to {names}", shared=False))
    # A peer of a kind that is not known fails closed: nobody is allowed by it, everybody is denied (API comment).
    return FALSE if action is Action.ALLOW else TRUE


def _admin_port(port: AdminNetworkPolicyPort) -> PortSet:
    given = [each for each in (port.port_number, port.port_range, port.named_port) if each is not None]
    if len(given) != 1:
        raise UntranslatableError("a port needs exactly one of portNumber, portRange and namedPort")
    if port.named_port is not None:
        return PortSet(named=frozenset({NamedPort(port.named_port, None)}))
    if port.port_range is not None:
        held = port.port_range
        if held.start is None or held.end is None:
            raise UntranslatableError("a portRange needs start and end")
        return PortSet(port_range(held.protocol or "TCP", held.start, held.end))
    assert port.port_number is not None
    if port.port_number.port is None:
        raise UntranslatableError("a portNumber needs a port")
    return PortSet(port_range(port.port_number.protocol or "TCP", port.port_number.port))


def _cluster_port(entry: ClusterNetworkPolicyProtocol) -> PortSet:
    given: list[tuple[str, ProtocolPorts]] = [
        (protocol, held)
        for protocol, held in (("TCP", entry.tcp), ("UDP", entry.udp), ("SCTP", entry.sctp))
        if held is not None
    ]
    if len(given) + (entry.destination_named_port is not None) != 1:
        raise UntranslatableError("a protocol entry needs exactly one of tcp, udp, sctp and destinationNamedPort")
    if entry.destination_named_port is not None:
        return PortSet(named=frozenset({NamedPort(entry.destination_named_port, None)}))
    protocol, held = given[0]
    port = held.destination_port
    if port is None or (port.number is None) == (port.range is None):
        raise UntranslatableError(f"{protocol.lower()} needs a destinationPort with either a number or a range")
    if port.number is not None:
        return PortSet(port_range(protocol, port.number))
    assert port.range is not None
    if port.range.start is None or port.range.end is None:
        raise UntranslatableError("a range needs start and end")
    return PortSet(port_range(protocol, port.range.start, port.range.end))
