"""The suggested policies let through what is needed, and nothing else."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from breaking import cluster_of, objects_of

from netlint.cluster import Workload, build, divide
from netlint.cluster.config import no_config, parse_config
from netlint.intent import Intents
from netlint.intent.suggest import suggest
from netlint.policy import PolicyAnalysis
from netlint.predicates import NO_TRAFFIC, TrafficSet
from netlint.reports.suggest import suggestions_json, suggestions_yaml
from netlint.resources import load
from netlint.sources import read_text
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

    data = {"key": value, "list": [value, {"inner": [value]}], value or "empty": 1, "none": [], "map": {}}
    assert read_text(to_yaml(data)).documents[0].data == data


def test_json() -> None:
    cluster, _ = cluster_of(objects_of([MARKET.read_text()]))
    found = json.loads(suggestions_json(suggest(cluster, PolicyAnalysis.of(cluster), Intents(cluster)), "x"))
    assert found["version"] == 1
    assert found["policies"][0]["manifest"]["kind"] == "NetworkPolicy"


def suggested(text: str, config: str = "") -> tuple[dict[str, Any], str]:
    """The specs of the suggested policies by name, and their text."""
    reading = read_text(text)
    settings = parse_config(config)
    (cluster,) = [build(part, settings) for part in divide(load(reading.documents), settings)]
    written = suggestions_yaml(suggest(cluster, PolicyAnalysis.of(cluster), Intents(cluster)))
    return {each["metadata"]["name"]: each["spec"] for each in objects_of([written])}, written


def pod(name: str, spec: str = "", env: str = "", labels: str = "") -> str:
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: shop, labels: {{{labels or "app: " + name}}}}}
spec:
  {spec or "restartPolicy: Always"}
  containers: [{{name: x, image: x, ports: [{{containerPort: 8080}}], env: [{env}]}}]
---
apiVersion: v1
kind: Service
metadata: {{name: {name}, namespace: shop}}
spec: {{selector: {{app: {name}}}, ports: [{{port: 80, targetPort: 8080}}]}}
---
"""


CALLS_DB = "{name: DB_URL, value: 'http://db'}"


def test_the_address_of_a_node_local_cache_is_a_block() -> None:
    specs, _ = suggested(
        pod("web", env=CALLS_DB) + pod("db"), "cluster: {clusterDNS: {addresses: [169.254.20.10, 'fe80::a']}}"
    )
    (dns,) = [rule for rule in specs["web"]["egress"] if rule["ports"][0]["port"] == 53]
    assert dns["to"] == [{"ipBlock": {"cidr": "169.254.20.10/32"}}, {"ipBlock": {"cidr": "fe80::a/128"}}]


def test_hosts_that_are_no_services_are_named_and_not_admitted() -> None:
    env = "{name: PAY_URL, value: 'https://pay.example.com/v1'}, {name: OTHER, value: 'http://x.elsewhere.svc'}"
    specs, text = suggested(pod("web", env=env))
    assert "# not admitted, since it is no Service of the input: pay.example.com:443 (env PAY_URL)" in text
    assert "# not admitted, since it is no Service of the input: x.elsewhere.svc:80 (env OTHER)" in text
    assert [rule["ports"][0]["port"] for rule in specs["web"]["egress"]] == [53]


def test_pods_on_the_hosts_network_come_by_their_nodes_addresses() -> None:
    world = pod("agent", spec="hostNetwork: true\n  dnsPolicy: ClusterFirstWithHostNet", env=CALLS_DB) + pod("db")
    specs, text = suggested(world)
    assert specs["db"]["ingress"] == [
        {"from": [{"ipBlock": {"cidr": "0.0.0.0/0"}}], "ports": [{"port": 8080, "protocol": "TCP"}]}
    ]
    assert "any address, since it is on the host's network" in text
    known, _ = suggested(world, "cluster: {nodeCIDRs: [192.0.2.0/24]}")
    assert known["db"]["ingress"][0]["from"] == [{"ipBlock": {"cidr": "192.0.2.0/24"}}]


def test_pods_that_no_label_tells_apart_are_named() -> None:
    _, text = suggested(pod("web", env=CALLS_DB) + pod("db") + pod("twin", labels="app: db"))
    assert "# covers shop/twin too, whose labels are the same" in text


def test_pods_without_labels_cannot_be_named() -> None:
    world = pod("web", env=CALLS_DB).replace("labels: {app: web}", "labels: {}") + pod("db")
    specs, text = suggested(world)
    assert "ingress" not in specs["db"]
    assert "# not admitted, since it has no labels to select it by: from shop/web" in text


SERVERS = """
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: kubernetes, namespace: default, labels: {kubernetes.io/service-name: kubernetes}}
addressType: IPv4
endpoints: [{addresses: [192.0.2.10]}, {addresses: [192.0.2.11]}]
ports: [{name: https, port: 6443, protocol: TCP}]
---
apiVersion: v1
kind: Service
metadata: {name: kubernetes, namespace: default}
spec: {clusterIP: 10.96.0.1, ports: [{name: https, port: 443, targetPort: 6443}]}
---
"""


def test_the_api_server_by_its_addresses_where_they_are_known() -> None:
    asks = pod("web", env="{name: API, value: 'https://kubernetes.default.svc'}")
    specs, _ = suggested(asks + SERVERS)
    rules = [rule for rule in specs["web"]["egress"] if rule["ports"][0]["port"] != 53]
    assert rules == [
        {
            "to": [{"ipBlock": {"cidr": "10.96.0.1/32"}}],
            "ports": [{"port": 443, "protocol": "TCP"}],
        },
        {
            "to": [{"ipBlock": {"cidr": "192.0.2.10/32"}}, {"ipBlock": {"cidr": "192.0.2.11/32"}}],
            "ports": [{"port": 6443, "protocol": "TCP"}],
        },
    ]
    unknown, _ = suggested(asks)
    assert unknown["web"]["egress"][0]["to"] == [{"ipBlock": {"cidr": "0.0.0.0/0"}}]
