"""What a check leaves for reports and exit statuses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from netlint.findings import Finding, Severity
from netlint.sources import SourceFile


@dataclass(frozen=True, slots=True)
class CheckedCluster:
    """One cluster of the input: its name, the world that it was read as, and how much there was."""

    name: str
    world: Literal["open", "closed"]
    documents: int
    files: int


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that the user told netlint not to report: in the source, or by a baseline."""

    finding: Finding
    kind: Literal["inSource", "external"]
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """The findings in their final order and what else is to be said.

    `unchecked` are sentences about what was not checked and why. `files` give the text for excerpts, by the path as
    shown. `failed` is True where a rule crashed (NET009).
    """

    findings: tuple[Finding, ...]
    clusters: tuple[CheckedCluster, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    unchecked: tuple[str, ...] = ()
    files: Mapping[str, SourceFile] = field(default_factory=dict)
    failed: bool = False

    @property
    def documents(self) -> int:
        """How many documents were read, each counted once."""
        return sum(cluster.documents for cluster in self.clusters)

    def count(self, severity: Severity) -> int:
        return sum(finding.severity is severity for finding in self.findings)

    @property
    def worst(self) -> int:
        """The rank of the gravest severity, 0 where there is no finding."""
        return max((finding.severity.rank for finding in self.findings), default=0)
