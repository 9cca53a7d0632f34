"""NetworkPolicies evaluated word by word from the API's documentation, over plain data: slow and independent."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Pod:
    """A pod as the documentation speaks of it. `ports` are (name, number, protocol)."""

    namespace: str
    labels: dict[str, str]
    ports: tuple[tuple[str | None, int, str], ...] = ()


@dataclass
class World:
    policies: list[dict[str, Any]] = field(default_factory=list)
    namespaces: dict[str, dict[str, str]] = field(default_factory=dict)

    def allowed(self, source: Pod | None, destination: Pod | None, protocol: str, port: int) -> bool:
        """None stands for an address outside the cluster."""
        if source is not None and not self.side(source, destination, "Egress", destination, protocol, port):
            return False
        return destination is None or self.side(destination, source, "Ingress", destination, protocol, port)

    def side(self, pod: Pod, other: Pod | None, kind: str, target: Pod | None, protocol: str, port: int) -> bool:
        isolating = [
            policy
            for policy in self.policies
            if namespace_of(policy) == pod.namespace
            and selects(policy["spec"].get("podSelector") or {}, pod.labels)
            and kind in types(policy["spec"])
        ]
        if not isolating:
            return True
        section, peers = ("ingress", "from") if kind == "Ingress" else ("egress", "to")
        return any(
            self.peer_matches(rule.get(peers), other, namespace_of(policy))
            and port_matches(rule.get("ports"), target, protocol, port)
            for policy in isolating
            for rule in policy["spec"].get(section) or []
            if rule is not None
        )

    def peer_matches(self, peers: list[dict[str, Any]] | None, other: Pod | None, own: str) -> bool:
        if not peers:
            return True
        return any(self.one_peer(peer, other, own) for peer in peers)

    def one_peer(self, peer: dict[str, Any], other: Pod | None, own: str) -> bool:
        if "ipBlock" in peer:
            return other is None and peer["ipBlock"]["cidr"] == "0.0.0.0/0" and not peer["ipBlock"].get("except")
        if other is None:
            return False
        if "namespaceSelector" in peer:
            labels = self.namespaces.get(other.namespace, {}) | {"kubernetes.io/metadata.name": other.namespace}
            if not selects(peer["namespaceSelector"] or {}, labels):
                return False
        elif other.namespace != own:
            return False
        return "podSelector" not in peer or selects(peer["podSelector"] or {}, other.labels)


def namespace_of(policy: dict[str, Any]) -> str:
    return str(policy["metadata"].get("namespace", "default"))


def types(spec: dict[str, Any]) -> list[str]:
    if spec.get("policyTypes"):
        return list(spec["policyTypes"])
    return ["Ingress", "Egress"] if spec.get("egress") else ["Ingress"]


def selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    for key, value in (selector.get("matchLabels") or {}).items():
        if labels.get(key) != value:
            return False
    for part in selector.get("matchExpressions") or []:
        key, values = part["key"], part.get("values") or []
        if not {
            "In": labels.get(key) in values,
            "NotIn": key not in labels or labels[key] not in values,
            "Exists": key in labels,
            "DoesNotExist": key not in labels,
        }[part["operator"]]:
            return False
    return True


def port_matches(ports: list[dict[str, Any]] | None, target: Pod | None, protocol: str, port: int) -> bool:
    if not ports:
        return True
    for entry in ports:
        if entry.get("protocol", "TCP") != protocol:
            continue
        number = entry.get("port")
        if number is None:
            return True
        if isinstance(number, str):
            if target is not None and (number, port, protocol) in target.ports:
                return True
        elif number <= port <= entry.get("endPort", number):
            return True
    return False
