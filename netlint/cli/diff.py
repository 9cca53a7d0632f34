"""`netlint diff`: what two versions of the manifests allow differently."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click

from netlint.cli._questions import analyse, notes_of
from netlint.cli._streams import stream
from netlint.cli.common import Invocation, read_input, say_unread, shared_options

if TYPE_CHECKING:
    from netlint.policy import PolicyAnalysis
    from netlint.policy.queries.diff import Difference


@click.command(short_help="What a change of the policies allows or denies.")
@click.argument("paths", nargs=-1, metavar="OLD NEW | [PATHS]...")
@click.option("--rev", "revision", metavar="REV", help="Compare PATHS with what they were in this git revision.")
@shared_options("text", "json", "markdown")
def command(invocation: Invocation, paths: Sequence[str], revision: str | None) -> int:
    """Show which connections NEW allows and OLD does not, or the other way round.

    With --rev, compare the PATHS (the working directory where there are none) with a git revision. Exit status 0:
    nothing differs, 1: something does.
    """
    from netlint.reports.color import Paint
    from netlint.reports.diff_report import diff_json, diff_markdown, diff_text
    from netlint.reports.escape import safe

    if revision is None and len(paths) != 2:
        raise click.UsageError("give OLD and NEW, or --rev REV and the paths to compare with it")
    differences = _paired(*_versions(invocation, paths, revision))
    if invocation.cluster is not None:
        names = ", ".join(one.cluster for one in differences)
        differences = [one for one in differences if one.cluster == invocation.cluster]
        if not differences:
            raise click.UsageError(f"no cluster is called {invocation.cluster!r}; the input holds: {safe(names)}")
    if invocation.format == "json":
        stream(invocation, diff_json(differences))
    elif invocation.format == "markdown":
        stream(invocation, diff_markdown(differences))
    else:
        stream(invocation, diff_text(differences, Paint(invocation.color)))
    return 1 if any(_differs(one) for one in differences) else 0


class _Version(NamedTuple):
    """The clusters of one version by name. `unread`: a part of it could not be read."""

    clusters: "dict[str, PolicyAnalysis]"
    notes: "dict[str, tuple[str, ...]]"
    unread: bool

    def within(self, path: str) -> "_Version":
        """The same, called by their names inside of the path that was given."""
        start = os.path.relpath(path).replace(os.sep, "/")
        names = {name: "." if name == start else name.removeprefix(f"{start}/") for name in self.clusters}
        return self._replace(
            clusters={names[name]: one for name, one in self.clusters.items()},
            notes={names[name]: one for name, one in self.notes.items()},
        )


def _versions(invocation: Invocation, paths: Sequence[str], revision: str | None) -> tuple[_Version, _Version]:
    if revision is None:
        old, new = (_read(invocation, [path]) for path in paths)
        if invocation.config.clusters is None:
            # Clusters without a name of their own are called by their folders, and OLD and NEW are different ones.
            old, new = old.within(paths[0]), new.within(paths[1])
        return old, new
    from netlint.cli._revisions import Revision

    there = Revision(revision, paths, whole=bool(invocation.config.charts))
    with there.now() as present:
        new = _read(invocation, present)
    with there.files() as past:
        return _read(invocation, past), new


def _read(invocation: Invocation, paths: Sequence[str]) -> _Version:
    # Which cluster is asked for is known when the names of both versions are.
    found = read_input(replace(invocation, cluster=None), paths)
    unread = say_unread(invocation, found.reading)
    return _Version(
        {cluster.name: analyse(invocation, cluster) for cluster in found.clusters},
        {cluster.name: notes_of(cluster) for cluster in found.clusters},
        unread,
    )


def _paired(before: _Version, after: _Version) -> "list[Difference]":
    """One difference a cluster, paired by name; a lone cluster on each side is a pair whatever it is called."""
    from netlint.policy.queries.diff import Difference

    old, new, unread = before.clusters, after.clusters, before.unread or after.unread
    pairs = {name: (name, name) for name in sorted(old.keys() | new.keys())}
    if len(old) == len(new) == 1:
        (before_only,), (name,) = old, new
        pairs = {name: (before_only, name)}
    return [
        Difference(
            name, old.get(one), new.get(other), unread=unread, notes=_notes(before.notes, one, after.notes, other)
        )
        for name, (one, other) in pairs.items()
    ]


def _notes(old: "dict[str, tuple[str, ...]]", one: str, new: "dict[str, tuple[str, ...]]", other: str) -> list[str]:
    """What is to be known of both versions, or of one of them, which is then named."""
    before, after = old.get(one, ()), new.get(other, ())
    if one not in old or other not in new:
        return [*before, *after]
    return [
        *(note for note in after if note in before),
        *(f"before: {note}" for note in before if note not in after),
        *(f"after: {note}" for note in after if note not in before),
    ]


def _differs(one: "Difference") -> bool:
    return bool(
        one.added or one.removed or one.equivalence.holds is False or next(iter(one.changes()), None) is not None
    )
