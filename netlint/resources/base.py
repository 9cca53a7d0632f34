"""What every typed Kubernetes object has in common."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from netlint.findings import Location, ObjectRef, Path, Place
from netlint.resources.manifest import Manifest
from netlint.resources.names import api_name

IntOrString: TypeAlias = int | str
Quantity: TypeAlias = int | float | str
Labels: TypeAlias = dict[str, str]
ResourceList: TypeAlias = dict[str, Quantity]


class Model(BaseModel):
    """A part of an object. Field names are snake_case here and camelCase in the manifest.

    Typing is strict, as the API server's is: no number passes for a string. Fields that no rule reads are not
    declared and cost nothing; null and absent are both None.
    """

    model_config = ConfigDict(alias_generator=api_name, extra="ignore", strict=True, defer_build=True)


class OwnerReference(Model):
    """meta/v1 OwnerReference."""

    api_version: str | None = None
    kind: str | None = None
    name: str | None = None
    uid: str | None = None
    controller: bool | None = None


class ObjectMeta(Model):
    """metadata of every object (meta/v1 ObjectMeta)."""

    name: str | None = None
    generate_name: str | None = None
    namespace: str | None = None
    labels: Labels | None = None
    annotations: Labels | None = None
    owner_references: list[OwnerReference] | None = None
    uid: str | None = None
    creation_timestamp: Any = None


class LabelSelectorRequirement(Model):
    """meta/v1 LabelSelectorRequirement; also core/v1 NodeSelectorRequirement, which knows Gt and Lt."""

    key: str
    operator: str
    values: list[str] | None = None


class LabelSelector(Model):
    """meta/v1 LabelSelector: a null selector matches nothing, an empty one everything."""

    match_labels: Labels | None = None
    match_expressions: list[LabelSelectorRequirement] | None = None

    @property
    def expressions(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """The matchExpressions as plain data: key, operator and values of each."""
        return tuple((part.key, part.operator, tuple(part.values or ())) for part in self.match_expressions or ())


class KubernetesObject(Model):
    """A whole object. It knows its manifest and so the place of each of its fields; it is hashed by identity."""

    GROUP: ClassVar[str] = ""
    NAMESPACED: ClassVar[bool] = True

    api_version: str
    kind: str
    metadata: ObjectMeta = Field(default_factory=ObjectMeta)

    # A slot, for a private attribute of pydantic's is found by a function call each time it is read.
    __slots__ = ("_manifest",)
    if TYPE_CHECKING:
        _manifest: Manifest

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    @property
    def manifest(self) -> Manifest:
        return self._manifest

    @property
    def name(self) -> str:
        """The name, or the generateName, or an empty text."""
        return self._manifest.name or ""

    @property
    def namespace(self) -> str | None:
        """The namespace the object lands in: `default` where a namespaced kind names none; None for cluster scope."""
        return (self._manifest.namespace or "default") if self.NAMESPACED else None

    @property
    def labels(self) -> Labels:
        return self.metadata.labels or {}

    @property
    def annotations(self) -> Labels:
        return self.metadata.annotations or {}

    @property
    def ref(self) -> ObjectRef:
        return self._manifest.ref

    @property
    def rejected(self) -> tuple[Path, ...]:
        """The fields that the API server would refuse, by type, by name or by meaning, and those that cannot be known.

        Fields of the wrong type are None in the model; a field that is refused for its meaning, or whose text waits
        for a template engine, keeps its value.
        """
        examined = self._manifest._examined
        if examined is not None:
            return examined[1]
        from netlint.resources.problems import rejected

        return rejected(self)

    def rejects(self, *path: str | int) -> bool:
        """Whether something at or below `path`, or a parent of it, was refused."""
        refused = self.rejected
        return bool(refused) and any(bad[: len(path)] == path or path[: len(bad)] == bad for bad in refused)

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        return self._manifest.locate(path, anchor)

    def at(self, *path: str | int) -> Place:
        """The place of a field of this object, by its path in the manifest: `policy.at("spec", "podSelector")`."""
        return Place(self, path)
