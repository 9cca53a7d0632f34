"""What the user says in netlint.yaml."""

from collections.abc import Iterator
from typing import Any

from netlint.cluster.config import ClusterSettings
from netlint.cluster.facts import ClusterDNS
from netlint.cluster.gathering.claims import CLUSTER, Claim, block, blocks
from netlint.knowledge.capabilities import plugin_name

_RANGES = (
    ("pod_cidrs", "podCIDRs"),
    ("service_cidrs", "serviceCIDRs"),
    ("node_cidrs", "nodeCIDRs"),
    ("vpc_cidrs", "vpcCIDRs"),
    ("peer_cidrs", "peerCIDRs"),
)


def read(settings: ClusterSettings | None) -> Iterator[Claim]:
    if settings is None:
        return
    known = settings
    for fact, key in _RANGES:
        texts = getattr(known, fact)
        if texts is not None:
            yield _claim(known, fact, blocks(texts), key)
    if known.docker_bridge_cidr:
        yield _claim(known, "docker_bridge_cidr", block(known.docker_bridge_cidr), "dockerBridgeCIDR")
    for fact, value, key in (
        ("node_mtu", known.node_mtu, "nodeMTU"),
        ("proxy_mode", known.proxy_mode, "proxyMode"),
        ("node_port_range", known.node_ports, "nodePortRange"),
        ("kubernetes_version", (known.kubernetes_version or "").removeprefix("v") or None, "kubernetesVersion"),
        ("distribution", known.distribution and known.distribution.lower(), "distribution"),
    ):
        if value:
            yield _claim(known, fact, value, key)
    yield from _plugin(known)
    dns = known.cluster_dns
    if dns is not None and (dns.service or dns.addresses):
        yield _claim(known, "cluster_dns", ClusterDNS(dns.service, tuple(dns.addresses or ())), "clusterDNS")
    if known.load_balancer is not None and known.load_balancer.provider:
        yield _claim(known, "load_balancer_provider", known.load_balancer.provider.lower(), "loadBalancer", "provider")


def _plugin(settings: ClusterSettings) -> Iterator[Claim]:
    cni = settings.cni
    if cni is None:
        return
    for fact, value, key in (
        ("cni", cni.name and plugin_name(cni.name), "name"),
        ("cni_version", cni.version, "version"),
        ("encapsulation", cni.encapsulation and _encapsulation(cni.encapsulation), "encapsulation"),
        ("pod_mtu", cni.mtu, "mtu"),
        ("policy_engine", cni.policy_engine and plugin_name(cni.policy_engine), "policyEngine"),
        ("enforces_network_policy", cni.enforces_network_policy, "enforcesNetworkPolicy"),
    ):
        if value is not None and value != "":
            yield _claim(settings, fact, value, "cni", key)


def _encapsulation(text: str) -> str:
    name = text.lower().replace("-", "")
    return {"ipinip": "ipip", "wireguardnative": "wireguard", "hostgw": "none", "native": "none"}.get(name, name)


def _claim(settings: ClusterSettings, fact: str, value: Any, *path: str) -> Claim:
    key = ".".join(path)
    return Claim(fact, value, key, f"declared in netlint.yaml ({key})", settings.at(*path), "declared", CLUSTER)
