"""One type for whatever runs pods."""

from dataclasses import dataclass
from functools import cached_property

from netlint.findings import Path, Place
from netlint.resources import KubernetesObject
from netlint.resources.core import Container, Pod, PodSpec


@dataclass(frozen=True, slots=True)
class WorkloadPort:
    """A declared container port. `path` leads to it from the pod spec: ("containers", 0, "ports", 1)."""

    name: str | None
    number: int
    protocol: str
    host_port: int | None
    container: str
    path: Path


@dataclass(frozen=True, eq=False)
class Workload:
    """Pods of one template: a Deployment, a StatefulSet, a bare Pod, ... It is equal only to itself.

    `id` is "shop/Deployment/web". `labels` and `annotations` are those of the pod template. `replicas` is None where
    the object does not say how many pods there are (a DaemonSet). `pods` are those of the input that fold into the
    workload. `unknown_label_keys` are keys that its pods may have at run time, with any value.
    """

    id: str
    kind: str
    namespace: str
    name: str
    object: KubernetesObject
    template_path: Path
    labels: dict[str, str]
    annotations: dict[str, str]
    spec: PodSpec
    replicas: int | None
    pods: tuple[Pod, ...] = ()
    unknown_label_keys: frozenset[str] = frozenset()

    @property
    def host_network(self) -> bool:
        return self.spec.host_network is True

    @property
    def service_account(self) -> str:
        return self.spec.service_account_name or self.spec.service_account or "default"

    @cached_property
    def ports(self) -> tuple[WorkloadPort, ...]:
        """The declared ports of the containers that run as long as the pod: regular ones and sidecars."""
        return tuple(
            WorkloadPort(
                port.name,
                port.container_port,
                port.protocol or "TCP",
                port.host_port or (port.container_port if self.host_network else None),
                container.name or "",
                (*path, "ports", index),
            )
            for path, container in self.containers
            for index, port in enumerate(container.ports or ())
            if port.container_port is not None
        )

    @cached_property
    def containers(self) -> tuple[tuple[Path, Container], ...]:
        """The containers that run as long as the pod, with their paths from the pod spec."""
        sidecars = [
            (("initContainers", index), container)
            for index, container in enumerate(self.spec.init_containers or ())
            if container.restart_policy == "Always"
        ]
        regular = [(("containers", index), container) for index, container in enumerate(self.spec.containers or ())]
        return (*regular, *sidecars)

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the folded pods that are not finished, sorted as text."""
        found: set[str] = set()
        for pod in self.pods:
            status = pod.status
            if status is None or status.phase in ("Succeeded", "Failed"):
                continue
            found.update(entry.ip for entry in status.pod_ips or () if entry.ip)
            if status.pod_ip:
                found.add(status.pod_ip)
        return tuple(sorted(found))

    @cached_property
    def node_names(self) -> tuple[str, ...]:
        """The nodes that the folded pods are on, or that the template names."""
        names = {pod.spec.node_name for pod in self.pods} | {self.spec.node_name}
        return tuple(sorted(name for name in names if name))

    def at(self, *path: str | int) -> Place:
        """A place inside the pod spec: `workload.at("containers", 0, "env", 1, "value")`."""
        return self.object.at(*self.template_path, "spec", *path)

    def at_template(self, *path: str | int) -> Place:
        """A place inside the pod template: `workload.at_template("metadata", "labels")`."""
        return self.object.at(*self.template_path, *path)
