"""From a suite's files to netlint's answers in the normal form."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from conformance_suites.netpol_tables import Table
from conformance_suites.traffic import NOTHING, PROTOCOLS, Traffic, steps
from netlint.cluster import Cluster, ClusterInput, build
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
        return cls(manifests, cluster, PolicyAnalysis.of(cluster, readings=readings))

    @cached_property
    def table(self) -> Table:
        """Everything allowed, as `netlint reach` says it."""
        return table_of(self.policy)

    @cached_property
    def workloads(self) -> dict[str, Endpoint]:
        """The pods and workloads by the name that the suites give them."""
        kinds = (EndpointKind.POD, EndpointKind.HOST)
        return {peer_name(one.id): one for one in self.policy.endpoints if one.kind in kinds}

    def pod(self, name: str) -> Endpoint:
        """The endpoint of a pod by `namespace/name`, also where it is folded into a workload. Raises KeyError."""
        for workload in self.cluster.workloads:
            names = {workload.name, *(pod.name for pod in workload.pods)}
            if name in {f"{workload.namespace}/{one}" for one in names}:
                found = self.policy.endpoints_of(workload)
                return next((one for one in found if f"{one.namespace}/{one.name}" == name), found[0])
        raise KeyError(name)


def table_of(policy: PolicyAnalysis, *, everything: bool = False) -> Table:
    """All that an analysis allows: TCP, UDP and SCTP, and IPv4 addresses; with `everything` also the rest of both."""
    outside: dict[tuple[str, str], list[tuple[int, int, Traffic]]] = {}
    table = Table()
    for passage in Reachability("default", policy).passages():
        traffic = normal(passage.allowed) if everything else normal(passage.allowed).without_other()
        if not traffic:
            continue
        if passage.source.kind == "address":
            side = outside.setdefault((peer_name(passage.destination.id), "in"), [])
            side += [(low, high, traffic) for low, high in places(passage.source.blocks, everything)]
        elif passage.destination.kind == "address":
            side = outside.setdefault((peer_name(passage.source.id), "out"), [])
            side += [(low, high, traffic) for low, high in places(passage.destination.blocks, everything)]
        else:
            key = (peer_name(passage.source.id), peer_name(passage.destination.id))
            table.pairs[key] = table.pairs.get(key, NOTHING) | traffic
    table.outside = {key: found for key, blocks in outside.items() if (found := steps(blocks))}
    return table


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
    found = []
    for block in blocks:
        network = ipaddress.ip_network(block)
        offset = 0 if network.version == 4 else IPV6_OFFSET
        if network.version == 4 or everything:
            found.append((int(network.network_address) + offset, int(network.broadcast_address) + offset))
    return found


def files_below(root: Path, names: Sequence[str]) -> list[Path]:
    return [root / name for name in names]
