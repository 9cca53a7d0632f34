"""Hosts and paths as the APIs say: the tables of "Ingress" in the Kubernetes documentation and of the Gateway API."""

import pytest

from netlint.intent.urls.matching import gateway_host, has_prefix, host_order, ingress_host, own_pattern


@pytest.mark.parametrize(
    ("prefix", "path", "expected"),
    [
        ("/", "/any/thing", True),
        ("/", "/", True),
        ("/foo", "/foo", True),
        ("/foo", "/foo/", True),
        ("/foo/", "/foo", True),
        ("/foo/", "/foo/", True),
        ("/aaa/bb", "/aaa/bbb", False),
        ("/aaa/bbb", "/aaa/bbb", True),
        ("/aaa/bbb/", "/aaa/bbb", True),
        ("/aaa/bbb", "/aaa/bbb/ccc", True),
        ("/aaa/bbb", "/aaa/bbbxyz", False),
        ("/aaa/bbb", "/aaa", False),
        ("/foo", "/FOO", False),
    ],
)
def test_prefixes_go_element_by_element(prefix: str, path: str, expected: bool) -> None:
    assert has_prefix(path, prefix) is expected


@pytest.mark.parametrize(
    ("host", "wanted", "ingress", "gateway"),
    [
        ("bar.foo.com", "bar.foo.com", True, True),
        ("bar.foo.com", "Bar.Foo.com", True, True),
        ("bar.foo.com", "*.foo.com", True, True),
        ("baz.bar.foo.com", "*.foo.com", False, True),  # one label for Ingress, one or more for the Gateway API
        ("foo.com", "*.foo.com", False, False),
        ("barfoo.com", "*.foo.com", False, False),
        ("foo.com", "bar.foo.com", False, False),
    ],
)
def test_wildcards(host: str, wanted: str, ingress: bool, gateway: bool) -> None:
    assert ingress_host(host, wanted) is ingress
    assert gateway_host(host, wanted) is gateway


def test_a_precise_hostname_goes_before_a_longer_wildcard() -> None:
    ordered = sorted([None, "*.a-very-long-domain.example.com", "a.example.com", "*.com"], key=host_order)
    assert ordered == [None, "*.com", "*.a-very-long-domain.example.com", "a.example.com"]


@pytest.mark.parametrize(
    ("pattern", "path", "known", "unknown"),
    [
        ("/cart", "/cart", True, True),
        ("/cart", "/cart/1", True, None),  # under Exact it is another path
        ("/cart", "/cartoon", True, None),  # under Prefix it is another path
        ("/cart", "/shop", False, False),
        ("/cart/", "/cart", None, None),
        ("/", "/cart", True, None),
        ("/Cart", "/cart", None, None),
        ("/cart/*", "/cart/1", None, None),
        ("/cart(/|$)(.*)", "/nothing", None, None),
        ("/v1.2/cart", "/v1.2/cart", True, True),
    ],
)
def test_a_path_of_the_controllers_own_reading(
    pattern: str, path: str, known: bool | None, unknown: bool | None
) -> None:
    """`known`: the controller compares beginnings; `unknown`: nothing is known of it."""
    assert own_pattern(path, pattern, prefix=True) is known
    assert own_pattern(path, pattern, prefix=None) is unknown
