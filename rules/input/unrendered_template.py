"""NET006: template text where a manifest was expected."""

from collections.abc import Iterator

from netlint.findings import Finding, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET006", "unrendered-template", Severity.INFO)
def unrendered_template(analysis: Analysis) -> Iterator[Finding]:
    """The file is a template that has to be rendered first, so nothing in it was checked."""
    yield from analysis.read_findings(unrendered_template.code)
