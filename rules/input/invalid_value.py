"""NET004: a value that the API server would refuse."""

from collections.abc import Iterator

from netlint.findings import Finding, Place, Severity
from netlint.resources import problems
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET004", "invalid-value", Severity.ERROR)
def invalid_value(analysis: Analysis) -> Iterator[Finding]:
    """The API server would refuse this value, and with it the whole object."""
    for manifest in analysis.cluster.all_manifests:
        for problem in problems(manifest):
            yield invalid_value.finding(
                Place(manifest, problem.path),
                problem.message,
                severity=Severity(problem.severity_hint),
                help=problem.hint,
            )
