"""Places of objects that helm or kustomize made: in the file they came from, where that can be told."""

from dataclasses import dataclass, field
from typing import Any, Literal

from netlint.findings import Finding, Location, Path
from netlint.sources.document import Document
from netlint.sources.files import SourceFile
from netlint.sources.lines import LineTable
from netlint.sources.options import Limits
from netlint.sources.patches import set_by, value_at
from netlint.sources.streams import Stream, read_stream


@dataclass(slots=True)
class Origins:
    """The files that rendered objects came from, each read once. Keys are shown paths."""

    limits: Limits
    table: LineTable
    files: dict[str, SourceFile] = field(default_factory=dict)
    _streams: dict[str, Stream] = field(default_factory=dict)

    def add(self, file: str, path: str) -> bool:
        """Make a file known. False where it cannot be read as text."""
        if file in self.files:
            return True
        try:
            with open(path, encoding="utf-8-sig", newline="") as stream:
                text = stream.read(self.limits.file_size)
        except (OSError, UnicodeError):
            return False
        self.files[file] = SourceFile(file, text)
        return True

    def stream(self, file: str) -> Stream:
        """What the file holds as it stands."""
        known = self._streams.get(file)
        if known is None:
            source = self.files.get(file)
            known = Stream([], [])
            if source is not None:
                known = read_stream(source, self.limits, self.table, named=False)
            self._streams[file] = known
        return known


@dataclass(slots=True)
class Rendered:
    """What one unit gave."""

    documents: list[Document] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


class OriginPositions:
    """Places in the file of a base that kustomize read: the field of the same path in the object of the same kind
    and name. A value that the base does not have stands where one of the `overlays` (shown files with patches) sets
    it, or else at its nearest parent that the base has."""

    __slots__ = ("_data", "_file", "_found", "_origins", "_overlays", "_searched")

    def __init__(self, file: str, data: Any, origins: Origins, overlays: tuple[str, ...] = ()) -> None:
        self._file = file
        self._data = data
        self._origins = origins
        self._overlays = overlays
        self._found: Document | None = None
        self._searched = False

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        document = self._document()
        if document is None:
            return Location(self._file, 1, 1, 1, 1)
        return self._patched(path, document) or document.locate(path, anchor)

    def _patched(self, path: Path, base: Document) -> Location | None:
        value = value_at(self._data, path)
        if not isinstance(value, str | int | float) or value_at(base.data, path) == value:
            return None
        kind = _identity(self._data)[0]
        for file in self._overlays:
            for document in self._origins.stream(file).documents:
                found = set_by(document, kind, path, value, self._origins.limits)
                if found is not None:
                    return document.locate(found)
        return None

    def _document(self) -> Document | None:
        if not self._searched:
            self._searched = True
            kind, name = _identity(self._data)
            alike = [d for d in self._origins.stream(self._file).documents if _identity(d.data)[0] == kind]
            exact = [d for d in alike if _identity(d.data)[1] == name]
            within = [d for d in alike if _identity(d.data)[1] and _identity(d.data)[1] in name]
            found = exact or within or alike
            self._found = found[0] if exact or len(found) == 1 else None
        return self._found


def _identity(data: Any) -> tuple[str, str]:
    if not isinstance(data, dict):
        return "", ""
    metadata = data.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return str(data.get("kind") or ""), str(name or "")


class TemplatePositions:
    """Places of an object that a chart's template made: the template's `kind:` line where just one fits, else its
    first line. What lies between the braces moves everything else."""

    __slots__ = ("_file", "_kind", "_origins")

    def __init__(self, file: str, data: Any, origins: Origins) -> None:
        self._file = file
        self._kind = _identity(data)[0]
        self._origins = origins

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        source = self._origins.files.get(self._file)
        if source is not None:
            kind = f"kind: {self._kind}"
            found = [n for n, line in enumerate(source.lines, 1) if line.partition(" #")[0].rstrip() == kind]
            if len(found) == 1:
                return Location(self._file, found[0], 1, found[0], len(kind) + 1)
        return Location(self._file, 1, 1, 1, 1)
