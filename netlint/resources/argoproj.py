"""argoproj.io: Rollout."""

from typing import Any, ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, LabelSelector, Model
from netlint.resources.pod import PodTemplateSpec


class WorkloadRef(Model):
    api_version: str | None = None
    kind: str | None = None
    name: str | None = None


class CanaryStrategy(Model):
    canary_service: str | None = None
    stable_service: str | None = None
    max_surge: int | str | None = None
    max_unavailable: int | str | None = None


class BlueGreenStrategy(Model):
    active_service: str | None = None
    preview_service: str | None = None


class RolloutStrategy(Model):
    canary: CanaryStrategy | None = None
    blue_green: BlueGreenStrategy | None = None


class RolloutSpec(Model):
    """`workload_ref` names a Deployment that holds the pod template in the Rollout's stead."""

    replicas: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None
    workload_ref: WorkloadRef | None = None
    strategy: RolloutStrategy | None = None


class Rollout(KubernetesObject):
    """argoproj.io/v1alpha1 Rollout. It adds the label rollouts-pod-template-hash to Services' selectors at run time."""

    GROUP: ClassVar[str] = "argoproj.io"

    spec: RolloutSpec = Field(default_factory=RolloutSpec)


class ApplicationDestination(Model):
    namespace: str | None = None
    server: str | None = None
    name: str | None = None


class ApplicationSpec(Model):
    destination: ApplicationDestination | None = None
    source: Any = None


class Application(KubernetesObject):
    """argoproj.io/v1alpha1 Application: what is deployed elsewhere, by name."""

    GROUP: ClassVar[str] = "argoproj.io"

    spec: ApplicationSpec = Field(default_factory=ApplicationSpec)


KINDS: dict[str, type[KubernetesObject]] = {"Rollout": Rollout, "Application": Application}
