"""The flows that monitoring needs: Prometheus to what it scrapes and to where it sends alerts."""

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias, TypeVar

from netlint.cluster import Cluster, Workload
from netlint.findings import Place
from netlint.intent.flow import Evidence, Flow, Strength
from netlint.intent.names import ServiceNames
from netlint.intent.targets import find_port, named_port, service_ports, targets
from netlint.predicates import labels_match
from netlint.resources import LabelSelector
from netlint.resources.core import Service
from netlint.resources.monitoring import Alertmanager, MonitorEndpoint, PodMonitor, Prometheus, ServiceMonitor

_PROMETHEUS_IMAGE = re.compile(r"(?:^|/)prom(?:etheus)?/prometheus(?::|@|$)|(?:^|/)prometheus/prometheus(?::|@|$)")


def monitoring_flows(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    """Scrapes by ServiceMonitor, PodMonitor and annotations, alerts, and the gossip of Alertmanagers."""
    servers = {w.object: w for w in cluster.workloads if isinstance(w.object, Prometheus)}
    services = by_label(cluster.all(Service)) if servers else {}
    workloads = by_label(cluster.workloads) if servers else {}
    for server, workload in servers.items():
        assert isinstance(server, Prometheus)
        yield from _by_service_monitors(cluster, server, workload, services)
        yield from _by_pod_monitors(cluster, server, workload, workloads)
        yield from _alerts(cluster, names, server, workload)
    yield from _gossip(cluster)
    yield from _by_annotations(cluster, list(servers.values()))


def _by_service_monitors(
    cluster: Cluster, server: Prometheus, source: Workload, services: "ByLabel[Service]"
) -> Iterator[Flow]:
    spec = server.spec
    for monitor in cluster.all(ServiceMonitor):
        if not _takes(cluster, server, spec.service_monitor_selector, spec.service_monitor_namespace_selector, monitor):
            continue
        for service in selected(monitor, cluster.all(Service), services):
            for index, endpoint in enumerate(monitor.spec.endpoints or ()):
                place = monitor.at("spec", "endpoints", index)
                yield from _scrape(cluster, source, service, endpoint, f"ServiceMonitor {monitor.name}", place)


def _scrape(
    cluster: Cluster, source: Workload, service: Service, endpoint: MonitorEndpoint, text: str, place: Place
) -> Iterator[Flow]:
    port = named_port(service, endpoint.port) if endpoint.port else None
    if port is None and endpoint.target_port is not None:
        port = next((p for p in service_ports(service) if p.target_port == endpoint.target_port), None)
    for target in targets(cluster, service, port) if port else ():
        if target.workload is not source:
            evidence = (Evidence(text, place),)
            yield Flow(
                source, target.workload, target.port, target.protocol, evidence, "certain", service, by_name=False
            )


def _by_pod_monitors(
    cluster: Cluster, server: Prometheus, source: Workload, workloads: "ByLabel[Workload]"
) -> Iterator[Flow]:
    spec = server.spec
    for monitor in cluster.all(PodMonitor):
        if not _takes(cluster, server, spec.pod_monitor_selector, spec.pod_monitor_namespace_selector, monitor):
            continue
        for workload in selected(monitor, cluster.workloads, workloads):
            if workload is source:
                continue
            for index, endpoint in enumerate(monitor.spec.pod_metrics_endpoints or ()):
                for port in workload.ports:
                    if port.protocol == "TCP" and (
                        port.name == endpoint.port if endpoint.port else port.number == endpoint.port_number
                    ):
                        place = monitor.at("spec", "podMetricsEndpoints", index)
                        evidence = (Evidence(f"PodMonitor {monitor.name}", place),)
                        yield Flow(source, workload, port.number, "TCP", evidence, "certain", by_name=False)
                        break


def _takes(
    cluster: Cluster,
    server: Prometheus,
    selector: LabelSelector | None,
    spaces: LabelSelector | None,
    monitor: ServiceMonitor | PodMonitor,
) -> bool:
    """Whether a Prometheus takes up a monitor: a null namespace selector means its own namespace."""
    if selector is None or not selects(selector, monitor.labels):
        return False
    if spaces is None:
        return monitor.namespace == server.namespace
    info = cluster.namespaces.get(monitor.namespace or "")
    return info is not None and selects(spaces, info.labels)


def _namespaces(monitor: ServiceMonitor | PodMonitor) -> list[str] | None:
    """The namespaces that a monitor looks in; None for all."""
    selector = monitor.spec.namespace_selector
    if selector is not None and selector.any:
        return None
    names = selector.match_names if selector is not None else None
    return sorted(names or (monitor.namespace or "default",))


_Labelled = TypeVar("_Labelled", Service, Workload)
ByLabel: TypeAlias = dict[tuple[str, str], list[_Labelled]]


def by_label(things: Iterable[_Labelled]) -> ByLabel[_Labelled]:
    """The things that bear each label, in order."""
    found: ByLabel[_Labelled] = {}
    for thing in things:
        for label in thing.labels.items():
            found.setdefault(label, []).append(thing)
    return found


def selected(
    monitor: ServiceMonitor | PodMonitor, things: Iterable[_Labelled], index: ByLabel[_Labelled]
) -> Iterator[_Labelled]:
    """The things that a monitor takes, in order. `index` is that of `things`."""
    selector, spaces = monitor.spec.selector, _namespaces(monitor)
    if selector is not None and selector.match_labels:
        things = index.get(next(iter(selector.match_labels.items())), ())
    return (
        thing
        for thing in things
        if (spaces is None or (thing.namespace or "default") in spaces) and selects(selector, thing.labels)
    )


def selects(selector: LabelSelector | None, labels: dict[str, str]) -> bool:
    """Whether a label selector holds for labels; a null one holds for nothing, an illegal one neither."""
    if selector is None:
        return False
    expressions = [(e.key, e.operator, e.values or ()) for e in selector.match_expressions or ()]
    try:
        return labels_match(selector.match_labels or {}, expressions, labels)
    except ValueError:
        return False


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
    found = [*servers, *(w for w in cluster.workloads if _runs_prometheus(w))]
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


def _runs_prometheus(workload: Workload) -> bool:
    images = (container.image or "" for container in workload.spec.containers or ())
    return any(_PROMETHEUS_IMAGE.search(image) for image in images)
