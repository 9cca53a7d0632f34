"""The tables of facts: worked examples of the sources, and that the tables fit together."""

import pytest

from netlint.knowledge.capabilities import ENGINES, capabilities, plugin_name
from netlint.knowledge.distributions import DISTRIBUTIONS, KUBELET_VERSION_MARKS, NODE_LABEL_MARKS
from netlint.knowledge.encapsulation import OVERHEADS, total_overhead
from netlint.knowledge.plugins import AGENTS, CONFIG_MAPS, NODE_ANNOTATIONS, RESOURCES


@pytest.mark.parametrize(
    ("plugin", "encapsulation", "encryption", "v4", "v6"),
    [
        # The worked examples of each project's MTU page, as what is taken off 1500.
        ("calico", "vxlan", None, 50, 70),
        ("calico", "ipip", None, 20, None),
        ("calico", "wireguard", None, 60, 80),
        ("calico", "vxlan", "wireguard", 60, 80),  # either the one or the other for a pair of nodes
        ("flannel", "vxlan", None, 50, 50),
        ("flannel", "wireguard", None, 80, 80),
        ("cilium", "vxlan", None, 50, 70),
        ("cilium", "vxlan", "wireguard", 130, 150),
        ("cilium", "geneve", "ipsec", 127, 167),
        ("antrea", "geneve", "ipsec", 88, 128),
        ("antrea", "geneve", "wireguard", 60, 80),  # the tunnel is not used then
        ("aws-vpc-cni", "none", None, 0, 0),
    ],
)
def test_overheads(plugin: str, encapsulation: str, encryption: str | None, v4: int, v6: int | None) -> None:
    cost = total_overhead(encapsulation, encryption, plugin)
    assert cost is not None
    assert (cost.v4, cost.v6) == (v4, v6)


def test_an_unknown_encapsulation_has_no_overhead() -> None:
    assert total_overhead("carrier-pigeon") is None
    assert total_overhead("vxlan", "carrier-pigeon") is None


def test_ipv6_headers_are_longer_by_twenty() -> None:
    for name, cost in OVERHEADS.items():
        assert cost.v6 in (None, cost.v4 + 20) or name == "none"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Calico", "calico"),
        ("AWS_VPC_CNI", "aws-vpc-cni"),
        ("amazon-vpc-cni-k8s", "aws-vpc-cni"),
        ("weave net", "weave"),
    ],
)
def test_names_of_plugins(text: str, name: str) -> None:
    assert plugin_name(text) == name


def test_every_plugin_that_can_be_recognised_has_its_capabilities() -> None:
    plugins = {row.plugin for row in AGENTS if row.role != "meta"} | {row.plugin for row in CONFIG_MAPS}
    plugins |= set(RESOURCES.values()) | {plugin for _, plugin in NODE_ANNOTATIONS}
    assert plugins <= ENGINES.keys()
    assert {row.cni for row in DISTRIBUTIONS.values() if row.cni} <= ENGINES.keys()


def test_every_mark_names_a_distribution() -> None:
    marks = {name for _, name in KUBELET_VERSION_MARKS} | {name for _, name in NODE_LABEL_MARKS}
    assert marks <= DISTRIBUTIONS.keys()


def test_capabilities_name_their_source() -> None:
    assert all(row.source for row in ENGINES.values() if row.engine != "openshift-sdn")
    assert capabilities("canal") is capabilities("calico")
    assert capabilities(None) is None
    assert capabilities("nobody's") is None
