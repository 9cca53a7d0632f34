"""NET004: a value that the API server would refuse."""

import re
from collections.abc import Iterator

from netlint.findings import Finding, Place, Severity, format_path
from netlint.resources import FieldProblem, problems
from netlint.resources.loading import without_kind
from netlint.resources.unknown import nearest_name
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET004", "invalid-value", Severity.ERROR)
def invalid_value(analysis: Analysis) -> Iterator[Finding]:
    """The API server would refuse this value, and with it the whole object."""
    yield from _without_kind(analysis)
    for manifest in analysis.cluster.all_manifests:
        for problem in problems(manifest):
            yield invalid_value.finding(
                Place(manifest, problem.path),
                _about(problem),
                severity=Severity(problem.severity_hint),
                help=problem.hint,
            )


def _without_kind(analysis: Analysis) -> Iterator[Finding]:
    for document in analysis.reading.documents if analysis.reading else ():
        manifest = without_kind(document)
        if manifest is None:
            continue
        if "kind" in manifest.raw:
            yield invalid_value.finding(
                Place(manifest, ("kind",)), "kind must be text: without it this is no object of Kubernetes"
            )
            continue
        keys = [key for key in manifest.raw if isinstance(key, str) and nearest_name(key, {"kind"}) == "kind"]
        yield invalid_value.finding(
            Place(manifest, (keys[0] if keys else "apiVersion",), "key"),
            f"kind must be set{f', not {keys[0]}' if keys else ''}: without it this is no object of Kubernetes",
            severity=Severity.WARNING,
        )


def _about(problem: FieldProblem) -> str:
    """The message with its field in front, where it does not name one itself."""
    bare = re.match(r"must |is |cannot |may |-?\d+ must ", problem.message)
    return f"{format_path(problem.path)} {problem.message}" if bare and problem.path else problem.message
