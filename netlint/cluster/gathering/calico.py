"""Calico's pools, manifest configuration and operator (tigera/docs; tigera/operator api/v1)."""

from collections.abc import Iterator
from typing import Any

from netlint.cluster.facts import MtuKey
from netlint.cluster.gathering.claims import Claim, block, number, truth
from netlint.cluster.gathering.objects import Objects, at, environment, get, items, shown
from netlint.resources import Manifest

GROUPS = ("crd.projectcalico.org", "projectcalico.org")
_OPERATOR = {
    "IPIP": "ipip",
    "IPIPCrossSubnet": "ipip",
    "VXLAN": "vxlan",
    "VXLANCrossSubnet": "vxlan",
    "None": "none",
}
_ON = ("Always", "CrossSubnet")
_FELIX = (
    ("ipipMTU", "ipip"),
    ("vxlanMTU", "vxlan"),
    ("wireguardMTU", "wireguard"),
)


def pools(objects: Objects) -> list[Manifest]:
    """The IPPools of Calico, in either of its groups."""
    return [manifest for group in GROUPS for manifest in objects.of(group, "IPPool")]


def serves_pods(pool: Manifest) -> bool:
    """Whether pods take addresses from the pool: it is not disabled, and not for other uses only."""
    uses = get(pool.raw, "spec", "allowedUses")
    return truth(get(pool.raw, "spec", "disabled")) is not True and (not uses or "Workload" in uses)


def policy_only(objects: Objects, agents: list[Manifest]) -> bool:
    """Whether Calico only enforces policies, and something else connects the pods."""
    for manifest in objects.config_maps("calico-config"):
        if get(manifest.raw, "data", "calico_backend") == "none":
            return True
    for manifest in objects.of("operator.tigera.io", "Installation"):
        if get(manifest.raw, "spec", "cni", "type") in ("GKE", "AmazonVPC", "AzureVNET"):
            return True
    return any(
        (found := environment(agent).get("CALICO_NETWORKING_BACKEND")) is not None and found.value == "none"
        for agent in agents
    )


def read(objects: Objects, agents: list[Manifest]) -> Iterator[Claim | MtuKey]:
    found = [pool for pool in pools(objects) if serves_pods(pool)]
    for pool in found:
        yield from _pool(pool)
    for manifest in objects.of("operator.tigera.io", "Installation"):
        yield from _installation(manifest, bool(found))
    for agent in agents:
        yield from _agent(agent, bool(found))
    for manifest in objects.config_maps("calico-config"):
        size = number(get(manifest.raw, "data", "veth_mtu"))
        if size is not None:
            yield MtuKey("calico", "veth_mtu", size or None, "pod", at(manifest, "data", "veth_mtu"))
    for group in GROUPS:
        for manifest in objects.of(group, "FelixConfiguration"):
            yield from _felix(manifest)


def _pool(pool: Manifest) -> Iterator[Claim]:
    cidr = get(pool.raw, "spec", "cidr")
    if isinstance(cidr, str) and (found := block(cidr)):
        text = f"{shown(pool)}: {found}"
        yield Claim("pod_cidrs", (found,), "IPPool", text, at(pool, "spec", "cidr"), many=True)
    for key, encapsulation in (("ipipMode", "ipip"), ("vxlanMode", "vxlan")):
        mode = get(pool.raw, "spec", key)
        if mode in _ON:
            text = f"{shown(pool)}: {key} {mode}"
            yield Claim("encapsulation", encapsulation, "IPPool", text, at(pool, "spec", key), many=True)
            return
    yield Claim("encapsulation", "none", "IPPool", f"{shown(pool)} encapsulates nothing", at(pool, "spec"), many=True)


def _installation(manifest: Manifest, has_pools: bool) -> Iterator[Claim | MtuKey]:
    network = ("spec", "calicoNetwork")
    size = number(get(manifest.raw, *network, "mtu"))
    if size is not None:
        yield MtuKey("calico", "calicoNetwork.mtu", size or None, "pod", at(manifest, *network, "mtu"))
    for index, pool in enumerate(() if has_pools else items(manifest.raw, *network, "ipPools")):
        cidr = get(pool, "cidr")
        if isinstance(cidr, str) and (found := block(cidr)):
            place = at(manifest, *network, "ipPools", index, "cidr")
            yield Claim("pod_cidrs", (found,), "IPPool", f"{shown(manifest)}: pool {found}", place, many=True)
        encapsulation = get(pool, "encapsulation")
        if encapsulation in _OPERATOR:
            place = at(manifest, *network, "ipPools", index, "encapsulation")
            text = f"{shown(manifest)}: encapsulation {encapsulation}"
            yield Claim("encapsulation", _OPERATOR[encapsulation], "IPPool", text, place, many=True)


def _agent(agent: Manifest, has_pools: bool) -> Iterator[Claim]:
    """The environment makes only the first pool; where pools are in the input they count."""
    variables = environment(agent)
    if has_pools:
        return
    for name in ("CALICO_IPV4POOL_CIDR", "CALICO_IPV6POOL_CIDR"):
        setting = variables.get(name)
        if setting and isinstance(setting.value, str) and (found := block(setting.value)):
            text = f"{shown(agent)}: {name} {found}"
            yield Claim("pod_cidrs", (found,), "Calico pool variable", text, setting.place, many=True)
    modes: list[tuple[str, Any]] = [("CALICO_IPV4POOL_IPIP", "ipip"), ("CALICO_IPV4POOL_VXLAN", "vxlan")]
    given = [(variables[name], encapsulation) for name, encapsulation in modes if name in variables]
    for setting, encapsulation in given:
        if setting.value in _ON:
            text = f"{shown(agent)}: {encapsulation} {setting.value}"
            yield Claim("encapsulation", encapsulation, "Calico pool variable", text, setting.place, many=True)
            return
    if len(given) == len(modes):
        text = f"{shown(agent)} switches IPIP and VXLAN off"
        yield Claim("encapsulation", "none", "Calico pool variable", text, given[0][0].place, many=True)


def _felix(manifest: Manifest) -> Iterator[Claim | MtuKey]:
    for key, encapsulation in _FELIX:
        size = number(get(manifest.raw, "spec", key))
        if size is not None:
            yield MtuKey("calico", key, size or None, "pod", at(manifest, "spec", key), encapsulation)
    if truth(get(manifest.raw, "spec", "wireguardEnabled")):
        text = f"{shown(manifest)}: wireguardEnabled"
        yield Claim("encryption", "wireguard", "Felix", text, at(manifest, "spec", "wireguardEnabled"))
    if truth(get(manifest.raw, "spec", "bpfEnabled")):
        text = f"{shown(manifest)}: bpfEnabled, so Calico does kube-proxy's work"
        yield Claim("proxy_mode", "calico-ebpf", "Felix", text, at(manifest, "spec", "bpfEnabled"), rank=3)
