"""Hosts and paths of a request against those of a rule. Every answer is True, False, or None where the rule's text does
not settle it."""

import re

# RFC 3986 path characters that mean nothing to the pattern languages of controllers.
_PLAIN = re.compile(r"[A-Za-z0-9/_~%-]*(?:\.[A-Za-z0-9/_~%-]+)*")


def elements(path: str) -> list[str]:
    """The parts of a path between slashes; one trailing slash counts for nothing."""
    return path.removesuffix("/").split("/")[1:]


def has_prefix(path: str, prefix: str) -> bool:
    """Element by element: /foo is a prefix of /foo and /foo/bar, not of /foobar (HTTPIngressPath, HTTPPathMatch)."""
    wanted = elements(prefix)
    return elements(path)[: len(wanted)] == wanted


def is_plain(pattern: str) -> bool:
    """Whether no controller could take the text for a pattern."""
    return _PLAIN.fullmatch(pattern) is not None


def own_pattern(path: str, pattern: str, *, prefix: bool | None) -> bool | None:
    """A path that each controller reads its own way. `prefix`: this one is known to compare the beginning of the text.

    Plain text that is the request's path matches under every reading, and plain text that does not even begin it under
    none; what lies between, and every pattern, is for the controller to say.
    """
    if not is_plain(pattern):
        return None
    if prefix and path.startswith(pattern):
        return True
    if path == pattern:
        return True
    return None if path.lower().startswith(pattern.lower()) or has_prefix(path.lower(), pattern.lower()) else False


def ingress_host(host: str, wanted: str) -> bool:
    """networking/v1 IngressRule: precise, or `*.` for exactly one label."""
    wanted = wanted.lower()
    return host == wanted or (
        wanted.startswith("*.") and host.partition(".")[2] == wanted[2:] and not host.startswith(".")
    )


def gateway_host(host: str, wanted: str) -> bool:
    """gateway/v1 Hostname: precise, or `*.` for one label or more."""
    wanted = wanted.lower()
    return host == wanted or (wanted.startswith("*.") and host.endswith(wanted[1:]) and len(host) > len(wanted) - 1)


def host_order(wanted: str | None) -> tuple[int, int]:
    """How specific a hostname is: the characters of one that is precise, then those of any (HTTPRouteSpec)."""
    if not wanted:
        return 0, 0
    return (0 if wanted.startswith("*.") else len(wanted)), len(wanted)
