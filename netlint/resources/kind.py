"""kind.x-k8s.io: the configuration file of kind."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, Labels, Model


class KindNetworking(Model):
    ip_family: str | None = None
    pod_subnet: str | None = None
    service_subnet: str | None = None
    disable_default_cni: bool | None = None
    kube_proxy_mode: str | None = None


class KindNode(Model):
    role: str | None = None
    image: str | None = None
    labels: Labels | None = None
    kubeadm_config_patches: list[str] | None = None


class KindCluster(KubernetesObject):
    """kind.x-k8s.io Cluster; its name stands at the top, not under metadata."""

    GROUP: ClassVar[str] = "kind.x-k8s.io"
    NAMESPACED: ClassVar[bool] = False

    cluster_name: str | None = Field(default=None, alias="name")
    networking: KindNetworking | None = None
    nodes: list[KindNode] | None = None
    kubeadm_config_patches: list[str] | None = None


KINDS: dict[str, type[KubernetesObject]] = {"Cluster": KindCluster}
