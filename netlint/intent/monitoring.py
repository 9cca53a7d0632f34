"""The flows that monitoring needs: Prometheus to what it scrapes and to where it sends alerts."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from netlint.cluster import Cluster, Workload
from netlint.findings import Place
from netlint.intent.flow import Evidence, Flow, Strength
from netlint.intent.names import ServiceNames
from netlint.intent.targets import find_port, named_port, targets
from netlint.predicates import Labelled
from netlint.resources import KubernetesObject, LabelSelector
from netlint.resources.core import Service
from netlint.resources.monitoring import Alertmanager, MonitorEndpoint, PodMonitor, Prometheus, ServiceMonitor

_PROMETHEUS_IMAGE = re.compile(r"(?:^|/)prom(?:etheus)?/prometheus(?::|@|$)|(?:^|/)prometheus/prometheus(?::|@|$)")


def monitoring_flows(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    """Scrapes by ServiceMonitor, PodMonitor and annotations, alerts, and the gossip of Alertmanagers."""
    servers = {w.object: w for w in cluster.workloads if isinstance(w.object, Prometheus)}
    monitors = _Monitors(cluster)
    for server, workload in servers.items():
        assert isinstance(server, Prometheus)
        yield from _by_service_monitors(monitors, server, workload)
        yield from _by_pod_monitors(monitors, server, workload)
        yield from _alerts(cluster, names, server, workload)
    yield from _gossip(cluster)
    yield from _by_annotations(cluster, list(servers.values()))


class _Monitors:
    """The monitors of a cluster and what they choose from, each to be looked up by labels."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._scraped: dict[PodMonitor, tuple[tuple[Workload, int, int], ...]] = {}

    def scraped(self, monitor: PodMonitor) -> tuple[tuple[Workload, int, int], ...]:
        """The workloads that a monitor takes, each with the port and the index of the endpoint that names it. Several
        servers may take up one monitor."""
        known = self._scraped.get(monitor)
        if known is None:
            known = self._scraped[monitor] = tuple(_scraped(monitor, self.cluster.labelled_workloads))
        return known

    @cached_property
    def of_services(self) -> Labelled[ServiceMonitor]:
        return Labelled(self.cluster.all(ServiceMonitor), _labels)

    @cached_property
    def of_pods(self) -> Labelled[PodMonitor]:
        return Labelled(self.cluster.all(PodMonitor), _labels)

    @cached_property
    def services(self) -> Labelled[Service]:
        return Labelled(self.cluster.all(Service), _labels)


def _labels(obj: KubernetesObject) -> dict[str, str]:
    return obj.labels


def _by_service_monitors(monitors: _Monitors, server: Prometheus, source: Workload) -> Iterator[Flow]:
    cluster, spec = monitors.cluster, server.spec
    taken = _taken(
        cluster, server, monitors.of_services, spec.service_monitor_selector, spec.service_monitor_namespace_selector
    )
    for monitor in taken:
        for service in _selected(monitor, monitors.services):
            for index, endpoint in enumerate(monitor.spec.endpoints or ()):
                place = monitor.at("spec", "endpoints", index)
                yield from _scrape(cluster, source, service, endpoint, f"ServiceMonitor {monitor.name}", place)


def _scrape(
    cluster: Cluster, source: Workload, service: Service, endpoint: MonitorEndpoint, text: str, place: Place
) -> Iterator[Flow]:
    evidence = (Evidence(text, place),)
    port = named_port(service, endpoint.port) if endpoint.port else None
    for target in targets(cluster, service, port) if port else ():
        if target.workload is not source:
            yield Flow(
                source, target.workload, target.port, target.protocol, evidence, "certain", service, by_name=False
            )
    if not endpoint.port and endpoint.target_port is not None:
        for workload in cluster.workloads_of(service):
            number = _container_port(workload, endpoint)
            if workload is not source and number is not None:
                yield Flow(source, workload, number, "TCP", evidence, "certain", service, by_name=False)


def _container_port(workload: Workload, endpoint: MonitorEndpoint) -> int | None:
    """The port of a container that an endpoint of a monitor means by name, or by number."""
    target = endpoint.port_number or endpoint.target_port
    name = endpoint.port or (target if isinstance(target, str) else None)
    for port in workload.ports:
        if port.protocol == "TCP" and (port.name == name if name else port.number == target):
            return port.number
    return None


def _by_pod_monitors(monitors: _Monitors, server: Prometheus, source: Workload) -> Iterator[Flow]:
    cluster, spec = monitors.cluster, server.spec
    taken = _taken(cluster, server, monitors.of_pods, spec.pod_monitor_selector, spec.pod_monitor_namespace_selector)
    for monitor in taken:
        for workload, number, index in monitors.scraped(monitor):
            if workload is not source:
                place = monitor.at("spec", "podMetricsEndpoints", index)
                evidence = (Evidence(f"PodMonitor {monitor.name}", place),)
                yield Flow(source, workload, number, "TCP", evidence, "certain", by_name=False)


def _scraped(monitor: PodMonitor, workloads: Labelled[Workload]) -> Iterator[tuple[Workload, int, int]]:
    for workload in _selected(monitor, workloads) if monitor.spec.pod_metrics_endpoints else ():
        for index, endpoint in enumerate(monitor.spec.pod_metrics_endpoints or ()):
            number = _container_port(workload, endpoint)
            if number is not None:
                yield workload, number, index


_Monitor = TypeVar("_Monitor", ServiceMonitor, PodMonitor)


def _taken(
    cluster: Cluster,
    server: Prometheus,
    monitors: Labelled[_Monitor],
    selector: LabelSelector | None,
    spaces: LabelSelector | None,
) -> Iterator[_Monitor]:
    """The monitors that a Prometheus takes up: a null selector takes none, a null namespace selector means its own
    namespace."""
    if selector is None:
        return
    names: Iterable[str | None] = (server.namespace,)
    if spaces is not None:
        names = frozenset(cluster.labelled_namespaces.select(spaces.match_labels, spaces.expressions))
    for monitor in monitors.select(selector.match_labels, selector.expressions):
        if monitor.namespace in names:
            yield monitor


def _namespaces(monitor: ServiceMonitor | PodMonitor) -> list[str] | None:
    """The namespaces that a monitor looks in; None for all."""
    selector = monitor.spec.namespace_selector
    if selector is not None and selector.any:
        return None
    names = selector.match_names if selector is not None else None
    return sorted(names or (monitor.namespace or "default",))


_Thing = TypeVar("_Thing", Service, Workload)


def _selected(monitor: ServiceMonitor | PodMonitor, things: Labelled[_Thing]) -> Iterator[_Thing]:
    """The things that a monitor takes, in order. A null selector takes nothing."""
    selector, spaces = monitor.spec.selector, _namespaces(monitor)
    if selector is not None:
        for thing in things.select(selector.match_labels, selector.expressions):
            if spaces is None or (thing.namespace or "default") in spaces:
                yield thing


def _alerts(cluster: Cluster, names: ServiceNames, server: Prometheus, source: Workload) -> Iterator[Flow]:
    alerting = server.spec.alerting
    for index, entry in enumerate(alerting.alertmanagers or () if alerting else ()):
        service = names.get(entry.namespace or server.namespace or "", entry.name or "")
        if service is None or entry.port is None:
            continue
        port = named_port(service, entry.port) if isinstance(entry.port, str) else find_port(service, entry.port)
        for target in targets(cluster, service, port) if port else ():
            evidence = (
                Evidence(
                    f"alerting of Prometheus {server.name}", server.at("spec", "alerting", "alertmanagers", index)
                ),
            )
            yield Flow(source, target.workload, target.port, "TCP", evidence, "certain", service, by_name=False)


def _gossip(cluster: Cluster) -> Iterator[Flow]:
    for workload in cluster.workloads:
        replicas = workload.object.spec.replicas if isinstance(workload.object, Alertmanager) else None
        if replicas is not None and replicas > 1:
            evidence = (Evidence(f"{replicas} Alertmanagers gossip", workload.object.at("spec", "replicas")),)
            for protocol in ("TCP", "UDP"):
                yield Flow(workload, workload, 9094, protocol, evidence, "certain")


def _by_annotations(cluster: Cluster, servers: Iterable[Workload]) -> Iterator[Flow]:
    """`prometheus.io/scrape`: a convention of Prometheus' example configuration, so likely at most."""
    found = [*servers, *cluster.running(_PROMETHEUS_IMAGE.search)]
    if len(found) != 1:
        return
    source = found[0]
    strength: Strength = "likely"
    for workload in cluster.workloads:
        if workload is source or workload.annotations.get("prometheus.io/scrape") != "true":
            continue
        port = workload.annotations.get("prometheus.io/port", "")
        if port.isdigit():
            place = workload.at_template("metadata", "annotations", "prometheus.io/port")
            evidence = (Evidence("annotation prometheus.io/port", place),)
            yield Flow(source, workload, int(port), "TCP", evidence, strength, by_name=False)
    for service in cluster.all(Service):
        port = service.annotations.get("prometheus.io/port", "")
        if service.annotations.get("prometheus.io/scrape") != "true" or not port.isdigit():
            continue
        place = service.at("metadata", "annotations", "prometheus.io/port")
        evidence = (Evidence(f"annotation prometheus.io/port of Service {service.name}", place),)
        # the example configuration scrapes the endpoints' addresses on this very port
        for workload in cluster.workloads_of(service):
            if workload is not source:
                yield Flow(source, workload, int(port), "TCP", evidence, strength, service, by_name=False)
