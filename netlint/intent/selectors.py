"""Selectors and peers that stand for workloads, as a person would write them."""

from typing import Any

from netlint.cluster import Cluster, Workload
from netlint.predicates import NAME
from netlint.resources import LabelSelector

# Labels that change with every release or are given by tools: no selector should hang on them.
_VOLATILE = frozenset(
    {
        "app.kubernetes.io/version",
        "helm.sh/chart",
        "chart",
        "heritage",
        "app.kubernetes.io/managed-by",
        "version",
        "pod-template-hash",
        "controller-revision-hash",
        "date",
        "commit",
        "git-sha",
    }
)


def identifying_labels(cluster: Cluster, workload: Workload) -> dict[str, str]:
    """Labels that select the pods of a workload and, where its labels allow, no others of its namespace.

    The workload's own selector first: it cannot change as long as the workload lives.
    """
    selector = getattr(getattr(workload.object, "spec", None), "selector", None)
    wanted: dict[str, str] = {}
    if isinstance(selector, LabelSelector) and not selector.match_expressions:
        wanted = {k: v for k, v in (selector.match_labels or {}).items() if workload.labels.get(k) == v}
    if not wanted:
        wanted = {k: v for k, v in sorted(workload.labels.items()) if k not in _VOLATILE}
    for key, value in sorted(workload.labels.items()):
        if not _others(cluster, workload, wanted):
            break
        if (
            key not in wanted
            and key not in _VOLATILE
            and _others(cluster, workload, {**wanted, key: value}) < _others(cluster, workload, wanted)
        ):
            wanted[key] = value
    return wanted


def _others(cluster: Cluster, workload: Workload, labels: dict[str, str]) -> int:
    return sum(
        1
        for other in cluster.workloads_in(workload.namespace)
        if other is not workload and labels.items() <= other.labels.items()
    )


def peer_of(cluster: Cluster, workload: Workload, seen_from: str) -> dict[str, Any] | None:
    """The entry of `from` or `to` that admits a workload, for a policy of namespace `seen_from`.

    None for a workload on the host network, which no selector reaches, and for one without labels.
    """
    labels = identifying_labels(cluster, workload)
    if workload.host_network or not labels:
        return None
    peer: dict[str, Any] = {}
    if workload.namespace != seen_from:
        peer["namespaceSelector"] = {"matchLabels": {NAME: workload.namespace}}
    peer["podSelector"] = {"matchLabels": labels}
    return peer
