"""What is known of a cluster's network, each fact with its evidence. What is not known is None; nothing is guessed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from netlint.findings import Place, Severity
from netlint.knowledge.address_roles import Role

T = TypeVar("T")
Origin = Literal["declared", "object", "default"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a fact is believed: declared in the configuration, seen in an object, or the default of what was seen."""

    text: str
    place: Place | None
    origin: Origin


def distinct(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Each statement once, in order."""
    return tuple({(entry.text, entry.origin): entry for entry in reversed(list(evidence))}.values())[::-1]


@dataclass(frozen=True, slots=True)
class Fact(Generic[T]):
    """A value with its evidence, the strongest first. `value` is None where it is not known; then the evidence says
    what was seen, if anything."""

    value: T | None = None
    evidence: tuple[Evidence, ...] = ()

    def __bool__(self) -> bool:
        return self.value is not None

    @property
    def origin(self) -> Origin | None:
        return self.evidence[0].origin if self.evidence and self.value is not None else None

    @property
    def place(self) -> Place | None:
        """The place of the strongest evidence that has one."""
        return next((evidence.place for evidence in self.evidence if evidence.place is not None), None)

    @property
    def because(self) -> str:
        """The strongest evidence in words, empty where there is none."""
        return self.evidence[0].text if self.evidence else ""


@dataclass(frozen=True, slots=True)
class ClusterDNS:
    """The Service of the cluster's DNS ("namespace/name") and the addresses that pods are told to ask."""

    service: str | None = None
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MtuKey:
    """One setting of an MTU. `family` tells what the number means: what pods may send (overhead already taken off),
    or what the network underneath carries (the plugin takes the overhead off). `value` is None for automatic."""

    plugin: str
    name: str
    value: int | None
    family: Literal["pod", "underlay"]
    place: Place | None
    encapsulation: str | None = None


@dataclass(frozen=True, slots=True)
class Plugin:
    """A network plugin or policy engine that was recognised. `network`: it connects the pods. `enforces`: it makes
    NetworkPolicies work; None where that cannot be told."""

    name: str
    network: bool
    enforces: bool | None
    evidence: tuple[Evidence, ...]
    version: str | None = None
    enforcement: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class RangeClaim:
    """One block that one source gives a role: all of them, where a fact holds what they come to together.

    `index` is its number in the list of the source, where that is one (`podCIDRs` of the configuration).
    """

    role: Role
    block: str
    source: str
    text: str
    place: Place | None
    origin: Origin
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two sources that disagree about one fact. `place` is the one to look at first."""

    fact: str
    severity: Severity
    message: str
    place: Place | None
    related: tuple[tuple[str, Place | None], ...] = ()
    help: str | None = None


@dataclass(frozen=True, slots=True)
class NetworkFacts:
    """The network of one cluster. Ranges are CIDR texts with the host bits cleared; MTUs are bytes.

    `cni` is the plugin that connects pods, by the names of netlint.knowledge.plugins; `policy_engine` what enforces
    NetworkPolicies, "none" where nothing does. `encapsulation`: none, ipip, vxlan, geneve, wireguard, ...; of several
    pools the one that costs most. `plugins` are all that were recognised, also where that leaves `cni` unknown.
    `ranges` are all ranges with their sources; netlint.cluster.addresses adds those of nodes, pools and networks.
    """

    cni: Fact[str] = Fact()
    cni_version: Fact[str] = Fact()
    policy_engine: Fact[str] = Fact()
    enforces_network_policy: Fact[bool] = Fact()
    encapsulation: Fact[str] = Fact()
    encryption: Fact[str] = Fact()
    pod_cidrs: Fact[tuple[str, ...]] = Fact()
    service_cidrs: Fact[tuple[str, ...]] = Fact()
    node_cidrs: Fact[tuple[str, ...]] = Fact()
    vpc_cidrs: Fact[tuple[str, ...]] = Fact()
    peer_cidrs: Fact[tuple[str, ...]] = Fact()
    docker_bridge_cidr: Fact[str] = Fact()
    node_mtu: Fact[int] = Fact()
    pod_mtu: Fact[int] = Fact()
    proxy_mode: Fact[str] = Fact()
    node_port_range: Fact[tuple[int, int]] = Fact()
    cluster_dns: Fact[ClusterDNS] = Fact()
    load_balancer_provider: Fact[str] = Fact()
    kubernetes_version: Fact[str] = Fact()
    distribution: Fact[str] = Fact()
    mtu_keys: tuple[MtuKey, ...] = ()
    plugins: tuple[Plugin, ...] = ()
    ranges: tuple[RangeClaim, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
