"""One file as text: decoding, lines, and the comments that speak to netlint."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

_COMMENT: Final = re.compile(r"#\s*netlint:\s*ignore\s*\[([^\]]*)\](.*)")
_ALMOST: Final = re.compile(r"#\s*netlint:\s*(?:ignore|disable)\b()()", re.IGNORECASE)
_BLOCK_HEADER: Final = re.compile(r"(?:^|[:\-?]\s+|\s)(?:[&!]\S+\s+)*[|>][+-]?[1-9]?[+-]?\s*(?:#.*)?$")
_DASHES: Final = re.compile(r"(?:-\s+)*")


@dataclass(frozen=True, slots=True)
class SuppressionComment:
    """`# netlint: ignore[NET301,NET1] reason`: line and column (from 1) of its `#`, the codes, prefixes or names in
    the brackets, and the reason. No codes where the comment names none, or not in brackets: it silences nothing."""

    line: int
    codes: tuple[str, ...]
    reason: str
    column: int


@dataclass(eq=False)
class SourceFile:
    """A file that was read. `text` is decoded and without byte order mark, with its own line ends."""

    file: str
    text: str
    _lines: list[str] | None = field(default=None, repr=False)

    @property
    def lines(self) -> list[str]:
        """The lines without their ends; a line ends at LF, CRLF or CR only."""
        if self._lines is None:
            self._lines = split_lines(self.text)
        return self._lines

    @cached_property
    def _comments(self) -> tuple[SuppressionComment, ...]:
        return tuple(_comments(self.lines)) if "netlint:" in self.text else ()

    def suppression_comments(self) -> list[SuppressionComment]:
        """The comments that ask for silence, in order. Text that only looks like one, inside quotes or a block
        scalar, is none."""
        return list(self._comments)


def split_lines(text: str) -> list[str]:
    """The lines of a text, ended by LF, CRLF or CR and by nothing else."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def _comments(lines: list[str]) -> list[SuppressionComment]:
    found = []
    for number, column, _ in comments(lines):
        line = lines[number - 1]
        match = _COMMENT.match(line, column) or _ALMOST.match(line, column)
        if match:
            codes = tuple(code for code in re.split(r"[\s,]+", match[1]) if code)
            found.append(SuppressionComment(number, codes, match[2].strip(), column + 1))
    return found


def comments(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """The number of each line with a comment, the column (from 0) of its `#`, and the text before it. A `#` inside
    quotes or a block scalar begins none."""
    return ((number, column, code) for number, column, code in outside_texts(lines) if column >= 0)


def outside_texts(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Every line that is not the text of a block scalar: its number, the column (from 0) of its comment or -1, and
    what stands before the comment."""
    block: int | None = None
    quote = ""
    for number, line in enumerate(lines, 1):
        stripped = line.lstrip(" ")
        if not stripped:
            continue
        indent = len(line) - len(stripped)
        if block is not None:
            if indent > block:
                continue
            block = None
        code, comment, quote = _split_comment(line, quote)
        yield number, comment, code
        if not quote and _BLOCK_HEADER.search(code):
            dashes = _DASHES.match(stripped)
            rest = stripped[dashes.end() :] if dashes else stripped
            # The text of a block scalar is deeper than its key, or than the last dash where there is no key.
            block = indent + (dashes.end() if dashes else 0)
            if dashes and dashes.end() and rest[:1] in "|>!&":
                block = indent + dashes[0].rindex("-")


def _split_comment(line: str, quote: str) -> tuple[str, int, str]:
    """The part of a line that is no comment, the column of its `#` (or -1), and the quote that is still open."""
    at = 0
    length = len(line)
    while at < length:
        char = line[at]
        if quote:
            if char == "\\" and quote == '"':
                at += 1
            elif char == quote:
                if quote == "'" and line[at + 1 : at + 2] == "'":
                    at += 1
                else:
                    quote = ""
        elif char == "#" and (at == 0 or line[at - 1] in " \t"):
            return line[:at], at, ""
        elif char in "\"'" and (at == 0 or line[at - 1] in " \t[{,:"):
            quote = char
        at += 1
    return line, -1, quote
