"""gateway.networking.k8s.io: GatewayClass, Gateway, ListenerSet, the routes, ReferenceGrant, BackendTLSPolicy."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, Labels, LabelSelector, Model

_GROUP = "gateway.networking.k8s.io"


class ObjectRef(Model):
    """A reference of any of the API's forms; what a missing kind, group or namespace means depends on the field."""

    group: str | None = None
    kind: str | None = None
    namespace: str | None = None
    name: str | None = None


class ParentRef(ObjectRef):
    section_name: str | None = None
    port: int | None = None


class BackendRef(ObjectRef):
    port: int | None = None


class GatewayClassSpec(Model):
    controller_name: str | None = None
    parameters_ref: ObjectRef | None = None


class GatewayClass(KubernetesObject):
    """gateway.networking.k8s.io GatewayClass."""

    GROUP: ClassVar[str] = _GROUP
    NAMESPACED: ClassVar[bool] = False

    spec: GatewayClassSpec = Field(default_factory=GatewayClassSpec)


class RouteNamespaces(Model):
    from_: str | None = None
    selector: LabelSelector | None = None


class RouteGroupKind(Model):
    group: str | None = None
    kind: str | None = None


class AllowedRoutes(Model):
    namespaces: RouteNamespaces | None = None
    kinds: list[RouteGroupKind] | None = None


class ListenerTLS(Model):
    mode: str | None = None
    certificate_refs: list[ObjectRef] | None = None
    options: Labels | None = None


class Listener(Model):
    name: str | None = None
    hostname: str | None = None
    port: int | None = None
    protocol: str | None = None
    tls: ListenerTLS | None = None
    allowed_routes: AllowedRoutes | None = None


class GatewayAddress(Model):
    type: str | None = None
    value: str | None = None


class AllowedListeners(Model):
    namespaces: RouteNamespaces | None = None


class GatewayInfrastructure(Model):
    labels: Labels | None = None
    annotations: Labels | None = None


class GatewaySpec(Model):
    gateway_class_name: str | None = None
    listeners: list[Listener] | None = None
    addresses: list[GatewayAddress] | None = None
    allowed_listeners: AllowedListeners | None = None
    infrastructure: GatewayInfrastructure | None = None


class Gateway(KubernetesObject):
    """gateway.networking.k8s.io Gateway."""

    GROUP: ClassVar[str] = _GROUP

    spec: GatewaySpec = Field(default_factory=GatewaySpec)


class ListenerSetSpec(Model):
    parent_ref: ObjectRef | None = None
    listeners: list[Listener] | None = None


class ListenerSet(KubernetesObject):
    """gateway.networking.k8s.io ListenerSet, and the older XListenerSet."""

    GROUP: ClassVar[str] = _GROUP

    spec: ListenerSetSpec = Field(default_factory=ListenerSetSpec)


class MirrorFilter(Model):
    backend_ref: BackendRef | None = None


class RouteFilter(Model):
    type: str | None = None
    request_mirror: MirrorFilter | None = None
    extension_ref: ObjectRef | None = None


class RouteBackend(BackendRef):
    """A backend of a rule; no weight is the weight 1."""

    weight: int | None = None
    filters: list[RouteFilter] | None = None


class HTTPPathMatch(Model):
    type: str | None = None
    value: str | None = None


class HTTPHeaderMatch(Model):
    """HTTPHeaderMatch and HTTPQueryParamMatch."""

    type: str | None = None
    name: str | None = None
    value: str | None = None


class HTTPRouteMatch(Model):
    path: HTTPPathMatch | None = None
    method: str | None = None
    headers: list[HTTPHeaderMatch] | None = None
    query_params: list[HTTPHeaderMatch] | None = None


class HTTPRouteRule(Model):
    matches: list[HTTPRouteMatch] | None = None
    filters: list[RouteFilter] | None = None
    backend_refs: list[RouteBackend] | None = None


class HTTPRouteSpec(Model):
    parent_refs: list[ParentRef] | None = None
    hostnames: list[str] | None = None
    rules: list[HTTPRouteRule] | None = None


class HTTPRoute(KubernetesObject):
    """gateway.networking.k8s.io HTTPRoute."""

    GROUP: ClassVar[str] = _GROUP

    spec: HTTPRouteSpec = Field(default_factory=HTTPRouteSpec)


class RouteRule(Model):
    """A rule of a GRPCRoute, TLSRoute, TCPRoute or UDPRoute."""

    filters: list[RouteFilter] | None = None
    backend_refs: list[RouteBackend] | None = None


class RouteSpec(Model):
    """The spec of a GRPCRoute, TLSRoute, TCPRoute or UDPRoute; the last two have no hostnames."""

    parent_refs: list[ParentRef] | None = None
    hostnames: list[str] | None = None
    rules: list[RouteRule] | None = None


class OtherRoute(KubernetesObject):
    """What GRPCRoute, TLSRoute, TCPRoute and UDPRoute have in common."""

    GROUP: ClassVar[str] = _GROUP

    spec: RouteSpec = Field(default_factory=RouteSpec)


class GRPCRoute(OtherRoute):
    """gateway.networking.k8s.io GRPCRoute."""


class TLSRoute(OtherRoute):
    """gateway.networking.k8s.io TLSRoute."""


class TCPRoute(OtherRoute):
    """gateway.networking.k8s.io TCPRoute."""


class UDPRoute(OtherRoute):
    """gateway.networking.k8s.io UDPRoute."""


class ReferenceGrantFrom(Model):
    group: str | None = None
    kind: str | None = None
    namespace: str | None = None


class ReferenceGrantTo(Model):
    group: str | None = None
    kind: str | None = None
    name: str | None = None


class ReferenceGrantSpec(Model):
    from_: list[ReferenceGrantFrom] | None = None
    to: list[ReferenceGrantTo] | None = None


class ReferenceGrant(KubernetesObject):
    """gateway.networking.k8s.io ReferenceGrant; it lives in the namespace of what is referred to."""

    GROUP: ClassVar[str] = _GROUP

    spec: ReferenceGrantSpec = Field(default_factory=ReferenceGrantSpec)


class BackendTLSPolicySpec(Model):
    target_refs: list[ParentRef] | None = None


class BackendTLSPolicy(KubernetesObject):
    """gateway.networking.k8s.io BackendTLSPolicy."""

    GROUP: ClassVar[str] = _GROUP

    spec: BackendTLSPolicySpec = Field(default_factory=BackendTLSPolicySpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "GatewayClass": GatewayClass,
    "Gateway": Gateway,
    "ListenerSet": ListenerSet,
    "XListenerSet": ListenerSet,
    "HTTPRoute": HTTPRoute,
    "GRPCRoute": GRPCRoute,
    "TLSRoute": TLSRoute,
    "TCPRoute": TCPRoute,
    "UDPRoute": UDPRoute,
    "ReferenceGrant": ReferenceGrant,
    "BackendTLSPolicy": BackendTLSPolicy,
}
