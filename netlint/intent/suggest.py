"""The least-privilege NetworkPolicies that admit exactly the flows that the manifests need, with DNS."""

import ipaddress
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from netlint.cluster import Cluster, Workload
from netlint.intent.apiserver import api_servers
from netlint.intent.connections import is_api_server
from netlint.intent.dns import ClusterDns, uses_names
from netlint.intent.flow import API_SERVER, Flow, Outside, short
from netlint.intent.names import ServiceNames, resolves_services
from netlint.intent.needs import Intents
from netlint.intent.selectors import identifying_labels, peer_of
from netlint.intent.texts import mentioned
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
        egress = _rules(cluster, workload, intents.by_source.get(workload, ()), "to", notes)
        asks = intents.flow_by_name(workload) or uses_names(cluster, workload)
        if (asks or egress) and resolves_services(workload):
            egress.append(_dns_rule(dns, workload))
            notes.append(f"to the cluster's DNS{f': it looks up {asks}' if isinstance(asks, str) else ''}")
        notes += _left_out(cluster, intents.names, workload)
        notes += (
            f"covers {short(each)} too, whose labels are the same"
            for each in cluster.workloads_in(workload.namespace)
            if each is not workload and not each.host_network and labels.items() <= each.labels.items()
        )
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


def _left_out(cluster: Cluster, names: ServiceNames, workload: Workload) -> Iterator[str]:
    """The hosts that a workload's settings name and that are no Services of the input: no policy can name them."""
    if not resolves_services(workload):
        return
    seen: set[str] = set()
    for mention, text in mentioned(cluster, workload):
        reference = mention.reference
        number = reference.port or reference.default_port
        if text or number is None or "." not in reference.host or is_api_server(reference.host):
            continue
        if names.find(reference.host, workload) is None and reference.host not in seen:
            seen.add(reference.host)
            yield f"not admitted, since it is no Service of the input: {reference.host}:{number} ({mention.label})"


def _entering(intents: Intents, workload: Workload) -> list[Flow]:
    return [flow for flow in intents.by_destination.get(workload, ()) if flow.port is not None]


def _rules(
    cluster: Cluster, workload: Workload, flows: Iterable[Flow], side: str, notes: list[str]
) -> list[dict[str, Any]]:
    """One rule for each set of ports, with the peers that need just these."""
    ports_of: dict[str, tuple[list[dict[str, Any]], set[tuple[int, str]]]] = {}
    for flow in flows:
        other = flow.source if side == "from" else flow.destination
        evidence = flow.evidence[0].text if flow.evidence else "the manifests"
        needed = list(_needed(cluster, flow, other, workload.namespace))
        if not needed:
            notes.append(f"not admitted, since it has no labels to select it by: {side} {short(other)}")
            continue
        wanted = list(dict.fromkeys(port for _, port in needed))
        text = ", ".join(f"{port}/{protocol}" for port, protocol in wanted)
        notes.append(f"{side} {short(other)} on {text}: {evidence}{_widened(cluster, other)}")
        for peers, port in needed:
            _, ports = ports_of.setdefault(repr(peers), (peers, set()))
            ports.add(port)
    grouped: dict[tuple[tuple[int, str], ...], list[dict[str, Any]]] = {}
    for _, (peers, ports) in sorted(ports_of.items()):
        grouped.setdefault(tuple(sorted(ports)), []).extend(peers)
    return [
        {side: peers, "ports": [{"port": port, "protocol": protocol} for port, protocol in key]}
        for key, peers in sorted(grouped.items())
    ]


_Port: TypeAlias = tuple[int, str]


def _needed(
    cluster: Cluster, flow: Flow, other: Workload | Outside, namespace: str
) -> Iterator[tuple[list[dict[str, Any]], _Port]]:
    """The other end of a flow as peers, with the port that these need."""
    servers = api_servers(cluster) if other is flow.destination and other == API_SERVER else ()
    by_port: dict[int, list[str]] = {}
    for address, port in servers:
        by_port.setdefault(port, []).append(address)
    for port, addresses in sorted(by_port.items()):
        yield [_block(address) for address in addresses], (port, flow.protocol)
    if not servers:
        peers = _peers(cluster, other, namespace)
        for number in ((flow.port,) if flow.port else _KUBERNETES_PORTS) if peers else ():
            yield peers, (number, flow.protocol)


def _peers(cluster: Cluster, other: Workload | Outside, namespace: str) -> list[dict[str, Any]]:
    peer = peer_of(cluster, other, namespace) if isinstance(other, Workload) else None
    if peer is not None:
        return [peer]
    if isinstance(other, Workload) and not other.host_network:
        return []
    if cluster.facts.node_cidrs.value and other.id != "internet":
        return [_block(block) for block in cluster.facts.node_cidrs.value]
    return list(_outside(cluster))


def _widened(cluster: Cluster, other: Workload | Outside) -> str:
    """Words for a peer that stands for more than was needed."""
    if isinstance(other, Workload) and other.host_network and not cluster.facts.node_cidrs.value:
        return "; any address, since it is on the host's network and the nodes' addresses are not known"
    return ""


def _block(text: str) -> dict[str, Any]:
    return {"ipBlock": {"cidr": str(ipaddress.ip_network(text, strict=False))}}


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
        peers: list[dict[str, Any]] = [_block(r.endpoint.addresses.blocks()[0]) for r in dns.known]
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
