"""What two versions of a cluster allow differently: pair by pair for what is there, and for every possible pod."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from netlint.findings import Witness
from netlint.policy import Connection, Direction, PolicyAnalysis, Verdict
from netlint.policy.queries.reach import Party, address_text
from netlint.predicates import ALL_ADDRESSES, NO_ADDRESSES, NO_TRAFFIC, AddressSet, Endpoint, EndpointKind, TrafficSet

if TYPE_CHECKING:
    from netlint.policy.proofs import Refuted

_Steps = list[tuple[AddressSet, Connection]]
_Pair = tuple[str, Connection, Connection]
_Step = tuple[AddressSet, Connection, Connection]
_NOTHING = Connection(NO_TRAFFIC, NO_TRAFFIC)


@dataclass(frozen=True, slots=True)
class Change:
    """A connection that one version allows and the other does not, or not in full.

    `unknown_before` and `unknown_after` are what the input cannot tell. `due_to` are the ends that only one version
    has: their connections come or go with them.
    """

    change: Literal["added", "removed", "changed"]
    source: Party
    destination: Party
    before: TrafficSet
    after: TrafficSet
    unknown_before: TrafficSet = NO_TRAFFIC
    unknown_after: TrafficSet = NO_TRAFFIC
    due_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether the two policy sets decide alike for every pod that could ever exist. None: not decided, see `reason`."""

    holds: bool | None
    witness: Witness | None = None
    reason: str = ""


class Difference:
    """One cluster in two versions; a version that does not have it is None. `unread`: a part of one could not be read,
    which may be policies, so nothing is proved to be the same. `notes` are what else the reader should know."""

    def __init__(
        self,
        cluster: str,
        before: PolicyAnalysis | None,
        after: PolicyAnalysis | None,
        *,
        unread: bool = False,
        notes: Sequence[str] = (),
    ) -> None:
        self.cluster = cluster
        self.notes = tuple(notes)
        self._unread = unread
        self._before = _Version(before)
        self._after = _Version(after)

    @cached_property
    def added(self) -> tuple[str, ...]:
        """Ids of workloads that only the new version has."""
        return tuple(sorted(self._after.workloads.keys() - self._before.workloads.keys()))

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """Ids of workloads that only the old version has."""
        return tuple(sorted(self._before.workloads.keys() - self._after.workloads.keys()))

    @cached_property
    def equivalence(self) -> Equivalence:
        """The proof over every possible pod, or a pair of pods for which the versions differ."""
        from netlint.policy.proofs import Proved, Refuted

        old, new = self._before.policy, self._after.policy
        if old is None or new is None:
            return Equivalence(None, reason="only one version has this cluster")
        answer = new.prover.equivalent(old.policies, new.policies)
        if isinstance(answer, Proved):
            return (
                Equivalence(None, reason="a part of the input could not be read") if self._unread else Equivalence(True)
            )
        if isinstance(answer, Refuted):
            unread = _unread(old, answer) or _unread(new, answer)
            return Equivalence(None, reason=unread) if unread else Equivalence(False, answer.witness)
        return Equivalence(None, reason=answer.reason)

    def changes(self) -> Iterator[Change]:
        """Every pair whose traffic differs, sorted by source, then destination; addresses last."""
        known: dict[tuple[int, int], tuple[list[_Pair], list[_Step]]] = {}
        for source in sorted(self._before.workloads.keys() | self._after.workloads.keys()):
            # Workloads that no policy tells apart share a row: rows are compared once.
            key = self._before.row_number(source), self._after.row_number(source)
            if key not in known:
                known[key] = self._differing_rows(source)
            pairs, outside = known[key]
            party = self._party(source)
            for target, before, after in pairs:
                if target != source:
                    yield from self._change(party, self._party(target), before, after)
            for addresses, old, new in outside:
                yield from self._change(party, _addresses(addresses), old, new)
        for target in sorted(self._before.inbound.keys() | self._after.inbound.keys()):
            steps = _differing(self._before.inbound.get(target, []), self._after.inbound.get(target, []))
            for addresses, old, new in steps:
                yield from self._change(_addresses(addresses), self._party(target), old, new)

    def _differing_rows(self, source: str) -> "tuple[list[_Pair], list[_Step]]":
        """What a workload may send in one version and not in the other."""
        old_pairs, old_outside = self._before.row(source)
        new_pairs, new_outside = self._after.row(source)
        pairs = [
            (target, before, after)
            for target in sorted(old_pairs.keys() | new_pairs.keys())
            if (before := old_pairs.get(target, _NOTHING)) != (after := new_pairs.get(target, _NOTHING))
        ]
        return pairs, _differing(old_outside, new_outside)

    def _party(self, name: str) -> Party:
        endpoint = self._after.workloads.get(name) or self._before.workloads[name]
        return Party(endpoint.id, "workload", endpoint.namespace, endpoint.name)

    def _change(self, source: Party, destination: Party, old: Connection, new: Connection) -> Iterator[Change]:
        if old.allowed == new.allowed and old.unknown == new.unknown:
            return
        ends = {source.id, destination.id}
        due_to = tuple(sorted(ends & ({*self.added} | {*self.removed})))
        kind: Literal["added", "removed", "changed"] = "changed"
        if new.allowed and not old.allowed and not old.unknown:
            kind = "added"
        elif old.allowed and not new.allowed and not new.unknown:
            kind = "removed"
        yield Change(kind, source, destination, old.allowed, new.allowed, old.unknown, new.unknown, due_to)


def _unread(policy: PolicyAnalysis, answer: "Refuted") -> str:
    """Why a counterexample is none: in this version a policy that could not be read may decide about it."""
    source, destination = answer.source, answer.destination
    assert destination is not None
    assert answer.protocol is not None
    assert answer.port is not None
    if policy.verdict(source, destination, answer.protocol, answer.port) is not Verdict.UNKNOWN:
        return ""
    ends = {Direction.EGRESS: source, Direction.INGRESS: destination}
    return next(
        (
            f"{found.object.ref}: {reason}"
            for found in policy.policies.policies
            for direction, reason in found.unknown.items()
            if found.subject.holds(ends[direction]) is not False
        ),
        "",
    )


class _Version:
    """One version's rows, by the ids of workloads."""

    def __init__(self, policy: PolicyAnalysis | None) -> None:
        self.policy = policy
        self.workloads: dict[str, Endpoint] = {}
        self._rows: dict[str, list[tuple[tuple[Endpoint, ...], Connection]]] = {}
        self.inbound: dict[str, _Steps] = {}
        if policy is None:
            return
        kinds = (EndpointKind.POD, EndpointKind.HOST)
        self.workloads = {one.id: one for one in policy.endpoints if one.kind in kinds}
        for row in policy.rows():
            cells = [
                (tuple(endpoint for group in cell.destinations for endpoint in group.members), cell.connection)
                for cell in row.cells
            ]
            for group in row.sources:
                for endpoint in group.members:
                    if endpoint.kind in kinds:
                        self._rows[endpoint.id] = cells
                    elif endpoint.kind is EndpointKind.EXTERNAL:
                        self._add_inbound(endpoint, cells)

    def _add_inbound(self, source: Endpoint, cells: Iterable[tuple[tuple[Endpoint, ...], Connection]]) -> None:
        for endpoints, connection in cells:
            for endpoint in endpoints:
                if endpoint.id in self.workloads:
                    self.inbound.setdefault(endpoint.id, []).append((source.addresses, connection))

    def row_number(self, source: str) -> int:
        """The same for workloads with the same row; 0 for one that is not there."""
        return id(self._rows[source]) if source in self._rows else 0

    def row(self, source: str) -> tuple[dict[str, Connection], _Steps]:
        """What a workload may send: to workloads by id, and to outside addresses."""
        pairs: dict[str, Connection] = {}
        outside: _Steps = []
        for endpoints, connection in self._rows.get(source, ()):
            for endpoint in endpoints:
                if endpoint.id in self.workloads:
                    pairs[endpoint.id] = connection
                elif endpoint.kind is EndpointKind.EXTERNAL:
                    outside.append((endpoint.addresses, connection))
        return pairs, outside


def _differing(old: _Steps, new: _Steps) -> list[tuple[AddressSet, Connection, Connection]]:
    """Where two step functions over addresses differ, each pair of values once, in the order of addresses."""
    found: dict[tuple[TrafficSet, TrafficSet, TrafficSet, TrafficSet], tuple[AddressSet, Connection, Connection]] = {}
    for old_addresses, before in _whole(old):
        for new_addresses, after in _whole(new):
            shared = old_addresses & new_addresses
            if not shared or (before.allowed == after.allowed and before.unknown == after.unknown):
                continue
            key = (before.allowed, before.unknown, after.allowed, after.unknown)
            known = found.get(key, (NO_ADDRESSES, before, after))
            found[key] = (known[0] | shared, before, after)
    return sorted(found.values(), key=lambda one: one[0].intervals)


def _whole(steps: _Steps) -> _Steps:
    """The function with the addresses that it leaves out; equal values are merged."""
    merged: dict[tuple[TrafficSet, TrafficSet], AddressSet] = {}
    rest = ALL_ADDRESSES
    for addresses, connection in steps:
        key = (connection.allowed, connection.unknown)
        merged[key] = merged.get(key, NO_ADDRESSES) | addresses
        rest = rest - addresses
    whole = [(addresses, Connection(allowed, unknown)) for (allowed, unknown), addresses in merged.items()]
    return [*whole, (rest, _NOTHING)] if rest else whole


def _addresses(addresses: AddressSet) -> Party:
    blocks = tuple(addresses.blocks())
    return Party(",".join(blocks), "address", None, address_text(addresses), blocks)
