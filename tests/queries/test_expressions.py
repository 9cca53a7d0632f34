"""The words for an endpoint and a port."""

import pytest

from netlint.policy.queries.expressions import (
    ByAddress,
    ByLabels,
    ByName,
    ByUrl,
    ExpressionError,
    Internet,
    parse_endpoint,
    parse_port,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shop/web", ByName("shop", None, "web")),
        ("shop/Deployment/web", ByName("shop", "Deployment", "web")),
        ("Node/n1", ByName(None, "Node", "n1")),
        ("shop:app=web,tier=api", ByLabels("shop", None, {"app": "web", "tier": "api"})),
        ("team=a,env=prod:app=web", ByLabels(None, {"team": "a", "env": "prod"}, {"app": "web"})),
        ("shop:", ByLabels("shop", None, {})),
        (":app=web", ByLabels(None, None, {"app": "web"})),
        (":", ByLabels(None, None, {})),
        ("kube-system:app.kubernetes.io/name=dns", ByLabels("kube-system", None, {"app.kubernetes.io/name": "dns"})),
        ("shop:app=", ByLabels("shop", None, {"app": ""})),
        ("10.1.2.3", ByAddress("10.1.2.3")),
        ("10.1.2.3/16", ByAddress("10.1.0.0/16")),
        ("2001:db8::1", ByAddress("2001:db8::1")),
        ("2001:DB8::/32", ByAddress("2001:db8::/32")),
        ("::/0", ByAddress("::/0")),
        ("internet", Internet()),
        ("https://shop.example.com/cart", ByUrl("https://shop.example.com/cart")),
    ],
)
def test_forms(text: str, expected: object) -> None:
    assert parse_endpoint(text) == expected


def test_a_service_is_told_from_a_workload() -> None:
    service = parse_endpoint("shop/Service/web")
    workload = parse_endpoint("shop/Deployment/web")
    assert isinstance(service, ByName)
    assert isinstance(workload, ByName)
    assert service.is_service
    assert not workload.is_service


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "missing"),
        ("web", "default/web"),
        ("a/b/c/d", "names no endpoint"),
        ("/web", "names no endpoint"),
        ("shop:app", "no label"),
        ("shop:=x", "no label"),
        ("shop:app=a,app=b", "two values"),
        ("shop/x:app=a", "before the colon"),
        # What no pod or namespace can have would be answered for as if it could.
        (":app==web", "app=web"),
        (":app!=web", "app!"),
        ("shop:app=a b", "a b"),
        ("shop:app=" + "x" * 64, "63"),
        ("team=-x:app=web", "-x"),
        ("a b:app=web", "no name of a namespace"),
        ("Shop:app=web", "no name of a namespace"),
    ],
)
def test_what_is_no_endpoint_says_why(text: str, hint: str) -> None:
    with pytest.raises(ExpressionError, match=hint):
        parse_endpoint(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("80", (80, "TCP")),
        ("53/udp", (53, "UDP")),
        ("http", ("http", "TCP")),
        ("dns/UDP", ("dns", "UDP")),
        ("SCTP", (None, "SCTP")),
        ("/UDP", (None, "UDP")),
    ],
)
def test_ports(text: str, expected: tuple[object, str]) -> None:
    assert parse_port(text) == expected


@pytest.mark.parametrize("text", ["0/TCP", "65536", "80/ICMP", "a_b", "8 0"])
def test_what_is_no_port_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_port(text)


@pytest.mark.parametrize("text", ["shop/web", "team=a:app=web", "shop:", ":", "10.1.0.0/16", "internet", "Node/n1"])
def test_an_expression_written_out_reads_the_same(text: str) -> None:
    assert parse_endpoint(str(parse_endpoint(text))) == parse_endpoint(text)
