"""From documents to manifests: lists are unpacked, what is no Kubernetes object is left out."""

from collections.abc import Iterable, Iterator
from typing import Any

from netlint.findings import Path
from netlint.resources.manifest import Manifest
from netlint.resources.unknown import is_served
from netlint.sources.document import Document


def load(documents: Iterable[Document]) -> list[Manifest]:
    """One manifest an object, in the order of the documents; the items of a List or a typed list are objects."""
    manifests: list[Manifest] = []
    for document in documents:
        manifests.extend(_objects(document, (), document.data))
    return manifests


def without_kind(document: Document) -> Manifest | None:
    """The object that a document would be if it had a `kind`, or one that is text: it names an API group of
    Kubernetes and has metadata."""
    data = document.data
    if not isinstance(data, dict) or not isinstance(data.get("metadata"), dict):
        return None
    if isinstance(data.get("kind"), str) and data["kind"]:
        return None
    api_version = data.get("apiVersion")
    if not isinstance(api_version, str) or not is_served(api_version):
        return None
    return Manifest(document, (), data)


def _objects(document: Document, prefix: Path, data: Any) -> Iterator[Manifest]:
    if not isinstance(data, dict):
        return
    api_version, kind = data.get("apiVersion"), data.get("kind")
    if not (isinstance(api_version, str) and isinstance(kind, str) and api_version and kind):
        return
    items = data.get("items")
    if not (kind.endswith("List") and isinstance(items, list)):
        yield Manifest(document, prefix, data)
        return
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            continue
        if kind != "List" and "kind" not in item:
            # The API leaves the type of an item out where the list's own type says it.
            item = {"apiVersion": api_version, "kind": kind.removesuffix("List"), **item}
        yield from _objects(document, (*prefix, "items", index), item)
