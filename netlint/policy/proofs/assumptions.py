"""What may be taken for granted of endpoints that could be, apart from what is asked about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from netlint.policy.endpoints import Ranges
from netlint.predicates import ALL_ADDRESSES, NAME, NO_ADDRESSES, OTHER, EndpointKind, Scope, Values
from netlint.predicates.symbolic import Side, Symbols, Term

_INSIDE = (EndpointKind.POD,)
_ON_NODES = (EndpointKind.HOST, EndpointKind.NODE)


@dataclass(frozen=True, slots=True)
class Assumptions:
    """`namespaces` have exactly these labels; with `closed_namespaces` there are no others. Endpoints have their
    addresses in the ranges that are known."""

    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    closed_namespaces: bool = False
    ranges: Ranges = field(default_factory=Ranges)

    def open(self) -> "Assumptions":
        """The same, with any other namespaces possible."""
        return Assumptions(self.namespaces, False, self.ranges)

    def terms(self, symbols: Symbols, side: Side) -> list[Term]:
        """The assumptions about one side."""
        return [*side.rules, *self._namespaces(symbols, side), *self._addresses(symbols, side)]

    def _namespaces(self, symbols: Symbols, side: Side) -> list[Term]:
        cells = symbols.vocabulary.cells
        keys = [key for key in symbols.vocabulary.keys(Scope.NAMESPACE) if key != NAME]
        mentioned = set(cells[Scope.NAMESPACE, NAME])
        named = sorted(name for name in self.namespaces if name in mentioned)
        in_one = [side.label(Scope.NAMESPACE, NAME, Values.one_of(name)) for name in named]

        def has(key: str, value: str | None) -> Term:
            """The label has a value; one that no predicate mentions is in the cell of all other values."""
            listed = cells[Scope.NAMESPACE, key]
            if value is None:
                return side.label(Scope.NAMESPACE, key, Values.missing())
            return side.label(Scope.NAMESPACE, key, Values.one_of(value if value in listed else OTHER))

        found: list[Term] = []
        for name, here in zip(named, in_one, strict=True):
            elsewhere = symbols.no(here)
            found.extend(symbols.any([elsewhere, has(key, self.namespaces[name].get(key))]) for key in keys)
        if self.closed_namespaces:
            unnamed = side.label(Scope.NAMESPACE, NAME, Values.one_of(OTHER))
            # Namespaces that nothing mentions by name are alike where the mentioned labels are.
            others = {
                tuple(self.namespaces[name].get(key) for key in keys)
                for name in self.namespaces
                if name not in mentioned
            }
            for kind in sorted(others, key=lambda kind: tuple((value is not None, value or "") for value in kind)):
                tests = [has(key, value) for key, value in zip(keys, kind, strict=True)]
                in_one.append(symbols.all([unnamed, *tests]))
            found.append(symbols.any([symbols.no(side.of_kinds((EndpointKind.POD, EndpointKind.HOST))), *in_one]))
        return found

    def _addresses(self, symbols: Symbols, side: Side) -> list[Term]:
        ranges = self.ranges
        found = []
        if ranges.pods:
            found.append(symbols.any([symbols.no(side.of_kinds(_INSIDE)), side.at(ranges.pods)]))
        if ranges.nodes:
            found.append(symbols.any([symbols.no(side.of_kinds(_ON_NODES)), side.at(ranges.nodes)]))
        taken = (ranges.pods or NO_ADDRESSES) | (ranges.services or NO_ADDRESSES)
        if taken:
            outside = (EndpointKind.EXTERNAL, EndpointKind.API_SERVER)
            found.append(symbols.any([symbols.no(side.of_kinds(outside)), side.at(ALL_ADDRESSES - taken)]))
        return found
