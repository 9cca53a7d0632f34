"""networking.k8s.io Ingress, IngressClass, ServiceCIDR, IPAddress (kubernetes `pkg/apis/networking/validation`)."""

import ipaddress
from collections.abc import Iterator

from netlint.findings import Path
from netlint.resources.networking import HTTPIngressPath, Ingress, IngressBackend, IngressClass, IPAddress, ServiceCIDR
from netlint.resources.validation.network_policy import check_cidr
from netlint.resources.validation.text import dns_label, dns_subdomain, parse_cidr, parse_ip, port_name, port_number
from netlint.resources.values import FieldProblem, quoted

_PATH_TYPES = ("Exact", "Prefix", "ImplementationSpecific")
_BAD_PARTS = ("//", "/./", "/../", "%2f", "%2F")
_BAD_ENDS = ("/..", "/.")


def check_ingress(ingress: Ingress) -> Iterator[FieldProblem]:
    """Hosts, paths and backends of a networking.k8s.io/v1 Ingress; nothing of older versions."""
    if ingress.api_version != "networking.k8s.io/v1":
        return
    spec = ingress.spec
    if spec.default_backend is not None:
        yield from _check_backend(("spec", "defaultBackend"), spec.default_backend)
    for index, rule in enumerate(spec.rules or ()):
        here: Path = ("spec", "rules", index)
        if rule.host:
            yield from check_host((*here, "host"), rule.host)
        if rule.http is None:
            continue
        if not rule.http.paths:
            yield FieldProblem((*here, "http", "paths"), "must hold at least one path")
        for place, entry in enumerate(rule.http.paths or ()):
            yield from _check_path((*here, "http", "paths", place), entry)
    for index, tls in enumerate(spec.tls or ()):
        for place, host in enumerate(tls.hosts or ()):
            yield from check_host(("spec", "tls", index, "hosts", place), host, address=True)


def check_host(path: Path, host: str, address: bool = False) -> Iterator[FieldProblem]:
    """A DNS name, or one whose whole first label is `*`; an IP address only where `address` says so."""
    if not address and parse_ip(host) is not None:
        yield FieldProblem(path, f"{quoted(host)} must be a DNS name, not an IP address")
    elif "*" in host:
        if not host.startswith("*.") or dns_subdomain(host[2:]):
            yield FieldProblem(path, f"{quoted(host)} must have its wildcard as the whole first label: *.example.com")
    elif wrong := dns_subdomain(host):
        yield FieldProblem(path, f"{quoted(host)} {wrong}")


def _check_path(path: Path, entry: HTTPIngressPath) -> Iterator[FieldProblem]:
    kind, text = entry.path_type, entry.path or ""
    if kind is None:
        yield FieldProblem((*path, "pathType"), f"must be set, to one of {', '.join(_PATH_TYPES)}")
    elif kind not in _PATH_TYPES:
        meant = next((known for known in _PATH_TYPES if known.lower() == kind.lower()), None)
        yield FieldProblem(
            (*path, "pathType"),
            f"must be one of {', '.join(_PATH_TYPES)}, is {quoted(kind)}",
            f"write {meant}" if meant else None,
        )
    elif kind == "ImplementationSpecific":
        if text and not text.startswith("/"):
            yield FieldProblem((*path, "path"), f"{quoted(text)} must start with '/'")
    else:
        yield from check_url_path((*path, "path"), text, kind)
    if entry.backend is None:
        yield FieldProblem((*path, "backend"), "must be set")
    else:
        yield from _check_backend((*path, "backend"), entry.backend)


def check_url_path(path: Path, text: str, kind: str) -> Iterator[FieldProblem]:
    """An absolute path without empty or dot segments, as Exact and Prefix ask for."""
    if not text.startswith("/"):
        yield FieldProblem(path, f"{quoted(text)} must start with '/' for the path type {kind}")
    for part in _BAD_PARTS:
        if part in text:
            yield FieldProblem(path, f"{quoted(text)} must not hold '{part}' for the path type {kind}")
            return
    for end in _BAD_ENDS:
        if text.endswith(end):
            yield FieldProblem(path, f"{quoted(text)} must not end with '{end}' for the path type {kind}")
            return


def _check_backend(path: Path, backend: IngressBackend) -> Iterator[FieldProblem]:
    if backend.service is not None and backend.resource is not None:
        yield FieldProblem(path, "must hold service or resource, not both")
        return
    if backend.service is None:
        if backend.resource is None and backend.service_name is None and backend.service_port is None:
            yield FieldProblem(path, "must hold service or resource")
        return
    service = backend.service
    if not service.name:
        yield FieldProblem((*path, "service", "name"), "must be set")
    elif wrong := dns_label(service.name):
        yield FieldProblem((*path, "service", "name"), f"{quoted(service.name)} {wrong}")
    here = (*path, "service", "port")
    name = service.port.name if service.port is not None else None
    number = service.port.number if service.port is not None else None
    if name and number:
        yield FieldProblem(here, "must hold name or number, not both")
    elif name:
        if wrong := port_name(name):
            hint = f"write number: {name}" if name.isdigit() else None
            yield FieldProblem((*here, "name"), f"the port name {quoted(name)} {wrong}", hint)
    elif number is None:
        yield FieldProblem(here, "must hold name or number")
    elif wrong := port_number(number):
        yield FieldProblem((*here, "number"), f"{number} {wrong}")


def check_ingress_class(obj: IngressClass) -> Iterator[FieldProblem]:
    """The controller's name."""
    controller = obj.spec.controller
    if not controller:
        return
    domain, slash, rest = controller.partition("/")
    if len(controller) > 250:
        yield FieldProblem(("spec", "controller"), "must be no more than 250 characters")
    elif not slash or not rest or dns_subdomain(domain):
        yield FieldProblem(
            ("spec", "controller"), f"{quoted(controller)} must be a domain and a path: example.com/controller"
        )


def check_service_cidr(obj: ServiceCIDR) -> Iterator[FieldProblem]:
    """One range, or one of each family."""
    ranges = obj.spec.cidrs or []
    for index, text in enumerate(ranges):
        yield from check_cidr(("spec", "cidrs", index), text)
    if len(ranges) > 2:
        yield FieldProblem(("spec", "cidrs"), f"must hold one or two ranges, holds {len(ranges)}")
    elif len(ranges) == 2:
        one, other = (parse_cidr(text) for text in ranges)
        if one is not None and other is not None and one.version == other.version:
            yield FieldProblem(("spec", "cidrs"), "must hold ranges of different families, IPv4 and IPv6")


def check_ip_address(obj: IPAddress) -> Iterator[FieldProblem]:
    """The name is an address in its canonical form."""
    try:
        canonical = str(ipaddress.ip_address(obj.name))
    except ValueError:
        yield FieldProblem(("metadata", "name"), f"{quoted(obj.name)} must be an IP address")
        return
    if canonical != obj.name:
        yield FieldProblem(("metadata", "name"), f"{quoted(obj.name)} must be written {canonical}")
