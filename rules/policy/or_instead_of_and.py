"""NET112: two peers where one with both selectors was meant."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from netlint.cluster import Workload
from netlint.findings import Finding, Related, Severity, Witness
from netlint.resources.networking import NetworkPolicy, NetworkPolicyPeer
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import peer_workloads, raw_selector_text, takes_all, workloads_with
from netlint.rules.registry import rule


@rule("NET112", "or-instead-of-and", Severity.WARNING, reads=(NetworkPolicy,))
def or_instead_of_and(analysis: Analysis) -> Iterator[Finding]:
    """A namespaceSelector and a podSelector stand as two peers, which means either; one peer with both was meant."""
    for policy in analysis.cluster.all(NetworkPolicy):
        for index, rule_ in enumerate(policy.spec.ingress or ()):
            yield from _pairs(analysis, policy, ("spec", "ingress", index, "from"), rule_.from_ or ())
        for index, out in enumerate(policy.spec.egress or ()):
            yield from _pairs(analysis, policy, ("spec", "egress", index, "to"), out.to or ())


def _pairs(
    analysis: Analysis, policy: NetworkPolicy, path: tuple[str | int, ...], peers: Sequence[NetworkPolicyPeer]
) -> Iterator[Finding]:
    if policy.rejects(*path):
        return
    for number, (first, second) in enumerate(pairwise(peers)):
        space, pods = (first, second) if first.namespace_selector is not None else (second, first)
        if not (_only_namespaces(space) and _only_pods(pods)):
            continue
        # evident only where the pods are in those namespaces, and in its own there are none like them
        if peer_workloads(analysis.cluster, policy, pods):
            continue
        among = peer_workloads(analysis.cluster, policy, space)
        alike = frozenset(workloads_with(analysis.cluster, pods.pod_selector))
        meant = [workload for workload in among if workload in alike]
        if not meant:
            continue
        beyond = [workload for workload in among if workload not in meant]
        ingress = path[1] == "ingress"
        yield or_instead_of_and.finding(
            policy.at(*path),
            f"{'admits' if ingress else 'lets out to'} every pod of {_spaces(among)} and every pod of "
            f"{policy.namespace} with {raw_selector_text(pods.pod_selector)}: two peers mean either, one peer with "
            f"both selectors was meant{_also(beyond, ingress=ingress)}",
            help=f"make one peer of them: drop the dash before the {'pod' if space is first else 'namespace'}Selector",
            related=[
                Related("first peer", policy.at(*path, number)),
                Related("second peer", policy.at(*path, number + 1)),
                *(Related(f"meant: {w.namespace}/{w.name}", w.at_template("metadata", "labels")) for w in meant[:1]),
            ],
            witness=_witness(policy, beyond[0], ingress=ingress) if beyond else None,
        )


def _only_namespaces(peer: NetworkPolicyPeer) -> bool:
    return peer.namespace_selector is not None and peer.pod_selector is None and peer.ip_block is None


def _only_pods(peer: NetworkPolicyPeer) -> bool:
    return (
        peer.pod_selector is not None
        and not takes_all(peer.pod_selector)
        and peer.namespace_selector is None
        and peer.ip_block is None
    )


def _spaces(workloads: Sequence[Workload]) -> str:
    names = sorted({workload.namespace for workload in workloads})
    return f"namespace {names[0]}" if len(names) == 1 else f"{len(names)} namespaces"


def _also(beyond: Sequence[Workload], *, ingress: bool) -> str:
    if not beyond:
        return ""
    return f" ({beyond[0].namespace}/{beyond[0].name} {'gets in' if ingress else 'is let out to'} too)"


def _witness(policy: NetworkPolicy, workload: Workload, *, ingress: bool) -> Witness:
    other = {"namespace": workload.namespace, "labels": dict(workload.labels)}
    own = {"namespace": policy.namespace}
    text = f"{workload.namespace}/{workload.name} is let {'in' if ingress else 'out to'} by the namespaceSelector alone"
    return Witness(other, own, None, None, text) if ingress else Witness(own, other, None, None, text)
