"""netpol-analyzer's differences between two folders: what changed for each pair, and which workloads come or go."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field

from conformance_suites.netpol_tables import external
from conformance_suites.traffic import NOTHING, Traffic, parse_connection, show_range
from conformance_suites.world import normal, peer_name, places
from netlint.policy.queries.diff import Difference as NetlintDifference

Change = tuple[Traffic, Traffic]
ChangeSteps = tuple[tuple[int, int, Change], ...]

_TEXT = re.compile(
    r"diff-type: (\w+), source: (.+?), destination: (.+?), (?:ref|dir)1: (.+?), (?:ref|dir)2: (.+?)"
    r"(?:, workloads-diff-info: (.*))?"
)
_EDGE = re.compile(r'\s*"([^"]*)" -> "([^"]*)" \[label="([^"]*)" color="([^"]*)".*\]')
_BEFORE = re.compile(r"(.+?) \((?:ref|dir)1: (.+)\)")
_PEER = re.compile(r"\S+/\S+\[\w+\]")


@dataclass
class Difference:
    """Pairs and outside blocks whose traffic differs, before and after, and the workloads named as new or gone."""

    pairs: dict[tuple[str, str], Change] = field(default_factory=dict)
    outside: dict[tuple[str, str], ChangeSteps] = field(default_factory=dict)
    added: set[str] | None = None
    removed: set[str] | None = None

    def differences(self, ours: Difference) -> list[str]:
        found = [
            f"{key[0]} => {key[1]}: wanted {_show(self.pairs.get(key))}, got {_show(ours.pairs.get(key))}"
            for key in sorted(self.pairs.keys() | ours.pairs.keys())
            if self.pairs.get(key) != ours.pairs.get(key)
        ]
        found += [
            f"{side[0]} ({side[1]}): wanted {_show_steps(self.outside.get(side, ()))},"
            f" got {_show_steps(ours.outside.get(side, ()))}"
            for side in sorted(self.outside.keys() | ours.outside.keys())
            if self.outside.get(side, ()) != ours.outside.get(side, ())
        ]
        for word, theirs, mine in (("new", self.added, ours.added), ("gone", self.removed, ours.removed)):
            if theirs is not None and theirs != mine:
                found.append(f"{word} workloads: wanted {sorted(theirs)}, got {sorted(mine or ())}")
        return found


def _show(change: Change | None) -> str:
    return f"{change[0]} -> {change[1]}" if change else "no change"


def _show_steps(found: ChangeSteps) -> str:
    return "; ".join(f"{show_range(low, high)} {_show(change)}" for low, high, change in found) or "no change"


def _steps(rows: list[tuple[int, int, Change]]) -> ChangeSteps:
    shortest: list[tuple[int, int, Change]] = []
    for low, high, change in sorted(rows, key=lambda row: row[:2]):
        if shortest and shortest[-1][1] + 1 == low and shortest[-1][2] == change:
            shortest[-1] = (shortest[-1][0], high, change)
        else:
            shortest.append((low, high, change))
    return tuple(shortest)


def read_difference(text: str, form: str) -> Difference:
    """The differences in one of upstream's formats; dot does not say which workloads are new."""
    rows: list[tuple[str, str, Traffic, Traffic, str | None]] = []
    if form == "dot":
        for line in text.splitlines():
            match = _EDGE.fullmatch(line)
            if match is None or match[4] == "grey":
                continue
            source, target, label, colour = match.groups()
            if before := _BEFORE.fullmatch(label):
                rows.append((source, target, parse_connection(before[2]), parse_connection(before[1]), None))
            elif colour.startswith("red"):
                rows.append((source, target, parse_connection(label), NOTHING, None))
            else:
                rows.append((source, target, NOTHING, parse_connection(label), None))
    elif form in ("csv", "md"):
        cells = (
            list(csv.reader(io.StringIO(text)))
            if form == "csv"
            else [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines()]
        )
        rows += [
            (row[1], row[2], parse_connection(row[3]), parse_connection(row[4]), row[5])
            for row in cells
            if len(row) == 6 and row[0] in ("added", "removed", "changed")
        ]
    else:
        for line in text.splitlines():
            if match := _TEXT.fullmatch(line.strip()):
                _, source, target, before, after, info = match.groups()
                rows.append((source, target, parse_connection(before), parse_connection(after), info or ""))
    return _difference(rows)


def _difference(rows: list[tuple[str, str, Traffic, Traffic, str | None]]) -> Difference:
    told = bool(rows) and all(info is not None for *_, info in rows)
    found = Difference(added=set() if told else None, removed=set() if told else None)
    outside: dict[tuple[str, str], list[tuple[int, int, Change]]] = {}
    for source, target, before, after, info in rows:
        if (block := external(source)) is not None:
            outside.setdefault((target, "in"), []).append((*block, (before, after)))
        elif (block := external(target)) is not None:
            outside.setdefault((source, "out"), []).append((*block, (before, after)))
        else:
            found.pairs[source, target] = (before, after)
        if info:
            named = set(_PEER.findall(info))
            (found.added if info.endswith("added") else found.removed).update(named)  # type: ignore[union-attr]
    found.outside = {side: _steps(rows_of_side) for side, rows_of_side in outside.items()}
    return found


def said_of(found: NetlintDifference) -> Difference:
    """What `netlint diff` says, as TCP, UDP and SCTP among workloads and IPv4 addresses. Only workloads that have a
    connection that changes count as new or gone."""
    said = Difference()
    outside: dict[tuple[str, str], list[tuple[int, int, Change]]] = {}
    for one in found.changes():
        change = normal(one.before).without_other(), normal(one.after).without_other()
        if change[0] == change[1]:
            continue
        source, target = peer_name(one.source.id), peer_name(one.destination.id)
        if one.source.kind == "address":
            outside.setdefault((target, "in"), []).extend((*block, change) for block in places(one.source.blocks))
        elif one.destination.kind == "address":
            outside.setdefault((source, "out"), []).extend((*block, change) for block in places(one.destination.blocks))
        else:
            said.pairs[source, target] = change
    said.outside = {side: shape for side, rows in outside.items() if (shape := _steps(rows))}
    mentioned = {name for key in said.pairs for name in key} | {side[0] for side in said.outside}
    said.added = {peer_name(one) for one in found.added} & mentioned
    said.removed = {peer_name(one) for one in found.removed} & mentioned
    return said


def wrong_words(found: NetlintDifference) -> list[str]:
    """Changes that are not called what they are. Nothing is unknown in these suites."""
    problems = []
    for one in found.changes():
        word = "changed" if one.before and one.after else "added" if one.after else "removed"
        if one.change != word or one.unknown_before or one.unknown_after:
            problems.append(f"{one.source.id} => {one.destination.id}: {one.change}, which is {word}")
    return problems
