"""NET004: a value that the API server would refuse."""

from collections.abc import Iterator

from netlint.findings import Finding, Place, Severity, format_path
from netlint.resources import FieldProblem, problems
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET004", "invalid-value", Severity.ERROR)
def invalid_value(analysis: Analysis) -> Iterator[Finding]:
    """The API server would refuse this value, and with it the whole object."""
    for manifest in analysis.cluster.all_manifests:
        for problem in problems(manifest):
            yield invalid_value.finding(
                Place(manifest, problem.path),
                _about(problem),
                severity=Severity(problem.severity_hint),
                help=problem.hint,
            )


def _about(problem: FieldProblem) -> str:
    """The message with its field in front, where it does not name one itself."""
    bare = problem.message.startswith(("must ", "is ", "cannot ", "may "))
    return f"{format_path(problem.path)} {problem.message}" if bare and problem.path else problem.message
