"""NET119: a policy for pods that have other networks too."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import subjects, takes_all
from netlint.rules.registry import rule

_NETWORKS = "k8s.v1.cni.cncf.io/networks"


@rule("NET119", "other-networks-unaffected", Severity.INFO, reads=(NetworkPolicy,))
def other_networks_unaffected(analysis: Analysis) -> Iterator[Finding]:
    """The pods have further networks by Multus, and a NetworkPolicy speaks of the cluster's network only."""
    if any(kind == "MultiNetworkPolicy" for _, kind in analysis.cluster.kinds):
        return
    for policy in analysis.cluster.all(NetworkPolicy):
        if takes_all(policy.spec.pod_selector):
            continue
        for workload in subjects(analysis.cluster, policy):
            networks = workload.annotations.get(_NETWORKS, "").strip()
            if networks and not workload.host_network:
                place = workload.at_template("metadata", "annotations", _NETWORKS)
                yield other_networks_unaffected.finding(
                    policy.at("spec", "podSelector"),
                    f"{workload.namespace}/{workload.name} is also on {networks}, where no NetworkPolicy holds",
                    help="write a MultiNetworkPolicy for the other networks, and run its agent",
                    related=[Related("further networks", place)],
                )
                break
