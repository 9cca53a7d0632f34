"""core/v1 without the pod (pod.py): Service, Endpoints, Node, Namespace, ConfigMap, Secret, ServiceAccount, ..."""

from typing import Any, ClassVar

from pydantic import Field

from netlint.resources.base import IntOrString, KubernetesObject, Labels, Model, ResourceList
from netlint.resources.pod import (
    Affinity,
    ConfigMapEnvSource,
    Container,
    ContainerPort,
    EnvFromSource,
    EnvVar,
    EnvVarSource,
    KeySelector,
    NodeAffinity,
    NodeSelector,
    NodeSelectorTerm,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodDNSConfig,
    PodSpec,
    PodStatus,
    PodTemplateSpec,
    Probe,
    ResourceRequirements,
    Toleration,
    TopologySpreadConstraint,
    Volume,
    VolumeMount,
)

__all__ = [
    "Affinity",
    "ConfigMap",
    "ConfigMapEnvSource",
    "Container",
    "ContainerPort",
    "Endpoints",
    "EnvFromSource",
    "EnvVar",
    "EnvVarSource",
    "KeySelector",
    "Namespace",
    "Node",
    "NodeAffinity",
    "NodeSelector",
    "NodeSelectorTerm",
    "Pod",
    "PodAffinity",
    "PodAffinityTerm",
    "PodDNSConfig",
    "PodSpec",
    "PodStatus",
    "PodTemplateSpec",
    "Probe",
    "ReplicationController",
    "ResourceRequirements",
    "Secret",
    "Service",
    "ServiceAccount",
    "ServicePort",
    "ServiceSpec",
    "Toleration",
    "TopologySpreadConstraint",
    "Volume",
    "VolumeMount",
]


class ServicePort(Model):
    name: str | None = None
    protocol: str | None = None
    app_protocol: str | None = None
    port: int | None = None
    target_port: IntOrString | None = None
    node_port: int | None = None


class ClientIPConfig(Model):
    timeout_seconds: int | None = None


class SessionAffinityConfig(Model):
    client_ip: ClientIPConfig | None = None


class ServiceSpec(Model):
    type: str | None = None
    selector: Labels | None = None
    ports: list[ServicePort] | None = None
    cluster_ip: str | None = None
    cluster_ips: list[str] | None = None
    external_ips: list[str] | None = None
    external_name: str | None = None
    load_balancer_ip: str | None = None
    load_balancer_class: str | None = None
    load_balancer_source_ranges: list[str] | None = None
    allocate_load_balancer_node_ports: bool | None = None
    external_traffic_policy: str | None = None
    internal_traffic_policy: str | None = None
    health_check_node_port: int | None = None
    session_affinity: str | None = None
    session_affinity_config: SessionAffinityConfig | None = None
    ip_families: list[str] | None = None
    ip_family_policy: str | None = None
    publish_not_ready_addresses: bool | None = None
    traffic_distribution: str | None = None
    topology_keys: list[str] | None = None


class LoadBalancerIngress(Model):
    ip: str | None = None
    hostname: str | None = None
    ip_mode: str | None = None


class LoadBalancerStatus(Model):
    ingress: list[LoadBalancerIngress] | None = None


class ServiceStatus(Model):
    load_balancer: LoadBalancerStatus | None = None


class Service(KubernetesObject):
    """core/v1 Service. `topology_keys` was removed in Kubernetes 1.22."""

    spec: ServiceSpec = Field(default_factory=ServiceSpec)
    status: ServiceStatus | None = None


class ObjectReference(Model):
    """core/v1 ObjectReference."""

    kind: str | None = None
    namespace: str | None = None
    name: str | None = None


class EndpointAddress(Model):
    ip: str | None = None
    hostname: str | None = None
    node_name: str | None = None
    target_ref: ObjectReference | None = None


class EndpointPort(Model):
    name: str | None = None
    port: int | None = None
    protocol: str | None = None
    app_protocol: str | None = None


class EndpointSubset(Model):
    addresses: list[EndpointAddress] | None = None
    not_ready_addresses: list[EndpointAddress] | None = None
    ports: list[EndpointPort] | None = None


class Endpoints(KubernetesObject):
    """core/v1 Endpoints, which has the name of its Service."""

    subsets: list[EndpointSubset] | None = None


class Taint(Model):
    key: str | None = None
    value: str | None = None
    effect: str | None = None


class NodeSpec(Model):
    pod_cidr: str | None = None
    pod_cidrs: list[str] | None = None
    provider_id: str | None = None
    taints: list[Taint] | None = None
    unschedulable: bool | None = None


class NodeAddress(Model):
    type: str | None = None
    address: str | None = None


class NodeSystemInfo(Model):
    kubelet_version: str | None = None
    kube_proxy_version: str | None = None
    kernel_version: str | None = None
    os_image: str | None = None
    operating_system: str | None = None
    architecture: str | None = None
    container_runtime_version: str | None = None


class NodeCondition(Model):
    type: str | None = None
    status: str | None = None


class NodeStatus(Model):
    capacity: ResourceList | None = None
    allocatable: ResourceList | None = None
    addresses: list[NodeAddress] | None = None
    conditions: list[NodeCondition] | None = None
    node_info: NodeSystemInfo | None = None


class Node(KubernetesObject):
    """core/v1 Node."""

    NAMESPACED: ClassVar[bool] = False

    spec: NodeSpec = Field(default_factory=NodeSpec)
    status: NodeStatus = Field(default_factory=NodeStatus)


class Namespace(KubernetesObject):
    """core/v1 Namespace."""

    NAMESPACED: ClassVar[bool] = False


class ConfigMap(KubernetesObject):
    """core/v1 ConfigMap; its binaryData is not read."""

    data: dict[str, str] | None = None


class Secret(KubernetesObject):
    """core/v1 Secret: its type and the names of its keys. The values are never kept here, so no message holds one."""

    type: str | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the entries of data and stringData, sorted."""
        names: set[str] = set()
        for field in ("data", "stringData"):
            entries: Any = self.manifest.raw.get(field)
            if isinstance(entries, dict):
                names.update(str(key) for key in entries)
        return tuple(sorted(names))


class ServiceAccount(KubernetesObject):
    """core/v1 ServiceAccount."""


class ReplicationControllerSpec(Model):
    replicas: int | None = None
    selector: Labels | None = None
    template: PodTemplateSpec | None = None


class ReplicationController(KubernetesObject):
    """core/v1 ReplicationController; its selector defaults to the labels of its template."""

    spec: ReplicationControllerSpec = Field(default_factory=ReplicationControllerSpec)


class PodTemplate(KubernetesObject):
    """core/v1 PodTemplate."""

    template: PodTemplateSpec | None = None


KINDS: dict[str, type[KubernetesObject]] = {
    "Pod": Pod,
    "Service": Service,
    "Endpoints": Endpoints,
    "Node": Node,
    "Namespace": Namespace,
    "ConfigMap": ConfigMap,
    "Secret": Secret,
    "ServiceAccount": ServiceAccount,
    "ReplicationController": ReplicationController,
    "PodTemplate": PodTemplate,
}
