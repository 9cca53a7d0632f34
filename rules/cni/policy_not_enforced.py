"""NET201: NetworkPolicies in a cluster that enforces none."""

from collections.abc import Iterator

from netlint.cluster import NetworkFacts
from netlint.findings import Finding, Related, Severity
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule

_NAMES = {
    "aws-vpc-cni": "the AWS VPC CNI",
    "azure-cni": "Azure CNI",
    "bridge": "the bridge plugin",
    "canal": "Canal",
    "cilium": "Cilium",
    "flannel": "Flannel",
    "kindnet": "kindnet",
    "kube-ovn": "Kube-OVN",
    "kube-router": "kube-router",
    "openshift-sdn": "OpenShift SDN",
    "weave": "Weave Net",
}
_SWITCHES = {
    "aws-vpc-cni": "switch the plugin's own engine on (enableNetworkPolicy, from v1.14), or run Calico for policies",
    "azure-cni": "create the cluster with a policy engine: Cilium, Azure NPM or Calico",
    "cilium": "let Cilium enforce: enable-policy default, enable-k8s-networkpolicy true, policy-audit-mode false",
    "flannel": "run a policy engine beside Flannel (netpol.enabled of its chart, or kube-network-policies), "
    "or install Canal instead",
    "kindnet": "take a node image of kind v0.24 or later",
    "kube-ovn": "set ENABLE_NP to true",
    "kube-router": "run kube-router with --run-firewall=true",
    "openshift-sdn": "use the mode NetworkPolicy, or move to OVN-Kubernetes",
    "weave": "remove EXPECT_NPC=0 and run weave-npc",
}
_K3S = "remove disable-network-policy from the k3s server's configuration, or run another policy engine"
_SAY_ON_NODES = ("k3s", "rke2")
"""Distributions whose Nodes carry the arguments that switch the policy engine."""
_ANY = "run a policy engine that enforces NetworkPolicies beside the network plugin"


@rule("NET201", "policy-not-enforced", Severity.ERROR, reads=(NetworkPolicy,))
def policy_not_enforced(analysis: Analysis) -> Iterator[Finding]:
    """The policy has no effect: what connects the pods enforces no NetworkPolicy, and nothing beside it does."""
    facts = analysis.cluster.facts
    enforced = facts.enforces_network_policy
    if enforced.value is not False or not any(entry.origin != "default" for entry in enforced.evidence):
        return
    severity = Severity.WARNING if _seen_on_nodes_only(facts) else None
    message = f"this policy has no effect: {_reason(facts)}"
    related = [Related(entry.text, entry.place) for entry in enforced.evidence if entry.place is not None]
    for policy in analysis.cluster.all(NetworkPolicy):
        place = policy.at("spec")
        yield policy_not_enforced.finding(place, message, help=_help(facts), related=related, severity=severity)


def _seen_on_nodes_only(facts: NetworkFacts) -> bool:
    """Whether only what a plugin leaves on Nodes tells of it: the input need not hold what runs beside it then."""
    if facts.distribution.value in _SAY_ON_NODES:
        return False
    places = [entry.place for entry in facts.enforces_network_policy.evidence]
    return all(place is not None and place.ref is not None and place.ref.kind == "Node" for place in places)


def _reason(facts: NetworkFacts) -> str:
    because = facts.enforces_network_policy.because
    plugin = facts.cni.value
    if plugin is None or facts.enforces_network_policy.origin == "declared":
        return f"nothing in this cluster enforces NetworkPolicies ({because})"
    return f"{_NAMES.get(plugin, plugin)} enforces no NetworkPolicies here, and nothing beside it does ({because})"


def _help(facts: NetworkFacts) -> str:
    if facts.distribution.value == "k3s" and facts.cni.value == "flannel":
        return _K3S
    return _SWITCHES.get(facts.cni.value or "", _ANY)
