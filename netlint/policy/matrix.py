"""All connections, class by class: each row joins a source's egress with the destinations' ingress."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from netlint.policy.atoms import Atoms
from netlint.policy.classes import Classes, EndpointClass
from netlint.policy.form import PolicySet
from netlint.policy.outcome import Connection
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
        everything: Sided = {self.ground.whole: self.classes.everything}
        seen: Signature | None = None
        arriving = everything
        for exempt, incoming, outgoing in sorted(groups):
            places = groups[exempt, incoming, outgoing]
            if exempt:
                arriving = everything
            elif incoming != seen:
                arriving, seen = ingress.row(incoming), incoming
            leaving = egress.row(places[0])
            yield Row(tuple(self.classes.classes[place] for place in places), self._cells(leaving, arriving))

    def _cells(self, leaving: Sided, arriving: Sided) -> tuple[Cell, ...]:
        found: Sided = {}
        get = found.get
        entries, whole = arriving.items(), self.ground.whole
        for sent, going in leaving.items():
            if sent == whole and going == self.classes.everything:
                found = arriving
                break
            left = going
            for taken, coming in entries:
                hit = left & coming
                if hit:
                    passing = sent & taken
                    if passing:
                        found[passing] = get(passing, 0) | hit
                    left ^= hit
                    if not left:
                        break
        connections, classes = self._connections, self.classes
        made = tuple.__new__  # a named tuple's own way is a function call more for each of very many cells
        return tuple([made(Cell, (connections[passing], bits, classes)) for passing, bits in found.items()])


class _Connections(dict[int, Connection]):
    """Connections by the masks of what surely and what possibly passes."""

    def __init__(self, atoms: Atoms) -> None:
        super().__init__()
        self._atoms = atoms

    def __missing__(self, passing: int) -> Connection:
        possible = passing >> len(self._atoms)
        sure = passing ^ possible << len(self._atoms)
        traffic = self._atoms.traffic
        made = self[passing] = Connection(traffic(sure), traffic(possible & ~sure))
        return made
