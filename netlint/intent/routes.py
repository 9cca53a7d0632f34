"""The flows from the programs that carry outside traffic in (ingress controllers, gateways) to their backends."""

import re
from collections.abc import Iterator
from typing import Any

from netlint.cluster import Cluster, Workload
from netlint.findings import Path, Place
from netlint.intent.flow import Evidence, Flow, Outside, Strength
from netlint.intent.gateways import gateway_flows
from netlint.intent.names import ServiceNames
from netlint.intent.raw import at, dig, entries, labels_at, namespace_of, number_at, of_kind, text_at
from netlint.intent.targets import find_port, named_port, targets
from netlint.resources import Manifest
from netlint.resources.core import Service, ServicePort
from netlint.resources.networking import Ingress, IngressBackend, IngressClass

INTERNET = Outside("internet")

# What an IngressClass's `controller` says, the images of the program that proxies for it, and its usual class name.
_CONTROLLERS: tuple[tuple[str, str, str], ...] = (
    ("k8s.io/ingress-nginx", r"ingress-nginx/controller|nginx-ingress-controller|ingress-nginx-controller", "nginx"),
    ("nginx.org/ingress-controller", r"nginx/nginx-ingress\b|/nginx-plus-ingress", "nginx"),
    ("traefik.io/ingress-controller", r"(?:^|/)traefik(?::|@|$)|rancher/mirrored-library-traefik", "traefik"),
    ("haproxy.org/ingress-controller", r"haproxytech/kubernetes-ingress|kubernetes-ingress:", "haproxy"),
    ("haproxy-ingress.github.io/controller", r"haproxy-ingress", "haproxy"),
    ("ingress-controllers.konghq.com/kong", r"(?:^|/)kong(?:/kong|/kong-gateway)?(?::|@|$)", "kong"),
    ("getambassador.io/ingress-controller", r"emissary|ambassador", "ambassador"),
    ("apisix.apache.org/apisix-ingress", r"apache/apisix(?::|@|$)", "apisix"),
)
_DEFAULT_CLASS = "ingressclass.kubernetes.io/is-default-class"


def route_flows(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    """Controllers to the Services that Ingresses, routes and virtual services name, where the controller is there."""
    proxies = IngressControllers(cluster)
    yield from _ingresses(cluster, names, proxies)
    yield from _traefik(cluster, names, proxies)
    yield from _contour(cluster, names, proxies)
    yield from _istio(cluster, names)
    yield from _openshift(cluster, names)
    yield from gateway_flows(cluster, names)


def exposed_flows(cluster: Cluster) -> Iterator[Flow]:
    """The internet to the pods of Services of type LoadBalancer. Likely: the balancer may be an internal one."""
    for service in cluster.all(Service):
        if service.spec.type != "LoadBalancer":
            continue
        evidence = (Evidence(f"Service {service.name} is of type LoadBalancer", service.at("spec", "type")),)
        for port in service.spec.ports or ():
            for target in targets(cluster, service, port) if port.port else ():
                yield Flow(
                    INTERNET, target.workload, target.port, target.protocol, evidence, "likely", service, port.port
                )


class IngressControllers:
    """The ingress controllers among the workloads, by what they run."""

    def __init__(self, cluster: Cluster) -> None:
        self.by_controller: dict[str, tuple[Workload, ...]] = {}
        for controller, pattern, _ in _CONTROLLERS:
            found = cluster.running(re.compile(pattern).search)
            if found:
                self.by_controller[controller] = found
        self.classes = {c.name: c.spec.controller or "" for c in cluster.all(IngressClass)}
        default = [c.name for c in cluster.all(IngressClass) if c.annotations.get(_DEFAULT_CLASS) == "true"]
        if len(default) == 1:
            self.classes[""] = self.classes[default[0]]  # for Ingresses that name none

    def named(self, name: str | None) -> str | None:
        """The controller of a class, as an IngressClass states it. That of a class that the input does not define is
        the one in the input that usually bears the name; of Ingresses without a class, that of the default class or
        the only one in the input."""
        stated = self.classes.get(name or "")
        if stated is not None:
            return stated
        usual = [c for c, _, word in _CONTROLLERS if name in (None, word) and c in self.by_controller]
        return usual[0] if len(usual) == 1 else None

    def of_class(self, name: str | None) -> tuple[Workload, Strength] | None:
        """The one workload that serves a class."""
        found = self.by_controller.get(self.named(name) or "", ())
        strength: Strength = "certain" if (name or "") in self.classes else "likely"
        return (found[0], strength) if len(found) == 1 else None


def _ingresses(cluster: Cluster, names: ServiceNames, proxies: IngressControllers) -> Iterator[Flow]:
    for ingress in cluster.all(Ingress):
        name = ingress.spec.ingress_class_name or ingress.annotations.get("kubernetes.io/ingress.class")
        source = proxies.of_class(name)
        if source is None:
            continue
        for path, backend in ingress_backends(ingress):
            service, port = ingress_port(names, ingress, backend)
            if service is not None and port is not None:
                yield from _to(cluster, source, service, port, f"Ingress {ingress.name}", ingress.at(*path))


def ingress_backends(ingress: Ingress) -> Iterator[tuple[Path, IngressBackend]]:
    """Every backend of an Ingress, with its path."""
    if ingress.spec.default_backend is not None:
        yield ("spec", "defaultBackend"), ingress.spec.default_backend
    for index, rule in enumerate(ingress.spec.rules or ()):
        for number, entry in enumerate(rule.http.paths or () if rule.http else ()):
            if entry.backend is not None:
                yield ("spec", "rules", index, "http", "paths", number, "backend"), entry.backend


def ingress_port(
    names: ServiceNames, ingress: Ingress, backend: IngressBackend
) -> tuple[Service | None, ServicePort | None]:
    if backend.service is not None and backend.service.name and backend.service.port:
        name, number = backend.service.port.name, backend.service.port.number
        service = names.get(ingress.namespace or "", backend.service.name)
        return service, _port(service, name or number)
    if backend.service_name:
        service = names.get(ingress.namespace or "", backend.service_name)
        return service, _port(service, backend.service_port)
    return None, None


def _port(service: Service | None, wanted: Any) -> ServicePort | None:
    if service is None or wanted is None or isinstance(wanted, bool):
        return None
    if isinstance(wanted, int):
        return find_port(service, wanted)
    return find_port(service, int(wanted)) if str(wanted).isdigit() else named_port(service, str(wanted))


def _to(
    cluster: Cluster, source: tuple[Workload, Strength], service: Service, port: ServicePort, text: str, place: Place
) -> Iterator[Flow]:
    workload, strength = source
    for target in targets(cluster, service, port):
        if target.workload is not workload:
            yield Flow(
                workload,
                target.workload,
                target.port,
                target.protocol,
                (Evidence(text, place),),
                strength,
                service,
                port.port,
                by_name=False,
            )


def _traefik(cluster: Cluster, names: ServiceNames, proxies: IngressControllers) -> Iterator[Flow]:
    found = proxies.by_controller.get("traefik.io/ingress-controller", ())
    if len(found) != 1:
        return
    for group in ("traefik.io", "traefik.containo.us"):
        for manifest in of_kind(cluster, group, "IngressRoute", "IngressRouteTCP", "IngressRouteUDP"):
            for path, _route in entries(manifest.raw, "spec", "routes"):
                for where, backend in entries(manifest.raw, *path, "services"):
                    if backend.get("kind", "Service") == "Service":
                        yield from _backend(cluster, names, (found[0], "certain"), manifest, where, backend)


def _contour(cluster: Cluster, names: ServiceNames, proxies: IngressControllers) -> Iterator[Flow]:
    envoys = [
        workload
        for workload in cluster.running(lambda image: "envoyproxy/envoy" in image)
        if any("contour" in (c.image or "") for c in workload.spec.init_containers or ())
    ]
    if len(envoys) != 1:
        return
    source: tuple[Workload, Strength] = (envoys[0], "certain")
    for manifest in of_kind(cluster, "projectcontour.io", "HTTPProxy"):
        for path, _route in entries(manifest.raw, "spec", "routes"):
            for where, backend in entries(manifest.raw, *path, "services"):
                yield from _backend(cluster, names, source, manifest, where, backend)
        for where, backend in entries(manifest.raw, "spec", "tcpproxy", "services"):
            yield from _backend(cluster, names, source, manifest, where, backend)


def _backend(
    cluster: Cluster,
    names: ServiceNames,
    source: tuple[Workload, Strength],
    manifest: Manifest,
    where: Path,
    backend: dict[str, Any],
) -> Iterator[Flow]:
    name = text_at(backend, "name")
    namespace = text_at(backend, "namespace") or namespace_of(manifest)
    service = names.get(namespace, name) if name else None
    port = _port(service, dig(backend, "port"))
    if service is not None and port is not None:
        text = f"{manifest.kind} {manifest.name}"
        yield from _to(cluster, source, service, port, text, at(manifest, *where))


def _istio(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    gateways: dict[tuple[str, str], tuple[Workload, ...]] = {}
    for manifest in of_kind(cluster, "networking.istio.io", "Gateway"):
        wanted = labels_at(manifest.raw, "spec", "selector")
        if wanted:
            gateways[namespace_of(manifest), manifest.name or ""] = cluster.labelled_workloads.select(wanted)
    for manifest in of_kind(cluster, "networking.istio.io", "VirtualService"):
        sources: dict[str, Workload] = {}
        for gateway in dig(manifest.raw, "spec", "gateways") or ():
            if isinstance(gateway, str) and gateway != "mesh":
                namespace, slash, name = gateway.rpartition("/")
                key = (namespace if slash and namespace != "." else namespace_of(manifest), name)
                sources |= {workload.id: workload for workload in gateways.get(key, ())}
        for section in ("http", "tcp", "tls"):
            for path, _rule in entries(manifest.raw, "spec", section):
                for where, destination in entries(manifest.raw, *path, "route"):
                    host = text_at(destination, "destination", "host")
                    service = names.in_namespace(host, namespace_of(manifest)) if host else None
                    if service is None:
                        continue
                    number = number_at(destination, "destination", "port", "number")
                    ports = service.spec.ports or []
                    port = _port(service, number) if number else (ports[0] if len(ports) == 1 else None)
                    for workload in sources.values() if port else ():
                        assert port is not None
                        text = f"VirtualService {manifest.name}"
                        yield from _to(cluster, (workload, "certain"), service, port, text, at(manifest, *where))


def _openshift(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    routers = [w for w in cluster.workloads if w.namespace == "openshift-ingress" and w.name.startswith("router-")]
    if len(routers) != 1:
        return
    for manifest in of_kind(cluster, "route.openshift.io", "Route"):
        wanted = dig(manifest.raw, "spec", "port", "targetPort")
        backends: list[tuple[Path, Any]] = [(("spec", "to"), dig(manifest.raw, "spec", "to"))]
        for path, backend in (*backends, *entries(manifest.raw, "spec", "alternateBackends")):
            name = text_at(backend, "name")
            service = names.get(namespace_of(manifest), name) if name and dig(backend, "weight") != 0 else None
            for port in service.spec.ports or () if service is not None else ():
                if service is not None and wanted in (None, port.name, port.target_port, port.port):
                    text = f"Route {manifest.name}"
                    yield from _to(cluster, (routers[0], "certain"), service, port, text, at(manifest, *path))
