"""Whatever has a pod template, seen in one way."""

from dataclasses import dataclass
from typing import Any

from pydantic import Field

from netlint.findings import Path
from netlint.resources.base import KubernetesObject, Labels, Model, ObjectMeta
from netlint.resources.pod import PodSpec, PodTemplateSpec


class TemplatedSpec(Model):
    replicas: Any = None
    selector: Any = None
    template: PodTemplateSpec | None = None


class TemplatedObject(KubernetesObject):
    """An object of a kind that netlint does not know, with a pod template at spec.template."""

    spec: TemplatedSpec = Field(default_factory=TemplatedSpec)


@dataclass(frozen=True, slots=True)
class PodTemplateView:
    """The pod template of an object: where it stands, and what its pods will be."""

    path: Path
    metadata: ObjectMeta
    spec: PodSpec

    @property
    def labels(self) -> Labels:
        return self.metadata.labels or {}

    @property
    def annotations(self) -> Labels:
        return self.metadata.annotations or {}


_PATHS: dict[str, Path] = {
    "Pod": (),
    "PodTemplate": ("template",),
    "CronJob": ("spec", "jobTemplate", "spec", "template"),
}


def pod_template(obj: KubernetesObject) -> PodTemplateView | None:
    """The pod template of a typed object; None where it has none (or its template holds no pod spec)."""
    own = getattr(obj, "pod_template", None)
    if isinstance(own, PodTemplateView):
        return own
    spec: Any = getattr(obj, "spec", obj)
    if obj.kind == "Pod" and isinstance(spec, PodSpec):
        return PodTemplateView((), obj.metadata, spec)
    path = _PATHS.get(obj.kind, ("spec", "template"))
    if path == _PATHS["CronJob"]:
        job = getattr(spec, "job_template", None)
        spec = job.spec if job is not None else None
    template = getattr(spec, "template", None)
    if isinstance(template, PodTemplateSpec) and template.spec is not None:
        return PodTemplateView(path, template.metadata or ObjectMeta(), template.spec)
    return None
