"""Ranges, MTUs, encapsulation, versions and the rest; and what contradicts."""

import json
from collections.abc import Callable

import pytest

from netlint.cluster import Cluster, ClusterDNS
from netlint.findings import Severity, format_path

Make = Callable[..., Cluster]


def kubeadm(pods: str = "10.244.0.0/16", services: str = "10.96.0.0/12", more: str = "") -> str:
    return f"""\
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.33.4
networking: {{podSubnet: "{pods}", serviceSubnet: "{services}"}}
{more}
"""


def flannel(network: str = "10.244.0.0/16", **backend: object) -> str:
    text = json.dumps({"Network": network, "Backend": {"Type": "vxlan", **backend}})
    return f"""\
---
apiVersion: v1
kind: ConfigMap
metadata: {{name: kube-flannel-cfg, namespace: kube-flannel}}
data: {{net-conf.json: {json.dumps(text)}}}
"""


def config_map(name: str, **data: str) -> str:
    text = f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: kube-system}}\n"
    return f"{text}data: {json.dumps(data)}\n"


def cilium(**data: str) -> str:
    return config_map("cilium-config", ipam="kubernetes", **{key.replace("_", "-"): v for key, v in data.items()})


def pool(name: str, cidr: str, ipip: str = "Never", vxlan: str = "Never", more: str = "") -> str:
    return f"""\
---
apiVersion: crd.projectcalico.org/v1
kind: IPPool
metadata: {{name: {name}}}
spec: {{cidr: {cidr}, ipipMode: {ipip}, vxlanMode: {vxlan}{more}}}
"""


def proxy(text: str) -> str:
    return (
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: kube-proxy, namespace: kube-system}\n"
        f"data: {{config.conf: {json.dumps(text)}}}\n"
    )


def test_ranges_of_kubeadm_and_flannel_agree(cluster: Make) -> None:
    facts = cluster(kubeadm("10.244.0.0/16,fd00:1::/56", "10.96.0.0/12") + flannel("10.0.0.0/8")).facts
    assert facts.pod_cidrs.value == ("10.0.0.0/8", "fd00:1::/56")
    assert facts.service_cidrs.value == ("10.96.0.0/12",)
    assert facts.kubernetes_version.value == "1.33.4"
    assert facts.contradictions == ()


def test_kubeadm_in_its_config_map(cluster: Make) -> None:
    text = "apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\nnetworking: {podSubnet: 10.9.0.0/16}\n"
    text += "apiServer: {extraArgs: {service-node-port-range: 20000-22767}}\n"
    facts = cluster(config_map("kubeadm-config", ClusterConfiguration=text)).facts
    assert facts.pod_cidrs.value == ("10.9.0.0/16",)
    assert facts.node_port_range.value == (20000, 22767)
    assert facts.node_port_range.place is not None
    assert format_path(facts.node_port_range.place.path) == "data.ClusterConfiguration"


def test_extra_arguments_as_a_list(cluster: Make) -> None:
    more = "apiServer: {extraArgs: [{name: service-node-port-range, value: 80-32767}]}"
    facts = cluster(kubeadm(more=more)).facts
    assert facts.node_port_range.value == (80, 32767)
    assert facts.node_port_range.place is not None
    assert format_path(facts.node_port_range.place.path) == "apiServer.extraArgs[0].value"


def test_static_pods(cluster: Make) -> None:
    text = """\
apiVersion: v1
kind: Pod
metadata: {name: kube-apiserver-cp, namespace: kube-system}
spec:
  containers:
  - name: kube-apiserver
    command: [kube-apiserver, --service-cluster-ip-range=10.9.0.0/16, --service-node-port-range, 30000-30100]
---
apiVersion: v1
kind: Pod
metadata: {name: kube-controller-manager-cp, namespace: kube-system}
spec:
  containers:
  - {name: kube-controller-manager, command: [kube-controller-manager, --cluster-cidr=10.8.0.0/16]}
"""
    facts = cluster(text).facts
    assert facts.service_cidrs.value == ("10.9.0.0/16",)
    assert facts.pod_cidrs.value == ("10.8.0.0/16",)
    assert facts.node_port_range.value == (30000, 30100)
    assert facts.node_port_range.place is not None
    assert facts.node_port_range.place.path == ("spec", "containers", 0, "command", 3)
    elsewhere = cluster(text.replace("kube-system", "shop")).facts
    assert elsewhere.service_cidrs.value is None


def test_what_is_declared_counts_first(cluster: Make) -> None:
    facts = cluster(kubeadm(), podCIDRs=["10.244.0.0/15"], nodeMTU=9000, nodePortRange="31000-31999").facts
    assert facts.pod_cidrs.value == ("10.244.0.0/15",)
    assert facts.pod_cidrs.origin == "declared"
    assert (facts.node_mtu.value, facts.node_port_range.value) == (9000, (31000, 31999))
    assert facts.contradictions == ()


def test_pools_add_up_but_not_those_that_are_off(cluster: Make) -> None:
    text = (
        pool("a", "10.1.0.0/16", "Always")
        + pool("b", "10.2.0.0/16", vxlan="CrossSubnet")
        + pool("c", "10.3.0.0/16", more=", disabled: true")
        + pool("d", "10.4.0.0/16", more=", allowedUses: [LoadBalancer]")
    )
    facts = cluster(text).facts
    assert facts.pod_cidrs.value == ("10.1.0.0/16", "10.2.0.0/16")
    assert facts.encapsulation.value == "vxlan"  # 50 bytes, more than the 20 of IPIP


def test_a_range_that_kube_proxy_copies_is_the_last_resort(cluster: Make) -> None:
    text = proxy("kind: KubeProxyConfiguration\nclusterCIDR: 10.7.0.0/16\nmode: ipvs\n")
    assert cluster(text).facts.pod_cidrs.value == ("10.7.0.0/16",)
    assert cluster(text).facts.proxy_mode.value == "ipvs"
    assert cluster(text + pool("a", "10.1.0.0/16")).facts.pod_cidrs.value == ("10.1.0.0/16",)


def test_slices_of_nodes_where_nothing_else_is_known(cluster: Make) -> None:
    node = "---\n{apiVersion: v1, kind: Node, metadata: {name: n%d}, spec: {podCIDR: 10.244.%d.0/24}}\n"
    facts = cluster(node % (1, 1) + node % (2, 2)).facts
    assert facts.pod_cidrs.value == ("10.244.1.0/24", "10.244.2.0/24")
    assert cluster(node % (1, 1), cni={"name": "calico"}).facts.pod_cidrs.value is None


def test_a_default_that_the_nodes_deny(cluster: Make) -> None:
    node = "{apiVersion: v1, kind: Node, metadata: {name: n}, spec: {podCIDR: %s}}\n"
    assert cluster(node % "10.42.0.0/24", distribution="k3s").facts.pod_cidrs.value == ("10.42.0.0/16",)
    assert cluster(node % "10.52.0.0/24", distribution="k3s").facts.pod_cidrs.value == ("10.52.0.0/24",)


def test_kind_by_family(cluster: Make) -> None:
    text = "{apiVersion: kind.x-k8s.io/v1alpha4, kind: Cluster, networking: {ipFamily: dual, podSubnet: %s}}"
    facts = cluster(text % "null").facts
    assert facts.pod_cidrs.value == ("10.244.0.0/16", "fd00:10:244::/56")
    assert (facts.pod_cidrs.origin, facts.distribution.value) == ("default", "kind")
    assert cluster(text % "10.9.0.0/16").facts.pod_cidrs.value == ("10.9.0.0/16",)


def test_examples_of_one_setting_tell_nothing(cluster: Make) -> None:
    facts = cluster(kubeadm("10.1.0.0/16") + kubeadm("10.2.0.0/16")).facts
    assert facts.pod_cidrs.value is None
    assert facts.kubernetes_version.value == "1.33.4"
    assert facts.contradictions == ()


@pytest.mark.parametrize(
    ("text", "pod_mtu", "family"),
    [
        (flannel(MTU=1500), 1450, "underlay"),
        (flannel(MTU=1500, Type="wireguard"), 1420, "underlay"),
        (flannel(MTU=1500, Type="host-gw"), None, None),  # host-gw does not read the key
        (config_map("calico-config", calico_backend="bird", veth_mtu="1480"), 1480, "pod"),
        (config_map("calico-config", calico_backend="bird", veth_mtu="0"), None, "pod"),
        (cilium(routing_mode="tunnel", mtu="9000"), 8950, "underlay"),
        (cilium(routing_mode="native", mtu="9000"), 9000, "underlay"),
        (
            cilium(tunnel_protocol="geneve", mtu="1500", enable_wireguard="true"),
            1370,  # 1500 - 50 - 80
            "underlay",
        ),
    ],
)
def test_mtus_by_family(cluster: Make, text: str, pod_mtu: int | None, family: str | None) -> None:
    facts = cluster(text).facts
    assert facts.pod_mtu.value == pod_mtu
    assert [key.family for key in facts.mtu_keys] == ([family] if family else [])


@pytest.mark.parametrize(
    ("text", "encapsulation"),
    [
        (flannel(), "vxlan"),
        (flannel(Type="host-gw"), "none"),
        (flannel(Type="no-such-backend"), None),
        (pool("a", "10.1.0.0/16"), "none"),
        (cilium(tunnel="geneve"), "geneve"),
        (cilium(tunnel="disabled"), "none"),
        (config_map("antrea-config", **{"antrea-agent.conf": "tunnelType: gre\n"}), "gre"),
        (config_map("antrea-config", **{"antrea-agent.conf": "trafficEncapMode: noEncap\n"}), "none"),
    ],
)
def test_encapsulations(cluster: Make, text: str, encapsulation: str | None) -> None:
    assert cluster(text).facts.encapsulation.value == encapsulation


def test_dns_by_halves(cluster: Make) -> None:
    service = "---\n{apiVersion: v1, kind: Service, metadata: {name: kube-dns, namespace: kube-system}, spec: {%s}}\n"
    assert cluster(service % "clusterIP: 10.96.0.10").facts.cluster_dns.value == ClusterDNS(
        "kube-system/kube-dns", ("10.96.0.10",)
    )
    assert cluster(service % "").facts.cluster_dns.value == ClusterDNS("kube-system/kube-dns", ())
    assert cluster(service % "clusterIP: $DNS_IP").facts.cluster_dns.value == ClusterDNS("kube-system/kube-dns", ())
    declared = cluster(service % "", clusterDNS={"addresses": ["169.254.20.10"]}).facts
    assert declared.cluster_dns.value == ClusterDNS("kube-system/kube-dns", ("169.254.20.10",))
    assert declared.contradictions == ()
    openshift = cluster("", distribution="openshift").facts
    assert openshift.cluster_dns.value == ClusterDNS("openshift-dns/dns-default", ("172.30.0.10",))


def test_load_balancers(cluster: Make) -> None:
    metallb = "{apiVersion: metallb.io/v1beta1, kind: IPAddressPool, metadata: {name: p, namespace: m}, spec: {}}"
    assert cluster(metallb).facts.load_balancer_provider.value == "metallb"
    assert cluster("", distribution="k3s").facts.load_balancer_provider.value == "servicelb"
    off = cluster("", distribution="k3s", k3sConfig={"disable": ["traefik", "servicelb"]})
    assert off.facts.load_balancer_provider.value is None
    assert cluster("").facts.load_balancer_provider.value is None


def test_the_newest_kubelet_tells_most_of_the_server(cluster: Make) -> None:
    node = "---\n{apiVersion: v1, kind: Node, metadata: {name: %s}, status: {nodeInfo: {kubeletVersion: %s}}}\n"
    facts = cluster(node % ("a", "v1.9.7") + node % ("b", "v1.33.2+rke2r1")).facts
    assert (facts.kubernetes_version.value, facts.distribution.value) == ("1.33.2", "rke2")


def test_a_declared_mtu_is_a_setting_where_no_object_sets_one(cluster: Make) -> None:
    said = {"cni": {"name": "calico", "encapsulation": "vxlan", "mtu": 1500}}
    (key,) = cluster("", **said).facts.mtu_keys
    assert (key.plugin, key.name, key.value, key.family) == ("calico", "cni.mtu", 1500, "pod")
    assert key.place is not None
    assert format_path(key.place.path) == "cluster.cni.mtu"
    set_ = config_map("calico-config", calico_backend="vxlan", veth_mtu="1450")
    assert [key.name for key in cluster(set_, **said).facts.mtu_keys] == ["veth_mtu"]


def test_a_cloud_suggests_an_mtu(cluster: Make) -> None:
    node = "{apiVersion: v1, kind: Node, metadata: {name: a}, spec: {providerID: 'gce://p/z/n'}}"
    facts = cluster(node).facts
    assert (facts.node_mtu.value, facts.node_mtu.origin) == (1460, "default")


def contradictions(cluster: Cluster) -> list[tuple[str, Severity, str]]:
    return [
        (c.fact, c.severity, f"{c.place.ref.kind} {format_path(c.place.path)}")  # type: ignore[union-attr]
        for c in cluster.facts.contradictions
    ]


def test_flannel_must_hold_the_pod_range(cluster: Make) -> None:
    net_conf = 'ConfigMap data["net-conf.json"]'
    assert contradictions(cluster(kubeadm("100.64.0.0/16") + flannel("10.244.0.0/16"))) == [
        ("pod_cidrs", Severity.ERROR, net_conf)
    ]
    assert contradictions(cluster(kubeadm("10.244.0.0/15") + flannel("10.244.0.0/16"))) == [
        ("pod_cidrs", Severity.WARNING, net_conf)
    ]
    assert contradictions(cluster(kubeadm("10.244.0.0/16") + flannel("10.244.0.0/15"))) == []
    assert contradictions(cluster(kubeadm("fd00::/56") + flannel("10.244.0.0/16"))) == []


def test_kube_proxy_must_know_the_pod_range(cluster: Make) -> None:
    text = "kind: KubeProxyConfiguration\nclusterCIDR: %s\n"
    assert contradictions(cluster(kubeadm() + proxy(text % "10.9.0.0/16"))) == [
        ("pod_cidrs", Severity.WARNING, 'ConfigMap data["config.conf"]')
    ]
    assert contradictions(cluster(kubeadm() + proxy(text % "10.244.0.0/16"))) == []


def test_the_declared_against_what_is_seen(cluster: Make) -> None:
    other = cluster(kubeadm(), podCIDRs=["10.9.0.0/16"], serviceCIDRs=["10.96.0.0/12"], kubernetesVersion="1.30")
    assert contradictions(other) == [
        ("pod_cidrs", Severity.WARNING, "Config cluster.podCIDRs"),
        ("kubernetes_version", Severity.WARNING, "Config cluster.kubernetesVersion"),
    ]
    encapsulated = cluster(flannel(Type="host-gw"), cni={"name": "flannel", "encapsulation": "vxlan"})
    assert contradictions(encapsulated) == [("encapsulation", Severity.WARNING, "Config cluster.cni.encapsulation")]


def test_a_declared_plugin_against_another_at_work(cluster: Make) -> None:
    calico = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: calico-node, namespace: kube-system}
spec: {template: {spec: {containers: [{name: calico-node, image: "calico/node:v3.30.0"}]}}}
"""
    assert contradictions(cluster(calico, cni={"name": "flannel"})) == [
        ("cni", Severity.WARNING, "Config cluster.cni.name")
    ]
    assert contradictions(cluster(calico, cni={"name": "canal"})) == []


def test_what_pods_ask_against_the_service(cluster: Make) -> None:
    service = (
        "---\n{apiVersion: v1, kind: Service, metadata: {name: kube-dns, namespace: kube-system},"
        " spec: {clusterIP: 10.96.0.10}}\n"
    )
    kubelet = "{apiVersion: kubelet.config.k8s.io/v1beta1, kind: KubeletConfiguration, clusterDNS: [%s]}\n"
    assert contradictions(cluster(kubelet % "10.96.0.11" + service)) == [
        ("cluster_dns", Severity.WARNING, "KubeletConfiguration clusterDNS")
    ]
    assert contradictions(cluster(kubelet % "10.96.0.10" + service)) == []
    assert contradictions(cluster(kubelet % "169.254.20.10" + service)) == []


def test_node_port_ranges(cluster: Make) -> None:
    text = kubeadm(more="apiServer: {extraArgs: [{name: service-node-port-range, value: 30000-31000}]}")
    other = cilium(node_port_range="30000,32767")
    assert [fact for fact, _, _ in contradictions(cluster(text + other))] == ["node_port_range"]
    assert cluster(text + other).facts.node_port_range.value == (30000, 31000)
