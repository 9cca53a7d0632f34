"""What each policy engine enforces of NetworkPolicy in its default installation. None is unknown, not "no".

Read in August 2026. Sources by row; the rows follow the projects' own documentation and code.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Capabilities:
    """`since` names the version from which a feature is enforced; without it, every version of today's has it."""

    engine: str
    enforces: bool | None
    egress: bool | None = None
    end_port: bool | None = None
    sctp: bool | None = None
    named_ports: bool | None = None
    own_kinds: tuple[str, ...] = ()
    admin_policies: str = ""
    note: str = ""
    source: str = ""


ENGINES: dict[str, Capabilities] = {
    row.engine: row
    for row in (
        Capabilities("flannel", False, source="flannel README, Documentation/netpol.md"),
        Capabilities(
            "kube-network-policies",
            True,
            True,
            True,
            True,
            True,
            admin_policies="ClusterNetworkPolicy in a variant image; AdminNetworkPolicy up to 0.8.1",
            source="kube-network-policies README",
        ),
        Capabilities(
            "calico",
            True,
            True,
            True,
            True,
            True,
            ("NetworkPolicy", "GlobalNetworkPolicy", "Tier"),
            "AdminNetworkPolicy 3.29 to 3.31, ClusterNetworkPolicy from 3.32",
            source="tigera/docs; network-policy-api implementations",
        ),
        Capabilities(
            "cilium",
            True,
            True,
            True,
            None,
            True,
            ("CiliumNetworkPolicy", "CiliumClusterwideNetworkPolicy"),
            "ClusterNetworkPolicy behind enable-k8s-cluster-network-policy in recent releases",
            "endPort is ignored before 1.16; SCTP needs enable-sctp; ipBlock matches no pods or nodes",
            "cilium Documentation/network/kubernetes/policy.rst, PR #32807",
        ),
        Capabilities(
            "weave",
            True,
            True,
            False,
            None,
            False,
            note="a policy with a named port or endPort fails as a whole; no longer maintained",
            source="weave npc/analyser.go",
        ),
        Capabilities(
            "antrea",
            True,
            True,
            True,
            True,
            True,
            ("NetworkPolicy", "ClusterNetworkPolicy", "Tier"),
            "behind the feature gates AdminNetworkPolicy and ClusterNetworkPolicy",
            source="antrea docs/antrea-network-policy.md, docs/feature-gates.md",
        ),
        Capabilities("kube-router", True, True, True, True, True, source="kube-router docs, pkg/controllers/netpol"),
        Capabilities("kindnet", True, True, True, True, True, note="from kind v0.24.0", source="kind release notes"),
        Capabilities(
            "aws-vpc-cni",
            False,
            True,
            True,
            True,
            True,
            note="egress is matched before Service addresses are translated; off unless switched on, from v1.14",
            source="amazon-vpc-cni-k8s README, docs/network-policy-faq.md",
        ),
        Capabilities("azure-cni", False, source="azure-aks-docs use-network-policies"),
        Capabilities(
            "azure-npm", True, True, True, True, True, note="on Linux", source="azure-container-networking npm"
        ),
        Capabilities(
            "ovn-kubernetes",
            True,
            True,
            True,
            True,
            True,
            ("EgressFirewall", "EgressIP", "AdminPolicyBasedExternalRoute"),
            "AdminNetworkPolicy v1alpha1",
            source="ovn-kubernetes pkg/ovn/gress_policy.go",
        ),
        Capabilities("openshift-sdn", None, note="only in mode NetworkPolicy", source="openshift/api SDNMode"),
        Capabilities(
            "kube-ovn",
            True,
            True,
            True,
            None,
            True,
            ("SecurityGroup", "Subnet"),
            "AdminNetworkPolicy, ClusterNetworkPolicy (experimental)",
            source="kube-ovn charts/kube-ovn/values.yaml",
        ),
        Capabilities("bridge", False, source="containernetworking/plugins"),
    )
}
ENGINES["canal"] = ENGINES["calico"]

ALIASES = {
    "amazon-vpc-cni": "aws-vpc-cni",
    "amazon-vpc-cni-k8s": "aws-vpc-cni",
    "aws": "aws-vpc-cni",
    "aws-cni": "aws-vpc-cni",
    "aws-node": "aws-vpc-cni",
    "azure": "azure-cni",
    "azure-vnet": "azure-cni",
    "kindnetd": "kindnet",
    "kubeovn": "kube-ovn",
    "kuberouter": "kube-router",
    "ovn": "ovn-kubernetes",
    "ovnkubernetes": "ovn-kubernetes",
    "openshiftsdn": "openshift-sdn",
    "ovn-k": "ovn-kubernetes",
    "vpc-cni": "aws-vpc-cni",
    "weave-net": "weave",
    "weavenet": "weave",
}


def plugin_name(text: str) -> str:
    """The name that netlint knows a plugin by: `AWS-CNI` and `amazon-vpc-cni` are `aws-vpc-cni`."""
    name = text.strip().lower().replace("_", "-").replace(" ", "-")
    return ALIASES.get(name, name)


def capabilities(engine: str | None) -> Capabilities | None:
    """The row of an engine or plugin; None for one that is not in the table."""
    return ENGINES.get(plugin_name(engine)) if engine else None
