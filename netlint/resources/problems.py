"""What the API server would refuse in an object: by type, and by meaning."""

from netlint.findings import Path
from netlint.resources.base import KubernetesObject
from netlint.resources.manifest import Manifest
from netlint.resources.typing import typing_of
from netlint.resources.values import FieldProblem


def problems(manifest: Manifest) -> list[FieldProblem]:
    """Everything that the API server would refuse, in the order of the manifest's own fields. Never raises."""
    result = typing_of(manifest)
    return list(result.problems)


def rejected(obj: KubernetesObject) -> tuple[Path, ...]:
    """The paths of an object that were cut out of its model or that the API server would refuse (errors only)."""
    return typing_of(obj.manifest).cuts
