"""The least-privilege NetworkPolicies that admit exactly the flows that the manifests need, with DNS."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from netlint.cluster import Cluster, Workload
from netlint.intent.dns import ClusterDns, uses_names
from netlint.intent.flow import Flow, Outside, short
from netlint.intent.names import resolves_services
from netlint.intent.needs import Intents
from netlint.intent.selectors import identifying_labels, peer_of
from netlint.policy import PolicyAnalysis
from netlint.predicates import NAME, EndpointKind

_KUBERNETES_PORTS = (443, 6443)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One policy as plain data. `notes` say in words what each rule is for, and what no policy can say."""

    workload: Workload
    manifest: dict[str, Any]
    notes: tuple[str, ...]


def suggest(cluster: Cluster, policy: PolicyAnalysis, intents: Intents) -> tuple[Suggestion, ...]:
    """A policy for each workload that policies can be for: not on the host's network, and with labels to select by.

    Not for the cluster's own namespace kube-system: what its pods need stands in no manifest. Both directions are
    isolated. Jobs and other workloads without any need get a policy that allows nothing.
    """
    dns = ClusterDns(cluster, policy)
    found = []
    names: set[tuple[str, str]] = set()
    for workload in cluster.workloads:
        labels = identifying_labels(cluster, workload)
        if workload.host_network or not labels or workload.namespace == "kube-system":
            continue
        name = (
            workload.name
            if (workload.namespace, workload.name) not in names
            else f"{workload.name}-{workload.kind.lower()}"
        )
        names.add((workload.namespace, name))
        notes: list[str] = []
        ingress = _rules(cluster, workload, _entering(intents, workload), "from", notes)
        egress = _rules(cluster, workload, _leaving(intents, workload), "to", notes)
        asks = any(flow.by_name for flow in intents.flows if flow.source is workload) or uses_names(cluster, workload)
        if (asks or egress) and resolves_services(workload):
            egress.append(_dns_rule(dns, workload))
            notes.append(f"to the cluster's DNS{f': it looks up {asks}' if isinstance(asks, str) else ''}")
        spec: dict[str, Any] = {
            "podSelector": {"matchLabels": labels},
            "policyTypes": ["Ingress", "Egress"],
            "ingress": ingress,
            "egress": egress,
        }
        manifest = {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "metadata": {"name": name, "namespace": workload.namespace},
            "spec": {key: value for key, value in spec.items() if value},
        }
        found.append(Suggestion(workload, manifest, tuple(dict.fromkeys(notes))))
    return tuple(found)


def _entering(intents: Intents, workload: Workload) -> list[Flow]:
    return [flow for flow in intents.flows if flow.destination is workload and flow.port is not None]


def _leaving(intents: Intents, workload: Workload) -> list[Flow]:
    return [flow for flow in intents.flows if flow.source is workload]


def _rules(
    cluster: Cluster, workload: Workload, flows: Iterable[Flow], side: str, notes: list[str]
) -> list[dict[str, Any]]:
    """One rule for each set of ports, with the peers that need just these."""
    ports_of: dict[str, tuple[list[dict[str, Any]], set[tuple[int, str]]]] = {}
    for flow in flows:
        other = flow.source if side == "from" else flow.destination
        peers = _peers(cluster, other, workload.namespace)
        direction = "from" if side == "from" else "to"
        evidence = flow.evidence[0].text if flow.evidence else "the manifests"
        if not peers:
            notes.append(f"not admitted, since no selector reaches the host's network: {direction} {short(other)}")
            continue
        wanted = [(flow.port, flow.protocol)] if flow.port else [(port, "TCP") for port in _KUBERNETES_PORTS]
        text = ", ".join(f"{port}/{protocol}" for port, protocol in wanted)
        notes.append(f"{direction} {short(other)} on {text}: {evidence}")
        _, ports = ports_of.setdefault(other.id, (peers, set()))
        ports.update(wanted)
    grouped: dict[tuple[tuple[int, str], ...], list[dict[str, Any]]] = {}
    for _, (peers, ports) in sorted(ports_of.items()):
        grouped.setdefault(tuple(sorted(ports)), []).extend(peers)
    return [
        {side: peers, "ports": [{"port": port, "protocol": protocol} for port, protocol in key]}
        for key, peers in sorted(grouped.items())
    ]


def _peers(cluster: Cluster, other: Workload | Outside, namespace: str) -> list[dict[str, Any]]:
    if isinstance(other, Workload):
        peer = peer_of(cluster, other, namespace)
        if peer is not None:
            return [peer]
        nodes = cluster.facts.node_cidrs.value or ()
        return [{"ipBlock": {"cidr": block}} for block in nodes] if other.host_network else []
    if other.name == "api-server" and cluster.facts.node_cidrs.value:
        return [{"ipBlock": {"cidr": block}} for block in cluster.facts.node_cidrs.value]
    return list(_outside(cluster))


def _outside(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """Every address but those of pods, as far as their ranges are known."""
    pods = cluster.facts.pod_cidrs.value or ()
    for whole, colon in (("0.0.0.0/0", False), ("::/0", True)):
        inside = sorted(block for block in pods if (":" in block) == colon)
        if not colon or inside:
            yield {"ipBlock": {"cidr": whole, **({"except": inside} if inside else {})}}


def _dns_rule(dns: ClusterDns, workload: Workload) -> dict[str, Any]:
    pods = [r for r in dns.known if r.endpoint.kind is EndpointKind.POD]
    if dns.known and not pods:
        peers: list[dict[str, Any]] = [{"ipBlock": {"cidr": f"{r.endpoint.addresses.blocks()[0]}"}} for r in dns.known]
        numbers = [53]
    elif pods and isinstance(pods[0].endpoint.source, Workload):
        peer = peer_of(dns.cluster, pods[0].endpoint.source, workload.namespace)
        peers = [peer] if peer else []
        numbers = sorted({resolver.port for resolver in pods})
    elif dns.openshift:
        labels = {"dns.operator.openshift.io/daemonset-dns": "default"}
        peers, numbers = [_pods("openshift-dns", labels)], [5353]
    else:
        peers, numbers = [_pods("kube-system", {"k8s-app": "kube-dns"})], [53]
    ports = [{"port": number, "protocol": protocol} for number in numbers for protocol in ("UDP", "TCP")]
    return {"to": peers, "ports": ports}


def _pods(namespace: str, labels: dict[str, str]) -> dict[str, Any]:
    return {"namespaceSelector": {"matchLabels": {NAME: namespace}}, "podSelector": {"matchLabels": labels}}
