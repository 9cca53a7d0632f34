"""NET301: one node port claimed twice."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from netlint.findings import Finding, Place, Related, Severity
from netlint.resources.core import Service
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@dataclass(frozen=True, slots=True)
class Claim:
    """A Service that asks for a node port by number. `port` is the Service's port, None for a health check."""

    service: Service
    place: Place
    protocol: str
    port: int | None


@rule("NET301", "nodeport-conflict", Severity.ERROR, reads=(Service,))
def nodeport_conflict(analysis: Analysis) -> Iterator[Finding]:
    """Two Services, or two ports of one, ask for the same node port; the API server refuses the second."""
    for number, claims in sorted(_claims(analysis).items()):
        for index, claim in enumerate(claims[1:], start=1):
            rival = next((earlier for earlier in claims[:index] if _clash(earlier, claim)), None)
            if rival is None:
                continue
            same = rival.service is claim.service
            owner = "another port of this Service" if same else f"Service {rival.service.namespace}/{rival.service.name}"
            yield nodeport_conflict.finding(
                claim.place,
                f"node port {number} is also claimed by {owner}"
                + (f" ({rival.protocol}): the number is taken for all protocols" if _differ(rival, claim) else ""),
                help="choose another number, or leave nodePort out and let the API server choose",
                related=[Related(f"node port {number} is claimed here first", rival.place)],
            )


def _claims(analysis: Analysis) -> dict[int, list[Claim]]:
    found: dict[int, list[Claim]] = defaultdict(list)
    for service in analysis.cluster.all(Service):
        spec = service.spec
        if spec.type not in ("NodePort", "LoadBalancer"):
            continue
        for index, port in enumerate(spec.ports or ()):
            if port.node_port:
                place = service.at("spec", "ports", index, "nodePort")
                found[port.node_port].append(Claim(service, place, port.protocol or "TCP", port.port))
        if spec.type == "LoadBalancer" and spec.external_traffic_policy == "Local" and spec.health_check_node_port:
            place = service.at("spec", "healthCheckNodePort")
            found[spec.health_check_node_port].append(Claim(service, place, "health check", None))
    return found


def _clash(one: Claim, other: Claim) -> bool:
    """The allocator knows numbers, not protocols; inside one Service two protocols of one port may share a number
    (kubernetes/kubernetes pkg/registry/core/service/storage/alloc.go)."""
    return one.service is not other.service or one.protocol == other.protocol or one.port != other.port


def _differ(one: Claim, other: Claim) -> bool:
    return one.service is not other.service and one.protocol != other.protocol
