"""netpol-analyzer's explanations: for each pair and stretch of ports, the verdict and the policies that decided it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from conformance_suites.traffic import EVERY_PORT, Traffic

PolicyName = tuple[str, str]

_BLOCK = re.compile(r"Connections between (.+) => (.+):")
_ENTRY = re.compile(r"(Allowed|Denied) (.+?) due to (the following policies and rules:|the system default.*|.*)")
_SIDE = re.compile(r"(Egress|Ingress) \((Allowed|Denied)\)(.*)")
_POLICY = re.compile(r"(?:- )?(\w+) '([^']+)' (selects|allows|denies|passes) (.*)")
_DEFAULT_PAIR = re.compile(r"(.+) => (.+)")


@dataclass
class SideReason:
    """One end of a connection: whether it lets it through, and who decided; nobody means the system default."""

    allowed: bool
    deciding: frozenset[PolicyName] = frozenset()
    passed: frozenset[PolicyName] = frozenset()


@dataclass
class Reason:
    traffic: Traffic
    allowed: bool
    egress: SideReason | None = None
    ingress: SideReason | None = None


@dataclass
class Explanations:
    pairs: dict[tuple[str, str], list[Reason]] = field(default_factory=dict)
    by_default: set[tuple[str, str]] = field(default_factory=set)


def _traffic(text: str) -> Traffic:
    """`TCP:[1-79,81-65535], UDP, SCTP`."""
    ports = {}
    for protocol, ranges in re.findall(r"(TCP|UDP|SCTP)(?::\[([^\]]*)\])?", text):
        pairs = [piece.partition("-") for piece in ranges.split(",")] if ranges else []
        ports[protocol] = [(int(low), int(high or low)) for low, _, high in pairs] or list(EVERY_PORT)
    return Traffic.of(ports)


def read_explanations(text: str) -> Explanations:
    """The blocks, then the pairs that the system default decides. Reasons that no policy gives raise ValueError."""
    text = re.split(r"^Exposure Analysis Result", text, maxsplit=1, flags=re.MULTILINE)[0]
    found = Explanations()
    pair: tuple[str, str] | None = None
    in_defaults = False
    reasons: list[Reason] = []
    side = ""
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith(("---", "####")):
            continue
        if line.startswith("# "):
            in_defaults = "system default" in line
        elif match := _BLOCK.fullmatch(line):
            pair, reasons = (match[1], match[2]), []
            found.pairs[pair] = reasons
        elif in_defaults and (match := _DEFAULT_PAIR.fullmatch(line)):
            found.by_default.add((match[1], match[2]))
        elif match := _ENTRY.fullmatch(line):
            if "user defined networks" in match[3]:
                raise ValueError(f"a reason beyond policies: {line}")
            reasons.append(Reason(_traffic(match[2]), match[1] == "Allowed"))
            if match[3].startswith("the system default"):
                reasons[-1].egress = reasons[-1].ingress = SideReason(True)
        elif match := _SIDE.fullmatch(line):
            side = match[1].lower()
            setattr(reasons[-1], side, SideReason(match[2] == "Allowed"))
        elif match := _POLICY.fullmatch(line):
            _add(reasons[-1], side, match)
        elif line.removeprefix("- ") not in _KNOWN_LINES and not line.startswith("the system default"):
            raise ValueError(f"an explanation's line that is not understood: {line}")
    return found


_KNOWN_LINES = {"NetworkPolicy list:", "Allowed connections:", "Denied connections:"}


def _add(reason: Reason, side: str, match: re.Match[str]) -> None:
    current = getattr(reason, side)
    assert isinstance(current, SideReason)
    named = (match[1], match[2])
    if match[3] == "passes":
        changed = SideReason(current.allowed, current.deciding, current.passed | {named})
    else:
        changed = SideReason(current.allowed, current.deciding | {named}, current.passed)
    setattr(reason, side, changed)
