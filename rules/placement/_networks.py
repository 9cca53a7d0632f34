"""The networks that pods attach to by Multus, and the devices that these networks need."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from netlint.cluster import Cluster, Workload
from netlint.findings import Place
from netlint.resources import KubernetesObject
from netlint.resources.secondary_networks import (
    NetworkAttachmentDefinition,
    OVSNetwork,
    SriovIBNetwork,
    SriovNetwork,
)

NETWORKS = "k8s.v1.cni.cncf.io/networks"
DEFAULT_NETWORK = "v1.multus-cni.io/default-network"
RESOURCE_NAME = "k8s.v1.cni.cncf.io/resourceName"
OPERATOR_PREFIX = "openshift.io"
"""What the SR-IOV operator puts before resource names, unless RESOURCE_PREFIX says otherwise."""
GENERATED_BY = (SriovNetwork, SriovIBNetwork, OVSNetwork)
"""Kinds of the SR-IOV operator that become a NetworkAttachmentDefinition of their name."""
_JSON = re.compile(r"[\[{\"]")
_TAKE_A_DEVICE = frozenset({"accelerated-bridge", "ib-sriov", "rdma", "sriov"})
"""CNI plugins that cannot work without the device that was allocated to the pod."""
_FIXED_DEVICE = ("deviceID", "device", "hwaddr", "kernelpath", "pciBusID")


@dataclass(frozen=True, slots=True)
class Attachment:
    """One network that a pod asks for. `namespace` is where it is looked up."""

    workload: Workload
    namespace: str
    name: str
    stated: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Network:
    """A network that the input defines. `resource` is the device that each attachment takes, None where that is none
    or not known. `needs_device`: its plugin cannot work without one."""

    source: KubernetesObject
    resource: str | None
    resource_place: Place
    needs_device: bool
    generated: bool

    @property
    def name(self) -> str:
        return self.source.name


def attachments(workload: Workload) -> tuple[Attachment, ...]:
    """The networks of the pod's annotation, in order; none on the host's network, or where it cannot be read."""
    text = workload.annotations.get(NETWORKS, "").strip()
    if not text or workload.host_network or "{{" in text or "${" in text:
        return ()
    place = workload.at_template("metadata", "annotations", NETWORKS)
    found = []
    for namespace, name in _entries(text):
        found.append(Attachment(workload, namespace or workload.namespace, name, namespace is not None, place))
    return tuple(found)


def _entries(text: str) -> Iterator[tuple[str | None, str]]:
    if not _JSON.search(text):
        for part in filter(None, (word.strip() for word in text.split(","))):
            before, _, name = part.partition("@")[0].rpartition("/")
            yield (before or None), name
        return
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        return
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, dict):
            continue
        joined, namespace = entry.get("name"), entry.get("namespace")
        if isinstance(joined, str) and joined:
            yield (namespace if isinstance(namespace, str) and namespace else None), joined


class Networks:
    """The networks that the input defines, by namespace and name."""

    def __init__(self, cluster: Cluster) -> None:
        self.by_name: dict[tuple[str, str], Network] = {}
        for kind in GENERATED_BY:
            for network in cluster.all(kind):
                namespace = network.spec.network_namespace or network.namespace or "default"
                self.by_name[namespace, network.name] = _generated(network)
        for definition in cluster.all(NetworkAttachmentDefinition):
            self.by_name[definition.namespace or "default", definition.name] = _defined(definition)

    def of(self, attachment: Attachment) -> Network | None:
        return self.by_name.get((attachment.namespace, attachment.name))


def _generated(network: SriovNetwork) -> Network:
    name = network.spec.resource_name
    resource = f"{OPERATOR_PREFIX}/{name}" if name else None
    device = not isinstance(network, OVSNetwork)
    return Network(network, resource, network.at("spec", "resourceName"), device, generated=True)


def _defined(definition: NetworkAttachmentDefinition) -> Network:
    resource = definition.annotations.get(RESOURCE_NAME) or None
    place = definition.at("metadata", "annotations", RESOURCE_NAME)
    return Network(definition, resource, place, needs_device(definition), generated=False)


def needs_device(definition: NetworkAttachmentDefinition) -> bool:
    """Whether a plugin of the network takes the device that is allocated to the pod."""
    return any(
        plugin.get("type") in _TAKE_A_DEVICE and not any(plugin.get(key) for key in _FIXED_DEVICE)
        for plugin in plugins(definition)
    )


def plugins(definition: NetworkAttachmentDefinition) -> list[dict[str, Any]]:
    """The plugins of the network's configuration; none where that is no JSON (NET205)."""
    try:
        config = json.loads(definition.spec.config or "")
    except (ValueError, RecursionError):
        return []
    if not isinstance(config, dict):
        return []
    chain = config.get("plugins")
    entries = chain if isinstance(chain, list) else [config]
    return [entry for entry in entries if isinstance(entry, dict)]
