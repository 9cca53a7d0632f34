"""What the API server refuses in policies: each fault at its field, and no fault in what it accepts."""

from collections.abc import Callable
from typing import Any

import pytest

from netlint.resources import Manifest, problems, typed

Make = Callable[..., Manifest]
NP = "networking.k8s.io/v1", "NetworkPolicy"


def said(manifest: Manifest) -> list[tuple[tuple[Any, ...], str, str]]:
    return [(p.path, p.message, p.severity_hint) for p in problems(manifest)]


def peer(**fields: Any) -> dict[str, Any]:
    return {"podSelector": {}, "ingress": [{"from": [fields]}]}


def port(**fields: Any) -> dict[str, Any]:
    return {"podSelector": {}, "ingress": [{"ports": [fields]}]}


FROM = ("ingress", 0, "from", 0)
PORT = ("ingress", 0, "ports", 0)


@pytest.mark.parametrize(
    ("spec", "path", "message"),
    [
        (peer(), FROM, "must hold podSelector"),
        (peer(podSelector=None), FROM, "must hold podSelector"),
        (peer(podSelector={}, ipBlock={"cidr": "10.0.0.0/8"}), FROM, "must not hold a selector beside ipBlock"),
        (peer(ipBlock={"cidr": "10.0.0.0"}), (*FROM, "ipBlock", "cidr"), '10.0.0.0/32'),
        (peer(ipBlock={"cidr": "10.0.0.0/33"}), (*FROM, "ipBlock", "cidr"), "must be a CIDR"),
        (peer(ipBlock={"cidr": "10.0.0.0/255.0.0.0"}), (*FROM, "ipBlock", "cidr"), "must be a CIDR"),
        (peer(ipBlock={}), (*FROM, "ipBlock", "cidr"), "must be set"),
        (peer(ipBlock={"cidr": "10.0.0.0/8", "except": ["11.0.0.0/16"]}), (*FROM, "ipBlock", "except", 0), "inside"),
        (peer(ipBlock={"cidr": "10.0.0.0/8", "except": ["10.0.0.0/8"]}), (*FROM, "ipBlock", "except", 0), "smaller"),
        (peer(ipBlock={"cidr": "::/0", "except": ["10.0.0.0/8"]}), (*FROM, "ipBlock", "except", 0), "inside"),
        (port(port=0), (*PORT, "port"), "between 1 and 65535"),
        (port(port=65536), (*PORT, "port"), "between 1 and 65535"),
        (port(port="80"), (*PORT, "port"), "made of digits"),
        (port(port="has_underscore"), (*PORT, "port"), "lower case"),
        (port(port="sixteen-letters-"), (*PORT, "port"), "no more than 15"),
        (port(port="a--b"), (*PORT, "port"), "'--'"),
        (port(protocol="tcp", port=80), (*PORT, "protocol"), "must be TCP, UDP or SCTP"),
        (port(protocol="ICMP"), (*PORT, "protocol"), "must be TCP, UDP or SCTP"),
        (port(endPort=90), (*PORT, "endPort"), "without port"),
        (port(port="web", endPort=90), (*PORT, "endPort"), "named port"),
        (port(port=90, endPort=80), (*PORT, "endPort"), "less than port 90"),
        ({"podSelector": {}, "policyTypes": ["ingress"]}, ("policyTypes", 0), "must be Ingress or Egress"),
        ({"podSelector": {"matchLabels": {"a b": "c"}}}, ("podSelector", "matchLabels", "a b"), "label key"),
        ({"podSelector": {"matchLabels": {"/a": "c"}}}, ("podSelector", "matchLabels", "/a"), "DNS name"),
        ({"podSelector": {"matchLabels": {"a": "$backend"}}}, ("podSelector", "matchLabels", "a"), "label value"),
        ({"podSelector": {"matchLabels": {"a": "c d"}}}, ("podSelector", "matchLabels", "a"), "label value"),
        ({"podSelector": {"matchLabels": {"a": "x" * 64}}}, ("podSelector", "matchLabels", "a"), "63"),
        (
            {"podSelector": {"matchExpressions": [{"key": "a", "operator": "in", "values": ["b"]}]}},
            ("podSelector", "matchExpressions", 0, "operator"),
            "must be one of In",
        ),
        (
            {"podSelector": {"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}},
            ("podSelector", "matchExpressions", 0, "operator"),
            "must be one of In",
        ),
        (
            {"podSelector": {"matchExpressions": [{"key": "a", "operator": "In"}]}},
            ("podSelector", "matchExpressions", 0, "values"),
            "at least one value",
        ),
        (
            {"podSelector": {"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]}},
            ("podSelector", "matchExpressions", 0, "values"),
            "must be empty",
        ),
    ],
)  # fmt: skip
def test_network_policy_fault(manifest: Make, spec: dict[str, Any], path: tuple[Any, ...], message: str) -> None:
    thing = manifest(*NP, spec=spec)
    ((where, text, severity),) = said(thing)
    assert where == ("spec", *path)
    assert message in text
    assert severity == "error"
    policy = typed(thing)
    assert policy is not None
    assert policy.rejects("spec", *path)


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"podSelector": None, "ingress": None, "policyTypes": ["Egress", "Ingress"]},
        peer(namespaceSelector={}, podSelector={}),
        peer(ipBlock={"cidr": "2001:db8::/32", "except": ["2001:db8:1::/48"]}),
        port(),
        port(protocol="SCTP", port=1, endPort=65535),
        port(port="http-1"),
        {"podSelector": {"matchLabels": {"app.kubernetes.io/name": "", "a": "A_b.c-d"}}},
        {"podSelector": {"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["b", "c"]}]}},
        peer(ipBlock={"cidr": "${CIDR}"}),
        port(port="{{ .Values.port }}"),
    ],
)
def test_network_policy_that_is_accepted(manifest: Make, spec: dict[str, Any]) -> None:
    assert said(manifest(*NP, spec=spec)) == []


@pytest.mark.parametrize("cidr", ["192.168.1.5/24", "010.0.0.0/8", "::ffff:10.0.0.0/104"])
def test_cidr_that_only_new_servers_refuse_is_a_warning_and_not_rejected(manifest: Make, cidr: str) -> None:
    thing = manifest(*NP, spec=peer(ipBlock={"cidr": cidr}))
    ((path, _, severity),) = said(thing)
    assert (path, severity) == (("spec", *FROM, "ipBlock", "cidr"), "warning")
    policy = typed(thing)
    assert policy is not None
    assert policy.rejected == ()


V1, V2 = "policy.networking.k8s.io/v1alpha1", "policy.networking.k8s.io/v1alpha2"


def _anp(**rule: Any) -> dict[str, Any]:
    base = {"action": "Allow", "to": [{"namespaces": {}}]}
    return {"priority": 1, "subject": {"namespaces": {}}, "egress": [{**base, **rule}]}


@pytest.mark.parametrize(
    ("spec", "path", "message"),
    [
        ({**_anp(), "priority": 1001}, ("priority",), "between 0 and 1000"),
        ({**_anp(), "priority": None}, ("priority",), "must be set"),
        ({**_anp(), "subject": {}}, ("subject",), "exactly one"),
        ({**_anp(), "subject": None}, ("subject",), "must be set"),
        (_anp(action="Accept"), ("egress", 0, "action"), "must be one of Allow"),
        (_anp(to=[]), ("egress", 0, "to"), "at least one peer"),
        (_anp(to=[{"namespaces": {}, "networks": ["10.0.0.0/8"]}]), ("egress", 0, "to", 0), "exactly one"),
        (_anp(to=[{"networks": ["10.0.0.0"]}]), ("egress", 0, "to", 0, "networks", 0), "CIDR"),
        (
            _anp(to=[{"networks": ["10.0.0.0/8"]}], ports=[{"namedPort": "web"}]),
            ("egress", 0, "to", 0, "networks"),
            "named port",
        ),
        (
            _anp(ports=[{"namedPort": "a", "portNumber": {"protocol": "TCP", "port": 1}}]),
            ("egress", 0, "ports", 0),
            "exactly one",
        ),
        (_anp(ports=[{"portNumber": {"protocol": "TCP", "port": 0}}]), ("egress", 0, "ports", 0, "portNumber", "port"),
         "between 1"),
        (
            {**_anp(), "egress": None, "ingress": [{"action": "Deny", "from": [{"networks": ["10.0.0.0/8"]}]}]},
            ("ingress", 0, "from", 0, "networks"),
            "ingress",
        ),
    ],
)  # fmt: skip
def test_admin_policy_fault(manifest: Make, spec: dict[str, Any], path: tuple[Any, ...], message: str) -> None:
    ((where, text, severity),) = said(manifest(V1, "AdminNetworkPolicy", spec=spec))
    assert where == ("spec", *path)
    assert message in text
    assert severity == "error"


def test_empty_range_is_a_warning_in_v1alpha1(manifest: Make) -> None:
    spec = _anp(ports=[{"portRange": {"protocol": "TCP", "start": 10, "end": 1}}])
    ((path, _, severity),) = said(manifest(V1, "AdminNetworkPolicy", spec=spec))
    assert (path[-1], severity) == ("end", "warning")


def test_missing_selector_of_pods_is_a_warning(manifest: Make) -> None:
    thing = manifest(V1, "AdminNetworkPolicy", spec=_anp(to=[{"pods": {"podSelector": {}}}]))
    ((path, _, severity),) = said(thing)
    assert (path[-1], severity) == ("namespaceSelector", "warning")


@pytest.mark.parametrize(
    ("peer", "path"),
    [
        ({"namespaces": {"namespaceSelector": {"matchLabels": {"team": "a"}}}}, ("namespaces", "namespaceSelector")),
        ({"namespaces": {"sameLabels": ["team"]}}, ("namespaces", "sameLabels")),
        ({"namespaces": {"notSameLabels": ["team"]}}, ("namespaces", "notSameLabels")),
        (
            {"pods": {"namespaces": {"namespaceSelector": {}}, "podSelector": {"matchLabels": {"app": "a"}}}},
            ("pods", "namespaceSelector"),
        ),
    ],
)
def test_the_early_form_of_namespaces_is_refused(manifest: Make, peer: dict[str, Any], path: tuple[str, ...]) -> None:
    thing = manifest(V1, "AdminNetworkPolicy", spec=_anp(to=[peer]))
    ((where, _, severity),) = said(thing)
    assert (where, severity) == (("spec", "egress", 0, "to", 0, *path), "error")
    policy = typed(thing)
    assert policy is not None
    assert policy.rejects("spec", "egress")


@pytest.mark.parametrize("subject", [{"namespaces": {"namespaceSelector": {}}}, {"pods": {"namespaces": {}}}])
@pytest.mark.parametrize(("version", "kind"), [(V1, "AdminNetworkPolicy"), (V2, "ClusterNetworkPolicy")])
def test_early_form_in_a_subject_is_refused(manifest: Make, subject: dict[str, Any], version: str, kind: str) -> None:
    policy = typed(manifest(version, kind, spec={**_anp(), "subject": subject}))
    assert policy is not None
    assert policy.rejects("spec", "subject")


def test_baseline_policy_is_named_default_and_does_not_pass(manifest: Make) -> None:
    found = said(manifest(V1, "BaselineAdminNetworkPolicy", spec=_anp(action="Pass")))
    assert [path for path, _, _ in found] == [("metadata", "name"), ("spec", "egress", 0, "action")]


@pytest.mark.parametrize(
    ("protocols", "path"),
    [
        ([{"tcp": {}}], (0, "tcp")),
        ([{}], (0,)),
        ([{"tcp": {"destinationPort": {"number": 1}}, "udp": {"destinationPort": {"number": 1}}}], (0,)),
        (
            [{"udp": {"destinationPort": {"range": {"start": 5, "end": 5}}}}],
            (0, "udp", "destinationPort", "range", "end"),
        ),
        ([{"sctp": {"destinationPort": {"number": 70000}}}], (0, "sctp", "destinationPort", "number")),
    ],
)  # fmt: skip
def test_cluster_policy_protocol_fault(manifest: Make, protocols: Any, path: tuple[Any, ...]) -> None:
    spec = {**_anp(action="Accept", protocols=protocols), "tier": "Admin"}
    ((where, _, _),) = said(manifest(V2, "ClusterNetworkPolicy", spec=spec))
    assert where == ("spec", "egress", 0, "protocols", *path)


def test_cluster_policy_that_is_accepted(manifest: Make) -> None:
    protocols = [{"tcp": {"destinationPort": {"range": {"start": 1, "end": 2}}}}, {"destinationNamedPort": "web"}]
    spec = {**_anp(action="Accept", protocols=protocols), "tier": "Baseline"}
    assert said(manifest(V2, "ClusterNetworkPolicy", spec=spec)) == []
