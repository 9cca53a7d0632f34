"""Endpoints that no policy tells apart are one class; every predicate of the rules as a set of classes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from netlint.policy.form import PolicySet
from netlint.predicates import Endpoint, EndpointKind, EndpointPort, NamedPort, Or, Predicate
from netlint.predicates.bitsets import Bits, Index, Range, bits_of, places_of


@dataclass(frozen=True, eq=False, slots=True)
class EndpointClass:
    """Endpoints that every policy treats alike. `index` is the place of the class in all sets of classes."""

    index: int
    members: tuple[Endpoint, ...]

    @property
    def sample(self) -> Endpoint:
        return self.members[0]

    def __str__(self) -> str:
        more = len(self.members) - 1
        return f"{self.sample}" + (f" and {more} more" if more else "")


class Classes:
    """The classes of some endpoints under some policies. Each distinct predicate is evaluated once, over the endpoints;
    its sets of classes follow from that."""

    def __init__(self, endpoints: Sequence[Endpoint], policies: PolicySet) -> None:
        self.endpoints = endpoints
        self.names = named_ports(policies)
        index = Index(endpoints, uncut=True)
        predicates = policies.predicates
        signatures: list[list[int]] = [[] for _ in endpoints]
        constant: dict[int, bool] = {}
        inverted: set[int] = set()
        for number, predicate in enumerate(predicates):
            must, may = index.evaluate(predicate)
            if must == index.everything or may == 0:
                constant[number] = must == index.everything
                continue
            # Each endpoint lists what it certainly matches (even numbers) and what it may match (odd); where most
            # match, those that do not match list it instead.
            if must is may and 2 * must.bit_count() > len(endpoints):
                inverted.add(number)
                must = may = index.everything & ~must
            for place in places_of(must):
                signatures[place].append(2 * number)
            if must is not may:
                for place in places_of(may & ~must):
                    signatures[place].append(2 * number + 1)
        groups: dict[tuple[object, ...], list[int]] = {}
        for place, endpoint in enumerate(endpoints):
            key = (tuple(signatures[place]), self._ports(endpoint), _manner(endpoint.kind))
            groups.setdefault(key, []).append(place)
        self.classes = tuple(
            EndpointClass(number, tuple(endpoints[place] for place in places))
            for number, places in enumerate(groups.values())
        )
        self.everything: Bits = (1 << len(self.classes)) - 1
        self._ranges = self._over_classes(predicates, constant, inverted, [key[0] for key in groups])
        self._by_endpoint = {id(endpoint): each for each in self.classes for endpoint in each.members}
        ports: dict[tuple[EndpointPort, ...], list[int]] = {}
        for each in self.classes:
            ports.setdefault(self._ports(each.sample), []).append(each.index)
        self.by_ports: list[tuple[Endpoint, Bits]] = [
            (self.classes[places[0]].sample, bits_of(places)) for places in ports.values()
        ]

    def _over_classes(
        self,
        predicates: Sequence[Predicate],
        constant: dict[int, bool],
        inverted: set[int],
        signatures: Iterable[object],
    ) -> dict[Predicate, Range]:
        places: dict[int, list[int]] = {}
        for number, signature in enumerate(signatures):
            assert isinstance(signature, tuple)
            for entry in signature:
                places.setdefault(entry, []).append(number)
        found: dict[Predicate, Range] = {}
        for number, predicate in enumerate(predicates):
            if number in constant:
                always = self.everything if constant[number] else 0
                found[predicate] = always, always
                continue
            must = bits_of(places.get(2 * number, []))
            if number in inverted:
                must = self.everything & ~must
            perhaps = bits_of(places.get(2 * number + 1, []))
            found[predicate] = (must, must | perhaps) if perhaps else (must, must)
        return found

    def _ports(self, endpoint: Endpoint) -> tuple[EndpointPort, ...]:
        """The ports of an endpoint that rules call by name."""
        if not self.names or not endpoint.ports:
            return ()
        names = self.names
        return tuple(
            sorted(
                port
                for port in endpoint.ports
                if NamedPort(port.name, port.protocol) in names or NamedPort(port.name, None) in names
            )
        )

    def range(self, predicate: Predicate) -> Range:
        """The classes that certainly and those that possibly match one of the rules' predicates."""
        known = self._ranges.get(predicate)
        if known is None:
            assert isinstance(predicate, Or)
            must = may = 0
            for part in predicate.parts:
                part_must, part_may = self._ranges[part]
                must, may = must | part_must, may | part_may
            known = self._ranges[predicate] = (must, must) if must == may else (must, may)
        return known

    def of(self, endpoint: Endpoint) -> EndpointClass | None:
        """The class of one of the endpoints; None for another endpoint."""
        return self._by_endpoint.get(id(endpoint))

    def chosen(self, bits: Bits) -> tuple[EndpointClass, ...]:
        return tuple(self.classes[place] for place in places_of(bits))


def _manner(kind: EndpointKind) -> str:
    """Kinds that no predicate need tell apart, but readings and reports do."""
    return "node" if kind in (EndpointKind.NODE, EndpointKind.HOST) else kind.value


def named_ports(policies: PolicySet) -> frozenset[NamedPort]:
    """The names of ports that the rules mention."""
    return frozenset(name for rule in policies.rules for name in rule.port_set.named)
