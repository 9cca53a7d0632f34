"""Fixes applied byte for byte: what an edit does not name stays as it is, line ends and byte order mark included."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from netlint.findings import Finding, Fix, TextEdit

_LINE_END = re.compile("\r\n|\n|\r")
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file before and after its fixes. `skipped` counts fixes that overlap one that is applied."""

    file: str
    before: bytes
    after: bytes

    def diff(self) -> str:
        """A unified diff."""
        old, new = (text.decode("utf-8", "replace").splitlines(keepends=True) for text in (self.before, self.after))
        return "".join(_ended(line) for line in difflib.unified_diff(old, new, self.file, self.file))


def plan(findings: Iterable[Finding], *, unsafe: bool, folder: Path) -> tuple[list[FixedFile], int]:
    """What applying the fixes would change, by file, and how many fixes that is.

    A finding's first fix of a wanted safety counts; one whose edits overlap those of an earlier finding waits for the
    next run. Only files inside `folder` are touched.
    """
    edits: dict[str, list[tuple[int, int, str]]] = {}
    texts: dict[str, str] = {}
    applied = 0
    for finding in findings:
        fix = next((fix for fix in finding.fixes if unsafe or fix.safety == "safe"), None)
        spans = _spans(fix, texts, folder) if fix else None
        if not spans or any(_overlap(span, other) for file, span in spans for other in edits.get(file, ())):
            continue
        for file, span in spans:
            edits.setdefault(file, []).append(span)
        applied += 1
    files = []
    for file, spans_here in sorted(edits.items()):
        text = texts[file]
        after = text
        for start, end, new in sorted(spans_here, reverse=True):
            after = after[:start] + new + after[end:]
        files.append(FixedFile(file, text.encode(), after.encode()))
    return files, applied


def apply(files: Iterable[FixedFile], folder: Path) -> None:
    """Write the files. Raises OSError."""
    for file in files:
        (folder / file.file).write_bytes(file.after)


def _spans(fix: Fix, texts: dict[str, str], folder: Path) -> list[tuple[str, tuple[int, int, str]]] | None:
    """The edits as stretches of their files' texts; None where one cannot be made exactly."""
    spans = []
    for edit in fix.edits:
        file = edit.location.file
        if file not in texts:
            path = (folder / file).resolve()
            if not path.is_relative_to(folder.resolve()):
                return None
            try:
                texts[file] = path.read_bytes().decode("utf-8")
            except (OSError, UnicodeDecodeError):
                return None
        span = _span(edit, texts[file])
        if span is None:
            return None
        spans.append((file, span))
    return spans


def _span(edit: TextEdit, text: str) -> tuple[int, int, str] | None:
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    mark = 1 if text.startswith(_MARK) else 0
    where = edit.location

    def offset(line: int, column: int) -> int | None:
        if not 1 <= line <= len(starts):
            return None
        position = starts[line - 1] + column - 1 + (mark if line == 1 else 0)
        return position if position <= len(text) else None

    start, end = offset(where.start_line, where.start_column), offset(where.end_line, where.end_column)
    if start is None or end is None or end < start:
        return None
    return start, end, edit.new_text


def _overlap(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    if one[:2] == other[:2]:
        return True
    return one[0] < other[1] and other[0] < one[1]


def _ended(line: str) -> str:
    return line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
