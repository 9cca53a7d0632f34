"""The address plan: roles, overlaps that matter and those that do not."""

from collections.abc import Callable

import pytest

from netlint.cluster import Cluster
from netlint.cluster.addresses import address_range
from netlint.findings import Severity, format_path
from netlint.knowledge.address_roles import MUST_BE_APART, Role

Make = Callable[..., Cluster]

NODE = """\
---
apiVersion: v1
kind: Node
metadata: {name: %s}
spec: {podCIDRs: [%s]}
status: {addresses: [{type: InternalIP, address: %s}]}
"""
POOL = "---\n{apiVersion: crd.projectcalico.org/v1, kind: IPPool, metadata: {name: %s}, spec: {cidr: %s}}\n"
METALLB = """\
---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: p, namespace: m}
spec: {addresses: [%s]}
"""
KUBEADM = """\
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
networking: {podSubnet: '%s', serviceSubnet: '%s'}
"""


def clashes(cluster: Cluster) -> list[tuple[str, str, list[str], Severity]]:
    return [
        (
            clash.range.text,
            format_path(clash.range.place.path) if clash.range.place else "",
            [other.text for other in clash.others],
            clash.severity,
        )
        for clash in cluster.addresses.clashes()
    ]


@pytest.mark.parametrize(
    ("text", "family", "first", "last"),
    [
        ("10.0.0.0/8", 4, 10 << 24, (11 << 24) - 1),
        ("10.0.0.5/24", 4, 10 << 24, (10 << 24) + 255),
        ("10.0.0.1", 4, (10 << 24) + 1, (10 << 24) + 1),
        ("10.0.0.1-10.0.0.9", 4, (10 << 24) + 1, (10 << 24) + 9),
        ("10.0.0.1 - 10.0.0.9/24", 4, (10 << 24) + 1, (10 << 24) + 9),
        ("::1", 6, 1, 1),
    ],
)
def test_ranges_as_numbers(text: str, family: int, first: int, last: int) -> None:
    found = address_range(Role.POD, text, "x", None)
    assert found is not None
    assert (found.family, found.first, found.last) == (family, first, last)


@pytest.mark.parametrize("text", ["", "10.0.0.0/33", "10.0.0.9-10.0.0.1", "10.0.0.1-::1", "${CIDR}", None, 7])
def test_what_is_no_range(text: object) -> None:
    assert address_range(Role.POD, text, "x", None) is None


def test_ranges_that_hold_each_other_by_design(cluster: Make) -> None:
    text = KUBEADM % ("10.244.0.0/16", "10.96.0.0/12") + POOL % ("a", "10.244.0.0/16")
    text += NODE % ("n1", "10.244.0.0/24", "192.0.2.11") + NODE % ("n2", "10.244.1.0/24", "192.0.2.12")
    made = cluster(text, podCIDRs=["10.244.0.0/16"], serviceCIDRs=["10.96.0.0/12"], nodeCIDRs=["192.0.2.0/24"])
    assert clashes(made) == []
    assert len(made.addresses.of(Role.POD)) == 2
    assert {entry.role for entry in made.addresses.overlapping("10.244.1.7")} == {Role.POD, Role.POOL, Role.SLICE}
    assert made.addresses.overlapping("10.244.1.7", Role.SERVICE) == ()


def test_a_service_range_inside_the_pod_range(cluster: Make) -> None:
    assert clashes(cluster(KUBEADM % ("fd00:1::/64", "fd00:1::/108"))) == [
        ("fd00:1::/108", "networking.serviceSubnet", ["fd00:1::/64"], Severity.ERROR)
    ]


def test_families_never_meet(cluster: Make) -> None:
    assert clashes(cluster("", podCIDRs=["::/0"], serviceCIDRs=["0.0.0.0/0"])) == []


def test_a_pool_over_the_nodes(cluster: Make) -> None:
    text = POOL % ("p", "192.168.0.0/16") + NODE % ("a", "192.168.0.0/24", "192.168.50.10")
    text += NODE % ("b", "192.168.1.0/24", "192.168.50.11")
    assert clashes(cluster(text)) == [
        ("192.168.0.0/16", "spec.cidr", ["192.168.50.10", "192.168.50.11"], Severity.ERROR)
    ]


def test_two_pools_are_told_of_once(cluster: Make) -> None:
    assert clashes(cluster(POOL % ("a", "10.244.0.0/16") + POOL % ("b", "10.244.128.0/17"))) == [
        ("10.244.128.0/17", "spec.cidr", ["10.244.0.0/16"], Severity.ERROR)
    ]
    assert clashes(cluster(POOL % ("a", "10.244.0.0/17") + POOL % ("b", "10.244.128.0/17"))) == []


def test_the_same_slice_on_two_nodes(cluster: Make) -> None:
    text = NODE % ("a", "10.244.0.0/24", "192.0.2.1") + NODE % ("b", "10.244.0.0/24", "192.0.2.2")
    assert clashes(cluster(text)) == [("10.244.0.0/24", "spec.podCIDRs[0]", ["10.244.0.0/24"], Severity.ERROR)]


def test_a_load_balancer_pool_beside_the_nodes_in_their_network(cluster: Make) -> None:
    node = NODE % ("a", "10.244.0.0/24", "192.0.2.180")
    beside = METALLB % "192.0.2.10-192.0.2.20"
    assert clashes(cluster(node + beside, nodeCIDRs=["192.0.2.0/24"])) == []
    over = METALLB % "192.0.2.10-192.0.2.200"
    assert clashes(cluster(node + over, nodeCIDRs=["192.0.2.0/24"])) == [
        ("192.0.2.10-192.0.2.200", "spec.addresses[0]", ["192.0.2.180"], Severity.ERROR)
    ]


def test_docker_on_the_nodes(cluster: Make) -> None:
    made = cluster("", podCIDRs=["172.16.0.0/14"], peerCIDRs=["172.17.0.0/16"], dockerBridgeCIDR="172.17.0.0/16")
    assert clashes(made) == [
        ("172.16.0.0/14", "cluster.podCIDRs[0]", ["172.17.0.0/16"], Severity.ERROR),  # pods and peers
        ("172.16.0.0/14", "cluster.podCIDRs[0]", ["172.17.0.0/16"], Severity.WARNING),  # pods and docker0
        ("172.17.0.0/16", "cluster.peerCIDRs[0]", ["172.17.0.0/16"], Severity.WARNING),
    ]
    node = "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {nodeInfo: {containerRuntimeVersion: %s}}}"
    assert clashes(cluster(node % "docker://28.1.1", podCIDRs=["172.16.0.0/14"])) == [
        ("172.16.0.0/14", "cluster.podCIDRs[0]", ["172.17.0.0/16"], Severity.WARNING)
    ]
    assert clashes(cluster(node % "containerd://2.0.5", podCIDRs=["172.16.0.0/14"])) == []


def test_pods_that_live_in_the_vpc(cluster: Make) -> None:
    block = {"podCIDRs": ["10.0.64.0/18"], "vpcCIDRs": ["10.0.0.0/16"]}
    assert clashes(cluster("", cni={"name": "aws-vpc-cni"}, **block)) == []
    assert clashes(cluster("", **block)) == []  # a plugin that is not known may be of that kind
    assert [severity for *_, severity in clashes(cluster("", cni={"name": "flannel"}, **block))] == [Severity.ERROR]


def test_pods_that_share_subnets_with_their_nodes(cluster: Make) -> None:
    # The AWS VPC CNI takes pods' addresses from the subnets of the nodes: that they meet is how it works.
    block = {"podCIDRs": ["10.0.0.0/16"], "nodeCIDRs": ["10.0.7.0/24"]}
    status = "{addresses: [{type: InternalIP, address: 10.0.7.9}]}"
    node = f"{{apiVersion: v1, kind: Node, metadata: {{name: n}}, status: {status}}}"
    assert clashes(cluster(node, cni={"name": "aws-vpc-cni"}, **block)) == []
    for cni in ({"name": "calico"}, {}):
        assert [severity for *_, severity in clashes(cluster(node, cni=cni, **block))] == [Severity.ERROR] * 2
    # Service addresses are of no subnet.
    made = cluster("", cni={"name": "aws-vpc-cni"}, serviceCIDRs=["10.0.0.0/16"], nodeCIDRs=["10.0.7.0/24"])
    assert [severity for *_, severity in clashes(made)] == [Severity.ERROR]


def test_defaults_of_a_distribution_clash_with_nothing(cluster: Make) -> None:
    assert clashes(cluster("", distribution="k3s", nodeCIDRs=["10.42.0.0/16"])) == []


def test_a_plugin_uses_ranges_of_its_own(cluster: Make) -> None:
    found = clashes(cluster("", cni={"name": "kube-ovn"}, podCIDRs=["100.64.0.0/10"]))
    assert found == [("100.64.0.0/10", "cluster.podCIDRs[0]", ["100.64.0.0/16"], Severity.WARNING)]


def test_secondary_networks(cluster: Make) -> None:
    text = """\
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: n, namespace: shop}
spec: {config: '{"type": "macvlan", "ipam": {"type": "whereabouts", "range": "10.244.9.0/24"}}'}
"""
    assert clashes(cluster(text, podCIDRs=["10.244.0.0/16"])) == [
        ("10.244.9.0/24", "spec.config", ["10.244.0.0/16"], Severity.WARNING)
    ]
    assert clashes(cluster(text.replace('"range"', '"rang"'), podCIDRs=["10.244.0.0/16"])) == []
    assert clashes(cluster(text.replace('"type": "macvlan", ', "nonsense"), podCIDRs=["10.244.0.0/16"])) == []


def test_the_table_of_roles_speaks_each_pair_once() -> None:
    assert not [pair for pair in MUST_BE_APART if pair[0] is not pair[1] and (pair[1], pair[0]) in MUST_BE_APART]
