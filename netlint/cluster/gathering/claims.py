"""What a reader says of one fact, before it is weighed against what others say."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from netlint.cluster.facts import Evidence, Origin
from netlint.findings import Place

PROXY, PLUGIN, CLUSTER = 1, 2, 3
"""Ranks of sources: a copy that is used for something else, the plugin's own setting, the cluster's setting."""


@dataclass(frozen=True, slots=True)
class Claim:
    """`fact` is a field of NetworkFacts. `source` names the setting in words ("kubeadm podSubnet"). `alone`: there is
    one such setting in a cluster, so two that differ are examples and tell nothing. `many`: values add up."""

    fact: str
    value: Any
    source: str
    text: str
    place: Place | None
    origin: Origin = "object"
    rank: int = PLUGIN
    alone: bool = False
    many: bool = False

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.text, self.place, self.origin)


def blocks(value: Any) -> tuple[str, ...]:
    """The address blocks in a text (split at commas and spaces) or a list, canonical; what is none is left out."""
    texts: Iterable[Any]
    if isinstance(value, str):
        texts = value.replace(",", " ").split()
    elif isinstance(value, list):
        texts = value
    else:
        return ()
    found = (block(text) for text in texts if isinstance(text, str))
    return tuple(text for text in found if text is not None)


def block(text: str) -> str | None:
    """One block in canonical form, without host bits; None where it is none."""
    try:
        return str(ipaddress.ip_network(text.strip(), strict=False))
    except ValueError:
        return None


def addresses_in(texts: Iterable[Any]) -> tuple[str, ...]:
    """The addresses among these texts; placeholders and other words are left out."""
    found = (block(text) for text in texts if isinstance(text, str) and "/" not in text)
    return tuple(text.partition("/")[0] for text in found if text is not None)


def within(inner: str, outer: str) -> bool:
    """Whether one block lies in another; never across families."""
    one, other = ipaddress.ip_network(inner), ipaddress.ip_network(outer)
    if isinstance(one, ipaddress.IPv4Network) and isinstance(other, ipaddress.IPv4Network):
        return one.subnet_of(other)
    if isinstance(one, ipaddress.IPv6Network) and isinstance(other, ipaddress.IPv6Network):
        return one.subnet_of(other)
    return False


def family(text: str) -> int:
    """4 or 6."""
    return 6 if ":" in text else 4


def outermost(texts: Iterable[str]) -> tuple[str, ...]:
    """The blocks that lie in no other one, IPv4 first, in order of address."""
    distinct = sorted(set(texts), key=lambda text: (family(text), ipaddress.ip_network(text).network_address.packed))
    return tuple(text for text in distinct if not any(other != text and within(text, other) for other in distinct))


def number(value: Any) -> int | None:
    """A whole number, also in quotes."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.strip().isdigit() else None


def truth(value: Any) -> bool | None:
    """A boolean, also in quotes."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return None


def port_range(value: Any) -> tuple[int, int] | None:
    """`30000-32767`, or with a comma as Cilium writes it."""
    if not isinstance(value, str):
        return None
    first, _, last = value.replace(",", "-").partition("-")
    if not (first.strip().isdigit() and last.strip().isdigit()) or int(first) > int(last):
        return None
    return int(first), int(last)
