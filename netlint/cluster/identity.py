"""Which object a manifest stands for, and whether two manifests say the same of it."""

import json
from typing import Any, NamedTuple

from netlint.resources import Manifest, model_of
from netlint.resources.values import is_placeholder

_MOVED_GROUPS = {
    ("extensions", "Deployment"): "apps",
    ("extensions", "DaemonSet"): "apps",
    ("extensions", "ReplicaSet"): "apps",
    ("extensions", "Ingress"): "networking.k8s.io",
    ("extensions", "NetworkPolicy"): "networking.k8s.io",
}
_SAME_GROUPS = {"projectcalico.org": "crd.projectcalico.org"}
_SERVER_METADATA = ("uid", "resourceVersion", "creationTimestamp")
_VOLATILE_METADATA = (*_SERVER_METADATA, "generation", "managedFields", "selfLink", "ownerReferences")
_VOLATILE_ANNOTATIONS = ("kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision")

SINGLETONS = frozenset(
    {
        ("kubeadm.k8s.io", "ClusterConfiguration"),
        ("kubeproxy.config.k8s.io", "KubeProxyConfiguration"),
        ("kind.x-k8s.io", "Cluster"),
    }
)
"""Configuration files without a name, of which a cluster has one."""


class Identity(NamedTuple):
    """What the API server holds once: group, kind, namespace (None for cluster scope) and name."""

    group: str
    kind: str
    namespace: str | None
    name: str

    def __str__(self) -> str:
        return "/".join(part for part in (self.kind, self.namespace, self.name) if part)


def namespace_of(manifest: Manifest) -> str | None:
    """The namespace that the object lands in; None for cluster scope. An unknown kind is taken at its word."""
    model = model_of(manifest.api_version, manifest.kind)
    if model is None:
        return manifest.namespace
    return (manifest.namespace or "default") if model.NAMESPACED else None


def identity_of(manifest: Manifest) -> Identity | None:
    """The identity, or None for what cannot be the same object as another: no name, generateName, a placeholder."""
    metadata = manifest.raw.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if not isinstance(name, str) or not name or _is_placeholder(name):
        return None
    if manifest.namespace and _is_placeholder(manifest.namespace):
        return None
    group = _MOVED_GROUPS.get((manifest.group, manifest.kind), manifest.group)
    return Identity(_SAME_GROUPS.get(group, group), manifest.kind, namespace_of(manifest), name)


def _is_placeholder(name: str) -> bool:
    """Plain names, which nearly all are, take no regular expression."""
    return not name.replace("-", "").replace(".", "").isalnum() and is_placeholder(name)


def from_server(manifest: Manifest) -> bool:
    """Whether a cluster has set fields of the object, so that it was read from one. Empty ones do not count."""
    metadata = manifest.raw.get("metadata")
    if isinstance(metadata, dict):
        for field in _SERVER_METADATA:
            if metadata.get(field):
                return True
    return _says_something(manifest.raw.get("status"))


def fingerprint(manifest: Manifest) -> str:
    """The content as text, without what a server adds: equal where two manifests say the same."""
    return json.dumps(content(manifest), sort_keys=True, default=str)


def content(manifest: Manifest) -> dict[str, Any]:
    """The manifest without the fields that a server sets or that change by themselves."""
    raw = {key: value for key, value in manifest.raw.items() if key not in ("status", "apiVersion")}
    metadata = raw.get("metadata")
    if isinstance(metadata, dict):
        metadata = {key: value for key, value in metadata.items() if key not in _VOLATILE_METADATA}
        metadata["namespace"] = namespace_of(manifest)
        annotations = metadata.get("annotations")
        if isinstance(annotations, dict):
            kept = {key: value for key, value in annotations.items() if key not in _VOLATILE_ANNOTATIONS}
            metadata["annotations"] = kept
        raw["metadata"] = {key: value for key, value in metadata.items() if value not in (None, {})}
    return raw


def _says_something(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_says_something(item) for item in value.values())
    if isinstance(value, list):
        return any(_says_something(item) for item in value)
    return value is not None and value != ""
