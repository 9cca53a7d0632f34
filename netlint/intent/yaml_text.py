"""Plain data as YAML in the style that people write manifests in."""

import re
from collections.abc import Iterator
from typing import Any

_PLAIN = re.compile(r"[A-Za-z/_][A-Za-z0-9_./\-]*")
_TAKEN = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null", "~"})


def to_yaml(data: Any) -> str:
    """The text of mappings, lists, texts, numbers, booleans and null, two spaces an indent, lists flush with their key.

    Every text that another reader could take for something else stands in quotes.
    """
    return "\n".join(_lines(data)) + "\n"


def _lines(data: Any) -> Iterator[str]:
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from _entry(f"{_scalar(key)}:", value, "" if isinstance(value, list) else "  ")
    elif isinstance(data, list) and data:
        for value in data:
            if isinstance(value, dict | list) and value:
                first, *rest = _lines(value)
                yield f"- {first}"
                yield from (f"  {line}" for line in rest)
            else:
                yield f"- {_scalar(value)}"
    else:
        yield _scalar(data)


def _entry(head: str, value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield head
        yield from (indent + line for line in _lines(value))
    else:
        yield f"{head} {_scalar(value)}"


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, dict):
        return "{}"
    if isinstance(value, list):
        return "[]"
    text = str(value)
    if _PLAIN.fullmatch(text) and text.lower() not in _TAKEN:
        return text
    if text.isprintable():
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    escaped = "".join(
        character if character.isprintable() and character not in '"\\' else _escape(character) for character in text
    )
    return f'"{escaped}"'


def _escape(character: str) -> str:
    code = ord(character)
    if character in '"\\':
        return "\\" + character
    return f"\\x{code:02x}" if code < 256 else (f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}")
