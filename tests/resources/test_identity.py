"""Objects whose kind, group or name no API server takes."""

from collections.abc import Callable
from typing import Any

import pytest

from netlint.resources import Manifest, problems

Make = Callable[..., Manifest]


def said(made: Manifest) -> list[tuple[tuple[Any, ...], str, str | None]]:
    return [(p.path, p.message, p.hint) for p in problems(made)]


@pytest.mark.parametrize(
    ("api_version", "kind", "path", "hint"),
    [
        # `kubectl apply` says of each: no matches for kind.
        ("v1", "NetworkPolicy", ("apiVersion",), "write apiVersion: networking.k8s.io/v1"),
        ("networking/v1", "NetworkPolicy", ("apiVersion",), "write apiVersion: networking.k8s.io/v1"),
        ("v1", "Deployment", ("apiVersion",), "write apiVersion: apps/v1"),
        ("app/v1", "Deployment", ("apiVersion",), "write apiVersion: apps/v1"),
        ("apps/v1", "Ingress", ("apiVersion",), "write apiVersion: networking.k8s.io/v1"),
        ("apps/v1", "Pod", ("apiVersion",), "write apiVersion: v1"),
        ("v1", "service", ("kind",), "write Service"),
        ("v1", "Sevice", ("kind",), "write Service"),
        ("networking.k8s.io/v1", "Networkpolicy", ("kind",), "write NetworkPolicy"),
        ("crd.projectcalico.org/v1", "Ippool", ("kind",), "write IPPool"),
    ],
)
def test_a_kind_that_its_group_does_not_have(
    manifest: Make, api_version: str, kind: str, path: tuple[str, ...], hint: str
) -> None:
    ((where, message, help_),) = said(manifest(api_version, kind))
    assert (where, help_) == (path, hint)
    assert message.startswith(f"{api_version} has no kind {kind}")


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("crd.projectcalico.org/v1", "NetworkPolicy"),
        ("networking.example.com/v1", "NetworkPolicy"),  # a custom resource may have any kind
        ("extensions/v1beta1", "Deployment"),  # of old servers
        ("autoscaling/v1", "Scale"),
        ("v1", "Config"),  # kubeconfig
        ("v1", "Event"),
        ("v1", "Route"),  # OpenShift 3
        ("v1", "PersistentVolumeClaim"),
        ("v1", "ServiceList"),
        ("v1", "{{ kind }}"),
        ("cilium.io/v2", "CiliumNodeConfig"),
    ],
)
def test_kinds_that_are_let_alone(manifest: Make, api_version: str, kind: str) -> None:
    assert said(manifest(api_version, kind)) == []


def test_every_object_has_a_name(manifests: Callable[..., list[Manifest]]) -> None:
    service = {"apiVersion": "v1", "kind": "Service", "spec": {"ports": [{"port": 80}]}}
    for metadata in ({}, {"metadata": None}, {"metadata": {"namespace": "shop"}}, {"metadata": {"name": ""}}):
        assert [path for path, *_ in said(manifests({**service, **metadata})[0])] == [("metadata", "name")], metadata
    for metadata in ({"metadata": {"name": "a"}}, {"metadata": {"generateName": "a-"}}):
        assert said(manifests({**service, **metadata})[0]) == []


@pytest.mark.parametrize(
    "raw",
    [
        # Spark and Jenkins read such pods as templates.
        {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "a", "image": "b"}]}},
        # Configuration files are no objects of the server.
        {"apiVersion": "kubeadm.k8s.io/v1beta4", "kind": "ClusterConfiguration"},
        {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"},
        {"apiVersion": "v1", "kind": "Service", "$patch": "delete", "spec": {"ports": [{"port": 80}]}},
    ],
)
def test_what_needs_no_name(manifests: Callable[..., list[Manifest]], raw: dict[str, Any]) -> None:
    assert said(manifests(raw)[0]) == []
