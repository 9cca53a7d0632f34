"""What several policy rules ask: which workloads a selector of a policy means, on the host's network or not."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from netlint.cluster import Cluster, Workload
from netlint.policy import Policy
from netlint.predicates import Label, NearMiss, Predicate, Scope
from netlint.resources import LabelSelector
from netlint.resources.networking import NetworkPolicy, NetworkPolicyPeer
from netlint.rules.analysis import Analysis


def network_policies(analysis: Analysis) -> tuple[tuple[NetworkPolicy, Policy], ...]:
    """The NetworkPolicies of the cluster, each with its translation."""
    known = _POLICIES.get(analysis)
    if known is None:
        found = ((obj, analysis.policy.policies.of(obj)) for obj in analysis.cluster.all(NetworkPolicy))
        known = _POLICIES[analysis] = tuple((obj, policy) for obj, policy in found if policy is not None)
    return known


_POLICIES: WeakKeyDictionary[Analysis, tuple[tuple[NetworkPolicy, Policy], ...]] = WeakKeyDictionary()


class PlacedPeer(NamedTuple):
    """One entry of `from` or `to`, with its path: spec, direction, index of the rule, `from` or `to`, its own index."""

    policy: NetworkPolicy
    path: tuple[str, str, int, str, int]
    peer: NetworkPolicyPeer


def placed_peers(analysis: Analysis) -> tuple[PlacedPeer, ...]:
    """Every peer of the NetworkPolicies of the cluster."""
    known = _PEERS.get(analysis)
    if known is None:
        policies = analysis.cluster.all(NetworkPolicy)
        known = _PEERS[analysis] = tuple(placed for policy in policies for placed in peers(policy))
    return known


_PEERS: WeakKeyDictionary[Analysis, tuple[PlacedPeer, ...]] = WeakKeyDictionary()


def takes_all(selector: LabelSelector | None) -> bool:
    return selector is None or not (selector.match_labels or selector.match_expressions)


def requirements(selector: LabelSelector | None) -> int:
    """How many labels a selector asks for."""
    return len(selector.match_labels or {}) + len(selector.match_expressions or ()) if selector else 0


def subjects(cluster: Cluster, policy: NetworkPolicy) -> tuple[Workload, ...]:
    """The workloads whose labels the podSelector asks for, those on the host's network among them."""
    known = _SUBJECTS.setdefault(cluster, {})
    found = known.get(policy)
    if found is None:
        found = known[policy] = _within(cluster, policy.namespace or "default", policy.spec.pod_selector)
    return found


_SUBJECTS: WeakKeyDictionary[Cluster, dict[NetworkPolicy, tuple[Workload, ...]]] = WeakKeyDictionary()


def _within(cluster: Cluster, namespace: str, selector: LabelSelector | None) -> tuple[Workload, ...]:
    """The workloads of a namespace that a selector takes."""
    members = cluster.workloads_in(namespace)
    if selector is None or not members:
        return members
    chosen = cluster.labelled_workloads.find(selector.match_labels, selector.expressions)
    return tuple(workload for workload in members if workload in chosen)


def peer_namespaces(cluster: Cluster, policy: NetworkPolicy, peer: NetworkPolicyPeer) -> tuple[str, ...]:
    """The namespaces of the input that a peer speaks of."""
    selector = peer.namespace_selector
    if selector is None:
        return (policy.namespace or "default",)
    return cluster.labelled_namespaces.select(selector.match_labels, selector.expressions)


def workloads_with(cluster: Cluster, selector: LabelSelector | None) -> tuple[Workload, ...]:
    """The workloads of all namespaces whose labels a selector asks for, in order."""
    if selector is None:
        return cluster.workloads
    return cluster.labelled_workloads.select(selector.match_labels, selector.expressions)


def peer_workloads(cluster: Cluster, policy: NetworkPolicy, peer: NetworkPolicyPeer) -> tuple[Workload, ...]:
    """The workloads that a peer's selectors mean, those on the host's network among them."""
    if peer.ip_block is not None:
        return ()
    names = peer_namespaces(cluster, policy, peer)
    if len(names) < len(cluster.namespaces):
        return tuple(workload for name in names for workload in _within(cluster, name, peer.pod_selector))
    return workloads_with(cluster, peer.pod_selector)


def has_workload(cluster: Cluster, policy: NetworkPolicy, peer: NetworkPolicyPeer) -> bool:
    """Whether a peer's selectors mean any workload at all."""
    if peer.ip_block is not None:
        return False
    names = peer_namespaces(cluster, policy, peer)
    if len(names) == 1:
        return bool(_within(cluster, names[0], peer.pod_selector))
    allowed = frozenset(names)
    return any(workload.namespace in allowed for workload in workloads_with(cluster, peer.pod_selector))


def peers(policy: NetworkPolicy) -> Iterator[PlacedPeer]:
    """The peers of one policy."""
    for index, rule in enumerate(policy.spec.ingress or ()):
        for number, peer in enumerate(rule.from_ or ()):
            yield PlacedPeer(policy, ("spec", "ingress", index, "from", number), peer)
    for index, rule_ in enumerate(policy.spec.egress or ()):
        for number, peer in enumerate(rule_.to or ()):
            yield PlacedPeer(policy, ("spec", "egress", index, "to", number), peer)


def directions(policy: NetworkPolicy) -> frozenset[str]:
    """The directions that a policy isolates: policyTypes, or what the server fills in."""
    types = policy.spec.policy_types
    if types:
        return frozenset(word.lower() for word in types)
    return frozenset({"ingress", "egress"} if policy.spec.egress else {"ingress"})


def wanted_values(selector: LabelSelector | None) -> dict[str, frozenset[str]]:
    """For each label that must have one of some values: those values."""
    if selector is None:
        return {}
    wanted = {key: frozenset({value}) for key, value in (selector.match_labels or {}).items()}
    for part in selector.match_expressions or ():
        if part.operator == "In" and part.values:
            wanted[part.key] = frozenset(part.values)
    return wanted


def miss_text(miss: NearMiss) -> str:
    """A near miss in words: `shop/web has app=wbe, not app=web`."""
    name = _endpoint_text(miss)
    if miss.scope is Scope.NAMESPACE:
        name = f"namespace {miss.endpoint.namespace}"
    wanted = _wanted(miss)
    if miss.found is not None:
        return f"{name} has {miss.key}={miss.found}, not {wanted}"
    if miss.similar_key is not None:
        return f"{name} has {miss.similar_key}={miss.endpoint.labels_of(miss.scope)[miss.similar_key]}, not {wanted}"
    return f"{name} has no label {miss.key}"


def _wanted(miss: NearMiss) -> str:
    values = sorted(miss.wanted.values)
    if not miss.wanted.complement and len(values) == 1:
        return f"{miss.key}={values[0]}"
    return f"{miss.key} {miss.wanted}"


def _endpoint_text(miss: NearMiss) -> str:
    source = miss.endpoint.source
    return f"{source.namespace}/{source.name}" if isinstance(source, Workload) else miss.endpoint.id


def labels_in(predicate: Predicate, scope: Scope) -> list[Label]:
    """The label tests of one scope in a predicate."""
    return [atom for atom in predicate.atoms() if isinstance(atom, Label) and atom.scope is scope]


def plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def raw_selector_text(selector: LabelSelector | None) -> str:
    """A selector in words."""
    from netlint.intent.describe import selector_text

    data: dict[str, Any] = {}
    if selector is not None:
        data = selector.model_dump(by_alias=True, exclude_none=True)
    return selector_text(data) or "all"
