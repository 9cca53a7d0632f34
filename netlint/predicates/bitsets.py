"""The reading of predicates over the endpoints that are there: an inverted index, one Python integer a set."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from netlint.predicates.addresses import AddressSet
from netlint.predicates.endpoint import Endpoint, EndpointKind, Scope
from netlint.predicates.labels import Values
from netlint.predicates.predicate import AddressIn, And, Assumption, Constant, Label, Not, OfKind, Or, Predicate

Bits: TypeAlias = int
Range: TypeAlias = tuple[Bits, Bits]
"""Those that certainly match, and those that possibly match. Where all is known both are the same."""


class Index:
    """Answers predicates over a fixed sequence of endpoints; bit i stands for endpoint i. Each distinct predicate is
    evaluated once, and only labels that predicates ask about are indexed.

    `uncut` promises that no block that will be asked about divides the addresses of an external endpoint, so that one
    address can stand for all of them.
    """

    def __init__(self, endpoints: Sequence[Endpoint], uncut: bool = False) -> None:
        self._endpoints = endpoints
        self._uncut = uncut
        self.everything: Bits = (1 << len(endpoints)) - 1
        self._answers: dict[Predicate, Range] = {}
        self._keys: dict[tuple[Scope, str], tuple[dict[str, Bits], Bits, Bits]] = {}
        self._held: dict[Scope, tuple[list[Mapping[str, str]], list[tuple[int, Endpoint]]]] = {}
        self._unknown: list[tuple[frozenset[tuple[Scope, str]], Bits]] | None = None
        self._kinds: dict[EndpointKind, Bits] | None = None
        self._points: list[tuple[int, int]] | None = None
        self._ranges: dict[AddressSet, Bits] = {}

    def evaluate(self, predicate: Predicate) -> Range:
        known = self._answers.get(predicate)
        if known is None:
            known = self._answers[predicate] = self._evaluate(predicate)
        return known

    def _evaluate(self, predicate: Predicate) -> Range:
        if isinstance(predicate, Label):
            return self._label(predicate)
        if isinstance(predicate, And):
            must = may = self.everything
            for part in predicate.parts:
                part_must, part_may = self.evaluate(part)
                if part_must is part_may and must is may:
                    must = may = must & part_must
                else:
                    must, may = must & part_must, may & part_may
            return _same(must, may)
        if isinstance(predicate, Or):
            must = may = 0
            for part in predicate.parts:
                part_must, part_may = self.evaluate(part)
                must, may = must | part_must, may | part_may
            return _same(must, may)
        if isinstance(predicate, Not):
            part_must, part_may = self.evaluate(predicate.part)
            return _same(self.everything & ~part_may, self.everything & ~part_must)
        if isinstance(predicate, OfKind):
            found = 0
            for kind in predicate.kinds:
                found |= self._by_kind().get(kind, 0)
            return found, found
        if isinstance(predicate, AddressIn):
            return self._address(predicate.addresses)
        if isinstance(predicate, Constant):
            found = self.everything if predicate.value else 0
            return found, found
        if isinstance(predicate, Assumption):
            return 0, self.everything
        raise TypeError(f"no bitset reading for {type(predicate).__name__}")

    def _label(self, predicate: Label) -> Range:
        if predicate.values.takes_all or not predicate.values:
            found = self.everything if predicate.values else 0
            return found, found
        by_value, present, unknown = self._by_key(predicate.scope, predicate.key)
        found = matching(predicate.values, by_value, present, self.everything)
        if not unknown:
            return found, found
        return found & ~unknown, found | unknown

    def _by_key(self, scope: Scope, key: str) -> tuple[dict[str, Bits], Bits, Bits]:
        known = self._keys.get((scope, key))
        if known is None:
            labels, open_ended = self._labels(scope)
            places: dict[str, list[int]] = {}
            for place, held in enumerate(labels):
                if key in held:
                    places.setdefault(held[key], []).append(place)
            unknown = bits_of([place for place, endpoint in open_ended if not endpoint.knows(scope, key)])
            for keys, bits in self._by_unknown_keys():
                if (scope, key) in keys:
                    unknown |= bits
            by_value = {value: bits_of(found) for value, found in places.items()}
            present = bits_of(sorted(place for found in places.values() for place in found))
            known = self._keys[scope, key] = by_value, present, unknown
        return known

    def _labels(self, scope: Scope) -> tuple[list[Mapping[str, str]], list[tuple[int, Endpoint]]]:
        """The labels of every endpoint in a scope, and the endpoints that may have any others besides."""
        found = self._held.get(scope)
        if found is None:
            open_ended = [
                (place, endpoint) for place, endpoint in enumerate(self._endpoints) if scope in endpoint.open_scopes
            ]
            found = self._held[scope] = [each.labels_of(scope) for each in self._endpoints], open_ended
        return found

    def _by_unknown_keys(self) -> list[tuple[frozenset[tuple[Scope, str]], Bits]]:
        """The endpoints by the labels that are not known of them: few distinct sets."""
        if self._unknown is None:
            places: dict[frozenset[tuple[Scope, str]], list[int]] = {}
            for place, endpoint in enumerate(self._endpoints):
                if endpoint.unknown_keys:
                    places.setdefault(endpoint.unknown_keys, []).append(place)
            self._unknown = [(keys, bits_of(found)) for keys, found in places.items()]
        return self._unknown

    def _by_kind(self) -> dict[EndpointKind, Bits]:
        if self._kinds is None:
            places: dict[EndpointKind, list[int]] = {}
            for place, endpoint in enumerate(self._endpoints):
                places.setdefault(endpoint.kind, []).append(place)
            self._kinds = {kind: bits_of(found) for kind, found in places.items()}
        return self._kinds

    def _address(self, addresses: AddressSet) -> Range:
        if self._points is None:
            self._index_addresses()
        points = self._points or []
        exact = 0
        for low, high in addresses.intervals:
            start, end = bisect_left(points, (low, -1)), bisect_right(points, (high, len(self._endpoints)))
            if start < end:
                exact |= bits_of(sorted(place for _, place in points[start:end]))
        must = may = exact
        for held, places in self._ranges.items():
            if held.overlaps(addresses):
                may |= places
                if held <= addresses:
                    must |= places
        return _same(must, may)

    def _index_addresses(self) -> None:
        points: list[tuple[int, int]] = []
        ranges: dict[AddressSet, list[int]] = {}
        for place, endpoint in enumerate(self._endpoints):
            held = endpoint.addresses
            if not held:
                continue
            single = held.size == 1 or (self._uncut and endpoint.kind is EndpointKind.EXTERNAL)
            if single:
                points.append((held.intervals[0][0], place))
            else:
                ranges.setdefault(held, []).append(place)
        self._points = sorted(points)
        self._ranges = {held: bits_of(places) for held, places in ranges.items()}


def matching(values: Values, by_value: dict[str, Bits], present: Bits, everything: Bits) -> Bits:
    """The places whose label passes, from the places of each value and of any value."""
    found = 0
    for value in values.values:
        found |= by_value.get(value, 0)
    if values.complement:
        found = present & ~found
    if values.absent:
        found |= everything & ~present
    return found


def bits_of(places: Iterable[int]) -> Bits:
    """The set of the places, which come in rising order."""
    listed = places if isinstance(places, list) else list(places)
    if not listed:
        return 0
    base = listed[0]
    if len(listed) == 1:
        return 1 << base
    held = bytearray(((listed[-1] - base) >> 3) + 1)
    for place in listed:
        offset = place - base
        held[offset >> 3] |= 1 << (offset & 7)
    return int.from_bytes(held, "little") << base


def places_of(bits: Bits) -> Iterator[int]:
    """The places of a set, rising. Cost grows with the stretch from first to last member, not with their number."""
    if not bits:
        return
    base = (bits & -bits).bit_length() - 1
    text = bin(bits >> base)[:1:-1]
    place = text.find("1")
    while place >= 0:
        yield base + place
        place = text.find("1", place + 1)


def _same(must: Bits, may: Bits) -> Range:
    return (must, must) if must == may else (must, may)
