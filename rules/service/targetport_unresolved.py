"""NET305: a Service port that leads to no port of its pods."""

from collections.abc import Iterator, Sequence

from netlint.cluster import Workload
from netlint.findings import Finding, Related, Severity
from netlint.resources.core import Service, ServicePort
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule

_INJECTED = frozenset({"http-envoy-prom"})
"""Names of ports of sidecars that are injected at run time (Istio)."""

_SCAFFOLD = "system"
"""The namespace in the bases that kubebuilder writes: patches complete them and give them another."""


@rule("NET305", "targetport-unresolved", Severity.ERROR, reads=(Service,))
def targetport_unresolved(analysis: Analysis) -> Iterator[Finding]:
    """The Service sends to a port by a name that its pods do not have, so they are left out of its endpoints."""
    cluster = analysis.cluster
    variants = {duplicate.manifests[-1] for duplicate in cluster.duplicates}
    for service in cluster.all(Service):
        pods = cluster.workloads_of(service)
        if (
            service.namespace == _SCAFFOLD
            or not pods
            or not all(_is_known(pod) and pod.object.manifest not in variants for pod in pods)
        ):
            continue
        for index, port in enumerate(service.spec.ports or ()):
            if service.rejects("spec", "ports", index, "targetPort"):
                continue
            if isinstance(port.target_port, str) and port.target_port not in ("", *_INJECTED):
                yield from _name(service, index, port, port.target_port, pods)
            elif isinstance(port.target_port, int) and port.target_port:
                yield from _number(service, index, port.target_port, port.protocol or "TCP", pods)


def _is_known(workload: Workload) -> bool:
    """Whether the ports of the pod can be read: a virtual machine's are not declared."""
    if workload.kind.startswith("VirtualMachine"):
        return False
    return bool(workload.spec.containers) and not workload.object.rejects(*workload.template_path, "spec", "containers")


def _name(service: Service, index: int, port: ServicePort, name: str, pods: Sequence[Workload]) -> Iterator[Finding]:
    protocol = port.protocol or "TCP"
    without = [pod for pod in pods if not any((p.name, p.protocol) == (name, protocol) for p in pod.ports)]
    if not without:
        return
    first = without[0]
    others = sorted({p.name for p in first.ports if p.name})
    has = f"it has {', '.join(others)}" if others else "none of its ports has a name"
    wrong = next((p.protocol for p in first.ports if p.name == name), None)
    if wrong is not None:
        has = f"{name} is a port for {wrong} there, and the Service's is for {protocol}"
    whole = len(without) == len(pods)
    yield targetport_unresolved.finding(
        service.at("spec", "ports", index, "targetPort"),
        f"targetPort {name} is the name of no port of {first.namespace}/{first.name} ({has}): "
        + ("the Service has no endpoint for it" if whole else "its pods are left out of the Service"),
        severity=Severity.ERROR if whole else Severity.WARNING,
        help="name the port in the pod template, or write its number here",
        related=[Related(f"the containers of {pod.name}", pod.at("containers")) for pod in without[:3]],
    )


def _number(service: Service, index: int, number: int, protocol: str, pods: Sequence[Workload]) -> Iterator[Finding]:
    """A number works whether it is declared or not; where pods do declare ports, another one is worth a look."""
    if any(not pod.ports or any((p.number, p.protocol) == (number, protocol) for p in pod.ports) for pod in pods):
        return
    first = pods[0]
    listed = ", ".join(sorted({f"{p.number}/{p.protocol}" for p in first.ports}))
    yield targetport_unresolved.finding(
        service.at("spec", "ports", index, "targetPort"),
        f"targetPort {number}/{protocol} is none of the ports that {first.namespace}/{first.name} declares ({listed})",
        severity=Severity.INFO,
        help="a port need not be declared to be reached; if the number is right, declare it in the pod template",
        related=[Related(f"the containers of {first.name}", first.at("containers"))],
    )
