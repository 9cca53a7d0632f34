"""The flows that a workload's settings ask for: its references to Services, joined to the pods behind them."""

import re
from collections.abc import Iterator

from netlint.cluster import Cluster, Workload
from netlint.intent.flow import API_SERVER, Evidence, Flow, Strength
from netlint.intent.names import ServiceNames
from netlint.intent.references import Reference
from netlint.intent.settings import Mention
from netlint.intent.targets import Target, direct_targets, find_port, is_headless, named_port, service_ports, targets
from netlint.intent.texts import mentioned
from netlint.resources.core import Service, ServicePort

_METRICS = re.compile(r"metrics|exporter|prometheus|prom\b")


def configured_flows(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    """The flows that environments, command lines and configurations name."""
    for workload in cluster.workloads:
        for mention, text in mentioned(cluster, workload):
            yield from _flows(cluster, names, workload, mention, text)


def _flows(cluster: Cluster, names: ServiceNames, workload: Workload, mention: Mention, text: bool) -> Iterator[Flow]:
    reference = mention.reference
    evidence = (Evidence(mention.label, mention.place),)
    if is_api_server(reference.host):
        if reference.form != "bare":
            yield Flow(workload, API_SERVER, None, "TCP", evidence, "certain")
        return
    service = names.find(reference.host, workload)
    if service is None:
        return
    choice = choose_port(service, mention, text)
    if choice is None:
        found = _undeclared(cluster, service, reference)
        strength: Strength = "certain"
        number = reference.port
    else:
        port, strength = choice
        found = targets(cluster, service, port)
        number = port.port
    if not is_headless(service) and any(target.workload is workload for target in found):
        return  # its own address, whoever else answers there
    for target in found:
        if target.workload is not workload:
            yield Flow(workload, target.workload, target.port, target.protocol, evidence, strength, service, number)


def choose_port(service: Service, mention: Mention, text: bool = False) -> tuple[ServicePort, Strength] | None:
    """The Service port that a mention means, and how sure that is; None where it means none of them.

    A bare word counts only where its setting speaks of a host; a name without a port only where the Service has the
    scheme's port or a single one.
    """
    reference = mention.reference
    if reference.port_name is not None:
        port = named_port(service, reference.port_name)
        return (port, "certain") if port else None
    if reference.port is not None:
        port = find_port(service, reference.port, reference.protocol)
        return (port, "certain") if port else None
    if reference.default_port is not None:
        port = find_port(service, reference.default_port, reference.protocol)
        # a URL without a port says its scheme's port, whatever else the Service offers
        return (port, "certain") if port else None
    ports = service_ports(service)
    numbers = {port.port for port in ports}
    alone = len(numbers) == 1
    if not alone:
        # one port beside those for metrics is what clients are for
        ports = tuple(port for port in ports if not (port.name and _METRICS.search(port.name)))
        if len({port.port for port in ports}) != 1:
            return None
    sure = mention.named and not text
    if reference.form == "bare" and not sure:
        return None
    return ports[0], "certain" if sure and alone else "likely"


def _undeclared(cluster: Cluster, service: Service, reference: Reference) -> tuple[Target, ...]:
    """A headless Service leads to any port of its pods, whether it lists the port or not."""
    number = reference.port or reference.default_port
    if number is None or not is_headless(service):
        return ()
    return direct_targets(cluster, service, number, reference.protocol)


def is_api_server(host: str) -> bool:
    """Whether a name is that of the API server's own Service."""
    return host in (
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "kubernetes.default.svc.cluster.local",
    )
