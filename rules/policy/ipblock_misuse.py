"""NET114: an ipBlock over addresses that are not outside the cluster."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.predicates import AddressSet
from netlint.resources.core import Service
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import placed_peers
from netlint.rules.registry import rule

_FILTERS_BEFORE_TRANSLATION = frozenset({"aws-vpc-cni"})


@rule("NET114", "ipblock-misuse", Severity.WARNING, reads=(NetworkPolicy, Service), needs=(NetworkPolicy,))
def ipblock_misuse(analysis: Analysis) -> Iterator[Finding]:
    """The block lies in the range of pods or of Services, where blocks match by luck or not at all."""
    facts = analysis.cluster.facts
    pods, services = _union(facts.pod_cidrs.value), _union(facts.service_cidrs.value)
    for policy, path, peer in placed_peers(analysis):
        if peer.ip_block is None or policy.rejects(*path):
            continue
        block = _parse(peer.ip_block.cidr)
        if not block:
            continue
        place = policy.at(*path, "ipBlock", "cidr")
        if pods and block <= pods:
            yield _over_pods(analysis, policy, place.path, peer.ip_block.cidr)
        elif path[1] == "egress" and facts.cni.value not in _FILTERS_BEFORE_TRANSLATION:
            service = _of_service(analysis, block)
            if service is not None or (services and block <= services):
                yield _over_services(analysis, policy, place.path, peer.ip_block.cidr, service)
        elif path[1] == "ingress" and services and block <= services:
            because = facts.service_cidrs.evidence[0]
            yield ipblock_misuse.finding(
                place,
                f"{peer.ip_block.cidr} is in the range of Services: no packet comes from there, so this block matches "
                "nothing",
                severity=Severity.INFO,
                help="admit the pods that call, by podSelector and namespaceSelector",
                related=[Related(f"range of Services: {because.text}", because.place)],
            )


def _over_pods(analysis: Analysis, policy: NetworkPolicy, path: tuple[str | int, ...], block: str) -> Finding:
    facts = analysis.cluster.facts
    because = facts.pod_cidrs.evidence[0]
    engine = facts.policy_engine.value or facts.cni.value
    if engine == "cilium":
        message = f"{block} lies in the pod range, and Cilium never matches pods by address"
    else:
        message = f"{block} lies in the pod range: pods change their addresses, and not every plugin matches them so"
    severity = Severity.WARNING if engine in ("cilium", None) else Severity.INFO
    return ipblock_misuse.finding(
        policy.at(*path),
        message,
        severity=severity,
        help="select the pods by podSelector and namespaceSelector",
        related=[Related(f"pod range: {because.text}", because.place)],
    )


def _over_services(
    analysis: Analysis, policy: NetworkPolicy, path: tuple[str | int, ...], block: str, service: Service | None
) -> Finding:
    whose = f"the address of Service {service.namespace}/{service.name}" if service else "in the range of Services"
    known = analysis.cluster.facts.cni.value is not None
    return ipblock_misuse.finding(
        policy.at(*path),
        f"{block} is {whose}: most plugins see a packet after its Service address has been replaced, so this block "
        "matches nothing",
        severity=Severity.WARNING if known else Severity.INFO,
        help="admit the pods behind the Service, on their own port",
        related=[Related("the Service", service.at("spec", "clusterIP"))] if service else [],
    )


def _of_service(analysis: Analysis, block: AddressSet) -> Service | None:
    """The Service that a block of one address belongs to."""
    if block.size != 1:
        return None
    for service in analysis.cluster.all(Service):
        for address in (service.spec.cluster_ip, *(service.spec.cluster_ips or ())):
            if address and address != "None" and _parse(address) == block:
                return service
    return None


def _union(blocks: tuple[str, ...] | None) -> AddressSet:
    found = AddressSet()
    for text in blocks or ():
        found = found | _parse(text)
    return found


def _parse(text: str) -> AddressSet:
    try:
        return AddressSet.parse(text)
    except ValueError:
        return AddressSet()
