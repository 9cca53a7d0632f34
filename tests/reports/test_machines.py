"""JSON against its published schemas, workflow commands, problem matchers over what is really printed."""

import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from netlint.findings import Finding, Location, Severity
from netlint.reports.check_json import check_json
from netlint.reports.check_text import check_text
from netlint.reports.color import Paint
from netlint.reports.github import github
from netlint.reports.matchers import github_matcher, vscode_matcher
from netlint.triage import Result

Make = Callable[..., Result]


def schema(name: str) -> Any:
    return json.loads(files("netlint.reports").joinpath(f"schemas/{name}.json").read_text())


def test_the_report_is_as_promised(result: Make) -> None:
    report = json.loads(check_json(result()))
    assert report["version"] == 1
    assert report["clusters"] == [{"name": "default", "world": "open", "documents": 2, "files": 2}]
    assert report["summary"] == {"error": 1, "warning": 0, "info": 0}
    (finding,) = report["findings"]
    assert finding == {
        "code": "NET004",
        "name": "invalid-value",
        "severity": "error",
        "message": "both ask for node port 30080",
        "help": "Choose another number.",
        "cluster": ["default"],
        "object": {"apiVersion": "v1", "kind": "Service", "namespace": "shop", "name": "web"},
        "path": "spec.ports[0].nodePort",
        "location": {"file": "shop/web.yaml", "startLine": 5, "startColumn": 17, "endLine": 5, "endColumn": 22},
        "related": [
            {
                "message": "the other one: both ask for node port 30080",
                "object": {"apiVersion": "v1", "kind": "Service", "namespace": "shop", "name": "admin"},
                "path": "spec.ports[0].nodePort",
                "location": {
                    "file": "shop/admin.yaml",
                    "startLine": 7,
                    "startColumn": 17,
                    "endLine": 7,
                    "endColumn": 22,
                },
            }
        ],
        "witness": {
            "from": {"namespace": "shop"},
            "to": {"address": "10.0.0.1"},
            "port": 80,
            "protocol": "TCP",
            "text": "a pod of shop: both ask for node port 30080",
        },
        "fixes": [
            {
                "title": "mend it",
                "safety": "safe",
                "edits": [
                    {
                        "file": "shop/web.yaml",
                        "range": {"startLine": 5, "startColumn": 17, "endLine": 5, "endColumn": 22},
                        "newText": "30081",
                    }
                ],
            }
        ],
        "fingerprint": "abc",
    }


def test_the_report_fits_its_schema(result: Make) -> None:
    nowhere = Result((Finding("NET009", "rule-failed", Severity.ERROR, "rule X failed"),), failed=True)
    for one in (result(), nowhere, Result(())):
        jsonschema.Draft202012Validator(schema("check")).validate(json.loads(check_json(one)))


@pytest.mark.parametrize("name", ["check", "rules", "facts", "config"])
def test_schemas_are_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))


def test_a_schema_refuses_what_is_not_promised(result: Make) -> None:
    report = json.loads(check_json(result()))
    report["findings"][0]["severity"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, schema("check"))


def test_workflow_commands(result: Make) -> None:
    assert github(result(severity=Severity.INFO, help="One.\nTwo: 50%.")) == (
        "::notice file=shop/web.yaml,line=5,endLine=5,col=17,endColumn=22,title=NET004 invalid-value::"
        "both ask for node port 30080"
        "%0Asee shop/admin.yaml:7:17: the other one: both ask for node port 30080"
        "%0Afor example: a pod of shop: both ask for node port 30080%0AOne.%0ATwo: 50%25.\n"
    )


def test_columns_are_left_out_where_github_refuses_them(result: Make) -> None:
    line = github(result(location=Location("a.yaml", 2, 3, 4, 5)))
    assert line.startswith("::error file=a.yaml,line=2,endLine=4,title=")


def test_the_gravest_command_comes_first(result: Make) -> None:
    info, error = (result(severity=severity).findings[0] for severity in (Severity.INFO, Severity.ERROR))
    assert [line.split(" ")[0] for line in github(Result((info, error))).splitlines()] == ["::error", "::notice"]


SEVERITIES = [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note")]


def github_reads(line: str) -> dict[str, str] | None:
    """What GitHub's runner takes from a line: the first matcher that fits, as the runner's own code does."""
    for matcher in json.loads(github_matcher())["problemMatcher"]:
        (pattern,) = matcher["pattern"]
        match = re.search(pattern["regexp"], line)
        if match:
            keys = ("file", "line", "column", "severity", "code", "message")
            read = {key: match[pattern[key]] for key in keys if key in pattern}
            return {"severity": matcher.get("severity", "error"), **read}
    return None


@pytest.mark.parametrize(("severity", "word"), SEVERITIES)
@pytest.mark.parametrize("colour", [False, True])
def test_github_reads_the_text(result: Make, severity: Severity, word: str, colour: bool) -> None:
    text = check_text(result(severity=severity), Paint(colour))
    read = [found for line in text.splitlines() if (found := github_reads(line))]
    assert read == [
        {
            "severity": "notice" if word == "note" else word,
            "file": "shop/web.yaml",
            "line": "5",
            "column": "17",
            "code": "NET004",
            "message": "both ask for node port 30080",
        }
    ]


@pytest.mark.parametrize(("severity", "word"), SEVERITIES)
def test_vscode_reads_the_text(result: Make, severity: Severity, word: str) -> None:
    pattern = json.loads(vscode_matcher())["pattern"]
    text = check_text(result(severity=severity), Paint(False))
    (match,) = [found for line in text.splitlines() if (found := re.search(pattern["regexp"], line))]
    wanted = {"file": "shop/web.yaml", "line": "5", "column": "17", "severity": word, "code": "NET004"}
    assert {key: match[pattern[key]] for key in wanted} == wanted
    assert match[pattern["message"]] == "both ask for node port 30080"
