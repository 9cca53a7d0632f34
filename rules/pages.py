"""A rule's page: its parts, and its examples with the findings that their comments promise."""

import re
from dataclasses import dataclass, field

from netlint.findings import Severity

SECTIONS = ("What it does", "Why is this bad", "Example", "Use instead", "How to fix", "References")
_SEVERITY = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.INFO}
_EXPECTED = re.compile(r'#\s*(error|warning|note):(?:\s+(\d+|-))?\s+\[(NET\d+)\](?:\s+"([^"]*)")?')
_DIRECTIVE = re.compile(r"#\s*(config|crash):\s*(.*)")


@dataclass(frozen=True, slots=True)
class Expected:
    """A finding that an example promises: `# error: 16 [NET101] "part of the message"`.

    `line` counts from 1 inside the block, None where the finding has no place (`# error: - [NET009]`). A comment that
    has its line to itself speaks of the next one.
    """

    line: int | None
    column: int | None
    severity: Severity
    code: str
    part: str

    def __str__(self) -> str:
        column = f", column {self.column}" if self.column else ""
        part = f" with {self.part!r}" if self.part else ""
        return f"{self.severity.value} {self.code} at line {self.line}{column}{part}"


@dataclass(frozen=True, slots=True)
class Block:
    """One example. `config` is the text of its netlint.yaml, `crash` the code of a rule that is made to fail."""

    section: str
    line: int
    text: str
    expected: tuple[Expected, ...]
    config: str = ""
    crash: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page in parts. `title` is its first heading."""

    title: str
    sections: dict[str, str] = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()


def sections(text: str) -> dict[str, str]:
    """The second-level sections of a page, by title."""
    found: dict[str, list[str]] = {}
    fenced = False
    body: list[str] = []
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        if line.startswith("## ") and not fenced:
            body = found.setdefault(line.removeprefix("## ").strip(), [])
        else:
            body.append(line)
    return {title: "\n".join(lines).strip() for title, lines in found.items()}


def parse_page(text: str) -> Page:
    """A page with its examples: the fenced blocks marked yaml."""
    title = next((line.removeprefix("# ").strip() for line in text.splitlines() if line.startswith("# ")), "")
    blocks: list[Block] = []
    section = ""
    start: int | None = None
    body: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if start is not None:
            if line.startswith("```"):
                blocks.append(_block(section, start, body))
                start = None
            else:
                body.append(line)
        elif line.strip() == "```yaml":
            start, body = number + 1, []
        elif line.startswith("## "):
            section = line.removeprefix("## ").strip()
    return Page(title, sections(text), tuple(blocks))


def _block(section: str, start: int, lines: list[str]) -> Block:
    expected: list[Expected] = []
    directives = {"config": "", "crash": ""}
    for number, line in enumerate(lines, 1):
        directive = _DIRECTIVE.match(line)
        if directive:
            directives[directive[1]] = directive[2]
        for match in _EXPECTED.finditer(line):
            severity, column, code, part = match.groups()
            at: int | None = number + (not line[: match.start()].strip())
            if column == "-":
                at = column = None
            expected.append(Expected(at, int(column) if column else None, _SEVERITY[severity], code, part or ""))
    text = "\n".join(lines) + "\n"
    return Block(section, start, text, tuple(expected), directives["config"], directives["crash"].split(" ")[0])
