"""kubevirt.io: virtual machines as workloads. Their pods carry the template's labels."""

from typing import Any, ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, Labels, Model, ObjectMeta
from netlint.resources.pod import Affinity, Container, PodSpec, ResourceRequirements, Toleration
from netlint.resources.templates import PodTemplateView


class InterfacePort(Model):
    name: str | None = None
    port: int | None = None
    protocol: str | None = None


class Interface(Model):
    """`sriov` is an empty mapping where the interface is a virtual function."""

    name: str | None = None
    ports: list[InterfacePort] | None = None
    sriov: Any = None


class Devices(Model):
    interfaces: list[Interface] | None = None


class Domain(Model):
    devices: Devices | None = None
    resources: ResourceRequirements | None = None


class MultusNetwork(Model):
    network_name: str | None = None
    default: bool | None = None


class VirtualMachineNetwork(Model):
    name: str | None = None
    multus: MultusNetwork | None = None


class VirtualMachineInstanceSpec(Model):
    domain: Domain | None = None
    networks: list[VirtualMachineNetwork] | None = None
    node_selector: Labels | None = None
    affinity: Affinity | None = None
    tolerations: list[Toleration] | None = None
    hostname: str | None = None
    subdomain: str | None = None
    dns_policy: str | None = None

    def as_pod(self) -> PodSpec:
        """The spec of the launcher pod, as far as it is known: one container with the ports of the interfaces."""
        devices = self.domain.devices if self.domain is not None else None
        ports = [
            {"name": port.name, "containerPort": port.port, "protocol": port.protocol}
            for interface in (devices.interfaces or () if devices is not None else ())
            for port in interface.ports or ()
        ]
        return PodSpec.model_construct(
            containers=[Container.model_validate({"name": "compute", "ports": ports})],
            node_selector=self.node_selector,
            affinity=self.affinity,
            tolerations=self.tolerations,
            hostname=self.hostname,
            subdomain=self.subdomain,
            dns_policy=self.dns_policy,
        )


class VirtualMachineTemplate(Model):
    metadata: ObjectMeta | None = None
    spec: VirtualMachineInstanceSpec | None = None


class VirtualMachineSpec(Model):
    running: bool | None = None
    run_strategy: str | None = None
    template: VirtualMachineTemplate | None = None


class VirtualMachine(KubernetesObject):
    """kubevirt.io VirtualMachine."""

    GROUP: ClassVar[str] = "kubevirt.io"

    spec: VirtualMachineSpec = Field(default_factory=VirtualMachineSpec)

    @property
    def pod_template(self) -> PodTemplateView | None:
        template = self.spec.template
        if template is None or template.spec is None:
            return None
        return PodTemplateView(("spec", "template"), template.metadata or ObjectMeta(), template.spec.as_pod())


class VirtualMachineInstance(KubernetesObject):
    """kubevirt.io VirtualMachineInstance."""

    GROUP: ClassVar[str] = "kubevirt.io"

    spec: VirtualMachineInstanceSpec = Field(default_factory=VirtualMachineInstanceSpec)

    @property
    def pod_template(self) -> PodTemplateView | None:
        return PodTemplateView((), self.metadata, self.spec.as_pod())


KINDS: dict[str, type[KubernetesObject]] = {
    "VirtualMachine": VirtualMachine,
    "VirtualMachineInstance": VirtualMachineInstance,
}
