"""cilium-config (cilium install/kubernetes/cilium/templates/cilium-configmap.yaml, cmdref/cilium-agent.md)."""

from collections.abc import Iterator
from typing import Any

from netlint.cluster.facts import MtuKey
from netlint.cluster.gathering.claims import PROXY, Claim, blocks, number, port_range, truth
from netlint.cluster.gathering.objects import Objects, at, get, shown
from netlint.findings import Place
from netlint.resources import Manifest

_REPLACES_PROXY = ("true", "strict")


def configuration(objects: Objects) -> list[Manifest]:
    return objects.config_maps("cilium-config", ("kube-system", "cilium", "cilium-system"))


def settings(manifest: Manifest) -> dict[str, Any]:
    data = get(manifest.raw, "data")
    return data if isinstance(data, dict) else {}


def chained(objects: Objects) -> bool:
    """Whether Cilium runs behind another plugin, which connects the pods or at least gives them their addresses."""
    return any(
        settings(manifest).get("cni-chaining-mode") not in (None, "", "none")
        or settings(manifest).get("ipam") == "delegated-plugin"
        for manifest in configuration(objects)
    )


def switched_off(objects: Objects) -> tuple[str, Place] | None:
    """Why Cilium does not enforce NetworkPolicies, where its configuration says so."""
    for manifest in configuration(objects):
        data = settings(manifest)
        for key, value, text in (
            ("enable-policy", "never", "enable-policy is never"),
            ("enable-k8s-networkpolicy", "false", "enable-k8s-networkpolicy is false"),
            ("policy-audit-mode", "true", "policy-audit-mode only logs what policies would deny"),
        ):
            if str(data.get(key)).lower() == value:
                return f"{shown(manifest)}: {text}", at(manifest, "data", key)
    return None


def read(objects: Objects) -> Iterator[Claim | MtuKey]:
    for manifest in configuration(objects):
        data, name = settings(manifest), shown(manifest)

        def claim(fact: str, value: Any, key: str, rank: int = 2, m: Manifest = manifest) -> Claim:
            text = f"{shown(m)}: {key} {settings(m).get(key)}"
            return Claim(fact, value, f"Cilium {key}", text, at(m, "data", key), rank=rank)

        encapsulation, key = _encapsulation(data)
        if encapsulation and key:
            yield claim("encapsulation", encapsulation, key)
        elif encapsulation:
            text = f"{name} sets no routing mode; Cilium's default is a VXLAN tunnel"
            yield Claim("encapsulation", encapsulation, "Cilium default", text, at(manifest, "data"), "default")
        if data.get("ipam") in (None, "cluster-pool"):
            for pool in ("cluster-pool-ipv4-cidr", "cluster-pool-ipv6-cidr"):
                if found := blocks(data.get(pool)):
                    yield Claim(
                        "pod_cidrs",
                        found,
                        "Cilium pool",
                        f"{name}: {pool} {', '.join(found)}",
                        at(manifest, "data", pool),
                        many=True,
                    )
        size = number(data.get("mtu"))
        if size is not None:
            yield MtuKey("cilium", "mtu", size or None, "underlay", at(manifest, "data", "mtu"), encapsulation)
        if truth(data.get("enable-wireguard")):
            yield claim("encryption", "wireguard", "enable-wireguard")
        elif truth(data.get("enable-ipsec")):
            yield claim("encryption", "ipsec", "enable-ipsec")
        if str(data.get("kube-proxy-replacement")).lower() in _REPLACES_PROXY:
            yield claim("proxy_mode", "cilium", "kube-proxy-replacement", 3)
        if span := port_range(data.get("node-port-range")):
            yield claim("node_port_range", span, "node-port-range", PROXY)


def _encapsulation(data: dict[str, Any]) -> tuple[str | None, str]:
    """The encapsulation and the key that says so, which is empty for the default."""
    if data.get("routing-mode") == "native":
        return "none", "routing-mode"
    if data.get("tunnel") in ("vxlan", "geneve"):
        return data["tunnel"], "tunnel"
    if data.get("tunnel") == "disabled":
        return "none", "tunnel"
    if data.get("tunnel-protocol") in ("vxlan", "geneve"):
        return data["tunnel-protocol"], "tunnel-protocol"
    if data.get("routing-mode") == "tunnel":
        return "vxlan", "routing-mode"
    return ("vxlan" if data.get("cni-chaining-mode") in (None, "none") else None), ""
