"""Connectivity as JSON, written piece by piece: the form is schemas/reach.json."""

from collections.abc import Iterator
from typing import Any

from netlint.policy.queries.exposure import Exposure
from netlint.policy.queries.reach import Party, Reachability
from netlint.reports.json_text import dumps
from netlint.reports.traffic_words import traffic_data


def render(
    reach: Reachability, exposures: tuple[Exposure, ...] | None = None, notes: tuple[str, ...] = ()
) -> Iterator[str]:
    """One JSON document. A pair that is absent is denied; `unknown` is there only where something is."""
    yield f'{{"version": 1, "cluster": {_one(reach.cluster)},\n "endpoints": ['
    yield from _items(party_data(party) for party in reach.parties)
    yield '],\n "connections": ['
    yield from _items(
        {
            "from": passage.source.id,
            "to": passage.destination.id,
            "allowed": traffic_data(passage.allowed),
            **({"unknown": traffic_data(passage.unknown)} if passage.unknown else {}),
        }
        for passage in reach.passages()
    )
    yield "]"
    if exposures is not None:
        yield ',\n "exposure": ['
        yield from _items(exposure_data(one) for one in exposures)
        yield "]"
    yield f',\n "notes": {_one(list(notes))}}}\n'


def party_data(party: Party) -> dict[str, Any]:
    """An endpoint: a workload, a node, blocks of addresses, or a group with its members."""
    data: dict[str, Any] = {"id": party.id, "kind": party.kind}
    if party.namespace is not None:
        data["namespace"] = party.namespace
    if party.kind == "address":
        data["blocks"] = list(party.blocks)
    elif party.kind in ("group", "set"):
        data["members"] = list(party.members)
    elif party.name:
        data["name"] = party.name
    return data


def exposure_data(exposure: Exposure) -> dict[str, Any]:
    """What a workload is open to: `open` is the group of pods in words and as selectors."""
    return {
        "endpoint": exposure.endpoint,
        "direction": exposure.direction,
        "open": {
            "kind": exposure.kind,
            "text": exposure.text,
            "namespaces": [_requirement(one) for one in exposure.namespaces],
            "pods": [_requirement(one) for one in exposure.pods],
            "blocks": list(exposure.blocks),
            "members": list(exposure.members),
        },
        "allowed": traffic_data(exposure.allowed),
        **({"unknown": traffic_data(exposure.unknown)} if exposure.unknown else {}),
        "namedPorts": [{"name": one.name, "protocol": one.protocol} for one in exposure.named],
    }


def _requirement(requirement: tuple[str, str, tuple[str, ...]]) -> dict[str, Any]:
    key, operator, values = requirement
    return {"key": key, "operator": operator, "values": list(values)}


def _items(items: Iterator[dict[str, Any]]) -> Iterator[str]:
    separator = "\n  "
    for item in items:
        yield separator + _one(item)
        separator = ",\n  "


def _one(data: Any) -> str:
    return dumps(data, indent=None).rstrip("\n")
