"""From a raw manifest to its model: what does not type is cut out, named, and the rest is kept."""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from netlint.findings import Path
from netlint.resources.base import KubernetesObject
from netlint.resources.manifest import Manifest
from netlint.resources.registry import model_of
from netlint.resources.values import FieldProblem, describe, has_placeholder

_EXPECTED = {
    "string_type": "a string",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}
_ZERO: dict[str, Any] = {"string_type": "", "int_type": 0, "bool_type": False, "model_type": {}, "dict_type": {}}
_KEY = "key"
_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Typed:
    """The model of a manifest, the paths that were cut out of it, and what there is to say about them."""

    object: KubernetesObject | None
    cuts: tuple[Path, ...] = ()
    problems: tuple[FieldProblem, ...] = ()


_NONE = Typed(None)


def typed(manifest: Manifest) -> KubernetesObject | None:
    """The model of the object, made at the first call; None for kinds without one. Never raises.

    An object of an unknown kind that has a pod template is a `TemplatedObject`.
    """
    return typing_of(manifest).object


def typing_of(manifest: Manifest) -> Typed:
    """`typed` with what was cut out."""
    known = manifest._typed
    if known is None:
        known = manifest._typed = _type(manifest)
    return known


def _type(manifest: Manifest) -> Typed:
    model = model_of(manifest.api_version, manifest.kind)
    if model is None:
        if not _has_pod_template(manifest.raw):
            return _NONE
        from netlint.resources.templates import TemplatedObject

        model = TemplatedObject
    try:
        result = Typed(model.model_validate(manifest.raw))
    except ValidationError as error:
        result = _cut_and_type(model, manifest.raw, error)
    if result.object is not None:
        object.__setattr__(result.object, "_manifest", manifest)
    return result


def _has_pod_template(raw: dict[str, Any]) -> bool:
    spec = raw.get("spec")
    template = spec.get("template") if isinstance(spec, dict) else None
    pod = template.get("spec") if isinstance(template, dict) else None
    return isinstance(pod, dict) and isinstance(pod.get("containers"), list)


def _cut_and_type(model: type[KubernetesObject], raw: dict[str, Any], error: ValidationError) -> Typed:
    data: Any = raw
    cuts: list[Path] = []
    problems: list[FieldProblem] = []
    zeroed: set[Path] = set()
    for _ in range(_ROUNDS):
        for path, kinds, missing in _failures(error, data):
            value = lookup(data, path)
            kind = kinds[0] if kinds else ""
            if value is None and not missing and path not in zeroed and kind in _ZERO:
                # The server reads null as the zero value where the field itself cannot be absent.
                zeroed.add(path)
                data = _replaced(data, path, _ZERO[kind])
                continue
            place = _cuttable(path)
            if not any(_related(place, cut) for cut in cuts):
                if value is not None or missing:
                    cuts.append(place)
                if missing or (value is not None and not has_placeholder(value)):
                    problems.append(_problem(path, kinds, missing, value))
            elif value is not None and place not in cuts:
                cuts.append(place)
            if not place:
                return Typed(None, ((),), tuple(problems))
            data = _replaced(data, place, _REMOVED)
        try:
            return Typed(model.model_validate(data), tuple(cuts), tuple(problems))
        except ValidationError as again:
            error = again
    return Typed(None, ((),), tuple(problems))


def _failures(error: ValidationError, data: Any) -> list[tuple[Path, list[str], str]]:
    """The paths that failed, each once, with the error types of all alternatives of the field's type, and the name
    of the field where one is missing; inner paths before the paths that hold them."""
    grouped: dict[tuple[Path, str], list[str]] = {}
    for entry in error.errors(include_url=False, include_context=False, include_input=False):
        path: list[str | int] = []
        current = data
        for segment in entry["loc"]:
            if not _holds(current, segment):
                break
            current = current[segment]
            path.append(segment)
        missing = str(entry["loc"][-1]) if entry["type"] == "missing" else ""
        kinds = grouped.setdefault((tuple(path), missing), [])
        kind = _KEY if entry["loc"][-1:] == ("[key]",) else entry["type"]
        if not missing and kind not in kinds:
            kinds.append(kind)
    return [(path, kinds, missing) for (path, missing), kinds in grouped.items()]


def _problem(path: Path, kinds: list[str], missing: str, value: Any) -> FieldProblem:
    if missing:
        return FieldProblem((*path, missing), "must be set")
    if kinds == [_KEY]:
        return FieldProblem(path, "must have strings for keys")
    expected = list(dict.fromkeys(_EXPECTED.get(kind, kind.replace("_", " ")) for kind in kinds))
    if expected == ["a whole number", "a number", "a string"]:
        expected = ["a quantity such as 1, 0.5 or 100Mi"]
    hint = None
    if expected == ["a string"] and isinstance(value, bool | int | float):
        text = str(value).lower() if isinstance(value, bool) else str(value)
        hint = f'quote it: "{text}"'
    elif isinstance(value, str) and (
        (expected == ["a whole number"] and value.isdigit())
        or (expected == ["true or false"] and value.lower() in {"true", "false"})
    ):
        hint = "remove the quotes"
    return FieldProblem(path, f"must be {' or '.join(reversed(expected))}, is {describe(value)}", hint)


def _cuttable(path: Path) -> Path:
    """The nearest field that holds the path: an item cannot leave its list without moving the others."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return path


def _related(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


_REMOVED = object()


def _holds(data: Any, segment: str | int) -> bool:
    if isinstance(data, dict):
        return segment in data
    return isinstance(data, list) and isinstance(segment, int) and segment < len(data)


def lookup(data: Any, path: Path) -> Any:
    """The value at a path of plain data; None where there is none."""
    for segment in path:
        if not _holds(data, segment):
            return None
        data = data[segment]
    return data


def _replaced(data: Any, path: Path, value: Any) -> Any:
    """A copy of `data`, shared but along `path`, with another value there, or without that field."""
    if not path:
        return value
    segment, rest = path[0], path[1:]
    if isinstance(data, dict):
        copy = dict(data)
        if rest:
            copy[segment] = _replaced(data.get(segment), rest, value)
        elif value is _REMOVED:
            copy.pop(segment, None)
        else:
            copy[segment] = value
        return copy
    if isinstance(data, list) and isinstance(segment, int) and segment < len(data):
        items = list(data)
        items[segment] = _replaced(data[segment], rest, value)
        return items
    return data
