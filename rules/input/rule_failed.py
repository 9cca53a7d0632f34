"""NET009: a rule crashed."""

from collections.abc import Iterator

from netlint.findings import Finding, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.catalogue import Header
from netlint.rules.registry import rule


@rule("NET009", "rule-failed", Severity.ERROR)
def rule_failed(analysis: Analysis) -> Iterator[Finding]:
    """A rule of netlint failed on this input, so what it looks for was not checked; all other rules have run."""
    return iter(())


def failure(failed: Header, error: Exception) -> Finding:
    """The finding that stands for a rule that raised."""
    text = " ".join(str(error).split())
    said = type(error).__name__ + (f": {text[:200]}" if text else "")
    return rule_failed.finding(
        None,
        f"rule {failed.code} ({failed.name}) failed with {said}",
        help="This is a defect of netlint, not of your manifests. Please report it with this message and, if you can, "
        f"the smallest manifest that shows it; until then `--ignore {failed.code}` leaves the rule out.",
    )
