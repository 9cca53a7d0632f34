"""metallb.io: pools and their advertisements."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, LabelSelector, Model


class ServiceAllocation(Model):
    priority: int | None = None
    namespaces: list[str] | None = None
    namespace_selectors: list[LabelSelector] | None = None
    service_selectors: list[LabelSelector] | None = None


class IPAddressPoolSpec(Model):
    """`addresses` are CIDRs or ranges `first-last`."""

    addresses: list[str] | None = None
    auto_assign: bool | None = None
    avoid_buggy_ips: bool | None = None
    service_allocation: ServiceAllocation | None = None


class IPAddressPool(KubernetesObject):
    """metallb.io IPAddressPool."""

    GROUP: ClassVar[str] = "metallb.io"

    spec: IPAddressPoolSpec = Field(default_factory=IPAddressPoolSpec)


class AdvertisementSpec(Model):
    """Of both kinds of advertisement; no pool and no selector named means every pool."""

    ip_address_pools: list[str] | None = None
    ip_address_pool_selectors: list[LabelSelector] | None = None
    node_selectors: list[LabelSelector] | None = None
    interfaces: list[str] | None = None
    peers: list[str] | None = None


class L2Advertisement(KubernetesObject):
    """metallb.io L2Advertisement."""

    GROUP: ClassVar[str] = "metallb.io"

    spec: AdvertisementSpec = Field(default_factory=AdvertisementSpec)


class BGPAdvertisement(KubernetesObject):
    """metallb.io BGPAdvertisement."""

    GROUP: ClassVar[str] = "metallb.io"

    spec: AdvertisementSpec = Field(default_factory=AdvertisementSpec)


class BGPPeerSpec(Model):
    my_asn: int | None = None
    peer_asn: int | None = None
    peer_address: str | None = None
    node_selectors: list[LabelSelector] | None = None


class BGPPeer(KubernetesObject):
    """metallb.io BGPPeer."""

    GROUP: ClassVar[str] = "metallb.io"

    spec: BGPPeerSpec = Field(default_factory=BGPPeerSpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "IPAddressPool": IPAddressPool,
    "L2Advertisement": L2Advertisement,
    "BGPAdvertisement": BGPAdvertisement,
    "BGPPeer": BGPPeer,
}
