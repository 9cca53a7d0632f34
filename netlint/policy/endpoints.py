"""The endpoints of a cluster as predicates see them: pods, nodes, the API server, and the addresses outside."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from netlint.policy.form import PolicySet
from netlint.policy.readings import Readings
from netlint.predicates import (
    ALL_ADDRESSES,
    ALL_IPV4,
    NAME,
    NO_ADDRESSES,
    AddressIn,
    AddressSet,
    Endpoint,
    EndpointKind,
    EndpointPort,
    Scope,
)

if TYPE_CHECKING:
    from netlint.cluster import Cluster, NamespaceInfo, Workload

API_SERVER_ID = "kubernetes/api-server"
INTERNET_ID = "internet"


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
        return _parsed(value) if value else None

    nodes = read(facts.node_cidrs.value)
    seen = AddressSet()
    for node in cluster.all(Node):
        seen |= _parsed(_node_addresses(node))
    if nodes is None and seen:
        nodes = seen
    others = _parsed((*(facts.vpc_cidrs.value or ()), *(facts.peer_cidrs.value or ())))
    return Ranges(read(facts.pod_cidrs.value), nodes, read(facts.service_cidrs.value), others)


def endpoints_of_cluster(cluster: "Cluster", readings: Readings, ranges: Ranges) -> list[Endpoint]:
    """The workloads, the nodes, then the API server, in the cluster's order."""
    from netlint.resources.core import Node

    nodes = cluster.all(Node)
    node_by_name = {node.name: node for node in nodes}
    found = []
    for workload in cluster.workloads:
        namespace = cluster.namespaces[workload.namespace]
        found.append(_workload(workload, namespace, readings, ranges, node_by_name))
    for node in nodes:
        addresses = _parsed(_node_addresses(node)) or ranges.node_addresses()
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
    found.append(
        Endpoint(API_SERVER_ID, EndpointKind.API_SERVER, None, "api-server", addresses=ranges.node_addresses())
    )
    return found


def _workload(
    workload: "Workload",
    namespace: "NamespaceInfo",
    readings: Readings,
    ranges: Ranges,
    nodes: Mapping[str, object],
) -> Endpoint:
    host = workload.host_network and not readings.hostnetwork_as_pods
    known = _parsed(workload.addresses)
    open_scopes = set() if namespace.labels_known else {Scope.NAMESPACE}
    node_labels: dict[str, str] = {}
    names = workload.node_names
    if len(names) == 1 and names[0] in nodes:
        node = nodes[names[0]]
        node_labels = {**getattr(node, "labels", {}), NAME: names[0]}
        if host and not known:
            known = _parsed(_node_addresses(node))
    else:
        open_scopes.add(Scope.NODE)
    labels = workload.labels
    if readings.hidden_label_prefixes:
        labels = {key: value for key, value in labels.items() if not readings.hides(key)}
    hidden = {key for key in workload.unknown_label_keys if readings.hides(key)}
    return Endpoint(
        id=workload.id,
        kind=EndpointKind.HOST if host else EndpointKind.POD,
        namespace=workload.namespace,
        name=workload.name,
        labels=labels,
        namespace_labels={**namespace.labels, NAME: workload.namespace},
        node_labels=node_labels,
        service_account_labels={NAME: workload.service_account},
        ports=tuple(EndpointPort(port.name or "", port.protocol, port.number) for port in workload.ports),
        addresses=known or (ranges.node_addresses() if workload.host_network else ranges.pod_addresses()),
        unknown_keys=frozenset((Scope.POD, key) for key in workload.unknown_label_keys - hidden),
        open_scopes=frozenset(open_scopes),
        source=workload,
    )


def external_endpoints(policies: PolicySet, cuts: Iterable[AddressSet], inside: AddressSet) -> list[Endpoint]:
    """The addresses outside the cluster, cut at every block that the rules or `cuts` mention, one endpoint for each
    group of addresses that no block tells apart. `inside` is left out: who has those addresses is known."""
    blocks = list(
        dict.fromkeys(
            [
                atom.addresses
                for rule in policies.rules
                for part in (rule.peer, rule.local)
                for atom in part.atoms()
                if isinstance(atom, AddressIn)
            ]
            + [cut for cut in cuts if cut]
        )
    )
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


def _parsed(blocks: Iterable[str]) -> AddressSet:
    """The blocks that can be read, together; what cannot is for other rules to report."""
    found = NO_ADDRESSES
    for each in blocks:
        try:
            found |= AddressSet.parse(each)
        except ValueError:
            continue
    return found
