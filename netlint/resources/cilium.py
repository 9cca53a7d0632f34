"""cilium.io: policies as plain data, load-balancer pools, nodes."""

from typing import Any, ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, LabelSelector, Model


class CiliumNetworkPolicy(KubernetesObject):
    """cilium.io CiliumNetworkPolicy: one rule under `spec` or several under `specs`, as plain data."""

    GROUP: ClassVar[str] = "cilium.io"

    spec: Any = None
    specs: Any = None


class CiliumClusterwideNetworkPolicy(KubernetesObject):
    """cilium.io CiliumClusterwideNetworkPolicy, as plain data."""

    GROUP: ClassVar[str] = "cilium.io"
    NAMESPACED: ClassVar[bool] = False

    spec: Any = None
    specs: Any = None


class LoadBalancerIPBlock(Model):
    cidr: str | None = None
    start: str | None = None
    stop: str | None = None


class LoadBalancerIPPoolSpec(Model):
    """`cidrs` is the name of `blocks` in old versions."""

    blocks: list[LoadBalancerIPBlock] | None = None
    cidrs: list[LoadBalancerIPBlock] | None = None
    service_selector: LabelSelector | None = None
    disabled: bool | None = None


class CiliumLoadBalancerIPPool(KubernetesObject):
    """cilium.io CiliumLoadBalancerIPPool."""

    GROUP: ClassVar[str] = "cilium.io"
    NAMESPACED: ClassVar[bool] = False

    spec: LoadBalancerIPPoolSpec = Field(default_factory=LoadBalancerIPPoolSpec)


class CiliumNodeIPAM(Model):
    pod_cidrs: list[str] | None = None


class CiliumNodeSpec(Model):
    ipam: CiliumNodeIPAM | None = None


class CiliumNode(KubernetesObject):
    """cilium.io CiliumNode: with IPAM mode cluster-pool, the pods' ranges stand here and not in the Node."""

    GROUP: ClassVar[str] = "cilium.io"
    NAMESPACED: ClassVar[bool] = False

    spec: CiliumNodeSpec = Field(default_factory=CiliumNodeSpec)


class CiliumPodIPv4(Model):
    cidrs: list[str] | None = None
    mask_size: int | None = None


class CiliumPodIPPoolSpec(Model):
    ipv4: CiliumPodIPv4 | None = None
    ipv6: CiliumPodIPv4 | None = None


class CiliumPodIPPool(KubernetesObject):
    """cilium.io CiliumPodIPPool, for IPAM mode multi-pool."""

    GROUP: ClassVar[str] = "cilium.io"
    NAMESPACED: ClassVar[bool] = False

    spec: CiliumPodIPPoolSpec = Field(default_factory=CiliumPodIPPoolSpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "CiliumNetworkPolicy": CiliumNetworkPolicy,
    "CiliumClusterwideNetworkPolicy": CiliumClusterwideNetworkPolicy,
    "CiliumLoadBalancerIPPool": CiliumLoadBalancerIPPool,
    "CiliumNode": CiliumNode,
    "CiliumPodIPPool": CiliumPodIPPool,
}
