"""netlint check: the findings."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from netlint.cli.common import Input, Invocation, emit, paths_argument, read_input, shared_options
from netlint.reports.escape import safe

if TYPE_CHECKING:
    from netlint.triage import Options, Result

_RANK = {"error": 3, "warning": 2, "info": 1, "never": 4}
DEFAULT_BASELINE = "netlint-baseline.json"


def _words(ctx: click.Context, option: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


@click.command(short_help="Findings: what does not work as declared.")
@shared_options("text", "json", "sarif", "github")
@click.option("--select", multiple=True, metavar="RULES", callback=_words, help="Only these: codes, prefixes, names.")
@click.option("--ignore", multiple=True, metavar="RULES", callback=_words, help="Not these: codes, prefixes, names.")
@click.option("--pedantic", is_flag=True, help="Advice and hardening too.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info", "never"]),
    default="warning",
    show_default=True,
    help="The least severity that makes the exit status 1.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also where there are findings.")
@click.option("--baseline", metavar="FILE", help="Report only what is not in this baseline.")
@click.option(
    "--write-baseline",
    is_flag=True,
    help=f"Write all findings to the baseline ({DEFAULT_BASELINE} unless --baseline names another) and report none.",
)
@click.option("--fix", is_flag=True, help="Apply the fixes that are safe.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --show-fixes: the others too.")
@click.option("--show-fixes", is_flag=True, help="Print what fixes would change, and change nothing.")
@paths_argument
def command(
    invocation: Invocation,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    pedantic: bool,
    fail_on: str,
    exit_zero: bool,
    baseline: str | None,
    write_baseline: bool,
    fix: bool,
    unsafe_fixes: bool,
    show_fixes: bool,
    paths: tuple[str, ...],
) -> int:
    """Check the manifests in PATHS: files, folders, charts, kustomizations, or - for standard input."""
    from netlint.triage import Options

    if unsafe_fixes and not (fix or show_fixes):
        raise click.UsageError("--unsafe-fixes goes with --fix or --show-fixes")
    if show_fixes and invocation.format != "text":
        raise click.UsageError("--show-fixes prints text; --format json holds the fixes of each finding")
    known: frozenset[str] = frozenset()
    if baseline and not write_baseline:
        from netlint.triage.baseline import read_baseline

        known = read_baseline(Path(baseline))
    options = Options(select, ignore, pedantic, known)
    given = read_input(invocation, paths)
    result = _check(invocation, given, options)
    if write_baseline:
        from netlint.triage.baseline import write_baseline as write

        file = baseline or DEFAULT_BASELINE
        count = write(Path(file), result.findings)
        invocation.progress.clear()
        click.echo(f"netlint: {_findings(count)} written to {file}", err=True)
        return 3 if result.failed else 0
    if fix and not show_fixes:
        result = _fix(invocation, given, result, options, paths, unsafe_fixes)
    text = _report(invocation, result)
    if show_fixes:
        diffs = _diffs(result, unsafe_fixes)
        if not diffs:
            _no_fix(invocation, result, unsafe_fixes)
        text += diffs
    emit(invocation, text)
    if result.failed:
        return 3
    return 1 if result.worst >= _RANK[fail_on] and not exit_zero else 0


def _check(invocation: Invocation, given: Input, options: "Options") -> "Result":
    from netlint.triage import check

    return check(
        given.reading,
        given.clusters,
        invocation.config,
        options,
        partial=given.partial,
        progress=invocation.progress,
    )


def _report(invocation: Invocation, result: "Result") -> str:
    match invocation.format:
        case "json":
            from netlint.reports.check_json import check_json

            return check_json(result)
        case "sarif":
            from netlint.reports.sarif import sarif
            from netlint.rules.catalogue import headers

            fallback = min(result.files, default="netlint.yaml")
            return sarif(result, headers(invocation.config.rule_packs), fallback=fallback)
        case "github":
            from netlint.reports.github import github

            return github(result)
    from netlint.reports.check_text import check_text
    from netlint.reports.color import Paint

    return check_text(result, Paint(invocation.color), quiet=invocation.quiet, verbose=invocation.verbose)


def _fix(
    invocation: Invocation,
    given: Input,
    result: "Result",
    options: "Options",
    paths: tuple[str, ...],
    unsafe: bool,
) -> "Result":
    """Apply the fixes and check again. A file that can no longer be read afterwards is put back as it was."""
    from netlint.triage.fixes import FixedFile, apply, plan

    folder = Path.cwd()
    files, count = plan(result.findings, unsafe=unsafe, folder=folder)
    if not files:
        _no_fix(invocation, result, unsafe)
        return result
    try:
        apply(files, folder)
        again = read_input(invocation, paths)
        newly_broken = _unreadable(again) - _unreadable(given)
        broken = [file for file in files if file.file in newly_broken]
        if broken:
            apply([FixedFile(file.file, file.after, file.before) for file in broken], folder)
            again = read_input(invocation, paths)
    except OSError as error:
        raise click.FileError(error.filename or "file", error.strerror or str(error)) from None
    kept = [file.file for file in files if file not in broken]
    if kept and not invocation.quiet:
        invocation.progress.clear()
        click.echo(f"netlint: fixed {_findings(count)} in {', '.join(map(safe, kept))}", err=True)
    return _check(invocation, again, options)


def _findings(count: int) -> str:
    return f"{count} finding{'' if count == 1 else 's'}"


def _no_fix(invocation: Invocation, result: "Result", unsafe: bool) -> None:
    """Say why nothing was fixed, where there was something to fix."""
    if result.findings and not invocation.quiet:
        safely = " safely (see --unsafe-fixes)" if not unsafe and any(one.fixes for one in result.findings) else ""
        invocation.progress.clear()
        click.echo(f"netlint: none of these findings has a fix that netlint can make{safely}", err=True)


def _unreadable(given: Input) -> set[str]:
    return {one.location.file for one in given.reading.findings if one.code == "NET001" and one.location}


def _diffs(result: "Result", unsafe: bool) -> str:
    from netlint.triage.fixes import plan

    files, _ = plan(result.findings, unsafe=unsafe, folder=Path.cwd())
    return "".join(file.diff() for file in files)
