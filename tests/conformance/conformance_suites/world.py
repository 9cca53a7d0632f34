"""From a suite's files to netlint's answers in the normal form."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from conformance_suites.netpol_tables import Table
from conformance_suites.traffic import PROTOCOLS, Traffic, steps
from netlint.cluster import Cluster, ClusterInput, Workload, build
from netlint.policy import PolicyAnalysis, Readings
from netlint.policy.queries.reach import Reachability
from netlint.predicates import Endpoint, EndpointKind, TrafficSet
from netlint.resources import Manifest, load
from netlint.sources import ReadOptions, read, read_text

# Some suites call a namespace y, for readers to which that is a text. To kubectl it is a boolean unless it is quoted.
_PLAIN_Y = re.compile(r"^(\s*(?:[\w./-]+:|-) +)y$", re.MULTILINE)


@dataclass
class World:
    """One input, read as the only cluster and as the whole of it: what it does not hold does not exist."""

    manifests: list[Manifest]
    cluster: Cluster
    policy: PolicyAnalysis

    @classmethod
    def of(cls, files: Iterable[Path], readings: Readings) -> World:
        documents = []
        for path in files:
            if _PLAIN_Y.search(text := path.read_text(encoding="utf-8")):
                documents += read_text(_PLAIN_Y.sub(r'\1"y"', text), str(path)).documents
            else:
                documents += read([str(path)], options=ReadOptions()).documents
        manifests = load(documents)
        cluster = build(ClusterInput("default", tuple(manifests)), world="closed")
        return cls(manifests, cluster, without_ranges(PolicyAnalysis.of(cluster, readings=readings)))

    @cached_property
    def table(self) -> Table:
        """Everything allowed, as `netlint reach` says it."""
        return table_of(self.policy)

    @cached_property
    def workloads(self) -> dict[str, Endpoint]:
        """The pods and workloads by the name that the suites give them."""
        kinds = (EndpointKind.POD, EndpointKind.HOST)
        return {name_of(one): one for one in self.policy.endpoints if one.kind in kinds}

    def pod(self, name: str) -> Endpoint:
        """The endpoint of a pod by `namespace/name`, also where it is folded into a workload. Raises KeyError."""
        for workload in self.cluster.workloads:
            names = {workload.name, *(pod.name for pod in workload.pods)}
            if name in {f"{workload.namespace}/{one}" for one in names}:
                found = self.policy.endpoints_of(workload)
                return next((one for one in found if f"{one.namespace}/{one.name}" == name), found[0])
        raise KeyError(name)


def without_ranges(policy: PolicyAnalysis) -> PolicyAnalysis:
    """The same analysis where no range of the cluster is known: the suites take every address for one outside."""
    return PolicyAnalysis(
        policy.policies,
        policy.inside,
        policy.readings,
        namespaces=policy.namespaces,
        closed_namespaces=policy.closed_namespaces,
    )


def table_of(policy: PolicyAnalysis, *, everything: bool = False) -> Table:
    """All that an analysis allows: TCP, UDP and SCTP, and IPv4 addresses; with `everything` also the rest of both.

    The pods of one workload stand under its name where they all have the same connections.
    """
    names = {one.id: name_of(one) for one in policy.inside}
    pods: dict[str, set[str]] = {}
    for identity, name in names.items():
        pods.setdefault(name, set()).add(identity)
    outside: dict[tuple[str, str], dict[str, list[tuple[int, int, Traffic]]]] = {}
    inside: dict[tuple[str, str], dict[tuple[str, str], Traffic]] = {}
    for passage in Reachability("default", policy).passages():
        traffic = normal(passage.allowed) if everything else normal(passage.allowed).without_other()
        source, target = passage.source, passage.destination
        if not traffic:
            continue
        if "address" in (source.kind, target.kind):
            end, far, side = (target, source, "in") if source.kind == "address" else (source, target, "out")
            rows = outside.setdefault((names[end.id], side), {}).setdefault(end.id, [])
            rows += [(low, high, traffic) for low, high in places(far.blocks, everything)]
        elif names[source.id] != names[target.id]:
            inside.setdefault((names[source.id], names[target.id]), {})[source.id, target.id] = traffic
    table = Table()
    for (start, end), found in inside.items():
        if len(found) == len(pods[start]) * len(pods[end]) and len(set(found.values())) == 1:
            table.pairs[start, end] = next(iter(found.values()))
        else:
            table.pairs.update({(peer_name(one), peer_name(other)): traffic for (one, other), traffic in found.items()})
    for (name, side), rows_of in outside.items():
        shapes = {identity: steps(rows) for identity, rows in rows_of.items()}
        if shapes.keys() == pods[name] and len(set(shapes.values())) == 1:
            table.outside[name, side] = next(iter(shapes.values()))
        else:
            table.outside.update({(peer_name(identity), side): shape for identity, shape in shapes.items()})
    table.outside = {side: shape for side, shape in table.outside.items() if shape}
    return table


def name_of(endpoint: Endpoint) -> str:
    """The name of an endpoint's workload, as the suites write it."""
    return peer_name(endpoint.source.id if isinstance(endpoint.source, Workload) else endpoint.id)


@cache
def normal(traffic: TrafficSet) -> Traffic:
    """netlint's traffic in the normal form."""
    ports = {protocol: traffic.ports(protocol) for protocol in PROTOCOLS}
    return Traffic.of(dict(ports), bool(traffic - traffic.without_other()))


def peer_name(identity: str) -> str:
    """`shop/Deployment/web` as the suites write it: `shop/web[Deployment]`."""
    parts = identity.split("/")
    return f"{parts[0]}/{parts[2]}[{parts[1]}]" if len(parts) == 3 else identity


IPV6_OFFSET = 2**128


def places(blocks: Iterable[str], everything: bool = False) -> list[tuple[int, int]]:
    """Blocks as stretches of one line of numbers: IPv4 first, IPv6 (only with `everything`) far behind."""
    return [(low, high) for low, high in map(_place, blocks) if everything or low < IPV6_OFFSET]


@cache
def _place(block: str) -> tuple[int, int]:
    network = ipaddress.ip_network(block)
    offset = 0 if network.version == 4 else IPV6_OFFSET
    return int(network.network_address) + offset, int(network.broadcast_address) + offset


def files_below(root: Path, names: Sequence[str]) -> list[Path]:
    return [root / name for name in names]
