"""`netlint diff`: what two versions of the manifests allow differently."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from netlint.cli._questions import analyse
from netlint.cli._streams import stream
from netlint.cli.common import Invocation, load_clusters, shared_options

if TYPE_CHECKING:
    from netlint.policy import PolicyAnalysis
    from netlint.policy.queries.diff import Difference


@click.command()
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

    if revision is None and len(paths) != 2:
        raise click.UsageError("give OLD and NEW, or --rev REV and the paths to compare with it")
    before, after = _versions(invocation, paths, revision)
    differences = _paired(before, after)
    if invocation.format == "json":
        stream(invocation, diff_json(differences))
    elif invocation.format == "markdown":
        stream(invocation, diff_markdown(differences))
    else:
        stream(invocation, diff_text(differences, Paint(invocation.color)))
    return 1 if any(_differs(one) for one in differences) else 0


def _versions(
    invocation: Invocation, paths: Sequence[str], revision: str | None
) -> "tuple[dict[str, PolicyAnalysis], dict[str, PolicyAnalysis]]":
    """The clusters of the old version and of the new one, by name."""
    if revision is None:
        old, new = (_analyses(invocation, [path]) for path in paths)
        if invocation.config.clusters is None:
            # Clusters without a name of their own are called by their folders, and OLD and NEW are different ones.
            old, new = _within(old, paths[0]), _within(new, paths[1])
        return old, new
    from netlint.cli._revisions import Revision

    there = Revision(revision, paths, whole=bool(invocation.config.charts))
    with there.now() as present:
        new = _analyses(invocation, present)
    with there.files() as past:
        return _analyses(invocation, past), new


def _analyses(invocation: Invocation, paths: Sequence[str]) -> "dict[str, PolicyAnalysis]":
    return {cluster.name: analyse(invocation, cluster) for cluster in load_clusters(invocation, paths)}


def _within(found: "dict[str, PolicyAnalysis]", path: str) -> "dict[str, PolicyAnalysis]":
    """The same by their names inside of the path that was given."""
    start = os.path.relpath(path).replace(os.sep, "/")
    return {"." if name == start else name.removeprefix(f"{start}/"): policy for name, policy in found.items()}


def _paired(before: "dict[str, PolicyAnalysis]", after: "dict[str, PolicyAnalysis]") -> "list[Difference]":
    """One difference a cluster, paired by name; a lone cluster on each side is a pair whatever it is called."""
    from netlint.policy.queries.diff import Difference

    if len(before) == len(after) == 1:
        (name, after_only), (before_only,) = next(iter(after.items())), before.values()
        return [Difference(name, before_only, after_only)]
    return [Difference(name, before.get(name), after.get(name)) for name in sorted(before.keys() | after.keys())]


def _differs(one: "Difference") -> bool:
    return bool(
        one.added or one.removed or one.equivalence.holds is False or next(iter(one.changes()), None) is not None
    )
