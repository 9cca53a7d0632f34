"""The flows from the API server: admission webhooks, conversion webhooks and aggregated APIs."""

from collections.abc import Iterator
from typing import Any

from netlint.cluster import Cluster, Workload
from netlint.findings import Path
from netlint.intent.autoscaling import metrics_readers
from netlint.intent.flow import API_SERVER, Evidence, Flow
from netlint.intent.names import ServiceNames
from netlint.intent.raw import at, dig, entries, number_at, of_kind, text_at
from netlint.intent.targets import find_port, targets
from netlint.resources import Manifest
from netlint.resources.core import Service, ServiceAccount
from netlint.resources.discovery import EndpointSlice


def api_server_flows(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    """The API server to every Service that it calls by a configuration in the input."""
    readers = metrics_readers(cluster)
    for manifest, path, reference, text in _calls(cluster):
        namespace, name = text_at(reference, "namespace"), text_at(reference, "name")
        service = names.get(namespace, name) if namespace and name else None
        if service is None:
            continue
        port = find_port(service, number_at(reference, "port") or 443)
        evidence = [Evidence(text, at(manifest, *path))]
        if manifest.kind == "APIService":
            evidence += readers.get(text_at(manifest.raw, "spec", "group") or "", ())[:2]
        for target in targets(cluster, service, port) if port else ():
            yield Flow(
                API_SERVER,
                target.workload,
                target.port,
                target.protocol,
                tuple(evidence),
                "certain",
                service,
                port.port if port else None,
                by_name=False,
            )


def api_servers(cluster: Cluster) -> tuple[tuple[str, int], ...]:
    """The addresses and ports of the API server, as far as the input tells: its Service and what is behind it."""
    found: list[tuple[str, int]] = []
    for piece in cluster.all(EndpointSlice):
        if piece.namespace == "default" and piece.labels.get("kubernetes.io/service-name") == "kubernetes":
            numbers = [port.port for port in piece.ports or () if port.port]
            addresses = [address for each in piece.endpoints or () for address in each.addresses or ()]
            found += [(address, number) for address in addresses for number in numbers]
    if not found:
        return ()
    service = cluster.get(Service, "default", "kubernetes")
    address = service.spec.cluster_ip if service is not None else None
    for port in service.spec.ports or () if service is not None else ():
        if address and port.port:
            found.append((address, port.port))
    return tuple(dict.fromkeys(found))


def access_flows(cluster: Cluster) -> Iterator[Flow]:
    """Workloads whose service account is given rights at the API server. Likely: they need not use them."""
    bound: dict[tuple[str, str], tuple[Manifest, Path]] = {}
    for manifest in of_kind(cluster, "rbac.authorization.k8s.io", "RoleBinding", "ClusterRoleBinding"):
        for path, subject in entries(manifest.raw, "subjects"):
            name = text_at(subject, "name")
            namespace = text_at(subject, "namespace") or manifest.namespace or ""
            if subject.get("kind") == "ServiceAccount" and name and name != "default":
                bound.setdefault((namespace, name), (manifest, path))
    for workload in cluster.workloads:
        known = bound.get((workload.namespace, workload.service_account))
        if known is None or workload.host_network or not _mounts_token(cluster, workload):
            continue
        manifest, path = known
        text = f"{manifest.kind} {manifest.name} for its service account {workload.service_account}"
        evidence = (Evidence(text, at(manifest, *path)),)
        yield Flow(workload, API_SERVER, None, "TCP", evidence, "likely", by_name=False)


def _mounts_token(cluster: Cluster, workload: Workload) -> bool:
    spec = dig(workload.object.manifest.raw, *workload.template_path, "spec", "automountServiceAccountToken")
    account = cluster.get(ServiceAccount, workload.namespace, workload.service_account)
    own = dig(account.manifest.raw, "automountServiceAccountToken") if account else None
    return spec is True or (spec is not False and own is not False)


def _calls(cluster: Cluster) -> Iterator[tuple[Manifest, Path, dict[str, Any], str]]:
    """Every `service` that some configuration tells the API server to call, with its path."""
    hooks = of_kind(
        cluster, "admissionregistration.k8s.io", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"
    )
    for manifest in hooks:
        for path, hook in entries(manifest.raw, "webhooks"):
            reference = dig(hook, "clientConfig", "service")
            if isinstance(reference, dict):
                yield manifest, (*path, "clientConfig", "service"), reference, f"webhook {text_at(hook, 'name')}"
    for manifest in of_kind(cluster, "apiregistration.k8s.io", "APIService"):
        reference = dig(manifest.raw, "spec", "service")
        if isinstance(reference, dict):
            yield manifest, ("spec", "service"), reference, f"APIService {manifest.name}"
    where: Path = ("spec", "conversion", "webhook", "clientConfig", "service")
    for manifest in of_kind(cluster, "apiextensions.k8s.io", "CustomResourceDefinition"):
        reference = dig(manifest.raw, *where)
        if isinstance(reference, dict):
            yield manifest, where, reference, f"conversion webhook of {manifest.name}"
