"""The normal form of what may pass: protocols and merged port ranges, and step functions over addresses.

Deliberately not netlint's own sets: the two sides of a comparison should not share their arithmetic.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

Ranges = tuple[tuple[int, int], ...]
PROTOCOLS = ("SCTP", "TCP", "UDP")
EVERY_PORT: Ranges = ((1, 65535),)
IPV4_END = 2**32 - 1


def merge(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Sorted, disjoint and not touching."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def intersect(left: Ranges, right: Ranges) -> Ranges:
    return merge((max(a, c), min(b, d)) for a, b in left for c, d in right if max(a, c) <= min(b, d))


def subtract(left: Ranges, right: Ranges) -> Ranges:
    remaining = list(left)
    for low, high in right:
        cut: list[tuple[int, int]] = []
        for a, b in remaining:
            if b < low or a > high:
                cut.append((a, b))
                continue
            if a < low:
                cut.append((a, low - 1))
            if b > high:
                cut.append((high + 1, b))
        remaining = cut
    return merge(remaining)


@dataclass(frozen=True)
class Traffic:
    """Ports by protocol; protocols without ports are left out. `other` is everything but TCP, UDP and SCTP."""

    ports: tuple[tuple[str, Ranges], ...] = ()
    other: bool = False

    @classmethod
    def of(cls, ports: dict[str, Iterable[tuple[int, int]]], other: bool = False) -> Traffic:
        clipped = {protocol: intersect(merge(ranges), EVERY_PORT) for protocol, ranges in ports.items()}
        return cls(tuple(sorted((name, ranges) for name, ranges in clipped.items() if ranges)), other)

    def on(self, protocol: str) -> Ranges:
        return dict(self.ports).get(protocol, ())

    def _combine(self, other: Traffic, operation: Callable[[Ranges, Ranges], Ranges], rest: bool) -> Traffic:
        names = sorted({name for name, _ in self.ports} | {name for name, _ in other.ports})
        return Traffic.of({name: operation(self.on(name), other.on(name)) for name in names}, rest)

    def __or__(self, other: Traffic) -> Traffic:
        return self._combine(other, lambda a, b: merge((*a, *b)), self.other or other.other)

    def __and__(self, other: Traffic) -> Traffic:
        return self._combine(other, intersect, self.other and other.other)

    def __sub__(self, other: Traffic) -> Traffic:
        return self._combine(other, subtract, self.other and not other.other)

    def __bool__(self) -> bool:
        return bool(self.ports) or self.other

    def without_other(self) -> Traffic:
        return Traffic(self.ports)

    def holds(self, protocol: str, port: int) -> bool:
        return any(low <= port <= high for low, high in self.on(protocol))

    def __str__(self) -> str:
        if not self:
            return "No Connections"
        if self.without_other() == ALL:
            return "All Connections and other protocols" if self.other else "All Connections"
        return ",".join(
            f"{name} " + ",".join(str(low) if low == high else f"{low}-{high}" for low, high in ranges)
            for name, ranges in self.ports
        )


NOTHING = Traffic()
ALL = Traffic.of(dict.fromkeys(PROTOCOLS, EVERY_PORT))


def parse_connection(text: str) -> Traffic:
    """`All Connections`, `No Connections`, `SCTP 1-65535,TCP 1-79,81-65535,UDP 53`; no port means every port."""
    text = text.strip()
    if text in ("All Connections", "All connections"):
        return ALL
    if text in ("", "No Connections", "No connections"):
        return NOTHING
    ports: dict[str, list[tuple[int, int]]] = {}
    for part in re.split(r",\s*(?=[A-Z])", text):
        protocol, _, ranges = part.strip().partition(" ") if part[:1].isupper() else ("", "", part)
        for piece in ranges.split(",") if ranges else ["1-65535"]:
            low, _, high = piece.strip().partition("-")
            if low.isdigit():
                ports.setdefault(protocol, []).append((int(low), int(high or low)))
            else:
                ports.setdefault(named(protocol, piece.strip()), []).append((1, 1))
    return Traffic.of(dict(ports))


def named(protocol: str, name: str) -> str:
    """A port by name that nothing in the input resolves stands as a protocol of its own."""
    return f"{protocol}/{name}"


Steps = tuple[tuple[int, int, Traffic], ...]


def steps(rows: Iterable[tuple[int, int, Traffic]]) -> Steps:
    """A step function over addresses in its shortest form; rows that overlap are united, gaps hold nothing."""
    rows = sorted((row for row in rows if row[2]), key=lambda row: row[:2])
    if any(row[1] >= after[0] for row, after in pairwise(rows)):
        rows = _disjoint(rows)
    shortest: list[tuple[int, int, Traffic]] = []
    for low, high, here in rows:
        if shortest and shortest[-1][1] + 1 == low and shortest[-1][2] == here:
            shortest[-1] = (shortest[-1][0], high, here)
        else:
            shortest.append((low, high, here))
    return tuple(shortest)


def _disjoint(rows: list[tuple[int, int, Traffic]]) -> list[tuple[int, int, Traffic]]:
    cuts = sorted({low for low, _, _ in rows} | {high + 1 for _, high, _ in rows})
    found = []
    for low, after in pairwise(cuts):
        here = NOTHING
        for start, end, traffic in rows:
            if start <= low <= end:
                here |= traffic
        if here:
            found.append((low, after - 1, here))
    return found


def address(text: str) -> int:
    return int(ipaddress.IPv4Address(text))


def show_range(low: int, high: int) -> str:
    if low > IPV4_END:
        return f"{ipaddress.IPv6Address(low - 2**128)}-{ipaddress.IPv6Address(high - 2**128)}"
    return f"{ipaddress.IPv4Address(low)}-{ipaddress.IPv4Address(high)}"
