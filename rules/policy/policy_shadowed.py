"""NET118: a rule that earlier tiers or orders always decide first."""

from collections.abc import Iterator
from typing import Any

from netlint.findings import Finding, Place, Related, Severity
from netlint.policy import Policy
from netlint.predicates import FALSE
from netlint.resources import KubernetesObject, unknown_fields
from netlint.resources.networking import NetworkPolicy
from netlint.resources.policy_k8s_io import AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule(
    "NET118",
    "policy-shadowed",
    Severity.WARNING,
    reads=(NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy),
    needs=(AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy),
)
def policy_shadowed(analysis: Analysis) -> Iterator[Finding]:
    """The rule never decides anything: an earlier one always does; or its place among equals is undefined."""
    ordered = [p for p in analysis.policy.policies.policies if not isinstance(p.object, NetworkPolicy)]
    for number, policy in enumerate(ordered):
        yield from _equal(analysis, policy, ordered[:number])
        for rule_ in policy.rules:
            if FALSE in (policy.subject, rule_.peer):
                continue  # it speaks of nobody: NET108
            before = [
                r for p in ordered[: number + 1] for r in p.rules if r is not rule_ and r.direction is rule_.direction
            ]
            if before and _as_written(policy) and analysis.policy.prover.rule_shadowed(rule_):
                decisive = analysis.policy.prover.covering(rule_, before)
                if not all(_as_written(analysis.policy.policies.policy_of(r)) for r in decisive):
                    continue
                names = list(dict.fromkeys(f"{r.policy.kind} {r.policy.name}" for r in decisive))
                yield policy_shadowed.finding(
                    rule_.origin,
                    f"this rule never decides anything: {', '.join(names[:3]) or 'an earlier one'} always does",
                    related=[Related("decides first", r.origin) for r in decisive[:3]],
                )


def _as_written(policy: Policy | None) -> bool:
    """Whether a policy says what it reads: a selector whose field the server does not know is left empty."""
    obj = policy.object if policy is not None else None
    manifest = obj.manifest if isinstance(obj, KubernetesObject) else obj
    return manifest is not None and not unknown_fields(manifest) and _plain_selectors(manifest.raw)


def _plain_selectors(value: Any) -> bool:
    """Whether every selector holds the fields of one and no others."""
    if isinstance(value, list):
        return all(_plain_selectors(each) for each in value)
    if not isinstance(value, dict):
        return True
    selectors = (value.get(key) for key in ("namespaces", "namespaceSelector", "podSelector", "nodes"))
    if any(isinstance(each, dict) and each.keys() - {"matchLabels", "matchExpressions"} for each in selectors):
        return False
    return all(_plain_selectors(each) for each in value.values())


def _equal(analysis: Analysis, policy: Policy, earlier: list[Policy]) -> Iterator[Finding]:
    """Two policies of one order that some pod may meet both of."""
    for other in earlier:
        same = other.tier == policy.tier and other.order == policy.order and other.dialect == policy.dialect
        if not same or policy.dialect == "BaselineAdminNetworkPolicy":
            continue
        shared = set(analysis.policy.select(policy.subject).certain) & set(
            analysis.policy.select(other.subject).certain
        )
        if shared and _actions(policy) | _actions(other) != _actions(policy) & _actions(other):
            first = min(shared, key=lambda endpoint: endpoint.id)
            yield policy_shadowed.finding(
                Place(policy.object, ("spec", "priority")),
                f"has the priority of {other.object.name}, and both select {first.id}: which comes first is undefined",
                related=[Related("same priority", Place(other.object, ("spec", "priority")))],
            )


def _actions(policy: Policy) -> set[str]:
    return {rule_.action.value for rule_ in policy.rules}
