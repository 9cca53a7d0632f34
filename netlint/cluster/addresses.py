"""Every address range that the input declares, by what it is for; which of them meet and must not."""

import ipaddress
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from netlint.cluster.facts import NetworkFacts, Origin
from netlint.cluster.gathering.objects import Objects, at, get, items, shown
from netlint.findings import Place, Severity
from netlint.knowledge.address_roles import FROM_THE_VPC, MUST_BE_APART, PLUGIN_INTERNAL, PODS, Role
from netlint.resources import Manifest

if TYPE_CHECKING:
    from netlint.cluster.config import ClusterSettings


@dataclass(frozen=True, slots=True)
class AddressRange:
    """The addresses from `first` to `last` (as numbers) of one family (4 or 6), and where that is declared.

    `text` is the range as written there, `source` what declares it in words.
    """

    role: Role
    text: str
    family: int
    first: int
    last: int
    source: str
    place: Place | None
    origin: Origin = "object"

    def overlaps(self, other: "AddressRange") -> bool:
        return self.family == other.family and self.first <= other.last and other.first <= self.last

    def holds(self, other: "AddressRange") -> bool:
        return self.family == other.family and self.first <= other.first and other.last <= self.last


@dataclass(frozen=True, slots=True)
class Clash:
    """One range that meets others of one role from which it must be apart. A default is only a warning."""

    range: AddressRange
    others: tuple[AddressRange, ...]
    severity: Severity
    why: str


class AddressPlan:
    """The ranges of one cluster, sorted by role, family and address."""

    def __init__(self, ranges: Iterable[AddressRange], plugin: str | None = None) -> None:
        order = list(Role)
        found: dict[tuple[Any, ...], AddressRange] = {}
        for entry in ranges:
            found.setdefault((entry.role, entry.family, entry.first, entry.last, entry.source), entry)
        self.ranges: tuple[AddressRange, ...] = tuple(
            sorted(found.values(), key=lambda r: (order.index(r.role), r.family, r.first, r.last, r.source))
        )
        self._plugin = plugin

    def of(self, *roles: Role) -> tuple[AddressRange, ...]:
        """The ranges of these roles, all that are declared."""
        return tuple(entry for entry in self.ranges if entry.role in roles)

    def overlapping(self, text: str, *roles: Role) -> tuple[AddressRange, ...]:
        """The ranges, of these roles if any are given, that share addresses with a block or an `a-b` range."""
        probe = address_range(Role.POD, text, "", None)
        if probe is None:
            return ()
        return tuple(r for r in self.ranges if (not roles or r.role in roles) and r.overlaps(probe))

    def clashes(self) -> Iterator[Clash]:
        """Ranges that meet and must be apart, compared by role; each range once for each role that it meets.

        The slices of nodes speak only where their pod range is not declared; defaults of a distribution never do.
        """
        told = [r for r in self.ranges if r.origin != "default" or r.role in (Role.DOCKER, Role.INTERNAL)]
        by_role: dict[Role, list[AddressRange]] = {}
        for entry in told:
            by_role.setdefault(entry.role, []).append(entry)
        for entry in told:
            for role in Role:
                apart = MUST_BE_APART.get((entry.role, role))
                if apart is None or (entry.role in PODS and self._by_design(role)):
                    continue
                others = [other for other in _meeting(by_role.get(role, ()), entry) if _counts(entry, other)]
                if others:
                    default = any(other.origin == "default" for other in others)
                    severity = Severity.WARNING if default else Severity(apart.severity)
                    yield Clash(entry, tuple(others), severity, apart.why)

    def _by_design(self, role: Role) -> bool:
        """Whether pods may have addresses of that role: a plugin that takes them from the VPC takes the nodes'."""
        if role in (Role.NODE, Role.NODE_ADDRESS):
            return self._plugin in FROM_THE_VPC
        return role is Role.VPC and (self._plugin is None or self._plugin in FROM_THE_VPC)


def _meeting(others: Iterable[AddressRange], entry: AddressRange) -> Iterator[AddressRange]:
    for other in others:
        if other.first > entry.last and other.family == entry.family:
            return
        if other.overlaps(entry):
            yield other


def _counts(entry: AddressRange, other: AddressRange) -> bool:
    """Whether the pair is one: of two ranges of one role the later speaks, and none against its own twin."""
    if entry is other:
        return False
    if entry.role is not other.role:
        return True
    return (other.first, other.last, other.source) < (entry.first, entry.last, entry.source)


def address_range(
    role: Role, text: Any, source: str, place: Place | None, origin: Origin = "object"
) -> AddressRange | None:
    """A range from a CIDR, a single address, or `a-b`; None where the text is none of these."""
    if not isinstance(text, str):
        return None
    try:
        low, dash, high = text.strip().partition("-")
        if dash:
            first, last = ipaddress.ip_address(low.strip()), ipaddress.ip_address(high.partition("/")[0].strip())
            if first.version != last.version or int(first) > int(last):
                return None
            return AddressRange(role, text, first.version, int(first), int(last), source, place, origin)
        network = ipaddress.ip_network(low, strict=False)
    except ValueError:
        return None
    start, end = int(network.network_address), int(network.broadcast_address)
    return AddressRange(role, text.strip(), network.version, start, end, source, place, origin)


def address_plan(manifests: Iterable[Manifest], facts: NetworkFacts, settings: "ClusterSettings | None") -> AddressPlan:
    """All ranges of a cluster: those of its facts, with every source, and those of nodes, pools and networks."""
    objects = Objects(manifests)
    found = [*_facts(facts, settings), *_nodes(objects), *_load_balancers(objects), *_secondary(objects)]
    found += list(_internal(objects, facts))
    return AddressPlan((entry for entry in found if entry is not None), facts.cni.value)


def _facts(facts: NetworkFacts, settings: "ClusterSettings | None") -> Iterator[AddressRange | None]:
    for entry in facts.ranges:
        place = entry.place
        if entry.origin == "declared" and settings is not None and entry.index is not None:
            place = settings.at(entry.source, entry.index)
        yield address_range(entry.role, entry.block, entry.text, place, entry.origin)


def _nodes(objects: Objects) -> Iterator[AddressRange | None]:
    for node in objects.of("", "Node"):
        slices = items(node.raw, "spec", "podCIDRs")
        for index, text in enumerate(slices):
            yield address_range(Role.SLICE, text, shown(node), at(node, "spec", "podCIDRs", index))
        if not slices:
            yield address_range(Role.SLICE, get(node.raw, "spec", "podCIDR"), shown(node), at(node, "spec", "podCIDR"))
        for index, address in enumerate(items(node.raw, "status", "addresses")):
            if get(address, "type") == "InternalIP":
                place = at(node, "status", "addresses", index, "address")
                yield address_range(Role.NODE_ADDRESS, get(address, "address"), shown(node), place)


def _load_balancers(objects: Objects) -> Iterator[AddressRange | None]:
    for pool in objects.of("metallb.io", "IPAddressPool"):
        for index, text in enumerate(items(pool.raw, "spec", "addresses")):
            yield address_range(Role.LOAD_BALANCER, text, shown(pool), at(pool, "spec", "addresses", index))
    for pool in objects.of("cilium.io", "CiliumLoadBalancerIPPool"):
        if get(pool.raw, "spec", "disabled") is True:
            continue
        for field in ("blocks", "cidrs"):
            for index, entry in enumerate(items(pool.raw, "spec", field)):
                text, start = get(entry, "cidr"), get(entry, "start")
                if text is None and isinstance(start, str):
                    text = f"{start}-{get(entry, 'stop') or start}"
                yield address_range(Role.LOAD_BALANCER, text, shown(pool), at(pool, "spec", field, index))
    for group in ("crd.projectcalico.org", "projectcalico.org"):
        for pool in objects.of(group, "IPPool"):
            uses = items(pool.raw, "spec", "allowedUses")
            if "LoadBalancer" in uses and "Workload" not in uses and get(pool.raw, "spec", "disabled") is not True:
                place = at(pool, "spec", "cidr")
                yield address_range(Role.LOAD_BALANCER, get(pool.raw, "spec", "cidr"), shown(pool), place)


def _secondary(objects: Objects) -> Iterator[AddressRange | None]:
    """The ranges that the IPAM of an attached network gives out, of the plugins that keep them in the object."""
    for network in objects.of("k8s.cni.cncf.io", "NetworkAttachmentDefinition"):
        try:
            config = json.loads(get(network.raw, "spec", "config") or "{}")
        except (TypeError, ValueError, RecursionError):
            continue
        place = at(network, "spec", "config")
        plugins = [config, *items(config, "plugins")]
        for ipam in (get(plugin, "ipam") for plugin in plugins):
            for text in _allocated(ipam):
                yield address_range(Role.SECONDARY, text, shown(network), place)


def _allocated(ipam: Any) -> Iterator[Any]:
    if get(ipam, "type") == "host-local":
        yield get(ipam, "subnet")
        for ranges in items(ipam, "ranges"):
            for entry in ranges if isinstance(ranges, list) else ():
                yield get(entry, "subnet")
    elif get(ipam, "type") == "whereabouts":
        yield get(ipam, "range")
        for entry in items(ipam, "ipRanges"):
            yield get(entry, "range")


def _internal(objects: Objects, facts: NetworkFacts) -> Iterator[AddressRange | None]:
    ovn = ("spec", "defaultNetwork", "ovnKubernetesConfig")
    given: set[str] = set()
    for manifest in objects.of("operator.openshift.io", "Network"):
        for name, path in (
            ("join subnet", (*ovn, "v4InternalSubnet")),
            ("join subnet", (*ovn, "ipv4", "internalJoinSubnet")),
            ("transit switch subnet", (*ovn, "ipv4", "internalTransitSwitchSubnet")),
        ):
            text = get(manifest.raw, *path)
            if isinstance(text, str):
                given.add(name)
                yield address_range(Role.INTERNAL, text, f"{shown(manifest)}: {name}", at(manifest, *path))
    for text, name in PLUGIN_INTERNAL.get(facts.cni.value or "", ()):
        if name not in given:
            words = f"{facts.cni.value}'s {name} by default"
            yield address_range(Role.INTERNAL, text, words, facts.cni.place, "default")
