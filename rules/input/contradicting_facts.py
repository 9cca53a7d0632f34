"""NET005: two sources that disagree about the cluster."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET005", "contradicting-facts", Severity.WARNING)
def contradicting_facts(analysis: Analysis) -> Iterator[Finding]:
    """Two places tell different things about the cluster's network, and at most one of them can be true."""
    for contradiction in analysis.cluster.facts.contradictions:
        yield contradicting_facts.finding(
            contradiction.place,
            contradiction.message,
            severity=contradiction.severity,
            help=contradiction.help,
            related=[Related(text, place) for text, place in contradiction.related],
        )
