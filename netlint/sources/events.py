"""From the events of a YAML parser to plain data and the place of every node, in kubectl's dialect.

The parser is ruamel.yaml.clib's (libyaml); where that is missing, or refuses what kubectl reads, ruamel's own
events go through the same builder.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from netlint.sources.dialect import BINARY_TAG, MERGE_TAG, STR_TAG, DialectError, key_text, resolve, resolve_tagged
from netlint.sources.options import Limits
from netlint.sources.positions import ALIAS, LIST, MAPPING, SCALAR, NodeTable

_PURE_LIMIT: Final = 1_000_000
"""Characters up to which a document that libyaml refuses is read again by the slow pure parser."""

_plain: dict[str, Any] = {}
"""Values of plain scalars seen so far: manifests say the same words over and over."""


class YamlError(Exception):
    """Why a document cannot be read, at a line and column from 0 as the parser counts them."""

    def __init__(self, line: int, column: int, reason: str, context: str = "", start: tuple[int, int] | None = None):
        super().__init__(reason)
        self.line = line
        self.column = column
        self.reason = reason
        self.context = context
        self.start = start
        self.limit = False


@dataclass(slots=True)
class Duplicate:
    """A key that stands twice in one mapping: the nodes of the earlier and the later one."""

    key: str
    first: int
    later: int


@dataclass(slots=True)
class Built:
    """What one document was. `empty` is True where it held no node at all; `rest` is True where more text follows
    a `...` line, which kubectl never reads."""

    data: Any
    table: NodeTable
    duplicates: list[Duplicate] = field(default_factory=list)
    empty: bool = False


@lru_cache(maxsize=1)
def _c_parser() -> Any:
    """libyaml's parser class, or None where it is missing. Imported late: most input never needs it."""
    try:
        from _ruamel_yaml import CParser
    except ImportError:  # pragma: no cover - the wheel is missing on this platform
        return None
    return CParser


def build(text: str, limits: Limits) -> Built:
    """The first document of `text`, as kubectl reads it. Raises YamlError."""
    if _c_parser() is None:
        return _build(_pure(text), limits)
    try:
        return _build(_fast(text), limits)
    except YamlError as problem:
        if problem.limit or len(text) > _PURE_LIMIT:
            raise
        try:
            return _build(_pure(text), limits)
        except (YamlError, RecursionError):
            raise problem from None


def scalar(text: str) -> str | None:
    """The value of a quoted scalar that stands alone in `text`; None where it is not one."""
    from ruamel.yaml.events import ScalarEvent

    get = _pure(text) if _c_parser() is None else _fast(text)
    try:
        events = [get() for _ in range(5)]
    except Exception:
        return None
    found = [event for event in events if event.__class__ is ScalarEvent]
    return found[0].value if len(found) == 1 and events[2] is found[0] else None


def build_pure(text: str, limits: Limits) -> Built:
    """The same by ruamel's own parser alone."""
    return _build(_pure(text), limits)


def _fast(text: str) -> Callable[[], Any]:
    get: Callable[[], Any] = _c_parser()(text).get_event
    return get


def _pure(text: str) -> Callable[[], Any]:
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.allow_duplicate_keys = True
    try:
        events = iter(yaml.parse(text))
    except Exception as error:
        raise _problem(error) from None

    def get() -> Any:
        return next(events, None)

    return get


def _problem(error: Exception) -> YamlError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    start = getattr(error, "context_mark", None)
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    context = getattr(error, "context", None) or ""
    if mark is None:
        problem = YamlError(0, 0, str(reason), str(context))
        problem.start = None
        return problem
    return YamlError(
        mark.line, mark.column, str(reason), str(context), (start.line, start.column) if start is not None else None
    )


def _limit(mark: Any, reason: str) -> YamlError:
    problem = YamlError(mark.line, mark.column, reason)
    problem.limit = True
    return problem


def _build(get: Callable[[], Any], limits: Limits) -> Built:
    from ruamel.yaml.error import YAMLError

    try:
        return _Builder(limits).run(get)
    except (YamlError, RecursionError):
        raise
    except YAMLError as error:
        raise _problem(error) from None
    except (UnicodeError, ValueError, AssertionError, IndexError, KeyError, TypeError, AttributeError) as error:
        raise YamlError(0, 0, str(error)) from None


class _Builder:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.table = NodeTable()
        self.duplicates: list[Duplicate] = []

    def run(self, get: Callable[[], Any]) -> Built:
        from ruamel.yaml.events import (
            AliasEvent,
            DocumentEndEvent,
            MappingEndEvent,
            MappingStartEvent,
            ScalarEvent,
            SequenceEndEvent,
            SequenceStartEvent,
            StreamEndEvent,
        )

        table = self.table
        marks, ends, kinds, keys = table.marks, table.ends, table.kinds, table.keys
        mark_extend, end_append, kind_append = marks.extend, ends.append, kinds.append
        plain = _plain
        limits = self.limits
        anchors: dict[str, tuple[Any, int, int]] = {}
        open_anchors: dict[str, int] = {}
        stack: list[tuple[Any, Any, int, dict[str, int], str | None, int]] = []
        count = 0
        expanded = 0
        weight = 0
        root: list[Any] = []
        container: Any = root
        is_list = True
        key: Any = _NO_KEY
        key_node = 0
        seen: dict[str, int] = {}
        node = -1
        anchor: str | None = None

        while True:
            event = get()
            cls = event.__class__
            if cls is ScalarEvent:
                start = event.start_mark
                end = event.end_mark
                mark_extend((start.line, start.column, end.line, end.column))
                end_append(count + 1)
                kind_append(SCALAR)
                node = count
                count += 1
                value = event.value
                if event.tag is not None or (event.implicit[0] and not event.style):
                    tag = event.tag
                    if tag is None or tag == "!":
                        if tag is None:
                            try:
                                value = plain[value]
                            except KeyError:
                                text = value
                                try:
                                    value = resolve(text)
                                except DialectError as error:
                                    raise YamlError(start.line, start.column, f"!{error}") from None
                                if len(plain) < 200_000:
                                    plain[text] = value
                    elif tag == MERGE_TAG or tag != STR_TAG:
                        if tag == MERGE_TAG:
                            value = "<<"
                        else:
                            try:
                                value = resolve_tagged(tag, value)
                            except DialectError as error:
                                raise YamlError(start.line, start.column, f"!{error}") from None
                            if tag == BINARY_TAG and value is None:
                                value = ""
                if event.anchor is not None:
                    anchors[event.anchor] = (value, node, 1)
                if is_list:
                    container.append(value)
                elif key is _NO_KEY:
                    if value == "<<" and not event.style and event.tag in (None, MERGE_TAG):
                        table.merges.add(node)
                        key = _MERGE
                    else:
                        if value.__class__ is not str:
                            try:
                                value = key_text(value)
                            except DialectError as error:
                                raise YamlError(start.line, start.column, f"!{error}") from None
                        if value in seen:
                            self.duplicates.append(Duplicate(value, seen[value], node))
                        seen[value] = node
                        keys[node] = value
                        key = value
                elif key is _MERGE:
                    raise YamlError(
                        start.line, start.column, "!`<<` merges a mapping or a list of mappings, not a value"
                    )
                else:
                    container[key] = value
                    key = _NO_KEY
                continue
            if cls is MappingStartEvent or cls is SequenceStartEvent:
                start = event.start_mark
                end = event.end_mark
                if not is_list and key is _NO_KEY:
                    raise YamlError(
                        start.line,
                        start.column,
                        "!a mapping or list stands where a key belongs; quote the text if braces or brackets are meant",
                        "key",
                    )
                if len(stack) >= limits.nesting:
                    raise _limit(start, f"more than {limits.nesting} mappings and lists inside each other")
                mark_extend((start.line, start.column, end.line, end.column))
                end_append(0)
                stack.append((container, key, key_node, seen, anchor, weight))
                anchor = event.anchor
                key_node = count
                weight = count + expanded
                if anchor is not None:
                    open_anchors[anchor] = open_anchors.get(anchor, 0) + 1
                count += 1
                if cls is MappingStartEvent:
                    kind_append(MAPPING)
                    container = {}
                    is_list = False
                    seen = {}
                else:
                    kind_append(LIST)
                    container = []
                    is_list = True
                key = _NO_KEY
                continue
            if cls is MappingEndEvent or cls is SequenceEndEvent:
                node = key_node
                ends[node] = count
                end = event.end_mark
                marks[4 * node + 2] = end.line
                marks[4 * node + 3] = end.column
                value = container
                if anchor is not None:
                    open_anchors[anchor] -= 1
                    anchors[anchor] = (value, node, count + expanded - weight)
                container, key, key_node, seen, anchor, weight = stack.pop()
                is_list = container.__class__ is list
                if is_list:
                    container.append(value)
                elif key is _MERGE:
                    self._merge(container, value, marks, node)
                    key = _NO_KEY
                else:
                    container[key] = value
                    key = _NO_KEY
                continue
            if cls is AliasEvent:
                start = event.start_mark
                end = event.end_mark
                name = event.anchor
                if open_anchors.get(name):
                    raise YamlError(start.line, start.column, f"!`*{name}` stands inside the very value it repeats")
                known = anchors.get(name)
                if known is None:
                    raise YamlError(start.line, start.column, f"!`*{name}` repeats an anchor that is not set above it")
                value, target, size = known
                expanded += size
                if expanded > limits.nodes_from_aliases:
                    raise _limit(start, f"aliases repeat more than {limits.nodes_from_aliases} values in one document")
                mark_extend((start.line, start.column, end.line, end.column))
                end_append(count + 1)
                kind_append(ALIAS)
                table.targets[count] = table.targets.get(target, target) if value.__class__ in (dict, list) else count
                node = count
                count += 1
                if is_list:
                    container.append(value)
                elif key is _NO_KEY:
                    try:
                        value = key_text(value)
                    except DialectError as error:
                        raise YamlError(start.line, start.column, f"!{error}") from None
                    if value in seen:
                        self.duplicates.append(Duplicate(value, seen[value], node))
                    seen[value] = node
                    keys[node] = value
                    key = value
                elif key is _MERGE:
                    self._merge(container, value, marks, node)
                    key = _NO_KEY
                else:
                    container[key] = value
                    key = _NO_KEY
                continue
            if cls is DocumentEndEvent or cls is StreamEndEvent or event is None:
                break
        if not root:
            return Built(None, table, empty=True)
        data = root[0]
        if data is None:
            return Built(None, table, empty=True)
        return Built(data, table, self.duplicates)

    def _merge(self, container: dict[str, Any], value: Any, marks: Any, node: int) -> None:
        if isinstance(value, dict):
            container.update(value)
            return
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            for item in reversed(value):
                container.update(item)
            return
        line, column = marks[4 * node], marks[4 * node + 1]
        raise YamlError(line, column, "!`<<` merges a mapping or a list of mappings, not a value")


class _Token:
    __slots__ = ()


_NO_KEY: Final = _Token()
_MERGE: Final = _Token()
