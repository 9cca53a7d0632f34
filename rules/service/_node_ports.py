"""The ports that Services take out of the range of node ports."""

from collections.abc import Iterator
from typing import NamedTuple

from netlint.cluster import Cluster
from netlint.findings import Path, Place
from netlint.resources.core import Service


class NodePort(NamedTuple):
    """A number that a Service asks for, and where. `port` is the Service port behind it, None for a health check."""

    service: Service
    number: int
    port: int | None
    protocol: str
    path: Path

    @property
    def place(self) -> Place:
        return self.service.at(*self.path)

    @property
    def words(self) -> str:
        return "node port" if self.port is not None else "health check node port"


def node_ports(cluster: Cluster) -> Iterator[NodePort]:
    """Every number that is asked for by name, but for those that the server refuses for other reasons (NET004)."""
    for service in cluster.all(Service):
        if service.spec.type not in ("NodePort", "LoadBalancer"):
            continue
        for index, port in enumerate(service.spec.ports or ()):
            path: Path = ("spec", "ports", index, "nodePort")
            if port.node_port and not service.rejects(*path):
                yield NodePort(service, port.node_port, port.port or 0, port.protocol or "TCP", path)
        path = ("spec", "healthCheckNodePort")
        if service.spec.health_check_node_port and not service.rejects(*path):
            yield NodePort(service, service.spec.health_check_node_port, None, "TCP", path)
