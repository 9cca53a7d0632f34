"""Manifests from plain data."""

from collections.abc import Callable
from typing import Any, Literal

import pytest

from netlint.findings import Location, Path
from netlint.resources import Manifest, load
from netlint.sources.document import Document


class Nowhere:
    """Positions of a document that stands in no file."""

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        return Location("-", 1, 1, 1, 1)


@pytest.fixture
def manifests() -> Callable[..., list[Manifest]]:
    """`manifests(data, ...)` loads each argument as a document of its own."""

    def make(*documents: Any) -> list[Manifest]:
        return load(Document("-", index, data, Nowhere()) for index, data in enumerate(documents))

    return make


@pytest.fixture
def manifest(manifests: Callable[..., list[Manifest]]) -> Callable[..., Manifest]:
    """`manifest("apps/v1", "Deployment", spec={...})`: one object named `thing`."""

    def make(api_version: str, kind: str, **fields: Any) -> Manifest:
        data = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "thing"}, **fields}
        return manifests(data)[0]

    return make
