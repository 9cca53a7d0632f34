"""Documents inside documents: the YAML or JSON text of a scalar, with places in the outer file where possible."""

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from netlint.findings import Location, ObjectRef, Path
from netlint.sources.document import Document
from netlint.sources.files import SourceFile
from netlint.sources.lines import LineTable
from netlint.sources.options import Limits
from netlint.sources.positions import TreePositions
from netlint.sources.streams import read_stream

_HEADER: Final = re.compile(r"(?:[&!]\S*[ \t]+)*\|([0-9]?)[+-]?([0-9]?)")


@dataclass(slots=True, eq=False)
class Embedded:
    """What a text inside a scalar holds. It is a `Located`, so that a `Place` can point into it.

    `documents` are its documents and `data` the first one's data (None where there is none); `problem` says in one
    line why the text, or a part of it, could not be read. `ref` is the identity of the outer object, if given.
    """

    documents: tuple[Document, ...]
    problem: str | None
    ref: ObjectRef | None
    _outer: Document | None
    _path: Path
    _text: str

    @property
    def data(self) -> Any:
        return self.documents[0].data if self.documents else None

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        """The place of a path of the first document in the outer file, or of the whole scalar where the outer
        text is not a block literal or a plain copy of the inner one."""
        return self.locate_in(0, path, anchor)

    def locate_in(self, index: int, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        """The same for the document with number `index`."""
        inner = self.documents[index].locate(path, anchor) if index < len(self.documents) else None
        if self._outer is None:
            return inner or Location("-", 1, 1, 1, 1)
        outer = self._outer.locate(self._path)
        return (inner and self._shifted(inner, outer)) or outer

    def _shifted(self, inner: Location, outer: Location) -> Location | None:
        document = self._outer
        if document is None or not isinstance(document.positions, TreePositions) or document.rendered:
            return None
        lines = document.positions.lines
        line, column = outer.start_line - 1, outer.start_column - 1
        text = self._text.split("\n")
        header = _HEADER.match(lines[line], column)
        if header is None:
            if "\n" in self._text.rstrip("\n"):
                return None
            start = column + (lines[line][column : column + 1] in ("'", '"'))
            if not lines[line].startswith(text[0], start):
                return None
            return (
                Location(outer.file, line + 1, inner.start_column + start, line + 1, inner.end_column + start)
                if inner.start_line == inner.end_line == 1
                else None
            )
        first = next((n for n in range(line + 1, len(lines)) if lines[n].strip(" ")), None)
        if first is None:
            return None
        content = next((part for part in text if part.strip(" ")), "")
        indent = len(lines[first]) - len(content)
        shift = line + 1
        for number in (inner.start_line, inner.end_line):
            at = number - 1 + shift
            if at >= len(lines) or number > len(text) or lines[at][indent:] != text[number - 1]:
                return None
        return Location(
            outer.file,
            inner.start_line + shift,
            inner.start_column + indent,
            inner.end_line + shift,
            inner.end_column + indent,
        )


def parse_embedded(
    text: str,
    document: Document | None = None,
    path: Path = (),
    *,
    ref: ObjectRef | None = None,
    limits: Limits | None = None,
) -> Embedded:
    """The documents of `text`, the value that stands at `path` of `document` (absolute in the document, so with a
    manifest's prefix). Never raises: what cannot be read is left out and named in `problem`."""
    file = document.file if document is not None else "-"
    source = SourceFile(file, text)
    stream = read_stream(source, limits or Limits(), LineTable(), named=True)
    problem = next((finding.message for finding in stream.findings if finding.code in ("NET001", "NET006")), None)
    return Embedded(tuple(stream.documents), problem, ref, document, path, text)
