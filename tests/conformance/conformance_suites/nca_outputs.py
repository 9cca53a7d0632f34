"""nca's texts: connectivity maps and changes, as pairs or as minimised rules over label expressions."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from conformance_suites.netpol_tables import Table
from conformance_suites.traffic import (
    ALL,
    EVERY_PORT,
    NOTHING,
    PROTOCOLS,
    Steps,
    Traffic,
    address,
    merge,
    steps,
    subtract,
)
from conformance_suites.world import IPV6_OFFSET
from netlint.predicates import Endpoint

EVERYTHING = Traffic(ALL.ports, True)
_PAIR = re.compile(r"(.+?) => (.+?) : (.+)")
_RULE = re.compile(
    r"(?:src: (?P<src>.+?)|src_ns: \[(?P<src_ns>[^\]]*)\] src_pods: \[(?P<src_pods>[^\]]*)\])"
    r" (?:dst: (?P<dst>.+?)|dst_ns: \[(?P<dst_ns>[^\]]*)\] dst_pods: \[(?P<dst_pods>[^\]]*)\]) conn: (?P<conn>.+)"
)


def connection(text: str) -> Traffic:
    """`All connections`, `{protocols:TCP,dst_ports:80}`, `{protocols:all but TCP}`, several joined by commas."""
    if text == "All connections":
        return EVERYTHING
    if text == "No connections":
        return NOTHING
    found = NOTHING
    for cube in re.findall(r"\{([^}]*)\}", text):
        fields = dict(re.findall(r"(\w+):((?:[^,:]|,(?!\w+:))*)", cube))
        if set(fields) - {"protocols", "dst_ports"}:
            raise ValueError(f"traffic beyond ports: {text}")
        ranges = _ports(fields["dst_ports"]) if "dst_ports" in fields else EVERY_PORT
        protocols = fields.get("protocols", "")
        if protocols.startswith("all but "):
            left_out = protocols.removeprefix("all but ").split(",")
            names, other = [name for name in PROTOCOLS if name not in left_out], True
        else:
            names, other = (protocols.split(",") if protocols else list(PROTOCOLS)), not protocols
        if "dst_ports" in fields:
            other = False
        found |= Traffic.of(dict.fromkeys(names, ranges), other)
    if not found:
        raise ValueError(f"traffic that is not understood: {text}")
    return found


def _ports(text: str) -> tuple[tuple[int, int], ...]:
    ranges = []
    for piece in text.removeprefix("all but ").split(","):
        low, _, high = piece.partition("-")
        ranges.append((int(low), int(high or low)))
    return subtract(EVERY_PORT, merge(ranges)) if text.startswith("all but ") else merge(ranges)


def _blocks(text: str) -> list[tuple[int, int]] | None:
    """Addresses as stretches; None where the text is the name of a pod."""
    found = []
    for piece in text.split(","):
        piece = piece.strip()
        low, dash, high = piece.partition("-")
        try:
            if dash:
                found.append((address(low), address(high)))
            else:
                network = ipaddress.ip_network(piece)
                offset = 0 if network.version == 4 else IPV6_OFFSET
                found.append((int(network.network_address) + offset, int(network.broadcast_address) + offset))
        except ValueError:
            return None
    return found


def _expand(rows: list[tuple[object, object, Traffic]]) -> Table:
    """Rows of pods (lists of names) and blocks (lists of stretches) as a table; a pod to itself is left out."""
    table = Table()
    outside: dict[tuple[str, str], list[tuple[int, int, Traffic]]] = {}
    for sources, targets, traffic in rows:
        assert isinstance(sources, list)
        assert isinstance(targets, list)
        for source in sources:
            for target in targets:
                if isinstance(source, tuple) and isinstance(target, str):
                    outside.setdefault((target, "in"), []).append((*source, traffic))
                elif isinstance(target, tuple) and isinstance(source, str):
                    outside.setdefault((source, "out"), []).append((*target, traffic))
                elif isinstance(source, str) and source != target:
                    table.pairs[source, target] = table.pairs.get((source, target), NOTHING) | traffic
    table.outside = {side: steps(found) for side, found in outside.items()}
    return table


def _pods(namespaces: str, pods: str, known: Mapping[str, Endpoint]) -> list[str]:
    spaces = set(namespaces.split(","))
    inside = {name: pod for name, pod in known.items() if pod.namespace in spaces}
    pods = pods.strip()
    if pods == "*":
        return sorted(inside)
    if match := re.fullmatch(r"\(?([\w./-]+)(?: (not in|in) \(([^)]*)\)|=([\w./-]+))\)?", pods):
        key, operator, listed, single = match.groups()
        values = set(listed.split(",")) if listed is not None else {single}
        wanted = operator != "not in"
        return sorted(name for name, pod in inside.items() if (pod.labels.get(key) in values) == wanted)
    if match := re.fullmatch(r"\(?(!?)has\(([\w./-]+)\)\)?", pods):
        return sorted(name for name, pod in inside.items() if (match[2] in pod.labels) != bool(match[1]))
    if not re.fullmatch(r"[\w.,/ -]+", pods):
        raise ValueError(f"an expression over pods that is not understood: {pods}")
    names = {piece.strip() for piece in pods.split(",")}
    return sorted(name for name in inside if name.partition("/")[2].partition("[")[0] in names)


def _row(line: str, known: Mapping[str, Endpoint]) -> tuple[object, object, Traffic] | None:
    if match := _RULE.fullmatch(line):
        sides: list[object] = []
        for side in ("src", "dst"):
            if match[side] is not None:
                blocks = _blocks(match[side])
                if blocks is None:
                    raise ValueError(f"a peer that is not understood: {match[side]}")
                sides.append(blocks)
            else:
                sides.append(_pods(match[f"{side}_ns"], match[f"{side}_pods"], known))
        return sides[0], sides[1], connection(match["conn"])
    if match := _PAIR.fullmatch(line):
        ends: list[object] = [_blocks(name) or [name] for name in match.groups()[:2]]
        return ends[0], ends[1], connection(match[3])
    return None


_KEYS = {
    "Lost connections between removed peers": ("lost", "gone-gone"),
    "Lost connections between removed peers and ipBlocks": ("lost", "gone-outside"),
    "Lost connections between removed peers and persistent peers": ("lost", "gone-stay"),
    "Removed connections between persistent peers": ("lost", "stay-stay"),
    "Removed connections between persistent peers and ipBlocks": ("lost", "stay-outside"),
    "Added connections between persistent peers": ("new", "stay-stay"),
    "Added connections between persistent peers and ipBlocks": ("new", "stay-outside"),
    "New connections between persistent peers and added peers": ("new", "stay-came"),
    "New connections between added peers": ("new", "came-came"),
    "New connections between added peers and ipBlocks": ("new", "came-outside"),
}


def categories(
    before: Table, after: Table, pods_before: set[str], pods_after: set[str]
) -> dict[tuple[str, str], Table]:
    """What is lost and what is new, by who is at the two ends; empty categories are left out."""
    stay = pods_before & pods_after
    found: dict[tuple[str, str], Table] = {}
    for way, has, lacks in (("lost", before, after), ("new", after, before)):
        word = "gone" if way == "lost" else "came"
        for pair, traffic in has.pairs.items():
            rest = traffic - lacks.pairs.get(pair, NOTHING)
            if rest:
                inside = [name in stay for name in pair]
                kind = "stay-stay" if all(inside) else f"{word}-{word}" if not any(inside) else _mixed(word)
                found.setdefault((way, kind), Table()).pairs[pair] = rest
        for side, blocks in has.outside.items():
            rest_steps = _minus(blocks, lacks.outside.get(side, ()))
            if rest_steps:
                kind = "stay-outside" if side[0] in stay else f"{word}-outside"
                found.setdefault((way, kind), Table()).outside[side] = rest_steps
    return found


def _mixed(word: str) -> str:
    return "gone-stay" if word == "gone" else "stay-came"


def _minus(left: Steps, right: Steps) -> Steps:
    cuts = sorted({edge for low, high, _ in (*left, *right) for edge in (low, high + 1)})
    rows = []
    for low, after in pairwise(cuts):
        here = next((traffic for a, b, traffic in left if a <= low <= b), NOTHING)
        there = next((traffic for a, b, traffic in right if a <= low <= b), NOTHING)
        rows.append((low, after - 1, here - there))
    return steps(rows)


Owners = Mapping[str, str]


def _by_owner(table: Table, owners: Owners) -> Table:
    """The table under the names of the pods' owners; among the pods of one owner nothing is compared."""
    named = Table()
    for (source, target), traffic in table.pairs.items():
        pair = (owners.get(source, source), owners.get(target, target))
        if pair[0] != pair[1]:
            named.pairs[pair] = named.pairs.get(pair, NOTHING) | traffic
    outside: dict[tuple[str, str], list[tuple[int, int, Traffic]]] = {}
    for (name, side), blocks in table.outside.items():
        outside.setdefault((owners.get(name, name), side), []).extend(blocks)
    named.outside = {side: steps(blocks) for side, blocks in outside.items()}
    return named


def compare(
    query: str,
    text: str,
    tables: Sequence[Table],
    pods: Sequence[Mapping[str, Endpoint]],
    owners: Sequence[Owners],
) -> list[str]:
    """The differences between a text of nca and netlint's tables, in meaning."""
    if query == "connectivityMap":
        parts = re.split(r"^final fw rules for query: .*$", text, flags=re.MULTILINE)
        sections = [part for part in parts if part.strip()]
        if len(sections) != len(tables):
            return [f"{len(sections)} maps for {len(tables)} configurations"]
        problems = []
        for section, table, known, names in zip(sections, tables, pods, owners, strict=True):
            wanted_map = _by_owner(_expand(_rows(section, known)), names)
            problems += wanted_map.differences(_by_owner(table, names))
        return problems
    wanted: dict[tuple[str, str], list[tuple[object, object, Traffic]]] = {}
    key: tuple[str, str] | None = None
    known = {**pods[0], **pods[1]}
    for line in text.splitlines():
        heading = line.partition(" (based on")[0].strip()
        if heading in _KEYS:
            key = _KEYS[heading]
        elif line.strip() and key is not None:
            row = _row(line.strip(), known)
            if row is None:
                raise ValueError(f"a line that is not understood: {line}")
            wanted.setdefault(key, []).append(row)
    ours = categories(tables[0], tables[1], set(pods[0]), set(pods[1]))
    problems = []
    for one in sorted(wanted.keys() | ours.keys()):
        both = {**owners[0], **owners[1]}
        wanted_rows = _by_owner(_expand(wanted.get(one, [])), both)
        differences = wanted_rows.differences(_by_owner(ours.get(one, Table()), both))
        problems += [f"{one}: {difference}" for difference in differences]
    return problems


def _rows(section: str, known: Mapping[str, Endpoint]) -> list[tuple[object, object, Traffic]]:
    rows = []
    for line in section.splitlines():
        if line.strip():
            row = _row(line.strip(), known)
            if row is None:
                raise ValueError(f"a line that is not understood: {line}")
            rows.append(row)
    return rows
