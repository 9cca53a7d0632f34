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
        files = [manifest.document.file for manifest in duplicate.manifests]
        # Several files are often samples or variants, of which a user takes one; a file is applied as a whole.
        apart = len(set(files)) == len(files)
        often = f"is defined {len(files)} times with different content"
        yield duplicate_object.finding(
            Place(kept, ("metadata", "name")),
            f"{kept.ref} {often}: if all these files are applied, the last one wins"
            if apart
            else f"{kept.ref} {often}, and the one applied last wins",
            severity=Severity.INFO if apart else Severity.WARNING,
            help="keep one of them, or say with `clusters:` in netlint.yaml that they belong to different clusters",
            related=[Related("another definition", Place(other, ("metadata", "name"))) for other in others],
        )
