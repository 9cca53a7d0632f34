"""The suggested policies let through what is needed, and nothing else."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from breaking import cluster_of, objects_of

from netlint.cluster import Workload
from netlint.cluster.config import no_config
from netlint.intent import Intents
from netlint.intent.suggest import suggest
from netlint.policy import PolicyAnalysis
from netlint.predicates import NO_TRAFFIC, TrafficSet
from netlint.reports.suggest import suggestions_json, suggestions_yaml
from netlint.triage import Options, check

MARKET = Path(__file__).parent / "market.yaml"


def deployed(objects: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """The objects without their policies, and with the suggested ones as the text that `netlint suggest` prints."""
    bare = [each for each in objects if each["kind"] != "NetworkPolicy"]
    cluster, _ = cluster_of(bare)
    text = suggestions_yaml(suggest(cluster, PolicyAnalysis.of(cluster), Intents(cluster)))
    return [*bare, *objects_of([text])], text


def check_exactly(objects: list[dict[str, Any]]) -> None:
    everything, _ = deployed(objects)
    cluster, reading = cluster_of(everything)
    policy = PolicyAnalysis.of(cluster)
    needed: dict[tuple[Workload, Workload], TrafficSet] = {}
    for flow in Intents(cluster).flows:
        if isinstance(flow.source, Workload) and isinstance(flow.destination, Workload):
            pair = (flow.source, flow.destination)
            assert flow.port is not None
            needed[pair] = needed.get(pair, NO_TRAFFIC) | TrafficSet.of(flow.protocol, flow.port)
    pods = [w for w in cluster.workloads if not w.host_network and w.namespace != "kube-system"]
    assert any(needed.get((source, destination)) for source in pods for destination in pods)
    for source in pods:
        for destination in pods:
            wanted = needed.get((source, destination), NO_TRAFFIC)
            (one,), (two,) = policy.endpoints_of(source), policy.endpoints_of(destination)
            passed = policy.connection(one, two).allowed
            assert passed == wanted, f"{source.id} -> {destination.id}: {passed}, needed {wanted}"
    result = check(reading, [cluster], no_config(), Options())
    assert [f.message for f in result.findings if f.code.startswith("NET1") and f.severity.value != "info"] == []


def test_the_market() -> None:
    check_exactly(objects_of([MARKET.read_text()]))


def test_online_boutique(shared: Path) -> None:
    root = shared / "corpus" / "GoogleCloudPlatform+microservices-demo" / "kustomize" / "base"
    objects = objects_of(path.read_text() for path in sorted(root.glob("*.yaml")))
    check_exactly([each for each in objects if each.get("kind") not in ("Kustomization", "Component", None)])


def test_dns_is_among_them_for_those_who_use_names() -> None:
    everything, _ = deployed(objects_of([MARKET.read_text()]))
    policies = {each["metadata"]["name"]: each["spec"] for each in everything if each["kind"] == "NetworkPolicy"}
    dns = [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]
    assert any(rule["ports"] == dns for rule in policies["web"]["egress"])
    assert "egress" not in policies["cache"], "the cache calls nobody"


def test_every_policy_isolates_both_ways_and_says_why() -> None:
    everything, text = deployed(objects_of([MARKET.read_text()]))
    policies = [each for each in everything if each["kind"] == "NetworkPolicy"]
    assert len(policies) == 10
    assert all(policy["spec"]["policyTypes"] == ["Ingress", "Egress"] for policy in policies)
    assert "# from shop/web on 8000/TCP: env API_URL" in text


def test_what_stands_in_names_stays_in_its_comment() -> None:
    objects = objects_of([MARKET.read_text()])
    web = next(each for each in objects if each["metadata"]["name"] == "web" and each["kind"] == "Deployment")
    web["spec"]["template"]["spec"]["containers"][0]["env"][0]["name"] = "API_URL\nkind: Secret"
    _, text = deployed(objects)
    assert all(each["kind"] == "NetworkPolicy" for each in objects_of([text]))


@pytest.mark.parametrize("value", ["yes", "1.0", "null", "a: b", "#x", "", "0x10", "é", "\x1b[31m", "2001:db8::/32"])
def test_texts_survive_the_writer(value: str) -> None:
    from netlint.intent.yaml_text import to_yaml
    from netlint.sources import read_text

    data = {"key": value, "list": [value, {"inner": [value]}], value or "empty": 1, "none": [], "map": {}}
    assert read_text(to_yaml(data)).documents[0].data == data


def test_json() -> None:
    cluster, _ = cluster_of(objects_of([MARKET.read_text()]))
    found = json.loads(suggestions_json(suggest(cluster, PolicyAnalysis.of(cluster), Intents(cluster)), "x"))
    assert found["version"] == 1
    assert found["policies"][0]["manifest"]["kind"] == "NetworkPolicy"
