"""Spellings of a URL that are equivalent (RFC 3986, sections 5.2.4 and 6.2.2), and those that programs read apart."""

from typing import Any

import pytest

from netlint.intent.urls.spelling import readings
from netlint.policy.queries.expressions import ByUrl

SHOP = """
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: shop, namespace: shop}
spec:
  tls: [{secretName: cert}]
  rules:
  - http:
      paths:
      - {path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}
      - {path: /cart, pathType: Prefix, backend: {service: {name: api, port: {number: 80}}}}
"""
API, WEB = ["shop/Deployment/api"], ["shop/Deployment/web"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a/b/c/./../../g", ["/a/g"]),  # the example of section 5.2.4
        ("/mid/../../cart", ["/cart"]),
        ("/cart/..", ["/"]),
        ("/cart/.", ["/cart/"]),
        ("/cart/", ["/cart/"]),
        ("", ["/"]),
        ("/%63%61rt/%7euser", ["/cart/~user"]),
        ("/%2e%2E/cart", ["/cart"]),
        ("/...", ["/..."]),
        ("//cart", ["//cart", "/cart"]),
        ("/a%2fb", ["/a%2Fb", "/a/b"]),
        ("/a%2F..%2Fcart", ["/a%2F..%2Fcart", "/cart"]),
    ],
)
def test_readings_of_a_path(path: str, expected: list[str]) -> None:
    found = readings(ByUrl(f"https://shop.example.com{path}?q=/../x"))
    assert [one.path for one in found] == expected
    assert {(one.host, one.query) for one in found} == {("shop.example.com", "q=/../x")}


@pytest.mark.parametrize(
    ("path", "ends"),
    [("/cart/../x", WEB), ("/x/../cart", API), ("/%63art", API), ("/x//y", WEB), ("/cart//y", API), ("/c%20d", WEB)],
)
def test_what_is_the_same_is_answered(ask: Any, path: str, ends: list[str]) -> None:
    answer = ask(SHOP, f"https://shop.example.com{path}")
    assert [one.id for one in answer.destination.endpoints] == ends
    assert str(answer.destination.expression).endswith(path)


@pytest.mark.parametrize("path", ["//cart", "/x%2F..%2Fcart", "/%2Fcart"])
def test_what_programs_read_apart_is_unknown(ask: Any, path: str) -> None:
    """One program takes the rule for /, another that for /cart."""
    answer = ask(SHOP, f"https://shop.example.com{path}")
    assert answer.verdict == answer.policy_verdict == "unknown"
    (link,) = answer.links
    assert link.link == "ingress"
    said = " ".join(one.message for one in link.because)
    assert "read" in said
    assert "path / (Prefix)" in said
    assert "path /cart (Prefix)" in said
