"""The documents of one stream, cut as kubectl cuts it, each read for itself so that one bad one costs only itself."""

import re
from dataclasses import dataclass
from typing import Any, Final

from netlint.findings import Finding, Location, Path
from netlint.sources import problems
from netlint.sources.document import PLAIN, Document, SourceUnit
from netlint.sources.events import Built, YamlError, build
from netlint.sources.files import SourceFile, comments, outside_texts
from netlint.sources.line_positions import LinePositions
from netlint.sources.lines import GiveUp, LineTable, parse
from netlint.sources.options import Limits
from netlint.sources.positions import LineShift, TablePositions

KUBERNETES_TEXT: Final = re.compile(r"""^(?:apiVersion|kind)[ \t]*:|["'](?:apiVersion|kind)["']\s*:""", re.MULTILINE)
TEMPLATE_TEXT: Final = re.compile(r"\{\{|\{%|<%")
"""What template languages (Go, Jinja, ERB) put where YAML is left aside."""
_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_LONE: Final = re.compile("[\ud800-\udfff]")
_PLACEHOLDER: Final = re.compile(
    r"\$\{\w|\$\(\w|@@?[A-Z_]+@|%[A-Z_]+%|<[A-Z_]+>|\{[A-Z][A-Za-z0-9_]*\}|^\s*\$[A-Za-z_]\w*\s*$"
    r"|^\s*<[A-Za-z][\w .-]*>\s*$|(?<=[\"'])[A-Z0-9]+(?:_[A-Z0-9]+)+\s*$"
)
"""Text to be replaced before the file is used; said to be one only where the error stands. The last two: a word in
angle brackets alone on its line, and one in capitals that goes on where a quoted text has ended."""
_WHOLE_COMMENT: Final = re.compile(r"#@ (?:load|def|if|for|end)\b|#@(?:data|overlay|library|schema)/")
_AFTER_KEY: Final = re.compile(r"#@ +\S|#\{[\w.-]+\}")
"""Template text that YAML takes for a comment: ytt's, and `#{TOKEN}#` of token replacement in Azure Pipelines. The
first alone on its line, the second where a value would stand."""
_IN_VALUE: Final = re.compile(
    r"\$\{[^}]*\}|\$\([A-Za-z_]\w*\)|\{\{.*\}\}|@@?[A-Z_]+@|%[A-Z_]+%|<[A-Z][A-Z_]*>|^\$[A-Za-z_]\w*$"
)


def holds_placeholder(text: str) -> bool:
    """Whether a value is, or holds, text that another program replaces first (`${REPLICAS}`, `{{ port }}`): nothing
    can be said of what it will be."""
    return _IN_VALUE.search(text) is not None


@dataclass(slots=True)
class Stream:
    """What one file gave: documents and findings. `template` is the line (from 0) of the first template text, or -1."""

    documents: list[Document]
    findings: list[Finding]


def read_stream(
    source: SourceFile, limits: Limits, table: LineTable, *, named: bool, unit: SourceUnit = PLAIN
) -> Stream:
    """Every document of a YAML stream. Faults are said of files that show Kubernetes text or were `named`.

    `table` remembers lines from file to file.
    """
    reader = _StreamReader(source, limits, table, unit)
    if not reader.run_json():
        reader.run()
        reader.template_comments()
    if reader.template is not None:
        reader.findings = [f for f in reader.findings if f.code != "NET001"]
        reader.findings.append(reader.template)
    if reader.findings and not named and not KUBERNETES_TEXT.search(source.text):
        reader.findings = []
    return Stream(reader.documents, reader.findings)


class _StreamReader:
    def __init__(self, source: SourceFile, limits: Limits, table: LineTable, unit: SourceUnit) -> None:
        self.table = table
        self.source = source
        self.lines = source.lines
        self.limits = limits
        self.unit = unit
        self.documents: list[Document] = []
        self.findings: list[Finding] = []
        self.template: Finding | None = None
        self.index = 0

    def run_json(self) -> bool:
        """Read the stream as JSON, as kubectl does where it begins with a brace. False where it is no JSON and may
        be YAML: flow style looks alike."""
        text = self.source.text
        is_json = self.source.file.endswith(".json")
        begins = text.lstrip()[:1]
        if begins != "{" and not (begins == "[" and is_json):
            return False
        from netlint.sources.json_text import JsonError, JsonPositions, JsonText, load

        source = JsonText(text if "\r" not in text else "\n".join(self.lines), self.lines)
        try:
            values = load(source, self.limits.nesting)
        except JsonError as error:
            if not is_json:
                return False
            found = TEMPLATE_TEXT.search(text)
            if found is not None:
                line, column = source.point(found.start())
                self._templated(Location(self.source.file, line + 1, column + 1, line + 1, column + 3))
            else:
                where = self._location(*source.point(error.offset))
                self.findings.append(problems.unreadable(where, f"not valid JSON: {error.message}", error.remedy))
            return True
        for data, start, end, duplicate in values:
            positions = JsonPositions(self.source.file, source, start, end)
            if duplicate:
                for key, first, later in positions.duplicates():
                    places = positions.location(first), positions.location(later)
                    self.findings.append(problems.duplicate_key(key, *places))
            if data is not None:
                self._add(self.index, data, positions)
            self.index += 1
        return True

    def run(self) -> None:
        lines = self.lines
        cuts = [n for n, line in enumerate(lines) if line.startswith("---")] if "---" in self.source.text else []
        for number in cuts:
            rest = lines[number][3:].strip()
            if rest and not rest.startswith("#"):
                self._separator(number, rest)
        starts = [0, *(number + 1 for number in cuts)]
        last = len(lines) - (lines[-1] == "")
        for start, end in zip(starts, [*cuts, max(last, starts[-1])], strict=True):
            if len(self.documents) >= self.limits.documents:
                self.findings.append(
                    problems.unreadable(
                        self._location(start, 0),
                        f"the file holds more than {self.limits.documents} documents; the rest was not read",
                        "Split the file.",
                    )
                )
                return
            if start < end:
                self._document(start, end)
            self.index += 1

    def template_comments(self) -> None:
        """Take for a template, and for nothing else, a stream whose comments are template text."""
        text = self.source.text
        if "#@" not in text and "#{" not in text:
            return
        for number, column, code in comments(self.lines):
            code = code.rstrip()
            pattern = _AFTER_KEY if code.endswith((":", "-")) else _WHOLE_COMMENT
            found = pattern.match(self.lines[number - 1], column)
            if found is not None and (code == "" or pattern is _AFTER_KEY):
                self.documents = []
                self._templated(Location(self.source.file, number, column + 1, number, found.end() + 1))
                return

    def _separator(self, number: int, rest: str) -> None:
        line = self.lines[number]
        self.findings.append(
            problems.unreadable(
                Location(self.source.file, number + 1, 1, number + 1, len(line) + 1),
                f"{problems.quoted(line)} is no document separator: kubectl refuses text after `---`",
                "Put the text on the next line, or make it a comment.",
            )
        )

    def _document(self, start: int, end: int) -> None:
        index = self.index
        part = self.lines[start:end]
        if sum(map(len, part)) > self.limits.document_size:
            self.findings.append(
                problems.unreadable(
                    self._location(start, 0),
                    f"the document has more characters than the limit of {self.limits.document_size}",
                    "Split the document.",
                )
            )
            return
        try:
            data = parse(part, self.table, self.limits.nesting)
        except GiveUp:
            pass
        else:
            if data is not None:
                self._add(index, data, LinePositions(self.source.file, self.lines, start, end))
            return
        text = "\n".join(part) + "\n"
        if not text.isascii() and _LONE.search(text):
            return  # bytes that are no UTF-8, of which the file's own finding tells
        try:
            built = build(text, self.limits)
        except YamlError as problem:
            self._refused(problem, text, start, end)
            return
        except RecursionError:
            self._refused(YamlError(0, 0, "!the document nests too deeply to be read"), text, start, end)
            return
        if built.empty:
            return
        positions = TablePositions(self.source.file, built.table, LineShift.for_libyaml(self.lines, start, end))
        self._duplicates(built, positions)
        self._add(index, built.data, positions)

    def _add(self, index: int, data: Any, positions: Any) -> None:
        named = _template_word(data)
        if named is not None:
            self._templated(positions.locate(named))
            return
        self.documents.append(Document(self.source.file, index, data, positions, self.unit))

    def _duplicates(self, built: Built, positions: TablePositions) -> None:
        for duplicate in built.duplicates:
            first = positions.location(positions.key_span(duplicate.first))
            later = positions.location(positions.key_span(duplicate.later))
            self.findings.append(problems.duplicate_key(duplicate.key, first, later))

    def _location(self, line: int, column: int) -> Location:
        length = len(self.lines[line]) if line < len(self.lines) else 0
        end = column + 1 if column < length else column
        return Location(self.source.file, line + 1, column + 1, line + 1, end + 1)

    def _refused(self, problem: YamlError, text: str, start: int, end: int) -> None:
        shift = LineShift.for_libyaml(self.lines, start, end)
        line, column = shift.point(problem.line, problem.column)
        directive = next((n for n in range(start, end) if self.lines[n].strip() and self.lines[n][0] != "#"), start)
        if self.lines[directive].startswith("%"):
            where = Location(self.source.file, directive + 1, 1, directive + 1, len(self.lines[directive]) + 1)
            self.findings.append(problems.directive(where))
            return
        if line >= end and "expected node content" in problem.reason:
            problem = YamlError(problem.line, problem.column, "the document ends inside a flow collection")
        while line >= end and line > start:
            line -= 1
            column = len(self.lines[line])
        if "characters are not allowed" in problem.reason:
            line, column = self._control(start, end)
        template = None if problem.limit else self._template_text(line, start, end)
        if template is not None:
            self._templated(template)
            return
        where = self._location(line, column)
        if problem.limit:
            self.findings.append(
                problems.unreadable(
                    where, problem.reason, "The document was not read, as a guard against hostile input."
                )
            )
            return
        if problem.start is not None and any(
            reason in problem.reason for reason in ("could not find expected ':'", "expected alphabetic or numeric")
        ):
            # The parser notices late; what lacks its colon or its name is where it began to look for one.
            where = self._location(*shift.point(*problem.start))
            problem.start = None
        began = None
        if problem.start is not None:
            began = self._location(*shift.point(*problem.start))
        character = self.lines[line][column : column + 1] if line < len(self.lines) else ""
        self.findings.append(problems.syntax_error(where, problem.reason, character, began))

    def _template_text(self, line: int, start: int, end: int) -> Location | None:
        """The text that shows that what is broken at a line is a template: anywhere but in comments, quotes and block
        scalars, which YAML reads as they are, or where the fault is."""
        for number, _, code in outside_texts(self.lines[start:end]):
            if "{{" in code or "{%" in code or "<%" in code:
                found = TEMPLATE_TEXT.search(_QUOTED.sub(lambda quoted: " " * len(quoted[0]), code))
                if found is not None:
                    return self._stretch(start + number - 1, found)
        for pattern in (TEMPLATE_TEXT, _PLACEHOLDER):
            for number in range(max(start, line - 1), line + 1):
                found = pattern.search(self.lines[number])
                if found is not None:
                    return self._stretch(number, found)
        return None

    def _stretch(self, number: int, found: re.Match[str]) -> Location:
        return Location(self.source.file, number + 1, found.start() + 1, number + 1, found.end() + 1)

    def _control(self, start: int, end: int) -> tuple[int, int]:
        for number in range(start, end):
            match = re.search(
                r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]", self.lines[number]
            )
            if match:
                return number, match.start()
        return start, 0

    def _templated(self, where: Location) -> None:
        if self.template is None:
            self.template = problems.unrendered(
                where,
                "this file is a template that was not rendered; what it would make was not checked",
                "Give netlint the rendered manifests, or the chart or kustomization that the file belongs to.",
            )


def _template_word(data: Any) -> Path | None:
    """Which word of an object's identity is template text, if one is: such an object is nothing yet."""
    if isinstance(data, dict):
        metadata = data.get("metadata")
        if isinstance(metadata, dict):
            for key in ("name", "namespace"):
                if isinstance(metadata.get(key), str) and "{{" in metadata[key]:
                    return ("metadata", key)
        for key in ("apiVersion", "kind"):
            if isinstance(data.get(key), str) and "{{" in data[key]:
                return (key,)
    return None
