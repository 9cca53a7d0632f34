"""From objects to workloads: pods and ReplicaSets that something else owns fold into their owner."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from netlint.cluster.workload import Workload
from netlint.knowledge import runtime_labels
from netlint.resources import KubernetesObject, Manifest, PodTemplateView, pod_template, typed
from netlint.resources.base import OwnerReference
from netlint.resources.core import Pod, PodSpec

_Key = tuple[str, str, str]
_NOT_RUN = frozenset({"PodTemplate"})
_CRON_SUFFIX = re.compile(r"-\d{6,}$")
_SINGLE = frozenset({"Pod", "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "Rollout"})


def workloads_of(manifests: Iterable[Manifest]) -> tuple[Workload, ...]:
    """The workloads of a cluster, sorted by namespace, kind and name."""
    found: dict[_Key, list[_Candidate]] = {}
    by_uid: dict[str, _Candidate] = {}
    candidates: list[_Candidate] = []
    for manifest in manifests:
        candidate = _candidate(manifest)
        if candidate is not None:
            candidates.append(candidate)
            found.setdefault(candidate.key, []).append(candidate)
            if candidate.object.metadata.uid:
                by_uid[candidate.object.metadata.uid] = candidate
    orphans: dict[tuple[str, str, str], list[_Candidate]] = {}
    roots: list[_Candidate] = []
    for candidate in candidates:
        if candidate.reference is None:
            roots.append(candidate)
            continue
        owner = _owner(candidate, candidate.reference, found, by_uid)
        # References that form a ring name no owner.
        candidate.owner = owner if owner is not None and _root(owner) is not candidate else None
        if candidate.owner is None:
            reference = candidate.reference
            if candidate.is_pod and reference.kind != "Node":
                orphans.setdefault((candidate.namespace, reference.kind or "", reference.name or ""), []).append(
                    candidate
                )
            else:
                roots.append(candidate)
    for candidate in candidates:
        if candidate.owner is not None:
            root = _root(candidate)
            if candidate.is_pod:
                root.pods.append(candidate.object)
    workloads = [_workload(root) for root in roots]
    workloads += [_orphaned(kind, name, group) for (_, kind, name), group in orphans.items()]
    workloads.sort(key=lambda w: (w.namespace, w.kind, w.name, w.object.manifest.document.file))
    return _with_own_ids(workloads)


class _Candidate:
    """An object with a pod template, what owns it, and the pods that fold into it."""

    __slots__ = ("kind", "name", "namespace", "object", "owner", "pods", "reference", "view")

    def __init__(self, obj: KubernetesObject, view: PodTemplateView) -> None:
        self.object = obj
        self.view = view
        self.kind = obj.kind
        self.name = obj.name
        self.namespace = obj.namespace or "default"
        self.owner: _Candidate | None = None
        self.pods: list[KubernetesObject] = []
        owners = obj.metadata.owner_references
        self.reference: OwnerReference | None = None
        if owners:
            self.reference = next((owner for owner in owners if owner.controller), None)

    @property
    def is_pod(self) -> bool:
        return isinstance(self.object, Pod)

    @property
    def key(self) -> _Key:
        return (self.namespace, self.kind, self.name)


def _candidate(manifest: Manifest) -> _Candidate | None:
    if manifest.kind in _NOT_RUN or not _may_have_template(manifest):
        return None
    obj = typed(manifest)
    view = pod_template(obj) if obj is not None else None
    return _Candidate(obj, view) if obj is not None and view is not None else None


def _may_have_template(manifest: Manifest) -> bool:
    spec = manifest.raw.get("spec")
    if not isinstance(spec, dict):
        return False
    if manifest.group == "monitoring.coreos.com":  # the Prometheus operator makes the pods
        return True
    return manifest.kind == "Pod" or "template" in spec or "jobTemplate" in spec


def _owner(
    candidate: _Candidate,
    reference: OwnerReference,
    found: dict[_Key, list[_Candidate]],
    by_uid: dict[str, _Candidate],
) -> _Candidate | None:
    kind, name = reference.kind or "", reference.name or ""
    if reference.uid and reference.uid in by_uid:
        owner = by_uid[reference.uid]
        return owner if owner is not candidate else None
    for guess in _owner_names(candidate, kind, name):
        for owner in found.get((candidate.namespace, *guess), ()):
            if owner is not candidate:
                return owner
    return None


def _owner_names(candidate: _Candidate, kind: str, name: str) -> list[tuple[str, str]]:
    """The owner, or the owner's owner by the way that controllers name what they make, where the owner is missing."""
    names = [(kind, name)]
    labels = candidate.view.labels
    for grand, label in (
        ("Deployment", runtime_labels.POD_TEMPLATE_HASH),
        ("Rollout", runtime_labels.ROLLOUT_HASH),
    ):
        value = labels.get(label)
        if kind == "ReplicaSet" and value and name.endswith(f"-{value}"):
            names.append((grand, name.removesuffix(f"-{value}")))
    if kind == "Job" and _CRON_SUFFIX.search(name):
        names.append(("CronJob", _CRON_SUFFIX.sub("", name)))
    return names


def _root(candidate: _Candidate) -> _Candidate:
    """The outermost owner in the input."""
    while candidate.owner is not None:
        candidate = candidate.owner
    return candidate


def _workload(root: _Candidate) -> Workload:
    obj, view = root.object, root.view
    pods = tuple(pod for pod in (*root.pods, *((obj,) if root.is_pod else ())) if isinstance(pod, Pod))
    unknown = _unknown_keys(obj.kind, view.labels, view.spec, pods)
    return Workload(
        id="",
        kind=obj.kind,
        namespace=root.namespace,
        name=root.name,
        object=obj,
        template_path=view.path,
        labels=_known(view.labels, unknown),
        annotations=view.annotations,
        spec=view.spec,
        replicas=_replicas(obj),
        pods=pods,
        unknown_label_keys=unknown,
    )


def _orphaned(kind: str, name: str, group: Sequence[_Candidate]) -> Workload:
    """Pods of one owner that is not in the input are one workload; the first of them stands for its template."""
    first = min(group, key=lambda candidate: candidate.object.name)
    pods = tuple(candidate.object for candidate in group if isinstance(candidate.object, Pod))
    labels = first.view.labels
    unknown = _unknown_keys(kind, labels, first.view.spec, pods)
    return Workload(
        id="",
        kind=kind or "Pod",
        namespace=first.namespace,
        name=name or first.object.name,
        object=first.object,
        template_path=first.view.path,
        labels=_known(labels, unknown),
        annotations=first.view.annotations,
        spec=first.view.spec,
        replicas=len(pods),
        pods=pods,
        unknown_label_keys=unknown,
    )


def _known(labels: dict[str, str], unknown: frozenset[str]) -> dict[str, str]:
    if unknown.isdisjoint(labels):
        return labels
    return {key: value for key, value in labels.items() if key not in unknown}


def _unknown_keys(kind: str, labels: dict[str, str], spec: PodSpec, pods: Sequence[Pod]) -> frozenset[str]:
    """Keys that the pods may have at run time; a key that the template itself sets is known, unless pods differ."""
    alone = kind == "Pod" and len(pods) <= 1
    if alone and pods and pods[0].metadata.uid:
        return frozenset()
    keys = _runtime_keys("" if alone else kind)
    if leaders := _leader_keys(spec):
        keys |= leaders
    if not keys.isdisjoint(labels):
        keys = keys.difference(labels)
    differing: set[str] = set()
    for pod in pods:
        own = pod.labels
        if own is not labels and own != labels:
            differing.update(key for key in own.keys() | labels.keys() if own.get(key) != labels.get(key))
    return keys | differing if differing else keys


@cache
def _runtime_keys(kind: str) -> frozenset[str]:
    """One set for all workloads of a kind: most need no other."""
    return runtime_labels.ANYWHERE | runtime_labels.BY_KIND.get(kind, frozenset())


def _leader_keys(spec: PodSpec) -> frozenset[str]:
    keys: set[str] = set()
    for container in spec.containers or ():
        image, variables = container.image or "", container.env or ()
        for leader in runtime_labels.LEADERS:
            if any(fragment in image for fragment in leader.images) or any(
                variable.name and variable.name.startswith(leader.env_prefixes) for variable in variables
            ):
                keys |= leader.keys
        for variable in variables:
            if variable.name == runtime_labels.ROLE_KEY_VARIABLE and variable.value:
                keys.add(variable.value)
    return frozenset(keys)


def _replicas(obj: KubernetesObject) -> int | None:
    spec = getattr(obj, "spec", None)
    if obj.kind == "CronJob":
        spec = getattr(getattr(spec, "job_template", None), "spec", None)
    if obj.kind in ("Job", "CronJob"):
        parallelism = getattr(spec, "parallelism", None)
        return parallelism if isinstance(parallelism, int) else 1
    replicas = getattr(spec, "replicas", None)
    if isinstance(replicas, int):
        return replicas
    return 1 if obj.kind in _SINGLE else None


def _with_own_ids(workloads: Sequence[Workload]) -> tuple[Workload, ...]:
    """Ids tell all workloads apart, also those without a name. Two kinds of one name are told by their group."""
    count: dict[str, int] = {}
    for workload in workloads:
        kind = workload.kind
        if kind == "Service":
            kind = f"{kind}.{workload.object.manifest.group}"  # Knative's; the plain word means core/v1
        name = f"{workload.namespace}/{kind}/{workload.name}"
        count[name] = count.get(name, 0) + 1
        object.__setattr__(workload, "id", name if count[name] == 1 else f"{name}#{count[name]}")
    return tuple(workloads)
