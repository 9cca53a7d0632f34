"""core/v1 Service (kubernetes `pkg/apis/core/validation` ValidateService)."""

from collections.abc import Iterator

from netlint.findings import Path
from netlint.resources.core import Service, ServicePort, ServiceSpec
from netlint.resources.validation.network_policy import check_cidr
from netlint.resources.validation.ports import check_port, check_protocol
from netlint.resources.validation.selectors import check_labels
from netlint.resources.validation.text import dns_label, dns_subdomain, ip_address, parse_ip, port_number
from netlint.resources.values import FieldProblem, quoted

_TYPES = ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName")


def check_service(service: Service) -> Iterator[FieldProblem]:
    """Everything that the API server refuses in the spec. A missing `ports` is not said: it may be a patch."""
    spec = service.spec
    if spec.type is not None and spec.type not in _TYPES:
        meant = next((known for known in _TYPES if known.lower() == spec.type.lower()), None)
        yield FieldProblem(
            ("spec", "type"),
            f"must be one of {', '.join(_TYPES)}, is {quoted(spec.type)}",
            f"write {meant}" if meant else None,
        )
        # What else is right depends on the type, but for these.
        yield from check_labels(("spec", "selector"), spec.selector)
        yield from _check_ports(spec)
        return
    yield from check_labels(("spec", "selector"), spec.selector)
    yield from _check_ports(spec)
    yield from _check_cluster_ip(spec)
    yield from _check_external_name(spec)
    yield from _check_load_balancer(spec)
    yield from _check_policies(spec)
    yield from _check_families(spec)


def _check_ports(spec: ServiceSpec) -> Iterator[FieldProblem]:
    ports = spec.ports or []
    names: dict[str, int] = {}
    numbers: set[tuple[str, int]] = set()
    node_ports: set[tuple[str, int]] = set()
    for index, port in enumerate(ports):
        here: Path = ("spec", "ports", index)
        protocol = port.protocol or "TCP"
        yield from _check_name(here, port, len(ports), names)
        names.setdefault(port.name or "", index)
        yield from check_protocol((*here, "protocol"), port.protocol)
        if port.port is None:
            yield FieldProblem((*here, "port"), "must be set")
        elif wrong := port_number(port.port):
            yield FieldProblem((*here, "port"), f"{port.port} {wrong}")
        elif (protocol, port.port) in numbers:
            yield FieldProblem((*here, "port"), f"{protocol} port {port.port} stands twice in this Service")
        else:
            numbers.add((protocol, port.port))
        if port.target_port is not None and port.target_port not in (0, ""):
            yield from check_port((*here, "targetPort"), port.target_port)
        if not port.node_port:
            continue
        if spec.type in {None, "ClusterIP", "ExternalName"}:
            kind = spec.type or "ClusterIP, which is what it is without a type"
            yield FieldProblem((*here, "nodePort"), f"must not be set in a Service of type {kind}")
        elif wrong := port_number(port.node_port):
            yield FieldProblem((*here, "nodePort"), f"{port.node_port} {wrong}")
        elif (protocol, port.node_port) in node_ports:
            yield FieldProblem((*here, "nodePort"), f"{protocol} node port {port.node_port} stands twice")
        else:
            node_ports.add((protocol, port.node_port))


def _check_name(path: Path, port: ServicePort, count: int, names: dict[str, int]) -> Iterator[FieldProblem]:
    if not port.name:
        if count > 1:
            yield FieldProblem((*path, "name"), "must be set where a Service has more than one port")
    elif wrong := dns_label(port.name):
        yield FieldProblem((*path, "name"), f"the port name {quoted(port.name)} {wrong}")
    elif port.name in names:
        yield FieldProblem((*path, "name"), f"{quoted(port.name)} is already the name of ports[{names[port.name]}]")


def _check_cluster_ip(spec: ServiceSpec) -> Iterator[FieldProblem]:
    address = spec.cluster_ip
    if spec.type == "ExternalName":
        if address:
            yield FieldProblem(("spec", "clusterIP"), "must not be set in a Service of type ExternalName")
        return
    if address == "None":
        if spec.type in {"NodePort", "LoadBalancer"}:
            yield FieldProblem(("spec", "clusterIP"), f"must not be None in a Service of type {spec.type}")
    elif address and (wrong := ip_address(address)):
        yield FieldProblem(("spec", "clusterIP"), f"{quoted(address)} {wrong}, empty or None")
    addresses = spec.cluster_ips or []
    if len(addresses) > 2:
        yield FieldProblem(("spec", "clusterIPs"), "must hold no more than two addresses, one a family")
    if address and addresses and addresses[0] != address:
        yield FieldProblem(("spec", "clusterIPs", 0), f"must be the same as clusterIP, {address}")
    for index, text in enumerate(addresses):
        if text != "None" and text and (wrong := ip_address(text)):
            yield FieldProblem(("spec", "clusterIPs", index), f"{quoted(text)} {wrong}")
    for index, text in enumerate(spec.external_ips or ()):
        here = ("spec", "externalIPs", index)
        parsed = parse_ip(text)
        if parsed is None:
            yield FieldProblem(here, f"{quoted(text)} must be an IP address")
        elif parsed.is_loopback or parsed.is_unspecified or parsed.is_link_local:
            yield FieldProblem(here, f"{quoted(text)} must not be an unspecified, loopback or link-local address")


def _check_external_name(spec: ServiceSpec) -> Iterator[FieldProblem]:
    if spec.type != "ExternalName":
        return
    if not spec.external_name:
        yield FieldProblem(("spec", "externalName"), "must be set in a Service of type ExternalName")
    elif wrong := dns_subdomain(spec.external_name.removesuffix(".")):
        yield FieldProblem(("spec", "externalName"), f"{quoted(spec.external_name)} {wrong}")


def _check_load_balancer(spec: ServiceSpec) -> Iterator[FieldProblem]:
    balancer = spec.type == "LoadBalancer"
    for name, value in (
        ("loadBalancerClass", spec.load_balancer_class),
        ("loadBalancerSourceRanges", spec.load_balancer_source_ranges),
        ("allocateLoadBalancerNodePorts", spec.allocate_load_balancer_node_ports),
    ):
        if not balancer and value is not None and value != []:
            yield FieldProblem(("spec", name), "must not be set in a Service that is not of type LoadBalancer")
    for index, text in enumerate(spec.load_balancer_source_ranges or ()):
        yield from check_cidr(("spec", "loadBalancerSourceRanges", index), text.strip())
    if spec.health_check_node_port:
        here = ("spec", "healthCheckNodePort")
        if not balancer or spec.external_traffic_policy != "Local":
            yield FieldProblem(here, "must not be set without type LoadBalancer and externalTrafficPolicy Local")
        elif wrong := port_number(spec.health_check_node_port):
            yield FieldProblem(here, f"{spec.health_check_node_port} {wrong}")


def _check_policies(spec: ServiceSpec) -> Iterator[FieldProblem]:
    for name, value in (
        ("externalTrafficPolicy", spec.external_traffic_policy),
        ("internalTrafficPolicy", spec.internal_traffic_policy),
    ):
        if value and value not in {"Cluster", "Local"}:
            yield FieldProblem(("spec", name), f"must be Cluster or Local, is {quoted(value)}")
    outside = spec.type in {"NodePort", "LoadBalancer"} or spec.external_ips
    if spec.external_traffic_policy and not outside:
        yield FieldProblem(
            ("spec", "externalTrafficPolicy"),
            "must not be set in a Service that is not reached from outside (NodePort, LoadBalancer or externalIPs)",
        )
    affinity, config = spec.session_affinity, spec.session_affinity_config
    if affinity and affinity not in {"None", "ClientIP"}:
        yield FieldProblem(("spec", "sessionAffinity"), f"must be None or ClientIP, is {quoted(affinity)}")
    if config is not None and affinity in {None, "", "None"}:
        yield FieldProblem(("spec", "sessionAffinityConfig"), "must not be set without sessionAffinity ClientIP")
    seconds = config.client_ip.timeout_seconds if config is not None and config.client_ip is not None else None
    if seconds is not None and not 1 <= seconds <= 86400:
        yield FieldProblem(
            ("spec", "sessionAffinityConfig", "clientIP", "timeoutSeconds"), f"{seconds} must be between 1 and 86400"
        )


def _check_families(spec: ServiceSpec) -> Iterator[FieldProblem]:
    families = spec.ip_families or []
    policies = ("SingleStack", "PreferDualStack", "RequireDualStack")
    if spec.ip_family_policy is not None and spec.ip_family_policy not in policies:
        yield FieldProblem(
            ("spec", "ipFamilyPolicy"), f"must be one of {', '.join(policies)}, is {quoted(spec.ip_family_policy)}"
        )
    if spec.type == "ExternalName":
        for name, value in (("ipFamilies", families), ("ipFamilyPolicy", spec.ip_family_policy)):
            if value:
                yield FieldProblem(("spec", name), "must not be set in a Service of type ExternalName")
        return
    for index, family in enumerate(families):
        here = ("spec", "ipFamilies", index)
        if family not in {"IPv4", "IPv6"}:
            yield FieldProblem(here, f"must be IPv4 or IPv6, is {quoted(family)}")
        elif family in families[:index]:
            yield FieldProblem(here, f"{family} stands twice")
