"""Every example on every rule's page gives exactly the findings that its comments name."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import parse_config
from netlint.findings import Finding
from netlint.resources import load
from netlint.rules.catalogue import Header, headers
from netlint.rules.pages import SECTIONS, Block, Expected, Page, parse_page
from netlint.rules.registry import Rule
from netlint.sources import read_text
from netlint.triage import Options, Result, check

RULES = headers()
PAGES: dict[str, Page] = {rule.code: parse_page(rule.page()) for rule in RULES}
BLOCKS = [
    pytest.param(rule, block, id=f"{rule.code}-line-{block.line}")
    for rule in RULES
    for block in PAGES[rule.code].blocks
]
FILE = "example.yaml"


def run(rule: Header, block: Block, monkeypatch: pytest.MonkeyPatch | None = None) -> Result:
    """One example, checked by its own rule and by those of the input, so that no example is broken YAML."""
    if block.crash and monkeypatch is not None:
        _make_crash(block.crash, monkeypatch)
    config = parse_config(block.config, "netlint.yaml")
    reading = read_text(block.text, FILE)
    clusters = [build(part, config) for part in divide(load(reading.documents), config)]
    select = (rule.code, "NET0", *((block.crash,) if block.crash else ()))
    return check(reading, clusters, config, Options(select=select))


def _make_crash(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = next(header for header in RULES if header.code == code).load()

    def crash(self: Rule, analysis: Any) -> Iterator[Finding]:
        if self is broken:
            raise KeyError("for example")
        return self.check(analysis)

    monkeypatch.setattr(Rule, "__call__", crash)


def mismatch(expected: tuple[Expected, ...], findings: tuple[Finding, ...]) -> list[str]:
    """What is missing and what is too much."""
    left = list(findings)
    wrong = []
    for promise in expected:
        hit = next((finding for finding in left if fits(promise, finding)), None)
        if hit is None:
            wrong.append(f"missing: {promise}")
        else:
            left.remove(hit)
    return wrong + [f"unexpected: {describe(finding)}" for finding in left]


def fits(promise: Expected, finding: Finding) -> bool:
    line = finding.location.start_line if finding.location else None
    column = finding.location.start_column if finding.location else None
    return (
        promise.code == finding.code
        and promise.severity is finding.severity
        and promise.line == line
        and promise.column in (None, column)
        and promise.part in finding.message
    )


def describe(finding: Finding) -> str:
    where = f"{finding.location.start_line}:{finding.location.start_column}" if finding.location else "nowhere"
    return f"{where} {finding.severity.value} [{finding.code}] {finding.message}"


@pytest.mark.parametrize(("rule", "block"), BLOCKS)
def test_example(rule: Header, block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(rule, block, monkeypatch)
    wrong = mismatch(block.expected, result.findings)
    assert not wrong, f"{rule.module} page, line {block.line}:\n" + "\n".join(wrong)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_page_is_whole(rule: Header) -> None:
    page = PAGES[rule.code]
    assert page.title == f"{rule.code} {rule.name}"
    assert [title for title in page.sections if title in SECTIONS] == list(SECTIONS)
    assert all(page.sections[title] for title in SECTIONS)
    bad = [block for block in page.blocks if any(promise.code == rule.code for promise in block.expected)]
    good = [block for block in page.blocks if not block.expected]
    assert bad, "no example shows the fault"
    assert good, "no example is right"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_rule_says_what_its_header_says(rule: Header) -> None:
    loaded = rule.load()
    assert (loaded.code, loaded.name, loaded.severity, loaded.group) == (
        rule.code,
        rule.name,
        rule.severity,
        rule.group,
    )
    assert rule.needs is None or rule.needs == tuple(model.__name__ for model in loaded.needs)
    assert set(loaded.needs) <= set(loaded.reads)
    assert loaded.summary.endswith(".")
    assert re.fullmatch(r"NET\d{3}", rule.code)
    assert rule.module.rpartition(".")[2] == rule.name.replace("-", "_")


class TestMismatch:
    """The test of pages can fail."""

    PAGE = parse_page(
        "# X\n## Example\n```yaml\n"
        'kind: A # error: [NET301]\n# note: 3 [NET304] "so"\nx: 1\n# warning: - [NET009]\n```\n'
    )

    def test_comments_are_read(self) -> None:
        promises = self.PAGE.blocks[0].expected
        assert [(promise.line, promise.column, promise.code, promise.part) for promise in promises] == [
            (1, None, "NET301", ""),
            (3, 3, "NET304", "so"),
            (None, None, "NET009", ""),
        ]

    def test_missing_and_unexpected_are_told(self) -> None:
        from netlint.findings import Location, Severity

        promises = self.PAGE.blocks[0].expected
        other = Finding("NET301", "x", Severity.ERROR, "m", location=Location(FILE, 2, 1, 2, 2))
        assert len(mismatch(promises, ())) == 3
        assert mismatch((), (other,)) == ["unexpected: 2:1 error [NET301] m"]
        assert len(mismatch(promises[:1], (other,))) == 2
