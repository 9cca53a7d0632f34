"""Who reads which metrics API: HorizontalPodAutoscalers, whose controller asks the API server, and it the adapter."""

from collections.abc import Iterator, Mapping
from typing import Any

from netlint.cluster import Cluster
from netlint.findings import Path
from netlint.intent.flow import Evidence
from netlint.intent.raw import at, dig, entries, namespace_of, of_kind, text_at

# autoscaling/v2, MetricSpec: the type of a metric, its field, and the aggregated API that answers for it.
_METRICS = {
    "Resource": ("resource", "metrics.k8s.io"),
    "ContainerResource": ("containerResource", "metrics.k8s.io"),
    "Pods": ("pods", "custom.metrics.k8s.io"),
    "Object": ("object", "custom.metrics.k8s.io"),
    "External": ("external", "external.metrics.k8s.io"),
}


def metrics_readers(cluster: Cluster) -> Mapping[str, tuple[Evidence, ...]]:
    """By API group, the first metric of each HorizontalPodAutoscaler that comes from there."""
    found: dict[str, list[Evidence]] = {}
    for manifest in of_kind(cluster, "autoscaling", "HorizontalPodAutoscaler"):
        seen: set[str] = set()
        for path, name, group in _metrics(manifest.raw):
            if group not in seen:
                seen.add(group)
                text = f"HorizontalPodAutoscaler {namespace_of(manifest)}/{manifest.name}, metric {name}"
                found.setdefault(group, []).append(Evidence(text, at(manifest, *path)))
    return {group: tuple(evidence) for group, evidence in found.items()}


def _metrics(raw: Any) -> Iterator[tuple[Path, str, str]]:
    """Each metric with the path of its name and the API group that serves it."""
    if dig(raw, "spec", "targetCPUUtilizationPercentage") is not None:  # autoscaling/v1
        yield ("spec", "targetCPUUtilizationPercentage"), "cpu", "metrics.k8s.io"
    for path, metric in entries(raw, "spec", "metrics"):
        field, group = _METRICS.get(text_at(metric, "type") or "", ("", ""))
        within = ("name",) if group == "metrics.k8s.io" else ("metric", "name")
        name = text_at(metric, field, *within)
        if name is not None:
            yield (*path, field, *within), name, group
