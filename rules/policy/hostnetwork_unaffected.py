"""NET113: selectors that mean pods on the host's network."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import peer_workloads, peers, subjects, takes_all
from netlint.rules.registry import rule


@rule("NET113", "hostnetwork-unaffected", Severity.WARNING, reads=(NetworkPolicy,))
def hostnetwork_unaffected(analysis: Analysis) -> Iterator[Finding]:
    """The only pods that a selector means are on the host's network, where most plugins match no selector."""
    if analysis.policy.readings.hostnetwork_as_pods:
        return
    for policy in analysis.cluster.all(NetworkPolicy):
        if not takes_all(policy.spec.pod_selector):
            found = subjects(analysis.cluster, policy)
            if found and all(workload.host_network for workload in found):
                yield hostnetwork_unaffected.finding(
                    policy.at("spec", "podSelector"),
                    f"the only pods it selects are on the host's network ({found[0].namespace}/{found[0].name}): "
                    "most plugins do not apply policies to them",
                    help="guard the nodes themselves: a firewall, or the plugin's own policies for hosts",
                    related=[Related("hostNetwork: true", found[0].at("hostNetwork"))],
                )
        for _, path, peer in peers(policy):
            if takes_all(peer.pod_selector):
                continue
            found = peer_workloads(analysis.cluster, policy, peer)
            if found and all(workload.host_network for workload in found):
                first = found[0]
                yield hostnetwork_unaffected.finding(
                    policy.at(*path),
                    f"the only pods that this peer selects are on the host's network ({first.namespace}/{first.name}): "
                    "their traffic carries the node's address, which no selector matches",
                    help="name the nodes' addresses in an ipBlock, or use the plugin's own word for the host",
                    related=[Related("hostNetwork: true", first.at("hostNetwork"))],
                )
