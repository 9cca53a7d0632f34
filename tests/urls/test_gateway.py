"""A URL through a Gateway (gateway.networking.k8s.io/v1 gateway_types.go and httproute_types.go)."""

from typing import Any

import pytest

from netlint.policy.queries.why import Why

HOST = "https://shop.example.com"
PROXY = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: proxy, namespace: edge}
spec:
  selector: {matchLabels: {gateway.networking.k8s.io/gateway-name: main}}
  template:
    metadata: {labels: {gateway.networking.k8s.io/gateway-name: main}}
    spec: {containers: [{name: c, image: envoy, ports: [{containerPort: 10443}]}]}
---"""


def listener(
    name: str, hostname: str | None = None, port: int = 443, protocol: str = "HTTPS", spaces: str = "All"
) -> str:
    host = f', hostname: "{hostname}"' if hostname else ""
    allowed = f"allowedRoutes: {{namespaces: {{from: {spaces}}}}}"
    tls = ", tls: {certificateRefs: [{name: cert}]}" if protocol == "HTTPS" else ""
    tls = ", tls: {mode: Passthrough}" if protocol == "TLS" else tls
    return f"  - {{name: {name}, port: {port}, protocol: {protocol}{host}{tls}, {allowed}}}\n"


def gateway(*listeners: str, name: str = "main") -> str:
    head = "\napiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\n"
    return f"{head}metadata: {{name: {name}, namespace: edge}}\nspec:\n  gatewayClassName: c\n  listeners:\n" + (
        "".join(listeners) + "---"
    )


def match(path: str, kind: str = "PathPrefix", more: str = "") -> str:
    return f"{{path: {{type: {kind}, value: '{path}'}}{more}}}"


def rule(service: str = "web", *matches: str, more: str = "") -> str:
    listed = f"matches: [{', '.join(matches)}], " if matches else ""
    return f"  - {{{listed}backendRefs: [{{name: {service}, port: 80}}]{more}}}\n"


def route(
    *rules: str,
    name: str = "shop",
    hosts: str = "[shop.example.com]",
    parent: str = "{name: main, namespace: edge}",
    created: str = "",
    kind: str = "HTTPRoute",
) -> str:
    age = f", creationTimestamp: '{created}'" if created else ""
    return (
        f"\napiVersion: gateway.networking.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: shop{age}}}\n"
        f"spec:\n  parentRefs: [{parent}]\n  hostnames: {hosts}\n  rules:\n" + "".join(rules) + "---"
    )


SHUT_WEB = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec: {podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress]}
---"""
EDGE = PROXY + gateway(listener("https"))


def ends(answer: Why) -> list[str]:
    return [endpoint.name for endpoint in answer.destination.endpoints]


def said(answer: Why, link: str = "ingress") -> str:
    return "\n".join(one.message for each in answer.links if each.link == link for one in each.because)


def verdicts(answer: Why) -> dict[str, str]:
    return {link.link: link.verdict for link in answer.links}


def test_every_link_from_the_route_to_the_pods(ask: Any) -> None:
    answer = ask(EDGE + route(rule("web", match("/cart"))), f"{HOST}/cart/7")
    assert [each.link for each in answer.links] == [
        "ingress",
        "service",
        "endpoints",
        "egress",
        "ingress-policy",
        "cni",
    ]
    assert answer.verdict == "allowed"
    assert ends(answer) == ["web"]
    assert "edge/Deployment/proxy" in said(answer, "egress")
    assert ask(EDGE + route(rule("web")) + SHUT_WEB, f"{HOST}/cart").verdict == "denied"


def test_a_proxy_that_is_not_in_the_input_is_unknown(ask: Any) -> None:
    world = gateway(listener("https")) + route(rule("web"))
    answer = ask(world, f"{HOST}/")
    assert (answer.verdict, verdicts(answer)["egress"]) == ("unknown", "unknown")
    assert "proxy of Gateway/edge/main is not in the input" in said(answer, "egress")
    assert ask(world + SHUT_WEB, f"{HOST}/").verdict == "denied"  # web lets nobody in


@pytest.mark.parametrize(
    ("url", "service"),
    [
        ("/", "web"),
        ("/cart", "api"),
        ("/cart/1", "api"),
        ("/cartoon", "web"),
        ("/cart/exact", "web"),  # Exact goes before the longest prefix
        ("/cart/exact/1", "api"),
    ],
)
def test_exact_then_the_longest_prefix(ask: Any, url: str, service: str) -> None:
    rules = (rule("web", match("/")), rule("api", match("/cart")), rule("web", match("/cart/exact", "Exact")))
    answer = ask(EDGE + route(*rules), HOST + url)
    assert answer.verdict == "allowed"
    assert ends(answer) == [service]


def test_no_matches_are_the_prefix_of_everything(ask: Any) -> None:
    assert ask(EDGE + route(rule("web")), f"{HOST}/any").verdict == "allowed"


def test_the_first_of_two_equal_rules_of_a_route_wins(ask: Any) -> None:
    answer = ask(EDGE + route(rule("api", match("/a")), rule("web", match("/a"))), f"{HOST}/a")
    assert ends(answer) == ["api"]


def test_the_older_of_two_equal_routes_wins(ask: Any) -> None:
    older = route(rule("web"), name="z", created="2024-01-01T00:00:00Z")
    newer = route(rule("api"), name="a", created="2025-01-01T00:00:00Z")
    answer = ask(EDGE + newer + older, f"{HOST}/")
    assert (answer.verdict, ends(answer)) == ("allowed", ["web"])
    # Manifests have no age: either could be first. Both are allowed, or it is not known.
    ageless = EDGE + route(rule("web"), name="z") + route(rule("api"), name="a")
    assert ask(ageless, f"{HOST}/").verdict == "allowed"
    assert ask(ageless + SHUT_WEB, f"{HOST}/").verdict == "unknown"


def test_what_the_request_is_beside_its_url_divides_it(ask: Any) -> None:
    """POST goes to web, which lets nobody in, everything else to api: partly."""
    world = EDGE + route(rule("web", match("/", more=", method: POST")), rule("api", match("/")))
    answer = ask(world + SHUT_WEB, f"{HOST}/")
    assert answer.verdict == "partly"
    assert sorted(ends(answer)) == ["api", "web"]
    assert ask(world, f"{HOST}/").verdict == "allowed"
    alone = EDGE + route(rule("api", match("/", more=", headers: [{name: x, value: one}]")))
    assert ask(alone, f"{HOST}/").verdict == "partly"  # without the header the answer is 404


@pytest.mark.parametrize(("query", "service"), [("?v=2", "web"), ("?v=1", "api"), ("", "api"), ("?v=2&v=1", "web")])
def test_query_parameters_are_in_the_url(ask: Any, query: str, service: str) -> None:
    """Of a parameter that is given twice the first counts (HTTPQueryParamMatch)."""
    world = EDGE + route(
        rule("web", match("/", more=", queryParams: [{name: v, value: '2'}]")), rule("api", match("/"))
    )
    answer = ask(world, f"{HOST}/{query}")
    assert (answer.verdict, ends(answer)) == ("allowed", [service])


def test_regular_expressions_are_the_implementations_own(ask: Any) -> None:
    world = EDGE + route(rule("web", match("/ca.*", "RegularExpression")), rule("api", match("/cart", "Exact")))
    both = ask(world, f"{HOST}/cart")
    assert both.verdict == "allowed"  # both are
    assert "may take it by path /ca.* (RegularExpression)" in said(both)
    assert "shop takes it by path /cart (Exact)" in said(both)
    assert ask(world + SHUT_WEB, f"{HOST}/cart").verdict == "unknown"
    alone = ask(EDGE + route(rule("web", match("/ca.*", "RegularExpression"))), f"{HOST}/cart")
    assert alone.verdict == "unknown"


def test_a_path_that_no_rule_takes(ask: Any) -> None:
    answer = ask(EDGE + route(rule("web", match("/cart"), match("/api", "Exact"))), f"{HOST}/cartoon")
    assert answer.verdict == "denied"
    assert "there are path /cart (PathPrefix), path /api (Exact)" in said(answer)


@pytest.mark.parametrize(
    ("listener_host", "hosts", "asked", "expected"),
    [
        ("*.example.com", "[shop.example.com]", "shop.example.com", "allowed"),
        ("*.example.com", '["*.example.com"]', "a.b.example.com", "allowed"),  # one label or more
        ("*.example.com", '["*.example.com"]', "example.com", "denied"),
        ("shop.example.com", '["*.example.com"]', "shop.example.com", "allowed"),
        ("shop.example.com", '["*.example.com"]', "other.example.com", "denied"),  # the listener has it not
        ("*.example.com", "[shop.example.org, shop.example.com]", "shop.example.org", "denied"),
        (None, "[shop.example.com]", "shop.example.com", "allowed"),
        ("shop.example.com", "[]", "shop.example.com", "allowed"),
        ("shop.example.com", "[]", "other.example.com", "denied"),
    ],
)
def test_hostnames_of_listener_and_route_intersect(
    ask: Any, listener_host: str | None, hosts: str, asked: str, expected: str
) -> None:
    world = PROXY + gateway(listener("https", listener_host)) + route(rule("web"), hosts=hosts)
    assert ask(world, f"https://{asked}/").verdict == expected


def test_the_route_with_the_more_specific_hostname_goes_first(ask: Any) -> None:
    wide = route(rule("api", match("/cart", "Exact")), name="wide", hosts='["*.example.com"]')
    own = route(rule("web", match("/")), name="own")
    answer = ask(EDGE + wide + own, f"{HOST}/cart")
    assert (answer.verdict, ends(answer)) == ("allowed", ["web"])
    assert ends(ask(EDGE + wide + own, "https://other.example.com/cart")) == ["api"]


def test_whether_a_hosts_own_routes_hide_those_of_a_wider_one_is_not_laid_down(ask: Any) -> None:
    wide = route(rule("api", match("/")), name="wide", hosts='["*.example.com"]')
    own = route(rule("web", match("/cart")), name="own")
    assert ask(EDGE + wide + own, f"{HOST}/cart").verdict == "allowed"
    answer = ask(EDGE + wide + own, f"{HOST}/other")
    assert (answer.verdict, ends(answer)) == ("unknown", ["api"])


def test_a_request_belongs_to_the_most_specific_listener(ask: Any) -> None:
    world = PROXY + gateway(listener("wide", "*.example.com"), listener("own", "shop.example.com"))
    on_own = route(rule("web", match("/cart")), parent="{name: main, namespace: edge, sectionName: own}")
    on_wide = route(
        rule("api"), name="wide", hosts='["*.example.com"]', parent="{name: main, namespace: edge, sectionName: wide}"
    )
    assert ends(ask(world + on_own + on_wide, f"{HOST}/cart")) == ["web"]
    # Isolated listeners answer 404; implementations without isolation may fall back.
    answer = ask(world + on_own + on_wide, f"{HOST}/other")
    assert answer.verdict == "unknown"
    assert "less specific listener" in said(answer)


@pytest.mark.parametrize(
    ("listeners", "url", "expected"),
    [
        (listener("http", port=80, protocol="HTTP"), "http://shop.example.com/", "allowed"),
        (listener("http", port=80, protocol="HTTP"), f"{HOST}/", "denied"),
        (listener("https", port=8443), "https://shop.example.com:8443/", "allowed"),
        (listener("https", port=8443), f"{HOST}/", "unknown"),  # a balancer in front may turn 443 into 8443
        (listener("https", spaces="Same"), f"{HOST}/", "denied"),  # the route is of another namespace
    ],
)
def test_the_listener_has_the_scheme_and_the_port(ask: Any, listeners: str, url: str, expected: str) -> None:
    answer = ask(PROXY + gateway(listeners) + route(rule("web")), url)
    assert answer.verdict == expected
    if expected == "denied":
        assert "HTTPRoute/shop/shop names the host, but no listener of its Gateway takes it" in said(answer)
        assert "nearest" not in said(answer)  # the host itself is there


@pytest.mark.parametrize(
    ("more", "expected", "words"),
    [
        (", filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]", "unknown", "redirect"),
        ("", "allowed", ""),
    ],
)
def test_a_redirect_asks_no_backend(ask: Any, more: str, expected: str, words: str) -> None:
    answer = ask(EDGE + route(rule("web", match("/"), more=more)), f"{HOST}/")
    assert answer.verdict == expected
    assert words in said(answer)


def test_backends_share_by_weight_and_those_of_weight_zero_get_nothing(ask: Any) -> None:
    def shared(weight: int) -> str:
        return route(f"  - backendRefs: [{{name: web, port: 80, weight: {weight}}}, {{name: api, port: 80}}]\n")

    assert ask(EDGE + shared(9) + SHUT_WEB, f"{HOST}/").verdict == "partly"
    assert ask(EDGE + shared(0) + SHUT_WEB, f"{HOST}/").verdict == "allowed"
    nobody = route("  - backendRefs: [{name: web, port: 80, weight: 0}]\n")
    assert ask(EDGE + nobody, f"{HOST}/").verdict == "denied"


def test_a_backend_elsewhere_needs_a_grant(ask: Any) -> None:
    far = (
        "\napiVersion: v1\nkind: Service\nmetadata: {name: far, namespace: edge}\n"
        "spec: {selector: {gateway.networking.k8s.io/gateway-name: main}, ports: [{port: 80, targetPort: 10443}]}\n---"
    )
    world = EDGE + far + route("  - backendRefs: [{name: far, namespace: edge, port: 80}]\n")
    answer = ask(world, f"{HOST}/")
    assert answer.verdict == "denied"
    assert "no ReferenceGrant" in said(answer)
    assert ask(world, f"{HOST}/", assume="open").verdict == "unknown"
    grant = (
        "\napiVersion: gateway.networking.k8s.io/v1beta1\nkind: ReferenceGrant\nmetadata: {name: g, namespace: edge}\n"
        "spec: {from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: shop}],"
        " to: [{group: '', kind: Service}]}\n---"
    )
    assert ask(world + grant, f"{HOST}/").verdict == "allowed"


def test_a_gateway_that_is_not_in_the_input(ask: Any) -> None:
    answer = ask(route(rule("web")), f"{HOST}/", assume="open")
    assert answer.verdict == "unknown"
    assert "Gateway/edge/main is not in the input" in said(answer)
    assert ends(answer) == ["web"]
    assert ask(route(rule("web")), f"{HOST}/").verdict == "denied"  # a closed world has no such Gateway


def test_routes_of_a_gateway_that_is_not_in_the_input_are_read_together(ask: Any) -> None:
    world = route(rule("web", match("/cart"))) + route(rule("api", match("/api")), name="other")
    answer = ask(world, f"{HOST}/cart", assume="open")
    assert ends(answer) == ["web"]
    assert "have it" not in said(answer)
    none = ask(world, f"{HOST}/nowhere", assume="open")
    assert (none.verdict, ends(none)) == ("unknown", [])  # a route that is not in the input may take it
    assert "/cart" in said(none)
    assert "/api" in said(none)


def test_what_names_the_host_goes_before_what_takes_any(ask: Any) -> None:
    anyone = (
        "\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: any, namespace: shop}\n"
        "spec: {defaultBackend: {service: {name: api, port: {number: 80}}}}\n---"
    )
    answer = ask(EDGE + route(rule("web")) + anyone, f"{HOST}/")
    assert (answer.verdict, ends(answer)) == ("allowed", ["web"])


def test_tls_passed_on_by_its_host(ask: Any) -> None:
    world = PROXY + gateway(listener("tls", protocol="TLS")) + route(rule("web"), kind="TLSRoute")
    answer = ask(world, f"{HOST}/any/path")
    assert (answer.verdict, ends(answer)) == ("allowed", ["web"])
    assert ask(world, "https://other.example.com/").verdict == "denied"


def test_grpc_routes_are_not_read_as_paths(ask: Any) -> None:
    world = EDGE + route("  - backendRefs: [{name: web, port: 80}]\n", kind="GRPCRoute")
    answer = ask(world, f"{HOST}/pkg.Service/Method")
    assert answer.verdict == "unknown"
    assert "gRPC" in said(answer)


def test_an_ingress_and_a_gateway_for_one_host(ask: Any) -> None:
    ingress = (
        "\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i, namespace: shop}\n"
        "spec: {tls: [{secretName: c}], rules: [{host: shop.example.com, http: {paths: [{path: /, pathType: Prefix,"
        " backend: {service: {name: web, port: {number: 80}}}}]}}]}\n---"
    )
    answer = ask(EDGE + route(rule("web")) + ingress, f"{HOST}/")
    assert answer.verdict == "unknown"
    assert "which of them the host's address leads to" in said(answer)
