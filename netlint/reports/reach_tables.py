"""Connectivity as tables: text, CSV and Markdown, written line by line."""

import csv
import io
import re
from collections.abc import Iterator

from netlint.policy.queries.exposure import Exposure
from netlint.policy.queries.reach import Party, Passage, Reachability
from netlint.reports.escape import safe, safe_start
from netlint.reports.traffic_words import traffic_text

_HEADER = ("FROM", "TO", "ALLOWED")


def text(
    reach: Reachability, exposures: tuple[Exposure, ...] | None = None, *, notes: tuple[str, ...] = ()
) -> Iterator[str]:
    """A table with columns as wide as the longest name; what the input cannot tell is said as `unknown`."""
    width = max([len(shown(party)) for party in reach.parties] + [len(_HEADER[0])])
    count = 0
    for passage in reach.passages():
        if not count:
            yield f"{_HEADER[0]:<{width}}  {_HEADER[1]:<{width}}  {_HEADER[2]}\n"
        count += 1
        yield f"{shown(passage.source):<{width}}  {shown(passage.destination):<{width}}  {_words(passage)}\n"
    if not count:
        yield "no connection is allowed\n" if reach.holds_workloads else "no workload in the input\n"
    yield from _sets_text(reach)
    if exposures is not None:
        yield from _exposure_text(exposures)
    for note in notes:
        yield f"note: {safe(note)}\n"


def _sets_text(reach: Reachability) -> Iterator[str]:
    """Who is in the sets that are named by number."""
    names = {party.id: shown(party) for party in reach.parties}
    for party in reach.parties:
        if party.kind == "set" and party.name.startswith("set "):
            yield f"{safe(party.name)}: {', '.join(names[member] for member in party.members)}\n"


def _exposure_text(exposures: tuple[Exposure, ...]) -> Iterator[str]:
    yield "\nOpen beyond what the input holds:\n"
    if not exposures:
        yield "nothing\n"
        return
    width = max(len(safe_start(one.endpoint)) for one in exposures)
    for one in exposures:
        arrow = "->" if one.direction == "egress" else "<-"
        here = f" (here: {safe(', '.join(one.members))})" if one.members else ""
        yield f"{safe_start(one.endpoint):<{width}}  {arrow}  {safe(one.text)}: {exposure_words(one)}{here}\n"


def exposure_words(exposure: Exposure) -> str:
    """The traffic, ports by name that no pod of the input resolves, and what the input cannot tell."""
    words = _allowed_words(exposure)
    unknown = f"unknown: {traffic_text(exposure.unknown)}" if exposure.unknown else ""
    return "; ".join(filter(None, (words, unknown))) or "none"


def _allowed_words(exposure: Exposure) -> str:
    words = [traffic_text(exposure.allowed)] if exposure.allowed else []
    words += [f"{safe(name.protocol or 'any protocol')} {safe(name.name)}" for name in exposure.named]
    return ", ".join(words)


def csv_rows(reach: Reachability, exposures: tuple[Exposure, ...] | None = None) -> Iterator[str]:
    """Columns from, to, allowed, unknown; with exposures they follow, with what is open in `from` or `to`."""
    yield _csv(["from", "to", "allowed", "unknown"])
    for passage in reach.passages():
        unknown = traffic_text(passage.unknown) if passage.unknown else ""
        yield _csv([_id(passage.source), _id(passage.destination), traffic_text(passage.allowed), unknown])
    for one in exposures or ():
        ends = [one.endpoint, one.text] if one.direction == "egress" else [one.text, one.endpoint]
        unknown = traffic_text(one.unknown) if one.unknown else ""
        yield _csv([*ends, _allowed_words(one) or "none", unknown])


def markdown(
    reach: Reachability, exposures: tuple[Exposure, ...] | None = None, *, notes: tuple[str, ...] = ()
) -> Iterator[str]:
    """A table for a page or a comment."""
    yield "| From | To | Allowed |\n|---|---|---|\n"
    for passage in reach.passages():
        yield f"| {cell(shown(passage.source))} | {cell(shown(passage.destination))} | {cell(_words(passage))} |\n"
    if exposures is not None:
        yield "\n| Workload | Direction | Open to | Traffic |\n|---|---|---|---|\n"
        for one in exposures:
            yield f"| {cell(one.endpoint)} | {one.direction} | {cell(one.text)} | {cell(exposure_words(one))} |\n"
    for note in notes:
        yield f"\nNote: {cell(note)}\n"


def shown(party: Party) -> str:
    """The name of a party for people; it may stand at the start of a line."""
    return safe_start(party.name if party.kind in ("address", "group", "set") else party.id)


def _id(party: Party) -> str:
    return " ".join(party.members) if party.members else party.id


def _words(passage: Passage) -> str:
    words = [traffic_text(passage.allowed)] if passage.allowed else []
    if passage.unknown:
        words.append(f"unknown: {traffic_text(passage.unknown)}")
    return "; ".join(words)


def _csv(cells: list[str]) -> str:
    """One line; a cell that a spreadsheet would take for a formula starts with an apostrophe."""
    buffer = io.StringIO()
    guarded = [f"'{one}" if one[:1] in ("=", "+", "-", "@") else one for one in map(safe_start, cells)]
    csv.writer(buffer, lineterminator="\n").writerow(guarded)
    return buffer.getvalue()


_MARKDOWN = str.maketrans(
    {
        "|": "\\|",
        "<": "&lt;",
        ">": "&gt;",
        "&": "&amp;",
        "`": "\\`",
        "*": "\\*",
        "_": "\\_",
        "[": "\\[",
        "]": "\\]",
        "\\": "\\\\",
        "~": "\\~",
    }
)
# What GitHub and GitLab turn into a link or a call of somebody: @name, #1, !1, URLs. A space of no width parts it.
_LINKED = re.compile(r"[@#!](?=[\w\\])|:(?=//)|(?<=www)\.", re.IGNORECASE)
_PARTED = "&#8203;"


def cell(value: str) -> str:
    """A value inside a Markdown table: nothing of it is markup, and nobody is called by it."""
    return _LINKED.sub(lambda found: found[0] + _PARTED, safe(value).translate(_MARKDOWN))
