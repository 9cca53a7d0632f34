"""Where a patch of a kustomization sets a field: in a merge patch, in a JSON patch (RFC 6902), in a file or inline."""

from collections.abc import Iterator
from typing import Any, Final

from netlint.findings import Path
from netlint.sources.document import Document
from netlint.sources.files import SourceFile
from netlint.sources.lines import LineTable
from netlint.sources.options import Limits
from netlint.sources.streams import read_stream

_MISSING: Final = object()


def value_at(data: Any, path: Path) -> Any:
    """The value at a path, or an object equal to nothing else where there is none."""
    for segment in path:
        in_list = isinstance(data, list) and isinstance(segment, int) and segment < len(data)
        if not in_list and not (isinstance(data, dict) and segment in data):
            return _MISSING
        data = data[segment]
    return data


def set_by(document: Document, kind: str, path: Path, value: Any, limits: Limits) -> Path | None:
    """The place in a document at which it sets the field of an object of that kind to that value, if it does.

    The document is a patch, or a kustomization with patches inside: of these the whole text is the place.
    """
    data = document.data
    found = _set_in(data, kind, path, value)
    if found is not None or not isinstance(data, dict):
        return found
    for name in ("patches", "patchesJson6902"):
        entries = data.get(name)
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            text = entry.get("patch") if isinstance(entry, dict) else None
            if isinstance(text, str):
                inner = read_stream(SourceFile(document.file, text), limits, LineTable(), named=False).documents
                if any(_set_in(one.data, kind, path, value) is not None for one in inner):
                    return (name, index, "patch")
    return None


def _set_in(data: Any, kind: str, path: Path, value: Any) -> Path | None:
    if isinstance(data, list):
        return next(_operations(data, path, value), None)
    if not isinstance(data, dict) or data.get("kind") not in (kind, None):
        return None
    return next((way for way in _ways(data, path) if _same(value_at(data, way), value)), None)


def _operations(data: list[Any], path: Path, value: Any) -> Iterator[Path]:
    pointer = ["", *(str(segment).replace("~", "~0").replace("/", "~1") for segment in path)]
    for index, operation in enumerate(data):
        if not isinstance(operation, dict) or operation.get("op") not in ("add", "replace"):
            continue
        steps = str(operation.get("path")).split("/")
        if pointer[: len(steps)] == steps:
            rest = path[len(steps) - 1 :]
            if _same(value_at(operation.get("value"), rest), value):
                yield (index, "value", *rest)


def _ways(data: Any, path: Path) -> Iterator[Path]:
    """The path where the data has it, with any index in the place of each: a merge patch names the entries of lists
    by a key of theirs."""
    if not path:
        yield ()
    elif isinstance(path[0], int):
        for index, item in enumerate(data if isinstance(data, list) else ()):
            yield from ((index, *rest) for rest in _ways(item, path[1:]))
    elif isinstance(data, dict) and path[0] in data:
        yield from ((path[0], *rest) for rest in _ways(data[path[0]], path[1:]))


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
