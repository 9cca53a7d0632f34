"""The endpoints of a cluster as predicates see them: pods, nodes, the API server, and the addresses outside."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from netlint.policy.form import PolicySet
from netlint.policy.readings import Readings
from netlint.predicates import (
    ALL_ADDRESSES,
    ALL_IPV4,
    NAME,
    NO_ADDRESSES,
    AddressSet,
    Endpoint,
    EndpointKind,
    EndpointPort,
    Label,
    Scope,
)

if TYPE_CHECKING:
    from netlint.cluster import Cluster, Workload
    from netlint.resources.core import Pod

API_SERVER_ID = "kubernetes/api-server"
INTERNET_ID = "internet"
_NONE: Final[frozenset[str]] = frozenset()
_NOWHERE: Final[frozenset[Scope]] = frozenset()
_NAMESPACE, _NODE = frozenset({Scope.NAMESPACE}), frozenset({Scope.NODE})


@dataclass(frozen=True, slots=True)
class Ranges:
    """Where the endpoints of the cluster have their addresses, as far as that is known; None is not known."""

    pods: AddressSet | None = None
    nodes: AddressSet | None = None
    services: AddressSet | None = None
    others: AddressSet = NO_ADDRESSES
    """Further known networks around the cluster (VPC, peers): not the internet, but outside the cluster."""

    @property
    def known(self) -> AddressSet:
        return (
            (self.pods or NO_ADDRESSES) | (self.nodes or NO_ADDRESSES) | (self.services or NO_ADDRESSES) | self.others
        )

    def pod_addresses(self) -> AddressSet:
        """Where a pod of unknown address may be: the pod range, or anywhere in IPv4."""
        return self.pods or ALL_IPV4

    def node_addresses(self) -> AddressSet:
        return self.nodes or ALL_IPV4


def ranges_of(cluster: "Cluster") -> Ranges:
    """The ranges of a cluster's facts, and the addresses of its nodes."""
    from netlint.resources.core import Node

    facts = cluster.facts

    def read(value: Sequence[str] | None) -> AddressSet | None:
        return parsed(value) if value else None

    nodes = read(facts.node_cidrs.value)
    seen = AddressSet()
    for node in cluster.all(Node):
        seen |= parsed(_node_addresses(node))
    if nodes is None and seen:
        nodes = seen
    others = parsed((*(facts.vpc_cidrs.value or ()), *(facts.peer_cidrs.value or ())))
    return Ranges(read(facts.pod_cidrs.value), nodes, read(facts.service_cidrs.value), others)


def endpoints_of_cluster(cluster: "Cluster", policies: PolicySet, readings: Readings, ranges: Ranges) -> list[Endpoint]:
    """The workloads, the nodes, then the API server, in the cluster's order. A workload is one endpoint where the
    policies cannot tell the pods apart that are known of it; else each pod is one."""
    return _Reader(cluster, policies, readings, ranges).endpoints()


class _Reader:
    def __init__(self, cluster: "Cluster", policies: PolicySet, readings: Readings, ranges: Ranges) -> None:
        from netlint.resources.core import Node

        self._cluster = cluster
        self._readings = readings
        self._ranges = ranges
        self._nodes = cluster.all(Node)
        self._node_by_name = {node.name: node for node in self._nodes}
        self._keys: dict[Scope, set[str]] = {scope: set() for scope in Scope}
        for predicate in policies.predicates:
            for atom in predicate.atoms():
                if isinstance(atom, Label):
                    self._keys[atom.scope].add(atom.key)
        self._blocks = policies.blocks
        self._pod_keys = sorted(self._keys[Scope.POD])
        self._node_keys = sorted(self._keys[Scope.NODE])
        self._bounds = sorted(
            {bound for block in self._blocks for low, high in block.intervals for bound in (low, high + 1)}
        )

    def endpoints(self) -> list[Endpoint]:
        found = [endpoint for workload in self._cluster.workloads for endpoint in self._workload(workload)]
        for node in self._nodes:
            addresses = parsed(_node_addresses(node)) or self._ranges.node_addresses()
            labels = {**node.labels, NAME: node.name}
            found.append(
                Endpoint(
                    f"Node/{node.name}",
                    EndpointKind.NODE,
                    None,
                    node.name,
                    node_labels=labels,
                    addresses=addresses,
                    source=node,
                )
            )
        server = self._ranges.node_addresses()
        found.append(Endpoint(API_SERVER_ID, EndpointKind.API_SERVER, None, "api-server", addresses=server))
        return found

    def _workload(self, workload: "Workload") -> list[Endpoint]:
        pods = [pod for pod in workload.pods if pod.status is None or pod.status.phase not in ("Succeeded", "Failed")]
        held = [_pod_addresses(pod) for pod in pods]
        if len(pods) > 1 and self._differ(pods, held):
            return [
                self._endpoint(workload, f"{workload.namespace}/Pod/{pod.name}", pod.name, [pod], addresses)
                for pod, addresses in sorted(zip(pods, held, strict=True), key=lambda pair: pair[0].name)
            ]
        return [self._endpoint(workload, workload.id, workload.name, pods, union(held))]

    def _differ(self, pods: "Sequence[Pod]", held: Sequence[AddressSet]) -> bool:
        """Whether the policies can tell pods of one template apart."""
        labels = pods[0].labels
        if any(pod.labels != labels for pod in pods) and _vary(
            tuple(map(pod.labels.get, self._pod_keys)) for pod in pods
        ):
            return True
        if self._node_keys and _vary(self._node_sight(pod) for pod in pods):
            return True
        if not self._bounds:
            return False
        # addresses between the same two bounds are in the same blocks
        return _vary(
            tuple((bisect_right(self._bounds, low), bisect_right(self._bounds, high)) for low, high in each.intervals)
            for each in held
        ) and _vary(tuple(bool(each and each <= block) for block in self._blocks) for each in held)

    def _node_sight(self, pod: "Pod") -> tuple[str | None, ...]:
        node = self._node_by_name.get(pod.spec.node_name or "")
        return tuple(map(node.labels.get, self._node_keys)) if node else ()

    def _endpoint(
        self, workload: "Workload", id: str, name: str, pods: "Sequence[Pod]", addresses: AddressSet
    ) -> Endpoint:
        ranges = self._ranges
        namespace = self._cluster.namespaces[workload.namespace]
        host = workload.host_network and not self._readings.hostnetwork_as_pods
        open_scopes: frozenset[Scope] = _NOWHERE if namespace.labels_known else _NAMESPACE
        names = {pod.spec.node_name for pod in pods} if pods else set(workload.node_names)
        nodes = [
            self._node_by_name[each] for each in sorted(each or "" for each in names) if each in self._node_by_name
        ]
        node_labels: Mapping[str, str] = {}
        differing = _NONE
        if nodes and len(nodes) == len(names):
            node_labels, differing = _shared([{**node.labels, NAME: node.name} for node in nodes])
            if host and not addresses:
                addresses = parsed(address for node in nodes for address in _node_addresses(node))
        else:
            open_scopes |= _NODE
        labels, varying = _shared([pod.labels for pod in pods]) if pods else (workload.labels, _NONE)
        unknown = workload.unknown_label_keys.difference(labels) | varying
        if self._readings.hidden_label_prefixes:
            labels = {key: value for key, value in labels.items() if not self._readings.hides(key)}
            unknown = frozenset(key for key in unknown if not self._readings.hides(key))
        elsewhere = ranges.node_addresses() if workload.host_network else ranges.pod_addresses()
        return Endpoint(
            id=id,
            kind=EndpointKind.HOST if host else EndpointKind.POD,
            namespace=workload.namespace,
            name=name,
            labels=labels,
            namespace_labels=namespace.labels,
            node_labels=node_labels,
            service_account_labels={NAME: workload.service_account},
            # to a policy it is a node, at which no name of a port is resolved
            ports=()
            if host
            else tuple(EndpointPort(port.name or "", port.protocol, port.number) for port in workload.ports),
            addresses=addresses or elsewhere,
            unknown_keys=_unknown_keys(unknown, differing),
            open_scopes=open_scopes,
            source=workload,
        )


def _pod_addresses(pod: "Pod") -> AddressSet:
    status = pod.status
    if status is None:
        return NO_ADDRESSES
    listed = [entry.ip for entry in status.pod_ips or () if entry.ip]
    if status.pod_ip and status.pod_ip not in listed:
        listed.append(status.pod_ip)
    return parsed(listed)


def _vary(sights: Iterable[object]) -> bool:
    return len(set(sights)) > 1


def _shared(labels: "Sequence[Mapping[str, str]]") -> tuple[Mapping[str, str], frozenset[str]]:
    """The labels that all have alike, and the keys that not all have alike."""
    first, *others = labels
    if all(each == first for each in others):
        return first, _NONE
    common = {key: value for key, value in first.items() if all(each.get(key) == value for each in others)}
    return common, frozenset(key for each in labels for key in each).difference(common)


@lru_cache(maxsize=1 << 12)  # what is set at run time is alike for all workloads of a kind
def _unknown_keys(pod: frozenset[str], node: frozenset[str]) -> frozenset[tuple[Scope, str]]:
    return frozenset([*((Scope.POD, key) for key in pod), *((Scope.NODE, key) for key in node)])


def external_endpoints(policies: PolicySet, cuts: Iterable[AddressSet], inside: AddressSet) -> list[Endpoint]:
    """The addresses outside the cluster, cut at every block that the rules or `cuts` mention, one endpoint for each
    group of addresses that no block tells apart. `inside` is left out: who has those addresses is known."""
    blocks = list(dict.fromkeys((*policies.blocks, *(cut for cut in cuts if cut))))
    return [
        Endpoint(str(held), EndpointKind.EXTERNAL, None, str(held), addresses=held)
        for held in cut_addresses(blocks, inside)
    ]


def cut_addresses(blocks: Sequence[AddressSet], inside: AddressSet = NO_ADDRESSES) -> list[AddressSet]:
    """All addresses but `inside`, in groups that no block divides, in the order of their first address."""
    events: list[tuple[int, int]] = []
    for number, each in enumerate([ALL_ADDRESSES, inside, *blocks]):
        for low, high in each.intervals:
            events.append((low, number))
            events.append((high + 1, number))
    events.sort()
    groups: dict[int, list[tuple[int, int]]] = {}
    current = 0
    before = 0
    for position, number in events:
        if position > before and current & 1 and not current & 2:
            groups.setdefault(current, []).append((before, position - 1))
        current ^= 1 << number
        before = position
    return sorted((AddressSet(held) for held in groups.values()), key=lambda held: held.intervals)


def _node_addresses(node: object) -> tuple[str, ...]:
    status = getattr(node, "status", None)
    listed = getattr(status, "addresses", None) or ()
    return tuple(each.address for each in listed if each.type in ("InternalIP", "ExternalIP") and each.address)


def parsed(blocks: Iterable[str]) -> AddressSet:
    """The blocks that can be read, together; what cannot is for other rules to report."""
    return union([found for each in blocks if (found := _parsed(each)) is not None])


@lru_cache(maxsize=1 << 16)
def _parsed(block: str) -> AddressSet | None:
    try:
        return AddressSet.parse(block)
    except ValueError:
        return None


def union(sets: Sequence[AddressSet]) -> AddressSet:
    """All the addresses of some sets."""
    if len(sets) == 1:
        return sets[0]
    return AddressSet(interval for each in sets for interval in each.intervals)
