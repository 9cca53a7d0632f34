"""Objects with a pod template: the template, and the selector that must match it (kubernetes `pkg/apis/apps`)."""

from collections.abc import Iterator

from netlint.resources.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from netlint.resources.base import KubernetesObject, Labels, LabelSelector
from netlint.resources.templates import pod_template
from netlint.resources.validation.metadata import check_object_meta
from netlint.resources.validation.pods import check_pod_spec
from netlint.resources.validation.selectors import check_selector, matches
from netlint.resources.values import FieldProblem, is_placeholder

_RESTART = {
    "Deployment": ("Always",),
    "DaemonSet": ("Always",),
    "StatefulSet": ("Always",),
    "ReplicaSet": ("Always",),
    "ReplicationController": ("Always",),
    "Job": ("OnFailure", "Never"),
    "CronJob": ("OnFailure", "Never"),
}


def check_workload(obj: KubernetesObject) -> Iterator[FieldProblem]:
    """The pod template, and for the kinds of apps the selector."""
    view = pod_template(obj)
    if view is None:
        return
    if view.path:
        yield from check_object_meta((*view.path, "metadata"), view.metadata)
    yield from check_pod_spec((*view.path, "spec"), view.spec, _RESTART.get(obj.kind, ()))
    if isinstance(obj, Deployment | StatefulSet | DaemonSet | ReplicaSet):
        yield from _check_selector(obj, obj.spec.selector, view.labels)


def _check_selector(obj: KubernetesObject, selector: LabelSelector | None, labels: Labels) -> Iterator[FieldProblem]:
    path = ("spec", "selector")
    wrong = list(check_selector(path, selector))
    yield from wrong
    if wrong or selector is None or obj.api_version != "apps/v1":
        return
    if not selector.match_labels and not selector.match_expressions:
        yield FieldProblem(path, f"must not be empty in a {obj.kind}")
    elif not matches(selector, labels):
        differing = [key for key, value in (selector.match_labels or {}).items() if labels.get(key) != value]
        if any(is_placeholder(labels.get(key, "")) for key in differing):
            return
        named = f": {', '.join(differing)}" if differing else ""
        yield FieldProblem(path, f"must match the labels of its own template, and does not{named}")
