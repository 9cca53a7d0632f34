"""Texts that go on below the line that opens them, as the line reader takes them: block scalars and quoted texts.

Each function gives the value, the number of the line after it, and its end (line and column, from 0); where it is not
certain of them it raises GiveUp.
"""

import re
from collections.abc import Sequence
from typing import Final

from netlint.sources.events import scalar
from netlint.sources.lines import OPEN_QUOTE, GiveUp

_TAIL: Final = re.compile(r"(?: +#.*)? *")
_DOUBLE_PART: Final = re.compile(r'(?:[^"\\]|\\.|\\$)*')
_SINGLE_PART: Final = re.compile(r"(?:[^']|'')*")
_LAYOUT: Final = {10: 32, 9: 32}


def block_scalar(lines: Sequence[str], number: int, opening: str, parent: int) -> tuple[str, int, tuple[int, int]]:
    """The text below `|` or `>`, deeper than the column `parent`."""
    at = number + 1
    end = len(lines)
    blank = 0
    while at < end and not lines[at].strip(" "):
        blank = max(blank, len(lines[at]))
        at += 1
    if at == end:
        raise GiveUp
    first = lines[at]
    indent = len(first) - len(first.lstrip(" "))
    if indent <= parent or blank > indent or first[indent] == "\t":
        raise GiveUp
    prefix = " " * indent
    at = number + 1
    last = at
    parts: list[str] = []
    while at < end:
        line = lines[at]
        if line.startswith(prefix):
            text = line[indent:]
            parts.append(text)
            if text:
                last = at
        elif not line.strip(" "):
            parts.append("")
        else:
            break
        at += 1
    content = parts[: last - number]
    if opening[0] == ">":
        if any(text[:1] in (" ", "\t") for text in content):
            raise GiveUp
        value = _fold(content)
    else:
        value = "\n".join(content)
    if not value.translate(_LAYOUT).isprintable():
        raise GiveUp
    keep = opening[1:]
    if keep == "+":
        value += "\n" * (len(parts) - len(content) + 1)
    elif keep != "-":
        value += "\n"
    while not lines[last].strip(" "):
        last -= 1
    return value, at, (last, len(lines[last]))


def _fold(parts: list[str]) -> str:
    text = ""
    breaks = 0
    for part in parts:
        if not part:
            breaks += 1
            continue
        if text and not breaks:
            text += " "
        text += "\n" * breaks + part
        breaks = 0
    return text


def quoted_text(lines: Sequence[str], number: int, quote: str, parent: int) -> tuple[str, int, tuple[int, int]]:
    """The text from an opening quote on line `number` to its closing one on a later line."""
    match = OPEN_QUOTE.fullmatch(lines[number])
    if match is None:
        raise GiveUp
    begin = match.start(5)
    part = _DOUBLE_PART if quote == '"' else _SINGLE_PART
    inside = part.match(lines[number], begin + 1)
    if inside is None or inside.end() < len(lines[number]):
        raise GiveUp
    at = number
    end = 0
    while True:
        at += 1
        if at >= len(lines):
            raise GiveUp
        line = lines[at]
        text = line.strip(" ")
        if text and (len(line) - len(line.lstrip(" ")) <= parent or not text.isprintable()):
            raise GiveUp
        inside = part.match(line)
        if inside is None:
            raise GiveUp
        end = inside.end()
        if end < len(line):
            break
    if line[end] != quote or not line.isprintable() or not _TAIL.fullmatch(line, end + 1):
        raise GiveUp
    value = scalar("\n".join((lines[number][begin:], *lines[number + 1 : at], line[: end + 1])))
    if value is None:
        raise GiveUp
    return value, at + 1, (at, end + 1)
