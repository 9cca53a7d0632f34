"""`netlint check --format json`."""

from typing import Any

from netlint.findings import Finding, Fix, Related, Severity, Witness
from netlint.reports.json_text import VERSION, dumps, json_location, json_place
from netlint.triage.result import Result


def check_json(result: Result) -> str:
    """The report as promised in its JSON Schema, `schemas/check.json`."""
    return dumps(
        {
            "version": VERSION,
            "clusters": [
                {"name": one.name, "world": one.world, "documents": one.documents, "files": one.files}
                for one in result.clusters
            ],
            "findings": [finding_json(finding) for finding in result.findings],
            "summary": {severity.value: result.count(severity) for severity in Severity},
            "suppressed": len(result.suppressed),
            "unchecked": list(result.unchecked),
        }
    )


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        "help": finding.help,
        "cluster": list(finding.clusters),
        **json_place(finding.place, finding.location),
        "related": [_related(related) for related in finding.related],
        "witness": _witness(finding.witness) if finding.witness else None,
        "fixes": [_fix(fix) for fix in finding.fixes],
        "fingerprint": finding.fingerprint,
    }


def _related(related: Related) -> dict[str, Any]:
    return {"message": related.message, **json_place(related.place, related.location)}


def _witness(witness: Witness) -> dict[str, Any]:
    return {
        "from": witness.source,
        "to": witness.destination,
        "port": witness.port,
        "protocol": witness.protocol,
        "text": witness.text,
    }


def _fix(fix: Fix) -> dict[str, Any]:
    edits = []
    for edit in fix.edits:
        stretch = json_location(edit.location) or {}
        edits.append({"file": stretch.pop("file"), "range": stretch, "newText": edit.new_text})
    return {"title": fix.title, "safety": fix.safety, "edits": edits}
