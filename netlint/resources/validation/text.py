"""The forms of single values: names, labels, ports, addresses. Each function says what is wrong, or None.

The forms are those of apimachinery `pkg/util/validation` and `pkg/api/validate/content`; a message completes the
sentence "the value ...".
"""

import ipaddress
import re
from functools import lru_cache

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_LABEL_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_NAME_PART = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_QUANTITY = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+|[numkMGTPE]|[KMGTPE]i)?")

PROTOCOLS = ("TCP", "UDP", "SCTP")


@lru_cache(maxsize=4096)
def dns_label(value: str) -> str | None:
    """RFC 1123 label."""
    if len(value) > 63:
        return f"must be no more than 63 characters, has {len(value)}"
    if not _LABEL.fullmatch(value):
        return "must consist of lower case letters, digits and '-', and start and end with a letter or digit"
    return None


@lru_cache(maxsize=4096)
def dns_1035_label(value: str) -> str | None:
    """RFC 1035 label: it starts with a letter."""
    if dns_label(value) is None and not _LABEL_1035.fullmatch(value):
        return "must start with a letter"
    return dns_label(value)


@lru_cache(maxsize=4096)
def dns_subdomain(value: str) -> str | None:
    """RFC 1123 subdomain: labels joined by dots."""
    if len(value) > 253:
        return f"must be no more than 253 characters, has {len(value)}"
    if not _SUBDOMAIN.fullmatch(value):
        return (
            "must consist of lower case letters, digits, '-' and '.', and each part between dots must start and end "
            "with a letter or digit"
        )
    return None


@lru_cache(maxsize=4096)
def label_key(value: str) -> str | None:
    """A qualified name: an optional DNS subdomain and a slash, then up to 63 characters."""
    prefix, slash, name = value.rpartition("/")
    if slash and dns_subdomain(prefix):
        return 'must have a DNS name before the "/"'
    if not name:
        return "must not be empty"
    if len(name) > 63:
        return f"must have a name of no more than 63 characters, has {len(name)}"
    if not _NAME_PART.fullmatch(name):
        return "must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit"
    return None


def annotation_key(value: str) -> str | None:
    """As a label key, but upper case is read as lower case in the prefix."""
    return label_key(value.lower())


@lru_cache(maxsize=4096)
def label_value(value: str) -> str | None:
    """Empty, or up to 63 characters."""
    if not value:
        return None
    if len(value) > 63:
        return f"must be no more than 63 characters, has {len(value)}"
    if not _NAME_PART.fullmatch(value):
        return "must be empty or consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit"
    return None


@lru_cache(maxsize=4096)
def port_name(value: str) -> str | None:
    """An IANA service name (RFC 6335)."""
    if value.isdigit():
        return "is a name made of digits, and a port's name must hold a letter"
    if not value:
        return "must not be empty"
    if len(value) > 15:
        return f"must be no more than 15 characters, has {len(value)}"
    if not re.fullmatch(r"[-a-z0-9]+", value):
        return "must consist of lower case letters, digits and '-'"
    if not re.search(r"[a-z]", value):
        return "must hold at least one letter"
    if "--" in value:
        return "must not hold '--'"
    if value[0] == "-" or value[-1] == "-":
        return "must not start or end with '-'"
    return None


def port_number(value: int) -> str | None:
    """1 to 65535."""
    return None if 1 <= value <= 65535 else "must be between 1 and 65535"


def port_hint(value: str) -> str | None:
    """What to write for a quoted number."""
    return "remove the quotes" if value.isdigit() else None


@lru_cache(maxsize=4096)
def quantity(value: str) -> str | None:
    """A resource.Quantity."""
    return None if _QUANTITY.fullmatch(value) else "must be a quantity such as 500m, 2 or 128Mi"


@lru_cache(maxsize=4096)
def ip_address(value: str) -> str | None:
    """An IPv4 or IPv6 address, read as leniently as before Kubernetes 1.36 (leading zeros)."""
    return None if parse_ip(value) is not None else "must be an IP address"


def parse_ip(value: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address, with leading zeros read as decimal; None where the text is none."""
    if "%" in value:
        return None
    try:
        return ipaddress.ip_address(_without_zeros(value))
    except ValueError:
        return None


def parse_cidr(value: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    """The range, its host bits masked; None where the text is no CIDR."""
    address, slash, length = value.partition("/")
    if not slash or not length.isascii() or not length.isdigit() or (len(length) > 1 and length[0] == "0"):
        return None
    if "%" in address:
        return None
    try:
        return ipaddress.ip_network(f"{_without_zeros(address)}/{length}", strict=False)
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def cidr(value: str) -> str | None:
    """A CIDR, read as leniently as before Kubernetes 1.36."""
    if parse_cidr(value) is not None:
        return None
    if parse_ip(value) is not None:
        return f'must be a CIDR such as "{value}/{128 if ":" in value else 32}"'
    return "must be a CIDR such as 10.0.0.0/8 or 2001:db8::/32"


@lru_cache(maxsize=4096)
def strict_cidr(value: str) -> str | None:
    """What Kubernetes 1.36 and later refuse in a new CIDR that reads as one (KEP-4858)."""
    network = parse_cidr(value)
    if network is None:
        return None
    address, _, length = value.partition("/")
    if _without_zeros(address) != address:
        return "has leading zeros"
    parsed = parse_ip(address)
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        return "is an IPv4-mapped IPv6 address"
    if parsed is not None and parsed != network.network_address:
        return f"has bits set beyond its /{length}; the range is {network}"
    return None


def _without_zeros(address: str) -> str:
    if ":" in address:
        return address
    return re.sub(r"(^|\.)0+(?=\d)", r"\1", address)
