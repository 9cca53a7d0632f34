"""Workflow commands of GitHub Actions: annotations on the changed lines."""

from netlint.findings import Finding, Related, Severity
from netlint.reports.check_text import rendered_object
from netlint.reports.escape import safe
from netlint.triage.result import Result

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(result: Result) -> str:
    """One command a finding. GitHub shows ten of each severity a step, so the gravest come first."""
    ordered = sorted(result.findings, key=lambda finding: -finding.severity.rank)
    return "".join(f"{_command(finding)}\n" for finding in ordered)


def _command(finding: Finding) -> str:
    properties = {}
    location = finding.location
    if location is not None:
        properties["file"] = location.file
        properties["line"] = str(location.start_line)
        properties["endLine"] = str(location.end_line)
        if location.end_line == location.start_line:  # else GitHub refuses columns
            properties["col"] = str(location.start_column)
            properties["endColumn"] = str(location.end_column)
    properties["title"] = f"{finding.code} {finding.name}"
    written = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    of = rendered_object(finding)
    lines = [finding.message, *([of] if of else ()), *(f"see {_related(related)}" for related in finding.related)]
    if finding.witness:
        lines.append(f"for example: {finding.witness.text}")
    if finding.help:
        lines.extend(finding.help.splitlines())
    return f"::{_COMMAND[finding.severity]} {written}::{'%0A'.join(_data(line) for line in lines)}"


def _related(related: Related) -> str:
    where = related.location
    return f"{where.file}:{where.start_line}:{where.start_column}: {related.message}" if where else related.message


def _data(text: str) -> str:
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    # The file's name must stay what it is, so its odd characters are not shown but percent-encoded where that is known.
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace(":", "%3A").replace(",", "%2C")
    return safe(escaped)
