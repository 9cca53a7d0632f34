"""The settings of the other network plugins: Antrea, Weave, kube-router, kindnet, AWS, OVN-Kubernetes, Kube-OVN."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from netlint.cluster.facts import MtuKey
from netlint.cluster.gathering.claims import CLUSTER, Claim, block, blocks, number
from netlint.cluster.gathering.objects import Objects, at, containers, embedded, environment, flags, get, items, shown
from netlint.resources import Manifest

_OPENSHIFT_PLUGINS = {"OVNKubernetes": "ovn-kubernetes", "OpenShiftSDN": "openshift-sdn"}


def read(objects: Objects, agents: Mapping[str, Sequence[Manifest]]) -> Iterator[Claim | MtuKey]:
    for manifest in antrea_configuration(objects):
        yield from _antrea(manifest)
    for agent in agents.get("weave", ()):
        yield from _weave(agent)
    for agent in agents.get("kube-router", ()):
        yield from _kube_router(agent)
    for agent in agents.get("kindnet", ()):
        setting = environment(agent).get("POD_SUBNET")
        if setting and (found := blocks(setting.value)):
            text = f"{shown(agent)}: POD_SUBNET {', '.join(found)}"
            yield Claim("pod_cidrs", found, "kindnet POD_SUBNET", text, setting.place)
        yield Claim("encapsulation", "none", "kindnet", f"{shown(agent)} routes without a tunnel", at(agent, "spec"))
    for agent in agents.get("aws-vpc-cni", ()):
        yield from _aws(agent)
    yield from _openshift(objects)
    yield from _ovn(objects)
    for agent in agents.get("kube-ovn", ()):
        for path, container in containers(agent):
            mtu = flags(agent, path, container).get("mtu")
            if mtu and (size := number(mtu.value)):
                yield MtuKey("kube-ovn", "--mtu", size, "pod", mtu.place)
    for manifest in objects.of("kubeovn.io", "Subnet"):
        cidr = get(manifest.raw, "spec", "cidrBlock")
        if manifest.name == "ovn-default" and (found := blocks(cidr)):
            text = f"{shown(manifest)}: {', '.join(found)}"
            yield Claim("pod_cidrs", found, "Kube-OVN Subnet", text, at(manifest, "spec", "cidrBlock"))


def antrea_configuration(objects: Objects) -> list[Manifest]:
    """antrea-config; kustomize puts a hash behind the name."""
    return [
        m
        for m in objects.of("", "ConfigMap")
        if (m.name or "").startswith("antrea-config") and m.namespace in ("kube-system", None)
    ]


def _antrea(manifest: Manifest) -> Iterator[Claim | MtuKey]:
    data = embedded(get(manifest.raw, "data", "antrea-agent.conf"))
    if not isinstance(data, dict):
        return
    place = at(manifest, "data", "antrea-agent.conf")
    mode, tunnel = data.get("trafficEncapMode") or "encap", data.get("tunnelType") or "geneve"
    encapsulation = tunnel if mode in ("encap", "hybrid") else "none"
    text = f"{shown(manifest)}: trafficEncapMode {mode}, tunnelType {tunnel}"
    origin: Any = "object" if "trafficEncapMode" in data or "tunnelType" in data else "default"
    yield Claim("encapsulation", encapsulation, "Antrea", text, place, origin)
    cipher = str(data.get("trafficEncryptionMode") or "none").lower()
    if cipher in ("ipsec", "wireguard"):
        yield Claim("encryption", cipher, "Antrea", f"{shown(manifest)}: trafficEncryptionMode {cipher}", place)
    size = number(data.get("defaultMTU"))
    if size is not None:
        yield MtuKey("antrea", "defaultMTU", size or None, "pod", place, encapsulation)


def _weave(agent: Manifest) -> Iterator[Claim | MtuKey]:
    variables = environment(agent)
    chosen = variables.get("IPALLOC_RANGE")
    if chosen and isinstance(chosen.value, str) and (found := block(chosen.value)):
        text = f"{shown(agent)}: IPALLOC_RANGE {found}"
        yield Claim("pod_cidrs", (found,), "Weave IPALLOC_RANGE", text, chosen.place)
    else:
        text = f"{shown(agent)} sets no IPALLOC_RANGE; Weave's default is 10.32.0.0/12"
        yield Claim("pod_cidrs", ("10.32.0.0/12",), "Weave default", text, at(agent, "spec"), "default")
    mtu = variables.get("WEAVE_MTU")
    if mtu and (size := number(mtu.value)):
        yield MtuKey("weave", "WEAVE_MTU", size, "pod", mtu.place)


def _kube_router(agent: Manifest) -> Iterator[Claim]:
    for path, container in containers(agent):
        given = flags(agent, path, container)
        overlay, kind = given.get("enable-overlay"), given.get("overlay-encap")
        if overlay and overlay.value == "false":
            text = f"{shown(agent)} --enable-overlay=false"
            yield Claim("encapsulation", "none", "kube-router", text, overlay.place)
        elif kind and kind.value in ("ipip", "fou"):
            text = f"{shown(agent)} --overlay-encap={kind.value}"
            yield Claim("encapsulation", kind.value, "kube-router", text, kind.place)
        elif container.get("name") == "kube-router" and path[-2] == "containers":
            text = f"{shown(agent)} keeps kube-router's overlay, which is IP-in-IP by default"
            yield Claim("encapsulation", "ipip", "kube-router", text, at(agent, *path), "default")


def _aws(agent: Manifest) -> Iterator[Claim | MtuKey]:
    text = f"{shown(agent)} gives pods addresses of the VPC, without a tunnel"
    yield Claim("encapsulation", "none", "AWS VPC CNI", text, at(agent, "spec"))
    variables = environment(agent)
    for name in ("POD_MTU", "AWS_VPC_ENI_MTU"):
        setting = variables.get(name)
        if setting and (size := number(setting.value)):
            yield MtuKey("aws-vpc-cni", name, size, "pod", setting.place, "none")
            break


def _openshift(objects: Objects) -> Iterator[Claim | MtuKey]:
    for group in ("operator.openshift.io", "config.openshift.io"):
        for manifest in objects.of(group, "Network"):
            name = shown(manifest)
            yield Claim("distribution", "openshift", "Network", f"{name} is OpenShift's", at(manifest, "kind"), rank=3)
            for index, entry in enumerate(items(manifest.raw, "spec", "clusterNetwork")):
                cidr = get(entry, "cidr")
                if isinstance(cidr, str) and (found := block(cidr)):
                    place = at(manifest, "spec", "clusterNetwork", index, "cidr")
                    text = f"{name}: clusterNetwork {found}"
                    yield Claim("pod_cidrs", (found,), "Network", text, place, rank=CLUSTER, many=True)
            if ranges := blocks(get(manifest.raw, "spec", "serviceNetwork")):
                place = at(manifest, "spec", "serviceNetwork")
                text = f"{name}: serviceNetwork {', '.join(ranges)}"
                yield Claim("service_cidrs", ranges, "Network", text, place, rank=CLUSTER, many=True)
            yield from _openshift_plugin(manifest, group)


def _openshift_plugin(manifest: Manifest, group: str) -> Iterator[Claim | MtuKey]:
    path: tuple[str, ...] = ("spec", "networkType")
    if group == "operator.openshift.io":
        path = ("spec", "defaultNetwork", "type")
    plugin = _OPENSHIFT_PLUGINS.get(get(manifest.raw, *path))
    if plugin is None:
        return
    text = f"{shown(manifest)}: {path[-1]} {get(manifest.raw, *path)}"
    yield Claim("network_operator", plugin, "Network", text, at(manifest, *path), rank=CLUSTER)
    default = ("spec", "defaultNetwork")
    if plugin == "ovn-kubernetes":
        routed = get(manifest.raw, *default, "ovnKubernetesConfig", "transport") == "NoOverlay"
        encapsulation = "none" if routed else "geneve"
        text = f"OVN-Kubernetes uses {'no tunnel' if routed else 'Geneve'} here"
        yield Claim("encapsulation", encapsulation, "Network", text, at(manifest, *path))
        if get(manifest.raw, *default, "ovnKubernetesConfig", "ipsecConfig", "mode") == "Full":
            place = at(manifest, *default, "ovnKubernetesConfig", "ipsecConfig", "mode")
            yield Claim("encryption", "ipsec", "Network", f"{shown(manifest)}: ipsecConfig.mode Full", place)
    key = "ovnKubernetesConfig" if plugin == "ovn-kubernetes" else "openshiftSDNConfig"
    if size := number(get(manifest.raw, *default, key, "mtu")):
        yield MtuKey(plugin, f"{key}.mtu", size, "pod", at(manifest, *default, key, "mtu"))


def _ovn(objects: Objects) -> Iterator[Claim | MtuKey]:
    """ovn-config of the upstream project; a pod range there has the size of the nodes' slices behind it."""
    for manifest in objects.config_maps("ovn-config", ("ovn-kubernetes",)):
        data, name = get(manifest.raw, "data"), shown(manifest)
        texts = str(get(data, "net_cidr") or "").split(",")
        cidrs = tuple(found for text in texts if (found := block("/".join(text.split("/")[:2]))))
        if cidrs:
            place = at(manifest, "data", "net_cidr")
            yield Claim("pod_cidrs", cidrs, "ovn-config", f"{name}: net_cidr {', '.join(cidrs)}", place)
        if ranges := blocks(get(data, "svc_cidr")):
            place = at(manifest, "data", "svc_cidr")
            yield Claim("service_cidrs", ranges, "ovn-config", f"{name}: svc_cidr {', '.join(ranges)}", place)
        if size := number(get(data, "mtu")):
            yield MtuKey("ovn-kubernetes", "mtu", size, "pod", at(manifest, "data", "mtu"), "geneve")
