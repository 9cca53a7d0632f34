"""k8s.cni.cncf.io, sriovnetwork.openshift.io and whereabouts.cni.cncf.io: secondary networks and their devices."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, Labels, LabelSelector, Model
from netlint.resources.networking import NetworkPolicySpec


class NetworkAttachmentDefinitionSpec(Model):
    """`config` is the text of a CNI configuration in JSON."""

    config: str | None = None


class NetworkAttachmentDefinition(KubernetesObject):
    """k8s.cni.cncf.io NetworkAttachmentDefinition."""

    GROUP: ClassVar[str] = "k8s.cni.cncf.io"

    spec: NetworkAttachmentDefinitionSpec = Field(default_factory=NetworkAttachmentDefinitionSpec)


class MultiNetworkPolicy(KubernetesObject):
    """k8s.cni.cncf.io MultiNetworkPolicy: the form of NetworkPolicy, for the networks of its policy-for annotation."""

    GROUP: ClassVar[str] = "k8s.cni.cncf.io"

    spec: NetworkPolicySpec = Field(default_factory=NetworkPolicySpec)


class NicSelector(Model):
    vendor: str | None = None
    device_id: str | None = None
    pf_names: list[str] | None = None
    root_devices: list[str] | None = None
    net_filter: str | None = None


class SriovNetworkNodePolicySpec(Model):
    resource_name: str | None = None
    node_selector: Labels | None = None
    priority: int | None = None
    num_vfs: int | None = None
    nic_selector: NicSelector | None = None
    device_type: str | None = None
    link_type: str | None = None
    vdpa_type: str | None = None
    e_switch_mode: str | None = None
    mtu: int | None = None
    is_rdma: bool | None = None
    externally_managed: bool | None = None
    exclude_topology: bool | None = None


class SriovNetworkNodePolicy(KubernetesObject):
    """sriovnetwork.openshift.io SriovNetworkNodePolicy; 0 is the highest priority."""

    GROUP: ClassVar[str] = "sriovnetwork.openshift.io"

    spec: SriovNetworkNodePolicySpec = Field(default_factory=SriovNetworkNodePolicySpec)


class SriovNetworkSpec(Model):
    """Of SriovNetwork, SriovIBNetwork and OVSNetwork; `ipam` and `meta_plugins` are JSON texts."""

    network_namespace: str | None = None
    resource_name: str | None = None
    ipam: str | None = None
    meta_plugins: str | None = Field(default=None, alias="metaPlugins")
    capabilities: str | None = None
    vlan: int | None = None
    vlan_qos: int | None = Field(default=None, alias="vlanQoS")
    vlan_proto: str | None = None
    link_state: str | None = None
    spoof_chk: str | None = None
    trust: str | None = None
    min_tx_rate: int | None = None
    max_tx_rate: int | None = None
    bridge: str | None = None
    mtu: int | None = None


class SriovNetwork(KubernetesObject):
    """sriovnetwork.openshift.io SriovNetwork: makes a NetworkAttachmentDefinition of its name."""

    GROUP: ClassVar[str] = "sriovnetwork.openshift.io"

    spec: SriovNetworkSpec = Field(default_factory=SriovNetworkSpec)


class SriovIBNetwork(SriovNetwork):
    """sriovnetwork.openshift.io SriovIBNetwork."""


class OVSNetwork(SriovNetwork):
    """sriovnetwork.openshift.io OVSNetwork."""


class SriovInterface(Model):
    name: str | None = None
    pci_address: str | None = None
    vendor: str | None = None
    device_id: str | None = None
    mtu: int | None = None
    num_vfs: int | None = None
    total_vfs: int | None = Field(default=None, alias="totalvfs")


class SriovNetworkNodeStateStatus(Model):
    interfaces: list[SriovInterface] | None = None
    sync_status: str | None = None


class SriovNetworkNodeState(KubernetesObject):
    """sriovnetwork.openshift.io SriovNetworkNodeState: what the node of its name has."""

    GROUP: ClassVar[str] = "sriovnetwork.openshift.io"

    status: SriovNetworkNodeStateStatus | None = None


class SriovOperatorConfigSpec(Model):
    enable_injector: bool | None = None


class SriovOperatorConfig(KubernetesObject):
    """sriovnetwork.openshift.io SriovOperatorConfig; the injector is on unless switched off."""

    GROUP: ClassVar[str] = "sriovnetwork.openshift.io"

    spec: SriovOperatorConfigSpec = Field(default_factory=SriovOperatorConfigSpec)


class WhereaboutsIPPoolSpec(Model):
    range: str | None = None


class WhereaboutsIPPool(KubernetesObject):
    """whereabouts.cni.cncf.io IPPool: a range in use."""

    GROUP: ClassVar[str] = "whereabouts.cni.cncf.io"

    spec: WhereaboutsIPPoolSpec = Field(default_factory=WhereaboutsIPPoolSpec)


class NodeNetworkConfigurationPolicySpec(Model):
    node_selector: Labels | None = None


class NodeNetworkConfigurationPolicy(KubernetesObject):
    """nmstate.io NodeNetworkConfigurationPolicy."""

    GROUP: ClassVar[str] = "nmstate.io"
    NAMESPACED: ClassVar[bool] = False

    spec: NodeNetworkConfigurationPolicySpec = Field(default_factory=NodeNetworkConfigurationPolicySpec)


class ClusterUserDefinedNetworkSpec(Model):
    namespace_selector: LabelSelector | None = None


class ClusterUserDefinedNetwork(KubernetesObject):
    """k8s.ovn.org ClusterUserDefinedNetwork."""

    GROUP: ClassVar[str] = "k8s.ovn.org"
    NAMESPACED: ClassVar[bool] = False

    spec: ClusterUserDefinedNetworkSpec = Field(default_factory=ClusterUserDefinedNetworkSpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "NetworkAttachmentDefinition": NetworkAttachmentDefinition,
    "MultiNetworkPolicy": MultiNetworkPolicy,
    "SriovNetworkNodePolicy": SriovNetworkNodePolicy,
    "SriovNetwork": SriovNetwork,
    "SriovIBNetwork": SriovIBNetwork,
    "OVSNetwork": OVSNetwork,
    "SriovNetworkNodeState": SriovNetworkNodeState,
    "SriovOperatorConfig": SriovOperatorConfig,
    "IPPool": WhereaboutsIPPool,
    "NodeNetworkConfigurationPolicy": NodeNetworkConfigurationPolicy,
    "ClusterUserDefinedNetwork": ClusterUserDefinedNetwork,
}
