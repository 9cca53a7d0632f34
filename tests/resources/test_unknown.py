"""Fields that the API does not have, and what was probably meant."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from netlint.resources import Manifest, unknown_fields
from netlint.resources.unknown import nearest_name

Make = Callable[..., Manifest]


def _container(**fields: Any) -> dict[str, Any]:
    return {"template": {"spec": {"containers": [{"name": "a", **fields}]}}}


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "path", "nearest"),
    [
        ("networking.k8s.io/v1", "NetworkPolicy", {"podSelctor": {}}, ("podSelctor",), "podSelector"),
        ("networking.k8s.io/v1", "NetworkPolicy", {"podselector": None}, ("podselector",), "podSelector"),
        (
            "networking.k8s.io/v1",
            "NetworkPolicy",
            {"ingress": [{}, {"from": [{"namespaceselector": {}}]}]},
            ("ingress", 1, "from", 0, "namespaceselector"),
            "namespaceSelector",
        ),
        ("v1", "Service", {"port": []}, ("port",), "ports"),
        (
            "apps/v1",
            "Deployment",
            _container(ports=[{"containerport": 80}]),
            ("template", "spec", "containers", 0, "ports", 0, "containerport"),
            "containerPort",
        ),
        ("networking.k8s.io/v1", "Ingress", {"backend": {}}, ("backend",), None),
        ("gateway.networking.k8s.io/v1", "HTTPRoute", {"parentRef": []}, ("parentRef",), "parentRefs"),
    ],
)
def test_misspelt_field(
    manifest: Make, api_version: str, kind: str, spec: dict[str, Any], path: tuple[Any, ...], nearest: str | None
) -> None:
    found = unknown_fields(manifest(api_version, kind, spec=spec))
    assert [(field.path, field.name, field.nearest) for field in found] == [(("spec", *path), path[-1], nearest)]


@pytest.mark.parametrize(
    ("spec", "belongs"),
    [
        ({"hostNetwork": True}, ("spec", "template", "spec", "hostNetwork")),
        ({"template": {"replicas": 2}}, ("spec", "replicas")),
        (_container(tolerations=[]), ("spec", "template", "spec", "tolerations")),
        (
            {"selector": {"app": "web"}},
            ("spec", "selector", "matchLabels", "app"),
        ),
    ],
)
def test_field_on_the_wrong_level(manifest: Make, spec: dict[str, Any], belongs: tuple[Any, ...]) -> None:
    (field,) = unknown_fields(manifest("apps/v1", "Deployment", spec=spec))
    assert field.belongs == belongs


@pytest.mark.parametrize(
    ("api_version", "kind", "fields"),
    [
        ("v1", "Service", {"spec": {"topologyKeys": ["*"], "ipFamily": "IPv4"}}),
        ("networking.k8s.io/v1beta1", "Ingress", {"spec": {"backend": {"serviceName": "a", "servicePort": 1}}}),
        ("v1", "ConfigMap", {"data": {"anything.at-all": "x"}}),
        ("apps/v1", "Deployment", {"spec": {"template": {"$patch": "replace", "nonsense": 1}}}),
        ("v1", "Service", {"spec": {"${NAME}": 1}}),
        ("v1", "Secret", {"sops": {"mac": "x"}}),
        ("v1", "Pod", {"status": {"anything": 1}}),
        ("example.com/v1", "Thing", {"nonsense": 1}),
        ("networking.k8s.io/v9", "NetworkPolicy", {"nonsense": 1}),
        ("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", {"spec": {"config": "{}"}}),
    ],
)
def test_nothing_is_said(manifest: Make, api_version: str, kind: str, fields: dict[str, Any]) -> None:
    assert unknown_fields(manifest(api_version, kind, **fields)) == []


def test_old_ingress_fields_are_unknown_in_v1(manifest: Make) -> None:
    spec = {"defaultBackend": {"serviceName": "a", "servicePort": 1}}
    found = unknown_fields(manifest("networking.k8s.io/v1", "Ingress", spec=spec))
    assert [field.name for field in found] == ["serviceName", "servicePort"]


def test_nearest_name_is_modest() -> None:
    legal = ["port", "protocol", "endPort"]
    assert nearest_name("prot", legal) == "port"
    assert nearest_name("end_port", legal) == "endPort"
    assert nearest_name("protcol", legal) == "protocol"
    assert nearest_name("host", legal) is None
    assert nearest_name("x", legal) is None


def test_objects_with_every_field_set_have_no_unknown_one(
    shared: Path, manifests: Callable[..., list[Manifest]]
) -> None:
    folder = shared / "corpus" / "kubernetes+api" / "testdata" / "HEAD"
    files = sorted(folder.glob("*.yaml"))
    assert len(files) > 20
    loaded = manifests(*(YAML(typ="safe").load(file.read_text()) for file in files))
    found = {f"{m.api_version} {m.kind}": [u.path for u in unknown_fields(m)] for m in loaded}
    assert {kind: paths for kind, paths in found.items() if paths} == {}
