"""NET101: a NetworkPolicy whose podSelector takes no pod."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.intent.almost import slips
from netlint.predicates import FALSE
from netlint.resources import LabelSelector
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import (
    miss_text,
    network_policies,
    raw_selector_text,
    requirements,
    subjects,
    takes_all,
    wanted_values,
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
        if policy.subject == FALSE:
            continue  # no pod could ever have these labels: NET108
        if analysis.policy.selects_any(policy.subject) or subjects(cluster, obj):
            continue
        if not cluster.workloads_in(namespace):
            continue
        near = slips(policy.subject, analysis.policy.missing_one_label(policy.subject))
        message = f"selects no pod of namespace {namespace}: none has {raw_selector_text(selector)}"
        hint = miss_text(near[0]) if near else _meant(analysis, namespace, selector)
        severity = Severity.WARNING if hint or cluster.completeness.closed else Severity.INFO
        message += f" ({hint})" if hint else ""
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


def _meant(analysis: Analysis, namespace: str, selector: LabelSelector | None) -> str | None:
    """What shows that pods of the input were meant although no single label is off."""
    workloads = analysis.cluster.workloads_in(namespace)
    wanted = wanted_values(selector)
    for key, values in wanted.items():
        for workload in workloads:
            if workload.name in values and workload.name not in workload.labels.values():
                return f"{namespace}/{workload.name} bears the name that is asked for as {key}"
    holders = [[w for w in workloads if w.labels.get(key) in values] for key, values in wanted.items()]
    if len(holders) > 1 and len(holders) == requirements(selector) and all(holders):
        return "each label is on some pod, and all of them are on none"
    return None


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
