"""NET117: what the configuration asserts does not hold."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from netlint.findings import Finding, Place, Severity, Witness
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule

if TYPE_CHECKING:
    from netlint.intent.assertions import Checked

_OTHER_NAMESPACE = (
    "the receiving pod is in a namespace that the input does not hold, where no NetworkPolicy stands: write a policy "
    "for all namespaces, or set `world: closed` where there are no others"
)


@rule("NET117", "assertion-violated", Severity.ERROR)
def assertion_violated(analysis: Analysis) -> Iterator[Finding]:
    """An assertion of the configuration fails for some pod that could exist, or cannot be decided."""
    if not analysis.config.assertions:
        return
    from netlint.intent.assertions import check  # with the policy engine, which a plain check does without

    for index, assertion in enumerate(analysis.config.assertions):
        for answer in check(analysis.cluster, analysis.policy, assertion):
            yield _finding(analysis, index, assertion.name, answer)


def _finding(analysis: Analysis, index: int, name: str, answer: "Checked") -> Finding:
    place: Place = analysis.config.at("assertions", index, answer.key)
    if answer.witness is None:
        return assertion_violated.finding(
            place, f"assertion {name!r} could not be decided: {answer.reason}", severity=Severity.WARNING
        )
    return assertion_violated.finding(
        place,
        f"assertion {name!r} does not hold: {answer.witness.text}",
        witness=answer.witness,
        help=_OTHER_NAMESPACE if _elsewhere(answer.witness) else None,
    )


def _elsewhere(witness: Witness) -> bool:
    """Whether the receiving pod is in a namespace that the input does not hold."""
    space = witness.destination.get("namespace")
    return isinstance(space, dict) and "name" not in space
