"""Who can talk to whom, folded twice: endpoints that nothing tells apart into groups, and groups that are always named
together into sets. What is written grows with the distinct rows and sets, not with pairs."""

from collections.abc import Iterator
from functools import cached_property

from netlint.policy import Cell, EndpointClass, PolicyAnalysis, Row
from netlint.policy.queries.reach import Party, Passage, Question, Reachability, party_order
from netlint.predicates import ALL_TRAFFIC, Endpoint, EndpointKind

_INLINE = 3


class GroupedReachability(Reachability):
    """As `Reachability`, with sets at both ends of a passage. A passage from one set to another holds for each member
    of the one and each of the other, but for a workload's way to itself."""

    def __init__(self, cluster: str, policy: PolicyAnalysis, question: Question | None = None) -> None:
        super().__init__(cluster, policy, question)
        self._sets: dict[tuple[Party, ...], Party] = {}
        self._targets: dict[tuple[int, bool], Party | None] = {}

    @cached_property
    def parties(self) -> tuple[Party, ...]:
        """Groups and single endpoints, sorted; then the sets, in the order in which the passages name them."""
        leaves: dict[Party, None] = {}
        sets: dict[Party, None] = {}
        for passage in self.passages():
            for party in (passage.source, passage.destination):
                (sets if party.kind == "set" else leaves)[party] = None
        by_id = {leaf.id: leaf for pair in self._leaves for part in pair for leaf in part}
        leaves.update({by_id[member]: None for party in sets for member in party.members})
        for one in super().parties:
            leaves.setdefault(one)
        return (*sorted(leaves, key=party_order), *sets)

    def passages(self) -> Iterator[Passage]:
        """In the order of the rows of the analysis, which the order of the input does not change."""
        limit = ALL_TRAFFIC if self._question.traffic is None else self._question.traffic
        for row in self._policy.rows():
            for outside in (False, True):
                source = self._set_of(self._sources(row, outside))
                if source is None:
                    continue
                for cell in row.cells:
                    allowed, unknown = cell.connection.allowed & limit, cell.connection.unknown & limit
                    if not allowed and not unknown:
                        continue
                    target = self._target(cell, outside)
                    if target is not None and not (source is target and self._is_alone(source)):
                        yield Passage(source, target, allowed, unknown)

    def _is_alone(self, party: Party) -> bool:
        return not party.members

    def _sources(self, row: Row, outside: bool) -> tuple[Party, ...]:
        chosen, addresses = self._question.sources, self._question.source_addresses
        return tuple(
            leaf
            for group in row.sources
            if self._any_wanted(group, chosen, addresses)
            for leaf in self._leaves[group.index][outside]
        )

    def _target(self, cell: Cell, inside_only: bool) -> Party | None:
        """The destinations of a cell as one; the same bits are always the same set."""
        key = (cell.bits & self._wanted_targets, inside_only)
        if key not in self._targets:
            found: list[Party] = []
            for group in cell.classes.chosen(key[0]):
                inside, outside = self._leaves[group.index]
                found += inside if inside_only else (*inside, *outside)
            self._targets[key] = self._set_of(tuple(found))
        return self._targets[key]

    @cached_property
    def _wanted_targets(self) -> int:
        """The classes asked for, as bits at their places."""
        chosen, addresses = self._question.destinations, self._question.destination_addresses
        return sum(1 << group.index for group in self._policy.classes if self._any_wanted(group, chosen, addresses))

    def _any_wanted(self, group: EndpointClass, chosen: frozenset[Endpoint] | None, addresses: "object | None") -> bool:
        if chosen is None and addresses is None:
            return True
        return any(self._wanted(one, chosen, addresses) for one in group.members)  # type: ignore[arg-type]

    @cached_property
    def _leaves(self) -> list[tuple[tuple[Party, ...], tuple[Party, ...]]]:
        """For each class its parties inside the cluster, and outside."""
        found: list[tuple[tuple[Party, ...], tuple[Party, ...]]] = []
        for group in self._policy.classes:
            inside: dict[Party, None] = {}
            outside: dict[Party, None] = {}
            for one in group.members:
                party = self._shown.get(one)
                if party is not None:
                    (outside if one.kind is EndpointKind.EXTERNAL else inside)[party] = None
            found.append((tuple(inside), tuple(outside)))
        return found

    def _set_of(self, parties: tuple[Party, ...]) -> Party | None:
        """The parties as one; None for none."""
        if len(parties) < 2:
            return parties[0] if parties else None
        known = self._sets.get(parties)
        if known is None:
            ordered = sorted(parties, key=party_order)
            number = len(self._sets) + 1
            name = f"set {number}"
            if len(ordered) <= _INLINE:
                name = ", ".join(one.name if one.kind in ("address", "group") else one.id for one in ordered)
            members = tuple(one.id for one in ordered)
            known = self._sets[parties] = Party(f"set-{number}", "set", None, name, (), members)
        return known
