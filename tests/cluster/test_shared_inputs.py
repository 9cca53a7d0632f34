"""Real input: facts of the rebuilt reports, and folders of the corpus that are collections of examples."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from netlint.cluster import Cluster, build, divide
from netlint.cluster.config import Config
from netlint.resources import load
from netlint.sources import ReadOptions
from netlint.sources import read as read_input

# By the cases' own descriptions: whose ranges must not meet, and whose sources contradict.
CLASHING = {
    "docker-bridge-in-pod-range",
    "load-balancer-pool-is-the-nodes",
    "pool-covers-the-node-addresses",
    "service-range-covers-node-network",
    "service-range-inside-pod-range",
    "two-pools-overlap",
    "vpn-range-is-the-docker-bridge",
}
CONTRADICTING = {"flannel-network-not-the-pod-subnet"}
ENFORCED = {
    "flannel-enforces-nothing": False,
    "flannel-with-policy-controller": True,
    "k3s-brings-its-own-controller": True,
    "cilium-policy-covers-the-pod": True,
    "ippool-outside-cluster-cidr": True,
    "default-deny-in-one-namespace": None,
}


@pytest.fixture
def case(shared: Path) -> Callable[[str], Cluster]:
    def make(name: str) -> Cluster:
        folder = shared / "cases" / name
        facts = YAML(typ="safe", pure=True).load((folder / "case.yaml").read_text()).get("facts") or {}
        config = Config.model_validate({"cluster": facts})
        (part,) = divide(load(read_input([str(folder / "manifests")], options=ReadOptions()).documents), config)
        return build(part, config)

    return make


def test_cases_clash_and_contradict_where_they_say(shared: Path, case: Callable[[str], Cluster]) -> None:
    names = sorted(path.parent.name for path in (shared / "cases").glob("*/case.yaml"))
    clusters = {name: case(name) for name in names}
    assert {name for name, made in clusters.items() if list(made.addresses.clashes())} == CLASHING
    assert {name for name, made in clusters.items() if made.facts.contradictions} == CONTRADICTING


@pytest.mark.parametrize("name", ENFORCED)
def test_whether_policies_work_in_a_case(case: Callable[[str], Cluster], name: str) -> None:
    assert case(name).facts.enforces_network_policy.value is ENFORCED[name]


@pytest.mark.parametrize(
    ("folder", "plugins"),
    [
        # The plugins' own repositories are recognised; collections of applications show none.
        ("flannel-io+flannel", {"flannel"}),
        ("weaveworks+weave", {"weave"}),
        ("openshift+cluster-network-operator", {"ovn-kubernetes"}),
        ("kubernetes+examples", set()),
        ("ministryofjustice+cloud-platform-environments", set()),
        ("prometheus-operator+kube-prometheus", set()),
        ("cilium+cilium", set()),  # policies only
    ],
)
def test_plugins_of_a_corpus_folder(shared: Path, folder: str, plugins: set[str]) -> None:
    documents = read_input([str(shared / "corpus" / folder)], options=ReadOptions()).documents
    clusters = [build(part) for part in divide(load(documents), Config())]
    found = {plugin.name for made in clusters for plugin in made.facts.plugins}
    assert found == plugins
    assert not [c for made in clusters for c in made.facts.contradictions]
