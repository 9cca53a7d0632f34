"""What commands share: options, the configuration, reading the input, printing."""

import functools
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from netlint.cluster.config import Config, load_config, no_config

if TYPE_CHECKING:
    from netlint.cli.progress import Progress
    from netlint.cluster import Cluster
    from netlint.sources import Reading

F = TypeVar("F", bound=Callable[..., Any])
CONFIG_NAMES = (".netlint.yaml", "netlint.yaml")
_MOST_UNREAD = 5


@dataclass(frozen=True)
class Invocation:
    """The options that every command has. `color` is decided: True where escapes may be printed."""

    config: Config
    format: str
    output: str | None = None
    world: Literal["auto", "open", "closed"] | None = None
    cluster: str | None = None
    color: bool = False
    quiet: bool = False
    verbose: int = 0
    progress: "Progress" = field(default=None, repr=False)  # type: ignore[assignment]


@dataclass(frozen=True)
class Input:
    """What was read: the clusters asked for. `partial` says that the input holds others beside."""

    reading: "Reading"
    clusters: "list[Cluster]"
    partial: bool = False


def shared_options(*formats: str) -> Callable[[F], F]:
    """The options that every command takes. The command is called with an `Invocation` first, then its own options.

    The first of `formats` is the default.
    """

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def call(
            config_file: str | None,
            world: Literal["auto", "open", "closed"] | None,
            color: str,
            **options: Any,
        ) -> Any:
            from netlint.cli.progress import Progress

            progress = Progress(enabled=not options["quiet"])
            shared = {name: options.pop(name) for name in ("format", "output", "cluster", "quiet", "verbose")}
            invocation = Invocation(
                find_config(config_file),
                world=world,
                color=_color(color, shared["output"]),
                progress=progress,
                **shared,
            )
            with progress:
                return command(invocation, **options)

        for option in reversed(_options(formats)):
            call = option(call)
        return call  # type: ignore[return-value]

    return decorate


def _options(formats: Sequence[str]) -> list[Callable[[Any], Any]]:
    return [
        click.option(
            "--config", "config_file", metavar="FILE", help="Default: the nearest .netlint.yaml or netlint.yaml upward."
        ),
        click.option("--format", "-f", type=click.Choice(formats), default=formats[0], show_default=True),
        click.option("--output", "-o", metavar="FILE", help="Write there, not to standard output."),
        click.option(
            "--world", type=click.Choice(["auto", "open", "closed"]), help="Whether the input is the whole cluster."
        ),
        click.option("--cluster", metavar="NAME", help="Only this cluster of the input."),
        click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            help="auto: on a terminal, unless NO_COLOR is set.",
        ),
        click.option("--quiet", "-q", is_flag=True, help="Only the result: no summary, no hints, no progress."),
        click.option("--verbose", "-v", count=True, help="Every related place, all evidence, each cluster."),
    ]


paths_argument = click.argument("paths", nargs=-1, metavar="[PATHS]...")


def _color(wanted: str, output: str | None) -> bool:
    if wanted != "auto":
        return wanted == "always"
    if output is not None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def find_config(file: str | None) -> Config:
    """The configuration that is named, or the nearest upward from the working directory, or none."""
    if file is not None:
        return load_config(file)
    folder = Path.cwd()
    for parent in (folder, *folder.parents):
        for name in CONFIG_NAMES:
            if (parent / name).is_file():
                return load_config(parent / name, shown=os.path.relpath(parent / name).replace(os.sep, "/"))
    return no_config()


def read_input(invocation: Invocation, paths: Sequence[str]) -> Input:
    """Read the paths (the working directory where there are none) and divide the input into clusters.

    Raises SourceError and click.UsageError.
    """
    from netlint.cluster import build, divide
    from netlint.resources import load
    from netlint.sources import ReadOptions, read

    config = invocation.config
    invocation.progress("reading")
    options = ReadOptions(
        exclude=tuple(config.exclude),
        exclude_from=Path(os.path.abspath(config.root)),
        charts=_charts(config),
        stdin=getattr(sys.stdin, "buffer", None),
    )
    reading = read(list(paths) or ["."], options=options)
    invocation.progress("joining")
    inputs = divide(load(reading.documents), config)
    chosen = [one for one in inputs if invocation.cluster in (None, one.name)]
    if not chosen:
        names = ", ".join(one.name for one in inputs) or "none"
        raise click.UsageError(f"no cluster is called {invocation.cluster!r}; the input holds: {names}")
    clusters = [build(one, config, world=invocation.world) for one in chosen]
    return Input(reading, clusters, partial=len(chosen) < len(inputs))


def load_clusters(invocation: Invocation, paths: Sequence[str]) -> "list[Cluster]":
    """The clusters of the input, those that `--cluster` picks; what could not be read is said on standard error.

    Raises SourceError and click.UsageError.
    """
    found = read_input(invocation, paths)
    say_unread(invocation, found.reading)
    return found.clusters


def say_unread(invocation: Invocation, reading: "Reading") -> bool:
    """Whether a part of the input could not be read: it has no part in any answer. Unless quiet, say so."""
    unread = [finding for finding in reading.findings if finding.code in ("NET001", "NET006")]
    if unread and not invocation.quiet:
        from netlint.reports.check_text import first_line
        from netlint.reports.color import Paint

        invocation.progress.clear()
        for finding in unread[:_MOST_UNREAD]:
            click.echo(first_line(finding, Paint(False)), err=True)
        more = f" ({len(unread) - _MOST_UNREAD} more: netlint check)" if len(unread) > _MOST_UNREAD else ""
        click.echo(f"netlint: the answer is without what could not be read{more}", err=True)
    return bool(unread)


def one_cluster(invocation: Invocation, paths: Sequence[str]) -> "Cluster":
    """The cluster of the input. Raises click.UsageError where there are several and none is picked."""
    clusters = load_clusters(invocation, paths)
    if len(clusters) > 1:
        names = ", ".join(cluster.name for cluster in clusters)
        raise click.UsageError(f"the input holds several clusters, pick one with --cluster: {names}")
    return clusters[0]


def emit(invocation: Invocation, text: str) -> None:
    """Print the result, or write it where `--output` says. `text` is whole, with its last line end."""
    invocation.progress.clear()
    if invocation.output is None or invocation.output == "-":
        sys.stdout.write(text)
        return
    try:
        Path(invocation.output).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise click.FileError(invocation.output, error.strerror or str(error)) from None


def _charts(config: Config) -> Any:
    from netlint.sources import ChartSpec

    return tuple(
        ChartSpec(_below_root(config, chart.path), tuple(tuple(files) for files in chart.values))
        for chart in config.charts
    )


def _below_root(config: Config, path: str) -> str:
    """A path of the configuration as seen from the working directory."""
    if config.root in ("", ".") or os.path.isabs(path):
        return path
    return os.path.normpath(os.path.join(config.root, path)).replace(os.sep, "/")
