"""NET201: policies on a network plugin that enforces none."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET201", "policy-not-enforced", Severity.ERROR, reads=(NetworkPolicy,))
def policy_not_enforced(analysis: Analysis) -> Iterator[Finding]:
    """The cluster's network plugin enforces no NetworkPolicy: the API server takes the object, and nothing happens."""
    enforced = analysis.cluster.facts.enforces_network_policy
    if enforced.value is not False:
        return
    plugin = analysis.cluster.facts.cni.value
    runs = f"the cluster's network plugin, {plugin}, enforces" if plugin else "nothing in the cluster enforces"
    severity = Severity.WARNING if enforced.origin == "default" else Severity.ERROR
    for policy in analysis.cluster.all(NetworkPolicy):
        yield policy_not_enforced.finding(
            policy.at("spec"),
            f"this policy has no effect: {runs} {'no NetworkPolicy' if plugin else 'NetworkPolicies'}",
            severity=severity,
            help="install a policy engine beside the plugin or a plugin that has one, or drop the policies; "
            "if one is installed that the input does not show, say so in netlint.yaml: cluster.cni.name",
            related=[Related(evidence.text, evidence.place) for evidence in enforced.evidence],
        )
