"""What the API server would refuse in an object: by type, and by meaning."""

import re
from collections.abc import Iterator
from typing import Any

from netlint.findings import Path
from netlint.resources.base import KubernetesObject
from netlint.resources.manifest import Manifest
from netlint.resources.typing import lookup, typing_of
from netlint.resources.unknown import is_built_in, misplaced, unknown_fields
from netlint.resources.validation import validate
from netlint.resources.values import FieldProblem, is_placeholder

# A name that a script or a kustomization fills in: RELEASE-NAME, TEMP_NAME, _, *.
_NAME_TO_FILL_IN = re.compile(r"[A-Z]{3}|^[^a-zA-Z0-9]*$")


def problems(manifest: Manifest) -> list[FieldProblem]:
    """Everything that the API server would refuse: what has the wrong type, then what has the wrong meaning.

    Says nothing about patches (objects with `$patch` and its like) and about text that waits for a template engine.
    Never raises.
    """
    return list(_examined(manifest)[0])


def rejected(obj: KubernetesObject) -> tuple[Path, ...]:
    """The paths of an object whose values cannot be relied on.

    What was cut out of the model; what the API server would refuse (errors only); text that waits for a template
    engine where it is no legal value yet; and the fields that an unknown one probably stands for: a label selector
    with an unknown field, `podSelector` where `podSelctor` is written.
    """
    return _examined(obj.manifest)[1]


def _examined(manifest: Manifest) -> tuple[tuple[FieldProblem, ...], tuple[Path, ...]]:
    known = manifest._examined
    if known is not None:
        return known
    result = typing_of(manifest)
    found = [*_identity(manifest), *result.problems]
    paths = list(result.cuts)
    for problem in validate(result.object) if result.object is not None else ():
        if any(_related(problem.path, cut) for cut in result.cuts):
            continue
        if problem.severity_hint == "error":
            paths.append(problem.path)
        if not _waits(manifest.raw, problem.path):
            found.append(problem)
    for field in unknown_fields(manifest):
        if field.belongs is not None and field.belongs[-2:-1] == ("matchLabels",):
            paths.append(field.path[:-1])
        elif field.nearest is not None:
            paths.append((*field.path[:-1], field.nearest))
    if found and _is_patch(manifest.raw):
        found = []
    known = manifest._examined = (tuple(found), tuple(dict.fromkeys(paths)))
    return known


def _identity(manifest: Manifest) -> Iterator[FieldProblem]:
    """Faults of what the object is: a kind that its group does not have, no name."""
    home = misplaced(manifest)
    if home is not None:
        if not is_placeholder(manifest.kind) and not is_placeholder(manifest.api_version):
            yield home
        return
    # Pods without a name are templates to programs that make pods of them (Spark, Jenkins).
    if manifest.kind == "Pod" or not is_built_in(manifest.api_version, manifest.kind):
        return
    metadata = manifest.raw.get("metadata")
    if metadata is None or (isinstance(metadata, dict) and not (metadata.get("name") or metadata.get("generateName"))):
        yield FieldProblem(("metadata", "name"), f"must be set: every {manifest.kind} has a name")


def _related(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _waits(raw: dict[str, Any], path: Path) -> bool:
    """Whether the value at the path, or its key, is or holds text that waits for a template engine."""
    value = lookup(raw, path)
    if isinstance(path[-1], str) and is_placeholder(path[-1]):
        return True
    named = path[-1] in {"name", "namespace"} and "ports" not in path
    if named and isinstance(value, str) and _NAME_TO_FILL_IN.search(value):
        return True
    return _holds_placeholder(value)


def _holds_placeholder(value: Any) -> bool:
    if isinstance(value, str):
        return is_placeholder(value)
    if isinstance(value, dict):
        return any(_holds_placeholder(key) or _holds_placeholder(item) for key, item in value.items())
    return isinstance(value, list) and any(_holds_placeholder(item) for item in value)


def _is_patch(value: Any) -> bool:
    if isinstance(value, dict):
        return any((isinstance(key, str) and key.startswith("$")) or _is_patch(item) for key, item in value.items())
    return isinstance(value, list) and any(_is_patch(item) for item in value)
