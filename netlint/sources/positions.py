"""Where a field path stands in its file: one walk for every way of reading, over whatever tree the reader kept."""

from array import array
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from netlint.findings import Location, Path, PathSegment

Span: TypeAlias = tuple[int, int, int, int]
"""Start line, start column, end line, end column: from 0, columns in code points, the end exclusive."""

NodeT = TypeVar("NodeT")


class TreePositions(Generic[NodeT]):
    """The rule of places over a tree of nodes: a scalar's value, a collection's key, an absent field's nearest parent.

    A mapping or list that has no key (a list item, the document) stands at its first key, or at its own text
    where it is empty. An empty value (`key:`) has no text of its own and stands at its key.
    """

    def __init__(self, file: str, lines: list[str]) -> None:
        self.file = file
        self.lines = lines

    def _root(self) -> NodeT | None:
        raise NotImplementedError

    def _child(self, node: NodeT, segment: PathSegment) -> tuple[int | None, NodeT] | None:
        """The key (None for list items) and the node of one child, or None where it is absent."""
        raise NotImplementedError

    def key_span(self, key: int) -> Span:
        """The text of a key that `_child` gave."""
        raise NotImplementedError

    def _is_collection(self, node: NodeT) -> bool:
        raise NotImplementedError

    def _span(self, node: NodeT) -> Span | None:
        """The text of a scalar or of an empty collection; None for a value that has no text."""
        raise NotImplementedError

    def _first(self, node: NodeT) -> Span | None:
        """Where a collection begins: its first key or item."""
        raise NotImplementedError

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        node = self._root()
        if node is None:
            return self.location((0, 0, 0, 0))
        way: list[tuple[int | None, NodeT]] = [(None, node)]
        for segment in path:
            found = self._child(node, segment)
            if found is None:
                return self.location(self._last_place(way))
            way.append(found)
            _, node = found
        if path and anchor == "value" and not self._is_collection(node) and (value := self._span(node)) is not None:
            return self.location(value)
        return self.location(self._last_place(way))

    def _last_place(self, way: list[tuple[int | None, NodeT]]) -> Span:
        """The place of the last node on a way that has one: its key, or where it begins."""
        for key, node in reversed(way):
            if key is not None:
                return self.key_span(key)
            if (place := self._first(node) or self._span(node)) is not None:
                return place
        return (0, 0, 0, 0)

    def location(self, span: Span) -> Location:
        return Location(self.file, span[0] + 1, span[1] + 1, span[2] + 1, span[3] + 1)


class NodeTable:
    """Every node of one document in the order of its text, in flat arrays.

    Node `i` has four numbers in `marks` from `4 * i` (its span), `ends[i]` (the node after its subtree) and
    `kinds[i]`: 0 scalar, 1 mapping, 2 list, 3 alias, 4 key. A mapping's children alternate key and value.
    `keys` holds the text of scalar keys by node, `targets` the node that an alias repeats, `merges` the keys
    that are `<<`.
    """

    __slots__ = ("ends", "keys", "kinds", "marks", "merges", "targets")

    def __init__(self) -> None:
        self.marks = array("I")
        self.ends = array("I")
        self.kinds = bytearray()
        self.keys: dict[int, str] = {}
        self.targets: dict[int, int] = {}
        self.merges: set[int] = set()


SCALAR, MAPPING, LIST, ALIAS = 0, 1, 2, 3


class TablePositions(TreePositions[int]):
    """Places of a document of which every node was marked while it was read. Children are found by skipping
    subtrees, and each container's once."""

    def __init__(self, file: str, table: NodeTable, lines: "LineShift") -> None:
        super().__init__(file, lines.lines)
        self._table = table
        self._shift = lines
        self._children: dict[int, Any] = {}

    def _root(self) -> int | None:
        return 0 if self._table.kinds else None

    def _resolve(self, node: int) -> int:
        return self._table.targets.get(node, node)

    def _child(self, node: int, segment: PathSegment) -> tuple[int | None, int] | None:
        node = self._resolve(node)
        children = self._children.get(node)
        if children is None:
            children = self._children[node] = self._children_of(node)
        if isinstance(children, dict):
            return children.get(segment)
        if isinstance(segment, int) and 0 <= segment < len(children):
            return None, children[segment]
        return None

    def _children_of(self, node: int) -> "dict[str, tuple[int, int]] | list[int]":
        table = self._table
        kind = table.kinds[node]
        end = table.ends[node]
        child = node + 1
        if kind == LIST:
            items = []
            while child < end:
                items.append(child)
                child = table.ends[child]
            return items
        pairs: dict[str, tuple[int, int]] = {}
        if kind == MAPPING:
            while child < end:
                value = table.ends[child]
                if child in table.merges:
                    pairs.update(self._merged(value))
                elif (key := table.keys.get(child)) is not None:
                    pairs[key] = (child, value)
                child = table.ends[value]
        return pairs

    def _merged(self, value: int) -> dict[str, tuple[int, int]]:
        value = self._resolve(value)
        children = self._children_of(value)
        if isinstance(children, dict):
            return children
        merged: dict[str, tuple[int, int]] = {}
        for item in reversed(children):
            inner = self._children_of(self._resolve(item))
            if isinstance(inner, dict):
                merged.update(inner)
        return merged

    def _is_collection(self, node: int) -> bool:
        return self._table.kinds[self._resolve(node)] in (MAPPING, LIST)

    def key_span(self, key: int) -> Span:
        at = 4 * key
        a, b, c, d = self._table.marks[at : at + 4]
        return self._shift.span(a, b, c, d)

    def _span(self, node: int) -> Span | None:
        at = 4 * node
        a, b, c, d = self._table.marks[at : at + 4]
        return None if (a, b) == (c, d) else self._shift.span(a, b, c, d)

    def _first(self, node: int) -> Span | None:
        if not self._is_collection(node):
            return None
        if self._table.ends[node] == node + 1:
            return self._span(node)
        child = node + 1
        if self._table.kinds[child] in (MAPPING, LIST):
            return self._first(child)
        return self._span(child) or self._dash(node)

    def _dash(self, node: int) -> Span:
        line, column = self._table.marks[4 * node : 4 * node + 2]
        return self._shift.span(line, column, line, column + 1)


class LineShift:
    """From the marks of a parser that saw one part of a file to lines and columns of the whole file.

    `lines` are the file's lines and `first` is the line where the part begins. `breaks` is None, or the parser's
    idea of where its lines begin, as (line of ours, column of ours), where it counts line ends that we do not
    (U+0085, U+2028 and U+2029 for libyaml).
    """

    __slots__ = ("breaks", "first", "lines")

    def __init__(self, lines: list[str], first: int, breaks: list[tuple[int, int]] | None = None) -> None:
        self.lines = lines
        self.first = first
        self.breaks = breaks

    @classmethod
    def for_libyaml(cls, lines: list[str], first: int, last: int) -> "LineShift":
        """The shift for the lines from `first` to before `last`."""
        part = lines[first:last]
        if all(line.isascii() for line in part):
            return cls(lines, first)
        breaks: list[tuple[int, int]] = []
        for number, line in enumerate(part):
            breaks.append((number, 0))
            if "\x85" in line or "\u2028" in line or "\u2029" in line:
                breaks += [(number, at + 1) for at, c in enumerate(line) if c in "\x85\u2028\u2029"]
        return cls(lines, first, breaks if len(breaks) > len(part) else None)

    def point(self, line: int, column: int) -> tuple[int, int]:
        if self.breaks is not None:
            if line >= len(self.breaks):
                return len(self.lines), 0
            line, before = self.breaks[line]
            column += before
        return line + self.first, column

    def span(self, start_line: int, start_column: int, end_line: int, end_column: int) -> Span:
        """A span of the file. A block scalar, which parsers end at the beginning of the next line, ends with its
        last line of text."""
        start_line, start_column = self.point(start_line, start_column)
        end_line, end_column = self.point(end_line, end_column)
        if end_column == 0 and end_line > start_line:
            end_line = min(end_line, len(self.lines)) - 1
            while end_line > start_line and not self.lines[end_line].strip():
                end_line -= 1
            end_column = len(self.lines[end_line])
            if end_line == start_line:
                end_column = len(self.lines[end_line].rstrip())
        return start_line, start_column, end_line, end_column
