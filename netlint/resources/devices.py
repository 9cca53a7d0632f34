"""resource.k8s.io and topology.node.k8s.io: device claims, and the NUMA zones of nodes."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, Model, Quantity


class ExactDeviceRequest(Model):
    device_class_name: str | None = None
    allocation_mode: str | None = None
    count: int | None = None


class DeviceRequest(ExactDeviceRequest):
    """A request of v1beta1 has the fields of `exactly` itself; `first_available` lists alternatives."""

    name: str | None = None
    exactly: ExactDeviceRequest | None = None
    first_available: list[ExactDeviceRequest] | None = None


class DeviceClaim(Model):
    requests: list[DeviceRequest] | None = None


class ResourceClaimSpec(Model):
    devices: DeviceClaim | None = None
    resource_class_name: str | None = None


class ResourceClaim(KubernetesObject):
    """resource.k8s.io ResourceClaim."""

    GROUP: ClassVar[str] = "resource.k8s.io"

    spec: ResourceClaimSpec = Field(default_factory=ResourceClaimSpec)


class ResourceClaimTemplateSpec(Model):
    spec: ResourceClaimSpec | None = None


class ResourceClaimTemplate(KubernetesObject):
    """resource.k8s.io ResourceClaimTemplate."""

    GROUP: ClassVar[str] = "resource.k8s.io"

    spec: ResourceClaimTemplateSpec = Field(default_factory=ResourceClaimTemplateSpec)


class DeviceClass(KubernetesObject):
    """resource.k8s.io DeviceClass."""

    GROUP: ClassVar[str] = "resource.k8s.io"
    NAMESPACED: ClassVar[bool] = False


class ZoneResource(Model):
    name: str | None = None
    capacity: Quantity | None = None
    allocatable: Quantity | None = None
    available: Quantity | None = None


class Zone(Model):
    name: str | None = None
    type: str | None = None
    parent: str | None = None
    resources: list[ZoneResource] | None = None


class TopologyAttribute(Model):
    name: str | None = None
    value: str | None = None


class NodeResourceTopology(KubernetesObject):
    """topology.node.k8s.io NodeResourceTopology of the node of its name; `topology_policies` is the old form."""

    GROUP: ClassVar[str] = "topology.node.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    zones: list[Zone] | None = None
    attributes: list[TopologyAttribute] | None = None
    topology_policies: list[str] | None = None


KINDS: dict[str, type[KubernetesObject]] = {
    "ResourceClaim": ResourceClaim,
    "ResourceClaimTemplate": ResourceClaimTemplate,
    "DeviceClass": DeviceClass,
    "NodeResourceTopology": NodeResourceTopology,
}
