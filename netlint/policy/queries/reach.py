"""Who can talk to whom: every allowed connection, class by class, written out pair by pair only while it is read."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from netlint.policy import Connection, PolicyAnalysis
from netlint.predicates import ALL_ADDRESSES, ALL_TRAFFIC, NO_ADDRESSES, AddressSet, Endpoint, EndpointKind, TrafficSet

_SHOWN = (EndpointKind.POD, EndpointKind.HOST, EndpointKind.EXTERNAL)


@dataclass(frozen=True, slots=True, eq=False)
class Party:
    """One end of a connection as it is written: a workload, a node, blocks of addresses, or a group of these.

    `blocks` are an address party's; `members` are the ids of a group's endpoints, or of a set's parties.
    """

    id: str
    kind: str
    namespace: str | None = None
    name: str = ""
    blocks: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """What one party may send to another; `unknown` is what the input cannot tell."""

    source: Party
    destination: Party
    allowed: TrafficSet
    unknown: TrafficSet


@dataclass(frozen=True, slots=True)
class Question:
    """What of all pairs is asked for. None means everything."""

    sources: frozenset[Endpoint] | None = None
    destinations: frozenset[Endpoint] | None = None
    source_addresses: AddressSet | None = None
    destination_addresses: AddressSet | None = None
    traffic: TrafficSet | None = None
    grouped: bool = False


class Reachability:
    """The answer for one cluster. `passages()` may be read several times; nothing pairwise is kept."""

    def __init__(self, cluster: str, policy: PolicyAnalysis, question: Question | None = None) -> None:
        self.cluster = cluster
        self._policy = policy
        self._question = question or Question()

    @cached_property
    def _shown(self) -> dict[Endpoint, Party]:
        """The party of every endpoint shown. External blocks that no policy tells apart are one party, of which only
        the addresses asked for are shown."""
        asked = self._question
        limit = _either(asked.source_addresses, asked.destination_addresses)
        named = (asked.sources or frozenset()) | (asked.destinations or frozenset())
        parties: dict[Endpoint, Party] = {}
        for group in self._policy.classes:
            shown = [one for one in group.members if one.kind in _SHOWN or one in named]
            outside = [one for one in shown if one.kind is EndpointKind.EXTERNAL]
            inside = [one for one in shown if one.kind is not EndpointKind.EXTERNAL]
            held = addresses_of(outside) & limit if outside else NO_ADDRESSES
            if held:
                party = _address_party(held, self._policy.internet().addresses)
                parties.update(dict.fromkeys(outside, party))
            if asked.grouped and len(inside) > 1:
                party = _group_party(inside)
                parties.update(dict.fromkeys(inside, party))
            else:
                parties.update({one: _party(one) for one in inside})
        return parties

    @cached_property
    def parties(self) -> tuple[Party, ...]:
        """Every end that may appear, sorted: workloads first, then addresses."""
        asked = self._question
        wanted = {
            party
            for endpoint, party in self._shown.items()
            if self._wanted(endpoint, asked.sources, asked.source_addresses)
            or self._wanted(endpoint, asked.destinations, asked.destination_addresses)
        }
        return tuple(sorted(wanted, key=party_order))

    @property
    def holds_workloads(self) -> bool:
        """Whether the input has anything that runs pods."""
        return any(one.kind in (EndpointKind.POD, EndpointKind.HOST) for one in self._policy.inside)

    def _wanted(self, endpoint: Endpoint, chosen: frozenset[Endpoint] | None, addresses: AddressSet | None) -> bool:
        if chosen is None and addresses is None:
            return True
        if chosen is not None and endpoint in chosen:
            return True
        return addresses is not None and endpoint.kind is EndpointKind.EXTERNAL and bool(endpoint.addresses & addresses)

    def passages(self) -> Iterator[Passage]:
        """Every pair with something allowed or unknown, sorted by source, then destination."""
        asked = self._question
        rows: dict[Party, list[Sequence[tuple[Sequence[Endpoint], Connection]]]] = {}
        for row in self._policy.rows():
            cells = [(_members(cell.destinations), cell.connection) for cell in row.cells]
            sources = {
                self._shown[one]
                for group in row.sources
                for one in group.members
                if one in self._shown and self._wanted(one, asked.sources, asked.source_addresses)
            }
            for party in sources:
                rows.setdefault(party, []).append(cells)
        limit = ALL_TRAFFIC if asked.traffic is None else asked.traffic
        for source in sorted(rows, key=party_order):
            yield from self._row(source, rows[source], limit)

    def _row(
        self, source: Party, cells: Iterable[Sequence[tuple[Sequence[Endpoint], Connection]]], limit: TrafficSet
    ) -> Iterator[Passage]:
        asked = self._question
        found: dict[Party, tuple[TrafficSet, TrafficSet]] = {}
        for row in cells:
            for endpoints, connection in row:
                allowed, unknown = connection.allowed & limit, connection.unknown & limit
                if not allowed and not unknown:
                    continue
                for endpoint in endpoints:
                    party = self._shown.get(endpoint)
                    if party is None or not self._wanted(endpoint, asked.destinations, asked.destination_addresses):
                        continue
                    if _pointless(source, party):
                        continue
                    found[party] = (allowed, unknown)
        for party in sorted(found, key=party_order):
            yield Passage(source, party, *found[party])


def _pointless(source: Party, destination: Party) -> bool:
    """Between addresses no policy of this cluster decides; a workload's way to itself is left out."""
    if source.kind == "address" and destination.kind == "address":
        return True
    return source == destination and not source.members


def _members(groups: Iterable[object]) -> list[Endpoint]:
    return [endpoint for group in groups for endpoint in group.members]  # type: ignore[attr-defined]


def _party(endpoint: Endpoint) -> Party:
    kind = {EndpointKind.POD: "workload", EndpointKind.HOST: "host-workload", EndpointKind.NODE: "node"}
    return Party(endpoint.id, kind.get(endpoint.kind, "api-server"), endpoint.namespace, endpoint.name)


def _either(one: AddressSet | None, other: AddressSet | None) -> AddressSet:
    """The addresses asked about. No policy decides between addresses, so the same limit serves both ends."""
    if one is None and other is None:
        return ALL_ADDRESSES
    return (one or NO_ADDRESSES) | (other or NO_ADDRESSES)


def addresses_of(endpoints: Iterable[Endpoint]) -> AddressSet:
    """All addresses of some endpoints together."""
    addresses = NO_ADDRESSES
    for endpoint in endpoints:
        addresses = addresses | endpoint.addresses
    return addresses


def _address_party(addresses: AddressSet, internet: AddressSet) -> Party:
    blocks = addresses.blocks()
    return Party(",".join(blocks), "address", None, _address_name(addresses, internet), tuple(blocks))


def _address_name(addresses: AddressSet, internet: AddressSet) -> str:
    """`internet` in place of the long list of all that is in no known range."""
    if internet == ALL_ADDRESSES or not internet <= addresses:
        return address_text(addresses)
    rest = addresses - internet
    return f"internet and {address_text(rest)}" if rest else "internet"


def _group_party(endpoints: Sequence[Endpoint]) -> Party:
    ids = sorted(endpoint.id for endpoint in endpoints)
    namespaces = {endpoint.namespace for endpoint in endpoints}
    return Party(
        f"{ids[0]}+{len(ids) - 1}",
        "group",
        endpoints[0].namespace if len(namespaces) == 1 else None,
        f"{ids[0]} and {len(ids) - 1} alike",
        (),
        tuple(ids),
    )


def address_text(addresses: AddressSet) -> str:
    """Addresses for people: blocks where they are few, else ranges from first to last, or what is not among them."""
    if addresses == ALL_ADDRESSES:
        return "any address"
    text = _listed(addresses)
    rest = f"any address but {_listed(ALL_ADDRESSES - addresses)}"
    return text if len(text) <= len(rest) else rest


def _listed(addresses: AddressSet) -> str:
    blocks = addresses.blocks()
    if len(blocks) <= 3:
        return ", ".join(blocks)
    return ", ".join(f"{first}-{last}" if first != last else str(first) for first, last in addresses.ranges())


def party_order(party: Party) -> tuple[bool, str]:
    """Workloads before addresses, each by id."""
    return party.kind == "address", party.id
