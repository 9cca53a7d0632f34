"""NET007: one object written twice with different content."""

from collections.abc import Iterator

from netlint.findings import Finding, Place, Related, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET007", "duplicate-object", Severity.WARNING)
def duplicate_object(analysis: Analysis) -> Iterator[Finding]:
    """The same object stands twice in one cluster with different content: whichever is applied last wins."""
    for duplicate in analysis.cluster.duplicates:
        *others, kept = duplicate.manifests
        yield duplicate_object.finding(
            Place(kept, ("metadata", "name")),
            f"{kept.ref} is defined {len(others) + 1} times with different content, and the one applied last wins",
            help="Keep one of them, give them different names or namespaces, or say with `clusters:` in netlint.yaml "
            "that they belong to different clusters.",
            related=[Related("another definition", Place(other, ("metadata", "name"))) for other in others],
        )
