"""One object as it stands in a document, before it is typed."""

from typing import TYPE_CHECKING, Any, Literal

from netlint.findings import Location, ObjectRef, Path
from netlint.sources.document import Document

if TYPE_CHECKING:
    from netlint.resources.typing import Typed
    from netlint.resources.values import FieldProblem


class Manifest:
    """The raw mapping of one object, its identity and the way to its place in the file.

    `prefix` is the path of the object inside its document: empty, or `items[3]` inside a List. `group` is empty for the
    core group.
    """

    __slots__ = (
        "_examined",
        "_typed",
        "api_version",
        "document",
        "group",
        "kind",
        "name",
        "namespace",
        "prefix",
        "raw",
        "version",
    )

    def __init__(self, document: Document, prefix: Path, raw: dict[str, Any]) -> None:
        self.document = document
        self.prefix = prefix
        self.raw = raw
        self.api_version = _text(raw.get("apiVersion"))
        self.group, _, self.version = self.api_version.rpartition("/")
        self.kind = _text(raw.get("kind"))
        metadata = raw.get("metadata")
        if not isinstance(metadata, dict):
            metadata = {}
        self.namespace: str | None = _text(metadata.get("namespace")) or None
        self.name: str | None = _text(metadata.get("name")) or _text(metadata.get("generateName")) or None
        self._typed: Typed | None = None
        self._examined: tuple[tuple[FieldProblem, ...], tuple[Path, ...]] | None = None

    @property
    def ref(self) -> ObjectRef:
        return ObjectRef(self.api_version, self.kind, self.namespace, self.name)

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        return self.document.locate(self.prefix + path, anchor)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
