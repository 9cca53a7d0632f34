"""NET008: an ignore that ignores nothing. Triage finds these, since only it knows what every suppression hit."""

from collections.abc import Iterator

from netlint.findings import Finding, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET008", "unused-suppression", Severity.WARNING)
def unused_suppression(analysis: Analysis) -> Iterator[Finding]:
    """A suppression hits nothing: what it was for is mended, or its code is wrong, and it may hide the next fault."""
    return iter(())
