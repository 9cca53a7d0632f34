"""Fields of objects whose kinds have no model here: custom resources, read with care."""

from collections.abc import Iterator
from typing import Any

from netlint.cluster import Cluster
from netlint.findings import Path, Place
from netlint.resources import KubernetesObject, Manifest


def of_kind(cluster: Cluster, group: str, *kinds: str) -> Iterator[Manifest]:
    """The manifests of some kinds of one API group, kind by kind in the order of the cluster."""
    for kind in kinds:
        yield from cluster.of_kind(group, kind)


def dig(data: Any, *path: str | int) -> Any:
    """The value at a path, None where the way there is missing or of another shape."""
    for segment in path:
        if isinstance(segment, str) and isinstance(data, dict):
            data = data.get(segment)
        elif isinstance(segment, int) and isinstance(data, list) and segment < len(data):
            data = data[segment]
        else:
            return None
    return data


def entries(data: Any, *path: str | int) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The mappings of the list at a path, each with its own path."""
    found = dig(data, *path)
    for index, item in enumerate(found if isinstance(found, list) else ()):
        if isinstance(item, dict):
            yield (*path, index), item


def text_at(data: Any, *path: str | int) -> str | None:
    """The text at a path, None for anything else and for an empty one."""
    value = dig(data, *path)
    return value if isinstance(value, str) and value else None


def number_at(data: Any, *path: str | int) -> int | None:
    value = dig(data, *path)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def labels_at(data: Any, *path: str | int) -> dict[str, str]:
    """The mapping of texts at a path; empty where there is none."""
    value = dig(data, *path)
    if not isinstance(value, dict):
        return {}
    return {key: item for key, item in value.items() if isinstance(key, str) and isinstance(item, str)}


def namespace_of(manifest: Manifest) -> str:
    return manifest.namespace or "default"


def at(manifest: Manifest, *path: str | int) -> Place:
    """The place of a field of a manifest."""
    return Place(manifest, path)


def value_at(place: Place) -> Any:
    """The plain value at a place of a manifest or object; None where there is none."""
    source = place.source
    manifest = source.manifest if isinstance(source, KubernetesObject) else source
    return dig(manifest.raw, *place.path) if isinstance(manifest, Manifest) else None
