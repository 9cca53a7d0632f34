"""NET117: what the configuration asserts does not hold."""

from collections.abc import Iterator

from netlint.findings import Finding, Place, Severity
from netlint.intent.assertions import Checked, check
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET117", "assertion-violated", Severity.ERROR)
def assertion_violated(analysis: Analysis) -> Iterator[Finding]:
    """An assertion of the configuration fails for some pod that could exist, or cannot be decided."""
    for index, assertion in enumerate(analysis.config.assertions):
        for answer in check(analysis.cluster, analysis.policy, assertion):
            yield _finding(analysis, index, assertion.name, answer)


def _finding(analysis: Analysis, index: int, name: str, answer: Checked) -> Finding:
    place: Place = analysis.config.at("assertions", index, answer.key)
    if answer.witness is None:
        return assertion_violated.finding(
            place, f"assertion {name!r} could not be decided: {answer.reason}", severity=Severity.WARNING
        )
    return assertion_violated.finding(
        place, f"assertion {name!r} does not hold: {answer.witness.text}", witness=answer.witness
    )
