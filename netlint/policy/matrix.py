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
        self._shift = len(self.ground.atoms)
        everything = self.ground.atoms.everything
        self._everything = everything | everything << self._shift
        self._connections = _Connections(self.ground.atoms, self._shift)

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
        everything: Partition[int] = {self._everything: self.classes.everything}
        seen: Signature | None = None
        arriving = everything
        for exempt, incoming, outgoing in sorted(groups):
            places = groups[exempt, incoming, outgoing]
            if exempt:
                arriving = everything
            elif incoming != seen:
                arriving, seen = self._packed(ingress.row(incoming)), incoming
            leaving = self._packed(egress.row(places[0]))
            yield Row(tuple(self.classes.classes[place] for place in places), self._cells(leaving, arriving))

    def _packed(self, side: Sided) -> Partition[int]:
        """A side with one mask for both: what can pass, and above it what surely does. Two sides pass what the
        conjunction of their masks says."""
        shift = self._shift
        found: Partition[int] = {}
        for (can_pass, can_be_denied), bits in side.items():
            mask = can_pass | (can_pass & ~can_be_denied) << shift
            if mask:
                found[mask] = found.get(mask, 0) | bits
        return found

    def _cells(self, leaving: Partition[int], arriving: Partition[int]) -> tuple[Cell, ...]:
        found: Partition[int] = {}
        get = found.get
        entries = arriving.items()
        for sent, going in leaving.items():
            if sent == self._everything and going == self.classes.everything:
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
    """Connections by the packed masks of what possibly and what surely passes."""

    def __init__(self, atoms: Atoms, shift: int) -> None:
        super().__init__()
        self._atoms = atoms
        self._shift = shift

    def __missing__(self, passing: int) -> Connection:
        sure = passing >> self._shift
        possible = passing ^ sure << self._shift
        traffic = self._atoms.traffic
        made = self[passing] = Connection(traffic(sure), traffic(possible & ~sure))
        return made
