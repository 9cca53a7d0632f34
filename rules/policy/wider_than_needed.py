"""NET116: a rule that lets in the internet or every namespace where nothing in the manifests asks for it."""

from collections.abc import Iterator

from netlint.cluster import Workload
from netlint.findings import Finding, Severity
from netlint.resources.networking import Ingress, NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import subjects, takes_all
from netlint.rules.registry import rule


@rule(
    "NET116",
    "wider-than-needed",
    Severity.INFO,
    reads=(NetworkPolicy, Ingress),
    needs=(NetworkPolicy,),
    group="pedantic",
)
def wider_than_needed(analysis: Analysis) -> Iterator[Finding]:
    """The rule lets in everybody, or every namespace, and no manifest shows who would need that."""
    for policy in analysis.cluster.all(NetworkPolicy):
        pods = subjects(analysis.cluster, policy)
        if not pods or any(_serves_outside(analysis, pod) for pod in pods):
            continue
        callers = {
            flow.source.namespace
            for flow in analysis.intents.flows
            if flow.destination in pods and isinstance(flow.source, Workload)
        }
        for index, rule_ in enumerate(policy.spec.ingress or ()):
            where = policy.at("spec", "ingress", index)
            if not rule_.from_:
                yield wider_than_needed.finding(where, f"lets in everybody{_needed(callers)}")
                continue
            for number, peer in enumerate(rule_.from_):
                if peer.namespace_selector is not None and takes_all(peer.namespace_selector):
                    if takes_all(peer.pod_selector):
                        place = policy.at("spec", "ingress", index, "from", number)
                        yield wider_than_needed.finding(place, f"lets in every namespace{_needed(callers)}")
                elif peer.ip_block is not None and peer.ip_block.cidr in ("0.0.0.0/0", "::/0"):
                    place = policy.at("spec", "ingress", index, "from", number, "ipBlock", "cidr")
                    yield wider_than_needed.finding(place, f"lets in every address{_needed(callers)}")


def _needed(callers: set[str]) -> str:
    if not callers:
        return ", and nothing in the manifests calls these pods"
    return f"; the manifests show callers in {', '.join(sorted(callers))} only"


def _serves_outside(analysis: Analysis, pod: Workload) -> bool:
    services = analysis.cluster.services_of(pod)
    if any(service.spec.type in ("LoadBalancer", "NodePort") for service in services):
        return True
    names = {service.name for service in services}
    if any(
        ingress.namespace == pod.namespace and names & _backends(ingress) for ingress in analysis.cluster.all(Ingress)
    ):
        return True
    return any(flow.destination is pod and not isinstance(flow.source, Workload) for flow in analysis.intents.flows)


def _backends(ingress: Ingress) -> set[str]:
    from netlint.intent.routes import ingress_backends

    return {
        backend.service.name if backend.service and backend.service.name else backend.service_name or ""
        for _, backend in ingress_backends(ingress)
    }
