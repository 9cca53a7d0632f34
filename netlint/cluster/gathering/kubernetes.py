"""Kubernetes' own configuration: kubeadm, kube-proxy, kubelet, the control plane's static pods, kind."""

from collections.abc import Iterator
from typing import Any

from netlint.cluster.facts import ClusterDNS
from netlint.cluster.gathering.claims import CLUSTER, PROXY, Claim, addresses_in, blocks, port_range, truth
from netlint.cluster.gathering.objects import Objects, Setting, at, embedded, flags, get, items, shown
from netlint.findings import Path, Place
from netlint.resources import Manifest

_KIND_RANGES: dict[str, dict[Any, tuple[str, ...]]] = {
    "pod_cidrs": {
        "ipv4": ("10.244.0.0/16",),
        "ipv6": ("fd00:10:244::/56",),
        "dual": ("10.244.0.0/16", "fd00:10:244::/56"),
    },
    "service_cidrs": {
        "ipv4": ("10.96.0.0/16",),
        "ipv6": ("fd00:10:96::/112",),
        "dual": ("10.96.0.0/16", "fd00:10:96::/112"),
    },
}
"""The ranges that kind takes by ipFamily (kind pkg/apis/config/v1alpha4 defaults)."""


class _Text:
    """A configuration file, alone or as a text in a ConfigMap, which then is the place of all of it."""

    def __init__(self, manifest: Manifest, data: Any, prefix: Path | None = None) -> None:
        self.manifest = manifest
        self.data = data
        self.prefix = prefix

    @property
    def shown(self) -> str:
        return shown(self.manifest)

    def place(self, *path: str | int) -> Place:
        return at(self.manifest, *(self.prefix or path))


def _texts(objects: Objects, group: str, kind: str, map_name: str, key: str) -> Iterator[_Text]:
    for manifest in objects.of(group, kind):
        yield _Text(manifest, manifest.raw)
    for manifest in objects.config_maps(map_name):
        data = embedded(get(manifest.raw, "data", key))
        if isinstance(data, dict):
            yield _Text(manifest, data, ("data", key))


def read(objects: Objects) -> Iterator[Claim]:
    yield from _kubeadm(objects)
    yield from _kind(objects)
    yield from _proxy(objects)
    yield from _kubelet(objects)
    yield from _static_pods(objects)
    yield from _service_ranges(objects)


def _kubeadm(objects: Objects) -> Iterator[Claim]:
    for text in _texts(objects, "kubeadm.k8s.io", "ClusterConfiguration", "kubeadm-config", "ClusterConfiguration"):
        data = text.data
        for fact, key in (("pod_cidrs", "podSubnet"), ("service_cidrs", "serviceSubnet")):
            found = blocks(get(data, "networking", key))
            if found:
                yield Claim(
                    fact,
                    found,
                    f"kubeadm {key}",
                    f"{text.shown}: networking.{key} {', '.join(found)}",
                    text.place("networking", key),
                    rank=CLUSTER,
                    alone=True,
                )
        version = get(data, "kubernetesVersion")
        if isinstance(version, str) and version[1:2].isdigit():
            yield Claim(
                "kubernetes_version",
                version.removeprefix("v"),
                "kubeadm kubernetesVersion",
                f"{text.shown}: kubernetesVersion {version}",
                text.place("kubernetesVersion"),
                rank=CLUSTER,
                alone=True,
            )
        yield Claim("distribution", "kubeadm", "kubeadm", f"{text.shown} is kubeadm's", text.place("kind"), rank=PROXY)
        for component, key in (("kube-apiserver", "apiServer"), ("kube-controller-manager", "controllerManager")):
            arguments = {
                name: Setting(value, text.place(key, "extraArgs", *path))
                for name, value, path in _extra_arguments(get(data, key, "extraArgs"))
            }
            yield from _component(component, arguments, f"{text.shown}: {key}.extraArgs")


def _extra_arguments(arguments: Any) -> Iterator[tuple[str, Any, Path]]:
    """A map up to v1beta3, a list of name and value from v1beta4."""
    if isinstance(arguments, dict):
        for name, value in arguments.items():
            yield str(name), value, (str(name),)
    for index, entry in enumerate(arguments if isinstance(arguments, list) else ()):
        name = get(entry, "name")
        if isinstance(name, str):
            yield name, get(entry, "value"), (index, "value")


def _component(component: str, arguments: dict[str, Setting], where: str) -> Iterator[Claim]:
    """The flags of the API server and the controller manager that say something of the network."""
    ranges = arguments.get("service-cluster-ip-range")
    if ranges and (found := blocks(ranges.value)):
        source = f"{component} --service-cluster-ip-range"
        yield Claim(
            "service_cidrs",
            found,
            source,
            f"{where} --service-cluster-ip-range={','.join(found)}",
            ranges.place,
            rank=CLUSTER,
        )
    if component == "kube-apiserver":
        ports = arguments.get("service-node-port-range")
        if ports and (span := port_range(ports.value)):
            text = f"{where} --service-node-port-range={span[0]}-{span[1]}"
            source = "kube-apiserver --service-node-port-range"
            yield Claim("node_port_range", span, source, text, ports.place, rank=CLUSTER)
    else:
        cidr = arguments.get("cluster-cidr")
        if cidr and (found := blocks(cidr.value)):
            text = f"{where} --cluster-cidr={','.join(found)}"
            source = "kube-controller-manager --cluster-cidr"
            yield Claim("pod_cidrs", found, source, text, cidr.place, rank=CLUSTER)


def _static_pods(objects: Objects) -> Iterator[Claim]:
    for component in ("kube-apiserver", "kube-controller-manager"):
        for manifest, path, container in objects.system_pods(component):
            yield from _component(component, flags(manifest, path, container), shown(manifest))
    for manifest, path, container in objects.system_pods("kube-proxy"):
        given = flags(manifest, path, container)
        mode = given.get("proxy-mode")
        if mode and mode.value:
            yield Claim(
                "proxy_mode",
                mode.value,
                "kube-proxy --proxy-mode",
                f"{shown(manifest)} --proxy-mode={mode.value}",
                mode.place,
            )
        cidr = given.get("cluster-cidr")
        if cidr and (found := blocks(cidr.value)):
            text = f"{shown(manifest)} --cluster-cidr={','.join(found)}"
            yield Claim("pod_cidrs", found, "kube-proxy clusterCIDR", text, cidr.place, rank=PROXY)


def _proxy(objects: Objects) -> Iterator[Claim]:
    for text in _texts(objects, "kubeproxy.config.k8s.io", "KubeProxyConfiguration", "kube-proxy", "config.conf"):
        mode = get(text.data, "mode")
        if isinstance(mode, str) and mode:
            words = f"{text.shown}: mode {mode}"
            yield Claim("proxy_mode", mode, "kube-proxy mode", words, text.place("mode"), alone=True)
        elif isinstance(mode, str) or mode is None:
            words = f"{text.shown} sets no mode; iptables is the default on Linux"
            yield Claim("proxy_mode", "iptables", "kube-proxy default", words, text.place("mode"), "default")
        found = blocks(get(text.data, "clusterCIDR"))
        if found:
            words = f"{text.shown}: clusterCIDR {', '.join(found)}"
            yield Claim(
                "pod_cidrs", found, "kube-proxy clusterCIDR", words, text.place("clusterCIDR"), rank=PROXY, alone=True
            )


def _kubelet(objects: Objects) -> Iterator[Claim]:
    maps = [m for m in objects.of("", "ConfigMap") if (m.name or "").startswith("kubelet-config")]
    texts = [_Text(m, m.raw) for m in objects.of("kubelet.config.k8s.io", "KubeletConfiguration")]
    texts += [
        _Text(m, data, ("data", "kubelet"))
        for m in maps
        if m.namespace == "kube-system" and isinstance(data := embedded(get(m.raw, "data", "kubelet")), dict)
    ]
    for text in texts:
        addresses = addresses_in(items(text.data, "clusterDNS"))
        if addresses:
            words = f"{text.shown}: clusterDNS {', '.join(addresses)}"
            yield Claim(
                "cluster_dns", ClusterDNS(None, addresses), "kubelet clusterDNS", words, text.place("clusterDNS")
            )


def _kind(objects: Objects) -> Iterator[Claim]:
    for manifest in objects.of("kind.x-k8s.io", "Cluster"):
        networking = get(manifest.raw, "networking")
        name = shown(manifest)
        yield Claim(
            "distribution", "kind", "kind", f"{name} is a configuration of kind", at(manifest, "kind"), rank=CLUSTER
        )
        for fact, key in (("pod_cidrs", "podSubnet"), ("service_cidrs", "serviceSubnet")):
            found = blocks(get(networking, key))
            if found:
                text = f"{name}: networking.{key} {', '.join(found)}"
                yield Claim(fact, found, f"kind {key}", text, at(manifest, "networking", key), rank=CLUSTER, alone=True)
            elif defaults := _KIND_RANGES[fact].get(get(networking, "ipFamily") or "ipv4"):
                text = f"{name} names no {key}; kind's default is {', '.join(defaults)}"
                yield Claim(fact, defaults, f"kind default {key}", text, at(manifest, "networking"), "default")
        mode = get(networking, "kubeProxyMode")
        if isinstance(mode, str) and mode:
            text = f"{name}: networking.kubeProxyMode {mode}"
            yield Claim("proxy_mode", mode, "kind kubeProxyMode", text, at(manifest, "networking", "kubeProxyMode"))
        if truth(get(networking, "disableDefaultCNI")):
            text = f"{name} installs no network plugin (disableDefaultCNI)"
            yield Claim("no_default_cni", True, "kind", text, at(manifest, "networking", "disableDefaultCNI"))


def _service_ranges(objects: Objects) -> Iterator[Claim]:
    for manifest in objects.of("networking.k8s.io", "ServiceCIDR"):
        found = blocks(get(manifest.raw, "spec", "cidrs"))
        if found:
            text = f"{shown(manifest)}: {', '.join(found)}"
            yield Claim(
                "service_cidrs", found, "ServiceCIDR", text, at(manifest, "spec", "cidrs"), rank=CLUSTER, many=True
            )
