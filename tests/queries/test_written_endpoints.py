"""A Service without a selector: its endpoints are those that a person or a program wrote (discovery/v1, core/v1)."""

from typing import Any

from netlint.policy.queries.expressions import parse_endpoint
from netlint.policy.queries.resolve import resolve
from netlint.policy.queries.why import Why, why

SERVICE = """---
apiVersion: v1
kind: Service
metadata: {name: legacy, namespace: shop}
spec: {ports: [{name: sql, port: 3306, targetPort: 9}, {name: web, port: 80}]}
"""
SLICE = """---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: legacy-1, namespace: shop, labels: {kubernetes.io/service-name: legacy}}
addressType: IPv4
ports: [{name: sql, port: 13306}]
endpoints: [{addresses: [198.51.100.4]}, {addresses: [198.51.100.5], conditions: {ready: false}}]
"""
ENDPOINTS = """---
apiVersion: v1
kind: Endpoints
metadata: {name: legacy, namespace: shop}
subsets: [{addresses: [{ip: 198.51.100.4}], ports: [{name: sql, port: 13306}]}]
"""
EGRESS = """---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web-out, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Egress]
  egress: [{to: [{ipBlock: {cidr: BLOCK}}], ports: [{port: PORT}]}]
"""


def ask(found: Any, port: int | str, target: str = "shop/Service/legacy") -> Why:
    ends = [resolve(parse_endpoint(text), found.cluster, found.policy) for text in ("shop/web", target)]
    return why(found.cluster, found.policy, ends[0], ends[1], port, "TCP")


def said(answer: Why, link: str) -> list[str]:
    return [one.message for each in answer.links if each.link == link for one in each.because]


def egress(block: str, port: int) -> str:
    return EGRESS.replace("BLOCK", block).replace("PORT", str(port))


def test_the_slice_says_where_the_connection_goes(world: Any, shop_text: str) -> None:
    """Its port counts and not the Service's targetPort; an endpoint that is not ready gets nothing."""
    for written in (SLICE, ENDPOINTS):
        text = shop_text + SERVICE + written
        answer = ask(world(text + egress("198.51.100.4/32", 13306)), 3306)
        assert answer.verdict == "allowed"
        assert said(answer, "endpoints") == ["198.51.100.4 at port 13306/TCP"]
        assert ask(world(text + egress("198.51.100.0/24", 3306)), 3306).verdict == "denied"
        assert ask(world(text + egress("203.0.113.0/24", 13306)), "sql").verdict == "denied"


def test_a_port_that_no_slice_has_leads_nowhere(world: Any, shop_text: str) -> None:
    answer = ask(world(shop_text + SERVICE + SLICE), 80)
    assert answer.verdict == "denied"
    assert "no endpoint" in said(answer, "endpoints")[0]


def test_a_slice_of_another_service_or_namespace_is_not_meant(world: Any, shop_text: str) -> None:
    for other in (SLICE.replace("service-name: legacy", "service-name: other"), SLICE.replace("shop", "stage")):
        answer = ask(world(shop_text + SERVICE + other), 3306)
        assert answer.verdict == "unknown"
        assert "no selector" in said(answer, "endpoints")[0]


def test_an_address_that_a_pod_has_is_the_pod(world: Any, shop_text: str) -> None:
    """The policy of the pod decides, which lets 5432 in from web, and not 5433."""
    pod = (
        "---\napiVersion: v1\nkind: Pod\nmetadata: {name: db-0, namespace: shop, labels: {app: db}}\n"
        "spec: {containers: [{name: c, image: x}]}\nstatus: {podIP: 10.1.2.3, podIPs: [{ip: 10.1.2.3}]}\n"
    )
    for port, verdict in ((5432, "allowed"), (5433, "denied")):
        slice_ = SLICE.replace("198.51.100.4", "10.1.2.3").replace("13306", str(port))
        answer = ask(world(shop_text + SERVICE + slice_ + pod), 3306)
        assert answer.verdict == verdict
        assert said(answer, "endpoints") == [f"shop/Pod/db-0 at port {port}/TCP"]


def test_names_in_a_slice_are_not_followed(world: Any, shop_text: str) -> None:
    named = SLICE.replace("IPv4", "FQDN").replace("[198.51.100.4]", "[db.example.com]")
    answer = ask(world(shop_text + SERVICE + named), 3306)
    assert answer.verdict == "unknown"
