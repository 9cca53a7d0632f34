"""Pod templates of every kind, seen in one way."""

from collections.abc import Callable
from typing import Any

import pytest

from netlint.resources import Manifest, TemplatedObject, pod_template, typed

Make = Callable[..., Manifest]
TEMPLATE = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "main"}]}}


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "path"),
    [
        ("v1", "PodTemplate", {"template": TEMPLATE}, ("template",)),
        ("batch/v1", "CronJob", {"spec": {"jobTemplate": {"spec": {"template": TEMPLATE}}}},
         ("spec", "jobTemplate", "spec", "template")),
        *(
            (version, kind, {"spec": {"template": TEMPLATE}}, ("spec", "template"))
            for version, kind in [
                ("apps/v1", "Deployment"), ("apps/v1", "StatefulSet"), ("apps/v1", "DaemonSet"),
                ("apps/v1", "ReplicaSet"), ("v1", "ReplicationController"), ("batch/v1", "Job"),
                ("extensions/v1beta1", "Deployment"), ("argoproj.io/v1alpha1", "Rollout"),
                ("apps.openshift.io/v1", "DeploymentConfig"), ("serving.knative.dev/v1", "Service"),
                ("example.com/v1", "CloneSet"),
            ]
        ),
    ],
)  # fmt: skip
def test_template_of(
    manifest: Make, api_version: str, kind: str, fields: dict[str, Any], path: tuple[str, ...]
) -> None:
    obj = typed(manifest(api_version, kind, **fields))
    assert obj is not None
    view = pod_template(obj)
    assert view is not None
    assert view.path == path
    assert view.labels == {"app": "web"}
    assert [container.name for container in view.spec.containers or ()] == ["main"]


def test_pod_is_its_own_template(manifest: Make) -> None:
    pod = typed(manifest("v1", "Pod", **TEMPLATE))
    assert pod is not None
    view = pod_template(pod)
    assert view is not None
    assert (view.path, view.labels) == ((), {"app": "web"})


def test_virtual_machine_is_a_workload(manifest: Make) -> None:
    spec = {
        "template": {
            "metadata": {"labels": {"app": "vm"}},
            "spec": {
                "domain": {"devices": {"interfaces": [{"name": "default", "ports": [{"name": "ssh", "port": 22}]}]}}
            },
        }
    }
    machine = typed(manifest("kubevirt.io/v1", "VirtualMachine", spec=spec))
    assert machine is not None
    view = pod_template(machine)
    assert view is not None
    assert view.labels == {"app": "vm"}
    ports = (view.spec.containers or [])[0].ports or []
    assert [(port.name, port.container_port) for port in ports] == [("ssh", 22)]


def test_unknown_kind_without_containers_is_no_workload(manifest: Make) -> None:
    assert typed(manifest("example.com/v1", "Thing", spec={"template": {"spec": {"x": 1}}})) is None
    assert isinstance(typed(manifest("example.com/v1", "Thing", spec={"template": TEMPLATE})), TemplatedObject)


def test_service_has_no_template(manifest: Make) -> None:
    service = typed(manifest("v1", "Service", spec={"ports": []}))
    assert service is not None
    assert pod_template(service) is None
