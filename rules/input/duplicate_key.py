"""NET002: a key that a mapping has twice."""

from collections.abc import Iterator

from netlint.findings import Finding, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET002", "duplicate-key", Severity.WARNING)
def duplicate_key(analysis: Analysis) -> Iterator[Finding]:
    """A mapping has the same key twice: the API server takes the last one and drops the other without a word."""
    yield from analysis.read_findings(duplicate_key.code)
