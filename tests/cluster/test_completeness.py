"""Open and closed worlds."""

from collections.abc import Callable

from netlint.cluster import Cluster
from netlint.resources.core import Namespace, Service
from netlint.resources.networking import NetworkPolicy

Make = Callable[..., Cluster]

APP = """\
{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: x}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {containers: [{name: c}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: db, namespace: data}, spec: {ports: [{port: 1}]}}
"""
DUMPED = "{apiVersion: v1, kind: Service, metadata: {name: db, namespace: data, uid: u-1}, spec: {ports: [{port: 1}]}}"


def test_a_namespace_with_its_object_and_something_in_it_is_held_whole(cluster: Make) -> None:
    made = cluster(APP)
    assert made.world == "open"
    assert made.completeness.holds_whole("shop")
    assert not made.completeness.holds_whole("data")
    assert made.completeness.complete(NetworkPolicy, "shop")
    assert not made.completeness.complete(Service, "data")
    assert not made.completeness.complete(Namespace)


def test_default_is_never_held_whole_by_manifests(cluster: Make) -> None:
    made = cluster(APP.replace("shop", "default"))
    assert not made.completeness.holds_whole("default")


def test_a_kind_read_from_a_cluster_is_complete_where_it_appears(cluster: Make) -> None:
    made = cluster(DUMPED)
    assert made.completeness.complete(Service, "data")
    assert made.completeness.complete("Service", "data")
    assert not made.completeness.complete(Service, "shop")
    assert not made.completeness.complete(NetworkPolicy, "data")
    assert made.world == "open"
    pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u-2}, spec: {containers: [{name: c}]}}"
    assert cluster(f"{DUMPED}\n---\n{pod}").world == "closed"


def test_empty_server_fields_say_nothing(cluster: Make) -> None:
    text = """\
apiVersion: v1
kind: Service
metadata: {name: db, namespace: data, creationTimestamp: null}
spec: {ports: [{port: 1}]}
status: {loadBalancer: {}}
"""
    made = cluster(text)
    assert not made.completeness.complete(Service, "data")
    assert made.world == "open"


def test_the_user_decides(cluster: Make) -> None:
    assert cluster(APP, world="closed").completeness.complete(Namespace)
    assert cluster(APP, world="closed").world == "closed"
    opened = cluster(DUMPED + "\n---\n" + APP, world="open")
    assert not opened.completeness.complete(Service, "data")
    assert not opened.completeness.holds_whole("shop")


def test_every_namespace_that_is_mentioned(cluster: Make) -> None:
    made = cluster(APP)
    assert list(made.namespaces) == ["data", "shop"]
    assert made.namespaces["shop"].labels == {"team": "x", "kubernetes.io/metadata.name": "shop"}
    assert made.namespaces["shop"].labels_known
    assert made.namespaces["data"].labels == {"kubernetes.io/metadata.name": "data"}
    assert made.namespaces["data"].declared is None
    assert not made.namespaces["data"].labels_known
