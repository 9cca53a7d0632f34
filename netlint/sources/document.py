"""What reading leaves: documents of plain data that can tell the place of every field."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

from netlint.findings import Location, Path


@dataclass(frozen=True, slots=True)
class SourceUnit:
    """What a document came from as a whole: the plain files, one kustomization, or one chart with one set of values.

    `name` is the folder (or the folder and the values files), empty for plain files. `owned` are the files that
    the unit reads, which are never also plain files.
    """

    kind: Literal["plain", "kustomization", "chart"]
    name: str = ""
    owned: frozenset[str] = frozenset()


PLAIN = SourceUnit("plain")


class Positions(Protocol):
    """Turns a field path of one document into a stretch of its file."""

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location: ...


@dataclass(slots=True, eq=False)
class Document:
    """One document of a stream. `data` is plain: dict, list, str, int, float, bool, None, in kubectl's dialect.

    `file` is the path as shown to people: relative to the working directory, with forward slashes; for rendered
    documents the template or overlay file where that can be told, else the chart or kustomization. `rendered` is
    True when line and column are not those of a file that the user wrote.
    """

    file: str
    index: int
    data: Any
    positions: Positions
    unit: SourceUnit = PLAIN
    rendered: bool = False

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        """The place of a field: a scalar's value, a collection's key, an absent field's nearest parent's key."""
        return self.positions.locate(path, anchor)
