"""Pod specs and pod templates (kubernetes `pkg/apis/core/validation` ValidatePodSpec).

A template without an image in some container is taken for a patch: what it lacks is not said.
"""

from collections.abc import Iterator
from typing import Any

from netlint.findings import Path
from netlint.resources.pod import Affinity, Container, EnvVar, PodSpec, Probe, Toleration, TopologySpreadConstraint
from netlint.resources.validation.ports import check_port, check_protocol
from netlint.resources.validation.selectors import (
    NODE_OPERATORS,
    check_labels,
    check_requirement,
    check_selector,
)
from netlint.resources.validation.text import dns_label, ip_address, port_name, port_number, quantity
from netlint.resources.values import FieldProblem, quoted

_DNS_POLICIES = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def check_pod_spec(path: Path, spec: PodSpec, restart: tuple[str, ...] = ()) -> Iterator[FieldProblem]:
    """Everything that the API server refuses; `restart` are the restart policies that the workload's kind allows."""
    containers = [(("containers", i), c) for i, c in enumerate(spec.containers or ())]
    containers += [(("initContainers", i), c) for i, c in enumerate(spec.init_containers or ())]
    partial = any(container.image is None for _, container in containers)
    names: set[str] = set()
    host_ports: set[tuple[str, str, int]] = set()
    for place, container in containers:
        here = (*path, *place)
        if container.name:
            if wrong := dns_label(container.name):
                yield FieldProblem((*here, "name"), f"the container name {quoted(container.name)} {wrong}")
            elif container.name in names:
                yield FieldProblem(
                    (*here, "name"), f"the container name {quoted(container.name)} stands twice in the pod"
                )
            names.add(container.name)
        sidecar = place[0] == "initContainers" and container.restart_policy == "Always"
        claims = None if place[0] == "initContainers" and not sidecar else host_ports
        yield from _check_ports(here, container, bool(spec.host_network), claims)
        yield from _check_container(here, container, partial)
    yield from _check_choices(path, spec, restart)
    yield from check_labels((*path, "nodeSelector"), spec.node_selector)
    for index, toleration in enumerate(spec.tolerations or ()):
        yield from _check_toleration((*path, "tolerations", index), toleration)
    for index, constraint in enumerate(spec.topology_spread_constraints or ()):
        yield from _check_spread((*path, "topologySpreadConstraints", index), constraint)
    if spec.affinity is not None:
        yield from _check_affinity((*path, "affinity"), spec.affinity)


def _check_ports(
    path: Path, container: Container, host_network: bool, claims: set[tuple[str, str, int]] | None
) -> Iterator[FieldProblem]:
    names: set[str] = set()
    for index, port in enumerate(container.ports or ()):
        here = (*path, "ports", index)
        if port.name:
            if wrong := port_name(port.name):
                yield FieldProblem((*here, "name"), f"the port name {quoted(port.name)} {wrong}")
            elif port.name in names:
                yield FieldProblem((*here, "name"), f"the port name {quoted(port.name)} stands twice in the container")
            names.add(port.name)
        yield from check_protocol((*here, "protocol"), port.protocol)
        if port.container_port is None:
            yield FieldProblem((*here, "containerPort"), "must be set")
            continue
        if wrong := port_number(port.container_port):
            yield FieldProblem((*here, "containerPort"), f"{port.container_port} {wrong}")
        if not port.host_port:
            continue
        if wrong := port_number(port.host_port):
            yield FieldProblem((*here, "hostPort"), f"{port.host_port} {wrong}")
        elif host_network and port.host_port != port.container_port:
            yield FieldProblem(
                (*here, "hostPort"),
                f"{port.host_port} must be the same as containerPort {port.container_port} in a pod with hostNetwork",
            )
        claim = (port.host_ip or "", port.protocol or "TCP", port.host_port)
        if claims is not None:
            if claim in claims:
                yield FieldProblem((*here, "hostPort"), f"{claim[1]} host port {claim[2]} stands twice in the pod")
            claims.add(claim)


def _check_container(path: Path, container: Container, partial: bool) -> Iterator[FieldProblem]:
    for name, probe in (
        ("livenessProbe", container.liveness_probe),
        ("readinessProbe", container.readiness_probe),
        ("startupProbe", container.startup_probe),
    ):
        if probe is not None:
            yield from _check_probe((*path, name), probe, partial)
    for index, variable in enumerate(container.env or ()):
        yield from _check_variable((*path, "env", index), variable)
    if container.resources is not None:
        for field, amounts in (("requests", container.resources.requests), ("limits", container.resources.limits)):
            yield from _check_quantities((*path, "resources", field), amounts)


def _check_probe(path: Path, probe: Probe, partial: bool) -> Iterator[FieldProblem]:
    given = [
        name
        for name, handler in (
            ("httpGet", probe.http_get),
            ("tcpSocket", probe.tcp_socket),
            ("grpc", probe.grpc),
            ("exec", probe.exec),
        )
        if handler is not None
    ]
    if len(given) > 1:
        yield FieldProblem(path, f"must hold one way to probe, holds {' and '.join(given)}")
    elif not given and not partial:
        yield FieldProblem(path, "must hold httpGet, tcpSocket, grpc or exec")
    if probe.http_get is not None:
        here = (*path, "httpGet")
        if probe.http_get.port is not None:
            yield from check_port((*here, "port"), probe.http_get.port)
        elif not partial:
            yield FieldProblem((*here, "port"), "must be set")
        if probe.http_get.scheme not in {None, "", "HTTP", "HTTPS"}:
            yield FieldProblem((*here, "scheme"), f"must be HTTP or HTTPS, is {quoted(probe.http_get.scheme or '')}")
    if probe.tcp_socket is not None and probe.tcp_socket.port is not None:
        yield from check_port((*path, "tcpSocket", "port"), probe.tcp_socket.port)
    if probe.grpc is not None and probe.grpc.port is not None and (wrong := port_number(probe.grpc.port)):
        yield FieldProblem((*path, "grpc", "port"), f"{probe.grpc.port} {wrong}")


def _check_variable(path: Path, variable: EnvVar) -> Iterator[FieldProblem]:
    if not variable.name:
        yield FieldProblem((*path, "name"), "must be set")
    elif "=" in variable.name:
        yield FieldProblem((*path, "name"), f"the variable name {quoted(variable.name)} must not hold '='")
    if variable.value and variable.value_from is not None:
        yield FieldProblem((*path, "valueFrom"), "must not be set beside value")


def _check_quantities(path: Path, amounts: dict[str, Any] | None) -> Iterator[FieldProblem]:
    for name, amount in (amounts or {}).items():
        if isinstance(amount, str) and (wrong := quantity(amount)):
            yield FieldProblem((*path, name), f"{quoted(amount)} {wrong}")
        elif str(amount).startswith("-"):
            yield FieldProblem((*path, name), f"{amount} must not be negative")


def _check_choices(path: Path, spec: PodSpec, restart: tuple[str, ...]) -> Iterator[FieldProblem]:
    if spec.dns_policy and spec.dns_policy not in _DNS_POLICIES:
        meant = next((known for known in _DNS_POLICIES if known.lower() == spec.dns_policy.lower()), None)
        yield FieldProblem(
            (*path, "dnsPolicy"),
            f"must be one of {', '.join(_DNS_POLICIES)}, is {quoted(spec.dns_policy)}",
            f"write {meant}" if meant else None,
        )
    allowed = restart or ("Always", "OnFailure", "Never")
    if spec.restart_policy and spec.restart_policy not in allowed:
        yield FieldProblem(
            (*path, "restartPolicy"), f"must be {' or '.join(allowed)} here, is {quoted(spec.restart_policy)}"
        )
    for name, value in (("hostname", spec.hostname), ("subdomain", spec.subdomain)):
        if value and (wrong := dns_label(value)):
            yield FieldProblem((*path, name), f"{quoted(value)} {wrong}")
    servers = spec.dns_config.nameservers or [] if spec.dns_config is not None else []
    for index, server in enumerate(servers):
        if wrong := ip_address(server):
            yield FieldProblem((*path, "dnsConfig", "nameservers", index), f"{quoted(server)} {wrong}")
    if len(servers) > 3:
        yield FieldProblem((*path, "dnsConfig", "nameservers"), f"must hold no more than 3, holds {len(servers)}")
    if spec.dns_policy == "None" and not servers:
        yield FieldProblem((*path, "dnsPolicy"), "must not be None without a nameserver in dnsConfig")
    for index, alias in enumerate(spec.host_aliases or ()):
        if alias.ip is not None and (wrong := ip_address(alias.ip)):
            yield FieldProblem((*path, "hostAliases", index, "ip"), f"{quoted(alias.ip)} {wrong}")


def _check_toleration(path: Path, toleration: Toleration) -> Iterator[FieldProblem]:
    operator = toleration.operator or "Equal"
    if operator not in {"Equal", "Exists", "Lt", "Gt"}:
        meant = operator.capitalize()
        hint = f"write {meant}" if meant in {"Equal", "Exists"} else None
        yield FieldProblem((*path, "operator"), f"must be Exists or Equal, is {quoted(operator)}", hint)
    elif not toleration.key and operator == "Equal":
        yield FieldProblem((*path, "operator"), "must be Exists where no key is given")
    elif operator == "Exists" and toleration.value:
        yield FieldProblem((*path, "value"), "must be empty for the operator Exists")
    if toleration.effect and toleration.effect not in _EFFECTS:
        yield FieldProblem((*path, "effect"), f"must be one of {', '.join(_EFFECTS)}, is {quoted(toleration.effect)}")


def _check_spread(path: Path, constraint: TopologySpreadConstraint) -> Iterator[FieldProblem]:
    if constraint.max_skew is not None and constraint.max_skew < 1:
        yield FieldProblem((*path, "maxSkew"), f"{constraint.max_skew} must be greater than 0")
    when = constraint.when_unsatisfiable
    if when and when not in {"DoNotSchedule", "ScheduleAnyway"}:
        yield FieldProblem((*path, "whenUnsatisfiable"), f"must be DoNotSchedule or ScheduleAnyway, is {quoted(when)}")
    if constraint.min_domains is not None:
        if constraint.min_domains < 1:
            yield FieldProblem((*path, "minDomains"), f"{constraint.min_domains} must be greater than 0")
        elif when == "ScheduleAnyway":
            yield FieldProblem((*path, "minDomains"), "must not be set with whenUnsatisfiable ScheduleAnyway")
    yield from check_selector((*path, "labelSelector"), constraint.label_selector)


def _check_affinity(path: Path, affinity: Affinity) -> Iterator[FieldProblem]:
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    node = (
        affinity.node_affinity.required_during_scheduling_ignored_during_execution if affinity.node_affinity else None
    )
    if node is not None:
        here = (*path, "nodeAffinity", required, "nodeSelectorTerms")
        if not node.node_selector_terms:
            yield FieldProblem(here, "must hold at least one term")
        for index, term in enumerate(node.node_selector_terms or ()):
            for place, requirement in enumerate(term.match_expressions or ()):
                yield from check_requirement((*here, index, "matchExpressions", place), requirement, NODE_OPERATORS)
    for name, pods in (("podAffinity", affinity.pod_affinity), ("podAntiAffinity", affinity.pod_anti_affinity)):
        terms = pods.required_during_scheduling_ignored_during_execution if pods is not None else None
        for index, entry in enumerate(terms or ()):
            here = (*path, name, required, index)
            if not entry.topology_key:
                yield FieldProblem((*here, "topologyKey"), "must be set")
            yield from check_selector((*here, "labelSelector"), entry.label_selector)
            yield from check_selector((*here, "namespaceSelector"), entry.namespace_selector)
