"""`netlint check` on a terminal. The first line of a finding is a promise that problem matchers rely on."""

import sys
from collections.abc import Iterator, Mapping

from netlint.findings import Finding, Location, Severity, format_path
from netlint.reports.color import Paint
from netlint.reports.escape import safe, safe_file
from netlint.reports.excerpt import excerpt
from netlint.sources import SourceFile
from netlint.triage.result import Result

WORD = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
MOST_RELATED = 5
SHOWN_CLUSTERS = 3
NOWHERE = "."  # a finding about the whole input


def check_text(result: Result, paint: Paint, *, quiet: bool = False, verbose: int = 0) -> str:
    """All findings and, unless quiet, the summary."""
    several = len(result.clusters) > 1
    most = sys.maxsize if verbose else MOST_RELATED
    blocks = ["\n".join(_finding(one, result.files, paint, several, most)) for one in result.findings]
    if not quiet:
        blocks.append("\n".join(_summary(result, paint, verbose)))
    return "".join(f"{block}\n\n" for block in blocks[:-1]) + "".join(f"{block}\n" for block in blocks[-1:])


def first_line(finding: Finding, paint: Paint) -> str:
    """`file:line:column: severity[CODE]: message`."""
    word = WORD[finding.severity]
    colour = {"error": paint.red, "warning": paint.yellow, "note": paint.blue}[word]
    return f"{paint.bold(_where(finding.location))}: {colour(f'{word}[{finding.code}]')}: {safe(finding.message)}"


def _where(location: Location | None) -> str:
    if location is None:
        return f"{NOWHERE}:1:1"
    return f"{safe_file(location.file)}:{location.start_line}:{location.start_column}"


def _finding(
    finding: Finding, files: Mapping[str, SourceFile], paint: Paint, several: bool, most: int
) -> Iterator[str]:
    yield first_line(finding, paint)
    location = finding.location
    file = files.get(location.file) if location else None
    gutter = ""
    if location and file and 1 <= location.start_line <= len(file.lines):
        shown, carets = excerpt(file.lines[location.start_line - 1], location)
        number = str(location.start_line)
        gutter = " " * len(number)
        yield f" {paint.dim(f'{number} |')} {shown}"
        yield f" {paint.dim(f'{gutter} |')} {paint.red(carets) if finding.severity is Severity.ERROR else carets}"
    if of := rendered_object(finding):
        yield f" {gutter} {paint.dim('=')} {safe(of)}"
    for related in finding.related[:most]:
        where = f"{_where(related.location)}: " if related.location else ""
        yield f" {gutter} {paint.dim('=')} see {where}{safe(related.message)}"
    if len(finding.related) > most:
        yield f" {gutter} {paint.dim('=')} and {len(finding.related) - most} more (--verbose shows them)"
    if finding.witness:
        yield f" {gutter} {paint.dim('=')} for example: {safe(finding.witness.text)}"
    if finding.help:
        first, *rest = finding.help.splitlines()
        yield f" {gutter} {paint.dim('=')} {paint.green('help:')} {safe(first)}"
        yield from (f" {gutter}         {_indented(line)}" for line in rest)
    for fix in finding.fixes:
        yield f" {gutter} {paint.dim('=')} {paint.green('fix')} ({fix.safety}): {safe(fix.title)}"
    if several and finding.clusters:
        more = len(finding.clusters) - SHOWN_CLUSTERS
        names = ", ".join(map(safe, finding.clusters[:SHOWN_CLUSTERS])) + (f" and {more} more" if more > 0 else "")
        yield f" {gutter} {paint.dim('=')} in {names}"


def rendered_object(finding: Finding) -> str | None:
    """The object and field of a finding about what a chart or kustomization made: its line shows what made it."""
    place = finding.place
    manifest = getattr(place.source, "manifest", place.source) if place else None
    if place is None or place.ref is None or not getattr(getattr(manifest, "document", None), "rendered", False):
        return None
    path = format_path(place.path)
    return f"of {place.ref.kind} {str(place.ref).partition('/')[2]}{path and f', {path}'}, as rendered"


def _indented(line: str) -> str:
    """A line of help as it is: YAML keeps its indentation."""
    stripped = line.lstrip(" ")
    guard = "\\" if stripped.startswith("::") else ""  # a runner would take it for a command
    return " " * (len(line) - len(stripped)) + guard + safe(stripped)


def _summary(result: Result, paint: Paint, verbose: int) -> Iterator[str]:
    documents = sum(cluster.documents for cluster in result.clusters)
    files = sum(cluster.files for cluster in result.clusters)
    counts = [(result.count(severity), severity) for severity in Severity]
    said = ", ".join(_count(number, WORD[severity]) for number, severity in counts if number)
    where = f"{_count(documents, 'document')} of {_count(files, 'file')}"
    if not documents and not result.findings:
        yield "No Kubernetes manifest was found."
    elif said:
        yield paint.bold(f"Found {said} in {where}.")
    else:
        yield paint.green(f"Found nothing wrong in {where}.")
    if len(result.clusters) > 1 or verbose:
        for cluster in result.clusters:
            size = f"{_count(cluster.documents, 'document')}, {_count(cluster.files, 'file')}"
            yield f"Cluster {safe(cluster.name)}: {size}, {cluster.world} world."
    by_comment = sum(one.kind == "inSource" for one in result.suppressed)
    by_baseline = len(result.suppressed) - by_comment
    if by_comment:
        yield f"Suppressed: {by_comment} by comments and annotations."
    if by_baseline:
        yield f"Known: {by_baseline} in the baseline."
    for sentence in result.unchecked:
        yield f"Not checked: {safe(sentence)}."


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")
