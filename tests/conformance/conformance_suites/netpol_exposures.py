"""netpol-analyzer's exposure: what each workload is open to beyond the workloads that the input holds."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, field
from typing import Any

from conformance_suites.netpol_tables import external
from conformance_suites.traffic import ALL, Steps, Traffic, parse_connection, steps

ENTIRE = "entire-cluster"
_ROW = re.compile(r"(\S+)\s+(=>|<=)\s+(.+?)(?: : (.*))?")
_UNPROTECTED = re.compile(r"(\S+) is not protected on (Egress|Ingress)")
_EXPRESSION = re.compile(r"\{Key:([^,]+),Operator:(\w+),Values:\[([^\]]*)\],\}")

Selector = frozenset[tuple[str, str, tuple[str, ...]]]
Part = str | Selector


@dataclass
class Exposure:
    """Rows of groups (a namespace part and a pod part), of outside blocks, and who is unprotected on which side."""

    groups: dict[tuple[str, str, Part, Part], Traffic] = field(default_factory=dict)
    outside: dict[tuple[str, str], Steps] = field(default_factory=dict)
    unprotected: set[tuple[str, str]] | None = None


def read_part(text: str) -> Part:
    """`[all pods]` and `[all namespaces]` are the empty selector; a plain word is a name."""
    if text in ("[all pods]", "[all namespaces]"):
        return frozenset()
    match = re.fullmatch(r"\[(?:pod|namespace) with \{(.*)\}\]", text)
    if match is None:
        return text
    inside = match[1]
    requirements = [
        (key, operator, tuple(sorted(values.split()))) for key, operator, values in _EXPRESSION.findall(inside)
    ]
    rest = _EXPRESSION.sub("", inside)
    for pair in filter(None, (piece.strip() for piece in rest.split(","))):
        key, _, value = pair.partition("=")
        requirements.append((key, "In", (value,)))
    return frozenset(requirements)


def read_exposure(text: str, form: str, focus: Traffic = ALL) -> Exposure:
    """The exposure section in one of upstream's formats; only text says who is unprotected."""
    rows: list[tuple[str, str, str, str]] = []
    unprotected: set[tuple[str, str]] | None = None
    if form == "json":
        whole: Any = json.loads(text)
        data = whole.get("exposure_results") or whole.get("exposure_conn_focus_results") or {}
        rows += [(row["src"], "out", row["dst"], row.get("conn", "")) for row in data.get("egress_exposure") or []]
        rows += [(row["dst"], "in", row["src"], row.get("conn", "")) for row in data.get("ingress_exposure") or []]
        return _exposure(rows, None, focus)
    _, _, section = text.partition("Exposure Analysis Result")
    if form == "txt":
        unprotected = set() if focus == ALL else None
        for line in section.splitlines():
            if match := _ROW.fullmatch(line.strip()):
                rows.append((match[1], "out" if match[2] == "=>" else "in", match[3], match[4] or ""))
            elif unprotected is not None and (match := _UNPROTECTED.fullmatch(line.strip())):
                unprotected.add((match[1], "out" if match[2] == "Egress" else "in"))
        return _exposure(rows, unprotected, focus)
    side = "out"
    lines = (
        list(csv.reader(io.StringIO(section)))
        if form == "csv"
        else [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in section.splitlines()]
    )
    for cells in lines:
        if cells and "Ingress Exposure" in cells[0]:
            side = "in"
        elif len(cells) in (2, 3) and "/" in cells[0] and not cells[0].startswith("-"):
            rows.append((cells[0], side, cells[1], cells[2] if len(cells) == 3 else ""))
    return _exposure(rows, None, focus)


def _exposure(
    rows: list[tuple[str, str, str, str]], unprotected: set[tuple[str, str]] | None, focus: Traffic
) -> Exposure:
    found = Exposure(unprotected=unprotected)
    outside: dict[tuple[str, str], list[tuple[int, int, Traffic]]] = {}
    for workload, side, other, text in rows:
        traffic = parse_connection(text) if text else focus
        if not traffic and external(other) is not None:
            continue
        if (block := external(other)) is not None:
            outside.setdefault((workload, side), []).append((*block, traffic))
        elif other == ENTIRE:
            found.groups[workload, side, frozenset(), frozenset()] = traffic
        else:
            namespace, pods = split_other(other)
            found.groups[workload, side, namespace, pods] = traffic
    found.outside = {key: steps(blocks) for key, blocks in outside.items()}
    return found


def split_other(other: str) -> tuple[Part, Part]:
    """`<namespace part>/<pod part>`: label keys may hold slashes, so the cut is the one outside brackets."""
    depth = 0
    for place, character in enumerate(other):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "/" and depth == 0:
            return read_part(other[:place]), read_part(other[place + 1 :])
    raise ValueError(f"not an exposure peer: {other}")
