"""Configuration files of clusters: kubeadm, kubelet, kube-proxy, Cluster API, k3s charts, k0s, Kube-OVN.

Most of them are files that a program reads and no objects of an API server.
"""

from typing import Any, ClassVar

from pydantic import Field

from netlint.resources.base import IntOrString, KubernetesObject, Model


def arguments(extra: Any) -> dict[str, str]:
    """kubeadm's extraArgs by name, from the mapping of v1beta3 or the list of v1beta4; of a repeated one the last."""
    if isinstance(extra, dict):
        return {str(name): value for name, value in extra.items() if isinstance(value, str)}
    if isinstance(extra, list):
        return {
            str(entry["name"]): entry["value"]
            for entry in extra
            if isinstance(entry, dict) and "name" in entry and isinstance(entry.get("value"), str)
        }
    return {}


class KubeadmNetworking(Model):
    pod_subnet: str | None = None
    service_subnet: str | None = None
    dns_domain: str | None = None


class KubeadmComponent(Model):
    """`extra_args` is plain data: read it with `arguments`."""

    extra_args: Any = None


class ClusterConfiguration(KubernetesObject):
    """kubeadm.k8s.io ClusterConfiguration."""

    GROUP: ClassVar[str] = "kubeadm.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    cluster_name: str | None = None
    kubernetes_version: str | None = None
    control_plane_endpoint: str | None = None
    networking: KubeadmNetworking | None = None
    api_server: KubeadmComponent | None = None
    controller_manager: KubeadmComponent | None = None


class APIEndpoint(Model):
    advertise_address: str | None = None
    bind_port: int | None = None


class NodeRegistration(Model):
    kubelet_extra_args: Any = None


class InitConfiguration(KubernetesObject):
    """kubeadm.k8s.io InitConfiguration, and JoinConfiguration."""

    GROUP: ClassVar[str] = "kubeadm.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    local_api_endpoint: APIEndpoint | None = None
    node_registration: NodeRegistration | None = None


class KubeletConfiguration(KubernetesObject):
    """kubelet.config.k8s.io KubeletConfiguration."""

    GROUP: ClassVar[str] = "kubelet.config.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    cluster_dns: list[str] | None = None
    cluster_domain: str | None = None
    max_pods: int | None = None
    pod_cidr: str | None = None
    topology_manager_policy: str | None = None
    topology_manager_scope: str | None = None


class ProxyIPVS(Model):
    strict_arp: bool | None = None
    scheduler: str | None = None


class ProxyIPTables(Model):
    masquerade_all: bool | None = None


class KubeProxyConfiguration(KubernetesObject):
    """kubeproxy.config.k8s.io KubeProxyConfiguration."""

    GROUP: ClassVar[str] = "kubeproxy.config.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    mode: str | None = None
    cluster_cidr: str | None = None
    node_port_addresses: list[str] | None = None
    detect_local_mode: str | None = None
    ipvs: ProxyIPVS | None = None
    iptables: ProxyIPTables | None = None
    nftables: ProxyIPTables | None = None


class NetworkRanges(Model):
    cidr_blocks: list[str] | None = None


class ClusterAPINetwork(Model):
    pods: NetworkRanges | None = None
    services: NetworkRanges | None = None
    service_domain: str | None = None


class ClusterAPIClusterSpec(Model):
    cluster_network: ClusterAPINetwork | None = None


class ClusterAPICluster(KubernetesObject):
    """cluster.x-k8s.io Cluster: a cluster that this one manages, so its ranges are another cluster's."""

    GROUP: ClassVar[str] = "cluster.x-k8s.io"

    spec: ClusterAPIClusterSpec = Field(default_factory=ClusterAPIClusterSpec)


class HelmChartSpec(Model):
    """`values_content` is YAML text."""

    chart: str | None = None
    repo: str | None = None
    version: IntOrString | None = None
    target_namespace: str | None = None
    values_content: str | None = None
    set: Any = None


class HelmChart(KubernetesObject):
    """helm.cattle.io HelmChart, of k3s and RKE2."""

    GROUP: ClassVar[str] = "helm.cattle.io"

    spec: HelmChartSpec = Field(default_factory=HelmChartSpec)


class HelmChartConfig(KubernetesObject):
    """helm.cattle.io HelmChartConfig: values for the packaged chart of its name."""

    GROUP: ClassVar[str] = "helm.cattle.io"

    spec: HelmChartSpec = Field(default_factory=HelmChartSpec)


class K0sNetwork(Model):
    provider: str | None = None
    pod_cidr: str | None = None
    service_cidr: str | None = None


class K0sSpec(Model):
    network: K0sNetwork | None = None


class K0sClusterConfig(KubernetesObject):
    """k0s.k0sproject.io ClusterConfig."""

    GROUP: ClassVar[str] = "k0s.k0sproject.io"
    NAMESPACED: ClassVar[bool] = False

    spec: K0sSpec = Field(default_factory=K0sSpec)


class SubnetSpec(Model):
    protocol: str | None = None
    cidr_block: str | None = None
    gateway: str | None = None
    exclude_ips: list[str] | None = Field(default=None, alias="excludeIps")
    namespaces: list[str] | None = None
    mtu: int | None = None
    vlan: str | None = None
    vpc: str | None = None
    provider: str | None = None


class KubeOVNSubnet(KubernetesObject):
    """kubeovn.io Subnet."""

    GROUP: ClassVar[str] = "kubeovn.io"
    NAMESPACED: ClassVar[bool] = False

    spec: SubnetSpec = Field(default_factory=SubnetSpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "ClusterConfiguration": ClusterConfiguration,
    "InitConfiguration": InitConfiguration,
    "JoinConfiguration": InitConfiguration,
    "KubeletConfiguration": KubeletConfiguration,
    "KubeProxyConfiguration": KubeProxyConfiguration,
    "HelmChart": HelmChart,
    "HelmChartConfig": HelmChartConfig,
    "ClusterConfig": K0sClusterConfig,
    "Subnet": KubeOVNSubnet,
    "Cluster": ClusterAPICluster,
}
