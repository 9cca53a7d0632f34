"""`netlint facts`: the cluster as understood, and why."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from netlint.cluster import Cluster
from netlint.cluster.facts import Evidence, Fact, NetworkFacts
from netlint.findings import Place
from netlint.knowledge.capabilities import capabilities
from netlint.reports.color import Paint
from netlint.reports.escape import safe, safe_file
from netlint.reports.json_text import VERSION, dumps, json_place

_LABELS = {
    "cni": "network plugin",
    "cni_version": "plugin version",
    "policy_engine": "policy engine",
    "enforces_network_policy": "policies enforced",
    "pod_cidrs": "pod ranges",
    "service_cidrs": "Service ranges",
    "node_cidrs": "node networks",
    "vpc_cidrs": "VPC ranges",
    "peer_cidrs": "peer networks",
    "docker_bridge_cidr": "Docker bridge",
    "node_mtu": "node MTU",
    "pod_mtu": "pod MTU",
    "proxy_mode": "kube-proxy mode",
    "node_port_range": "node port range",
    "cluster_dns": "cluster DNS",
    "load_balancer_provider": "load balancer",
    "kubernetes_version": "Kubernetes version",
}
_FEATURES = {"egress": "egress", "end_port": "endPort", "sctp": "SCTP", "named_ports": "named ports"}
_KEYS = {
    "cni": "cni.name",
    "encapsulation": "cni.encapsulation",
    "enforces_network_policy": "cni.enforcesNetworkPolicy",
    "pod_cidrs": "podCIDRs",
    "service_cidrs": "serviceCIDRs",
    "node_cidrs": "nodeCIDRs",
    "node_mtu": "nodeMTU",
    "pod_mtu": "cni.mtu",
    "proxy_mode": "proxyMode",
    "cluster_dns": "clusterDNS",
    "load_balancer_provider": "loadBalancer.provider",
    "kubernetes_version": "kubernetesVersion",
    "distribution": "distribution",
    "vpc_cidrs": "vpcCIDRs",
    "peer_cidrs": "peerCIDRs",
    "docker_bridge_cidr": "dockerBridgeCIDR",
}
"""The keys of netlint.yaml, below `cluster:`, that tell what the input does not."""
_WORDS = {"cidrs": "CIDRs", "cidr": "CIDR", "mtu": "MTU", "dns": "DNS"}


def facts_of(facts: NetworkFacts) -> Iterator[tuple[str, Fact[Any]]]:
    """Every fact by its name, in a fixed order."""
    for field in dataclasses.fields(facts):
        value = getattr(facts, field.name)
        if isinstance(value, Fact):
            yield field.name, value


def facts_text(clusters: Sequence[Cluster], paint: Paint, *, verbose: int = 0) -> str:
    """A block a cluster: what is known with its evidence (all of it when verbose), then what is not."""
    return "\n".join("".join(f"{line}\n" for line in _cluster(cluster, paint, verbose)) for cluster in clusters)


def _cluster(cluster: Cluster, paint: Paint, verbose: int) -> Iterator[str]:
    counts = ((cluster.manifests, "object"), (cluster.workloads, "workload"), (cluster.namespaces, "namespace"))
    size = ", ".join(f"{len(members)} {word}{'' if len(members) == 1 else 's'}" for members, word in counts)
    yield f"{paint.bold(f'Cluster {safe(cluster.name)}')}: {size}, {cluster.world} world"
    unknown = []
    for name, fact in facts_of(cluster.facts):
        label = _LABELS.get(name, name.replace("_", " "))
        if fact.value is None:
            unknown.append(label + (f" ({len(fact.evidence)} signs that do not agree)" if fact.evidence else ""))
            continue
        yield f"  {label + ':':<20} {paint.bold(safe(_value(fact.value)))}"
        for evidence in fact.evidence if verbose else fact.evidence[:1]:
            yield f"  {'':<20} {paint.dim(safe(_because(evidence)))}"
    for contradiction in cluster.facts.contradictions:
        where = f"{_where(contradiction.place)}: " if contradiction.place else ""
        yield f"  {paint.yellow('contradiction:'):<20} {where}{safe(contradiction.message)}"
    for line in _enforced(cluster.facts):
        yield f"  {'':<20} {paint.dim(safe(line.strip()))}" if line.startswith(" ") else f"  {safe(line)}"
    if unknown:
        yield f"  {'not known:':<20} {', '.join(unknown)}"
        keys = [key for name, key in _KEYS.items() if getattr(cluster.facts, name).value is None]
        if keys:
            yield f"  {'to tell netlint:':<20} in netlint.yaml, under `cluster:`: {', '.join(keys)}"


def _enforced(facts: NetworkFacts) -> Iterator[str]:
    """What the policy engine enforces of NetworkPolicies by its documentation."""
    row = capabilities(facts.policy_engine.value)
    if row is None or facts.enforces_network_policy.value is not True:
        return
    words = {True: "yes", False: "no", None: "not known"}
    features = ", ".join(f"{name} {words[getattr(row, field)]}" for field, name in _FEATURES.items())
    yield f"{'it enforces:':<20} {features}"
    if row.own_kinds:
        yield f" policies of its own: {', '.join(row.own_kinds)}"
    if row.admin_policies:
        yield f" policies of administrators: {row.admin_policies}"
    if row.note:
        yield f" {row.note}"
    yield f" source: {row.source}"


def _because(evidence: Evidence) -> str:
    where = f" ({_where(evidence.place)})" if evidence.place else ""
    return f"{evidence.text}{where}"


def _where(place: Place) -> str:
    location = place.locate()
    return f"{safe_file(location.file)}:{location.start_line}:{location.start_column}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        both_numbers = len(value) == 2 and all(isinstance(part, int) for part in value)
        return "-".join(map(str, value)) if both_numbers else ", ".join(map(str, value)) or "none"
    if dataclasses.is_dataclass(value):
        parts = (getattr(value, field.name) for field in dataclasses.fields(value))
        return ", ".join(_value(part) for part in parts if part)
    return str(value)


def facts_json(clusters: Sequence[Cluster]) -> str:
    """As in `schemas/facts.json`."""
    return dumps({"version": VERSION, "clusters": [_cluster_json(cluster) for cluster in clusters]})


def _cluster_json(cluster: Cluster) -> dict[str, Any]:
    return {
        "name": cluster.name,
        "world": cluster.world,
        "objects": len(cluster.manifests),
        "workloads": len(cluster.workloads),
        "namespaces": list(cluster.namespaces),
        "facts": {
            _camel(name): {
                "value": _plain(fact.value),
                "evidence": [
                    {"text": evidence.text, "origin": evidence.origin, **json_place(evidence.place)}
                    for evidence in fact.evidence
                ],
            }
            for name, fact in facts_of(cluster.facts)
        },
        "policyFeatures": _features_json(cluster.facts),
        "unknown": [
            {"fact": _camel(name), "declare": f"cluster.{_KEYS[name]}" if name in _KEYS else None}
            for name, fact in facts_of(cluster.facts)
            if fact.value is None
        ],
        "ranges": [
            {"role": entry.role.value, "range": entry.text, "source": entry.source, "origin": entry.origin}
            | json_place(entry.place)
            for entry in cluster.addresses.ranges
        ],
        "mtuSettings": [
            {"plugin": key.plugin, "name": key.name, "value": key.value, "family": key.family} | json_place(key.place)
            for key in cluster.facts.mtu_keys
        ],
        "contradictions": [
            {
                "fact": contradiction.fact,
                "severity": contradiction.severity.value,
                "message": contradiction.message,
                **json_place(contradiction.place),
            }
            for contradiction in cluster.facts.contradictions
        ],
    }


def _features_json(facts: NetworkFacts) -> dict[str, Any] | None:
    row = capabilities(facts.policy_engine.value)
    if row is None or facts.enforces_network_policy.value is not True:
        return None
    features = {_camel(field): getattr(row, field) for field in _FEATURES}
    return {
        "engine": row.engine,
        **features,
        "ownKinds": list(row.own_kinds),
        "adminPolicies": row.admin_policies or None,
        "note": row.note or None,
        "source": row.source,
    }


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {_camel(field.name): _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(_WORDS.get(word, word.capitalize()) for word in rest)
