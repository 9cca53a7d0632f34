"""The cluster's DNS and load balancers, by the objects that everybody names alike."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from netlint.cluster.facts import ClusterDNS
from netlint.cluster.gathering.claims import CLUSTER, Claim, addresses_in
from netlint.cluster.gathering.objects import Objects, at, containers, get, image_parts, items, shown

_DNS_SERVICES = {
    ("kube-system", "kube-dns"),
    ("kube-system", "coredns"),
    ("kube-system", "rke2-coredns-rke2-coredns"),
    ("openshift-dns", "dns-default"),
}
_PROVIDER_KINDS = {
    ("metallb.io", "IPAddressPool"): "metallb",
    ("metallb.io", "L2Advertisement"): "metallb",
    ("metallb.io", "BGPAdvertisement"): "metallb",
    ("cilium.io", "CiliumLoadBalancerIPPool"): "cilium",
}
_PROVIDER_AGENTS = (
    ("metallb", "speaker", "metallb/speaker"),
    ("metallb", "metallb-speaker", "metallb/speaker"),
    ("kube-vip", "kube-vip*", "kube-vip/kube-vip"),
    ("servicelb", "svclb-*", "klipper-lb"),
    ("purelb", "lbnodeagent", "purelb/lbnodeagent"),
)


def read(objects: Objects) -> Iterator[Claim]:
    for service in objects.of("", "Service"):
        if (service.namespace, service.name) not in _DNS_SERVICES:
            continue
        address = get(service.raw, "spec", "clusterIP")
        addresses = [a for a in items(service.raw, "spec", "clusterIPs") if isinstance(a, str)]
        if not addresses and isinstance(address, str) and address not in ("", "None"):
            addresses = [address]
        value = ClusterDNS(f"{service.namespace}/{service.name}", addresses_in(addresses))
        yield Claim("cluster_dns", value, "DNS Service", shown(service), at(service, "spec", "clusterIP"))
    for (group, kind), provider in _PROVIDER_KINDS.items():
        for manifest in objects.of(group, kind):
            text = f"{shown(manifest)} is an object of {provider}"
            yield Claim("load_balancer_provider", provider, kind, text, at(manifest), rank=CLUSTER)
    for manifest in [*objects.daemon_sets(), *objects.of("", "Pod")]:
        for path, container in containers(manifest):
            image, _ = image_parts(container.get("image"))
            for provider, name, fragment in _PROVIDER_AGENTS:
                if fragment in image and fnmatchcase(manifest.name or "", name):
                    text = f"{shown(manifest)} runs {image}"
                    yield Claim(
                        "load_balancer_provider", provider, "agent", text, at(manifest, *path, "image"), rank=CLUSTER
                    )
