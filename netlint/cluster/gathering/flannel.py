"""Flannel's net-conf.json, alone or inside Canal (flannel Documentation/configuration.md, backends.md)."""

from collections.abc import Iterator

from netlint.cluster.facts import MtuKey
from netlint.cluster.gathering.claims import Claim, blocks, number
from netlint.cluster.gathering.objects import Objects, at, embedded, get, shown
from netlint.resources import Manifest

BACKENDS = {
    "vxlan": "vxlan",
    "host-gw": "none",
    "wireguard": "wireguard",
    "wireguard-native": "wireguard",
    "udp": "udp",
    "ipip": "ipip",
    "ipsec": "ipsec",
    "alloc": "none",
    "aws-vpc": "none",
    "gce": "none",
}
"""Backend.Type, and k3s' flannel-backend, as an encapsulation."""
_TAKE_AN_MTU = frozenset({"vxlan", "wireguard"})
_MAPS = (("kube-flannel-cfg", "flannel"), ("canal-config", "canal"), ("rke2-canal-config", "canal"))


def configuration_maps(objects: Objects) -> Iterator[tuple[Manifest, str]]:
    """The ConfigMaps with a net-conf.json, and the plugin that each belongs to."""
    for name, plugin in _MAPS:
        for manifest in objects.config_maps(name, ("kube-flannel", "kube-system")):
            yield manifest, plugin


def read(objects: Objects) -> Iterator[Claim | MtuKey]:
    for manifest, plugin in configuration_maps(objects):
        network = embedded(get(manifest.raw, "data", "net-conf.json"))
        place = at(manifest, "data", "net-conf.json")
        ranges = [*blocks(get(network, "Network")), *blocks(get(network, "IPv6Network"))]
        if ranges:
            text = f"{shown(manifest)}: Flannel's Network is {', '.join(ranges)}"
            yield Claim("pod_cidrs", tuple(ranges), "Flannel Network", text, place)
        backend = get(network, "Backend", "Type")
        encapsulation = BACKENDS.get(backend) if isinstance(backend, str) else None
        if encapsulation is not None:
            text = f"{shown(manifest)}: Flannel's backend is {backend}"
            yield Claim("encapsulation", encapsulation, "Flannel backend", text, place)
        mtu = number(get(network, "Backend", "MTU"))
        if mtu and encapsulation in _TAKE_AN_MTU:
            yield MtuKey("flannel", "Backend.MTU", mtu, "underlay", place, encapsulation)
        veth = get(manifest.raw, "data", "veth_mtu")
        if plugin == "canal" and (size := number(veth)) is not None:
            yield MtuKey("canal", "veth_mtu", size or None, "pod", at(manifest, "data", "veth_mtu"))
    for node in objects.of("", "Node"):
        backend = get(node.raw, "metadata", "annotations", "flannel.alpha.coreos.com/backend-type")
        if isinstance(backend, str) and backend in BACKENDS:
            place = at(node, "metadata", "annotations", "flannel.alpha.coreos.com/backend-type")
            text = f"{shown(node)} reports Flannel's backend {backend}"
            yield Claim("encapsulation", BACKENDS[backend], "Flannel node annotation", text, place, rank=1)
