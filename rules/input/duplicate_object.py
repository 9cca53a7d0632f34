"""NET007: one object written twice with different content."""

from collections.abc import Iterator

from netlint.cluster import Cluster
from netlint.cluster.identity import Identity, identity_of
from netlint.findings import Finding, Place, Related, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET007", "duplicate-object", Severity.WARNING)
def duplicate_object(analysis: Analysis) -> Iterator[Finding]:
    """The same object stands twice in one cluster with different content: whichever is applied last wins."""
    variants = _Variants(analysis.cluster)
    for duplicate in analysis.cluster.duplicates:
        *others, kept = duplicate.manifests
        files = [manifest.document.file for manifest in duplicate.manifests]
        apart = all(variants.are(file, files[-1]) for file in files[:-1])
        often = f"is defined {len(files)} times with different content"
        yield duplicate_object.finding(
            Place(kept, ("metadata", "name")),
            f"{kept.ref} {often}: if all these files are applied, the last one wins"
            if apart
            else f"{kept.ref} {often}, and the one applied last wins",
            severity=Severity.INFO if apart else Severity.WARNING,
            help="Keep one of them, give them different names or namespaces, or say with `clusters:` in netlint.yaml "
            "that they belong to different clusters.",
            related=[Related("another definition", Place(other, ("metadata", "name"))) for other in others],
        )


class _Variants:
    """Files that are variants of each other, of which a user takes one: most of one stands in the other too."""

    def __init__(self, cluster: Cluster) -> None:
        self._objects: dict[str, set[Identity]] = {}
        for manifest in cluster.all_manifests if cluster.duplicates else ():
            identity = identity_of(manifest)
            if identity is not None:
                self._objects.setdefault(manifest.document.file, set()).add(identity)

    def are(self, one: str, other: str) -> bool:
        mine, theirs = self._objects[one], self._objects[other]
        return one != other and 2 * len(mine & theirs) >= min(len(mine), len(theirs))
