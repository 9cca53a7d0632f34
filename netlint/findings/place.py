"""Where a finding points: symbolically (an object and a field path), and late, in a file."""

from dataclasses import dataclass
from typing import Literal, Protocol

from netlint.findings.paths import Path


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A stretch of a file. Lines and columns count from 1, columns in code points, the end is exclusive."""

    file: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class ObjectRef:
    """The identity of a Kubernetes object or of a configuration file (kind `Config`)."""

    api_version: str
    kind: str
    namespace: str | None
    name: str | None

    def __str__(self) -> str:
        return "/".join(part for part in (self.kind, self.namespace, self.name) if part)


class Located(Protocol):
    """What can turn a field path into a stretch of a file: a manifest, a configuration file."""

    @property
    def ref(self) -> ObjectRef | None:
        """The identity of the object, or None where the file holds none."""

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        """The place of a field: a scalar's value, a collection's key, an absent field's nearest parent."""


@dataclass(frozen=True, slots=True)
class Place:
    """A field of an object. `anchor="key"` points at the key even where the value is a scalar."""

    source: Located
    path: Path = ()
    anchor: Literal["value", "key"] = "value"

    @property
    def ref(self) -> ObjectRef | None:
        return self.source.ref

    def locate(self) -> Location:
        return self.source.locate(self.path, self.anchor)
