"""metadata of every object (apimachinery `pkg/api/validation`)."""

from collections.abc import Iterator

from netlint.findings import Path
from netlint.resources.base import KubernetesObject, ObjectMeta
from netlint.resources.validation.selectors import check_labels
from netlint.resources.validation.text import annotation_key, dns_1035_label, dns_label, dns_subdomain
from netlint.resources.values import FieldProblem, quoted

_LABEL_NAMES = {"Namespace"}
# kubeadm, kubelet and other configuration files are no objects of the API server; an IPAddress is named by its address.
_OTHER_NAMES = {"IPAddress"}


def check_metadata(obj: KubernetesObject) -> Iterator[FieldProblem]:
    """Name, namespace, labels and annotation keys."""
    metadata = obj.metadata
    name = metadata.name
    if name and obj.kind not in _OTHER_NAMES:
        yield from _check_name(obj, name)
    if metadata.namespace and obj.NAMESPACED and (wrong := dns_label(metadata.namespace)):
        yield FieldProblem(("metadata", "namespace"), f"the namespace {quoted(metadata.namespace)} {wrong}")
    yield from check_object_meta(("metadata",), metadata)


def check_object_meta(path: Path, metadata: ObjectMeta) -> Iterator[FieldProblem]:
    """Labels and annotation keys, of an object or of a template."""
    if metadata.labels:
        yield from check_labels((*path, "labels"), metadata.labels)
    for key in metadata.annotations or ():
        if wrong := annotation_key(key):
            yield FieldProblem((*path, "annotations", key), f"the annotation key {quoted(key)} {wrong}")


def _check_name(obj: KubernetesObject, name: str) -> Iterator[FieldProblem]:
    path = ("metadata", "name")
    if obj.kind == "Service" and obj.api_version == "v1":
        if wrong := dns_label(name):
            yield FieldProblem(path, f"the name {quoted(name)} {wrong}")
        elif wrong := dns_1035_label(name):
            yield FieldProblem(path, f"the name {quoted(name)} {wrong} before Kubernetes 1.36", severity_hint="warning")
        return
    if wrong := dns_label(name) if obj.kind in _LABEL_NAMES else dns_subdomain(name):
        yield FieldProblem(path, f"the name {quoted(name)} {wrong}")
    elif obj.kind == "CronJob" and len(name) > 52:
        yield FieldProblem(path, f"the name of a CronJob must be no more than 52 characters, has {len(name)}")
