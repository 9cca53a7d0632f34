"""Endpoints that a person or a program wrote for a Service without a selector (discovery/v1, core/v1 Endpoints)."""

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass

from netlint.cluster import Cluster
from netlint.findings import Place
from netlint.policy import PolicyAnalysis
from netlint.policy.queries.addresses import resolve_address
from netlint.policy.queries.expressions import ByAddress
from netlint.policy.queries.resolve import UnknownEndpointError
from netlint.predicates import Endpoint
from netlint.resources.core import Endpoints, Service, ServicePort
from netlint.resources.discovery import EndpointSlice

_SERVICE = "kubernetes.io/service-name"


@dataclass(frozen=True, slots=True)
class Written:
    """One address and port. `endpoints` is empty where the input cannot tell whose the address is."""

    address: str
    port: int
    protocol: str
    endpoints: tuple[Endpoint, ...]
    place: Place


def objects_of(cluster: Cluster, service: Service) -> tuple[EndpointSlice | Endpoints, ...]:
    """The slices that name the Service, else the Endpoints object of its name, which the server makes slices of."""
    slices = tuple(
        one
        for one in cluster.all(EndpointSlice)
        if one.namespace == service.namespace and one.labels.get(_SERVICE) == service.name
    )
    found = cluster.get(Endpoints, service.namespace, service.name)
    return slices or ((found,) if found is not None else ())


def written(
    cluster: Cluster, policy: PolicyAnalysis, service: Service, entry: ServicePort, direct: bool
) -> Iterator[Written]:
    """Where one port of the Service leads: ports go together by name, and their number stands in the slice. `direct`:
    the client asks the addresses themselves, at the port of `entry`."""
    for obj in objects_of(cluster, service):
        for address, ports, place in _addresses(obj):
            for name, number, protocol in ports:
                if direct:
                    number = entry.port
                if (direct or name == (entry.name or "")) and protocol == (entry.protocol or "TCP") and number:
                    yield Written(address, number, protocol, _owners(address, cluster, policy), place)


_Ports = list[tuple[str, int | None, str]]


def _addresses(obj: EndpointSlice | Endpoints) -> Iterator[tuple[str, _Ports, Place]]:
    """The addresses that are ready, each with the ports that go with it."""
    if isinstance(obj, Endpoints):
        for index, subset in enumerate(obj.subsets or ()):
            ports = [(port.name or "", port.port, port.protocol or "TCP") for port in subset.ports or ()]
            for number, one in enumerate(subset.addresses or ()):
                if one.ip:
                    yield one.ip, ports, obj.at("subsets", index, "addresses", number, "ip")
        return
    ports = [(port.name or "", port.port, port.protocol or "TCP") for port in obj.ports or ()]
    for index, endpoint in enumerate(obj.endpoints or ()):
        if endpoint.conditions is None or endpoint.conditions.ready is not False:
            for number, address in enumerate(endpoint.addresses or ()):
                yield address, ports, obj.at("endpoints", index, "addresses", number)


def _owners(address: str, cluster: Cluster, policy: PolicyAnalysis) -> tuple[Endpoint, ...]:
    try:
        block = str(ipaddress.ip_address(address))
        return resolve_address(ByAddress(block), cluster, policy).endpoints
    except (ValueError, UnknownEndpointError):
        return ()
