"""NET501: packets that do not fit the network underneath."""

from collections.abc import Iterator
from typing import NamedTuple

from netlint.cluster.facts import MtuKey, NetworkFacts
from netlint.findings import Finding, Related, Severity
from netlint.knowledge.encapsulation import total_overhead
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule

NAMES = {
    "none": "no encapsulation",
    "ipip": "IP-in-IP",
    "vxlan": "VXLAN",
    "geneve": "Geneve",
    "wireguard": "WireGuard",
    "gre": "GRE",
    "ipsec": "IPsec",
}


class Sum(NamedTuple):
    """What leaves the node for the largest packet of a pod, and how it comes about in words."""

    total: int
    room: int
    text: str


@rule("NET501", "mtu-exceeds-underlay", Severity.ERROR, needs=())
def mtu_exceeds_underlay(analysis: Analysis) -> Iterator[Finding]:
    """The pods' largest packet, with what the tunnel adds, is larger than what the nodes' network carries."""
    facts = analysis.cluster.facts
    node_mtu = facts.node_mtu.value
    if node_mtu is None:
        return
    assumed = facts.node_mtu.origin == "default"
    for key in facts.mtu_keys:
        added = _sum(key, facts, node_mtu)
        if added is None or added.total <= node_mtu:
            continue
        yield mtu_exceeds_underlay.finding(
            key.place,
            f"{key.name} {key.value} is too large: {added.text} > node MTU {node_mtu}",
            severity=Severity.WARNING if assumed else Severity.ERROR,
            help=f"set {key.name} to {added.room} at most; small packets pass, so look for connections that hang with "
            "large ones (TLS handshakes, image pulls, kubectl logs)",
            related=[
                Related(f"node MTU {node_mtu}: {evidence.text}", evidence.place)
                for evidence in facts.node_mtu.evidence[:1]
            ]
            + [Related(evidence.text, evidence.place) for evidence in facts.encapsulation.evidence[:1]],
        )


def _sum(key: MtuKey, facts: NetworkFacts, node_mtu: int) -> Sum | None:
    """None where the setting is automatic, or where what is added to it is not known."""
    if key.value is None:
        return None
    encapsulation = key.encapsulation or facts.encapsulation.value
    encryption = facts.encryption.value
    if key.family == "underlay":
        cost = total_overhead(encapsulation, encryption, key.plugin) if encapsulation else None
        if cost is None:
            return Sum(key.value, node_mtu, f"{key.value} bytes for the network underneath")
        pods = key.value - cost.v4
        return Sum(key.value, node_mtu, f"pod MTU {pods} + {cost.v4} ({_name(encapsulation)} over IPv4) = {key.value}")
    if encapsulation is None:
        return Sum(key.value, node_mtu, f"pod MTU {key.value}")
    if key.encapsulation and key.encapsulation not in ("none", facts.encapsulation.value, encryption):
        return None
    cost = total_overhead(encapsulation, None if key.encapsulation else encryption, key.plugin)
    if cost is None or cost.v4 == 0:
        return Sum(key.value, node_mtu, f"pod MTU {key.value}")
    total = key.value + cost.v4
    return Sum(
        total, node_mtu - cost.v4, f"pod MTU {key.value} + {cost.v4} ({_name(encapsulation)} over IPv4) = {total}"
    )


def _name(encapsulation: str | None) -> str:
    return NAMES.get(encapsulation or "", encapsulation or "")
