"""SARIF as the standard's schema, GitHub's rules and Microsoft's validator want it."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from netlint.findings import Finding, Location, Severity
from netlint.reports import sarif as module
from netlint.reports.sarif import sarif
from netlint.rules.catalogue import headers
from netlint.triage import Result

Make = Callable[..., Result]
SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif-2.1.0.json").read_text())
RULES = headers()


def log(result: Result) -> Any:
    return json.loads(sarif(result, RULES, fallback="shop/web.yaml"))


def only(result: Result) -> Any:
    return log(result)["runs"][0]["results"][0]


@pytest.fixture
def odd(result: Make) -> Result:
    """Findings of every severity, without a place, of several lines, outside the folder, from standard input."""
    base = result().findings[0]
    findings = [
        base,
        replace(base, severity=Severity.WARNING, location=Location("a b/ü#.yaml", 1, 1, 4, 2), help=None),
        replace(base, severity=Severity.INFO, location=Location("<stdin>", 3, 2, 3, 2), related=(), witness=None),
        replace(base, location=Location("/abs/x.yaml", 1, 1, 1, 5), clusters=("a", "b")),
        replace(base, location=Location("../up/x.yaml", 1, 1, 1, 5), message="a [link](1) and spec.ports[0] {0}"),
        Finding("NET009", "rule-failed", Severity.ERROR, "rule X failed", fingerprint="x"),
    ]
    return replace(result(), findings=tuple(findings), failed=True)


def test_it_is_valid(odd: Result, result: Make) -> None:
    for one in (odd, result(), Result(())):
        jsonschema.Draft202012Validator(SCHEMA).validate(log(one))


def complaints(program: Callable[[str], str], file: Path) -> list[str]:
    """What Microsoft's validator says. It exits with 0 whatever it finds."""
    done = subprocess.run(
        [program("sarif-multitool"), "validate", str(file), "--rule-kind", "Sarif;Ghas"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},  # it would want libicu
    )
    said = done.stdout + done.stderr
    assert "Analysis completed successfully" in said, said
    return re.findall(r": (?:error|warning|note) \S+: .*", said)


def test_the_real_validator_finds_nothing(odd: Result, tmp_path: Path, program: Callable[[str], str]) -> None:
    file = tmp_path / "netlint.sarif"
    file.write_text(sarif(odd, RULES, fallback="shop/web.yaml"))
    assert complaints(program, file) == []


def test_the_real_validator_would_find_something(odd: Result, tmp_path: Path, program: Callable[[str], str]) -> None:
    broken = log(odd)
    del broken["runs"][0]["tool"]
    del broken["runs"][0]["results"][0]["locations"]
    file = tmp_path / "netlint.sarif"
    file.write_text(json.dumps(broken))
    assert complaints(program, file)


def test_levels_are_written_also_where_they_are_the_default(odd: Result) -> None:
    levels = [one["level"] for one in log(odd)["runs"][0]["results"]]
    assert levels == ["error", "warning", "note", "error", "error", "error", "error"]


def test_a_result_has_what_github_reads(result: Make) -> None:
    one = only(result())
    assert one["ruleId"] == "NET004"
    assert RULES[one["ruleIndex"]].code == "NET004"
    physical = one["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "shop/web.yaml", "uriBaseId": "%SRCROOT%"}
    assert physical["region"] == {"startLine": 5, "startColumn": 17, "endLine": 5, "endColumn": 22}
    assert one["partialFingerprints"] == {"primaryLocationLineHash": "abc"}


def test_the_message_links_to_its_related_places(result: Make) -> None:
    one = only(result())
    links = re.findall(r"\]\((\d+)\)", one["message"]["text"])
    assert links == [str(related["id"]) for related in one["relatedLocations"]] == ["0"]
    assert one["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 7


def test_text_of_the_input_makes_no_link(result: Make) -> None:
    text = only(result("[x](0)", help=None))["message"]["text"]
    assert text.startswith("\\[x\\](0)\n")
    assert only(result("spec.ports[0]", help=None))["message"]["text"].startswith("spec.ports[0]\n")


@pytest.mark.parametrize(
    ("file", "uri", "base"),
    [
        ("a b/ü#.yaml", "a%20b/%C3%BC%23.yaml", "%SRCROOT%"),
        ("<stdin>", "stdin", "%SRCROOT%"),
        ("/abs/x.yaml", "file:///abs/x.yaml", None),
    ],
)
def test_files_are_uris(result: Make, file: str, uri: str, base: str | None) -> None:
    artifact = only(result(file=file))["locations"][0]["physicalLocation"]["artifactLocation"]
    assert (artifact["uri"], artifact.get("uriBaseId")) == (uri, base)


def test_the_run_tells_how_to_read_it(odd: Result) -> None:
    run = log(odd)["runs"][0]
    assert run["automationDetails"] == {"id": "netlint/"}
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"][0]["executionSuccessful"] is False
    notes = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert notes == ["what both ask for node port 30080", "rule X failed"]


def test_suppressed_findings_are_there_and_marked(result: Make) -> None:
    shown, silent = log(result())["runs"][0]["results"]
    assert "suppressions" not in shown
    assert silent["suppressions"] == [{"kind": "inSource", "justification": "why both ask for node port 30080"}]


def test_every_rule_is_described(result: Make) -> None:
    rules = log(result())["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in RULES]
    for rule in rules:
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert len(rule["properties"]["tags"]) <= 10


def test_the_gravest_are_kept_where_there_are_too_many(result: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RESULTS", 2)
    base = result().findings[0]
    some = tuple(replace(base, severity=severity) for severity in (Severity.INFO, Severity.ERROR, Severity.WARNING))
    run = log(Result(some))["runs"][0]
    assert [one["level"] for one in run["results"]] == ["error", "warning"]
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "1 results of lower severity left out"
