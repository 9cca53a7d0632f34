"""networking.k8s.io: NetworkPolicy, Ingress, IngressClass, ServiceCIDR, IPAddress."""

from typing import ClassVar

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
    """networking.k8s.io/v1 NetworkPolicy."""

    GROUP: ClassVar[str] = "networking.k8s.io"

    spec: NetworkPolicySpec = NetworkPolicySpec()
