"""The suite of netpol-analyzer: lists, differences, single questions, explanations and exposure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance_suites import netpol_findings
from conformance_suites.netpol_check import check_explanations, check_exposure
from conformance_suites.netpol_diffs import read_difference, said_of, wrong_words
from conformance_suites.netpol_explanations import read_explanations
from conformance_suites.netpol_exposures import read_exposure
from conformance_suites.netpol_tables import Table, focus_of, read_rows
from conformance_suites.result import Case
from conformance_suites.traffic import ALL, Traffic, parse_connection
from conformance_suites.world import World, files_below, normal
from netlint.policy import Direction, Readings
from netlint.policy.queries.diff import Difference as NetlintDifference
from netlint.predicates import AddressIn

MEASURED_TIERS = ("core", "anp")


@dataclass(frozen=True)
class Focus:
    """Upstream's filters of the command line."""

    workloads: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    direction: str = ""
    traffic: Traffic = ALL

    @classmethod
    def of(cls, args: dict[str, Any]) -> Focus:
        traffic = focus_of(args["focus-conn"]) if args.get("focus-conn") else ALL
        return cls(
            tuple(args.get("focusworkload") or ()),
            tuple(args.get("focusworkload-peer") or ()),
            args.get("focus-direction") or "",
            traffic,
        )

    def keeps(self, source: str, target: str) -> bool:
        """Whether a pair is shown: one end is in focus (the one that the direction names), the other is a peer."""
        ways = []
        if self.direction in ("", "egress"):
            ways.append((source, target))
        if self.direction in ("", "ingress"):
            ways.append((target, source))
        return not self.workloads or any(
            _is(self.workloads, one) and (not self.peers or _is(self.peers, other)) for one, other in ways
        )

    def table(self, found: Table) -> Table:
        shown = Table()
        shown.pairs = {pair: traffic for pair, traffic in found.pairs.items() if self.keeps(*pair)}
        shown.outside = {
            side: blocks
            for side, blocks in found.outside.items()
            if self.keeps(*((side[0], "outside") if side[1] == "out" else ("outside", side[0])))
        }
        return shown.restricted(self.traffic)


def _is(names: Sequence[str], peer: str) -> bool:
    """Whether `shop/web[Deployment]` is named as `web` or `shop/web`."""
    plain = peer.partition("[")[0]
    return plain in names or plain.rpartition("/")[2] in names


def _cuts(world: World, direction: Direction) -> set[int]:
    """Where a block of a rule of this direction begins, or the addresses after one."""
    return {
        edge
        for rule in world.policy.policies.rules
        if rule.direction is direction
        for atom in rule.peer.atoms()
        if isinstance(atom, AddressIn)
        for low, high in atom.addresses.family(4).intervals
        for edge in (low, high + 1)
    }


@dataclass
class Suite:
    """Worlds are kept: one folder serves many cases."""

    root: Path
    readings: Readings
    _worlds: dict[tuple[str, ...], World] = field(default_factory=dict)

    def world(self, entry: dict[str, Any], folder: str | None = None) -> World:
        names = tuple(name for name in entry["inputs"] if folder is None or name.startswith(folder.rstrip("/") + "/"))
        if names not in self._worlds:
            if len(self._worlds) > 40:
                self._worlds.clear()
            self._worlds[names] = World.of(files_below(self.root, names), self.readings)
        return self._worlds[names]

    def text(self, entry: dict[str, Any]) -> str:
        return (self.root / entry["expected"]).read_text(encoding="utf-8")

    def check_list(self, entry: dict[str, Any]) -> list[str]:
        focus = Focus.of(entry["args"])
        wanted = Table.of(read_rows(self.text(entry), entry["args"]["format"], focus.traffic))
        return wanted.differences(focus.table(self.world(entry).table))

    def check_count(self, entry: dict[str, Any]) -> list[str]:
        """Upstream counts lines: pairs, and for each workload the ranges that any rule of the direction cuts out."""
        world = self.world(entry)
        table = Focus.of(entry["args"]).table(world.table)
        count = len(table.pairs)
        for (_, side), found in table.outside.items():
            cuts = _cuts(world, Direction.INGRESS if side == "in" else Direction.EGRESS)
            count += sum(1 + sum(low < cut <= high for cut in cuts) for low, high, _ in found)
        return [] if count == entry["expected_count"] else [f"wanted {entry['expected_count']} lines, got {count}"]

    def check_diff(self, entry: dict[str, Any]) -> list[str]:
        wanted = read_difference(self.text(entry), entry["args"]["format"])
        before, after = (self.world(entry, folder) for folder in entry["dirs"])
        found = NetlintDifference("default", before.policy, after.policy)
        return wanted.differences(said_of(found)) + wrong_words(found)

    def check_eval(self, entry: dict[str, Any]) -> list[str]:
        args, world = entry["args"], self.world(entry)
        if args.get("all_connections"):
            got = self._between(world, args["source"], args["destination"]).without_other()
            wanted = parse_connection(entry["expected_value"])
            return [] if got == wanted else [f"wanted {wanted}, got {got}"]
        got = self._between(world, args["source"], args["destination"])
        allowed = got.holds(args["protocol"].upper(), int(args["port"]))
        return [] if allowed == entry["expected_value"] else [f"wanted {entry['expected_value']}, got {allowed}"]

    def _between(self, world: World, source: str, target: str) -> Traffic:
        """What passes between pods or blocks; for a block, what passes for each of its addresses."""
        if "/" in source and source.split("/")[0].count(".") == 3:
            policy = world.policy
            found = policy.connection(policy.address(source), world.pod(target))
            return normal(found.allowed)
        return normal(world.policy.connection(world.pod(source), world.pod(target)).allowed)

    def check_explain(self, entry: dict[str, Any]) -> list[str]:
        return check_explanations(
            read_explanations(self.text(entry)), self.world(entry), Focus.of(entry["args"]), entry["args"]
        )

    def check_exposure(self, entry: dict[str, Any]) -> list[str]:
        form, focus = entry["args"]["format"], Focus.of(entry["args"])
        text = self.text(entry)
        world = self.world(entry)
        problems = Table.of(read_rows(text, form, focus.traffic)).differences(focus.table(world.table))
        if form == "dot":
            return problems
        return problems + check_exposure(read_exposure(text, form, focus.traffic), world, focus, entry["tier"])


def cases(root: Path, readings: Readings) -> Iterator[Case]:
    """One case an entry of the index, in its tiers that are measured; what is broken on purpose asks for findings."""
    suite = Suite(root / "netpol-analyzer", readings)
    for entry in json.loads((suite.root / "index.json").read_text()):
        if entry["tier"] not in MEASURED_TIERS:
            continue
        query, check = _question(suite, entry)
        form = entry["args"].get("format", "")
        yield Case(
            "netpol-analyzer", query, entry["tier"], _name(entry, form), lambda check=check, entry=entry: check(entry)
        )


def _name(entry: dict[str, Any], form: str) -> str:
    name = entry["case"]
    if entry["command"] == "eval":
        args = entry["args"]
        port = f":{args['port']}/{args['protocol']}" if "port" in args else ""
        name += f"[{args['source']}->{args['destination']}{port}]"
        if args.get("multiple-networks"):
            name += "+"
    return f"{name}.{form}" if form else name


def _question(suite: Suite, entry: dict[str, Any]) -> tuple[str, Callable[[dict[str, Any]], list[str]]]:
    if entry.get("expected_error") is not None:
        return "error", lambda one: netpol_findings.check_error(suite.root, one)
    if entry.get("expected_warnings") is not None:
        return "warning", lambda one: netpol_findings.check_warning(suite.root, one)
    if entry.get("expected_count") is not None:
        return "count", suite.check_count
    return entry["command"], {
        "list": suite.check_list,
        "diff": suite.check_diff,
        "eval": suite.check_eval,
        "explain": suite.check_explain,
        "exposure": suite.check_exposure,
    }[entry["command"]]


__all__ = ["MEASURED_TIERS", "Focus", "Suite", "cases"]
