"""The whole way from paths to documents."""

import gc
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from netlint.findings import Finding, Location
from netlint.sources import problems
from netlint.sources.document import PLAIN, Document, SourceUnit
from netlint.sources.files import SourceFile
from netlint.sources.lines import LineTable
from netlint.sources.options import Limits, ReadOptions, SourceError
from netlint.sources.streams import KUBERNETES_TEXT, read_stream
from netlint.sources.walk import UNIT_FILES, shown, walk

STDIN_NAME: Final = "<stdin>"


@dataclass(slots=True)
class Reading:
    """All that was read: the documents in the order of files and text, what went wrong, and the files themselves.

    `files` is by shown path; `roots` are the paths asked for, as shown.
    """

    documents: list[Document] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    files: dict[str, SourceFile] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    _table: LineTable = field(default_factory=LineTable, repr=False)


def read(paths: Sequence[str], *, options: ReadOptions | None = None) -> Reading:
    """Everything that `paths` name. Raises SourceError where one does not exist; all else becomes a finding."""
    options = options or ReadOptions()
    found = walk(list(paths), options)
    cwd = str(options.folder)
    reading = Reading(roots=tuple("-" if path == "-" else shown(os.path.join(cwd, path), cwd) for path in paths))
    with _collector_off():
        units = None
        if found.units:
            from netlint.sources.units import find

            units = find(found, options, reading._table)
        for path, named in found.files.items():
            if units is not None and units.owns(os.path.realpath(path)):
                continue
            _file(path, shown(path, cwd), named, options.limits, reading)
        if found.stdin:
            stream = options.stdin if options.stdin is not None else getattr(sys.stdin, "buffer", None)
            if stream is None:
                raise SourceError("standard input is closed: nothing can be read from it")
            limit = options.limits.file_size
            _bytes(stream.read(limit + 1), STDIN_NAME, True, options.limits, reading)
        if units is not None and units.origins is not None:
            reading.documents += units.documents
            reading.findings += units.findings
            for file, source in sorted(units.origins.files.items()):
                reading.files.setdefault(file, source)
    return reading


def read_text(text: str | bytes, file: str = "-", *, limits: Limits | None = None) -> Reading:
    """The documents of one text, as if it were the file `file`, named by the user."""
    reading = Reading(roots=(file,))
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    with _collector_off():
        _bytes(data, file, True, limits or Limits(), reading)
    return reading


class _collector_off:  # noqa: N801 - it reads as a word in a with statement
    """Python's cycle collector would walk the growing data again and again, and finds nothing in it."""

    def __enter__(self) -> None:
        self.was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self.was_on:
            gc.enable()


def _file(path: str, file: str, named: bool, limits: Limits, reading: Reading) -> None:
    expected = named or os.path.basename(path) in UNIT_FILES
    try:
        size = os.stat(path).st_size
        with open(path, "rb") as stream:
            data = stream.read(limits.file_size + 1) if size <= limits.file_size else stream.read(65536)
    except OSError as error:
        if named:
            raise SourceError(f"{file}: {error.strerror or error}") from None
        reading.findings.append(
            problems.unreadable(
                Location(file, 1, 1, 1, 1),
                f"the file cannot be opened: {error.strerror or error}",
                "Check its permissions.",
            )
        )
        return
    if size > limits.file_size:
        if expected or b"apiVersion" in data:
            reading.findings.append(_too_large(file, size, limits))
        return
    _bytes(data, file, expected, limits, reading)


def _too_large(file: str, size: int, limits: Limits) -> Finding:
    return problems.unreadable(
        Location(file, 1, 1, 1, 1),
        f"the file has {size} bytes, more than the limit of {limits.file_size}; it was not read",
        "Split the file.",
    )


def _bytes(data: bytes, file: str, named: bool, limits: Limits, reading: Reading, unit: SourceUnit = PLAIN) -> None:
    if len(data) > limits.file_size:
        reading.findings.append(_too_large(file, len(data), limits))
        return
    text, problem = _decode(data, file, named)
    if problem is not None:
        reading.findings.append(problem)
    if text is None:
        return
    source = SourceFile(file, text)
    reading.files[file] = source
    stream = read_stream(source, limits, reading._table, named=named, unit=unit)
    reading.documents += stream.documents
    reading.findings += stream.findings


def _decode(data: bytes, file: str, named: bool) -> tuple[str | None, Finding | None]:
    start = Location(file, 1, 1, 1, 1)
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", "replace")
        if named or KUBERNETES_TEXT.search(text):
            return None, problems.unreadable(
                start, "the file is UTF-16; kubectl reads UTF-8 only", "Save the file as UTF-8."
            )
        return None, None
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        if b"\0" in data[:8192]:
            finding = problems.unreadable(start, "the file is binary, not YAML or JSON", "Do not name it.")
            return None, finding if named else None
        text = data.decode("utf-8", "surrogateescape")
        if not named and not KUBERNETES_TEXT.search(text):
            return None, None
        before = data[: error.start].decode("utf-8")
        lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        line, column = len(lines), len(lines[-1]) + 1
        return text, problems.unreadable(
            Location(file, line, column, line, column + 1),
            f"the byte 0x{data[error.start]:02X} is not UTF-8 text; the document that holds it was not read",
            "Save the file as UTF-8.",
        )
