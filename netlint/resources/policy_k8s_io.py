"""policy.networking.k8s.io: AdminNetworkPolicy and BaselineAdminNetworkPolicy, ClusterNetworkPolicy."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, LabelSelector, Model


class NamespacedPod(Model):
    """Pods by the labels of their namespace and their own; the API requires both selectors."""

    namespace_selector: LabelSelector | None = None
    pod_selector: LabelSelector | None = None


class PolicySubject(Model):
    namespaces: LabelSelector | None = None
    pods: NamespacedPod | None = None


class AdminPolicyPeer(Model):
    """A peer of either direction; networks, nodes and domainNames are legal on egress only."""

    namespaces: LabelSelector | None = None
    pods: NamespacedPod | None = None
    nodes: LabelSelector | None = None
    networks: list[str] | None = None
    domain_names: list[str] | None = None


class PortNumber(Model):
    protocol: str | None = None
    port: int | None = None


class PortRange(Model):
    """v1alpha2 ranges have no protocol of their own."""

    protocol: str | None = None
    start: int | None = None
    end: int | None = None


class AdminNetworkPolicyPort(Model):
    port_number: PortNumber | None = None
    named_port: str | None = None
    port_range: PortRange | None = None


class AdminNetworkPolicyIngressRule(Model):
    name: str | None = None
    action: str | None = None
    from_: list[AdminPolicyPeer] | None = None
    ports: list[AdminNetworkPolicyPort] | None = None


class AdminNetworkPolicyEgressRule(Model):
    name: str | None = None
    action: str | None = None
    to: list[AdminPolicyPeer] | None = None
    ports: list[AdminNetworkPolicyPort] | None = None


class AdminNetworkPolicySpec(Model):
    priority: int | None = None
    subject: PolicySubject | None = None
    ingress: list[AdminNetworkPolicyIngressRule] | None = None
    egress: list[AdminNetworkPolicyEgressRule] | None = None


class AdminNetworkPolicy(KubernetesObject):
    """policy.networking.k8s.io/v1alpha1 AdminNetworkPolicy: before NetworkPolicy, the lower priority number first."""

    GROUP: ClassVar[str] = "policy.networking.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    spec: AdminNetworkPolicySpec = Field(default_factory=AdminNetworkPolicySpec)


class BaselineAdminNetworkPolicySpec(Model):
    subject: PolicySubject | None = None
    ingress: list[AdminNetworkPolicyIngressRule] | None = None
    egress: list[AdminNetworkPolicyEgressRule] | None = None


class BaselineAdminNetworkPolicy(KubernetesObject):
    """policy.networking.k8s.io/v1alpha1 BaselineAdminNetworkPolicy: one object named `default`, after NetworkPolicy."""

    GROUP: ClassVar[str] = "policy.networking.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    spec: BaselineAdminNetworkPolicySpec = Field(default_factory=BaselineAdminNetworkPolicySpec)


class DestinationPort(Model):
    """v1alpha2 Port: a number or a range."""

    number: int | None = None
    range: PortRange | None = None


class ProtocolPorts(Model):
    """What stands under tcp, udp or sctp."""

    destination_port: DestinationPort | None = None


class ClusterNetworkPolicyProtocol(Model):
    tcp: ProtocolPorts | None = None
    udp: ProtocolPorts | None = None
    sctp: ProtocolPorts | None = None
    destination_named_port: str | None = None


class ClusterNetworkPolicyIngressRule(Model):
    name: str | None = None
    action: str | None = None
    from_: list[AdminPolicyPeer] | None = None
    protocols: list[ClusterNetworkPolicyProtocol] | None = None


class ClusterNetworkPolicyEgressRule(Model):
    name: str | None = None
    action: str | None = None
    to: list[AdminPolicyPeer] | None = None
    protocols: list[ClusterNetworkPolicyProtocol] | None = None


class ClusterNetworkPolicySpec(Model):
    tier: str | None = None
    priority: int | None = None
    subject: PolicySubject | None = None
    ingress: list[ClusterNetworkPolicyIngressRule] | None = None
    egress: list[ClusterNetworkPolicyEgressRule] | None = None


class ClusterNetworkPolicy(KubernetesObject):
    """policy.networking.k8s.io/v1alpha2 ClusterNetworkPolicy, in the Admin or the Baseline tier."""

    GROUP: ClassVar[str] = "policy.networking.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    spec: ClusterNetworkPolicySpec = Field(default_factory=ClusterNetworkPolicySpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "AdminNetworkPolicy": AdminNetworkPolicy,
    "BaselineAdminNetworkPolicy": BaselineAdminNetworkPolicy,
    "ClusterNetworkPolicy": ClusterNetworkPolicy,
}
