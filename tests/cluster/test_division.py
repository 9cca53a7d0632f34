"""How the input falls into clusters."""

import random
from collections.abc import Callable

from netlint.cluster import divide
from netlint.cluster.config import Config
from netlint.resources import Manifest
from netlint.sources.document import SourceUnit

Read = Callable[..., list[Manifest]]


def service(name: str, port: int, namespace: str = "shop") -> str:
    return f"""\
apiVersion: v1
kind: Service
metadata: {{name: {name}, namespace: {namespace}}}
spec:
  ports: [{{port: {port}}}]
---
"""


def names(manifests: list[Manifest], config: Config | None = None) -> dict[str, list[str]]:
    """The files of each cluster."""
    return {
        part.name: sorted({manifest.document.file for manifest in part.manifests})
        for part in divide(manifests, config or Config())
    }


def test_files_that_agree_are_one_cluster(manifests: Read) -> None:
    found = names(manifests({"a/web.yaml": service("web", 80), "b/db.yaml": service("db", 5432)}))
    assert found == {"default": ["a/web.yaml", "b/db.yaml"]}


def test_nothing_is_one_empty_cluster() -> None:
    (part,) = divide([], Config())
    assert (part.name, part.manifests) == ("default", ())


def test_the_same_object_twice_in_one_form_is_no_conflict(manifests: Read) -> None:
    found = names(manifests({"a/web.yaml": service("web", 80), "b/web.yaml": service("web", 80)}))
    assert list(found) == ["default"]


def test_folders_that_contradict_part_and_share_what_lies_above(manifests: Read) -> None:
    texts = {
        "k8s/namespace.yaml": "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}",
        "k8s/base/db.yaml": service("db", 5432),
        "k8s/dev/web.yaml": service("web", 8080),
        "k8s/prod/web.yaml": service("web", 80),
    }
    assert names(manifests(texts)) == {
        "dev": ["k8s/base/db.yaml", "k8s/dev/web.yaml", "k8s/namespace.yaml"],
        "prod": ["k8s/base/db.yaml", "k8s/namespace.yaml", "k8s/prod/web.yaml"],
    }


def test_a_file_above_that_contradicts_is_not_shared(manifests: Read) -> None:
    texts = {"all.yaml": service("web", 80), "lib.yaml": service("db", 5432), "next/web.yaml": service("web", 81)}
    assert names(manifests(texts)) == {
        "default": ["all.yaml", "lib.yaml"],
        "next": ["lib.yaml", "next/web.yaml"],
    }


def test_a_namespace_alone_parts_no_folders(manifests: Read) -> None:
    texts = {
        "a/ns.yaml": "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}",
        "b/ns.yaml": "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: x}}}",
    }
    (part,) = divide(manifests(texts), Config())
    kept, duplicates = part.effective()
    assert [m.document.file for m in kept] == ["b/ns.yaml"]
    assert duplicates == ()


def test_one_folder_with_two_forms_is_a_duplicate_object(manifests: Read) -> None:
    (part,) = divide(manifests({"x/a.yaml": service("web", 80), "x/b.yaml": service("web", 81)}), Config())
    kept, (duplicate,) = part.effective()
    assert [m.document.file for m in kept] == ["x/b.yaml"]
    assert str(duplicate.identity) == "Service/shop/web"
    assert [m.document.file for m in duplicate.manifests] == ["x/a.yaml", "x/b.yaml"]


def test_what_the_server_adds_makes_no_difference(manifests: Read) -> None:
    dumped = """\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Service
  metadata: {name: web, namespace: shop, uid: 1-2, resourceVersion: "7", creationTimestamp: "2026-01-01T00:00:00Z"}
  spec: {ports: [{port: 80}]}
  status: {loadBalancer: {}}
"""
    (part,) = divide(manifests({"a/web.yaml": service("web", 80), "b/dump.yaml": dumped}), Config())
    kept, duplicates = part.effective()
    assert len(kept) == 1
    assert duplicates == ()


def test_objects_without_a_name_never_conflict(manifests: Read) -> None:
    job = "{apiVersion: batch/v1, kind: Job, metadata: {generateName: run-}, spec: {parallelism: %d}}"
    (part,) = divide(manifests({"a/j.yaml": job % 1, "a/k.yaml": job % 2, "b/j.yaml": job % 3}), Config())
    kept, duplicates = part.effective()
    assert (len(kept), duplicates) == (3, ())


def test_two_kubeadm_configurations_are_two_clusters(manifests: Read) -> None:
    text = "{apiVersion: kubeadm.k8s.io/v1beta4, kind: ClusterConfiguration, networking: {podSubnet: 10.%d.0.0/16}}"
    assert set(names(manifests({"east/c.yaml": text % 1, "west/c.yaml": text % 2}))) == {"east", "west"}


def test_many_folders_with_one_object_part_without_sharing(manifests: Read) -> None:
    texts = {f"examples/e{i:02}/web.yaml": service("web", i) for i in range(40)}
    texts["examples/other/db.yaml"] = service("db", 5432)
    found = names(manifests(texts))
    assert len(found) == 41
    assert found["e07"] == ["examples/e07/web.yaml"]
    assert found["default"] == ["examples/other/db.yaml"]


def test_units_are_clusters_of_their_own(manifests: Read) -> None:
    plain = manifests({"ns.yaml": "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"})
    dev = manifests({"dev/x.yaml": service("web", 1)}, SourceUnit("kustomization", "overlays/dev"))
    prod = manifests({"prod/x.yaml": service("web", 2)}, SourceUnit("chart", "charts/shop"))
    assert list(names([*plain, *dev, *prod])) == ["default", "charts/shop", "overlays/dev"]


def test_the_configuration_decides(manifests: Read) -> None:
    config = Config.model_validate(
        {"clusters": [{"name": "prod", "paths": ["deploy/prod", "lib"]}, {"name": "dev", "paths": ["./deploy/dev/"]}]}
    )
    texts = {
        "deploy/prod/a.yaml": service("a", 1),
        "deploy/production/b.yaml": service("b", 1),
        "deploy/dev/a.yaml": service("a", 2),
        "lib/c.yaml": service("c", 1),
    }
    assert names(manifests(texts), config) == {
        "prod": ["deploy/prod/a.yaml", "lib/c.yaml"],
        "dev": ["deploy/dev/a.yaml"],
        "default": ["deploy/production/b.yaml"],
    }
    assert list(names(manifests(texts), Config.model_validate({"cluster": {"name": "all"}}))) == ["all"]


def test_what_is_rendered_belongs_where_its_overlay_does(manifests: Read) -> None:
    config = Config.model_validate(
        {
            "clusters": [
                {"name": "prod", "paths": ["overlays/prod", "charts"]},
                {"name": "dev", "paths": ["overlays/dev"]},
            ]
        }
    )
    units = [SourceUnit("kustomization", f"overlays/{name}") for name in ("dev", "prod", "test")]
    units.append(SourceUnit("chart", "charts/shop (values.yaml, prod.yaml)"))
    found = [
        manifest
        for number, unit in enumerate(units)
        for manifest in manifests({"base/a.yaml": service(f"s{number}", 30080)}, unit)
    ]
    assert {cluster.name: [m.name for m in cluster.manifests] for cluster in divide(found, config)} == {
        "prod": ["s1", "s3"],
        "dev": ["s0"],
        "default": ["s2"],
    }


def test_an_overlay_outside_all_clusters_goes_by_its_files(manifests: Read) -> None:
    config = Config.model_validate({"clusters": [{"name": "prod", "paths": ["base"]}]})
    found = manifests({"base/a.yaml": service("web", 30080)}, SourceUnit("kustomization", "."))
    assert [(cluster.name, len(cluster.manifests)) for cluster in divide(found, config)] == [("prod", 1)]


def test_the_order_of_the_input_does_not_matter(manifests: Read) -> None:
    texts = {f"e{i % 7}/f{i}.yaml": service(f"s{i % 5}", i % 3) for i in range(60)}
    objects = manifests(texts)
    expected = names(objects)
    for seed in range(5):
        random.Random(seed).shuffle(objects)
        assert names(objects) == expected
