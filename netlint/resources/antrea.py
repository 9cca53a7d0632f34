"""crd.antrea.io: policies as plain data."""

from typing import Any, ClassVar

from netlint.resources.base import KubernetesObject


class AntreaNetworkPolicy(KubernetesObject):
    """crd.antrea.io NetworkPolicy, its spec as plain data."""

    GROUP: ClassVar[str] = "crd.antrea.io"

    spec: Any = None


class AntreaClusterNetworkPolicy(KubernetesObject):
    """crd.antrea.io ClusterNetworkPolicy, its spec as plain data."""

    GROUP: ClassVar[str] = "crd.antrea.io"
    NAMESPACED: ClassVar[bool] = False

    spec: Any = None


class AntreaTier(KubernetesObject):
    """crd.antrea.io Tier, its spec as plain data."""

    GROUP: ClassVar[str] = "crd.antrea.io"
    NAMESPACED: ClassVar[bool] = False

    spec: Any = None


KINDS: dict[str, type[KubernetesObject]] = {
    "NetworkPolicy": AntreaNetworkPolicy,
    "ClusterNetworkPolicy": AntreaClusterNetworkPolicy,
    "Tier": AntreaTier,
}
