"""JSON streams: read by the json module, scanned for places only when a finding needs one."""

import json
import re
from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import Any, Final

from netlint.findings import PathSegment
from netlint.sources.dialect import number
from netlint.sources.positions import LIST, MAPPING, SCALAR, Span, TreePositions

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\]",:]+')
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_LONE: Final = re.compile("[\ud800-\udfff]")

_REASONS: Final[tuple[tuple[str, str, str], ...]] = (
    ("Expecting property name", "a key in double quotes belongs here", "Remove a comma too many, or quote the key."),
    ("Expecting ',' delimiter", "a comma or the closing bracket is missing here", "Add it."),
    ("Expecting ':' delimiter", "a colon is missing after this key", "Add it."),
    ("Unterminated string", "a text that begins here is never closed", "Add the closing double quote."),
    (
        "Invalid control character",
        "a line break or control character stands inside a text",
        "Write it as \\n, \\t or \\u....",
    ),
    ("Invalid \\", "a backslash is followed by a character that is no escape", "Write the backslash twice."),
    (
        "Extra data",
        "text follows the end of the JSON value",
        "Remove it; documents of a JSON stream just follow each other.",
    ),
    (
        "Expecting value",
        "a value belongs here",
        "JSON knows no comments, no single quotes and no comma before a bracket.",
    ),
)


class JsonError(Exception):
    """Why a text is no JSON, and the offset where."""

    def __init__(self, offset: int, message: str, remedy: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.remedy = remedy


class JsonText:
    """A text and where its lines begin, shared by the documents of one stream."""

    def __init__(self, text: str, lines: list[str]) -> None:
        self.text = text
        self.lines = lines
        self._starts: list[int] | None = None

    def point(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, from 0."""
        if self._starts is None:
            self._starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        line = bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]


def load(source: JsonText, nesting: int) -> list[tuple[Any, int, int, bool]]:
    """The values of a stream of JSON texts: data, first offset, offset after it, whether a key stands twice in it.

    Raises JsonError at the first fault; what stood before it is in its `args[1]`.
    """
    text = source.text
    duplicate = False

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal duplicate
        made = dict(items)
        if len(made) != len(items):
            duplicate = True
        return made

    decoder = json.JSONDecoder(object_pairs_hook=pairs, parse_float=_float, parse_int=_int, parse_constant=_constant)
    found: list[tuple[Any, int, int, bool]] = []
    at = _BLANK.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        duplicate = False
        try:
            data, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise _refused(error) from None
        except RecursionError:
            raise JsonError(at, f"more than {nesting} objects and lists inside each other", "Flatten it.") from None
        except _NoNumberError as error:
            where = text.find(str(error), at)
            raise JsonError(max(where, at), f"{_short(error)} is no JSON number", "Remove it.") from None
        except _TooLargeError as error:
            where = text.find(str(error), at)
            said = f"{_short(error)} is larger than any number that the Kubernetes API can hold"
            raise JsonError(max(where, at), said, "Write a smaller number, or text in quotes.") from None
        except ValueError as error:
            raise JsonError(at, str(error), "") from None
        if _depth(data) > nesting:
            raise JsonError(at, f"more than {nesting} objects and lists inside each other", "Flatten it.")
        if _SURROGATE.search(text, at, end):
            data = _whole_characters(data)
        found.append((data, at, end, duplicate))
        at = _BLANK.match(text, end).end()  # type: ignore[union-attr]
    return found


class _NoNumberError(ValueError):
    pass


class _TooLargeError(ValueError):
    pass


def _short(error: ValueError, limit: int = 40) -> str:
    text = str(error)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _constant(text: str) -> Any:
    raise _NoNumberError(text)


def _float(text: str) -> int | float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _TooLargeError(text)
    return number(value)


def _int(text: str) -> int | float:
    if len(text) < 19:
        return int(text)
    return number(int(text)) if len(text) < 300 else _float(text)


def _refused(error: json.JSONDecodeError) -> JsonError:
    here = error.doc[error.pos : error.pos + 2]
    if here[:1] == "#" or here in ("//", "/*"):
        return JsonError(error.pos, "a comment stands here, and JSON has none", "Remove it.")
    if here[:1] == "'" and error.msg.startswith("Expecting"):
        return JsonError(error.pos, "JSON knows double quotes only", "Put the text in double quotes.")
    for key, message, remedy in _REASONS:
        if error.msg.startswith(key):
            return JsonError(error.pos, message, remedy)
    return JsonError(error.pos, "this is not valid JSON", "")


def _depth(data: Any) -> int:
    depth = 0
    level = [data] if isinstance(data, (dict, list)) else []
    while level:
        depth += 1
        level = [
            value
            for container in level
            for value in (container.values() if container.__class__ is dict else container)
            if value.__class__ is dict or value.__class__ is list
        ]
    return depth


def _whole_characters(data: Any) -> Any:
    """Half of a surrogate pair is no character: kubectl puts U+FFFD in its place."""
    if isinstance(data, str):
        return _LONE.sub("�", data)
    if isinstance(data, dict):
        return {_whole_characters(key): _whole_characters(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_whole_characters(value) for value in data]
    return data


class JsonPositions(TreePositions[int]):
    """Places in one JSON value: `source.text` from `start` to before `end`, scanned at the first question."""

    def __init__(self, file: str, source: JsonText, start: int, end: int) -> None:
        super().__init__(file, source.lines)
        self._source = source
        self._start = start
        self._end = end
        self._scanned = False
        self._starts = array("Q")
        self._stops = array("Q")
        self._next = array("Q")
        self._kinds = bytearray()
        self._children: dict[int, Any] = {}

    def _scan(self) -> None:
        self._scanned = True
        starts, stops, following, kinds = self._starts, self._stops, self._next, self._kinds
        text = self._source.text
        stack: list[int] = []
        for match in _TOKEN.finditer(text, self._start, self._end):
            start = match.start()
            char = text[start]
            if char in "}]":
                node = stack.pop()
                stops[node] = start + 1
                following[node] = len(starts)
                continue
            starts.append(start)
            stops.append(match.end())
            following.append(len(starts))
            if char in "{[":
                stack.append(len(starts) - 1)
                kinds.append(MAPPING if char == "{" else LIST)
            else:
                kinds.append(SCALAR)

    def _root(self) -> int | None:
        if not self._scanned:
            self._scan()
        return 0 if self._kinds else None

    def duplicates(self) -> list[tuple[str, Span, Span]]:
        """Keys that stand twice in one object: the key, the earlier and the later place."""
        self._root()
        found = []
        for node, kind in enumerate(self._kinds):
            if kind == MAPPING:
                seen: dict[str, int] = {}
                for key, value in self._pairs(node):
                    text = self._text(key)
                    if text in seen:
                        found.append((text, self._node(seen[text]), self._node(key)))
                    seen[text] = key
                    del value
        return found

    def _pairs(self, node: int) -> list[tuple[int, int]]:
        children = self._list(node)
        return list(zip(children[::2], children[1::2], strict=False))

    def _list(self, node: int) -> list[int]:
        children = []
        child = node + 1
        end = self._next[node]
        while child < end:
            children.append(child)
            child = self._next[child]
        return children

    def _text(self, node: int) -> str:
        return str(_whole_characters(json.loads(self._source.text[self._starts[node] : self._stops[node]])))

    def _child(self, node: int, segment: PathSegment) -> tuple[int | None, int] | None:
        kind = self._kinds[node]
        if kind == SCALAR:
            return None
        children = self._children.get(node)
        if children is None:
            if kind == LIST:
                children = self._list(node)
            else:
                children = {self._text(key): (key, value) for key, value in self._pairs(node)}
            self._children[node] = children
        if isinstance(children, dict):
            return children.get(segment)
        if isinstance(segment, int) and 0 <= segment < len(children):
            return None, children[segment]
        return None

    def key_span(self, key: int) -> Span:
        return self._node(key)

    def _is_collection(self, node: int) -> bool:
        return self._kinds[node] != SCALAR

    def _node(self, node: int) -> Span:
        return (*self._source.point(self._starts[node]), *self._source.point(self._stops[node]))

    def _span(self, node: int) -> Span | None:
        return self._node(node)

    def _first(self, node: int) -> Span | None:
        if self._kinds[node] == SCALAR:
            return None
        if self._next[node] == node + 1:
            return self._node(node)
        child = node + 1
        return self._first(child) or self._node(child)
