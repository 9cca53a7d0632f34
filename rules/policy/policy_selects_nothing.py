"""NET101: a NetworkPolicy whose podSelector takes no pod."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.predicates import Scope, near_misses
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import (
    made_by_operators,
    miss_text,
    network_policies,
    raw_selector_text,
    requirements,
    subjects,
    takes_all,
)
from netlint.rules.registry import rule


@rule("NET101", "policy-selects-nothing", Severity.WARNING, reads=(NetworkPolicy,))
def policy_selects_nothing(analysis: Analysis) -> Iterator[Finding]:
    """The policy protects nothing: no pod of its namespace has the labels it asks for."""
    cluster = analysis.cluster
    for obj, policy in network_policies(analysis):
        selector = obj.spec.pod_selector
        namespace = obj.namespace or "default"
        if obj.rejects("spec", "podSelector"):
            continue
        if takes_all(selector):
            yield from _without_namespace(analysis, obj)
            continue
        selection = analysis.policy.select(policy.subject)
        if selection.certain or selection.possible or subjects(cluster, obj):
            continue
        inside = [e for w in cluster.workloads_in(namespace) for e in analysis.policy.endpoints_of(w)]
        if not inside:
            continue
        misses = [m for m in near_misses(policy.subject, inside) if m.scope is Scope.POD]
        near = [m for m in misses if m.looks_mistyped or requirements(selector) > 1]
        message = f"selects no pod of namespace {namespace}: none has {raw_selector_text(selector)}"
        if near:
            message += f" ({miss_text(near[0])})"
            severity = Severity.WARNING
        elif cluster.completeness.holds_whole(namespace) and not made_by_operators(analysis, selector):
            severity = Severity.WARNING
        else:
            severity = Severity.INFO
        yield policy_selects_nothing.finding(
            obj.at("spec", "podSelector"),
            message,
            severity=severity,
            help="compare the labels with those of the pod template; what the policy should cover is as open as before",
            related=[
                Related(miss_text(m), m.endpoint.source.at_template("metadata", "labels"))  # type: ignore[attr-defined]
                for m in near
            ],
        )


def _without_namespace(analysis: Analysis, obj: NetworkPolicy) -> Iterator[Finding]:
    """A policy for all pods that names no namespace lands in `default`, where the input runs nothing."""
    cluster = analysis.cluster
    if obj.manifest.namespace or cluster.workloads_in("default"):
        return
    named = sorted({workload.namespace for workload in cluster.workloads})
    if not named or any(m.namespace is None and m.kind in ("Service", "ConfigMap") for m in cluster.manifests):
        return
    yield policy_selects_nothing.finding(
        obj.at("metadata", "namespace"),
        f"names no namespace, so it covers namespace default only, where nothing runs (pods run in {_some(named)})",
        severity=Severity.INFO,
        help="name the namespace, and write one policy for each namespace that it is meant for",
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
