"""From a Service and one of its ports to the pods and pod ports behind it."""

from dataclasses import dataclass

from netlint.cluster import Cluster, Workload
from netlint.resources.core import Service, ServicePort


@dataclass(frozen=True, slots=True)
class Target:
    """A pod port that a connection to a Service ends at."""

    workload: Workload
    port: int
    protocol: str


def is_headless(service: Service) -> bool:
    return service.spec.cluster_ip == "None"


def service_ports(service: Service) -> tuple[ServicePort, ...]:
    """The ports that are complete enough to be read."""
    return tuple(port for port in service.spec.ports or () if port.port is not None)


def find_port(service: Service, number: int, protocol: str = "TCP") -> ServicePort | None:
    """The Service port with this number; the protocol decides between two, and gives way where there is one."""
    same = [port for port in service_ports(service) if port.port == number]
    exact = [port for port in same if (port.protocol or "TCP") == protocol]
    return next(iter(exact or same), None)


def named_port(service: Service, name: str) -> ServicePort | None:
    return next((port for port in service_ports(service) if port.name == name), None)


def pod_port(port: ServicePort, workload: Workload) -> int | None:
    """The number of the pod port that a Service port leads to in one workload; None where its name leads nowhere."""
    target = port.target_port if port.target_port not in (None, 0, "") else port.port
    if isinstance(target, int):
        return target
    protocol = port.protocol or "TCP"
    for declared in workload.ports:
        if declared.name == target and declared.protocol == protocol:
            return declared.number
    return None


def targets(cluster: Cluster, service: Service, port: ServicePort) -> tuple[Target, ...]:
    """The pods behind one port of a Service. A headless Service sends clients straight to the pods' own port."""
    found = []
    for workload in cluster.workloads_of(service):
        number = port.port if is_headless(service) and not isinstance(port.target_port, str) else None
        number = number or pod_port(port, workload)
        if number is not None:
            found.append(Target(workload, number, port.protocol or "TCP"))
    return tuple(found)


def direct_targets(cluster: Cluster, service: Service, number: int, protocol: str) -> tuple[Target, ...]:
    """The pods of a headless Service that declare a port the Service does not list."""
    return tuple(
        Target(workload, number, protocol)
        for workload in cluster.workloads_of(service)
        if any(port.number == number and port.protocol == protocol for port in workload.ports)
    )
