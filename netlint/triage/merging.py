"""From each cluster's findings to one ordered list: located, each once, with the names of its clusters."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from netlint.findings import Finding, Location, format_path


def located(finding: Finding, clusters: tuple[str, ...] = ()) -> Finding:
    """The finding and its related places with their stretches of file, found in these clusters."""
    location = finding.location
    if location is None and finding.place is not None:
        location = finding.place.locate()
    related = tuple(
        replace(other, location=other.place.locate()) if other.place is not None and other.location is None else other
        for other in finding.related
    )
    return replace(finding, location=location, related=related, clusters=clusters or finding.clusters)


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Located findings in their final order. The same one in several clusters is one with several names."""
    first: dict[Any, Finding] = {}
    for finding in findings:
        key = _identity(finding)
        known = first.get(key)
        if known is None:
            first[key] = finding
        else:
            clusters = known.clusters + tuple(name for name in finding.clusters if name not in known.clusters)
            worse = max(known, finding, key=lambda one: one.severity.rank)
            first[key] = replace(worse, clusters=clusters)
    return sorted(first.values(), key=_order)


def _identity(finding: Finding) -> Any:
    path = finding.place.path if finding.place else ()
    return (finding.code, finding.ref, path, finding.location, finding.message)


_NOWHERE = Location("\U0010ffff", 0, 0, 0, 0)


def _order(finding: Finding) -> Any:
    path = format_path(finding.place.path) if finding.place else ""
    return (finding.location or _NOWHERE, finding.code, path, finding.message, str(finding.ref or ""))
