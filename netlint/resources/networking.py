"""networking.k8s.io: NetworkPolicy, Ingress, IngressClass, ServiceCIDR, IPAddress."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import IntOrString, KubernetesObject, LabelSelector, Model


class IPBlock(Model):
    cidr: str
    except_: list[str] | None = None


class NetworkPolicyPeer(Model):
    pod_selector: LabelSelector | None = None
    namespace_selector: LabelSelector | None = None
    ip_block: IPBlock | None = None


class NetworkPolicyPort(Model):
    protocol: str | None = None
    port: IntOrString | None = None
    end_port: int | None = None


class NetworkPolicyIngressRule(Model):
    from_: list[NetworkPolicyPeer] | None = None
    ports: list[NetworkPolicyPort] | None = None


class NetworkPolicyEgressRule(Model):
    to: list[NetworkPolicyPeer] | None = None
    ports: list[NetworkPolicyPort] | None = None


class NetworkPolicySpec(Model):
    pod_selector: LabelSelector | None = None
    ingress: list[NetworkPolicyIngressRule] | None = None
    egress: list[NetworkPolicyEgressRule] | None = None
    policy_types: list[str] | None = None


class NetworkPolicy(KubernetesObject):
    """networking.k8s.io/v1 NetworkPolicy; extensions/v1beta1 (gone since Kubernetes 1.16) has the same shape."""

    GROUP: ClassVar[str] = "networking.k8s.io"

    spec: NetworkPolicySpec = Field(default_factory=NetworkPolicySpec)


class ServiceBackendPort(Model):
    name: str | None = None
    number: int | None = None


class IngressServiceBackend(Model):
    name: str | None = None
    port: ServiceBackendPort | None = None


class TypedLocalObjectReference(Model):
    api_group: str | None = None
    kind: str | None = None
    name: str | None = None


class IngressBackend(Model):
    """`service_name` and `service_port` are the form of v1beta1, gone since Kubernetes 1.22."""

    service: IngressServiceBackend | None = None
    resource: TypedLocalObjectReference | None = None
    service_name: str | None = None
    service_port: IntOrString | None = None


class HTTPIngressPath(Model):
    path: str | None = None
    path_type: str | None = None
    backend: IngressBackend | None = None


class HTTPIngressRuleValue(Model):
    paths: list[HTTPIngressPath] | None = None


class IngressRule(Model):
    host: str | None = None
    http: HTTPIngressRuleValue | None = None


class IngressTLS(Model):
    hosts: list[str] | None = None
    secret_name: str | None = None


class IngressSpec(Model):
    """`backend` is the default backend of v1beta1."""

    ingress_class_name: str | None = None
    default_backend: IngressBackend | None = None
    backend: IngressBackend | None = None
    rules: list[IngressRule] | None = None
    tls: list[IngressTLS] | None = None


class Ingress(KubernetesObject):
    """networking.k8s.io/v1 Ingress, and the older v1beta1 and extensions/v1beta1."""

    GROUP: ClassVar[str] = "networking.k8s.io"

    spec: IngressSpec = Field(default_factory=IngressSpec)


class IngressClassParameters(Model):
    api_group: str | None = None
    kind: str | None = None
    name: str | None = None
    namespace: str | None = None
    scope: str | None = None


class IngressClassSpec(Model):
    controller: str | None = None
    parameters: IngressClassParameters | None = None


class IngressClass(KubernetesObject):
    """networking.k8s.io/v1 IngressClass."""

    GROUP: ClassVar[str] = "networking.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    spec: IngressClassSpec = Field(default_factory=IngressClassSpec)


class ServiceCIDRSpec(Model):
    cidrs: list[str] | None = None


class ServiceCIDR(KubernetesObject):
    """networking.k8s.io/v1 ServiceCIDR: one or two ranges that ClusterIPs come from."""

    GROUP: ClassVar[str] = "networking.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    spec: ServiceCIDRSpec = Field(default_factory=ServiceCIDRSpec)


class ParentReference(Model):
    group: str | None = None
    resource: str | None = None
    namespace: str | None = None
    name: str | None = None


class IPAddressSpec(Model):
    parent_ref: ParentReference | None = None


class IPAddress(KubernetesObject):
    """networking.k8s.io/v1 IPAddress: its name is the address."""

    GROUP: ClassVar[str] = "networking.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    spec: IPAddressSpec = Field(default_factory=IPAddressSpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "NetworkPolicy": NetworkPolicy,
    "Ingress": Ingress,
    "IngressClass": IngressClass,
    "ServiceCIDR": ServiceCIDR,
    "IPAddress": IPAddress,
}
