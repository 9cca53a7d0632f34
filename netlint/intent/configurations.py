"""Configuration texts as settings: YAML, JSON, TOML, INI and properties, read line by line, and scripts.

No reader of its own for each: the texts come from ConfigMaps, hold templates of all kinds, and need not be complete.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from netlint.findings import Place
from netlint.intent.settings import Setting

_LINE = re.compile(
    r"^[ \t-]*[\"']?(?P<name>[A-Za-z_][\w.\-]*)[\"']?[ \t]*(?::[ \t]|=|[ \t]+(?=\S+;?$))"
    r"[ \t]*(?P<value>[^\n]*?)[ \t,;]*$"
)
_COMMENT = re.compile(r"(?:^[ \t]*|[ \t])(?:#|//|--[ \t])[^\n]*|^[ \t]*;[^\n]*", re.MULTILINE)
_TABLE = re.compile(r"\[+(?P<name>[\w. \"'\-]+)\]+")
_DEEPEST = 40
_OPENING = re.compile(r"[\"']?(?P<name>[A-Za-z_][\w.\-/]*)[\"']?[ \t]*(?::|=)?[ \t]*[{\[]?")


def text_settings(text: str, place: Place, label: str, *, script: bool = False) -> tuple[Setting, ...]:
    """The `name: value`, `name = value` and `name value;` lines of a configuration text, and the other lines unnamed.

    Comments are left out. All settings share one place: the text stands in one field. A script is one setting.
    """
    if script or text.startswith("#!"):
        return (Setting("", text, place, label, command=True),)
    if text.lstrip().startswith("{"):
        try:
            return tuple(_members(json.loads(text), "", "", place, label))
        except (ValueError, RecursionError):
            pass  # a template, or another language with braces
    found = []
    sections = _Sections()
    for line in _COMMENT.sub("", text).splitlines():
        words = line.strip()
        if not words:
            continue
        section = sections.enter(line, words)
        match = _LINE.match(line)
        if match and match["value"] not in ("{", "["):
            value = match["value"].strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            found.append(Setting(match["name"], value, place, label, section=section))
        else:
            found.append(Setting("", line, place, label, section=section))
    return tuple(found)


def _members(data: Any, section: str, name: str, place: Place, label: str) -> Iterator[Setting]:
    """The texts and numbers of JSON data as settings, each with the keys above it as its section."""
    if isinstance(data, dict):
        inner = f"{section}.{name}" if section and name else section or name
        for key, value in data.items():
            yield from _members(value, inner, key, place, label)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            below = f"{section}.item{index}" if isinstance(value, dict) else section
            yield from _members(value, below, name, place, label)
    elif isinstance(data, str | int) and not isinstance(data, bool):
        yield Setting(name, str(data), place, label, section=section)


@dataclass(slots=True)
class _Sections:
    """Which part of a text a line is in: the table of TOML or INI, and what it is indented under."""

    table: str = ""
    open: list[tuple[int, str]] = field(default_factory=list)
    items: int = 0

    def enter(self, line: str, words: str) -> str:
        """The section of the next line, which may open one."""
        if table := _TABLE.fullmatch(words):
            self.table, self.open = table["name"], []
            return self.table
        indent = len(line) - len(line.lstrip())
        self._close(indent)
        while words.startswith("- "):
            self.items += 1
            if len(self.open) < _DEEPEST:
                self.open.append((indent, f"item{self.items}"))
            indent += len(words) - len(words[2:].lstrip())
            words = words[2:].lstrip()
        section = ".".join([self.table, *(name for _, name in self.open)] if self.table else [n for _, n in self.open])
        if len(self.open) < _DEEPEST and (opening := _OPENING.fullmatch(words)):
            self.open.append((indent, opening["name"]))
        return section

    def _close(self, indent: int) -> None:
        while self.open and self.open[-1][0] >= indent:
            self.open.pop()
