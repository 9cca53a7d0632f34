"""What Nodes show: distribution, version, cloud, the slices of the pod range, k3s' and RKE2's options."""

import json
from collections.abc import Iterator
from typing import Any

from netlint.cluster.facts import ClusterDNS
from netlint.cluster.gathering.claims import CLUSTER, PLUGIN, Claim, addresses_in, blocks, port_range
from netlint.cluster.gathering.objects import Objects, at, get, items, options, shown
from netlint.findings import Place
from netlint.knowledge import distributions
from netlint.knowledge.address_roles import DOCKER_BRIDGE
from netlint.knowledge.encapsulation import NODE_MTU_BY_PROVIDER

ARGUMENTS = ("k3s.io/node-args", "rke2.io/node-args")
"""Node annotations that hold the command line of k3s and of RKE2 as a JSON list."""


def read(objects: Objects) -> Iterator[Claim]:
    for node in objects.of("", "Node"):
        name = shown(node)
        yield from _version(node, name)
        yield from _marks(node, name)
        provider = get(node.raw, "spec", "providerID")
        cloud = provider.partition("://")[0] if isinstance(provider, str) else ""
        place = at(node, "spec", "providerID")
        if cloud in NODE_MTU_BY_PROVIDER:
            text = f"{name} runs on {cloud}, where machines have an MTU of {NODE_MTU_BY_PROVIDER[cloud]} by default"
            yield Claim("node_mtu", NODE_MTU_BY_PROVIDER[cloud], "cloud default", text, place, "default")
        if cloud in distributions.CLOUD_LOAD_BALANCERS:
            text = f"{name} runs on {cloud}"
            value = distributions.CLOUD_LOAD_BALANCERS[cloud]
            yield Claim("load_balancer_provider", value, "cloud", text, place, "default")
        slices = blocks([*items(node.raw, "spec", "podCIDRs"), get(node.raw, "spec", "podCIDR")])
        if slices:
            text = f"{name} has the slice {', '.join(dict.fromkeys(slices))}"
            yield Claim("node_slices", slices, "Node podCIDR", text, at(node, "spec", "podCIDR"), many=True)
        runtime = get(node.raw, "status", "nodeInfo", "containerRuntimeVersion")
        if isinstance(runtime, str) and runtime.startswith("docker://"):
            place = at(node, "status", "nodeInfo", "containerRuntimeVersion")
            text = f"{name} runs {runtime}, whose bridge is {DOCKER_BRIDGE} by default"
            yield Claim("docker_bridge_cidr", DOCKER_BRIDGE, "Docker default", text, place, "default")
        for annotation in ARGUMENTS:
            yield from _arguments(node, annotation)


def _version(node: Any, name: str) -> Iterator[Claim]:
    version = get(node.raw, "status", "nodeInfo", "kubeletVersion")
    if not isinstance(version, str) or not version[1:2].isdigit():
        return
    place = at(node, "status", "nodeInfo", "kubeletVersion")
    plain = version.removeprefix("v").partition("+")[0].partition("-")[0]
    yield Claim("kubernetes_version", plain, "kubelet version", f"{name} runs kubelet {version}", place, rank=PLUGIN)
    for mark, distribution in distributions.KUBELET_VERSION_MARKS:
        if mark in version:
            text = f"{name} runs kubelet {version}"
            yield Claim("distribution", distribution, "kubelet version", text, place, rank=CLUSTER)


def _marks(node: Any, name: str) -> Iterator[Claim]:
    provider = get(node.raw, "spec", "providerID")
    for mark, distribution in distributions.PROVIDER_ID_MARKS:
        if isinstance(provider, str) and provider.startswith(mark):
            text = f"{name} has the providerID {provider}"
            yield Claim("distribution", distribution, "providerID", text, at(node, "spec", "providerID"), rank=CLUSTER)
    labels = get(node.raw, "metadata", "labels")
    for label, distribution in distributions.NODE_LABEL_MARKS:
        if isinstance(labels, dict) and label in labels:
            place = at(node, "metadata", "labels", label)
            text = f"{name} has the label {label}"
            yield Claim("distribution", distribution, "node label", text, place, rank=CLUSTER)
    image = get(node.raw, "status", "nodeInfo", "osImage")
    if isinstance(image, str) and image.startswith("Talos"):
        place = at(node, "status", "nodeInfo", "osImage")
        yield Claim("distribution", "talos", "osImage", f"{name} runs {image}", place, rank=CLUSTER)


def _arguments(node: Any, annotation: str) -> Iterator[Claim]:
    text = get(node.raw, "metadata", "annotations", annotation)
    try:
        words = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return
    if isinstance(words, list) and words[:1] == ["server"]:
        place = at(node, "metadata", "annotations", annotation)
        yield from server_options(options(words), lambda key: place, f"{shown(node)}: {annotation}")


def server_options(given: dict[str, Any], place: Any, where: str) -> Iterator[Claim]:
    """The options of a k3s or RKE2 server, by name without dashes. `place(name)` is where one stands."""

    def claim(fact: str, value: Any, key: str) -> Claim:
        spot: Place | None = place(key)
        return Claim(fact, value, f"server option {key}", f"{where}: {key} {given[key]}", spot, rank=CLUSTER)

    for fact, key in (("pod_cidrs", "cluster-cidr"), ("service_cidrs", "service-cidr")):
        if found := blocks(given.get(key)):
            yield claim(fact, found, key)
    asked = given.get("cluster-dns")
    if addresses := addresses_in(asked if isinstance(asked, list) else str(asked or "").split(",")):
        yield claim("cluster_dns", ClusterDNS(None, addresses), "cluster-dns")
    if span := port_range(given.get("service-node-port-range")):
        yield claim("node_port_range", span, "service-node-port-range")
    if (backend := given.get("flannel-backend")) is not None:
        yield claim("flannel_backend", str(backend), "flannel-backend")
    if (plugin := given.get("cni")) is not None:
        names = plugin if isinstance(plugin, list) else str(plugin).split(",")
        yield claim("server_cni", tuple(str(name).strip() for name in names), "cni")
    off = given.get("disable-network-policy")
    if off is not None:
        yield claim("controller_off", str(off).lower() == "true", "disable-network-policy")
    off = given.get("disable")
    if off is not None:
        names = off if isinstance(off, list) else str(off).split(",")
        yield claim("disabled", tuple(str(name).strip() for name in names), "disable")
