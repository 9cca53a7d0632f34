"""NET603: a pod that joins a network of devices and does not request them."""

from collections import defaultdict
from collections.abc import Iterator

from netlint.cluster import Cluster
from netlint.findings import Finding, Related, Severity
from netlint.resources.apps import DaemonSet
from netlint.resources.core import ConfigMap, Node
from netlint.resources.devices import DeviceClass
from netlint.resources.extension_points import MutatingWebhookConfiguration
from netlint.resources.secondary_networks import (
    NetworkAttachmentDefinition,
    OVSNetwork,
    SriovIBNetwork,
    SriovNetwork,
    SriovNetworkNodePolicy,
    SriovOperatorConfig,
)
from netlint.rules.analysis import Analysis
from netlint.rules.placement._devices import Offers, Request, nearest, requests
from netlint.rules.placement._networks import OPERATOR_PREFIX, Attachment, Network, Networks, attachments
from netlint.rules.registry import rule

_INJECTOR = "network-resources-injector"
_OPERATOR = "sriovnetwork.openshift.io"


@rule(
    "NET603",
    "network-without-request",
    Severity.ERROR,
    reads=(
        NetworkAttachmentDefinition,
        SriovNetwork,
        SriovIBNetwork,
        OVSNetwork,
        SriovOperatorConfig,
        MutatingWebhookConfiguration,
        Node,
        DaemonSet,
        ConfigMap,
        SriovNetworkNodePolicy,
        DeviceClass,
    ),
    needs=(NetworkAttachmentDefinition, SriovNetwork, SriovIBNetwork, OVSNetwork),
)
def network_without_request(analysis: Analysis) -> Iterator[Finding]:
    """The pod joins SR-IOV networks and requests fewer devices than that takes, so the network is not attached."""
    cluster = analysis.cluster
    joined = [(workload, found) for workload in cluster.workloads if (found := attachments(workload))]
    if not joined or _injected(cluster):
        return
    networks, offers = Networks(cluster), Offers(cluster)
    for workload, found in joined:
        if workload.spec.resource_claims:
            continue
        wanted: dict[str, list[tuple[Attachment, Network]]] = defaultdict(list)
        for attachment in found:
            network = networks.of(attachment)
            if network is not None and network.resource and network.needs_device:
                wanted[network.resource].append((attachment, network))
        asked = requests(workload)
        for resource, uses in sorted(wanted.items()):
            yield from _compared(resource, uses, asked, offers)


def _compared(
    resource: str, uses: list[tuple[Attachment, Network]], asked: dict[str, Request], offers: Offers
) -> Iterator[Finding]:
    names = ", ".join(attachment.name for attachment, _ in uses)
    related = [Related(f"{network.name} takes {resource}", network.resource_place) for _, network in uses[:3]]
    request = asked.get(resource)
    if request is not None:
        if request.amount < len(uses):
            yield network_without_request.finding(
                request.place,
                f"the pod joins {len(uses)} networks of {resource} ({names}) and requests {request.amount}",
                help=f"request {len(uses)} of {resource}: each attachment takes a device of its own",
                related=related,
            )
        return
    meant = asked.get(nearest(resource, asked) or "")
    if meant is not None and offers.missing(meant.name) is not None:
        return  # NET602 reports the misspelt name
    if offers.has(meant.name if meant else ""):
        meant = None
    plural = len(uses) > 1
    yield network_without_request.finding(
        meant.place if meant else uses[0][0].place,
        f"the pod joins SR-IOV network{'s' if plural else ''} {names} and requests no {resource}"
        + (f", but {meant.name}" if meant else ""),
        severity=Severity.WARNING if resource.startswith(f"{OPERATOR_PREFIX}/") else Severity.ERROR,
        help=f"add {resource}: {len(uses)} to the requests and limits of a container, or run the "
        "network-resources-injector, which adds them",
        related=related,
    )


def _injected(cluster: Cluster) -> bool:
    """Whether something adds the requests when a pod is made: the injector, alone or with the SR-IOV operator."""
    configs = cluster.all(SriovOperatorConfig)
    if any(config.spec.enable_injector is not False for config in configs):
        return True
    for configuration in cluster.all(MutatingWebhookConfiguration):
        for hook in configuration.webhooks or ():
            service = hook.client_config.service if hook.client_config else None
            if any(_INJECTOR in (text or "") for text in (configuration.name, hook.name, service and service.name)):
                return True
    if any(_INJECTOR in workload.name for workload in cluster.workloads):
        return True
    return not configs and any(group == _OPERATOR for group, _ in cluster.kinds)
