"""policy.networking.k8s.io (the CustomResourceDefinitions of network-policy-api v0.1 and v0.2).

A CustomResourceDefinition does not look into label selectors, so neither do these checks, but for one thing: the first
versions of v1alpha1 wrapped the selector of `namespaces`, or had sameLabels and notSameLabels in its place. Read as a
selector, that is an empty one, and takes every namespace.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from netlint.findings import Path
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
)
from netlint.resources.typing import lookup
from netlint.resources.validation.ports import check_protocol
from netlint.resources.validation.text import cidr, port_number
from netlint.resources.values import FieldProblem, quoted

_Rule = (
    AdminNetworkPolicyIngressRule
    | AdminNetworkPolicyEgressRule
    | ClusterNetworkPolicyIngressRule
    | ClusterNetworkPolicyEgressRule
)


def check_admin_policy(policy: AdminNetworkPolicy) -> Iterator[FieldProblem]:
    """AdminNetworkPolicy v1alpha1."""
    yield from _check_priority(policy.spec.priority)
    yield from _check_subject(policy.spec.subject, policy.manifest.raw)
    yield from _check_rules("ingress", policy.spec.ingress, ("Allow", "Deny", "Pass"), 100, policy.manifest.raw)
    yield from _check_rules("egress", policy.spec.egress, ("Allow", "Deny", "Pass"), 100, policy.manifest.raw)


def check_baseline_policy(policy: BaselineAdminNetworkPolicy) -> Iterator[FieldProblem]:
    """BaselineAdminNetworkPolicy v1alpha1."""
    if policy.metadata.name is not None and policy.metadata.name != "default":
        yield FieldProblem(
            ("metadata", "name"), f"a BaselineAdminNetworkPolicy must be named default, is {quoted(policy.name)}"
        )
    yield from _check_subject(policy.spec.subject, policy.manifest.raw)
    yield from _check_rules("ingress", policy.spec.ingress, ("Allow", "Deny"), 100, policy.manifest.raw)
    yield from _check_rules("egress", policy.spec.egress, ("Allow", "Deny"), 100, policy.manifest.raw)


def check_cluster_policy(policy: ClusterNetworkPolicy) -> Iterator[FieldProblem]:
    """ClusterNetworkPolicy v1alpha2."""
    spec = policy.spec
    if spec.tier not in {"Admin", "Baseline"}:
        said = (
            "must be set, to Admin or Baseline" if spec.tier is None else f"must be Admin or Baseline, is {spec.tier}"
        )
        yield FieldProblem(("spec", "tier"), said)
    yield from _check_priority(spec.priority)
    yield from _check_subject(spec.subject, policy.manifest.raw)
    yield from _check_rules("ingress", spec.ingress, ("Accept", "Deny", "Pass"), 25, policy.manifest.raw)
    yield from _check_rules("egress", spec.egress, ("Accept", "Deny", "Pass"), 25, policy.manifest.raw)


def _check_priority(priority: int | None) -> Iterator[FieldProblem]:
    path = ("spec", "priority")
    if priority is None:
        yield FieldProblem(path, "must be set, between 0 and 1000")
    elif not 0 <= priority <= 1000:
        yield FieldProblem(path, f"{priority} must be between 0 and 1000")


def _check_subject(subject: PolicySubject | None, raw: Any) -> Iterator[FieldProblem]:
    path = ("spec", "subject")
    if subject is None:
        yield FieldProblem(path, "must be set")
    elif (subject.namespaces is None) == (subject.pods is None):
        yield FieldProblem(path, "must hold exactly one of namespaces and pods")
    else:
        yield from _check_pods((*path, "pods"), subject.pods, raw)


def _check_pods(path: Path, pods: NamespacedPod | None, raw: Any) -> Iterator[FieldProblem]:
    if pods is None:
        return
    if pods.namespace_selector is None and "namespaces" in (lookup(raw, path) or ()):
        yield FieldProblem((*path, "namespaceSelector"), "must be set", "write the selector of namespaces here")
        return
    for name, selector in (("namespaceSelector", pods.namespace_selector), ("podSelector", pods.pod_selector)):
        if selector is None:
            # Every reader takes a missing selector for an empty one, so the object is not unreadable for it.
            yield FieldProblem((*path, name), "must be set", "write {} to select everything", severity_hint="warning")


def _check_rules(
    direction: str, rules: Sequence[_Rule] | None, actions: tuple[str, ...], most: int, raw: Any
) -> Iterator[FieldProblem]:
    if rules is not None and len(rules) > most:
        yield FieldProblem(("spec", direction), f"must hold no more than {most} rules, holds {len(rules)}")
    for index, rule in enumerate(rules or ()):
        here: Path = ("spec", direction, index)
        if rule.action not in actions:
            meant = next((known for known in actions if known.lower() == (rule.action or "").lower()), None)
            yield FieldProblem(
                (*here, "action"),
                f"must be one of {', '.join(actions)}, {_said(rule.action)}",
                f"write {meant}" if meant else None,
            )
        if rule.name is not None and len(rule.name) > 100:
            yield FieldProblem((*here, "name"), "must be no more than 100 characters")
        yield from _check_rule_peers(here, rule, most, raw)
        if isinstance(rule, AdminNetworkPolicyIngressRule | AdminNetworkPolicyEgressRule):
            for place, port in enumerate(rule.ports or ()):
                yield from _check_port((*here, "ports", place), port)
        else:
            for place, protocol in enumerate(rule.protocols or ()):
                yield from _check_cluster_protocol((*here, "protocols", place), protocol)


def _check_rule_peers(path: Path, rule: _Rule, most: int, raw: Any) -> Iterator[FieldProblem]:
    egress = isinstance(rule, AdminNetworkPolicyEgressRule | ClusterNetworkPolicyEgressRule)
    here = (*path, "to" if egress else "from")
    peers = rule.to if isinstance(rule, AdminNetworkPolicyEgressRule | ClusterNetworkPolicyEgressRule) else rule.from_
    if not peers:
        yield FieldProblem(here, "must hold at least one peer")
        return
    if len(peers) > most:
        yield FieldProblem(here, f"must hold no more than {most} peers, holds {len(peers)}")
    named = _uses_named_port(rule)
    for index, peer in enumerate(peers):
        given = _given(peer)
        legal = [name for name in given if egress or name in {"namespaces", "pods"}]
        if len(given) != 1:
            yield FieldProblem((*here, index), "must hold exactly one kind of peer")
        elif not legal:
            yield FieldProblem((*here, index, given[0]), "must not be used as a peer of ingress")
        elif given[0] not in {"namespaces", "pods"} and named:
            yield FieldProblem((*here, index, given[0]), "must not be used in a rule with a named port")
        if isinstance(rule, AdminNetworkPolicyIngressRule | AdminNetworkPolicyEgressRule):
            yield from _check_namespaces((*here, index, "namespaces"), raw)
        yield from _check_pods((*here, index, "pods"), peer.pods, raw)
        for place, text in enumerate(peer.networks or ()):
            if wrong := cidr(text):
                yield FieldProblem((*here, index, "networks", place), f"{quoted(text)} {wrong}")
        if peer.networks is not None and len(peer.networks) > 25:
            yield FieldProblem((*here, index, "networks"), "must hold no more than 25 ranges")


def _check_namespaces(path: Path, raw: Any) -> Iterator[FieldProblem]:
    """The forms of early v1alpha1, which later ones do not have. For ClusterNetworkPolicy they are unknown fields."""
    for key in lookup(raw, path) or ():
        if key == "namespaceSelector":
            hint = "write its matchLabels and matchExpressions directly under namespaces"
            yield FieldProblem((*path, key), "is no field of namespaces, which is a label selector itself", hint)
        elif key not in ("matchLabels", "matchExpressions"):
            yield FieldProblem((*path, key), "is no field of namespaces, which is a label selector")


def _given(peer: AdminPolicyPeer) -> list[str]:
    values = {
        "namespaces": peer.namespaces,
        "pods": peer.pods,
        "nodes": peer.nodes,
        "networks": peer.networks,
        "domainNames": peer.domain_names,
    }
    return [name for name, value in values.items() if value is not None]


def _uses_named_port(rule: _Rule) -> bool:
    if isinstance(rule, AdminNetworkPolicyIngressRule | AdminNetworkPolicyEgressRule):
        return any(port.named_port is not None for port in rule.ports or ())
    return any(protocol.destination_named_port is not None for protocol in rule.protocols or ())


def _check_port(path: Path, port: AdminNetworkPolicyPort) -> Iterator[FieldProblem]:
    if [port.port_number, port.named_port, port.port_range].count(None) != 2:
        yield FieldProblem(path, "must hold exactly one of portNumber, namedPort and portRange")
    if port.port_number is not None:
        here = (*path, "portNumber")
        yield from check_protocol((*here, "protocol"), port.port_number.protocol)
        if port.port_number.port is None:
            yield FieldProblem((*here, "port"), "must be set")
        elif wrong := port_number(port.port_number.port):
            yield FieldProblem((*here, "port"), f"{port.port_number.port} {wrong}")
    if port.port_range is not None:
        yield from check_protocol((*path, "portRange", "protocol"), port.port_range.protocol)
        yield from _check_range((*path, "portRange"), port.port_range.start, port.port_range.end, empty=True)


def _said(value: str | None) -> str:
    return "is not set" if value is None else f"is {quoted(value)}"


def _check_range(path: Path, start: int | None, end: int | None, empty: bool = False) -> Iterator[FieldProblem]:
    """Both ends, and their order; the definition of v1alpha1 asks for it in words and admits an `empty` range."""
    for name, value in (("start", start), ("end", end)):
        if value is None:
            yield FieldProblem((*path, name), "must be set")
        elif wrong := port_number(value):
            yield FieldProblem((*path, name), f"{value} {wrong}")
    if start is not None and end is not None and (start > end if empty else start >= end):
        yield FieldProblem(
            (*path, "end"),
            f"{end} must be greater than start {start}",
            severity_hint="warning" if empty else "error",
        )


def _check_cluster_protocol(path: Path, protocol: ClusterNetworkPolicyProtocol) -> Iterator[FieldProblem]:
    given = [
        (name, value)
        for name, value in (("tcp", protocol.tcp), ("udp", protocol.udp), ("sctp", protocol.sctp))
        if value is not None
    ]
    if len(given) + (protocol.destination_named_port is not None) != 1:
        yield FieldProblem(path, "must hold exactly one of tcp, udp, sctp and destinationNamedPort")
    for name, value in given:
        here = (*path, name)
        port = value.destination_port
        if port is None:
            yield FieldProblem(here, "must hold destinationPort", "leave protocols out to match all ports")
            continue
        here = (*here, "destinationPort")
        if (port.number is None) == (port.range is None):
            yield FieldProblem(here, "must hold exactly one of number and range")
        if port.number is not None and (wrong := port_number(port.number)):
            yield FieldProblem((*here, "number"), f"{port.number} {wrong}")
        if port.range is not None:
            yield from _check_range((*here, "range"), port.range.start, port.range.end)
