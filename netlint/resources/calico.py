"""crd.projectcalico.org, projectcalico.org and operator.tigera.io: pools, settings, and policies as plain data."""

from typing import Any, ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, Model


class IPPoolSpec(Model):
    cidr: str | None = None
    block_size: int | None = None
    ipip_mode: str | None = None
    vxlan_mode: str | None = None
    nat_outgoing: bool | None = None
    disabled: bool | None = None
    node_selector: str | None = None
    namespace_selector: Any = None
    allowed_uses: list[str] | None = None
    assignment_mode: str | None = None


class CalicoIPPool(KubernetesObject):
    """Calico IPPool."""

    GROUP: ClassVar[str] = "projectcalico.org"
    NAMESPACED: ClassVar[bool] = False

    spec: IPPoolSpec = Field(default_factory=IPPoolSpec)


class FelixConfigurationSpec(Model):
    ipip_mtu: int | None = None
    vxlan_mtu: int | None = None
    vxlan_mtu_v6: int | None = None
    wireguard_mtu: int | None = None
    wireguard_mtu_v6: int | None = None
    mtu_iface_pattern: str | None = None
    bpf_enabled: bool | None = None
    wireguard_enabled: bool | None = None
    wireguard_enabled_v6: bool | None = None
    ipip_enabled: bool | None = None
    vxlan_enabled: bool | None = None
    vxlan_port: int | None = None
    default_endpoint_to_host_action: str | None = None


class FelixConfiguration(KubernetesObject):
    """Calico FelixConfiguration; the one named default holds for every node."""

    GROUP: ClassVar[str] = "projectcalico.org"
    NAMESPACED: ClassVar[bool] = False

    spec: FelixConfigurationSpec = Field(default_factory=FelixConfigurationSpec)


class CIDRBlock(Model):
    cidr: str | None = None


class BGPConfigurationSpec(Model):
    as_number: int | str | None = None
    node_to_node_mesh_enabled: bool | None = None
    service_cluster_ips: list[CIDRBlock] | None = None
    service_external_ips: list[CIDRBlock] | None = None
    service_load_balancer_ips: list[CIDRBlock] | None = None


class BGPConfiguration(KubernetesObject):
    """Calico BGPConfiguration."""

    GROUP: ClassVar[str] = "projectcalico.org"
    NAMESPACED: ClassVar[bool] = False

    spec: BGPConfigurationSpec = Field(default_factory=BGPConfigurationSpec)


class BGPPeerSpec(Model):
    node: str | None = None
    node_selector: str | None = None
    peer_ip: str | None = None
    peer_selector: str | None = None
    as_number: int | str | None = None


class BGPPeer(KubernetesObject):
    """Calico BGPPeer."""

    GROUP: ClassVar[str] = "projectcalico.org"
    NAMESPACED: ClassVar[bool] = False

    spec: BGPPeerSpec = Field(default_factory=BGPPeerSpec)


class CalicoNetworkPolicy(KubernetesObject):
    """Calico NetworkPolicy, its spec as plain data."""

    GROUP: ClassVar[str] = "projectcalico.org"

    spec: Any = None


class GlobalNetworkPolicy(KubernetesObject):
    """Calico GlobalNetworkPolicy, its spec as plain data."""

    GROUP: ClassVar[str] = "projectcalico.org"
    NAMESPACED: ClassVar[bool] = False

    spec: Any = None


class CalicoTier(KubernetesObject):
    """Calico Tier, its spec as plain data."""

    GROUP: ClassVar[str] = "projectcalico.org"
    NAMESPACED: ClassVar[bool] = False

    spec: Any = None


class InstallationIPPool(Model):
    name: str | None = None
    cidr: str | None = None
    encapsulation: str | None = None
    nat_outgoing: str | None = None
    node_selector: str | None = None
    block_size: int | None = None
    disable_bgp_export: bool | None = None
    allowed_uses: list[str] | None = None


class CalicoNetworkSpec(Model):
    mtu: int | None = None
    bgp: str | None = None
    ip_pools: list[InstallationIPPool] | None = None
    linux_dataplane: str | None = None
    host_ports: str | None = None
    multi_interface_mode: str | None = None


class IPAMSpec(Model):
    type: str | None = None


class CNISpec(Model):
    type: str | None = None
    ipam: IPAMSpec | None = None


class InstallationSpec(Model):
    variant: str | None = None
    kubernetes_provider: str | None = None
    cni: CNISpec | None = None
    calico_network: CalicoNetworkSpec | None = None


class Installation(KubernetesObject):
    """operator.tigera.io Installation."""

    GROUP: ClassVar[str] = "operator.tigera.io"
    NAMESPACED: ClassVar[bool] = False

    spec: InstallationSpec = Field(default_factory=InstallationSpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "IPPool": CalicoIPPool,
    "FelixConfiguration": FelixConfiguration,
    "BGPConfiguration": BGPConfiguration,
    "BGPPeer": BGPPeer,
    "NetworkPolicy": CalicoNetworkPolicy,
    "GlobalNetworkPolicy": GlobalNetworkPolicy,
    "Tier": CalicoTier,
    "Installation": Installation,
}
