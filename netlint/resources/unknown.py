"""Fields that no version of an API knows: misspelt, or on the wrong level."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from netlint.findings import Path
from netlint.resources.manifest import Manifest
from netlint.resources.values import FieldProblem, has_placeholder

_DEPTH = 3
_BUILT_IN = ("/v1", "apps/v1", "batch/v1", "networking.k8s.io/v1", "discovery.k8s.io/v1")
_BUILT_IN_GROUPS = ("", "apps", "autoscaling", "batch", "extensions", "policy")
"""All groups of Kubernetes that have no dot in their names."""
_SELECTOR = {"matchLabels", "matchExpressions"}
# Set by tools that take them out again before the object is applied.
_TOOLS = {"sops"}


@dataclass(frozen=True, slots=True)
class UnknownField:
    """A field of a known kind that its API does not have.

    `path` ends with the field itself. `nearest` is the legal name of the same level that was probably meant;
    `belongs` is the path at which a field of exactly this name is legal, near the place where it stands.
    """

    path: Path
    name: str
    nearest: str | None = None
    belongs: Path | None = None


class _Type:
    """The legal fields of one level: all their names, and the types of those that hold fields themselves."""

    __slots__ = ("fields", "inner")

    def __init__(self, fields: dict[str, int]) -> None:
        self.fields = fields
        self.inner = {name: number for name, number in fields.items() if number}


@cache
def _tables() -> tuple[dict[str, int], list[_Type]]:
    text = FilePath(__file__).with_name("schemas").joinpath("field_names.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return data["kinds"], [_Type(fields) for fields in data["types"]]


def legal_fields(api_version: str, kind: str) -> dict[str, int] | None:
    """The legal field names at the top of a kind, or None where the kind has no schema here."""
    kinds, types = _tables()
    number = kinds.get(f"{api_version if '/' in api_version else '/' + api_version}/{kind}")
    return None if number is None else types[number].fields


def is_served(api_version: str) -> bool:
    """Whether an API group and version has kinds with a schema here."""
    prefix = f"{api_version if '/' in api_version else '/' + api_version}/"
    return any(kind.startswith(prefix) for kind in _tables()[0])


@cache
def _homes() -> dict[str, str]:
    """The kinds that every API server has, as far as there is a schema here: kind to apiVersion."""
    versions = [kind.rpartition("/") for kind in _tables()[0]]
    return {kind: version.lstrip("/") for version, _, kind in versions if version in _BUILT_IN}


def is_built_in(api_version: str, kind: str) -> bool:
    """Whether every API server has the kind, in this version."""
    return _homes().get(kind) == api_version


def misplaced(manifest: Manifest) -> FieldProblem | None:
    """A kind that its API group does not have, where it is plain what was meant: `networking/v1` NetworkPolicy,
    `v1` service. The API server has no place for such an object, and nothing reads it."""
    group, version, kind = manifest.group, manifest.api_version, manifest.kind
    kinds = _tables()[0]
    prefix = version if "/" in version else f"/{version}"
    if f"{prefix}/{kind}" in kinds or kind.endswith("List"):
        return None
    home = _homes().get(kind)
    # A group without a dot is Kubernetes' own: the server takes no custom resource in one.
    if home is not None and (prefix in _BUILT_IN or ("." not in group and group not in _BUILT_IN_GROUPS)):
        what = f"{version} has no kind {kind}: that is of {home}"
        return FieldProblem(("apiVersion",), what, f"write apiVersion: {home}")
    legal = {known.rpartition("/")[2] for known in kinds if known.rpartition("/")[0] == prefix}
    near = nearest_name(kind, legal) if prefix in _BUILT_IN else None
    near = near or next((other for other in sorted(legal) if other.lower() == kind.lower()), None)
    return FieldProblem(("kind",), f"{version} has no kind {kind}", f"write {near}") if near else None


def unknown_fields(manifest: Manifest) -> list[UnknownField]:
    """The fields that the object's API does not have, in document order; none for kinds without a schema.

    Says nothing about patches (objects with `$patch` and its like) and about keys that wait for a template engine.
    """
    api_version = manifest.api_version if "/" in manifest.api_version else "/" + manifest.api_version
    kinds, types = _tables()
    number = kinds.get(f"{api_version}/{manifest.kind}")
    if number is None:
        return []
    found: list[tuple[Path, str, tuple[int, ...]]] = []
    _walk(manifest.raw, number, (), (), types, found)
    if not found or any(name.startswith("$") for _, name, _ in found):
        return []
    return [
        _explain(path, name, chain, types)
        for path, name, chain in found
        if not (has_placeholder(name) or (len(path) == 1 and name in _TOOLS))
    ]


def _walk(
    data: Any,
    number: int,
    path: Path,
    chain: tuple[int, ...],
    types: list[_Type],
    found: list[tuple[Path, str, tuple[int, ...]]],
) -> None:
    if type(data) is list:
        for index, item in enumerate(data):
            if type(item) is dict or type(item) is list:
                _walk(item, number, (*path, index), chain, types, found)
        return
    if type(data) is not dict:
        return
    if number < 0:
        for key, value in data.items():
            _walk(value, -number, (*path, key), chain, types, found)
        return
    known = types[number]
    if not data.keys() <= known.fields.keys():
        found.extend(
            ((*path, key), key, (*chain, number)) for key in data if isinstance(key, str) and key not in known.fields
        )
    inner = known.inner
    for key, value in data.items():
        below = inner.get(key)
        if below and value:
            _walk(value, below, (*path, key), (*chain, number), types, found)


def _explain(path: Path, name: str, chain: tuple[int, ...], types: list[_Type]) -> UnknownField:
    fields = types[chain[-1]].fields
    if fields.keys() == _SELECTOR:
        nearest = nearest_name(name, fields)
        return UnknownField(path, name, nearest, None if nearest else (*path[:-1], "matchLabels", name))
    nearest = nearest_name(name, fields)
    belongs = None if nearest is not None else next(_elsewhere(path, name, chain, types), None)
    return UnknownField(path, name, nearest, belongs)


def _elsewhere(path: Path, name: str, chain: tuple[int, ...], types: list[_Type]) -> Iterator[Path]:
    """Places where `name` is legal: first among the levels above, then below, nearest first.

    A place inside a list (an entry of `containers`) is written with the list's name only.
    """
    levels = [index for index, segment in enumerate(path) if isinstance(segment, str)]
    for back in range(2, len(chain) + 1):
        if name in types[chain[-back]].fields and len(levels) >= back:
            yield (*path[: levels[-back]], name)
    layer = [((), chain[-1])] + [
        (path[: levels[-back]], chain[-back]) for back in range(2, min(len(chain), 3) + 1) if len(levels) >= back
    ]
    layer[0] = (path[:-1], chain[-1])
    for _ in range(_DEPTH):
        below = [
            ((*prefix, field), abs(number)) for prefix, level in layer for field, number in types[level].inner.items()
        ]
        for prefix, level in below:
            if name in types[level].fields:
                yield (*prefix, name)
        layer = below


def nearest_name(name: str, legal: Any) -> str | None:
    """The one legal name that `name` was probably meant to be: other case or separators, or a letter or two off."""
    plain = _plain(name)
    best: tuple[int, str] | None = None
    for candidate in sorted(legal):
        other = _plain(candidate)
        if other == plain or other == plain + "s" or other + "s" == plain:
            return str(candidate)
        allowed = 1 if len(plain) <= 5 else 2
        if abs(len(other) - len(plain)) > allowed or len(plain) < 3:
            continue
        distance = _distance(plain, other, allowed)
        if distance <= allowed and (best is None or distance < best[0]):
            best = (distance, candidate)
    return best[1] if best else None


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _distance(one: str, other: str, most: int) -> int:
    """Letters to add, drop, change or swap with a neighbour (optimal string alignment); `most + 1` where more."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return last[-1]
