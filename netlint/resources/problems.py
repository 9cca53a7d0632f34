"""What the API server would refuse in an object: by type, and by meaning."""

import re
from typing import Any

from netlint.findings import Path
from netlint.resources.base import KubernetesObject
from netlint.resources.manifest import Manifest
from netlint.resources.typing import lookup, typing_of
from netlint.resources.validation import validate
from netlint.resources.values import FieldProblem, is_placeholder

# A name that a script or a kustomization fills in: RELEASE-NAME, TEMP_NAME, _, *.
_NAME_TO_FILL_IN = re.compile(r"[A-Z]{3}|^[^a-zA-Z0-9]*$")


def problems(manifest: Manifest) -> list[FieldProblem]:
    """Everything that the API server would refuse: what has the wrong type, then what has the wrong meaning.

    Says nothing about patches (objects with `$patch` and its like) and about text that waits for a template engine.
    Never raises.
    """
    if manifest._problems is None:
        manifest._problems = tuple(_find(manifest))
    return list(manifest._problems)


def _find(manifest: Manifest) -> list[FieldProblem]:
    result = typing_of(manifest)
    found = list(result.problems)
    if result.object is not None:
        found.extend(
            problem
            for problem in validate(result.object)
            if not any(_related(problem.path, cut) for cut in result.cuts) and not _waits(manifest.raw, problem.path)
        )
    if found and _is_patch(manifest.raw):
        return []
    return found


def rejected(obj: KubernetesObject) -> tuple[Path, ...]:
    """The paths of an object that were cut out of its model or that the API server would refuse (errors only)."""
    manifest = obj.manifest
    known = manifest._rejected
    if known is None:
        cuts = typing_of(manifest).cuts
        refused = (problem.path for problem in problems(manifest) if problem.severity_hint == "error")
        known = manifest._rejected = tuple(dict.fromkeys((*cuts, *refused)))
    return known


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
