"""SARIF 2.1.0 as GitHub code scanning takes it, built of sarif-om's objects.

sarif-om checks nothing and its own serializer drops `level`, so the objects are written out here by the names that
their attributes carry.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from netlint import __version__
from netlint.findings import Finding, Location, Severity
from netlint.reports.escape import safe
from netlint.reports.json_text import dumps
from netlint.rules.catalogue import Header
from netlint.rules.pages import sections
from netlint.triage.result import Result, Suppressed

if TYPE_CHECKING:
    import sarif_om

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS = 25_000  # GitHub refuses a run with more
LONGEST = 1_024  # characters of a description there
LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
ROOT = "%SRCROOT%"
_LINK_LIKE = re.compile(r"[\[\]\\]")


def sarif(result: Result, rules: Sequence[Header], *, docs: str | None = None, fallback: str = "netlint.yaml") -> str:
    """The report. `docs` is the address of the rules' pages, where there is one; `fallback` the file of a finding that
    has none, since GitHub refuses a result without."""
    return dumps(_plain(_log(result, rules, docs, fallback)))


def _log(result: Result, rules: Sequence[Header], docs: str | None, fallback: str) -> "sarif_om.SarifLog":
    import sarif_om as om

    index = {rule.code: number for number, rule in enumerate(rules)}
    gravest = sorted(result.findings, key=lambda finding: -finding.severity.rank)[:MOST_RESULTS]
    kept = [finding for finding in result.findings if len(result.findings) <= MOST_RESULTS] or gravest
    results = [_result(finding, index, fallback) for finding in kept]
    room = MOST_RESULTS - len(results)
    results += [_suppressed(one, index, fallback) for one in result.suppressed[:room]]
    notes = [_notification(text, "note") for text in result.unchecked]
    if len(result.findings) > len(kept):
        notes.append(_notification(f"{len(result.findings) - len(kept)} results of lower severity left out", "warning"))
    notes += [_notification(one.message, "error") for one in result.findings if one.code == "NET009"]
    driver = om.ToolComponent(
        name="netlint",
        semantic_version=__version__,
        version=__version__,
        information_uri="https://pypi.org/project/kube-netlint/",
        rules=[_rule(rule, docs) for rule in rules],
        full_name=f"netlint {__version__}",
        short_description=om.MultiformatMessageString(text="A static analyzer for Kubernetes networking."),
    )
    run = om.Run(
        tool=om.Tool(driver=driver),
        results=results,
        automation_details=om.RunAutomationDetails(id="netlint/"),
        column_kind="unicodeCodePoints",
        invocations=[om.Invocation(execution_successful=not result.failed, tool_execution_notifications=notes or None)],
        original_uri_base_ids={
            ROOT: om.ArtifactLocation(description=om.Message(text="The folder that netlint was run in."))
        },
    )
    return om.SarifLog(version="2.1.0", schema_uri=SCHEMA, runs=[run])


def _rule(rule: Header, docs: str | None) -> "sarif_om.ReportingDescriptor":
    import sarif_om as om

    page = rule.page()
    parts = sections(page)
    what = _first_paragraph(parts.get("What it does", "")) or rule.name
    why = _first_paragraph(parts.get("Why is this bad", ""))
    text = "\n\n".join(part for part in (parts.get("What it does"), parts.get("How to fix")) if part) or rule.name
    return om.ReportingDescriptor(
        id=rule.code,
        name="".join(word.capitalize() for word in rule.name.split("-")),
        short_description=om.MultiformatMessageString(text=_cut(what)),
        full_description=om.MultiformatMessageString(text=_cut(f"{what} {why}".strip())),
        help=om.MultiformatMessageString(text=text, markdown=page or None),
        help_uri=f"{docs.rstrip('/')}/{rule.code}" if docs else None,
        default_configuration=om.ReportingConfiguration(
            level=LEVEL[rule.severity], enabled=None if rule.group == "default" else False
        ),
        properties={"tags": ["kubernetes", "networking", rule.area], "precision": "high"},
    )


def _result(finding: Finding, index: Mapping[str, int], fallback: str) -> "sarif_om.Result":
    import sarif_om as om

    text = _text(safe(finding.message))
    related = []
    for number, other in enumerate(one for one in finding.related if one.location):
        text += f"\nSee [{_text(safe(other.message), link=True)}]({number})"
        related.append(
            om.Location(
                id=number, physical_location=_physical(other.location), message=om.Message(text=safe(other.message))
            )
        )
    if finding.witness:
        text += f"\nFor example: {_text(safe(finding.witness.text))}"
    if finding.help:
        text += "\n" + "\n".join(_text(safe(line)) for line in finding.help.splitlines())
    where = finding.location or Location(fallback, 1, 1, 1, 1)
    logical = None
    if finding.ref:
        kind = finding.ref.kind
        logical = [om.LogicalLocation(fully_qualified_name=safe(str(finding.ref)), kind="object", name=safe(kind))]
    return om.Result(
        rule_id=finding.code,
        rule_index=index.get(finding.code, -1),
        level=LEVEL[finding.severity],
        message=om.Message(text=text),
        locations=[om.Location(physical_location=_physical(where), logical_locations=logical)],
        related_locations=related or None,
        partial_fingerprints={"primaryLocationLineHash": finding.fingerprint},
        properties={"clusters": [safe(name) for name in finding.clusters]} if len(finding.clusters) > 1 else None,
    )


def _suppressed(one: Suppressed, index: Mapping[str, int], fallback: str) -> "sarif_om.Result":
    import sarif_om as om

    result = _result(one.finding, index, fallback)
    result.suppressions = [om.Suppression(kind=one.kind, justification=safe(one.reason) or None)]
    return result


def _physical(location: Location | None) -> "sarif_om.PhysicalLocation":
    import sarif_om as om

    assert location is not None
    region = om.Region(
        start_line=location.start_line,
        start_column=location.start_column,
        end_line=location.end_line,
        end_column=max(location.end_column, location.start_column)
        if location.start_line == location.end_line
        else location.end_column,
    )
    return om.PhysicalLocation(artifact_location=_artifact(location.file), region=region)


def _artifact(file: str) -> "sarif_om.ArtifactLocation":
    import sarif_om as om

    if os.path.isabs(file):
        return om.ArtifactLocation(uri="file://" + quote(file, errors="replace"))
    uri = quote("stdin" if file in ("-", "<stdin>") else file, errors="replace")
    return om.ArtifactLocation(uri=uri, uri_base_id=ROOT)


def _notification(text: str, level: str) -> "sarif_om.Notification":
    import sarif_om as om

    return om.Notification(message=om.Message(text=safe(text)), level=level)


def _text(text: str, *, link: bool = False) -> str:
    """Text of a message. What would read as a link to a related place is escaped; inside of one, every bracket."""
    if link or re.search(r"\]\(", text):
        return _LINK_LIKE.sub(lambda match: "\\" + match[0], text)
    return text


def _first_paragraph(text: str) -> str:
    return " ".join(text.strip().partition("\n\n")[0].split())


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


_KEPT = {"level"}


def _plain(value: Any) -> Any:
    """Plain data of sarif-om's objects: without what is None and what stands in for nothing (-1), `level` always."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, Iterable):
        return [_plain(item) for item in value]
    written: dict[str, Any] = {}
    for attribute in value.__attrs_attrs__:
        item = getattr(value, attribute.name)
        if item is None or (item == -1 and not isinstance(item, bool)):
            continue
        if item == attribute.default and attribute.name not in _KEPT:
            continue
        written[attribute.metadata["schema_property_name"]] = _plain(item)
    return written
