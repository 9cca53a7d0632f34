"""The words for an endpoint, on the command line and in assertions, before anything is looked up."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from netlint.resources.validation.text import dns_label, label_key, label_value


class ExpressionError(ValueError):
    """The text names no endpoint: the message says why and what would."""


@dataclass(frozen=True, slots=True)
class ByName:
    """`shop/web`, `shop/Deployment/web`: a workload; `shop/Service/web`: a Service; `Node/n1`: a node."""

    namespace: str | None
    kind: str | None
    name: str

    @property
    def is_service(self) -> bool:
        return self.kind is not None and self.kind.lower() in ("service", "services", "svc")

    def __str__(self) -> str:
        return "/".join(part for part in (self.namespace, self.kind, self.name) if part)


@dataclass(frozen=True, slots=True)
class ByLabels:
    """`shop:app=web`, `team=a:app=web`, `shop:`, `:app=web`, `:`.

    `namespace` is a name; `namespace_labels` are labels instead of a name. Neither means any namespace.
    """

    namespace: str | None
    namespace_labels: Mapping[str, str] | None
    labels: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.namespace or _labels_text(self.namespace_labels or {})}:{_labels_text(self.labels)}"


@dataclass(frozen=True, slots=True)
class ByAddress:
    """`10.1.2.3`, `10.1.0.0/16`, `2001:db8::1`: an address or a block, in its canonical form."""

    block: str

    def __str__(self) -> str:
        return self.block


@dataclass(frozen=True, slots=True)
class Internet:
    """Every address outside the cluster's known ranges."""

    def __str__(self) -> str:
        return "internet"


@dataclass(frozen=True, slots=True)
class ByUrl:
    """`https://shop.example.com/cart`: through the Ingress or Gateway that serves it (RFC 3986).

    `host` is in lower case and without the last dot; `port` is the scheme's where the URL names none; `path` starts
    with a slash and stands as it is written; `query` is what follows the question mark.
    """

    url: str

    @property
    def _split(self) -> SplitResult:
        return urlsplit(self.url)

    @property
    def scheme(self) -> str:
        return self._split.scheme

    @property
    def host(self) -> str:
        return (self._split.hostname or "").rstrip(".")

    @property
    def port(self) -> int:
        return self._split.port or _URL_PORTS[self.scheme]

    @property
    def path(self) -> str:
        return self._split.path or "/"

    @property
    def query(self) -> str:
        return self._split.query

    def __str__(self) -> str:
        return self.url


Expression: TypeAlias = ByName | ByLabels | ByAddress | Internet | ByUrl

FORMS = "shop/web, shop/Service/web, shop:app=web, team=a:app=web, 10.1.0.0/16 or internet"


def parse_endpoint(text: str) -> Expression:
    """The endpoint that `text` names. Raises ExpressionError where it has none of the forms."""
    text = text.strip()
    if not text:
        raise ExpressionError(f"an endpoint is missing; write {FORMS}")
    if text == "internet":
        return Internet()
    if "://" in text:
        return _by_url(text)
    block = _block(text)
    if block is not None:
        return ByAddress(block)
    if ":" in text:
        return _by_labels(text)
    return _by_name(text)


def parse_port(text: str) -> tuple[int | str | None, str]:
    """`80/TCP`, `53/udp`, `80`, `http/TCP`, `TCP`: the port (a number, a name, or None for all) and the protocol.

    The protocol is TCP where none is named. Raises ExpressionError where the text is neither.
    """
    port_text, slash, protocol = text.strip().partition("/")
    if not slash and port_text.upper() in _PROTOCOLS:
        return None, port_text.upper()
    protocol = protocol.upper() if slash else "TCP"
    if protocol not in _PROTOCOLS:
        if protocol and port_text.upper() in _PROTOCOLS:
            raise ExpressionError(f"{text!r}: the port comes first, {protocol.lower()}/{port_text.upper()}")
        raise ExpressionError(f"{text!r}: the protocol is one of {', '.join(_PROTOCOLS)}")
    if not port_text:
        return None, protocol
    if port_text.isascii() and port_text.isdigit():
        number = int(port_text)
        if not 1 <= number <= 65535:
            raise ExpressionError(f"{text!r}: a port is a number from 1 to 65535")
        return number, protocol
    if all(character.isascii() and (character.isalnum() or character == "-") for character in port_text):
        return port_text, protocol
    raise ExpressionError(f"{text!r} is no port: write 80, 80/TCP or 53/UDP")


_PROTOCOLS = ("TCP", "UDP", "SCTP")


def _block(text: str) -> str | None:
    try:
        if "/" in text:
            return str(ipaddress.ip_network(text, strict=False))
        return str(ipaddress.ip_address(text))
    except ValueError:
        return None


_URL_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|[0-9a-f:.]*:[0-9a-f:.]*")


def _by_url(text: str) -> ByUrl:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ExpressionError(f"{text!r} is no URL: {error}") from None
    if parts.scheme not in _URL_PORTS:
        raise ExpressionError(f"{text!r}: a URL begins with http:// or https://")
    host = parts.hostname or ""
    if not host.isascii():
        raise ExpressionError(f"{text!r}: write the host as DNS has it, in ASCII (xn--...)")
    if port == 0 or "@" in parts.netloc or not _HOST.fullmatch(host):
        raise ExpressionError(f"{text!r} is no URL of a host; write https://shop.example.com/cart")
    return ByUrl(text)


def _by_labels(text: str) -> ByLabels:
    where, _, labels_text = text.partition(":")
    labels = _labels(labels_text, text)
    if "=" in where:
        return ByLabels(None, _labels(where, text), labels)
    if "/" in where or "," in where:
        raise ExpressionError(f"{text!r}: before the colon stands a namespace's name, or its labels as key=value")
    if where and (wrong := dns_label(where)):
        raise ExpressionError(f"{text!r}: {where!r} is no name of a namespace: it {wrong}")
    return ByLabels(where or None, None, labels)


def _labels(text: str, whole: str) -> dict[str, str]:
    labels: dict[str, str] = {}
    for part in text.split(",") if text else ():
        key, equals, value = part.strip().partition("=")
        if not equals or not key:
            raise ExpressionError(f"{whole!r}: {part.strip()!r} is no label; write key=value")
        if value.startswith("="):
            raise ExpressionError(f"{whole!r}: write {key}{value} with one equals sign")
        if wrong := label_key(key):
            raise ExpressionError(f"{whole!r}: the label {key!r} {wrong}; write key=value")
        if wrong := label_value(value):
            raise ExpressionError(f"{whole!r}: the value {value!r} of {key} {wrong}")
        if labels.get(key, value) != value:
            raise ExpressionError(f"{whole!r}: the label {key} cannot have two values")
        labels[key] = value
    return labels


def _by_name(text: str) -> ByName:
    parts = text.split("/")
    if parts[0] in (".", ".."):
        raise ExpressionError(f"{text!r} is a path, and endpoints come before paths; write {FORMS}")
    if all(parts):
        if len(parts) == 3:
            return ByName(parts[0], parts[1], parts[2])
        if len(parts) == 2:
            if parts[0] == "Node":
                return ByName(None, "Node", parts[1])
            return ByName(parts[0], None, parts[1])
        if len(parts) == 1:
            raise ExpressionError(f"{text!r} names no namespace; write default/{text}, or one of {FORMS}")
    raise ExpressionError(f"{text!r} names no endpoint; write {FORMS}")


def _labels_text(labels: Mapping[str, str]) -> str:
    return ",".join(f"{key}={value}" for key, value in sorted(labels.items()))
