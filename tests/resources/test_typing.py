"""Typing: what is cut out, what is said of it, and what null means."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netlint.resources import Manifest, load, problems, typed, unknown_fields
from netlint.resources.core import ConfigMap, Pod, Secret, Service
from netlint.resources.networking import NetworkPolicy
from netlint.sources.document import Document

Make = Callable[..., Manifest]


def test_items_of_lists_are_objects_with_their_places(manifests: Callable[..., list[Manifest]]) -> None:
    found = manifests(
        {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod"}, None, 3]},
        {"apiVersion": "v1", "kind": "ServiceList", "items": [{"metadata": {"name": "a"}}]},
        {"apiVersion": "v1", "kind": "ConfigMap", "items": []},
        {"patch": 1},
        None,
    )
    assert [(m.kind, m.prefix, m.document.index) for m in found] == [
        ("Pod", ("items", 0), 0),
        ("Service", ("items", 0), 1),
        ("ConfigMap", (), 2),
    ]
    assert found[1].api_version == "v1"
    assert found[1].name == "a"


def test_unknown_kind_has_no_model(manifest: Make) -> None:
    thing = manifest("example.com/v1", "Thing", spec={"replicas": "x"})
    assert typed(thing) is None
    assert problems(thing) == []


def test_model_is_made_once(manifest: Make) -> None:
    service = manifest("v1", "Service")
    assert typed(service) is typed(service)


def test_wrong_types_are_named_and_cut_out_and_the_rest_stays(manifest: Make) -> None:
    thing = manifest(
        "v1",
        "Service",
        spec={
            "ports": [{"port": "80", "name": "a"}, {"port": 81, "name": "b", "targetPort": 1.5}],
            "selector": {"a": 1},
        },
    )
    service = typed(thing)
    assert isinstance(service, Service)
    assert service.spec.ports is not None
    assert [(port.name, port.port) for port in service.spec.ports] == [("a", None), ("b", 81)]
    assert [(p.path, p.message, p.hint) for p in problems(thing)] == [
        (("spec", "selector", "a"), "must be a string, is the number 1", 'quote it: "1"'),
        (("spec", "ports", 0, "port"), 'must be a whole number, is the string "80"', "remove the quotes"),
        (("spec", "ports", 1, "targetPort"), "must be a string or a whole number, is the number 1.5", None),
    ]
    assert service.rejects("spec", "ports")
    assert service.rejects("spec", "ports", 0, "port")
    assert not service.rejects("spec", "ports", 1, "port")


def test_item_that_cannot_stand_takes_its_list_with_it(manifest: Make) -> None:
    thing = manifest(
        "networking.k8s.io/v1",
        "NetworkPolicy",
        spec={"podSelector": {}, "ingress": [{"from": [{"podSelector": {"matchExpressions": [{"key": "a"}]}}]}]},
    )
    policy = typed(thing)
    assert isinstance(policy, NetworkPolicy)
    here = ("spec", "ingress", 0, "from", 0, "podSelector", "matchExpressions")
    assert [(p.path, p.message) for p in problems(thing)] == [((*here, 0, "operator"), "must be set")]
    assert policy.rejected[0] == here
    assert policy.rejects(*here, 0)


def test_null_is_absent_and_in_a_map_of_strings_empty(manifest: Make) -> None:
    pod = typed(manifest("v1", "Pod", metadata={"name": "a", "labels": {"x": None}}, spec=None))
    assert isinstance(pod, Pod)
    assert pod.labels == {"x": ""}
    assert pod.spec.containers is None
    assert pod.rejected == ()


def test_null_item_is_an_empty_peer(manifest: Make) -> None:
    thing = manifest("networking.k8s.io/v1", "NetworkPolicy", spec={"podSelector": {}, "egress": [{"to": [None]}]})
    assert [p.path for p in problems(thing)] == [("spec", "egress", 0, "to", 0)]


@pytest.mark.parametrize("text", ["${PORT}", "{{ .Values.port }}", "<port>", "$(PORT)", "$PORT"])
def test_placeholder_is_unknown_and_not_wrong(manifest: Make, text: str) -> None:
    thing = manifest("v1", "Service", spec={"ports": [{"port": text}]})
    service = typed(thing)
    assert isinstance(service, Service)
    assert problems(thing) == []
    assert service.rejected == (("spec", "ports", 0, "port"),)


def test_placeholder_text_is_rejected_where_it_is_no_value_yet(manifest: Make) -> None:
    spec = {"podSelector": {"matchLabels": {"app": "${APP}"}}, "egress": [{"to": [{"ipBlock": {"cidr": "{{ x }}"}}]}]}
    thing = manifest("networking.k8s.io/v1", "NetworkPolicy", spec=spec)
    policy = typed(thing)
    assert policy is not None
    assert problems(thing) == []
    assert policy.rejects("spec", "podSelector")
    assert policy.rejects("spec", "egress", 0, "to", 0, "ipBlock", "cidr")


def test_unknown_field_leaves_what_it_stands_for_rejected(manifest: Make) -> None:
    spec = {"podSelctor": {}, "ingress": [{"from": [{"podSelector": {"app": "web"}}, {"podSelector": {}}]}]}
    policy = typed(manifest("networking.k8s.io/v1", "NetworkPolicy", spec=spec))
    assert policy is not None
    assert policy.rejects("spec", "podSelector")
    assert policy.rejects("spec", "ingress", 0, "from", 0, "podSelector")
    assert not policy.rejects("spec", "ingress", 0, "from", 1, "podSelector")


def test_secret_keeps_no_value(manifest: Make) -> None:
    thing = manifest("v1", "Secret", type="Opaque", data={"b": "c2VjcmV0"}, stringData={"a": "secret", "c": 1})
    secret = typed(thing)
    assert isinstance(secret, Secret)
    assert secret.keys == ("a", "b", "c")
    assert "secret" not in repr(secret)


def test_objects_are_told_apart_by_identity(manifest: Make) -> None:
    one, other = typed(manifest("v1", "ConfigMap")), typed(manifest("v1", "ConfigMap"))
    assert isinstance(one, ConfigMap)
    assert one != other
    assert len({one, other}) == 2


def test_only_modules_of_groups_that_appear_are_imported() -> None:
    code = (
        "import sys, netlint.resources as r; from netlint.sources.document import Document;"
        "m = r.load([Document('-', 0, {'apiVersion': 'networking.k8s.io/v1', 'kind': 'NetworkPolicy'}, None)])[0];"
        "assert not any('networking' in n or 'gateway' in n for n in sys.modules if n.startswith('netlint'));"
        "r.typed(m); assert 'netlint.resources.networking' in sys.modules;"
        "assert 'netlint.resources.gateway' not in sys.modules; assert 'netlint.resources.core' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 70000) | st.sampled_from(["", "a", "80", "10.0.0.0/8", "${X}", "TCP"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["spec", "metadata", "ports", "port", "from", "ingress", "podSelector", "matchLabels", "matchExpressions",
             "key", "operator", "ipBlock", "cidr", "template", "containers", "name", "rules", "http", "paths"]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip
_KINDS = [
    ("v1", "Pod"),
    ("v1", "Service"),
    ("apps/v1", "Deployment"),
    ("networking.k8s.io/v1", "NetworkPolicy"),
    ("networking.k8s.io/v1", "Ingress"),
    ("policy.networking.k8s.io/v1alpha2", "ClusterNetworkPolicy"),
    ("gateway.networking.k8s.io/v1", "HTTPRoute"),
    ("example.com/v1", "Unknown"),
]


@given(st.sampled_from(_KINDS), _JSON, _JSON)
@settings(max_examples=300, deadline=None)
def test_nothing_raises(kind: tuple[str, str], metadata: Any, spec: Any) -> None:
    data = {"apiVersion": kind[0], "kind": kind[1], "metadata": metadata, "spec": spec}
    thing = load([Document("-", 0, data, None)])[0]  # type: ignore[arg-type]
    obj = typed(thing)
    problems(thing)
    unknown_fields(thing)
    if obj is not None:
        assert obj.name is not None
        assert isinstance(obj.rejected, tuple)
