"""From a Service and its port to the pods and ports behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from netlint.cluster import Cluster, Workload
from netlint.findings import Place
from netlint.policy import PolicyAnalysis
from netlint.policy.queries.resolve import Target
from netlint.policy.queries.written import objects_of, written
from netlint.predicates import Endpoint, Scope
from netlint.resources.core import Service, ServicePort

Reason: TypeAlias = tuple[str, Place | None]
ServiceLink: TypeAlias = tuple[str, str, tuple[Reason, ...]]


@dataclass(frozen=True, slots=True)
class Hop:
    """An endpoint and the port on it at which a connection arrives; None for the port means every port."""

    endpoint: Endpoint
    port: int | str | None
    protocol: str | None


def service_hops(
    cluster: Cluster,
    policy: PolicyAnalysis,
    target: Target,
    port: int | str | None,
    protocol: str | None,
    *,
    through_slices: bool = False,
) -> tuple[list[ServiceLink], list[Hop]]:
    """The links `service` and `endpoints`, and where the connection goes on. No hop where it ends there.

    A client of a headless Service arrives at the port that it asks for. `through_slices`: the client reads the
    EndpointSlices instead of the name, as ingress controllers do, and so translates ports all the same.
    """
    service = target.service
    assert service is not None
    if service.spec.type == "ExternalName":
        place = service.at("spec", "externalName")
        return [("service", "unknown", ((f"{service.ref} stands for a name outside the cluster", place),))], []
    direct = service.spec.cluster_ip == "None" and not through_slices
    entries = _entries(service, port, protocol)
    if not entries:
        if not direct or not isinstance(port, int):
            offered = ", ".join(_text(entry) for entry in service.spec.ports or ()) or "no port"
            message = f"{service.ref} has no port {_asked(port, protocol)}; it offers {offered}"
            return [("service", "denied", ((message, service.at("spec", "ports")),))], []
        entries = [(None, ServicePort(port=port, protocol=protocol))]
    links: list[ServiceLink] = [
        ("service", "allowed", tuple(_sends(service, index, entry, direct) for index, entry in entries))
    ]
    if not service.spec.selector and objects_of(cluster, service):
        link, hops = _written(cluster, policy, service, [entry for _, entry in entries], direct)
        return [*links, link], hops
    workloads = cluster.workloads_of(service)
    if not workloads:
        links.append(_nobody(cluster, service))
        return links, []
    hops = []
    reasons: list[Reason] = []
    for workload in workloads:
        behind = _selected(service, [one for one in target.endpoints if one.source is workload])
        for index, entry in entries:
            number = entry.port if direct else target_port(workload, entry)
            if number is None:
                place = service.at("spec", "ports", *(() if index is None else (index, "targetPort")))
                reason = f"{workload.id} has no port named {entry.target_port}: it is no endpoint of this port"
                reasons.append((reason, place))
                continue
            reasons += [(f"{one.id} at port {number}/{entry.protocol or 'TCP'}", None) for one in behind]
            hops += [Hop(endpoint, number, entry.protocol or "TCP") for endpoint in behind]
    links.append(("endpoints", "allowed" if hops else "denied", tuple(reasons)))
    return links, hops


def _written(
    cluster: Cluster, policy: PolicyAnalysis, service: Service, entries: Sequence[ServicePort], direct: bool
) -> tuple[ServiceLink, list[Hop]]:
    """The endpoints that stand in the input for a Service without a selector."""
    found = list(dict.fromkeys(one for entry in entries for one in written(cluster, policy, service, entry, direct)))
    if not found:
        place = objects_of(cluster, service)[0].at()
        return ("endpoints", "denied", ((f"no endpoint of {service.ref} has this port", place),)), []
    hops = [Hop(end, one.port, one.protocol) for one in found for end in one.endpoints]
    reasons: list[Reason] = []
    for one in found:
        names = [end.id for end in one.endpoints] or [f"{one.address}, of which the input does not tell whose it is,"]
        reasons += [(f"{name} at port {one.port}/{one.protocol}", one.place) for name in names]
    known = all(one.endpoints for one in found)
    return ("endpoints", "allowed" if known else "unknown", tuple(reasons)), hops if known else []


def _sends(service: Service, index: int | None, entry: ServicePort, direct: bool) -> Reason:
    """What a Service does with one of its ports."""
    place = service.at("spec", "clusterIP") if index is None else service.at("spec", "ports", index)
    if direct:
        return f"{service.ref} is headless: its name is its pods' addresses, and ports are not translated", place
    return f"{service.ref} sends {_text(entry)} to {_target_text(entry)}", place


def _selected(service: Service, endpoints: Sequence[Endpoint]) -> list[Endpoint]:
    """The pods of one workload that a Service selects, by their own labels where several are told apart."""
    if len(endpoints) < 2:
        return list(endpoints)
    wanted = service.spec.selector or {}
    return [
        one
        for one in endpoints
        if all(one.labels.get(key) == value or not one.knows(Scope.POD, key) for key, value in wanted.items())
    ]


def target_port(workload: Workload, entry: ServicePort) -> int | None:
    """The pod's port that a Service port leads to; None where it is a name that the pod does not have."""
    target = entry.target_port if entry.target_port is not None else entry.port
    if isinstance(target, int):
        return target
    protocol = entry.protocol or "TCP"
    numbers = [one.number for one in workload.ports if one.name == target and one.protocol == protocol]
    return numbers[0] if numbers else None


def _entries(service: Service, port: int | str | None, protocol: str | None) -> list[tuple[int | None, ServicePort]]:
    return [
        (index, entry)
        for index, entry in enumerate(service.spec.ports or ())
        if (port is None or port in (entry.port, entry.name))
        and (protocol is None or protocol == (entry.protocol or "TCP"))
    ]


def _nobody(cluster: Cluster, service: Service) -> ServiceLink:
    place = service.at("spec", "selector")
    if not service.spec.selector:
        return "endpoints", "unknown", ((f"{service.ref} has no selector: its endpoints are not in the input", place),)
    closed = cluster.completeness.holds_whole(service.namespace or "default")
    message = f"{service.ref} selects no workload of the input"
    if closed:
        return "endpoints", "denied", ((message, place),)
    return "endpoints", "unknown", ((f"{message}; others may exist", place),)


def _asked(port: int | str | None, protocol: str | None) -> str:
    return "/".join(str(part) for part in (port, protocol) if part is not None)


def _text(entry: ServicePort) -> str:
    return f"{entry.port}/{entry.protocol or 'TCP'}"


def _target_text(entry: ServicePort) -> str:
    target = entry.target_port if entry.target_port is not None else entry.port
    return f"port {target}"
