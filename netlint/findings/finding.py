"""One result: what is wrong, where, why it matters and what to do."""

import enum
from dataclasses import dataclass, field
from typing import Any, Literal

from netlint.findings.place import Location, ObjectRef, Place


class Severity(enum.Enum):
    """error: something does not work given this input. warning: very likely wrong. info: advice, or depends on
    what the input does not hold."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """3 for error, 2 for warning, 1 for info: higher is worse."""
        return {"error": 3, "warning": 2, "info": 1}[self.value]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to the finding: the other side of a conflict, the evidence."""

    message: str
    place: Place | None = None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace what stands at `location` by `new_text`; an empty stretch inserts."""

    location: Location
    new_text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A way to mend the finding. `safe` fixes keep the meaning of everything else."""

    title: str
    safety: Literal["safe", "unsafe"]
    edits: tuple[TextEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class Witness:
    """A connection that shows why a proof failed. Each side is a namespace and pod, or an address, as plain data."""

    source: dict[str, Any]
    destination: dict[str, Any]
    port: int | None
    protocol: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule says. `place` is symbolic; `location` is filled in by triage, or by a reader that has no object."""

    code: str
    name: str
    severity: Severity
    message: str
    place: Place | None = None
    help: str | None = None
    related: tuple[Related, ...] = ()
    witness: Witness | None = None
    fixes: tuple[Fix, ...] = ()
    location: Location | None = None
    clusters: tuple[str, ...] = ()
    fingerprint: str = ""
    extra: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def ref(self) -> ObjectRef | None:
        """The object the finding is about, or None for a finding about a file or the whole input."""
        return self.place.ref if self.place else None
