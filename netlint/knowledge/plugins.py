"""How to recognise a network plugin or policy engine by what its own manifests create.

Read in August 2026 in each project's manifests or chart: flannel `Documentation/kube-flannel.yml`; calico
`manifests/{calico,canal}.yaml` and tigera/operator; cilium `install/kubernetes/cilium`; weave `prog/weave-kube`; antrea
`build/charts/antrea`; kube-router `daemonset/`; kind `images/kindnetd`; amazon-vpc-cni-k8s `charts/aws-vpc-cni`; Azure
`cns/azure-cns.yaml`, `npm/azure-npm.yaml`; openshift/cluster-network-operator `bindata`; ovn-kubernetes
`dist/templates`; kube-ovn `charts/kube-ovn`; kube-network-policies `install.yaml`; Google Cloud documentation of
Dataplane V2; rke2-docs; multus-cni `deployments/`.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Agent:
    """What runs on each node. All of it must fit: the name (globs), a container's image and the namespace.

    An agent without a namespace in its manifest fits too: charts leave it to the command line.
    """

    plugin: str
    names: tuple[str, ...]
    images: tuple[str, ...]
    namespaces: tuple[str, ...]
    role: Literal["network", "engine", "meta"] = "network"


AGENTS = (
    Agent("canal", ("canal", "canal-node", "rke2-canal"), ("calico",), ("kube-system",)),
    Agent("calico", ("calico-node",), ("calico",), ("kube-system", "calico-system")),
    Agent(
        "flannel", ("kube-flannel-ds*", "kube-flannel", "rke2-flannel"), ("flannel",), ("kube-flannel", "kube-system")
    ),
    Agent("cilium", ("cilium", "anetd"), ("cilium",), ("kube-system", "cilium", "cilium-system")),
    Agent("weave", ("weave-net",), ("weave-kube",), ("kube-system", "weave")),
    Agent("antrea", ("antrea-agent",), ("antrea",), ("kube-system",)),
    Agent("kube-router", ("kube-router",), ("kube-router",), ("kube-system",)),
    Agent("kindnet", ("kindnet", "kindnetd"), ("kindnet",), ("kube-system",)),
    Agent("aws-vpc-cni", ("aws-node",), ("amazon-k8s-cni",), ("kube-system",)),
    Agent("azure-cni", ("azure-cns",), ("azure-cns",), ("kube-system",)),
    Agent("azure-npm", ("azure-npm",), ("azure-npm",), ("kube-system",), "engine"),
    Agent(
        "ovn-kubernetes",
        ("ovnkube-node", "ovs-node"),
        ("ovn-kube", "OvnImage"),
        ("openshift-ovn-kubernetes", "ovn-kubernetes"),
    ),
    Agent("openshift-sdn", ("sdn",), ("sdn",), ("openshift-sdn",)),
    Agent("kube-ovn", ("kube-ovn-cni",), ("kube-ovn",), ("kube-system",)),
    Agent("multus", ("kube-multus-ds*", "multus"), ("multus",), ("kube-system", "openshift-multus"), "meta"),
)

ENGINE_IMAGES = {"kube-network-policies": "networking/kube-network-policies"}
"""Images that enforce policies in whatever DaemonSet they run."""


@dataclass(frozen=True, slots=True)
class ConfigurationMap:
    """A ConfigMap that the plugin reads: its name, keys of which one must be there, its namespaces."""

    plugin: str
    name: str
    keys: tuple[str, ...]
    namespaces: tuple[str, ...] = ("kube-system",)
    role: Literal["network", "engine"] = "network"


CONFIG_MAPS = (
    ConfigurationMap("flannel", "kube-flannel-cfg", ("net-conf.json",), ("kube-flannel", "kube-system")),
    ConfigurationMap("canal", "canal-config", ("cni_network_config", "net-conf.json", "veth_mtu")),
    ConfigurationMap("canal", "rke2-canal-config", ("cni_network_config", "net-conf.json", "veth_mtu")),
    ConfigurationMap("calico", "calico-config", ("calico_backend", "cni_network_config", "veth_mtu")),
    ConfigurationMap(
        "cilium",
        "cilium-config",
        ("enable-policy", "ipam", "kube-proxy-replacement", "routing-mode", "tunnel", "cluster-pool-ipv4-cidr"),
        ("kube-system", "cilium", "cilium-system"),
    ),
    ConfigurationMap("antrea", "antrea-config", ("antrea-agent.conf",)),
    ConfigurationMap("kube-router", "kube-router-cfg", ("cni-conf.json",)),
    ConfigurationMap("aws-vpc-cni", "amazon-vpc-cni", ("enable-network-policy-controller", "enable-windows-ipam")),
    ConfigurationMap("ovn-kubernetes", "ovnkube-config", ("ovnkube.conf",), ("openshift-ovn-kubernetes",)),
    ConfigurationMap("ovn-kubernetes", "ovn-config", ("net_cidr",), ("ovn-kubernetes",)),
)

RESOURCES: dict[tuple[str, str], str] = {
    ("crd.projectcalico.org", "IPPool"): "calico",
    ("projectcalico.org", "IPPool"): "calico",
    ("cilium.io", "CiliumNode"): "cilium",
    ("crd.antrea.io", "AntreaAgentInfo"): "antrea",
    ("crd.k8s.amazonaws.com", "ENIConfig"): "aws-vpc-cni",
    ("acn.azure.com", "NodeNetworkConfig"): "azure-cni",
    ("network.openshift.io", "HostSubnet"): "openshift-sdn",
    ("kubeovn.io", "Subnet"): "kube-ovn",
}
"""Objects (group, kind) that only this plugin makes use of: weaker evidence than an agent."""

NODE_ANNOTATIONS = (
    ("flannel.alpha.coreos.com/", "flannel"),
    ("projectcalico.org/", "calico"),
    ("network.cilium.io/", "cilium"),
    ("io.cilium.network.", "cilium"),
    ("node.antrea.io/", "antrea"),
    ("kube-router.io/", "kube-router"),
    ("k8s.ovn.org/", "ovn-kubernetes"),
    ("ovn.kubernetes.io/", "kube-ovn"),
)
"""The beginning of a Node's annotation that the plugin's agent writes there."""

KINDNET_WITH_POLICIES = 20240813
"""kind v0.24.0 ships kindest/kindnetd:v20240813-...: the first that enforces policies (kind release notes)."""

AWS_POLICY_AGENT_SINCE = (1, 14)
"""The first version of the AWS VPC CNI that can enforce policies (amazon-vpc-cni-k8s README)."""
