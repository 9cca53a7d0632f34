"""discovery.k8s.io: EndpointSlice."""

from typing import ClassVar

from netlint.resources.base import KubernetesObject, Labels, Model
from netlint.resources.core import ObjectReference


class EndpointConditions(Model):
    ready: bool | None = None
    serving: bool | None = None
    terminating: bool | None = None


class ForZone(Model):
    """discovery/v1 ForZone and ForNode."""

    name: str | None = None


class EndpointHints(Model):
    for_zones: list[ForZone] | None = None
    for_nodes: list[ForZone] | None = None


class Endpoint(Model):
    """discovery/v1 Endpoint; `topology` is the form of v1beta1."""

    addresses: list[str] | None = None
    conditions: EndpointConditions | None = None
    hostname: str | None = None
    node_name: str | None = None
    zone: str | None = None
    hints: EndpointHints | None = None
    target_ref: ObjectReference | None = None
    topology: Labels | None = None


class EndpointSlicePort(Model):
    """discovery/v1 EndpointPort: no name is the empty name, no port is every port."""

    name: str | None = None
    port: int | None = None
    protocol: str | None = None
    app_protocol: str | None = None


class EndpointSlice(KubernetesObject):
    """discovery.k8s.io/v1 EndpointSlice."""

    GROUP: ClassVar[str] = "discovery.k8s.io"

    address_type: str | None = None
    endpoints: list[Endpoint] | None = None
    ports: list[EndpointSlicePort] | None = None


KINDS: dict[str, type[KubernetesObject]] = {"EndpointSlice": EndpointSlice}
