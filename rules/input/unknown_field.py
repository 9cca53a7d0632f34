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
            lost = _what_is_lost(field.path)
            yield unknown_field.finding(
                Place(manifest, field.path, "key"),
                f"{manifest.kind} has no field {field.name} here{near}{lost}",
                severity=Severity.ERROR if lost else None,
            )


def _what_is_lost(path: Path) -> str:
    """What dropping the field does, where it stands for a part of a selector; empty elsewhere."""
    if len(path) > 1 and path[-2] in ("podSelector", "namespaceSelector"):
        return "; dropped, it leaves a selector that takes more"
    if len(path) > 2 and path[-3] == "topologySpreadConstraints" and path[-1] in ("matchLabels", "matchExpressions"):
        return ": it belongs under labelSelector, and without it the constraint counts no pods"
    return ""
