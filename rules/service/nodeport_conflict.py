"""NET301: one node port number, asked for twice."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.resources.core import Service
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule
from netlint.rules.service._node_ports import NodePort, node_ports


@rule("NET301", "nodeport-conflict", Severity.ERROR, reads=(Service,))
def nodeport_conflict(analysis: Analysis) -> Iterator[Finding]:
    """Two Services ask for the same node port: the cluster gives each number once, whatever protocol and namespace."""
    taken: dict[int, NodePort] = {}
    for claim in node_ports(analysis.cluster):
        first = taken.setdefault(claim.number, claim)
        if first is claim or _shared(first, claim):
            continue
        yield nodeport_conflict.finding(
            claim.place,
            _message(first, claim),
            help="leave nodePort out to be given a free number, or choose another one",
            related=[Related(f"the {first.words} of {_name(first)}", first.place)],
        )


def _shared(one: NodePort, other: NodePort) -> bool:
    """One Service may offer one port under two protocols on one node port."""
    return one.service is other.service and one.port is not None and one.port == other.port


def _message(first: NodePort, claim: NodePort) -> str:
    if first.service is not claim.service:
        across = ""
        if claim.port is not None and first.port is not None and first.protocol != claim.protocol:
            across = f" (for {first.protocol}, which makes no difference: a number is given once)"
        return f"{claim.words} {claim.number} is already the {first.words} of {_name(first)}{across}"
    if claim.port is None:
        return f"{claim.words} {claim.number} is already a node port of this Service"
    return (
        f"node port {claim.number} stands for port {first.port}/{first.protocol} and for port "
        f"{claim.port}/{claim.protocol}: two protocols share a node port only where the port is the same"
    )


def _name(claim: NodePort) -> str:
    return f"Service {claim.service.namespace}/{claim.service.name}"
