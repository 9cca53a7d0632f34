"""The flows from the API server: admission webhooks, conversion webhooks and aggregated APIs."""

from collections.abc import Iterator
from typing import Any

from netlint.cluster import Cluster
from netlint.findings import Path
from netlint.intent.connections import API_SERVER
from netlint.intent.flow import Evidence, Flow
from netlint.intent.names import ServiceNames
from netlint.intent.raw import at, dig, entries, number_at, of_kind, text_at
from netlint.intent.targets import find_port, targets
from netlint.resources import Manifest


def api_server_flows(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    """The API server to every Service that it calls by a configuration in the input."""
    for manifest, path, reference, text in _calls(cluster):
        namespace, name = text_at(reference, "namespace"), text_at(reference, "name")
        service = names.get(namespace, name) if namespace and name else None
        if service is None:
            continue
        port = find_port(service, number_at(reference, "port") or 443)
        for target in targets(cluster, service, port) if port else ():
            yield Flow(
                API_SERVER,
                target.workload,
                target.port,
                target.protocol,
                (Evidence(text, at(manifest, *path)),),
                "certain",
                service,
                port.port if port else None,
                by_name=False,
            )


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
