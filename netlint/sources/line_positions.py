"""Places in a document that was read line by line: found again in its lines when a finding asks.

In block style everything that belongs to a key stands deeper than the key, so the children of a container are the
entries at its column between its first line and its last. Each container's are looked up once.
"""

from bisect import bisect_left
from functools import lru_cache
from itertools import compress, islice
from typing import TypeAlias

from netlint.findings import PathSegment
from netlint.sources.lines import (
    DASH,
    EXPLICIT,
    EXPLICIT_KEY,
    EXPLICIT_VALUE,
    ITEM_EMPTY,
    ITEM_KEY,
    ITEM_KEY_EMPTY,
    ITEM_KEY_TEXT,
    ITEM_KEY_VALUE,
    KEY,
    KEY_EMPTY,
    LINE,
    OPEN_QUOTE,
    SKIP,
    UNSURE,
    continued,
    text_value,
    understand,
)
from netlint.sources.positions import Span, TreePositions

_understood = lru_cache(maxsize=1 << 15)(understand)  # objects of one kind repeat their lines
_BLOCK, _SCALAR, _EMPTY, _EXPLICIT = 0, 1, 2, 3
Node: TypeAlias = tuple[int, int, int, int]
"""What it is; for a block: its level, its first line, the line after it; else: the column of the collection that
holds it, the line of its entry, the line after it."""


class LinePositions(TreePositions[Node]):
    """Places of one document: the lines of its file from `start` to before `end`."""

    def __init__(self, file: str, lines: list[str], start: int, end: int) -> None:
        super().__init__(file, lines)
        self._start = start
        self._end = end
        self._outermost: list[int] | None = None
        self._children: dict[Node, dict[PathSegment, tuple[int, int]]] = {}

    def _root(self) -> Node | None:
        return self._block(self._start, self._end)

    def _block(self, start: int, end: int) -> Node | None:
        """The collection that begins on the first entry from `start` on."""
        for number in range(start, end):
            level, what, *_ = _understood(self.lines[number])
            if what == UNSURE:
                return None
            if what != SKIP:
                return (_BLOCK, level, number, end)
        return None

    def _entries(self, node: Node) -> dict[PathSegment, tuple[int, int]]:
        """The entries of a block by key or index: their line and the line after them."""
        known = self._children.get(node)
        if known is not None:
            return known
        _, level, start, end = node
        lines = self.lines
        column = level >> 1
        if column:
            indent = " " * column
            # but for blanks and comments; a dash there is a list inside a mapping of that column
            found = [
                number
                for number in range(start + 1, end)
                if len(line := lines[number]) > column and line[column] not in " #" and line.startswith(indent)
            ]
        else:
            found = self._lines_at_margin(start + 1, end)
        entries: dict[PathSegment, tuple[int, int]]
        if level & 1:
            entries = dict(enumerate(zip((start, *found), (*found, end), strict=True)))
        else:
            keyed = [(number, entry[2]) for number in found if (entry := _understood(lines[number]))[0] == level]
            starts = [start, *(number for number, _ in keyed)]
            keys = [_understood(lines[start])[2], *(key for _, key in keyed)]
            entries = dict(zip(keys, zip(starts, (*starts[1:], end), strict=True), strict=True))
        self._children[node] = entries
        return entries

    def _lines_at_margin(self, start: int, end: int) -> list[int]:
        """Lines of the first column. Found once: long documents are Lists, whose keys and items both stand there."""
        lines = self.lines
        if self._outermost is None:
            # what is empty or begins with a blank sorts before "!"
            numbers = range(self._start, self._end)
            begun = compress(numbers, map("!".__le__, islice(lines, self._start, self._end)))
            self._outermost = [number for number in begun if lines[number][0] != "#"]
        return self._outermost[bisect_left(self._outermost, start) : bisect_left(self._outermost, end)]

    def _child(self, node: Node, segment: PathSegment) -> tuple[int | None, Node] | None:
        if node[0] != _BLOCK:
            return None
        entry = self._entries(node).get(segment)
        if entry is None or isinstance(segment, str) == bool(node[1] & 1):
            return None
        number, end = entry
        _, what, _, _, inner = _understood(self.lines[number])
        if node[1] & 1:
            if what in (ITEM_KEY_VALUE, ITEM_KEY, ITEM_KEY_EMPTY, ITEM_KEY_TEXT):
                return None, (_BLOCK, inner, number, end)
            if what == DASH:
                return None, self._block(number + 1, end) or (_SCALAR, node[1] >> 1, number, end)
            return None, (_EMPTY if what == ITEM_EMPTY else _SCALAR, node[1] >> 1, number, end)
        if what in (KEY, ITEM_KEY):
            return number, self._block(number + 1, end) or (_SCALAR, node[1] >> 1, number, end)
        if what in (KEY_EMPTY, ITEM_KEY_EMPTY):
            return number, (_EMPTY, node[1] >> 1, number, end)
        return number, (_EXPLICIT if what == EXPLICIT_KEY else _SCALAR, node[1] >> 1, number, end)

    def key_span(self, key: int) -> Span:
        number, line = key, self.lines[key]
        match = LINE.fullmatch(line)
        if match is not None:
            group = 3 if match[3] is not None else 4
            return (number, match.start(group), number, match.end(group))
        match = OPEN_QUOTE.fullmatch(line)
        group = 3
        if match is None:
            match = EXPLICIT.fullmatch(line)
            group = 2
        if match is None:
            return (number, 0, number, len(line))
        group += match[group] is None
        return (number, match.start(group), number, match.end(group))

    def _is_collection(self, node: Node) -> bool:
        return node[0] in (_BLOCK, _EMPTY)

    def _span(self, node: Node) -> Span | None:
        kind, column, number, end = node
        if kind == _BLOCK:
            return None
        if kind == _EXPLICIT:
            value = EXPLICIT_VALUE.fullmatch(self.lines[number + 1])
            group = 2 if value is not None and value[2] is not None else 3
            return (number + 1, value.start(group), number + 1, value.end(group)) if value is not None else None
        line = self.lines[number]
        match = LINE.fullmatch(line)
        opening = OPEN_QUOTE.fullmatch(line) if match is None else None
        if opening is not None:
            begin, mark = opening.start(5), opening[5]
        elif match is None:
            return None
        else:
            group = next((group for group in ((7, 8, 9) if match[6] else (3, 4, 5)) if match[group] is not None), 0)
            if not group:
                return None
            begin, mark = match.start(group), match[group]
            if group in (3, 7):
                more = continued(self.lines[number:end], 0, column)
                if more is not None and more[1] > 1:
                    return (number, begin, number + more[1] - 1, more[2])
            if group in (3, 4, 7, 8) or mark in ("{}", "[]"):
                return (number, begin, number, match.end(group))
        _, _, (last, stop) = text_value(self.lines[number:end], 0, mark[0], column)
        return (number, begin, number + last, stop)

    def _first(self, node: Node) -> Span | None:
        kind, level, number, _ = node
        if kind in (_SCALAR, _EXPLICIT):
            return None
        if kind == _EMPTY:
            return self._span(node)
        if not level & 1:
            return self.key_span(number)
        found = self._child(node, 0)
        place = (self._first(found[1]) or self._span(found[1])) if found is not None else None
        return place or (number, level >> 1, number, (level >> 1) + 1)
