"""What encapsulation costs, in bytes of an inner IP packet.

Read in August 2026. Sources: tigera/docs `calico/networking/configuring/mtu.mdx`; flannel `pkg/backend/*`; cilium
`pkg/mtu/mtu.go`; antrea `pkg/agent/config/node_config.go`; ovn-kubernetes and openshift/api
`operator/v1/types_network.go`; kube-ovn `pkg/util/const.go`; kube-router `docs/tunnels.md`; weave
`site/tasks/manage/fastdp.md`; RFC 7348, RFC 8926.
"""

from typing import NamedTuple


class Overhead(NamedTuple):
    """Bytes on an IPv4 and on an IPv6 underlay (None: not possible there), and how they come about."""

    v4: int
    v6: int | None
    why: str


OVERHEADS: dict[str, Overhead] = {
    "none": Overhead(0, 0, "routed without a tunnel"),
    "ipip": Overhead(20, None, "outer IPv4 header 20"),
    "vxlan": Overhead(50, 70, "inner Ethernet 14 + VXLAN 8 + UDP 8 + outer IP 20 (40 for IPv6)"),
    "geneve": Overhead(50, 70, "inner Ethernet 14 + Geneve 8 + UDP 8 + outer IP 20 (40 for IPv6)"),
    "gre": Overhead(42, 62, "inner Ethernet 14 + GRE with key 8 + outer IP 20 (40 for IPv6)"),
    "stt": Overhead(72, 92, "STT with its TCP-like header"),
    "wireguard": Overhead(60, 80, "WireGuard 32 + UDP 8 + outer IP 20 (40 for IPv6)"),
    "udp": Overhead(28, None, "UDP 8 + outer IP 20"),
    "fou": Overhead(32, 52, "GUE 4 + UDP 8 + outer IP 20 (40 for IPv6)"),
    "ipsec": Overhead(77, 97, "ESP in tunnel mode as flannel and Cilium budget it"),
}
"""By encapsulation, where the plugin has no number of its own."""

BY_PLUGIN: dict[tuple[str, str], Overhead] = {
    ("flannel", "vxlan"): Overhead(50, 50, "flannel takes 50 off on either underlay"),
    ("flannel", "wireguard"): Overhead(80, 80, "flannel always budgets 80 for WireGuard"),
    ("canal", "wireguard"): Overhead(80, 80, "flannel always budgets 80 for WireGuard"),
    ("cilium", "wireguard"): Overhead(80, 80, "Cilium always budgets 80 for WireGuard"),
    ("kube-router", "ipip"): Overhead(20, 40, "outer IP header 20 (40 for IPv6)"),
    ("ovn-kubernetes", "geneve"): Overhead(58, 78, "Geneve with OVN's 8-byte option"),
    ("kube-ovn", "geneve"): Overhead(58, 78, "Geneve with OVN's 8-byte option"),
    ("antrea", "stt"): Overhead(0, 0, "segmented in the datapath"),
    ("antrea", "ipsec"): Overhead(38, 58, "ESP as Antrea budgets it"),
}
"""Where a plugin takes another number than the rest."""

ADDITIVE = frozenset({"cilium", "antrea"})
"""Plugins whose encryption comes on top of the tunnel. Antrea's WireGuard does not: it replaces the tunnel."""


def overhead(encapsulation: str, plugin: str | None = None) -> Overhead | None:
    """The overhead of one encapsulation; None for one that is not known."""
    return BY_PLUGIN.get((plugin or "", encapsulation)) or OVERHEADS.get(encapsulation)


def total_overhead(encapsulation: str, encryption: str | None = None, plugin: str | None = None) -> Overhead | None:
    """The overhead of a tunnel with encryption: the sum where the plugin does both, else the larger of the two."""
    tunnel = overhead(encapsulation, plugin)
    if tunnel is None or encryption in (None, "none") or encryption == encapsulation:
        return tunnel
    cipher = overhead(encryption or "", plugin)
    if cipher is None:
        return None
    if plugin in ADDITIVE and not (plugin == "antrea" and encryption == "wireguard"):
        both = tunnel.v6 + cipher.v6 if tunnel.v6 is not None and cipher.v6 is not None else None
        return Overhead(tunnel.v4 + cipher.v4, both, f"{tunnel.why}; {cipher.why}")
    if plugin == "antrea":
        return cipher
    return max(tunnel, cipher, key=lambda cost: cost.v4)


NODE_MTU_BY_PROVIDER = {"aws": 9001, "gce": 1460, "azure": 1500}
"""The uplink MTU of virtual machines by default, by the prefix of Node.spec.providerID (AWS EC2 user guide; Google
Cloud VPC documentation; Azure documentation)."""
