"""NET302: a node port that the API server does not give out."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.resources.core import Service
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule
from netlint.rules.service._node_ports import node_ports


@rule("NET302", "nodeport-out-of-range", Severity.ERROR, reads=(Service,))
def nodeport_out_of_range(analysis: Analysis) -> Iterator[Finding]:
    """The node port lies outside the range of node ports, so the API server refuses the Service."""
    span = analysis.cluster.facts.node_port_range
    if span.value is None:
        return
    first, last = span.value
    source = "Kubernetes' default" if span.origin == "default" else span.because
    related = [Related("the range", span.place)] if span.place is not None else []
    for claim in node_ports(analysis.cluster):
        if not first <= claim.number <= last:
            yield nodeport_out_of_range.finding(
                claim.place,
                f"{claim.words} {claim.number} is outside {first}-{last} ({source})",
                help=f"choose a number from {first} to {last}, or leave it out to be given one",
                related=related,
            )
