"""JSON that is harmless where it is printed, and the shapes that every command's JSON shares."""

import json
from typing import Any

from netlint.findings import Location, ObjectRef, Place, format_path

VERSION = 1


def dumps(data: Any, *, indent: int | None = 2) -> str:
    """JSON text with its last line end: ASCII only, and without `##[`, which runners take for a command in a log."""
    text = json.dumps(data, indent=indent, ensure_ascii=True, allow_nan=False)
    return text.replace("##[", "##\\u005b") + "\n"


def json_location(location: Location | None) -> dict[str, Any] | None:
    """`{"file", "startLine", "startColumn", "endLine", "endColumn"}`: from 1, in code points, the end exclusive."""
    if location is None:
        return None
    return {
        "file": location.file,
        "startLine": location.start_line,
        "startColumn": location.start_column,
        "endLine": location.end_line,
        "endColumn": location.end_column,
    }


def json_object(ref: ObjectRef | None) -> dict[str, Any] | None:
    """`{"apiVersion", "kind", "namespace", "name"}`, each null where it is not there."""
    if ref is None:
        return None
    return {
        "apiVersion": ref.api_version or None,
        "kind": ref.kind,
        "namespace": ref.namespace,
        "name": ref.name,
    }


def json_place(place: Place | None, location: Location | None = None) -> dict[str, Any]:
    """`{"object", "path", "location"}`; the location is worked out where it is not given."""
    if location is None and place is not None:
        location = place.locate()
    return {
        "object": json_object(place.ref if place else None),
        "path": format_path(place.path) if place else None,
        "location": json_location(location),
    }
