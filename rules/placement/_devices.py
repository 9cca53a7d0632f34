"""Extended resources: what pods request, and what nodes, device plugins and their configuration offer."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from netlint.cluster import Cluster, Workload
from netlint.findings import Path, Place, Severity
from netlint.predicates import edit_distance
from netlint.resources.apps import DaemonSet
from netlint.resources.base import Quantity
from netlint.resources.core import ConfigMap, Container, Node
from netlint.resources.devices import DeviceClass
from netlint.resources.secondary_networks import SriovNetworkNodePolicy
from netlint.rules.placement._networks import OPERATOR_PREFIX

SLIP = 2
_PLUGIN_FOLDER = "/var/lib/kubelet/device-plugins"
_SRIOV_PREFIX = "intel.com"
"""What the SR-IOV device plugin puts before resource names that state no prefix."""
_CLOUDS = ("aws://", "gce://", "azure://")


@dataclass(frozen=True, slots=True)
class Request:
    """What one pod requests of one resource in all, and the first place where it does. `amount` is at least 1."""

    workload: Workload
    name: str
    amount: int
    place: Place


@dataclass(frozen=True, slots=True)
class Offer:
    """A resource that exists, and what shows that."""

    name: str
    text: str
    place: Place


def is_extended(name: str) -> bool:
    """Whether a resource is neither Kubernetes' own nor illegal (kubernetes pkg/apis/core/helper)."""
    return "/" in name and "kubernetes.io/" not in name and not name.startswith("requests.")


def requests(workload: Workload) -> dict[str, Request]:
    """The extended resources that a pod requests: the sum over its containers, or one init container's if larger."""
    places: dict[str, Place] = {}
    running: dict[str, int] = {}
    for path, container in workload.containers:
        for name, amount, place in _asked(workload, path, container):
            running[name] = running.get(name, 0) + amount
            places.setdefault(name, place)
    largest: dict[str, int] = {}
    for index, container in enumerate(workload.spec.init_containers or ()):
        for name, amount, place in _asked(workload, ("initContainers", index), container):
            largest[name] = max(largest.get(name, 0), amount)
            places.setdefault(name, place)
    return {
        name: Request(workload, name, max(running.get(name, 0), largest.get(name, 0)), place)
        for name, place in places.items()
    }


def _asked(workload: Workload, path: Path, container: Container) -> Iterator[tuple[str, int, Place]]:
    resources = container.resources
    if resources is None:
        return
    for field, wanted in (("limits", resources.limits or {}), ("requests", resources.requests or {})):
        for name, quantity in wanted.items():
            if field == "limits" and name in (resources.requests or {}):
                continue
            amount = count(quantity)
            if is_extended(name) and amount:
                yield name, amount, workload.at(*path, "resources", field, name)


def count(quantity: Quantity) -> int:
    """A number of devices. What is no plain number counts as one: its presence is what matters then."""
    text = str(quantity).strip()
    return int(text) if text.isdigit() else 1


class Offers:
    """The extended resources that the input shows.

    `nodes_tell`: the Nodes are in the input, all of them, with what they offer. `elastic`: nodes may come that offer
    more, since the machines are a cloud's. `plugins`: device plugins run whose resources are not known.
    """

    def __init__(self, cluster: Cluster) -> None:
        nodes = cluster.all(Node)
        told = [node for node in nodes if node.status.allocatable or node.status.capacity]
        self.nodes_tell = bool(told) and len(told) == len(nodes) and cluster.completeness.complete(Node)
        self.elastic = any((node.spec.provider_id or "").startswith(_CLOUDS) for node in nodes)
        configured = list(_configured(cluster))
        found = [*(offer for node in told for offer in _of_node(node)), *configured, *_of_classes(cluster)]
        self.by_name: dict[str, Offer] = {}
        for offer in found:
            self.by_name.setdefault(offer.name, offer)
        self.bare = {
            policy.spec.resource_name for policy in cluster.all(SriovNetworkNodePolicy) if policy.spec.resource_name
        }
        self.plugins = any(_is_plugin(one, bool(configured)) for one in cluster.all(DaemonSet))

    def has(self, name: str) -> bool:
        """The prefix of the SR-IOV operator's resources is a setting of the operator, so any prefix will do there."""
        return name in self.by_name or name.rpartition("/")[2] in self.bare

    def nearest(self, name: str) -> Offer | None:
        """The offer that a mistyped name was meant to be."""
        return self.by_name.get(nearest(name, self.by_name) or "")

    def missing(self, name: str) -> Severity | None:
        """How bad it is that a resource is offered nowhere; None where it is offered, or that cannot be told.

        Without Nodes, only a misspelt name of what a configuration offers is told.
        """
        if self.has(name):
            return None
        near = self.nearest(name)
        if not self.nodes_tell:
            return Severity.WARNING if near is not None and not _numbered(name, near.name) else None
        if near is not None:
            return Severity.ERROR
        if self.plugins:
            return None
        return Severity.WARNING if self.elastic else Severity.ERROR


def _numbered(one: str, other: str) -> bool:
    """Whether two names differ in their number or last letter only, as those of a series do."""
    stripped = [name.rstrip("0123456789") for name in (one, other)]
    return stripped[0] == stripped[1] or one[:-1] == other[:-1]


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that differs by a slip in either part, or by the prefix only."""
    prefix, _, suffix = name.rpartition("/")
    ranked = []
    for other in names:
        its_prefix, _, its_suffix = other.rpartition("/")
        if other == name:
            continue
        distance = edit_distance(suffix, its_suffix) + edit_distance(prefix, its_prefix)
        if suffix == its_suffix:
            distance = min(distance, SLIP)
        if distance <= SLIP:
            ranked.append((distance, other))
    return min(ranked)[1] if ranked else None


def _of_node(node: Node) -> Iterator[Offer]:
    for field, resources in (("allocatable", node.status.allocatable), ("capacity", node.status.capacity)):
        for name, quantity in (resources or {}).items():
            if is_extended(name) and count(quantity):
                place = node.at("status", field, name)
                yield Offer(name, f"Node {node.name} offers {name}", place)


def _configured(cluster: Cluster) -> Iterator[Offer]:
    for policy in cluster.all(SriovNetworkNodePolicy):
        if policy.spec.resource_name:
            name = f"{OPERATOR_PREFIX}/{policy.spec.resource_name}"
            place = policy.at("spec", "resourceName")
            yield Offer(name, f"SriovNetworkNodePolicy {policy.name} makes {name}", place)
    for config in cluster.all(ConfigMap):
        text = (config.data or {}).get("config.json", "")
        if "resourceList" not in text:
            continue
        for entry in _resource_list(text):
            own, prefix = entry.get("resourceName"), entry.get("resourcePrefix") or _SRIOV_PREFIX
            if isinstance(own, str) and isinstance(prefix, str):
                name = f"{prefix}/{own}"
                place = config.at("data", "config.json")
                yield Offer(name, f"ConfigMap {config.name} configures {name}", place)


def _resource_list(text: str) -> list[dict[str, Any]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    entries = data.get("resourceList") if isinstance(data, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _of_classes(cluster: Cluster) -> Iterator[Offer]:
    """A DeviceClass may serve requests for an extended resource (KEP-5004)."""
    for device_class in cluster.all(DeviceClass):
        spec = device_class.manifest.raw.get("spec")
        name = spec.get("extendedResourceName") if isinstance(spec, dict) else None
        if isinstance(name, str):
            place = device_class.at("spec", "extendedResourceName")
            yield Offer(name, f"DeviceClass {device_class.name} serves {name}", place)


def _is_plugin(daemon_set: DaemonSet, configured: bool) -> bool:
    """Whether it registers device plugins whose resources are not known."""
    template = daemon_set.spec.template
    spec = template.spec if template else None
    if spec is None:
        return False
    images = " ".join(container.image or "" for container in spec.containers or ())
    if configured and "sriov" in images:
        return False
    paths = (volume.host_path.path or "" for volume in spec.volumes or () if volume.host_path)
    return any(path.rstrip("/").startswith(_PLUGIN_FOLDER) for path in paths)
