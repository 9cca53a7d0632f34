"""batch: Job, CronJob."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, LabelSelector, Model, ObjectMeta
from netlint.resources.pod import PodTemplateSpec


class JobSpec(Model):
    parallelism: int | None = None
    completions: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None


class Job(KubernetesObject):
    """batch/v1 Job."""

    GROUP: ClassVar[str] = "batch"

    spec: JobSpec = Field(default_factory=JobSpec)


class JobTemplateSpec(Model):
    metadata: ObjectMeta | None = None
    spec: JobSpec | None = None


class CronJobSpec(Model):
    schedule: str | None = None
    suspend: bool | None = None
    job_template: JobTemplateSpec | None = None


class CronJob(KubernetesObject):
    """batch/v1 CronJob."""

    GROUP: ClassVar[str] = "batch"

    spec: CronJobSpec = Field(default_factory=CronJobSpec)


KINDS: dict[str, type[KubernetesObject]] = {"Job": Job, "CronJob": CronJob}
