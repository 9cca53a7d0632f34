"""Which Service a host name means, seen from a pod: the cluster's DNS names and the pod's search path."""

from dataclasses import dataclass

from netlint.cluster import Cluster, Workload
from netlint.resources.core import Service

CLUSTER_DOMAINS = ("cluster.local",)


@dataclass(frozen=True, slots=True)
class ServiceName:
    """A host name read as a Service's. `full` says that it was written with `.svc`; `pod` names one pod of a
    headless Service."""

    service: str
    namespace: str
    full: bool
    pod: str | None = None


def readings(host: str, namespace: str, domains: tuple[str, ...] = CLUSTER_DOMAINS) -> tuple[ServiceName, ...]:
    """The Services that a name can mean for a pod of `namespace`, in the order of the resolver's search path."""
    name = host.rstrip(".").lower()
    for domain in domains:
        if name.endswith(".svc." + domain):
            name = name[: -len(domain) - 1]
            break
    labels = name.split(".")
    if not all(labels):
        return ()
    if labels[-1] == "svc":
        match labels[:-1]:
            case [service, space]:
                return (ServiceName(service, space, True),)
            case [pod, service, space]:
                return (ServiceName(service, space, True, pod),)
        return ()
    match labels:
        case [service]:
            return (ServiceName(service, namespace, False),)
        case [first, second]:
            return (ServiceName(second, namespace, False, first), ServiceName(first, second, False))
        case [pod, service, space]:
            return (ServiceName(service, space, False, pod),)
    return ()


class ServiceNames:
    """Looks host names up among the Services of a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._services = {(service.namespace or "", service.name): service for service in cluster.all(Service)}
        self._names = frozenset(name for _, name in self._services)

    @property
    def names(self) -> frozenset[str]:
        """The names of all Services, whatever their namespace: a cheap filter for texts."""
        return self._names

    def find(self, host: str, workload: Workload) -> Service | None:
        """The Service that `host` means for the pods of a workload; None where it is none of the input.

        Pods that do not ask the cluster's DNS resolve no Service, and hostAliases come first. An ExternalName Service
        is followed to the Service that it names.
        """
        if not resolves_services(workload) or aliased(host, workload):
            return None
        return self.in_namespace(host, workload.namespace)

    def in_namespace(self, host: str, namespace: str, depth: int = 0) -> Service | None:
        """`find` for a pod of `namespace` with the usual DNS settings."""
        for reading in readings(host, namespace):
            service = self._services.get((reading.namespace, reading.service))
            if service is None or (reading.pod is not None and service.spec.cluster_ip != "None"):
                continue
            if service.spec.type == "ExternalName":
                target = service.spec.external_name
                return self.in_namespace(target, reading.namespace, depth + 1) if target and depth < 4 else None
            return service
        return None

    def get(self, namespace: str, name: str) -> Service | None:
        return self._services.get((namespace, name))


def resolves_services(workload: Workload) -> bool:
    """Whether the pods of a workload ask the cluster's DNS (core/v1 DNSPolicy)."""
    policy = workload.spec.dns_policy or "ClusterFirst"
    if policy == "ClusterFirst":
        return not workload.host_network
    return policy == "ClusterFirstWithHostNet"


def aliased(host: str, workload: Workload) -> bool:
    """Whether the pods of a workload have an address of their own for a name, which comes before any DNS."""
    return any(host in (alias.hostnames or ()) for alias in workload.spec.host_aliases or ())
