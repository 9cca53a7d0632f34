"""What two versions allow differently: text, JSON (schemas/diff.json), and Markdown for a pull request's comment."""

from collections.abc import Iterator, Sequence
from typing import Any

from netlint.findings import Witness
from netlint.policy.queries.diff import Change, Difference
from netlint.reports.color import Paint
from netlint.reports.escape import safe
from netlint.reports.json_text import VERSION, dumps
from netlint.reports.reach_json import party_data
from netlint.reports.reach_tables import cell, shown
from netlint.reports.traffic_words import traffic_data, traffic_text

_SIGNS = {"added": "+", "removed": "-", "changed": "~"}
_COMMENT_ROWS = 200
_COMMENT_NAMES = 30
_COMMENT_TABLES = 50_000
"""Characters of all tables together: GitHub takes comments of up to 65,536."""


def diff_text(differences: Sequence[Difference], paint: Paint) -> Iterator[str]:
    """A line a change: `+`, `-` or `~`, the pair, and the traffic before and after."""
    for one in differences:
        if len(differences) > 1:
            yield f"{paint.bold('cluster ' + safe(one.cluster))}\n"
        yield from (f"+ workload {safe(name)}\n" for name in one.added)
        yield from (f"- workload {safe(name)}\n" for name in one.removed)
        count = 0
        for change in one.changes():
            count += 1
            sign = _SIGNS[change.change]
            pair = f"{shown(change.source)} -> {shown(change.destination)}"
            line = f"{sign} {pair}: {_before_after(change)}{_due(one, change)}"
            yield _painted(sign, line, paint) + "\n"
        if not count:
            yield "no connection among the workloads changes\n"
        yield f"{_verdict(one)}\n"
        yield from (f"note: {safe(note)}\n" for note in one.notes)


def _painted(sign: str, line: str, paint: Paint) -> str:
    return {"+": paint.green, "-": paint.red, "~": paint.yellow}[sign](line)


def _before_after(change: Change) -> str:
    if change.change == "added":
        return _side(change.after, change.unknown_after)
    if change.change == "removed":
        return _side(change.before, change.unknown_before)
    return f"{_side(change.before, change.unknown_before)} => {_side(change.after, change.unknown_after)}"


def _side(allowed: Any, unknown: Any) -> str:
    if not unknown:
        return traffic_text(allowed)
    words = [traffic_text(allowed)] if allowed else []
    return "; ".join([*words, f"unknown: {traffic_text(unknown)}"])


def _due(one: Difference, change: Change) -> str:
    """Which end is new, or gone."""
    words = [f"{safe(name)} is {'new' if name in one.added else 'gone'}" for name in change.due_to]
    return f" ({', '.join(words)})" if words else ""


def _verdict(one: Difference) -> str:
    found = one.equivalence
    if found.holds:
        return "for every pod that could exist, the policies allow the same"
    if found.holds is False:
        text = f": {safe(found.witness.text)}" if found.witness else ""
        return f"the policies differ for pods that could exist{text}"
    return f"whether the policies differ for other pods is not known: {safe(found.reason)}"


def diff_json(differences: Sequence[Difference]) -> Iterator[str]:
    """One JSON document; `equivalent` is null where it could not be decided, and false where any cluster differs."""
    decided = [one.equivalence.holds for one in differences]
    equivalent = False if False in decided else None if None in decided else True
    changed = False
    witness = next((one.equivalence.witness for one in differences if one.equivalence.witness), None)
    yield f'{{"version": {VERSION},\n "connections": ['
    separator = "\n  "
    for one in differences:
        for change in one.changes():
            changed = True
            yield separator + dumps(_change_data(one.cluster, change), indent=None).rstrip("\n")
            separator = ",\n  "
    yield '],\n "workloads": '
    workloads = [
        {"cluster": one.cluster, "change": kind, "id": name}
        for one in differences
        for kind, names in (("added", one.added), ("removed", one.removed))
        for name in names
    ]
    yield dumps(workloads, indent=None).rstrip("\n")
    yield f',\n "changed": {dumps(changed or bool(workloads), indent=None).rstrip()}'
    yield f',\n "equivalent": {dumps(equivalent, indent=None).rstrip()}'
    reasons = [one.equivalence.reason for one in differences if one.equivalence.reason]
    yield f',\n "reason": {dumps("; ".join(reasons) or None, indent=None).rstrip()}'
    yield f',\n "witness": {dumps(witness_data(witness), indent=None).rstrip()}'
    notes = [{"cluster": one.cluster, "text": note} for one in differences for note in one.notes]
    yield f',\n "notes": {dumps(notes, indent=None).rstrip()}}}\n'


def _change_data(cluster: str, change: Change) -> dict[str, Any]:
    data: dict[str, Any] = {
        "cluster": cluster,
        "change": change.change,
        "from": change.source.id,
        "to": change.destination.id,
        "before": traffic_data(change.before),
        "after": traffic_data(change.after),
    }
    for name, party in (("fromEndpoint", change.source), ("toEndpoint", change.destination)):
        if party.kind == "address":
            data[name] = party_data(party)
    if change.unknown_before or change.unknown_after:
        data["unknownBefore"] = traffic_data(change.unknown_before)
        data["unknownAfter"] = traffic_data(change.unknown_after)
    if change.due_to:
        data["dueTo"] = list(change.due_to)
    return data


def witness_data(witness: Witness | None) -> dict[str, Any] | None:
    """`{"from", "to", "port", "protocol", "text"}`."""
    if witness is None:
        return None
    return {
        "from": witness.source,
        "to": witness.destination,
        "port": witness.port,
        "protocol": witness.protocol,
        "text": witness.text,
    }


def diff_markdown(differences: Sequence[Difference]) -> Iterator[str]:
    """A comment: what changes, as many rows as one may hold, and the proof's word on pods that are not there."""
    yield "### Network connectivity\n"
    room = _COMMENT_TABLES
    for one in differences:
        if len(differences) > 1:
            yield f"\n#### {cell(one.cluster)}\n"
        for word, names in (("New", one.added), ("Gone", one.removed)):
            if names:
                yield f"\n{word} workloads: {_some(names)}\n"
        count = written = 0
        for change in one.changes():
            if not count:
                yield "\n| | From | To | Before | After |\n|---|---|---|---|---|\n"
            count += 1
            if written < _COMMENT_ROWS and room > 0:
                row = (
                    f"| {change.change} | {cell(shown(change.source))} | {cell(shown(change.destination))} |"
                    f" {cell(_side(change.before, change.unknown_before))} |"
                    f" {cell(_side(change.after, change.unknown_after))} |\n"
                )
                room -= len(row)
                if room > 0:
                    written += 1
                    yield row
        if count > written:
            yield f"\nand {count - written} more\n"
        if not count:
            yield "\nNo connection among the workloads changes.\n"
        verdict = cell(_verdict(one))
        yield f"\n{verdict[:1].upper()}{verdict[1:]}.\n"
        yield from (f"\nNote: {cell(note)}\n" for note in one.notes)


def _some(names: Sequence[str]) -> str:
    """Names for a comment, at most some dozen."""
    more = f" and {len(names) - _COMMENT_NAMES} more" if len(names) > _COMMENT_NAMES else ""
    return ", ".join(cell(name) for name in names[:_COMMENT_NAMES]) + more
