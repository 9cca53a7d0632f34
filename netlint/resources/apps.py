"""apps: Deployment, StatefulSet, DaemonSet, ReplicaSet. The old beta groups have the same shape."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import IntOrString, KubernetesObject, LabelSelector, Model
from netlint.resources.pod import PodTemplateSpec


class RollingUpdate(Model):
    """The rollingUpdate of a Deployment, DaemonSet or StatefulSet; each kind reads its own of these fields."""

    max_surge: IntOrString | None = None
    max_unavailable: IntOrString | None = None
    partition: int | None = None


class UpdateStrategy(Model):
    type: str | None = None
    rolling_update: RollingUpdate | None = None


class DeploymentSpec(Model):
    replicas: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None
    strategy: UpdateStrategy | None = None
    paused: bool | None = None


class Deployment(KubernetesObject):
    """apps/v1 Deployment."""

    GROUP: ClassVar[str] = "apps"

    spec: DeploymentSpec = Field(default_factory=DeploymentSpec)


class ReplicaSetSpec(Model):
    replicas: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None


class ReplicaSet(KubernetesObject):
    """apps/v1 ReplicaSet."""

    GROUP: ClassVar[str] = "apps"

    spec: ReplicaSetSpec = Field(default_factory=ReplicaSetSpec)


class StatefulSetSpec(Model):
    replicas: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None
    service_name: str | None = None
    pod_management_policy: str | None = None
    update_strategy: UpdateStrategy | None = None


class StatefulSet(KubernetesObject):
    """apps/v1 StatefulSet."""

    GROUP: ClassVar[str] = "apps"

    spec: StatefulSetSpec = Field(default_factory=StatefulSetSpec)


class DaemonSetSpec(Model):
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None
    update_strategy: UpdateStrategy | None = None


class DaemonSet(KubernetesObject):
    """apps/v1 DaemonSet."""

    GROUP: ClassVar[str] = "apps"

    spec: DaemonSetSpec = Field(default_factory=DaemonSetSpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "Deployment": Deployment,
    "ReplicaSet": ReplicaSet,
    "StatefulSet": StatefulSet,
    "DaemonSet": DaemonSet,
}
