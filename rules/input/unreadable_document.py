"""NET001: what the reader could not read."""

from collections.abc import Iterator

from netlint.findings import Finding, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET001", "unreadable-document", Severity.ERROR)
def unreadable_document(analysis: Analysis) -> Iterator[Finding]:
    """The document is no YAML or JSON that kubectl can read, so nothing in it was checked."""
    yield from analysis.read_findings(unreadable_document.code)
