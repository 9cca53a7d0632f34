"""NET003: a field that the kind does not have."""

from collections.abc import Iterator

from netlint.findings import Finding, Path, Place, Severity
from netlint.resources import unknown_fields
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET003", "unknown-field", Severity.WARNING)
def unknown_field(analysis: Analysis) -> Iterator[Finding]:
    """The kind has no field of this name, so what it says has no effect."""
    for manifest in analysis.cluster.all_manifests:
        for field in unknown_fields(manifest):
            near = f", did you mean {field.nearest}?" if field.nearest else ""
            widens = _in_selector(field.path)
            wider = "; dropped, it leaves a selector that takes more" if widens else ""
            yield unknown_field.finding(
                Place(manifest, field.path, "key"),
                f"{manifest.kind} has no field {field.name} here{near}{wider}",
                severity=Severity.ERROR if widens else None,
            )


def _in_selector(path: Path) -> bool:
    """Whether the field stands in a label selector of a policy: every part of one narrows it."""
    return len(path) > 1 and path[-2] in ("podSelector", "namespaceSelector")
