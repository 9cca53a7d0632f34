"""All connections, class by class: each row joins a source's egress with the destinations' ingress."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from netlint.policy.atoms import Atoms
from netlint.policy.classes import Classes, EndpointClass
from netlint.policy.form import PolicySet
from netlint.policy.outcome import Connection
from netlint.policy.partition import Partition
from netlint.policy.readings import Readings
from netlint.policy.sides import Egress, Ground, Ingress, Sided, Signature
from netlint.predicates import EndpointKind
from netlint.predicates.bitsets import Bits


class Cell(NamedTuple):
    """Destinations that a source has the same connection to. `bits` is the set of the classes' places."""

    connection: Connection
    bits: Bits
    classes: Classes

    @property
    def destinations(self) -> tuple[EndpointClass, ...]:
        return self.classes.chosen(self.bits)


@dataclass(frozen=True, slots=True)
class Row:
    """What some sources, which have all connections alike, can reach. A destination in no cell is denied.

    Where a source class is among its own destinations, that speaks of different members of the class.
    """

    sources: tuple[EndpointClass, ...]
    cells: tuple[Cell, ...]


class Matrix:
    """The rows of all sources. Nothing is kept but what the rules need; each pass computes the rows anew."""

    def __init__(self, policies: PolicySet, classes: Classes, readings: Readings) -> None:
        self.classes = classes
        self.ground = Ground(policies, classes)
        self._readings = readings
        self._connections = _Connections(self.ground.atoms)

    def rows(self) -> Iterator[Row]:
        """Each source class once, in one row with the classes that have the same connections."""
        egress, ingress = Egress(self.ground), Ingress(self.ground)
        groups: dict[tuple[bool, Signature, Signature], list[int]] = {}
        for each in self.classes.classes:
            exempt = self._readings.node_to_pod_always_allowed and each.sample.kind in (
                EndpointKind.NODE,
                EndpointKind.HOST,
            )
            key = exempt, () if exempt else ingress.signature(each.index), egress.signature(each.index)
            groups.setdefault(key, []).append(each.index)
        everything = {(self.ground.atoms.everything, 0): self.classes.everything}
        seen: Signature | None = None
        arriving: Sided = everything
        for exempt, incoming, outgoing in sorted(groups):
            places = groups[exempt, incoming, outgoing]
            if exempt:
                arriving = everything
            elif incoming != seen:
                arriving, seen = ingress.row(incoming), incoming
            leaving = egress.row(places[0])
            yield Row(tuple(self.classes.classes[place] for place in places), self._cells(leaving, arriving))

    def _cells(self, leaving: Sided, arriving: Sided) -> tuple[Cell, ...]:
        found: Partition[tuple[int, int]] = {}
        get = found.get
        if len(leaving) == 1 and (self.ground.atoms.everything, 0) in leaving:
            for (can_enter, can_be_refused), coming in arriving.items():
                if can_enter:
                    value = can_enter & ~can_be_refused, can_enter
                    found[value] = get(value, 0) | coming
            leaving = {}
        entries = [(can_enter, ~can_be_refused, coming) for (can_enter, can_be_refused), coming in arriving.items()]
        for (can_leave, can_be_kept), going in leaving.items():
            if not can_leave:
                continue
            left, surely_leaves = going, can_leave & ~can_be_kept
            for can_enter, surely_enters, coming in entries:
                hit = left & coming
                if not hit:
                    continue
                if possible := can_leave & can_enter:
                    value = possible & surely_leaves & surely_enters, possible
                    found[value] = get(value, 0) | hit
                left ^= hit
                if not left:
                    break
        connections, classes = self._connections, self.classes
        made = tuple.__new__  # a named tuple's own way is a function call more for each of very many cells
        return tuple([made(Cell, (connections[value], bits, classes)) for value, bits in found.items()])


class _Connections(dict[tuple[int, int], Connection]):
    """Connections by the masks of what surely and what possibly passes."""

    def __init__(self, atoms: Atoms) -> None:
        super().__init__()
        self._atoms = atoms

    def __missing__(self, value: tuple[int, int]) -> Connection:
        sure, possible = value
        traffic = self._atoms.traffic
        made = self[value] = Connection(traffic(sure), traffic(possible & ~sure))
        return made
