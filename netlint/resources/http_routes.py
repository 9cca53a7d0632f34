"""Routes of other controllers: Traefik's IngressRoutes, Contour's HTTPProxy, Istio's VirtualService and Gateway."""

from typing import Any, ClassVar

from pydantic import Field

from netlint.resources.base import IntOrString, KubernetesObject, Labels, Model


class TraefikService(Model):
    """`kind` is Service where absent, else TraefikService."""

    kind: str | None = None
    namespace: str | None = None
    name: str | None = None
    port: IntOrString | None = None
    native_lb: bool | None = Field(default=None, alias="nativeLB")


class TraefikRoute(Model):
    match: str | None = None
    services: list[TraefikService] | None = None


class TraefikTLS(Model):
    secret_name: str | None = None
    cert_resolver: str | None = None


class IngressRouteSpec(Model):
    entry_points: list[str] | None = None
    routes: list[TraefikRoute] | None = None
    tls: TraefikTLS | None = None


class IngressRoute(KubernetesObject):
    """traefik.io IngressRoute (traefik.containo.us before)."""

    GROUP: ClassVar[str] = "traefik.io"

    spec: IngressRouteSpec = Field(default_factory=IngressRouteSpec)


class IngressRouteTCP(IngressRoute):
    """traefik.io IngressRouteTCP."""


class IngressRouteUDP(IngressRoute):
    """traefik.io IngressRouteUDP; its routes have no match."""


class ProxyService(Model):
    name: str | None = None
    port: int | None = None


class ProxyCondition(Model):
    prefix: str | None = None
    exact: str | None = None
    regex: str | None = None


class ProxyRoute(Model):
    conditions: list[ProxyCondition] | None = None
    services: list[ProxyService] | None = None


class ProxyInclude(Model):
    name: str | None = None
    namespace: str | None = None


class TCPProxy(Model):
    services: list[ProxyService] | None = None
    include: ProxyInclude | None = None


class ProxyTLS(Model):
    secret_name: str | None = None
    passthrough: bool | None = None


class VirtualHost(Model):
    fqdn: str | None = None
    tls: ProxyTLS | None = None


class HTTPProxySpec(Model):
    ingress_class_name: str | None = None
    virtual_host: VirtualHost | None = Field(default=None, alias="virtualhost")
    routes: list[ProxyRoute] | None = None
    tcp_proxy: TCPProxy | None = Field(default=None, alias="tcpproxy")
    includes: list[ProxyInclude] | None = None


class HTTPProxy(KubernetesObject):
    """projectcontour.io HTTPProxy; its Services are in its own namespace."""

    GROUP: ClassVar[str] = "projectcontour.io"

    spec: HTTPProxySpec = Field(default_factory=HTTPProxySpec)


class PortSelector(Model):
    number: int | None = None


class Destination(Model):
    """`host` is a Service in any DNS form, short names in the namespace of the VirtualService."""

    host: str | None = None
    subset: str | None = None
    port: PortSelector | None = None


class RouteDestination(Model):
    destination: Destination | None = None
    weight: int | None = None


class VirtualServiceRoute(Model):
    """An entry of `http`, `tcp` or `tls`; `match` stays plain data."""

    match: Any = None
    route: list[RouteDestination] | None = None
    mirror: Destination | None = None


class VirtualServiceSpec(Model):
    hosts: list[str] | None = None
    gateways: list[str] | None = None
    http: list[VirtualServiceRoute] | None = None
    tcp: list[VirtualServiceRoute] | None = None
    tls: list[VirtualServiceRoute] | None = None


class VirtualService(KubernetesObject):
    """networking.istio.io VirtualService."""

    GROUP: ClassVar[str] = "networking.istio.io"

    spec: VirtualServiceSpec = Field(default_factory=VirtualServiceSpec)


class IstioPort(Model):
    number: int | None = None
    name: str | None = None
    protocol: str | None = None
    target_port: int | None = None


class IstioServerTLS(Model):
    mode: str | None = None
    credential_name: str | None = None


class IstioServer(Model):
    port: IstioPort | None = None
    hosts: list[str] | None = None
    tls: IstioServerTLS | None = None


class IstioGatewaySpec(Model):
    selector: Labels | None = None
    servers: list[IstioServer] | None = None


class IstioGateway(KubernetesObject):
    """networking.istio.io Gateway: `selector` takes the pods that serve it."""

    GROUP: ClassVar[str] = "networking.istio.io"

    spec: IstioGatewaySpec = Field(default_factory=IstioGatewaySpec)


class DestinationRuleSpec(Model):
    host: str | None = None


class DestinationRule(KubernetesObject):
    """networking.istio.io DestinationRule."""

    GROUP: ClassVar[str] = "networking.istio.io"

    spec: DestinationRuleSpec = Field(default_factory=DestinationRuleSpec)


class ServiceEntrySpec(Model):
    hosts: list[str] | None = None
    ports: list[IstioPort] | None = None


class ServiceEntry(KubernetesObject):
    """networking.istio.io ServiceEntry: names of the mesh that are no Services."""

    GROUP: ClassVar[str] = "networking.istio.io"

    spec: ServiceEntrySpec = Field(default_factory=ServiceEntrySpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "IngressRoute": IngressRoute,
    "IngressRouteTCP": IngressRouteTCP,
    "IngressRouteUDP": IngressRouteUDP,
    "HTTPProxy": HTTPProxy,
    "VirtualService": VirtualService,
    "Gateway": IstioGateway,
    "DestinationRule": DestinationRule,
    "ServiceEntry": ServiceEntry,
}
