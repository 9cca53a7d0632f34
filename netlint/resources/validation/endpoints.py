"""core/v1 Endpoints and discovery.k8s.io EndpointSlice (kubernetes `pkg/apis/discovery/validation`)."""

import ipaddress
from collections.abc import Iterator, Sequence

from netlint.findings import Path
from netlint.resources.core import EndpointPort, Endpoints
from netlint.resources.discovery import EndpointSlice, EndpointSlicePort
from netlint.resources.validation.ports import check_protocol
from netlint.resources.validation.text import dns_label, dns_subdomain, parse_ip, port_number
from netlint.resources.values import FieldProblem, quoted


def check_endpoint_slice(obj: EndpointSlice) -> Iterator[FieldProblem]:
    """Address type, addresses and ports."""
    family = obj.address_type
    if family is not None and family not in {"IPv4", "IPv6", "FQDN"}:
        hint = "write IPv4 or IPv6" if family == "IP" else None
        yield FieldProblem(("addressType",), f"must be IPv4, IPv6 or FQDN, is {quoted(family)}", hint)
        family = None
    if obj.endpoints is not None and len(obj.endpoints) > 1000:
        yield FieldProblem(("endpoints",), f"must hold no more than 1000 endpoints, holds {len(obj.endpoints)}")
    for index, endpoint in enumerate(obj.endpoints or ()):
        here: Path = ("endpoints", index, "addresses")
        if not endpoint.addresses:
            yield FieldProblem(here, "must hold at least one address")
        elif len(endpoint.addresses) > 100:
            yield FieldProblem(here, f"must hold no more than 100 addresses, holds {len(endpoint.addresses)}")
        for place, address in enumerate(endpoint.addresses or ()):
            if family in {"IPv4", "IPv6"}:
                yield from _check_address((*here, place), address, family)
            elif family == "FQDN" and (wrong := dns_subdomain(address)):
                yield FieldProblem((*here, place), f"{quoted(address)} {wrong}")
    yield from _check_ports(("ports",), obj.ports or [], named=False)


def check_endpoints(obj: Endpoints) -> Iterator[FieldProblem]:
    """Addresses and ports of each subset."""
    for index, subset in enumerate(obj.subsets or ()):
        here: Path = ("subsets", index)
        if not subset.addresses and not subset.not_ready_addresses:
            yield FieldProblem(here, "must hold addresses or notReadyAddresses")
        for field, addresses in (
            ("addresses", subset.addresses),
            ("notReadyAddresses", subset.not_ready_addresses),
        ):
            for place, address in enumerate(addresses or ()):
                if address.ip is not None:
                    yield from _check_address((*here, field, place, "ip"), address.ip, None)
        yield from _check_ports((*here, "ports"), subset.ports or [], named=len(subset.ports or ()) > 1)


def _check_address(path: Path, text: str, family: str | None) -> Iterator[FieldProblem]:
    address = parse_ip(text)
    if address is None:
        yield FieldProblem(path, f"{quoted(text)} must be an {family or 'IP'} address")
        return
    if family is not None and f"IPv{address.version}" != family:
        yield FieldProblem(path, f"{quoted(text)} must be an {family} address, as addressType says")
    elif special := _special(address):
        yield FieldProblem(path, f"{quoted(text)} must not be {special} address")


def _special(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str | None:
    if address.is_unspecified:
        return "the unspecified"
    if address.is_loopback:
        return "a loopback"
    return "a link-local" if address.is_link_local else None


def _check_ports(path: Path, ports: Sequence[EndpointPort | EndpointSlicePort], named: bool) -> Iterator[FieldProblem]:
    names: set[str] = set()
    for index, port in enumerate(ports):
        here = (*path, index)
        name = port.name or ""
        if named and not name:
            yield FieldProblem((*here, "name"), "must be set where there is more than one port")
        elif name and (wrong := dns_label(name)):
            yield FieldProblem((*here, "name"), f"the port name {quoted(name)} {wrong}")
        elif name in names:
            yield FieldProblem((*here, "name"), f"the port name {quoted(name)} stands twice")
        names.add(name)
        yield from check_protocol((*here, "protocol"), port.protocol)
        if port.port is not None and (wrong := port_number(port.port)):
            yield FieldProblem((*here, "port"), f"{port.port} {wrong}")
