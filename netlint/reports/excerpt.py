"""The line of source that a finding points at, with carets under the exact stretch."""

from netlint.findings import Location
from netlint.reports.escape import safe, width

_TAB = 4
_WIDEST = 110


def excerpt(line: str, location: Location) -> tuple[str, str]:
    """The line as shown and the line of carets below it. A long line is cut around the stretch."""
    start = min(location.start_column - 1, len(line))
    end = location.end_column - 1 if location.end_line == location.start_line else len(line)
    end = min(max(end, start), len(line))
    before, marked, after = (_shown(part) for part in (line[:start], line[start:end], line[end:]))
    if width(before) + width(marked) + width(after) > _WIDEST:
        before, marked, after = _cut(before, marked, after)
    carets = " " * width(before) + "^" * max(width(marked), 1)
    return (before + marked + after).rstrip(), carets


def _shown(text: str) -> str:
    return safe(text.replace("\t", " " * _TAB))


def _cut(before: str, marked: str, after: str) -> tuple[str, str, str]:
    if width(marked) > _WIDEST // 2:
        marked = marked[: _WIDEST // 4] + "..." + marked[-_WIDEST // 4 :]
    left = max((_WIDEST - width(marked)) // 2, 0)
    if width(before) > left:
        before = "..." + before[-max(left - 3, 0) :] if left > 3 else "..."
    right = max(_WIDEST - width(before) - width(marked), 4)
    if width(after) > right:
        after = after[: right - 3] + "..."
    return before, marked, after
