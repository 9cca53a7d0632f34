"""A reader for the YAML that manifests are written in: block style, one entry a line.

Each distinct line is understood once and remembered, because manifests repeat their lines; a document is then little
more than one look-up a line. What is not recognised with certainty (flow collections, anchors, tags, complex keys,
odd escapes, anything that is wrong) makes `parse` give up, and the event builder reads the document instead. A test
holds the two against each other over the whole corpus: the same data and the same places.

The level of a line is twice the column of its key, or twice the column of its dash plus one: a list may stand at the
column of the key that holds it, and so comes after it.
"""

import re
import sys
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from netlint.sources.dialect import DialectError, key_text, resolve

Entry: TypeAlias = tuple[int, int, str, Any, int]
"""Level, what the line is, key, value (or what is needed to find it), level of the mapping that a dash opens."""

KEY_VALUE, KEY, ITEM_KEY_VALUE, ITEM_KEY, ITEM, DASH, KEY_EMPTY, ITEM_KEY_EMPTY, ITEM_EMPTY = range(9)
KEY_TEXT, ITEM_KEY_TEXT, ITEM_TEXT = 9, 10, 11
"""The value is a block scalar or a quoted text that goes on below."""
EXPLICIT_KEY = 12
"""`? key`, with `: value` on the next line: how writers of YAML put keys of more than 128 characters."""
SKIP, UNSURE = 13, 14

_BODY: Final = r"(?:[^ :]|:(?![ ]|$)|[ ]+(?![ #:]|$)|[ ]+(?=:[^ ]))*"
_PLAIN: Final = rf"(?:[^\s,\[\]{{}}#&*!|>'\"%@`?:-]|[?:-](?=[^\s])){_BODY}"
_HEX: Final = "[0-9a-fA-F]"
_CODE: Final = rf"x{_HEX}{{2}}|u(?![dD][89a-fA-F]){_HEX}{{4}}|U(?!0000[dD][89a-fA-F])00(?:0{_HEX}|10){_HEX}{{4}}"
_DOUBLE: Final = rf"\"(?:[^\"\\]|\\(?:[\"\\/ 0abtnvfreN_LP]|{_CODE}))*\""
_SINGLE: Final = r"'(?:[^']|'')*'"
_VALUE: Final = rf"({_PLAIN})|({_DOUBLE}|{_SINGLE})|([|>][+-]?|\{{\}}|\[\])"
LINE: Final = re.compile(rf"( *)(?:-( +))?(?:{_VALUE})(?:(?<=[^ ])(:)(?: +(?:{_VALUE}))?)?(?: +#.*)? *")
"""Groups: indentation, blanks after the dash; plain, quoted and special key (or item); colon; the same three of the
value. All patterns here are for printable text."""
OPEN_QUOTE: Final = re.compile(rf"( *)(?:-( +))?(?:(?:({_PLAIN})|({_DOUBLE}|{_SINGLE})): +)?(['\"]).*")
EXPLICIT: Final = re.compile(rf"( *)\? (?:({_PLAIN})|({_DOUBLE}|{_SINGLE}))")
EXPLICIT_VALUE: Final = re.compile(rf"( *): (?:({_PLAIN})|({_DOUBLE}|{_SINGLE}))")
_CONTINUATION: Final = re.compile(rf"(?!#){_BODY}")
_ESCAPE: Final = re.compile(rf"\\([\"\\/ 0abtnvfreN_LP]|{_CODE})")
_ESCAPES: Final = dict(zip('"\\/ 0abtnvfreN_LP', '"\\/ \0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029', strict=True))
_KEY_LIMIT: Final = 1000
"""A key longer than 1,024 characters is no key for libyaml."""

_SKIPPED: Final[Entry] = (-2, SKIP, "", None, 0)
_UNSURE: Final[Entry] = (-3, UNSURE, "", None, 0)
_TABLE_LIMIT: Final = 400_000


class LineTable(dict[str, Entry]):
    """What each line says, by its text."""

    def __missing__(self, line: str) -> Entry:
        if len(self) >= _TABLE_LIMIT:
            self.clear()
        entry = self[line] = understand(line)
        return entry


def understand(line: str) -> Entry:
    """One line for itself: an entry, nothing (blank or comment), or not sure."""
    if not line.isprintable():
        return _UNSURE
    match = LINE.fullmatch(line)
    if match is None or line.startswith("..."):
        return _other(line) if match is None else _UNSURE
    spaces, gap, plain_key, quoted_key, special_key, colon, plain, quoted, special = match.groups()
    level = 2 * len(spaces)
    try:
        if colon is None:
            if gap is None:
                return _UNSURE
            if plain_key is not None:
                return (level + 1, ITEM, "", resolve(plain_key), 0)
            if quoted_key is not None:
                return (level + 1, ITEM, "", unquote(quoted_key), 0)
            return (level + 1, ITEM_EMPTY if special_key in ("{}", "[]") else ITEM_TEXT, "", special_key, 0)
        if special_key is not None or plain_key == "<<":
            return _UNSURE
        key = sys.intern(key_text(resolve(plain_key)) if plain_key is not None else unquote(quoted_key))
        if len(plain_key or quoted_key) > _KEY_LIMIT:
            return _UNSURE
        item = gap is not None
        inner = 2 * (len(spaces) + 1 + len(gap)) if item else 0
        level += item
        if plain is not None:
            return (level, ITEM_KEY_VALUE if item else KEY_VALUE, key, resolve(plain), inner)
        if quoted is not None:
            return (level, ITEM_KEY_VALUE if item else KEY_VALUE, key, unquote(quoted), inner)
        if special is None:
            return (level, ITEM_KEY if item else KEY, key, None, inner)
        if special in ("{}", "[]"):
            return (level, ITEM_KEY_EMPTY if item else KEY_EMPTY, key, special, inner)
        return (level, ITEM_KEY_TEXT if item else KEY_TEXT, key, special, inner)
    except DialectError:
        return _UNSURE


def _other(line: str) -> Entry:
    stripped = line.strip(" ")
    if not stripped:
        return _SKIPPED
    if stripped[0] == "#":
        return _SKIPPED
    indent = len(line) - len(line.lstrip(" "))
    if stripped == "-":
        return (2 * indent + 1, DASH, "", None, 0)
    if stripped[0] == "?":
        return _explicit(line)
    match = OPEN_QUOTE.fullmatch(line)
    if match is None:
        return _UNSURE
    spaces, gap, plain_key, quoted_key, quote = match.groups()
    if plain_key is None and quoted_key is None:
        return _UNSURE if gap is None else (2 * len(spaces) + 1, ITEM_TEXT, "", quote, 0)
    if plain_key == "<<" or len(plain_key or quoted_key) > _KEY_LIMIT:
        return _UNSURE
    try:
        key = sys.intern(key_text(resolve(plain_key)) if plain_key is not None else unquote(quoted_key))
    except DialectError:
        return _UNSURE
    if gap is None:
        return (2 * len(spaces), KEY_TEXT, key, quote, 0)
    return (2 * len(spaces) + 1, ITEM_KEY_TEXT, key, quote, 2 * (len(spaces) + 1 + len(gap)))


def _explicit(line: str) -> Entry:
    match = EXPLICIT.fullmatch(line)
    if match is None or match[2] == "<<" or len(line) > _KEY_LIMIT:
        return _UNSURE
    try:
        key = key_text(resolve(match[2])) if match[2] is not None else unquote(match[3])
    except DialectError:
        return _UNSURE
    return (2 * len(match[1]), EXPLICIT_KEY, key, None, 0)


def unquote(text: str) -> str:
    """The text between quotes on one line."""
    inner = text[1:-1]
    if text[0] == "'":
        return inner.replace("''", "'") if "''" in inner else inner
    return _ESCAPE.sub(_unescape, inner) if "\\" in inner else inner


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return _ESCAPES[code] if len(code) == 1 else chr(int(code[1:], 16))


class GiveUp(Exception):  # noqa: N818 - no error: the other reader takes over
    """The document holds something that this reader does not know for certain."""


def parse(lines: Sequence[str], table: LineTable, nesting: int) -> Any:
    """The data of one document, None where it is empty. Raises GiveUp."""
    holder: list[Any] = [None]
    container: Any = holder
    level = -1
    stack: list[tuple[int, Any]] = []
    waiting: Any = 0
    """The key or index whose value the next deeper line begins, or None where the last value is complete."""
    skip = 0
    for number, line in enumerate(lines):
        if number < skip:
            continue
        at, what, key, value, inner = table[line]
        if at != level:
            if at > level:
                if waiting is None:
                    if number == skip:
                        raise GiveUp
                    skip = _continue(lines, number, container, table, level)
                    continue
                child: Any = [] if at & 1 else {}
                container[waiting] = child
                stack.append((level, container))
                if len(stack) > nesting:
                    raise GiveUp
                container = child
                level = at
            elif what == SKIP:
                continue
            elif what == UNSURE:
                if waiting is None and number > skip:
                    skip = _continue(lines, number, container, table, level)
                    continue
                raise GiveUp
            else:
                while level > at:
                    level, container = stack.pop()
                if level != at:
                    raise GiveUp
        if what == KEY_VALUE:
            if key in container:
                raise GiveUp
            container[key] = value
            waiting = None
        elif what == KEY:
            if key in container:
                raise GiveUp
            container[key] = None
            waiting = key
        elif what == ITEM_KEY_VALUE:
            child = {key: value}
            container.append(child)
            stack.append((level, container))
            if len(stack) > nesting:
                raise GiveUp
            container = child
            level = inner
            waiting = None
        elif what == ITEM:
            container.append(value)
            waiting = None
        elif what == ITEM_KEY:
            child = {key: None}
            container.append(child)
            stack.append((level, container))
            if len(stack) > nesting:
                raise GiveUp
            container = child
            level = inner
            waiting = key
        elif what == DASH:
            container.append(None)
            waiting = len(container) - 1
        else:
            if what == EXPLICIT_KEY:
                follow = EXPLICIT_VALUE.fullmatch(lines[number + 1]) if number + 1 < len(lines) else None
                if follow is None or 2 * len(follow[1]) != level or not follow[0].isprintable():
                    raise GiveUp
                value = resolved(follow)
                skip = number + 2
            elif what in (KEY_EMPTY, ITEM_KEY_EMPTY, ITEM_EMPTY):
                value = {} if value == "{}" else []
            else:
                parent = (inner if what == ITEM_KEY_TEXT else level) >> 1
                value, skip, _ = text_value(lines, number, value, parent)
            if what in (KEY_EMPTY, KEY_TEXT, EXPLICIT_KEY):
                if key in container:
                    raise GiveUp
                container[key] = value
            elif what in (ITEM_EMPTY, ITEM_TEXT):
                container.append(value)
            else:
                child = {key: value}
                container.append(child)
                stack.append((level, container))
                container = child
                level = inner
            waiting = None
    return holder[0]


def resolved(match: re.Match[str]) -> Any:
    """The value that EXPLICIT_VALUE matched. Raises GiveUp."""
    try:
        return resolve(match[2]) if match[2] is not None else unquote(match[3])
    except DialectError:
        raise GiveUp from None


def _continue(lines: Sequence[str], number: int, container: Any, table: LineTable, level: int) -> int:
    """Go on with a plain scalar that began on the line before. The number of the line after it."""
    found = continued(lines, number - 1, level >> 1)
    if found is None or found[1] == number:
        raise GiveUp
    text, after, _ = found
    key = table[lines[number - 1]][2]
    container[key if container.__class__ is dict else -1] = text
    return after


def continued(lines: Sequence[str], number: int, parent: int) -> tuple[str, int, int] | None:
    """The plain scalar that begins on line `number` and goes on below: its text, the line after it, its last
    column. None where the line below is something else. `parent` is the column of the collection that holds it."""
    match = LINE.fullmatch(lines[number])
    if match is None:
        return None
    first = match[7] if match[6] else match[3]
    if first is None or match.end(7 if match[6] else 3) != len(lines[number].rstrip(" ")):
        return None
    parts = [first]
    at = number + 1
    column = 0
    while at < len(lines):
        line = lines[at]
        text = line.strip(" ")
        indent = len(line) - len(line.lstrip(" "))
        if not text:
            if _deeper_text_follows(lines, at, parent):
                return None
            break
        if indent <= parent or text[0] == "#":
            break
        if not line.isprintable() or not _CONTINUATION.fullmatch(text):
            return None
        parts.append(text)
        column = indent + len(text)
        at += 1
    return " ".join(parts), at, column


def _deeper_text_follows(lines: Sequence[str], number: int, parent: int) -> bool:
    for at in range(number, len(lines)):
        line = lines[at]
        text = line.lstrip(" ")
        if text:
            return len(line) - len(text) > parent and text[0] != "#"
    return False


def text_value(lines: Sequence[str], number: int, opening: str, parent: int) -> tuple[str, int, tuple[int, int]]:
    """The block scalar or quoted text that begins on line `number`: its value, the line after it, and its end.
    Raises GiveUp."""
    from netlint.sources.line_texts import block_scalar, quoted_text  # many small files hold neither

    return (quoted_text if opening in "'\"" else block_scalar)(lines, number, opening, parent)
