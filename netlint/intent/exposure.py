"""How the internet gets to each workload: the shortest chain, through what is exposed and from pod to pod.

A chain is what could be walked, hop by hop, if every program on the way could be made to pass on a connection. It asks
the policies only, on the ports that the next pods declare.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from netlint.cluster import Cluster, Workload
from netlint.findings import Path, Place
from netlint.intent.entrances import faces_internet, let_in
from netlint.intent.flow import short
from netlint.intent.gateways import attached
from netlint.intent.names import ServiceNames
from netlint.intent.routes import ingress_backends, route_flows
from netlint.intent.targets import Target, service_ports, targets
from netlint.policy import PolicyAnalysis
from netlint.predicates import Endpoint, EndpointKind, TrafficSet
from netlint.resources.core import Service
from netlint.resources.networking import Ingress

if TYPE_CHECKING:
    import networkx

_INTERNET = "internet"


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a chain. `by` says through what the step goes, `place` where that stands."""

    source: str
    destination: str
    by: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """The shortest way from the internet to a workload."""

    workload: Workload
    hops: tuple[Hop, ...]

    def __str__(self) -> str:
        steps = [f" -> {hop.destination} ({hop.by})" for hop in self.hops]
        return "internet" + "".join(steps)


@dataclass(frozen=True, slots=True)
class _Entry:
    endpoint: Endpoint
    by: str
    place: Place


def chains(cluster: Cluster, policy: PolicyAnalysis) -> tuple[Chain, ...]:
    """The workloads that the internet gets to, with the shortest way to each, sorted by workload."""
    import networkx

    entries = {entry.endpoint.id: entry for entry in sorted(_entries(cluster, policy), key=_order, reverse=True)}
    graph: networkx.DiGraph[str | int] = networkx.DiGraph()
    graph.add_node(_INTERNET)
    for id in sorted(entries):
        graph.add_edge(_INTERNET, id)
    _add_rows(graph, policy, entries)
    paths = networkx.single_source_shortest_path(graph, _INTERNET)
    members = {each.index: each.members for each in policy.classes}
    found = []
    for workload in cluster.workloads:
        for endpoint in policy.endpoints_of(workload):
            path = paths.get(endpoint.id)
            group = policy.class_of(endpoint)
            if path is None and group is not None:
                path = paths.get(group.index)
            if path is not None:
                found.append(Chain(workload, tuple(_hops(path, endpoint, entries, members))))
                break
    return tuple(found)


def _add_rows(graph: "networkx.DiGraph[str | int]", policy: PolicyAnalysis, entries: dict[str, _Entry]) -> None:
    """The steps from pod to pod: an entry is one endpoint, all others stand for their class."""
    by_class: dict[int, list[str]] = {}
    for id, entry in sorted(entries.items()):
        group = policy.class_of(entry.endpoint)
        if group is not None:
            by_class.setdefault(group.index, []).append(id)
    for row in policy.rows():
        for cell in row.cells:
            for destination in cell.destinations:
                pods = [each for each in destination.members if isinstance(each.source, Workload)]
                if not pods or not any(_listens(each, cell.connection.allowed) for each in pods):
                    continue
                for source in row.sources:
                    if any(isinstance(each.source, Workload) for each in source.members):
                        graph.add_edge(source.index, destination.index)
                        for id in by_class.get(source.index, ()):
                            graph.add_edge(id, destination.index)


def _listens(endpoint: Endpoint, allowed: TrafficSet) -> bool:
    if not endpoint.ports:
        return bool(allowed.ports("TCP"))
    return any(allowed.contains(port.protocol, port.number) for port in endpoint.ports)


def _hops(
    path: list[str | int], last: Endpoint, entries: dict[str, _Entry], members: dict[int, tuple[Endpoint, ...]]
) -> Iterator[Hop]:
    names = [_name_of(node, entries, members) for node in path[:-1]] + [_name(last)]
    for number, node in enumerate(path[1:], 1):
        entry = entries.get(node) if isinstance(node, str) else None
        by, place = (entry.by, entry.place) if entry is not None else ("allowed by policy", None)
        yield Hop(names[number - 1], names[number], by, place)


def _name_of(node: str | int, entries: dict[str, _Entry], members: dict[int, tuple[Endpoint, ...]]) -> str:
    if isinstance(node, int):
        return _name(min(members[node], key=lambda each: each.id))
    return _name(entries[node].endpoint) if node in entries else node


def _name(endpoint: Endpoint) -> str:
    return short(endpoint.source) if isinstance(endpoint.source, Workload) else endpoint.id


def _order(entry: _Entry) -> tuple[str, str]:
    return entry.endpoint.id, entry.by


def _entries(cluster: Cluster, policy: PolicyAnalysis) -> Iterator[_Entry]:
    """What takes connections from outside, as far as policies let addresses outside in."""
    for service in cluster.all(Service):
        if faces_internet(service):
            for index, port in enumerate(service_ports(service)):
                text = f"Service {service.name} of type {service.spec.type}"
                for target in targets(cluster, service, port):
                    place = service.at("spec", "ports", index)
                    yield from _open(policy, target.workload, target.protocol, target.port, text, place)
    for workload in cluster.workloads:
        for declared in workload.ports:
            if declared.host_port is not None:
                text = f"port {declared.host_port} of its node"
                place = workload.at(*declared.path)
                yield from _open(policy, workload, declared.protocol, declared.number, text, place)
    proxies = _proxies(cluster)
    yield from _behind_ingresses(cluster, policy, proxies)
    yield from _behind_gateways(cluster, policy, proxies)


_Proxies: TypeAlias = dict[tuple[Path, int, str], list[Workload]]


def _proxies(cluster: Cluster) -> _Proxies:
    """The workloads of the input that pass connections on, by the backend (its path and object) and where it leads."""
    found: _Proxies = {}
    for flow in route_flows(cluster, ServiceNames(cluster)):
        if isinstance(flow.source, Workload):
            for evidence in flow.evidence:
                key = (evidence.place.path, id(evidence.place.source), flow.destination.id)
                found.setdefault(key, []).append(flow.source)
    return found


def _behind(policy: PolicyAnalysis, proxies: _Proxies, target: Target, text: str, place: Place) -> Iterator[_Entry]:
    controllers = proxies.get((place.path, id(place.source), target.workload.id), ())
    for endpoint in policy.endpoints_of(target.workload):
        if let_in(policy, controllers, endpoint, target.protocol, target.port):
            yield _Entry(endpoint, text, place)


def _behind_ingresses(cluster: Cluster, policy: PolicyAnalysis, proxies: _Proxies) -> Iterator[_Entry]:
    """The backends of Ingresses, whose controller passes on what comes from outside."""
    for ingress in cluster.all(Ingress):
        for path, backend in ingress_backends(ingress):
            if backend.service is None or not backend.service.name or backend.service.port is None:
                continue
            service = cluster.get(Service, ingress.namespace, backend.service.name)
            if service is None:
                continue
            wanted = backend.service.port
            for port in service_ports(service):
                if port.name == wanted.name if wanted.name else port.port == wanted.number:
                    for target in targets(cluster, service, port):
                        yield from _behind(policy, proxies, target, f"Ingress {ingress.name}", ingress.at(*path))


def _behind_gateways(cluster: Cluster, policy: PolicyAnalysis, proxies: _Proxies) -> Iterator[_Entry]:
    for found in attached(cluster, ServiceNames(cluster)):
        text = f"{found.route.kind} {found.route.name} of Gateway {found.gateway.name}"
        for target in targets(cluster, found.service, found.port):
            yield from _behind(policy, proxies, target, text, found.route.at(*found.path))


def _open(
    policy: PolicyAnalysis, workload: Workload, protocol: str, port: int, text: str, place: Place
) -> Iterator[_Entry]:
    for endpoint in policy.endpoints_of(workload):
        outside = (each for each in policy.endpoints if each.kind is EndpointKind.EXTERNAL)
        if any(policy.ingress(each, endpoint).allowed.contains(protocol, port) for each in outside):
            yield _Entry(endpoint, text, place)
