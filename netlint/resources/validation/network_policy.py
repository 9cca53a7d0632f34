"""networking.k8s.io NetworkPolicy (kubernetes `pkg/apis/networking/validation`)."""

from collections.abc import Iterator

from netlint.findings import Path
from netlint.resources.networking import IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort
from netlint.resources.validation.ports import check_port, check_protocol
from netlint.resources.validation.selectors import check_selector
from netlint.resources.validation.text import (
    cidr,
    parse_cidr,
    port_number,
    strict_cidr,
)
from netlint.resources.values import FieldProblem, quoted


def check_network_policy(policy: NetworkPolicy) -> Iterator[FieldProblem]:
    """Everything that the API server refuses in the spec."""
    spec = policy.spec
    yield from check_selector(("spec", "podSelector"), spec.pod_selector)
    yield from _check_types(spec.policy_types or [])
    for index, ingress in enumerate(spec.ingress or ()):
        path: Path = ("spec", "ingress", index)
        yield from _check_peers((*path, "from"), ingress.from_)
        yield from _check_ports((*path, "ports"), ingress.ports)
    for index, egress in enumerate(spec.egress or ()):
        path = ("spec", "egress", index)
        yield from _check_peers((*path, "to"), egress.to)
        yield from _check_ports((*path, "ports"), egress.ports)


def _check_types(types: list[str]) -> Iterator[FieldProblem]:
    for index, kind in enumerate(types):
        if kind not in {"Ingress", "Egress"}:
            meant = kind.capitalize()
            hint = f"write {meant}" if meant in {"Ingress", "Egress"} else None
            yield FieldProblem(("spec", "policyTypes", index), f"must be Ingress or Egress, is {quoted(kind)}", hint)
    if len(types) > 2:
        yield FieldProblem(("spec", "policyTypes"), "must hold no more than two entries")


def _check_peers(path: Path, peers: list[NetworkPolicyPeer] | None) -> Iterator[FieldProblem]:
    for index, peer in enumerate(peers or ()):
        here = (*path, index)
        if peer.ip_block is not None:
            if peer.pod_selector is not None or peer.namespace_selector is not None:
                yield FieldProblem(here, "must not hold a selector beside ipBlock; make them two peers")
            yield from _check_block((*here, "ipBlock"), peer.ip_block)
        elif peer.pod_selector is None and peer.namespace_selector is None:
            yield FieldProblem(
                here,
                "must hold podSelector, namespaceSelector or ipBlock",
                "a selector without a value is null: write {} to select everything",
            )
        yield from check_selector((*here, "podSelector"), peer.pod_selector)
        yield from check_selector((*here, "namespaceSelector"), peer.namespace_selector)


def _check_block(path: Path, block: IPBlock) -> Iterator[FieldProblem]:
    yield from check_cidr((*path, "cidr"), block.cidr)
    outer = parse_cidr(block.cidr)
    for index, text in enumerate(block.except_ or ()):
        here = (*path, "except", index)
        yield from check_cidr(here, text)
        inner = parse_cidr(text)
        if outer is None or inner is None:
            continue
        if inner.version != outer.version or not inner.subnet_of(outer):  # type: ignore[arg-type]
            yield FieldProblem(here, f"{quoted(text)} must lie inside the block's cidr {block.cidr}")
        elif inner.prefixlen == outer.prefixlen:
            yield FieldProblem(here, f"{quoted(text)} must be smaller than the block's cidr {block.cidr}")


def check_cidr(path: Path, text: str) -> Iterator[FieldProblem]:
    """A CIDR of a built-in API: an error where it is none, a warning where only newer servers refuse it."""
    if wrong := cidr(text):
        yield FieldProblem(path, f"{quoted(text)} {wrong}")
    elif wrong := strict_cidr(text):
        yield FieldProblem(
            path, f"{quoted(text)} {wrong}: refused from Kubernetes 1.36 on in new objects", severity_hint="warning"
        )


def _check_ports(path: Path, ports: list[NetworkPolicyPort] | None) -> Iterator[FieldProblem]:
    for index, port in enumerate(ports or ()):
        here = (*path, index)
        yield from check_protocol((*here, "protocol"), port.protocol)
        if port.port is not None:
            yield from check_port((*here, "port"), port.port)
        if port.end_port is None:
            continue
        if port.port is None:
            yield FieldProblem((*here, "endPort"), "must not be set without port")
        elif isinstance(port.port, str):
            yield FieldProblem((*here, "endPort"), "must not be set beside a named port")
        elif port.end_port < port.port:
            yield FieldProblem((*here, "endPort"), f"{port.end_port} must not be less than port {port.port}")
        elif wrong := port_number(port.end_port):
            yield FieldProblem((*here, "endPort"), f"{port.end_port} {wrong}")
