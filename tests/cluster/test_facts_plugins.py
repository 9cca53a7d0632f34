"""Which plugin is recognised, and whether anything makes NetworkPolicies work."""

import json
from collections.abc import Callable

import pytest

from netlint.cluster import Cluster
from netlint.cluster.config import Config

Make = Callable[..., Cluster]


def daemon_set(name: str, image: str, namespace: str = "kube-system", args: str = "", env: str = "") -> str:
    return f"""\
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: {name}, namespace: {namespace}}}
spec:
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      containers:
      - name: {name}
        image: {image}
        args: [{args}]
        env: [{env}]
"""


def config_map(name: str, data: dict[str, str], namespace: str = "kube-system") -> str:
    return f"""\
---
apiVersion: v1
kind: ConfigMap
metadata: {{name: {name}, namespace: {namespace}}}
data: {json.dumps(data)}
"""


def node(name: str = "n1", annotations: dict[str, str] | None = None, version: str = "v1.33.4", **spec: str) -> str:
    return f"""\
---
apiVersion: v1
kind: Node
metadata: {{name: {name}, annotations: {json.dumps(annotations or {})}}}
spec: {json.dumps(spec)}
status: {{nodeInfo: {{kubeletVersion: {version}}}}}
"""


FLANNEL = daemon_set("kube-flannel-ds", "ghcr.io/flannel-io/flannel:v0.27.4", "kube-flannel")
CALICO = daemon_set("calico-node", "quay.io/calico/node:v3.30.1")
CILIUM = daemon_set("cilium", "quay.io/cilium/cilium:v1.17.4")
AWS = daemon_set("aws-node", "602401143452.dkr.ecr.us-west-2.amazonaws.com/amazon-k8s-cni:v1.19.0")
ROUTER = daemon_set("kube-router", "docker.io/cloudnativelabs/kube-router:v2.5.0")
K3S_FLANNEL = {"flannel.alpha.coreos.com/backend-type": "vxlan"}


def k3s(*words: str) -> str:
    return node("n1", {**K3S_FLANNEL, "k3s.io/node-args": json.dumps(["server", *words])}, "v1.33.4+k3s1")


MATRIX = [
    # (what is there, plugin, engine, whether policies are enforced)
    ("flannel", FLANNEL, "flannel", "none", False),
    (
        "flannel, old manifest",
        daemon_set("kube-flannel-ds-amd64", "quay.io/coreos/flannel:v0.14.0"),
        "flannel",
        "none",
        False,
    ),
    (
        "flannel with a policy controller beside it",
        FLANNEL + daemon_set("knp", "registry.k8s.io/networking/kube-network-policies:v1.1.1"),
        "flannel",
        "kube-network-policies",
        True,
    ),
    (
        "flannel, Calico for policies only",
        FLANNEL + CALICO + config_map("calico-config", {"calico_backend": "none"}),
        "flannel",
        "calico",
        True,
    ),
    (
        "flannel, kube-router for policies only",
        FLANNEL + daemon_set("kube-router", "cloudnativelabs/kube-router", args='"--run-router=false"'),
        "flannel",
        "kube-router",
        True,
    ),
    (
        "flannel, Cilium chained",
        FLANNEL + CILIUM + config_map("cilium-config", {"cni-chaining-mode": "generic-veth", "ipam": "kubernetes"}),
        "flannel",
        "cilium",
        True,
    ),
    (
        "flannel, Antrea for policies only",
        FLANNEL
        + daemon_set("antrea-agent", "antrea/antrea-agent-ubuntu:v2.1.0")
        + config_map("antrea-config", {"antrea-agent.conf": "trafficEncapMode: networkPolicyOnly\n"}),
        "flannel",
        "antrea",
        True,
    ),
    ("canal", daemon_set("canal", "docker.io/calico/node:v3.29.0"), "canal", "calico", True),
    (
        "canal of RKE2",
        daemon_set("rke2-canal", "rancher/hardened-calico:v3.29.0-build1"),
        "canal",
        "calico",
        True,
    ),
    ("calico", CALICO, "calico", "calico", True),
    (
        "calico by its operator",
        "{apiVersion: operator.tigera.io/v1, kind: Installation, metadata: {name: default}, spec: {}}",
        "calico",
        "calico",
        True,
    ),
    ("cilium", CILIUM, "cilium", "cilium", True),
    (
        "cilium that enforces nothing",
        CILIUM + config_map("cilium-config", {"enable-policy": "never"}),
        "cilium",
        "none",
        False,
    ),
    (
        "cilium without NetworkPolicy",
        CILIUM + config_map("cilium-config", {"ipam": "kubernetes", "enable-k8s-networkpolicy": "false"}),
        "cilium",
        "none",
        False,
    ),
    ("weave", daemon_set("weave-net", "weaveworks/weave-kube:latest"), "weave", "weave", True),
    (
        "weave without its controller",
        daemon_set("weave-net", "weaveworks/weave-kube:latest", env='{name: EXPECT_NPC, value: "0"}'),
        "weave",
        "none",
        False,
    ),
    ("antrea", daemon_set("antrea-agent", "antrea/antrea-agent-ubuntu:v2.1.0"), "antrea", "antrea", True),
    ("kube-router", ROUTER, "kube-router", "kube-router", True),
    (
        "kube-router without its firewall",
        daemon_set("kube-router", "cloudnativelabs/kube-router", args='"--run-firewall=false"'),
        "kube-router",
        "none",
        False,
    ),
    (
        "kindnet of kind v0.23",
        daemon_set("kindnet", "docker.io/kindest/kindnetd:v20240202-8f1494ea"),
        "kindnet",
        "none",
        False,
    ),
    (
        "kindnet of kind v0.24",
        daemon_set("kindnet", "docker.io/kindest/kindnetd:v20240813-c6f155d6"),
        "kindnet",
        "kindnet",
        True,
    ),
    ("kindnet of who knows when", daemon_set("kindnet", "docker.io/kindest/kindnetd:dev"), "kindnet", None, None),
    ("aws", AWS, "aws-vpc-cni", "none", False),
    (
        "aws, switched on in the agent",
        daemon_set("aws-node", "x/amazon-k8s-cni:v1.19.0", args='"--enable-network-policy=true"'),
        "aws-vpc-cni",
        "aws-vpc-cni",
        True,
    ),
    (
        "aws, switched on in the ConfigMap",
        AWS + config_map("amazon-vpc-cni", {"enable-network-policy-controller": "true"}),
        "aws-vpc-cni",
        "aws-vpc-cni",
        True,
    ),
    (
        "aws with Cilium behind it",
        AWS + CILIUM + config_map("cilium-config", {"ipam": "eni", "cni-chaining-mode": "aws-cni"}),
        "aws-vpc-cni",
        "cilium",
        True,
    ),
    (
        "azure",
        daemon_set("azure-cns", "mcr.microsoft.com/containernetworking/azure-cns:v1.5.10"),
        "azure-cni",
        "none",
        False,
    ),
    (
        "azure with its policy manager",
        daemon_set("azure-cns", "mcr.microsoft.com/containernetworking/azure-cns:v1.5.10")
        + daemon_set("azure-npm", "mcr.microsoft.com/containernetworking/azure-npm:v1.6.29"),
        "azure-cni",
        "azure-npm",
        True,
    ),
    (
        "openshift",
        "{apiVersion: operator.openshift.io/v1, kind: Network, metadata: {name: cluster},"
        " spec: {defaultNetwork: {type: OVNKubernetes}}}",
        "ovn-kubernetes",
        "ovn-kubernetes",
        True,
    ),
    (
        "openshift-sdn that isolates by tenant",
        "{apiVersion: operator.openshift.io/v1, kind: Network, metadata: {name: cluster},"
        " spec: {defaultNetwork: {type: OpenShiftSDN, openshiftSDNConfig: {mode: Multitenant}}}}\n"
        + daemon_set("sdn", "quay.io/openshift/origin-sdn:4.14", "openshift-sdn"),
        "openshift-sdn",
        "none",
        False,
    ),
    ("k3s", k3s(), "flannel", "kube-router", True),
    ("k3s with its controller off", k3s("--disable-network-policy"), "flannel", "none", False),
    ("k3s with its controller off, and Calico", k3s("--disable-network-policy") + CALICO, None, None, None),
    (
        "k3s without flannel, with Cilium",
        node("n1", {"k3s.io/node-args": '["server", "--flannel-backend", "none"]'}, "v1.33.4+k3s1") + CILIUM,
        "cilium",
        "cilium",
        True,
    ),
    ("k3s, nodes without annotations", node(version="v1.33.4+k3s1"), "flannel", "kube-router", True),
    ("rke2, nodes that flannel annotates", node("n1", K3S_FLANNEL, "v1.33.4+rke2r1"), "flannel", None, None),
    (
        "rke2 with canal's annotations",
        node("n1", {**K3S_FLANNEL, "projectcalico.org/IPv4Address": "192.0.2.1/24"}, "v1.33.4+rke2r1"),
        "canal",
        "calico",
        True,
    ),
    ("rke2, nothing else", node(version="v1.33.4+rke2r1"), "canal", "calico", True),
    (
        "rke2 with flannel by option",
        node("n1", {"rke2.io/node-args": '["server", "--cni", "flannel"]'}, "v1.33.4+rke2r1"),
        "flannel",
        "none",
        False,
    ),
    (
        "eks, nothing else",
        node(version="v1.33.4-eks-abc", providerID="aws:///us-east-1a/i-1"),
        "aws-vpc-cni",
        None,
        None,
    ),
    ("gke, nothing else", node(version="v1.33.4-gke.1"), None, None, None),
    ("kind", "{apiVersion: kind.x-k8s.io/v1alpha4, kind: Cluster}", "kindnet", None, None),
    (
        "kind without a plugin",
        "{apiVersion: kind.x-k8s.io/v1alpha4, kind: Cluster, networking: {disableDefaultCNI: true}}",
        None,
        None,
        None,
    ),
    ("several plugins: examples", FLANNEL + CALICO, None, None, None),
    (
        "left-over configuration of another",
        CILIUM + config_map("calico-config", {"veth_mtu": "0"}),
        "cilium",
        "cilium",
        True,
    ),
    (
        "multus before flannel",
        FLANNEL + daemon_set("kube-multus-ds", "ghcr.io/k8snetworkplumbingwg/multus-cni:stable"),
        "flannel",
        "none",
        False,
    ),
    ("nothing", "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}", None, None, None),
    # Look-alikes: the name, the image or the namespace alone is no evidence.
    ("an application called cilium", daemon_set("cilium", "registry.example/shop/reef:1"), None, None, None),
    ("an application that tests flannel", daemon_set("web", "flannel/minikube", "shop"), None, None, None),
    ("flannel's name in another namespace", daemon_set("kube-flannel-ds", "flannel/flannel", "shop"), None, None, None),
    (
        "a ConfigMap of that name elsewhere",
        config_map("cilium-config", {"ipam": "kubernetes"}, "shop"),
        None,
        None,
        None,
    ),
    (
        "a policy of Cilium's own kind",
        "{apiVersion: cilium.io/v2, kind: CiliumNetworkPolicy, metadata: {name: p}}",
        None,
        None,
        None,
    ),
]


@pytest.mark.parametrize(
    ("text", "plugin", "engine", "enforced"), [row[1:] for row in MATRIX], ids=[row[0] for row in MATRIX]
)
def test_the_matrix(cluster: Make, text: str, plugin: str | None, engine: str | None, enforced: bool | None) -> None:
    facts = cluster(text).facts
    assert facts.cni.value == plugin
    assert facts.policy_engine.value == engine
    assert facts.enforces_network_policy.value is enforced
    for fact in (facts.cni, facts.policy_engine, facts.enforces_network_policy):
        assert fact.value is None or fact.evidence


DECLARED = [
    ({"cni": {"name": "flannel"}}, "none", False),
    ({"cni": {"name": "Calico"}}, "calico", True),
    ({"cni": {"name": "amazon-vpc-cni"}}, "none", False),
    ({"cni": {"name": "somebody-elses"}}, None, None),
    ({"cni": {"name": "flannel", "policyEngine": "kube-network-policies"}}, "kube-network-policies", True),
    ({"cni": {"name": "calico", "enforcesNetworkPolicy": False}}, "none", False),
    ({"distribution": "k3s"}, "kube-router", True),
    ({"distribution": "k3s", "cni": {"name": "flannel"}}, "kube-router", True),
    ({"distribution": "k3s", "k3sConfig": {"disable-network-policy": True}}, "none", False),
    ({"distribution": "openshift"}, "ovn-kubernetes", True),
    ({}, None, None),
]


@pytest.mark.parametrize(("block", "engine", "enforced"), DECLARED, ids=[str(row[0]) for row in DECLARED])
def test_what_is_declared(cluster: Make, block: dict[str, object], engine: str | None, enforced: bool | None) -> None:
    facts = cluster("", **block).facts
    assert facts.policy_engine.value == engine
    assert facts.enforces_network_policy.value is enforced


def test_declared_flannel_with_an_engine_in_the_input(cluster: Make) -> None:
    text = daemon_set("knp", "registry.k8s.io/networking/kube-network-policies:v1.1.1")
    facts = cluster(text, cni={"name": "flannel"}).facts
    assert (facts.cni.value, facts.policy_engine.value) == ("flannel", "kube-network-policies")
    assert facts.enforces_network_policy.value is True


def test_evidence_says_where(cluster: Make) -> None:
    facts = cluster(FLANNEL).facts
    assert facts.cni.origin == "object"
    assert facts.cni.because == "DaemonSet kube-flannel/kube-flannel-ds runs ghcr.io/flannel-io/flannel:v0.27.4"
    assert facts.cni.place is not None
    assert facts.cni.place.path == ("spec", "template", "spec", "containers", 0, "image")
    assert facts.cni_version.value == "0.27.4"
    default = cluster(node(version="v1.33.4+k3s1")).facts
    assert default.cni.origin == "default"
    assert default.enforces_network_policy.origin == "default"
    declared = cluster("", cni={"name": "calico"}).facts
    assert declared.cni.origin == "declared"
    assert declared.cni.place is not None
    assert declared.cni.place.ref is not None
    assert (declared.cni.place.ref.kind, declared.cni.place.path) == ("Config", ("cluster", "cni", "name"))


def test_several_plugins_are_all_named(cluster: Make) -> None:
    facts = cluster(FLANNEL + CALICO).facts
    assert [plugin.name for plugin in facts.plugins] == ["calico", "flannel"]
    assert len(facts.cni.evidence) == 2


def test_a_cluster_without_a_configuration_has_facts() -> None:
    from netlint.cluster import build, divide

    (part,) = divide([], Config())
    assert build(part, Config()).facts.node_port_range.value == (30000, 32767)
