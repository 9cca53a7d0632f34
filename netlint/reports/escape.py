"""Text of the input made harmless: no terminal escape, no reordering of characters, no command of a workflow runner."""

import re
import unicodedata

# Format characters that only join: emoji and some scripts need them, and they reorder nothing.
_JOINERS = frozenset("\u200c\u200d")
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_RUNNER = "##["  # GitHub's and Azure's runners take this for a command anywhere in a line
# `::command::` at the start of a line, and no IPv6 address: `::1`, `::/0`, `::-ffff:...`.
_COMMAND = re.compile(r"\s*::(?!(?!add-)[0-9a-f:.]*(?:/\d+)?(?:[-, ]|$))")


def safe(text: str) -> str:
    """The text on one line; what could act on a terminal or a runner is shown: `\\n`, `\\x1b`, `\\u202e`."""
    if text.isascii() and text.isprintable() and "#[" not in text:
        return text
    shown = "".join(map(_shown, text))
    return shown.replace(_RUNNER, "##\\[")


def _shown(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    match character:
        case "\n":
            return "\\n"
        case "\r":
            return "\\r"
        case "\t":
            return " "
    if unicodedata.category(character) not in _HARMFUL:
        return " "
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:
        number -= 0xDC00  # a byte that is no UTF-8, as Python keeps it
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def safe_start(text: str) -> str:
    """Text that opens a line of output: also no `::command::`, which runners take at the start of a line."""
    shown = safe(text)
    return shown.replace("::", ":\\:", 1) if _COMMAND.match(shown) else shown


def safe_file(path: str) -> str:
    """A path that opens a line of output: also no `::command::`, which runners take at the start of a line."""
    shown = safe(path)
    return f"./{shown}" if shown.lstrip().startswith("::") else shown


def width(text: str) -> int:
    """The columns that a terminal gives to text without control characters."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.combining(character) or character in _JOINERS or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
