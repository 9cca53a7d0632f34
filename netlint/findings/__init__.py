"""The words of a result. Everything in netlint may speak them; they know nothing of Kubernetes semantics."""

from netlint.findings.finding import Finding, Fix, Related, Severity, TextEdit, Witness
from netlint.findings.paths import Path, PathSegment, format_path, parse_path
from netlint.findings.place import Located, Location, ObjectRef, Place

__all__ = [
    "Finding",
    "Fix",
    "Located",
    "Location",
    "ObjectRef",
    "Path",
    "PathSegment",
    "Place",
    "Related",
    "Severity",
    "TextEdit",
    "Witness",
    "format_path",
    "parse_path",
]
