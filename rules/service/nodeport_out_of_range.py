"""NET302: node ports outside the cluster's range."""

from collections.abc import Iterator

from netlint.findings import Finding, Place, Related, Severity
from netlint.resources.core import Service
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET302", "nodeport-out-of-range", Severity.ERROR, reads=(Service,))
def nodeport_out_of_range(analysis: Analysis) -> Iterator[Finding]:
    """A node port lies outside the range that the API server gives node ports from, so it refuses the Service."""
    fact = analysis.cluster.facts.node_port_range
    if fact.value is None:
        return
    first, last = fact.value
    whose = "the default range" if fact.origin == "default" else "the cluster's range"
    related = [Related(evidence.text, evidence.place) for evidence in fact.evidence if evidence.place is not None]
    for service in analysis.cluster.all(Service):
        for number, place in _numbers(service):
            if not first <= number <= last:
                yield nodeport_out_of_range.finding(
                    place,
                    f"node port {number} is outside {first}-{last}, {whose} of node ports",
                    help=f"choose a number from {first} to {last}, or leave nodePort out; if the API server runs with "
                    "another --service-node-port-range, say so in netlint.yaml: cluster.nodePortRange",
                    related=related,
                )


def _numbers(service: Service) -> Iterator[tuple[int, Place]]:
    if service.spec.type not in ("NodePort", "LoadBalancer"):
        return
    for index, port in enumerate(service.spec.ports or ()):
        if port.node_port:
            yield port.node_port, service.at("spec", "ports", index, "nodePort")
    if service.spec.health_check_node_port and service.spec.external_traffic_policy == "Local":
        yield service.spec.health_check_node_port, service.at("spec", "healthCheckNodePort")
