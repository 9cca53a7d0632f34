"""What a caller may ask of reading, and the limits that keep hostile input harmless."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO


class SourceError(Exception):
    """Reading cannot begin: a path that does not exist or cannot be opened. The text is for people; exit status 2."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one input. Each that is met is a finding at its place; everything else is still read.

    `file_size` in bytes, `document_size` in characters, `nesting` in containers inside each other,
    `nodes_from_aliases` counts every value that aliases and merge keys repeat in one document, `render_seconds`
    is the time that one run of helm or kustomize may take.
    """

    file_size: int = 256 * 1024 * 1024
    document_size: int = 128 * 1024 * 1024
    documents: int = 100_000
    nesting: int = 200
    nodes_from_aliases: int = 100_000
    files: int = 200_000
    render_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class ChartSpec:
    """A chart and the sets of values to render it with; each set is a cluster of its own.

    `values` holds one tuple of files a set, later files winning as with `helm template -f`; the chart's own
    values.yaml is always underneath. Paths are relative to the chart or, where no such file is, to `cwd`.
    """

    path: str
    values: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """`exclude` are globs over paths relative to `exclude_from`, or to `cwd` where that is None (`**` crosses
    folders). `cwd` is what shown paths are relative to. `render=False` leaves kustomizations and charts unrendered,
    with a finding that says so."""

    exclude: tuple[str, ...] = ()
    exclude_from: Path | None = None
    charts: tuple[ChartSpec, ...] = ()
    stdin: BinaryIO | None = None
    limits: Limits = field(default_factory=Limits)
    cwd: Path | None = None
    render: bool = True

    @property
    def folder(self) -> Path:
        """The working directory that paths are shown relative to."""
        return self.cwd if self.cwd is not None else Path.cwd()
