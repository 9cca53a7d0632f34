"""NET106: a rule names the Service's port where only the pods' port can match."""

from collections.abc import Iterator, Sequence

from netlint.cluster import Workload
from netlint.findings import Finding, Related, Severity
from netlint.intent.targets import is_headless, pod_port, service_ports
from netlint.resources.core import Service
from netlint.resources.networking import NetworkPolicy, NetworkPolicyPort
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import peer_workloads, subjects
from netlint.rules.registry import rule


@rule("NET106", "service-port-in-policy", Severity.ERROR, reads=(NetworkPolicy, Service), needs=(NetworkPolicy,))
def service_port_in_policy(analysis: Analysis) -> Iterator[Finding]:
    """The rule opens the Service's port, but policies see the pods' port, which is another."""
    cluster = analysis.cluster
    for policy in cluster.all(NetworkPolicy):
        for index, rule_ in enumerate(policy.spec.ingress or ()):
            yield from _check(analysis, policy, ("spec", "ingress", index), rule_.ports, subjects(cluster, policy))
        for index, out in enumerate(policy.spec.egress or ()):
            if out.to and not any(peer.ip_block for peer in out.to):
                found = {w.id: w for peer in out.to for w in peer_workloads(cluster, policy, peer)}
                yield from _check(analysis, policy, ("spec", "egress", index), out.ports, list(found.values()))


def _check(
    analysis: Analysis,
    policy: NetworkPolicy,
    path: tuple[str | int, ...],
    ports: list[NetworkPolicyPort] | None,
    pods: Sequence[Workload],
) -> Iterator[Finding]:
    if not pods or analysis.cluster.facts.cni.value == "aws-vpc-cni":
        return
    for number, entry in enumerate(ports or ()):
        if not isinstance(entry.port, int) or entry.end_port is not None or policy.rejects(*path, "ports", number):
            continue
        protocol = entry.protocol or "TCP"
        if any(_serves(pod, entry.port, protocol) for pod in pods):
            continue
        meant = _meant(analysis, pods, entry.port, protocol)
        if meant is None:
            continue
        service, port_index, target = meant
        if _opened(ports or (), target, protocol):
            continue
        names = ", ".join(f"{pod.namespace}/{pod.name}" for pod in pods[:2])
        yield service_port_in_policy.finding(
            policy.at(*path, "ports", number, "port"),
            f"{entry.port} is the port of Service {service.name}; {names} listens on {target}, "
            "and that is what policies see",
            help=f"write port: {target}",
            related=[
                Related(f"Service port {entry.port} leads to {target}", service.at("spec", "ports", port_index)),
            ],
        )


def _serves(pod: Workload, number: int, protocol: str) -> bool:
    """Whether a pod listens on a port, or may: containers that declare no port at all tell nothing."""
    if not pod.ports:
        return True
    return any(port.number == number and port.protocol == protocol for port in pod.ports)


def _meant(analysis: Analysis, pods: Sequence[Workload], number: int, protocol: str) -> tuple[Service, int, int] | None:
    """The Service of all these pods that has the port, and the pod port behind it, where that is another."""
    for pod in pods:
        for service in analysis.cluster.services_of(pod):
            if is_headless(service):
                continue
            for index, port in enumerate(service_ports(service)):
                if port.port == number and (port.protocol or "TCP") == protocol:
                    target = pod_port(port, pod)
                    if target is not None and target != number:
                        return service, index, target
    return None


def _opened(ports: Sequence[NetworkPolicyPort], number: int, protocol: str) -> bool:
    """Whether the same rule opens the pods' port beside the Service's: written for every kind of plugin."""
    for entry in ports:
        if (entry.protocol or "TCP") != protocol:
            continue
        if entry.port is None or not isinstance(entry.port, int):
            return True
        if entry.port <= number <= (entry.end_port or entry.port):
            return True
    return False
