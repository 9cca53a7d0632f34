"""Inputs that netpol-analyzer refuses or warns of: netlint must say so, by a finding of `netlint check` or in words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from netlint.cluster import ClusterInput, build
from netlint.cluster.config import no_config
from netlint.findings import Finding, Severity
from netlint.policy import PolicyAnalysis
from netlint.policy.queries.expressions import ByName
from netlint.policy.queries.reach import Reachability
from netlint.policy.queries.resolve import UnknownEndpointError, resolve
from netlint.reports.reach_tables import text as reach_text
from netlint.resources import load
from netlint.sources import ReadOptions, read
from netlint.triage import Options, check

# What upstream says, and the codes of ours that say the same. Severities below warning do not count.
_SAME: tuple[tuple[str, frozenset[str]], ...] = (
    (r"invalid CIDR address|CIDR error", frozenset({"NET004"})),
    (r"selector error", frozenset({"NET004"})),
    (r"rule NetworkPolicyPeer error", frozenset({"NET004"})),
    (r"named port error|named port is not defined for IP", frozenset({"NET004", "NET107", "NET108"})),
    (r"two (NetworkPolicies|AdminNetworkPolicies|Namespaces) with", frozenset({"NET007"})),
    (r"endPort field cannot", frozenset({"NET004"})),
    (r"illegal port range", frozenset({"NET004"})),
    (r"assigned the same priority", frozenset({"NET118"})),
    (r"ANP priority out of", frozenset({"NET004"})),
    (r"exactly one field must be set", frozenset({"NET004"})),
    (r"field must be defined and contain at least one item", frozenset({"NET004"})),
    (r"unrecognized action", frozenset({"NET004"})),
    (r"only one baseline admin network policy may be", frozenset({"NET004", "NET007"})),
    (r"metadata.name=default", frozenset({"NET004"})),
    (r"port name: ", frozenset({"NET107"})),
    (r"is missing in|unrecognized type|cannot restore slice", frozenset({"NET001", "NET004"})),
)


def findings(root: Path, names: list[str]) -> list[Finding]:
    """Everything `netlint check` says of the files, at least as bad as a warning."""
    reading = read([str(root / name) for name in names], options=ReadOptions())
    cluster = build(ClusterInput("default", tuple(load(reading.documents))), world="closed")
    result = check(reading, [cluster], no_config(), Options(select=("NET0", "NET1")), progress=lambda what: None)
    return [one for one in result.findings if one.severity is not Severity.INFO]


def check_error(root: Path, entry: dict[str, Any]) -> list[str]:
    if not entry["inputs"]:
        return _says(root, entry, "no workload in the input")
    return _matched(root, entry, entry["expected_error"])


def check_warning(root: Path, entry: dict[str, Any]) -> list[str]:
    """Every warning of upstream must have its counterpart."""
    problems: list[str] = []
    for warning in entry["expected_warnings"]:
        if match := re.fullmatch(r'WorkloadDoesNotExistErrStr \("([^"]+)"\)', warning):
            problems += _unknown_workload(root, entry, match[1])
        elif "no relevant Kubernetes workload" in warning:
            problems += _says(root, entry, "no workload in the input")
        else:
            problems += _matched(root, entry, warning)
    return problems


def _matched(root: Path, entry: dict[str, Any], said: str) -> list[str]:
    codes = next((codes for pattern, codes in _SAME if re.search(pattern, said)), frozenset[str]())
    found = findings(root, entry["inputs"])
    if any(one.code in codes for one in found):
        return []
    return [f"{said!r}: wanted one of {sorted(codes) or 'no rule of ours'}, got {sorted({one.code for one in found})}"]


def _analysis(root: Path, entry: dict[str, Any]) -> tuple[Any, PolicyAnalysis]:
    names = [str(root / name) for name in entry["inputs"]]
    documents = read(names, options=ReadOptions()).documents if names else []
    cluster = build(ClusterInput("default", tuple(load(documents))), world="closed")
    return cluster, PolicyAnalysis.of(cluster)


def _says(root: Path, entry: dict[str, Any], words: str) -> list[str]:
    _, policy = _analysis(root, entry)
    said = "".join(reach_text(Reachability("default", policy)))
    return [] if words in said else [f"wanted {words!r}, got {said[:80]!r}"]


def _unknown_workload(root: Path, entry: dict[str, Any], name: str) -> list[str]:
    """A name that nothing has is refused; upstream's names may lack the namespace, which netlint asks for."""
    cluster, policy = _analysis(root, entry)
    namespace, slash, plain = name.rpartition("/")
    spaces = [namespace] if slash else sorted({workload.namespace for workload in cluster.workloads})
    for space in spaces:
        try:
            resolve(ByName(space, None, plain), cluster, policy)
        except UnknownEndpointError:
            continue
        return [f"{space}/{plain} was found"]
    return []
