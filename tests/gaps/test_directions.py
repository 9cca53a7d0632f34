"""What rules say: each direction in its own words, and whether a witness is in the input."""

import json
from typing import Any

from netlint.cluster import build, divide
from netlint.cluster.config import parse_config
from netlint.findings import Finding, format_path
from netlint.resources import load
from netlint.sources import read_text
from netlint.triage import Options, check


def findings(code: str, *objects: dict[str, Any], config: str = "") -> list[Finding]:
    reading = read_text("\n---\n".join(json.dumps(each) for each in objects), "x.yaml")
    settings = parse_config(config)
    clusters = [build(part, settings) for part in divide(load(reading.documents), settings)]
    return list(check(reading, clusters, settings, Options(select=(code,))).findings)


def policy(**spec: Any) -> dict[str, Any]:
    meta = {"name": spec.pop("name", "p"), "namespace": "shop"}
    spec.setdefault("podSelector", {"matchLabels": {"app": "web"}})
    return {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": meta, "spec": spec}


def pod(name: str, namespace: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": {"app": name}},
        "spec": {"containers": [{"name": "main", "image": "x"}]},
    }


def namespace(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def test_two_peers_of_an_egress_rule() -> None:
    peers = [
        {"podSelector": {"matchLabels": {"app": "store"}}},
        {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "data"}}},
    ]
    world = [namespace("shop"), namespace("data"), pod("web", "shop"), pod("store", "data"), pod("other", "data")]
    (found,) = findings("NET112", *world, policy(policyTypes=["Egress"], egress=[{"to": peers}]))
    assert found.message.startswith("lets out to every pod of namespace data and every pod of shop with app=store")
    assert "data/other is let out to too" in found.message
    assert found.help == "make one peer of them: drop the dash before the namespaceSelector"
    assert found.witness is not None
    assert (found.witness.source, found.witness.destination["namespace"]) == ({"namespace": "shop"}, "data")


def test_all_addresses_of_one_family_in_each_direction() -> None:
    both = "cluster: {podCIDRs: [10.244.0.0/16, 'fd00::/48']}"
    four, six = {"ipBlock": {"cidr": "0.0.0.0/0"}}, {"ipBlock": {"cidr": "::/0"}}
    crossed = policy(policyTypes=["Ingress", "Egress"], ingress=[{"from": [four]}], egress=[{"to": [six]}])
    assert [format_path(each.place.path) for each in findings("NET121", crossed, config=both) if each.place] == [
        "spec.ingress[0].from[0].ipBlock.cidr",
        "spec.egress[0].to[0].ipBlock.cidr",
    ]
    apart = policy(policyTypes=["Ingress"], ingress=[{"from": [four]}, {"from": [six]}])
    assert findings("NET121", apart, config=both) == []


def test_egress_without_rules_under_a_name_for_ingress() -> None:
    opened = [{"ports": [{"port": 80}]}]
    ingress = policy(name="allow-ingress", policyTypes=["Ingress", "Egress"], ingress=opened)
    assert [each.severity.value for each in findings("NET111", pod("web", "shop"), ingress)] == ["info"]
    for meant in (
        policy(name="allow-ingress", policyTypes=["Ingress", "Egress"], ingress=opened, egress=[]),
        policy(name="web", policyTypes=["Ingress", "Egress"], ingress=opened),
        policy(name="ingress-nginx-backend", policyTypes=["Ingress", "Egress"], ingress=opened),
        policy(name="allow-ingress", policyTypes=["Ingress"], ingress=opened),
        policy(name="ingress-and-egress", policyTypes=["Ingress", "Egress"], ingress=opened),
    ):
        assert findings("NET111", pod("web", "shop"), meant) == []
    out = policy(name="out", policyTypes=["Egress"], egress=[{}])
    assert findings("NET111", pod("web", "shop"), ingress, out) == []


def test_no_packet_comes_from_the_address_of_a_service() -> None:
    services = "cluster: {serviceCIDRs: [10.96.0.0/16]}"
    entering = policy(policyTypes=["Ingress"], ingress=[{"from": [{"ipBlock": {"cidr": "10.96.1.0/24"}}]}])
    (found,) = findings("NET114", entering, config=services)
    assert "no packet comes from there" in found.message
    wider = policy(policyTypes=["Ingress"], ingress=[{"from": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}])
    assert findings("NET114", wider, config=services) == []


def test_a_witness_in_a_namespace_that_is_not_there_says_how_to_read_it() -> None:
    spaces = [{**namespace(name), "metadata": {"name": name, "labels": {"team": name}}} for name in ("a", "b")]
    own = [policy(podSelector={}, ingress=[{"from": [{"podSelector": {}}]}]) for _ in spaces]
    for each, space in zip(own, spaces, strict=True):
        each["metadata"]["namespace"] = space["metadata"]["name"]
    tenants = "assertions: [{name: tenants, isolated: {by: team}}]\n"
    (found,) = findings("NET117", *spaces, *own, config=tenants)
    assert "world: closed" in (found.help or "")
    assert findings("NET117", *spaces, *own, config=tenants + "world: closed\n") == []
    opened = policy(podSelector={}, ingress=[{}])
    opened["metadata"] = {"name": "open", "namespace": "b"}
    (found,) = findings("NET117", *spaces, *own, opened, config=tenants + "world: closed\n")
    assert found.help is None
    assert "in namespace a to a pod" in found.message
