"""Routes of the Gateway API: the Services behind a Gateway, and the pods that proxy for it where the input has them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from netlint.cluster import Cluster, Workload
from netlint.findings import Path
from netlint.intent.flow import Evidence, Flow
from netlint.intent.names import ServiceNames
from netlint.intent.targets import find_port, targets
from netlint.resources.core import Service, ServicePort
from netlint.resources.gateway import (
    Gateway,
    GRPCRoute,
    HTTPRoute,
    HTTPRouteRule,
    Listener,
    ListenerSet,
    ObjectRef,
    ParentRef,
    ReferenceGrant,
    RouteBackend,
    RouteNamespaces,
    RouteRule,
    TCPRoute,
    TLSRoute,
    UDPRoute,
)

Route: TypeAlias = HTTPRoute | GRPCRoute | TLSRoute | TCPRoute | UDPRoute
_KINDS: tuple[type[Route], ...] = (HTTPRoute, GRPCRoute, TLSRoute, TCPRoute, UDPRoute)
_GROUP = "gateway.networking.k8s.io"
_PROTOCOLS = {
    "HTTPRoute": ("HTTP", "HTTPS"),
    "GRPCRoute": ("HTTP", "HTTPS"),
    "TLSRoute": ("TLS",),
    "TCPRoute": ("TCP", "TLS"),
    "UDPRoute": ("UDP",),
}
# GEP-1762: what an implementation deploys for a Gateway bears its name, in its namespace.
_NAME = "gateway.networking.k8s.io/gateway-name"
# Envoy Gateway deploys in a namespace of its own, and says whose proxy it is.
_OWNER = "gateway.envoyproxy.io/owning-gateway-name"
_OWNER_NAMESPACE = "gateway.envoyproxy.io/owning-gateway-namespace"


@dataclass(frozen=True, slots=True)
class Attached:
    """A backend of a route that a Gateway accepts, and the Service port that it means."""

    gateway: Gateway
    route: Route
    path: Path
    service: Service
    port: ServicePort


def gateway_flows(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    """The proxies of a Gateway to the backends of its routes. Nothing where no pod of the input is its proxy."""
    for found in attached(cluster, names):
        proxies = proxies_of(cluster, names, found.gateway)
        if not proxies:
            continue
        evidence = (Evidence(f"{found.route.kind} {found.route.name}", found.route.at(*found.path)),)
        for target in targets(cluster, found.service, found.port):
            for proxy in proxies:
                if proxy is not target.workload:
                    yield Flow(
                        proxy,
                        target.workload,
                        target.port,
                        target.protocol,
                        evidence,
                        "certain",
                        found.service,
                        found.port.port,
                        by_name=False,
                    )


def attached(cluster: Cluster, names: ServiceNames) -> Iterator[Attached]:
    """Every backend of a route that is a Service of the input, once for each Gateway that takes the route."""
    for kind in _KINDS:
        for route in cluster.all(kind):
            gateways = list(_gateways(cluster, route))
            for path, backend in _backends(route) if gateways else ():
                service = _service(cluster, names, route, backend)
                protocol = "UDP" if route.kind == "UDPRoute" else "TCP"
                port = find_port(service, backend.port, protocol) if service and backend.port else None
                if service is not None and port is not None:
                    for gateway in gateways:
                        yield Attached(gateway, route, path, service, port)


def _backends(route: Route) -> Iterator[tuple[Path, RouteBackend]]:
    rules: Sequence[HTTPRouteRule | RouteRule] = route.spec.rules or ()
    for index, rule in enumerate(rules):
        for number, backend in enumerate(rule.backend_refs or ()):
            if backend.weight != 0:
                yield ("spec", "rules", index, "backendRefs", number), backend


def _service(cluster: Cluster, names: ServiceNames, route: Route, backend: RouteBackend) -> Service | None:
    """The Service that a backend means; none across namespaces without the ReferenceGrant that it takes."""
    if backend.group or backend.kind not in (None, "Service") or not backend.name:
        return None
    own = route.namespace or "default"
    namespace = backend.namespace or own
    if namespace != own and not granted(cluster, route, namespace, backend.name):
        return None
    service = names.get(namespace, backend.name)
    return None if service is None or service.spec.type == "ExternalName" else service


def granted(cluster: Cluster, route: Route, namespace: str, name: str) -> bool:
    return any(
        any((f.group, f.kind, f.namespace) == (_GROUP, route.kind, route.namespace) for f in grant.spec.from_ or ())
        and any(not t.group and t.kind == "Service" and t.name in (None, "", name) for t in grant.spec.to or ())
        for grant in cluster.all(ReferenceGrant)
        if grant.namespace == namespace
    )


def _gateways(cluster: Cluster, route: Route) -> Iterator[Gateway]:
    """The Gateways of the input that take a route, each once."""
    yield from dict.fromkeys(gateway for gateway, _ in listeners_of(cluster, route))


def listeners_of(cluster: Cluster, route: Route) -> Iterator[tuple[Gateway, Listener]]:
    """The listeners that take a route, each with the Gateway that has it."""
    for parent in route.spec.parent_refs or ():
        gateway, listeners = _parent(cluster, route, parent)
        if gateway is not None:
            for listener in listeners:
                if _takes(cluster, gateway, listener, route, parent):
                    yield gateway, listener


def _parent(cluster: Cluster, route: Route, parent: ParentRef) -> tuple[Gateway | None, list[Listener]]:
    if parent.group not in (None, _GROUP):
        return None, []
    namespace = parent.namespace or route.namespace or "default"
    if parent.kind in (None, "Gateway"):
        gateway = cluster.get(Gateway, namespace, parent.name or "")
        return gateway, list(gateway.spec.listeners or ()) if gateway is not None else []
    if parent.kind == "ListenerSet":
        held = cluster.get(ListenerSet, namespace, parent.name or "")
        above = held.spec.parent_ref if held is not None else None
        if held is not None and above is not None and _accepts_set(cluster, held, above):
            gateway = cluster.get(Gateway, above.namespace or namespace, above.name or "")
            return gateway, list(held.spec.listeners or ())
    return None, []


def _accepts_set(cluster: Cluster, held: ListenerSet, above: ObjectRef) -> bool:
    """A Gateway takes no ListenerSets unless its allowedListeners say so."""
    gateway = cluster.get(Gateway, above.namespace or held.namespace, above.name or "")
    allowed = gateway.spec.allowed_listeners if gateway is not None else None
    if gateway is None or allowed is None or allowed.namespaces is None:
        return False
    return _from(cluster, allowed.namespaces, gateway.namespace, held.namespace, "None")


def _takes(cluster: Cluster, gateway: Gateway, listener: Listener, route: Route, parent: ParentRef) -> bool:
    """Whether a listener accepts a route, by its name and port, its protocol, kinds, namespaces and hostname."""
    if parent.section_name not in (None, listener.name) or parent.port not in (None, listener.port):
        return False
    if listener.protocol not in _PROTOCOLS[route.kind]:
        return False
    allowed = listener.allowed_routes
    if allowed is not None and allowed.kinds and not any(kind.kind == route.kind for kind in allowed.kinds):
        return False
    spaces = allowed.namespaces if allowed is not None and allowed.namespaces is not None else RouteNamespaces()
    if not _from(cluster, spaces, gateway.namespace, route.namespace, "Same"):
        return False
    hostnames = [] if isinstance(route, TCPRoute | UDPRoute) else route.spec.hostnames
    return not (listener.hostname and hostnames) or any(_meet(listener.hostname, name) for name in hostnames)


def _from(cluster: Cluster, spaces: RouteNamespaces, own: str | None, other: str | None, default: str) -> bool:
    match spaces.from_ or default:
        case "All":
            return True
        case "Same":
            return own == other
        case "Selector" if spaces.selector is not None:
            selector = spaces.selector
            return other in cluster.labelled_namespaces.select(selector.match_labels, selector.expressions)
    return False


def _meet(one: str, other: str) -> bool:
    """Whether two hostnames have a name in common; `*.` stands for one label or more."""
    one, other = one.lower(), other.lower()
    if one == other:
        return True
    if one.startswith("*.") and other.startswith("*."):
        return one.endswith(other[1:]) or other.endswith(one[1:])
    if one.startswith("*."):
        return other.endswith(one[1:])
    return other.startswith("*.") and one.endswith(other[1:])


def proxies_of(cluster: Cluster, names: ServiceNames, gateway: Gateway) -> tuple[Workload, ...]:
    """The workloads that carry the traffic of a Gateway, by the labels that say so, or by the Service that the Gateway
    names as its address (Istio's manual deployment)."""
    own = gateway.namespace or "default"
    found = [w for w in cluster.workloads_in(own) if w.labels.get(_NAME) == gateway.name]
    found += [
        workload
        for workload in cluster.workloads
        if workload.labels.get(_OWNER) == gateway.name
        and workload.labels.get(_OWNER_NAMESPACE) == own
        and workload not in found
    ]
    for address in gateway.spec.addresses or ():
        if address.type == "Hostname" and address.value and address.value.endswith(".svc.cluster.local"):
            service = names.in_namespace(address.value, own)
            if service is not None:
                found += [workload for workload in cluster.workloads_of(service) if workload not in found]
    return tuple(found)
