"""Where engines read one policy differently: options, with the default of each engine where it is known."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Readings:
    """How the engine that enforces the policies reads them. None is not known, which makes answers unknown.

    - `ipblock_matches_pods`: an ipBlock of a NetworkPolicy matches the address of a pod inside it. Plain engines
      (iptables, nftables, kube-router, Calico, kube-network-policies) do, Cilium never.
    - `ipblock_matches_nodes`: the same for nodes and for pods on their network. Cilium knows them by identity instead.
    - `ipblock_resolves_names`: a named port is resolved at pods that only an ipBlock takes. kube-network-policies does
      not, and the AWS controller drops such ports.
    - `networks_match_pods`: the same for `networks` of admin policies, whose API says that they match.
    - `hostnetwork_as_pods`: pods on the host's network are selected as other pods are. Engines ignore them.
    - `node_to_pod_always_allowed`: a node reaches pods of other nodes as well as its own.
    - `ports_before_translation`: egress ports are compared with the Service's port before it becomes the pod's.
    - `hidden_label_prefixes`: pod labels that the engine drops before selectors see them (keys that begin so).
    """

    ipblock_matches_pods: bool | None = None
    ipblock_matches_nodes: bool | None = True
    ipblock_resolves_names: bool | None = None
    networks_match_pods: bool | None = True
    hostnetwork_as_pods: bool = False
    node_to_pod_always_allowed: bool = False
    ports_before_translation: bool = False
    hidden_label_prefixes: tuple[str, ...] = ()

    @classmethod
    def for_engine(cls, name: str | None) -> "Readings":
        """The readings of an engine by its name (`calico`, `cilium`, ...); those of no engine for None or others."""
        return _ENGINES.get((name or "").lower(), cls())

    def hides(self, key: str) -> bool:
        """Whether the engine drops a pod label of this key."""
        return bool(self.hidden_label_prefixes) and key.startswith(self.hidden_label_prefixes)


# The default `labels` filter of Cilium (identity-relevant-labels.rst); `app.kubernetes.io/` is kept.
_CILIUM_HIDES: Final = (
    "kubernetes.io/",
    "k8s.io/",
    "statefulset.kubernetes.io/pod-name",
    "apps.kubernetes.io/pod-index",
    "batch.kubernetes.io/controller-uid",
    "pod-template-hash",
    "controller-revision-hash",
    "controller-uid",
)

_PLAIN = Readings(ipblock_matches_pods=True)
_ENGINES: Final[Mapping[str, Readings]] = MappingProxyType(
    {
        **dict.fromkeys(("antrea", "calico", "canal", "kube-ovn", "kube-router", "ovn-kubernetes"), _PLAIN),
        "kube-network-policies": Readings(ipblock_matches_pods=True, ipblock_resolves_names=False),
        "cilium": Readings(
            ipblock_matches_pods=False, ipblock_matches_nodes=False, hidden_label_prefixes=_CILIUM_HIDES
        ),
        "aws-vpc-cni": Readings(ipblock_matches_pods=True, ipblock_resolves_names=False, ports_before_translation=True),
    }
)
