"""Sets of IPv4 and IPv6 addresses. Both families lie on one line of integers and never meet."""

import ipaddress
from collections.abc import Iterable
from typing import ClassVar, Self, TypeAlias

from netlint.predicates.intervals import Interval, IntervalSet

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
IPNetwork: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

_V4_LAST = (1 << 32) - 1
_V6_FIRST = 1 << 128
_V6_LAST = (1 << 129) - 1
_MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")


class AddressSet(IntervalSet):
    """An immutable set of addresses. IPv4 addresses stand for themselves, IPv6 addresses for themselves plus 2**128."""

    __slots__ = ()
    V6_OFFSET: ClassVar[int] = _V6_FIRST

    @classmethod
    def parse(cls, *blocks: str) -> Self:
        """The union of CIDR blocks and single addresses. Host bits are ignored and zeros before an octet dropped, as
        API servers did before they became strict. Raises ValueError."""
        if len(blocks) == 1:
            return cls._of_merged((_parsed(blocks[0]),))
        return cls(_parsed(block) for block in blocks)

    @classmethod
    def of_networks(cls, networks: Iterable[IPNetwork]) -> Self:
        return cls(_interval(network) for network in networks)

    @classmethod
    def single(cls, number: int) -> Self:
        """The set of one address, by its place on the line."""
        return cls._of_merged(((number, number),))

    def family(self, version: int) -> Self:
        """Only the addresses of IPv4 (4) or of IPv6 (6)."""
        return self & type(self)([(0, _V4_LAST) if version == 4 else (_V6_FIRST, _V6_LAST)])

    def ranges(self) -> tuple[tuple[IPAddress, IPAddress], ...]:
        """First and last address of each unbroken stretch."""
        return tuple((_address(low), _address(high)) for low, high in self.intervals)

    def networks(self) -> tuple[IPNetwork, ...]:
        """The fewest CIDR blocks that make up the set, in order."""
        found: list[IPNetwork] = []
        for first, last in self.ranges():
            found.extend(ipaddress.summarize_address_range(first, last))
        return tuple(found)

    def blocks(self) -> tuple[str, ...]:
        """`networks()` as text; a single address has no slash."""
        return tuple(
            str(network.network_address) if network.num_addresses == 1 else str(network) for network in self.networks()
        )

    def __str__(self) -> str:
        """The blocks, or `first-last` stretches where those are shorter."""
        if not self:
            return "no address"
        parts = []
        for low, high in self.intervals:
            blocks = type(self)._of_merged(((low, high),)).blocks()
            parts.append(blocks[0] if len(blocks) == 1 else f"{_address(low)}-{_address(high)}")
        return ", ".join(parts)


def parse_network(text: str) -> IPNetwork:
    """A CIDR block or an address, read leniently (see `AddressSet.parse`). Raises ValueError."""
    address, slash, length = text.strip().partition("/")
    if ":" not in address:
        address = ".".join(part.lstrip("0") or "0" if part.isdecimal() else part for part in address.split("."))
    if slash and not (length.isascii() and length.isdecimal()):
        raise ValueError(f"not a CIDR block: {text!r}")
    network = ipaddress.ip_network(f"{address}{slash}{length}", strict=False)
    if isinstance(network, ipaddress.IPv6Network) and network.prefixlen >= 96 and network.subnet_of(_MAPPED):
        mapped = network.network_address.ipv4_mapped
        return ipaddress.IPv4Network((str(mapped), network.prefixlen - 96))
    return network


def _parsed(block: str) -> Interval:
    """Addresses of pods are many and mostly plain: those are read without `ipaddress`."""
    parts = block.split(".")
    if len(parts) == 4 and block.isascii() and all(part.isdecimal() and len(part) < 4 for part in parts):
        octets = [int(part) for part in parts]
        if max(octets) < 256:
            number = int.from_bytes(octets)
            return number, number
    return _interval(parse_network(block))


def _interval(network: IPNetwork) -> Interval:
    offset = 0 if network.version == 4 else _V6_FIRST
    return int(network.network_address) + offset, int(network.broadcast_address) + offset


def _address(number: int) -> IPAddress:
    return ipaddress.IPv4Address(number) if number <= _V4_LAST else ipaddress.IPv6Address(number - _V6_FIRST)


ALL_IPV4 = AddressSet([(0, _V4_LAST)])
ALL_IPV6 = AddressSet([(_V6_FIRST, _V6_LAST)])
ALL_ADDRESSES = ALL_IPV4 | ALL_IPV6
NO_ADDRESSES = AddressSet()
