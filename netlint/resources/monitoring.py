"""monitoring.coreos.com: the objects that the Prometheus operator turns into pods, and what it scrapes.

The labels and ports of the pods are those that the operator makes (prometheus-operator, API reference of
`podMetadata`, which names the reserved labels; `pkg/prometheus/server` and `pkg/alertmanager/statefulset.go`).
"""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, Labels, LabelSelector, Model, ObjectMeta
from netlint.resources.pod import Container, ContainerPort, PodSpec
from netlint.resources.templates import PodTemplateView


class PodMetadata(Model):
    labels: Labels | None = None
    annotations: Labels | None = None


class AlertmanagerEndpoints(Model):
    """An entry of spec.alerting.alertmanagers: the Service that alerts are sent to, and its port's name or number."""

    namespace: str | None = None
    name: str | None = None
    port: int | str | None = None


class Alerting(Model):
    alertmanagers: list[AlertmanagerEndpoints] | None = None


class OperatedSpec(Model):
    replicas: int | None = None
    pod_metadata: PodMetadata | None = None
    service_account_name: str | None = None
    host_network: bool | None = None
    listen_local: bool | None = None
    port_name: str | None = None
    containers: list[Container] | None = None
    node_selector: Labels | None = None
    alerting: Alerting | None = None
    service_monitor_selector: LabelSelector | None = None
    service_monitor_namespace_selector: LabelSelector | None = None
    pod_monitor_selector: LabelSelector | None = None
    pod_monitor_namespace_selector: LabelSelector | None = None


class Operated(KubernetesObject):
    """An object whose pods the operator makes."""

    GROUP: ClassVar[str] = "monitoring.coreos.com"
    PROGRAM: ClassVar[str] = ""
    PORTS: ClassVar[tuple[tuple[str, int, str], ...]] = ()

    spec: OperatedSpec = Field(default_factory=OperatedSpec)

    @property
    def pod_template(self) -> PodTemplateView:
        """The pods as the operator makes them: labels that it reserves, the program's ports, and the user's parts."""
        metadata = self.spec.pod_metadata or PodMetadata()
        labels = {**(metadata.labels or {}), **self._reserved_labels()}
        ports = [
            ContainerPort.model_validate({"name": name, "containerPort": number, "protocol": protocol})
            for name, number, protocol in self._ports()
        ]
        container = Container(name=self.PROGRAM, ports=ports)
        reloader = Container.model_validate(
            {"name": "config-reloader", "ports": [{"name": "reloader-web", "containerPort": 8080}]}
        )
        spec = PodSpec.model_construct(
            containers=[container, reloader, *(self.spec.containers or ())],
            service_account_name=self.spec.service_account_name,
            host_network=self.spec.host_network,
            node_selector=self.spec.node_selector,
        )
        return PodTemplateView(("spec",), ObjectMeta(labels=labels, annotations=metadata.annotations), spec)

    def _reserved_labels(self) -> Labels:
        return {
            self.PROGRAM: self.name,
            "app.kubernetes.io/name": self.PROGRAM,
            "app.kubernetes.io/instance": self.name,
            "app.kubernetes.io/managed-by": "prometheus-operator",
        }

    def _ports(self) -> tuple[tuple[str, int, str], ...]:
        (_, web, protocol), *rest = self.PORTS
        own = () if self.spec.listen_local else ((self.spec.port_name or "web", web, protocol),)
        return (*own, *rest)


class Prometheus(Operated):
    """monitoring.coreos.com/v1 Prometheus."""

    PROGRAM: ClassVar[str] = "prometheus"
    PORTS: ClassVar[tuple[tuple[str, int, str], ...]] = (("web", 9090, "TCP"),)

    def _reserved_labels(self) -> Labels:
        own = {"operator.prometheus.io/name": self.name, "operator.prometheus.io/shard": "0"}
        return {**super()._reserved_labels(), **own}


class PrometheusAgent(Prometheus):
    """monitoring.coreos.com/v1alpha1 PrometheusAgent: scrapes as a Prometheus does (`pkg/prometheus/agent`)."""

    def _reserved_labels(self) -> Labels:
        labels = {**super()._reserved_labels(), "app.kubernetes.io/name": "prometheus-agent"}
        return {key: value for key, value in labels.items() if key != self.PROGRAM}


class Alertmanager(Operated):
    """monitoring.coreos.com/v1 Alertmanager. Its members gossip on 9094."""

    PROGRAM: ClassVar[str] = "alertmanager"
    PORTS: ClassVar[tuple[tuple[str, int, str], ...]] = (
        ("web", 9093, "TCP"),
        ("mesh-tcp", 9094, "TCP"),
        ("mesh-udp", 9094, "UDP"),
    )


class NamespaceSelector(Model):
    """Of a ServiceMonitor or PodMonitor: its own namespace unless `any` or names are given."""

    any: bool | None = None
    match_names: list[str] | None = None


class MonitorEndpoint(Model):
    port: str | None = None
    target_port: int | str | None = None
    port_number: int | None = None


class MonitorSpec(Model):
    selector: LabelSelector | None = None
    namespace_selector: NamespaceSelector | None = None
    endpoints: list[MonitorEndpoint] | None = None
    pod_metrics_endpoints: list[MonitorEndpoint] | None = None


class ServiceMonitor(KubernetesObject):
    """monitoring.coreos.com/v1 ServiceMonitor: selects Services by their labels; `port` is a Service port's name."""

    GROUP: ClassVar[str] = "monitoring.coreos.com"

    spec: MonitorSpec = Field(default_factory=MonitorSpec)


class PodMonitor(KubernetesObject):
    """monitoring.coreos.com/v1 PodMonitor: selects pods by their labels; `port` is a container port's name."""

    GROUP: ClassVar[str] = "monitoring.coreos.com"

    spec: MonitorSpec = Field(default_factory=MonitorSpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "Prometheus": Prometheus,
    "PrometheusAgent": PrometheusAgent,
    "Alertmanager": Alertmanager,
    "ServiceMonitor": ServiceMonitor,
    "PodMonitor": PodMonitor,
}
