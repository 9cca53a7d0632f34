"""Routes of the Gateway API, from the proxy that the input shows to the pods behind the backends."""

import textwrap

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import no_config
from netlint.intent import flows
from netlint.intent.exposure import chains
from netlint.policy import PolicyAnalysis
from netlint.resources import load
from netlint.sources import read_text

API = "gateway.networking.k8s.io"
BACKEND = """
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
spec: {containers: [{name: web, image: example/web, ports: [{containerPort: 8080}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
"""
GATEWAY = """
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: any
  listeners: [{name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}]
"""
NEEDED = ["infra/proxy -> shop/web:8080/TCP certain"]
GRANT = """
apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata: {name: grant, namespace: shop}
spec:
  from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: infra}]
  to: [{group: "", kind: Service}]
"""


def proxy(labels: str = f"{API}/gateway-name: edge", namespace: str = "infra") -> str:
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: proxy, namespace: {namespace}}}
spec:
  selector: {{matchLabels: {{app: proxy}}}}
  template:
    metadata: {{labels: {{app: proxy, {labels}}}}}
    spec: {{containers: [{{name: envoy, image: example/envoy}}]}}
"""


def route(
    kind: str = "HTTPRoute", *, parent: str = "", backend: str = "", namespace: str = "shop", extra: str = ""
) -> str:
    head = f"apiVersion: {API}/v1\nkind: {kind}\nmetadata: {{name: web, namespace: {namespace}}}\nspec:\n"
    spec = f"""
parentRefs: [{{name: edge, namespace: infra{parent}}}]
rules: [{{backendRefs: [{{name: web, port: 80{backend}}}]}}]
{extra}
"""
    return head + textwrap.indent(spec.strip(), "  ")


def cluster_of(*texts: str):
    reading = read_text("\n---\n".join(texts))
    assert not reading.findings
    (cluster,) = [build(part) for part in divide(load(reading.documents), no_config())]
    return cluster


def needed(*texts: str) -> list[str]:
    return [f"{flow} {flow.strength}" for flow in flows(cluster_of(BACKEND, *texts))]


def listener(text: str) -> str:
    return GATEWAY.replace("name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}", text)


ALL = "allowedRoutes: {namespaces: {from: All}}"


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ((GATEWAY, proxy(), route()), "the label of GEP-1762"),
        ((GATEWAY, proxy(), route("GRPCRoute")), "gRPC goes by HTTP listeners"),
        ((listener(f"name: t, port: 9000, protocol: TCP, {ALL}"), proxy(), route("TCPRoute")), "TCP"),
        ((listener(f"name: t, port: 443, protocol: TLS, {ALL}"), proxy(), route("TLSRoute")), "TLS"),
        ((GATEWAY, proxy(), route(parent=", sectionName: http, port: 80")), "a listener by name and port"),
        ((GATEWAY, proxy(), route(namespace="infra", backend=", namespace: shop"), GRANT), "granted"),
        (
            (
                listener(f"name: h, port: 80, protocol: HTTP, hostname: '*.example.com', {ALL}"),
                proxy(),
                route(extra="hostnames: [shop.example.com]"),
            ),
            "hostnames that meet",
        ),
    ],
)
def test_proxy_needs_the_backend(texts, why):
    assert needed(*texts) == NEEDED, why


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ((GATEWAY, route()), "no proxy in the input"),
        ((GATEWAY, proxy(f"{API}/gateway-name: other"), route()), "the proxy of another Gateway"),
        ((GATEWAY, proxy(namespace="elsewhere"), route()), "the label counts in the Gateway's namespace"),
        ((proxy(), route()), "the Gateway is not in the input"),
        ((GATEWAY, proxy(), route(backend=", weight: 0")), "weight 0"),
        ((GATEWAY, proxy(), route(backend=", kind: Backend, group: example.com")), "no Service"),
        ((GATEWAY, proxy(), route(parent=", sectionName: https")), "no such listener"),
        ((GATEWAY, proxy(), route("TCPRoute")), "TCPRoute at an HTTP listener"),
        ((GATEWAY, proxy(), route(parent=", kind: Service, group: ''")), "a mesh route"),
        ((listener("name: http, port: 80, protocol: HTTP"), proxy(), route()), "Same is the default"),
        ((GATEWAY, proxy(), route(namespace="infra", backend=", namespace: shop")), "not granted"),
        (
            (GATEWAY, proxy(), route(namespace="infra", backend=", namespace: shop"), GRANT.replace("HTTPR", "GRPCR")),
            "granted to another kind",
        ),
        (
            (
                listener(f"name: h, port: 80, protocol: HTTP, hostname: '*.example.com', {ALL}"),
                proxy(),
                route(extra="hostnames: [shop.example.org]"),
            ),
            "hostnames that do not meet",
        ),
        (
            (
                listener(
                    "name: h, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: Selector, "
                    "selector: {matchLabels: {open: 'yes'}}}}"
                ),
                proxy(),
                route(),
            ),
            "a namespace without the label",
        ),
    ],
)
def test_no_need_without_an_attached_route_and_a_proxy(texts, why):
    assert needed(*texts) == [], why


def test_envoy_gateway_runs_its_proxies_elsewhere():
    labels = "gateway.envoyproxy.io/owning-gateway-name: edge, gateway.envoyproxy.io/owning-gateway-namespace: infra"
    found = needed(GATEWAY, proxy(labels, "envoy-gateway-system"), route())
    assert found == ["envoy-gateway-system/proxy -> shop/web:8080/TCP certain"]


def test_istio_gateway_names_the_service_of_its_proxy():
    address = "  addresses: [{type: Hostname, value: ingress.infra.svc.cluster.local}]\n"
    service = """
apiVersion: v1
kind: Service
metadata: {name: ingress, namespace: infra}
spec: {selector: {app: proxy}, ports: [{port: 80}]}
"""
    assert needed(GATEWAY + address, service, proxy("a: b"), route()) == NEEDED


def test_internet_comes_in_by_the_route():
    cluster = cluster_of(BACKEND, GATEWAY, route())
    (chain,) = chains(cluster, PolicyAnalysis.of(cluster))
    assert str(chain) == "internet -> shop/web (HTTPRoute web of Gateway edge)"
