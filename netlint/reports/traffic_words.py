"""What may pass, as words for people and as plain data for programs."""

from typing import Any

from netlint.predicates import TrafficSet

PORTED = ("SCTP", "TCP", "UDP")


def traffic_data(traffic: TrafficSet) -> list[dict[str, Any]]:
    """`[{"protocol": "TCP", "ports": [[80, 80], [443, 445]]}]`, by protocol; ports are inclusive.

    Traffic that is neither TCP, UDP nor SCTP stands as the protocol `other` without ports.
    """
    data: list[dict[str, Any]] = []
    for protocol in PORTED:
        stretches = traffic.ports(protocol)
        if stretches:
            data.append({"protocol": protocol, "ports": [[first, last] for first, last in stretches]})
    if traffic.without_other() != traffic:
        data.append({"protocol": "other", "ports": []})
    return data


def traffic_text(traffic: TrafficSet) -> str:
    """`TCP 80,443-445, UDP 53`; `all` for everything, `none` for nothing."""
    return str(traffic) if traffic else "none"
