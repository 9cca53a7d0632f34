"""Peers and ports of policies in few words, for messages: `pods with role=api`, `namespace monitoring`."""

from collections.abc import Iterable, Iterator
from typing import Any

from netlint.intent.raw import dig, entries, labels_at, text_at, value_at
from netlint.policy import Rule
from netlint.predicates import NAME

_LONGEST = 3


def selector_text(selector: Any) -> str:
    """A label selector as people write it: `app=web, tier in (a, b)`; empty for one that takes everything."""
    return ", ".join(text for _, text in requirements(selector))


def requirements(selector: Any) -> Iterator[tuple[str, str]]:
    """What a label selector asks for, one by one: the label's key, and the words."""
    for key, value in labels_at(selector, "matchLabels").items():
        yield key, f"{key}={value}"
    for _, expression in entries(selector, "matchExpressions"):
        key, operator = str(expression.get("key")), expression.get("operator")
        values = ", ".join(str(value) for value in expression.get("values") or ())
        word = {"In": f"{key} in ({values})", "NotIn": f"{key} not in ({values})", "Exists": f"{key}"}
        yield key, word.get(str(operator), f"no {key}")


def clash_text(value: Any) -> str | None:
    """Why nothing can satisfy a selector, or a peer that holds some: the first label that it asks for twice."""
    if not isinstance(value, dict):
        return None
    block = text_at(value, "ipBlock", "cidr")
    if block is not None:
        return f"its exceptions leave nothing of {block}"
    wanted: dict[str, list[str]] = {}
    for key, text in requirements(value):
        wanted.setdefault(key, []).append(text)
    for texts in wanted.values():
        if len(texts) > 1:
            return f"it asks for {' and '.join(texts)} at once"
    return next((found for part in value.values() if (found := clash_text(part))), None)


def peer_text(peer: Any, own: str = "its own namespace", *, always: bool = False) -> str:
    """One entry of a NetworkPolicy's `from` or `to`. `own` is how the policy's namespace is called; `always` says it
    of a peer for some pods too."""
    block = dig(peer, "ipBlock", "cidr")
    if block is not None:
        return str(block)
    spaces, pods = dig(peer, "namespaceSelector"), dig(peer, "podSelector")
    text = ""
    if pods is not None:
        text = f"pods with {selector_text(pods)}" if selector_text(pods) else "all pods"
    if spaces is None:
        return f"{text} of {own}" if text and (always or text == "all pods") else text
    name = labels_at(spaces, "matchLabels").get(NAME)
    if not selector_text(spaces):
        where = "any namespace"
    elif name is not None and selector_text(spaces) == f"{NAME}={name}":
        where = f"namespace {name}"
    else:
        where = f"namespaces with {selector_text(spaces)}"
    return f"{text} of {where}" if text else where


def rule_peers_text(rule: Rule, other: str | None = None) -> str:
    """Whom a rule admits. Names the policy's own namespace where pods of the namespace `other` were to be admitted."""
    space = rule.policy.namespace
    elsewhere = other is not None and space is not None and other != space
    if rule.peers is None:
        return "everyone"
    texts = []
    for peer in rule.peers:
        raw = value_at(peer.origin)
        texts.append(_peer_text(raw, space, elsewhere) if isinstance(raw, dict) else str(peer.predicate))
    return some([text for text in texts if text]) or "nobody"


def _peer_text(raw: dict[str, Any], space: str | None, elsewhere: bool) -> str:
    return peer_text(raw, f"namespace {space}", always=True) if elsewhere else peer_text(raw)


def rule_ports_text(rule: Rule) -> str:
    """Which ports a rule opens."""
    return "every port" if rule.ports is None else str(rule.port_set)


def some(texts: Iterable[str], most: int = _LONGEST) -> str:
    """A list in words, cut where it grows long."""
    found = list(dict.fromkeys(texts))
    if len(found) > most + 1:
        return ", ".join(found[:most]) + f" and {len(found) - most} others"
    return ", ".join(found[:-1]) + " and " + found[-1] if len(found) > 1 else "".join(found)
