"""gateway.networking.k8s.io (the CustomResourceDefinitions of gateway-api 1.6 and their CEL rules)."""

from collections.abc import Iterator, Sequence

from netlint.findings import Path
from netlint.resources.gateway import Gateway, HTTPRoute, Listener, OtherRoute, ReferenceGrant, RouteBackend
from netlint.resources.validation.ingress import check_url_path
from netlint.resources.validation.text import port_number
from netlint.resources.values import FieldProblem, quoted

_FROM = ("All", "Selector", "Same", "None")


def check_gateway(gateway: Gateway) -> Iterator[FieldProblem]:
    """Listeners: their names, ports, TLS, and what sets one apart from another."""
    listeners = gateway.spec.listeners or []
    if len(listeners) > 64:
        yield FieldProblem(("spec", "listeners"), f"must hold no more than 64 listeners, holds {len(listeners)}")
    names: dict[str, int] = {}
    keys: dict[tuple[int, str, str], int] = {}
    for index, listener in enumerate(listeners):
        here: Path = ("spec", "listeners", index)
        if listener.name is None:
            yield FieldProblem((*here, "name"), "must be set")
        elif listener.name in names:
            yield FieldProblem(
                (*here, "name"), f"{quoted(listener.name)} is already the name of listeners[{names[listener.name]}]"
            )
        else:
            names[listener.name] = index
        yield from _check_listener(here, listener)
        if listener.port is None or listener.protocol is None:
            continue
        key = (listener.port, listener.protocol, listener.hostname or "")
        if key in keys:
            yield FieldProblem(here, f"must differ in port, protocol or hostname from listeners[{keys[key]}]")
        keys.setdefault(key, index)


def _check_listener(path: Path, listener: Listener) -> Iterator[FieldProblem]:
    protocol, tls = listener.protocol, listener.tls
    if listener.port is not None and (wrong := port_number(listener.port)):
        yield FieldProblem((*path, "port"), f"{listener.port} {wrong}")
    if listener.hostname and protocol in {"TCP", "UDP"}:
        yield FieldProblem((*path, "hostname"), f"must not be set for the protocol {protocol}")
    if tls is not None:
        mode = tls.mode or "Terminate"
        if protocol in {"HTTP", "TCP", "UDP"}:
            yield FieldProblem((*path, "tls"), f"must not be set for the protocol {protocol}")
        elif mode not in {"Terminate", "Passthrough"}:
            yield FieldProblem((*path, "tls", "mode"), f"must be Terminate or Passthrough, is {quoted(mode)}")
        elif protocol == "HTTPS" and mode != "Terminate":
            yield FieldProblem((*path, "tls", "mode"), "must be Terminate for the protocol HTTPS")
        elif mode == "Terminate" and not tls.certificate_refs and not tls.options:
            yield FieldProblem((*path, "tls"), "must hold certificateRefs or options for the mode Terminate")
    namespaces = listener.allowed_routes.namespaces if listener.allowed_routes is not None else None
    if namespaces is not None and namespaces.from_ is not None and namespaces.from_ not in _FROM:
        yield FieldProblem(
            (*path, "allowedRoutes", "namespaces", "from"),
            f"must be one of {', '.join(_FROM)}, is {quoted(namespaces.from_)}",
        )


def check_http_route(route: HTTPRoute) -> Iterator[FieldProblem]:
    """Backends, paths and the numbers of rules and matches."""
    rules = route.spec.rules or []
    if len(rules) > 16:
        yield FieldProblem(("spec", "rules"), f"must hold no more than 16 rules, holds {len(rules)}")
    for index, rule in enumerate(rules):
        here: Path = ("spec", "rules", index)
        if len(rule.matches or ()) > 64:
            yield FieldProblem((*here, "matches"), "must hold no more than 64 matches")
        for place, match in enumerate(rule.matches or ()):
            if match.path is not None:
                kind = match.path.type or "PathPrefix"
                value = (*here, "matches", place, "path", "value")
                if kind not in {"Exact", "PathPrefix", "RegularExpression"}:
                    yield FieldProblem(
                        (*here, "matches", place, "path", "type"),
                        f"must be Exact, PathPrefix or RegularExpression, is {quoted(kind)}",
                    )
                elif kind != "RegularExpression" and match.path.value is not None:
                    yield from check_url_path(value, match.path.value, kind)
        given = {entry.type for entry in rule.filters or ()}
        if {"RequestRedirect", "URLRewrite"} <= given:
            yield FieldProblem((*here, "filters"), "must not hold both RequestRedirect and URLRewrite")
        yield from _check_backends((*here, "backendRefs"), rule.backend_refs)


def check_other_route(route: OtherRoute) -> Iterator[FieldProblem]:
    """Backends of a GRPCRoute, TLSRoute, TCPRoute or UDPRoute."""
    for index, rule in enumerate(route.spec.rules or ()):
        yield from _check_backends(("spec", "rules", index, "backendRefs"), rule.backend_refs)


def _check_backends(path: Path, backends: Sequence[RouteBackend] | None) -> Iterator[FieldProblem]:
    if backends is not None and len(backends) > 16:
        yield FieldProblem(path, f"must hold no more than 16 backends, holds {len(backends)}")
    for index, backend in enumerate(backends or ()):
        here = (*path, index)
        if not backend.name:
            yield FieldProblem((*here, "name"), "must be set")
        if backend.port is None:
            if backend.kind in {None, "Service"} and not backend.group:
                yield FieldProblem((*here, "port"), "must be set for a Service")
        elif wrong := port_number(backend.port):
            yield FieldProblem((*here, "port"), f"{backend.port} {wrong}")
        if backend.weight is not None and not 0 <= backend.weight <= 1_000_000:
            yield FieldProblem((*here, "weight"), f"{backend.weight} must be between 0 and 1000000")


def check_reference_grant(grant: ReferenceGrant) -> Iterator[FieldProblem]:
    """Both lists hold something."""
    for name, entries in (("from", grant.spec.from_), ("to", grant.spec.to)):
        if entries is not None and not entries:
            yield FieldProblem(("spec", name), "must hold at least one entry")
        if entries is not None and len(entries) > 16:
            yield FieldProblem(("spec", name), f"must hold no more than 16 entries, holds {len(entries)}")
