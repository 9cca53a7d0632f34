"""Clusters from YAML texts, by file name."""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from ruamel.yaml import YAML

from netlint.cluster import Cluster, build, divide
from netlint.cluster.config import ClusterSettings, Config
from netlint.findings import Location, Path
from netlint.resources import Manifest, load
from netlint.sources.document import PLAIN, Document, SourceUnit

Texts = str | dict[str, str]


class NoPositions:
    """Places do not matter in these tests."""

    def __init__(self, file: str) -> None:
        self.file = file

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        return Location(self.file, 1, 1, 1, 1)


def read(texts: Texts, unit: SourceUnit = PLAIN) -> list[Manifest]:
    documents = []
    for file, text in ({"all.yaml": texts} if isinstance(texts, str) else texts).items():
        for index, data in enumerate(YAML(typ="safe", pure=True).load_all(text)):
            documents.append(Document(file, index, data, NoPositions(file), unit))
    return load(documents)


@pytest.fixture
def manifests() -> Callable[..., list[Manifest]]:
    return read


@pytest.fixture
def cluster() -> Callable[..., Cluster]:
    """`cluster(texts, podCIDRs=[...], world="closed")`: one cluster of the texts, with that `cluster:` block."""

    def make(texts: Texts, *, world: Literal["auto", "open", "closed"] | None = None, **block: Any) -> Cluster:
        config = Config.model_validate({"cluster": block})
        assert isinstance(config.cluster, ClusterSettings)
        (part,) = divide(read(texts), config)
        return build(part, config, world=world)

    return make
