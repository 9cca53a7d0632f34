"""All suites together, each under the readings that it was written for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from conformance_suites import nca, netpol, truth_tables
from conformance_suites.result import Case, Deviations
from netlint.policy import Readings

HERE = Path(__file__).resolve().parent.parent
DEVIATIONS = HERE / "deviations.yaml"
SUITES = ("cyclonus", "nca", "netpol-analyzer", "network-policy-api")


def all_cases(shared: Path, deviations: Deviations, suite: str | None = None) -> Iterator[Case]:
    """The cases of one suite, or of all, in the order of their index files."""
    root = shared / "conformance"
    readings = {name: Readings(**options) for name, options in deviations.readings.items()}
    if suite in (None, "cyclonus"):
        yield from truth_tables.cyclonus(root, readings["cyclonus"], readings["cyclonus, ipBlocks outside only"])
    if suite in (None, "network-policy-api"):
        yield from truth_tables.network_policy_api(root, readings["network-policy-api"])
    if suite in (None, "netpol-analyzer"):
        yield from netpol.cases(root, readings["netpol-analyzer"])
    if suite in (None, "nca"):
        yield from nca.cases(root, readings["nca"])
