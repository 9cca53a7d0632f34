"""NET304: a Service whose selector takes no pod."""

from collections.abc import Iterator
from dataclasses import dataclass

from netlint.cluster import Cluster, Workload
from netlint.findings import Finding, Related, Severity
from netlint.predicates import edit_distance
from netlint.resources.core import Service
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule
from netlint.rules.service._variants import varied_namespaces

_COMMON = frozenset(
    {
        "app.kubernetes.io/instance",
        "app.kubernetes.io/managed-by",
        "app.kubernetes.io/part-of",
        "app.kubernetes.io/version",
        "chart",
        "helm.sh/chart",
        "heritage",
        "release",
        "version",
    }
)
"""Labels that all parts of an application share: that they match tells nothing."""
_AT_RUN_TIME = frozenset({"active", "leader", "main", "master", "primary", "replica", "secondary", "slave", "standby"})
"""Values of labels that programs set on the pod that has the role at present."""
_SLIP, _SHORT = 2, 6


@dataclass(frozen=True, slots=True)
class _Miss:
    """A workload that was evidently meant, and what is off."""

    workload: Workload
    text: str
    certain: bool


@rule("NET304", "service-selects-nothing", Severity.WARNING, reads=(Service,))
def service_selects_nothing(analysis: Analysis) -> Iterator[Finding]:
    """No pod has the labels that the Service asks for, so it has no endpoints."""
    cluster = analysis.cluster
    varied = varied_namespaces(cluster)
    for service in cluster.all(Service):
        selector = service.spec.selector
        if (
            service.namespace in varied
            or not selector
            or service.spec.type == "ExternalName"
            or service.rejects("spec", "selector")
        ):
            continue
        if cluster.workloads_of(service):
            continue
        miss = _inside(cluster, service, selector) or _elsewhere(cluster, service, selector)
        if miss is None:
            continue
        labels = ", ".join(f"{key}={value}" for key, value in sorted(selector.items()))
        yield service_selects_nothing.finding(
            service.at("spec", "selector"),
            f"no pod of namespace {service.namespace} has the labels {labels}: {miss.text}",
            severity=Severity.ERROR if miss.certain else Severity.WARNING,
            help="compare the selector with the labels of the pod template; without endpoints connections are refused",
            related=[Related(f"the labels of {miss.workload.name}", miss.workload.at_template("metadata", "labels"))],
        )


def _inside(cluster: Cluster, service: Service, selector: dict[str, str]) -> _Miss | None:
    """A workload of the namespace that all labels but one match."""
    namespace = service.namespace or "default"
    whole = cluster.completeness.holds_whole(namespace)
    for workload in cluster.workloads_in(namespace):
        missing = [key for key, value in selector.items() if workload.labels.get(key) != value]
        if len(missing) != 1 or missing[0] in workload.unknown_label_keys:
            continue
        (key,) = missing
        matched = selector.keys() - {key}
        told = _slip(workload, key, selector[key])
        if told is None and matched - _COMMON and key not in workload.labels and _is_static(selector[key]):
            told = f"{workload.name} has no label {key}"
        if told is not None:
            return _Miss(workload, told, whole)
    return None


def _slip(workload: Workload, key: str, value: str) -> str | None:
    """A typing mistake in one value or in one key."""
    found = workload.labels.get(key)
    if found is not None:
        if _mistyped(found, value) and found.rstrip("0123456789") != value.rstrip("0123456789"):
            return f"{workload.name} has {key}={found}"
        return None
    for other, text in sorted(workload.labels.items()):
        if text == value and _mistyped(other, key):
            return f"{workload.name} has {other}={text}"
    return None


def _mistyped(one: str, other: str) -> bool:
    """Whether two words differ by a slip: two characters at most, one in a short word."""
    return edit_distance(one, other) <= (1 if min(len(one), len(other)) < _SHORT else _SLIP)


def _is_static(value: str) -> bool:
    return value.lower() not in _AT_RUN_TIME and value not in ("true", "false")


def _elsewhere(cluster: Cluster, service: Service, selector: dict[str, str]) -> _Miss | None:
    """The workload of the Service's own name with all of its labels, in another namespace than this whole one."""
    namespace = service.manifest.namespace
    if namespace is None or not cluster.completeness.holds_whole(namespace):
        return None
    for workload in cluster.workloads:
        if workload.namespace == namespace or workload.name != service.name:
            continue
        if selector.items() <= workload.labels.items() and workload.object.manifest.namespace is not None:
            return _Miss(workload, f"{workload.name} has them, but in namespace {workload.namespace}", True)
    return None
