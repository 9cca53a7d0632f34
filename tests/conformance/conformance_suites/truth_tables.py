"""The suites that are plain yes and no: cyclonus' truth tables and the flows of network-policy-api."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance_suites.result import Case
from conformance_suites.world import World, files_below
from netlint.policy import Readings, Verdict


def cyclonus(root: Path, readings: Readings, other_readings: Readings) -> Iterator[Case]:
    """One case a state: every pair of pods on every port, also under the other reading of ipBlocks where it matters."""
    folder = root / "cyclonus"
    for entry in json.loads((folder / "index.json").read_text()):

        def check(entry: dict[str, Any] = entry) -> list[str]:
            files = files_below(folder, entry["inputs"])
            expected = json.loads((folder / entry["expected"]).read_text())
            problems = _table(World.of(files, readings), expected["pods"], expected["table"])
            if "table_ipblock_never_matches_pods" in expected:
                other = World.of(files, other_readings)
                problems += _table(other, expected["pods"], expected["table_ipblock_never_matches_pods"])
            return problems

        yield Case("cyclonus", "table", "core", entry["case"], check)


def _table(world: World, pods: list[str], expected: dict[str, list[str]]) -> list[str]:
    endpoints = [world.pod(name) for name in pods]
    problems = []
    for question, rows in expected.items():
        protocol, _, port = question.partition("/")
        for row, source in enumerate(endpoints):
            for column, target in enumerate(endpoints):
                wanted = rows[row][column]
                if wanted == "-":
                    continue
                got = world.policy.verdict(source, target, protocol, int(port))
                if got is not (Verdict.ALLOWED if wanted == "." else Verdict.DENIED):
                    problems.append(f"{pods[row]} -> {pods[column]} {question}: wanted {wanted}, got {got.value}")
    return problems


def network_policy_api(root: Path, readings: Readings) -> Iterator[Case]:
    """One case a flow; flows of one state share its world."""
    folder = root / "network-policy-api"
    for entry in json.loads((folder / "index.json").read_text()):
        worlds: list[World] = []

        def world(entry: dict[str, Any] = entry, worlds: list[World] = worlds) -> World:
            if not worlds:
                worlds.append(World.of(files_below(folder, entry["inputs"]), readings))
            return worlds[0]

        for number, flow in enumerate(json.loads((folder / entry["expected"]).read_text())):

            def check(flow: dict[str, Any] = flow, world: Any = world) -> list[str]:
                found = world()
                source, target = found.pod(flow["src"]), found.pod(flow["dst"])
                got = found.policy.verdict(source, target, flow["protocol"], flow["port"])
                wanted = Verdict.ALLOWED if flow["allowed"] else Verdict.DENIED
                said = f"{flow['src']} -> {flow['dst']} {flow['port']}/{flow['protocol']}"
                return [] if got is wanted else [f"{said}: wanted {wanted.value}, got {got.value}"]

            yield Case("network-policy-api", "flow", "cnp", f"{entry['case']}#{number}", check)
