"""netpol-analyzer's connectivity tables: text, JSON, CSV, Markdown and dot, all into one `Table`."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, field
from typing import Any

from conformance_suites.traffic import ALL, NOTHING, Steps, Traffic, address, parse_connection, show_range, steps

_EXTERNAL = re.compile(r"(\d+\.\d+\.\d+\.\d+)-(\d+\.\d+\.\d+\.\d+)\[External\]")
_TEXT = re.compile(r"(.+?) => (.+?)(?: : (.+))?")
_EDGE = re.compile(r'\s*"([^"]*)" -> "([^"]*)" \[label="([^"]*)"(.*)\]')
_FOCUS = re.compile(r"Permitted connections on (\w+) (\d+):")


def external(peer: str) -> tuple[int, int] | None:
    """The addresses of an external peer, or None for a workload."""
    match = _EXTERNAL.fullmatch(peer.strip())
    return (address(match[1]), address(match[2])) if match else None


@dataclass
class Table:
    """Pairs of workloads, and for each workload what passes to (`out`) and from (`in`) outside addresses."""

    pairs: dict[tuple[str, str], Traffic] = field(default_factory=dict)
    outside: dict[tuple[str, str], Steps] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: list[tuple[str, str, Traffic]]) -> Table:
        table = cls()
        outside: dict[tuple[str, str], list[tuple[int, int, Traffic]]] = {}
        for source, target, traffic in rows:
            if not traffic:
                continue
            if (block := external(source)) is not None:
                outside.setdefault((target, "in"), []).append((*block, traffic))
            elif (block := external(target)) is not None:
                outside.setdefault((source, "out"), []).append((*block, traffic))
            else:
                table.pairs[source, target] = table.pairs.get((source, target), NOTHING) | traffic
        table.outside = {key: steps(found) for key, found in outside.items()}
        return table

    def restricted(self, allowed: Traffic) -> Table:
        """Only what passes on these ports."""
        table = Table()
        table.pairs = {key: both for key, traffic in self.pairs.items() if (both := traffic & allowed)}
        table.outside = {
            key: kept
            for key, found in self.outside.items()
            if (kept := steps((low, high, traffic & allowed) for low, high, traffic in found))
        }
        return table

    def differences(self, ours: Table) -> list[str]:
        """Where `ours` differs, in words; empty when the tables say the same."""
        found: list[str] = []
        for key in sorted(self.pairs.keys() | ours.pairs.keys()):
            wanted, got = self.pairs.get(key, NOTHING), ours.pairs.get(key, NOTHING)
            if wanted != got:
                found.append(f"{key[0]} => {key[1]}: wanted {wanted}, got {got}")
        for side in sorted(self.outside.keys() | ours.outside.keys()):
            wanted_steps, got_steps = self.outside.get(side, ()), ours.outside.get(side, ())
            if wanted_steps != got_steps:
                found.append(f"{side[0]} ({side[1]}): wanted {_show(wanted_steps)}, got {_show(got_steps)}")
        return found


def _show(found: Steps) -> str:
    return "; ".join(f"{show_range(low, high)} {traffic}" for low, high, traffic in found) or "nothing"


def read_rows(text: str, form: str, focus: Traffic = ALL) -> list[tuple[str, str, Traffic]]:
    """The rows of a list in one of upstream's formats. Rows under an exposure heading are not read here.

    `focus` is what a row means that names no traffic: the list was asked for on one port.
    """
    if form == "json":
        data: Any = json.loads(text) if text.strip() else []
        rows = data
        if isinstance(data, dict):
            rows = data.get("connlist_results") or data.get("connlist_conn_focus_results")
        return [(row["src"], row["dst"], _traffic(row.get("conn"), focus)) for row in rows or []]
    text = re.split(r"^#* ?Exposure Analysis Result", text, maxsplit=1, flags=re.MULTILINE)[0]
    if form == "csv":
        return [
            (row[0], row[1], _traffic(row[2] if len(row) == 3 else None, focus))
            for row in csv.reader(io.StringIO(text))
            if len(row) in (2, 3) and row[0] not in ("src", "") and row[1]
        ]
    if form == "md":
        cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines()]
        return [
            (row[0], row[1], _traffic(row[2] if len(row) == 3 else None, focus))
            for row in cells
            if len(row) in (2, 3) and row[0] != "src" and not row[0].startswith("--")
        ]
    if form == "dot":
        return [
            (match[1], match[2], _traffic(match[3], focus))
            for line in text.splitlines()
            if (match := _EDGE.fullmatch(line)) and "style=dashed" not in match[4]
        ]
    return _read_text(text)


def _traffic(text: str | None, focus: Traffic) -> Traffic:
    return parse_connection(text) if text else focus


def _read_text(text: str) -> list[tuple[str, str, Traffic]]:
    rows: list[tuple[str, str, Traffic]] = []
    focus = ALL
    for line in text.splitlines():
        if match := _FOCUS.match(line.strip()):
            focus = Traffic.of({match[1]: [(int(match[2]), int(match[2]))]})
        elif match := _TEXT.fullmatch(line.strip()):
            rows.append((match[1], match[2], parse_connection(match[3]) if match[3] else focus))
    return rows


def focus_of(text: str) -> Traffic:
    """`tcp-8080` of upstream's command line as traffic."""
    protocol, _, port = text.partition("-")
    return Traffic.of({protocol.upper(): [(int(port), int(port))]})
