"""Chains from the internet as text and JSON."""

from collections.abc import Iterable, Iterator

from netlint.intent.exposure import Chain
from netlint.reports.escape import safe
from netlint.reports.json_text import dumps


def hops_text(chains: Iterable[Chain]) -> Iterator[str]:
    """One line a workload: how many steps, and the way."""
    found = sorted(chains, key=lambda chain: (len(chain.hops), chain.workload.id))
    if not found:
        yield "The internet gets to no workload.\n"
    for chain in found:
        yield safe(f"{len(chain.hops)}  {chain}") + "\n"


def hops_json(chains: Iterable[Chain], cluster: str) -> str:
    """The chains as a JSON document."""
    data = {
        "version": 1,
        "cluster": cluster,
        "chains": [
            {
                "workload": chain.workload.id,
                "hops": [{"from": hop.source, "to": hop.destination, "by": hop.by} for hop in chain.hops],
            }
            for chain in chains
        ],
    }
    return dumps(data)
