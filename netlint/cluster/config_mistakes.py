"""What is wrong in a configuration, in words: imported only where something is."""

import difflib
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from netlint.cluster.config import (
    Assertion,
    ChartSettings,
    ClusterDNSSettings,
    ClusterSettings,
    CNISettings,
    Config,
    FlowSettings,
    IsolatedSettings,
    LoadBalancerSettings,
    RuleSettings,
)
from netlint.findings import Location, Path
from netlint.sources import Document


def mistakes(error: ValidationError, document: Document) -> Iterator[tuple[Location, str]]:
    """Each mistake once, with the place of the key or value. The members of a union speak together."""
    unions: dict[Path, list[str]] = {}
    for detail in error.errors(include_url=False):
        path: Path = tuple(detail["loc"])
        value = detail["input"]
        if path and path[-1] in ("int", "str") and detail["type"] in ("int_type", "string_type"):
            unions.setdefault(path[:-1], []).append({"int": "a whole number", "str": "text"}[str(path[-1])])
            continue
        match detail["type"]:
            case "extra_forbidden":
                yield document.locate(path, "key"), f"unknown key {path[-1]!r}{_nearest(path)}"
            case "missing":
                yield document.locate(path[:-1], "key"), f"{_name(path[:-1])} needs the key {path[-1]!r}"
            case "value_error":
                yield document.locate(path), str(detail["ctx"]["error"])
            case kind:
                quote = " (quote it)" if kind == "string_type" and isinstance(value, int | float) else ""
                yield document.locate(path), f"{_name(path)} must be {_wanted(kind, detail)}, not {_what(value)}{quote}"
    for path, members in unions.items():
        yield document.locate(path), f"{_name(path)} must be {' or '.join(members)}"


def _name(path: Path) -> str:
    return next((segment for segment in reversed(path) if isinstance(segment, str)), "the configuration")


def _nearest(path: Path) -> str:
    """A hint at the key that was meant, among the keys of the block that `path` stands in."""
    model: type[BaseModel] | None = Config
    for segment in path[:-1]:
        if isinstance(segment, str) and model is not None:
            model = _BLOCKS.get(segment, model if segment not in _keys(model) else None)
    known = _keys(model) if model else []
    by_case = {key.lower(): key for key in known}
    near = by_case.get(str(path[-1]).lower()) or next(iter(difflib.get_close_matches(str(path[-1]), known, 1)), None)
    return f" (did you mean {near!r}?)" if near else ""


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


_BLOCKS: dict[str, type[BaseModel]] = {
    "cluster": ClusterSettings,
    "clusters": ClusterSettings,
    "cni": CNISettings,
    "clusterDNS": ClusterDNSSettings,
    "loadBalancer": LoadBalancerSettings,
    "rules": RuleSettings,
    "assertions": Assertion,
    "allow": FlowSettings,
    "deny": FlowSettings,
    "isolated": IsolatedSettings,
    "charts": ChartSettings,
}


def _wanted(kind: str, detail: Any) -> str:
    context = detail.get("ctx") or {}
    names = {"string": "text", "int": "a whole number", "bool": "true or false", "list": "a list"}
    if kind == "literal_error":
        return str(context.get("expected"))
    if kind in ("greater_than_equal", "less_than_equal"):
        return "at least {ge}".format(**context) if "ge" in context else "at most {le}".format(**context)
    return names.get(kind.partition("_")[0], "a mapping")


def _what(value: Any) -> str:
    match value:
        case None:
            return "empty"
        case bool():
            return str(value).lower()
        case int() | float():
            return f"the number {value}"
        case str():
            return repr(value)
        case list():
            return "a list"
        case _:
            return "a mapping"
