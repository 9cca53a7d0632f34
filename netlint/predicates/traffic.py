"""Sets of traffic: protocols and destination ports, and names of ports that only a destination can resolve."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, Self

from netlint.predicates.intervals import Interval, IntervalSet

# Each protocol is a lane of the line: ports for the first three, type*256+code for ICMP, protocol numbers for the rest.
LANES: Final[Mapping[str, int]] = {"TCP": 0, "UDP": 1, "SCTP": 2, "ICMP": 3, "ICMPv6": 4, "other": 5}
PORT_PROTOCOLS: Final = ("TCP", "UDP", "SCTP")
_WIDTH = 1 << 16
_LIMITS: Final[Mapping[str, Interval]] = {
    "TCP": (1, 65535),
    "UDP": (1, 65535),
    "SCTP": (1, 65535),
    "ICMP": (0, 65535),
    "ICMPv6": (0, 65535),
    "other": (0, 255),
}


class TrafficSet(IntervalSet):
    """An immutable set of (protocol, destination port). Everything is more than TCP, UDP and SCTP: ICMP and other
    protocols belong to it, so that a rule without ports is wider than one that lists all ports of the three."""

    __slots__ = ()

    @classmethod
    def of(cls, protocol: str, first: int | None = None, last: int | None = None) -> Self:
        """One port, the ports first..last, or the whole protocol. Raises KeyError for a protocol not in LANES."""
        base = LANES[protocol] * _WIDTH
        low, high = _LIMITS[protocol]
        if first is not None:
            low, high = max(low, first), min(high, first if last is None else last)
        return cls([(base + low, base + high)])

    def contains(self, protocol: str, port: int) -> bool:
        return LANES[protocol] * _WIDTH + port in self

    def ports(self, protocol: str) -> tuple[Interval, ...]:
        """The ports of one protocol as inclusive ranges."""
        base = LANES[protocol] * _WIDTH
        low, high = _LIMITS[protocol]
        part = self & type(self)._of_merged(((base + low, base + high),))
        return tuple((first - base, last - base) for first, last in part.intervals)

    def protocols(self) -> tuple[str, ...]:
        """The protocols of which at least one port belongs to the set."""
        return tuple(protocol for protocol in LANES if self.ports(protocol))

    def without_other(self) -> Self:
        """Only TCP, UDP and SCTP, which is all that port lists and most reports speak of."""
        return self & type(self)._of_merged(((0, 3 * _WIDTH - 1),))

    def example(self) -> tuple[str, int] | None:
        """The first protocol and port of the set; None for the empty set."""
        for low, _ in self.intervals:
            return point(low)
        return None

    def __str__(self) -> str:
        if not self:
            return "nothing"
        if self == ALL_TRAFFIC:
            return "all"
        parts = []
        for protocol in LANES:
            ranges = self.ports(protocol)
            if not ranges:
                continue
            if ranges == (_LIMITS[protocol],):
                parts.append(protocol)
            else:
                parts.append(protocol + " " + ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges))
        return ", ".join(parts)


def point(number: int) -> tuple[str, int]:
    """The protocol and the port that stand at a place of the line."""
    lane, port = divmod(number, _WIDTH)
    return list(LANES)[lane], port


def place(protocol: str, port: int) -> int:
    """The place of a protocol and port on the line. Raises KeyError for a protocol not in LANES."""
    return LANES[protocol] * _WIDTH + port


ALL_TRAFFIC = TrafficSet(
    (LANES[name] * _WIDTH + low, LANES[name] * _WIDTH + high) for name, (low, high) in _LIMITS.items()
)
NO_TRAFFIC = TrafficSet()


@dataclass(frozen=True, slots=True, order=True)
class NamedPort:
    """A port by name. `protocol` None takes the protocol that the destination declares with the name."""

    name: str
    protocol: str | None = "TCP"


@dataclass(frozen=True, slots=True, order=True)
class EndpointPort:
    """A port that an endpoint declares; `name` is empty for a port without one."""

    name: str
    protocol: str
    number: int


class HasPorts(Protocol):
    """What named ports are resolved against."""

    @property
    def ports(self) -> tuple[EndpointPort, ...]: ...


@dataclass(frozen=True, slots=True)
class PortSet:
    """What a rule says of ports: plain traffic, and names that each destination resolves for itself."""

    traffic: TrafficSet = NO_TRAFFIC
    named: frozenset[NamedPort] = frozenset()

    def __or__(self, other: "PortSet") -> "PortSet":
        return PortSet(self.traffic | other.traffic, self.named | other.named)

    def resolve(self, destination: HasPorts) -> TrafficSet:
        """The traffic meant for one destination. Name and protocol must both agree with a declared port."""
        if not self.named:
            return self.traffic
        return self.traffic | TrafficSet(
            (place(port.protocol, port.number),) * 2
            for port in destination.ports
            if port.protocol in LANES
            and (NamedPort(port.name, port.protocol) in self.named or NamedPort(port.name, None) in self.named)
        )

    def __str__(self) -> str:
        names = ", ".join(
            f"{port.name} ({port.protocol or 'any protocol'})" for port in sorted(self.named, key=_by_name)
        )
        if not self.named:
            return str(self.traffic)
        return f"{self.traffic}, {names}" if self.traffic else names


def _by_name(port: NamedPort) -> tuple[str, str]:
    return port.name, port.protocol or ""


def union_of(parts: Iterable[PortSet]) -> PortSet:
    """What any of the parts covers; nothing for no part."""
    whole = PortSet()
    for part in parts:
        whole = whole | part
    return whole


ALL_PORTS = PortSet(ALL_TRAFFIC)
