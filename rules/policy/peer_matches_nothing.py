"""NET102: a peer whose selectors take no pod."""

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from netlint.cluster import Cluster, NamespaceInfo
from netlint.findings import Finding, Related, Severity
from netlint.intent.almost import slips
from netlint.predicates import NAME, Predicate
from netlint.predicates.near import edit_distance
from netlint.resources.core import Namespace
from netlint.resources.networking import NetworkPolicy, NetworkPolicyPeer
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import (
    has_workload,
    miss_text,
    peer_namespaces,
    peers,
    placed_peers,
    raw_selector_text,
    takes_all,
    wanted_values,
    workloads_with,
)
from netlint.rules.registry import rule

_ALWAYS_THERE = frozenset({"kube-system", "kube-public", "kube-node-lease", "openshift-dns", "openshift-ingress"})
_NAME_KEYS = frozenset({"name", "ns", "namespace", "kubernetes.io/name"})


@rule("NET102", "peer-matches-nothing", Severity.WARNING, reads=(NetworkPolicy,))
def peer_matches_nothing(analysis: Analysis) -> Iterator[Finding]:
    """A peer admits nobody: no namespace or no pod has the labels that it asks for."""
    for obj, path, peer in placed_peers(analysis):
        if peer.ip_block is not None or obj.rejects(*path):
            continue
        if peer.namespace_selector is not None and not takes_all(peer.namespace_selector):
            found = _namespaces(analysis, obj, peer, path)
            if found is not None:
                yield from found
                continue
        if takes_all(peer.pod_selector) or has_workload(analysis.cluster, obj, peer):
            continue
        policy = analysis.policy.policies.of(obj)
        rules = policy.rules if policy is not None else ()
        translated = next((p for r in rules for p in r.peers or () if p.origin.path == path), None)
        if translated is not None and not analysis.policy.selects_any(translated.predicate):
            yield from _pods(analysis, obj, peer, path, translated.predicate)


def _pods(
    analysis: Analysis, obj: NetworkPolicy, peer: NetworkPolicyPeer, path: tuple[str | int, ...], predicate: Predicate
) -> Iterator[Finding]:
    """What a peer that takes no pod was plainly meant to take."""
    near = slips(predicate, analysis.policy.missing_one_label(predicate))
    if near:
        yield peer_matches_nothing.finding(
            obj.at(*path, "podSelector"),
            f"this peer matches no pod: {miss_text(near[0])}",
            related=[
                Related(miss_text(miss), miss.endpoint.source.at_template("metadata", "labels"))  # type: ignore[attr-defined]
                for miss in near
            ],
        )
        return
    elsewhere = list(_only_elsewhere(analysis, obj, peer, path)) if peer.namespace_selector is None else []
    if not elsewhere and analysis.cluster.completeness.closed:
        where = f" of namespace {obj.namespace or 'default'}" if peer.namespace_selector is None else ""
        elsewhere = [
            peer_matches_nothing.finding(
                obj.at(*path, "podSelector"),
                f"no pod{where} has {raw_selector_text(peer.pod_selector)}",
                # such a label may be an invitation: whoever is to be let in puts it on
                severity=Severity.INFO,
            )
        ]
    yield from elsewhere


def _only_elsewhere(
    analysis: Analysis, obj: NetworkPolicy, peer: NetworkPolicyPeer, path: tuple[str | int, ...]
) -> Iterator[Finding]:
    """A podSelector alone means the policy's own namespace: say so where pods of another one have just these labels."""
    cluster = analysis.cluster
    own = obj.namespace or "default"
    if not wanted_values(peer.pod_selector) or not cluster.workloads_in(own):
        return
    meant = [workload for workload in workloads_with(cluster, peer.pod_selector) if workload.namespace != own]
    spaces = sorted({workload.namespace for workload in meant})
    if len(spaces) != 1:
        return
    beside = [each.peer for each in peers(obj) if each.path[2] == path[2] and each.peer.namespace_selector is not None]
    if any(spaces[0] in peer_namespaces(cluster, obj, each) for each in beside):
        return  # the namespace stands in a peer of its own: NET112, or let in as a whole
    yield peer_matches_nothing.finding(
        obj.at(*path, "podSelector"),
        f"no pod of namespace {own} has {raw_selector_text(peer.pod_selector)}, and a podSelector alone means that "
        f"namespace; {meant[0].namespace}/{meant[0].name} has it",
        severity=Severity.WARNING if cluster.completeness.holds_whole(own) else Severity.INFO,
        help=f"add to the same peer a namespaceSelector for {NAME}: {spaces[0]}",
        related=[Related("has these labels", meant[0].at_template("metadata", "labels"))],
    )


def _one_letter_off(value: str, names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if -2 < len(name) - len(value) < 2 and edit_distance(name, value, 2) == 1)


def _namespaces(
    analysis: Analysis, obj: NetworkPolicy, peer: NetworkPolicyPeer, path: tuple[str | int, ...]
) -> list[Finding] | None:
    """Findings about a namespaceSelector that no namespace of the input satisfies; None where one does."""
    cluster = analysis.cluster
    selector = peer.namespace_selector
    assert selector is not None
    known = cluster.namespaces
    if peer_namespaces(cluster, obj, peer):
        return None
    place = obj.at(*path, "namespaceSelector")
    wanted = dict(selector.match_labels or {})
    for part in selector.match_expressions or ():
        if part.operator == "In" and part.values and len(part.values) == 1:
            wanted[part.key] = part.values[0]
    for key, value in sorted(wanted.items()):
        info = known.get(value)
        if key == NAME and info is None and value in _ALWAYS_THERE:
            return []
        if key == NAME:
            near = [] if info else [name for name in _one_letter_off(value, known) if known[name].declared]
            if near and cluster.completeness.holds_whole(near[0]):
                return [
                    peer_matches_nothing.finding(
                        place, f"no namespace is called {value}; namespace {near[0]} differs by one letter"
                    )
                ]
            if info is None and cluster.completeness.closed:
                return [peer_matches_nothing.finding(place, f"no namespace is called {value}")]
            continue
        if info is None and key in _NAME_KEYS and value in _ALWAYS_THERE:
            return [
                peer_matches_nothing.finding(
                    place,
                    f"selects no namespace, unless somebody labels namespace {value} with {key}={value}",
                    severity=Severity.INFO,
                    help=f"select it by the label that the API server sets: {NAME}: {value}",
                )
            ]
        if info is None and key not in _NAME_KEYS and (meant := _mislabelled(cluster, key, value)) is not None:
            return [
                peer_matches_nothing.finding(
                    place,
                    f"no namespace has {key}={value}; namespace {meant.name} has {key}={meant.labels[key]}",
                    related=[Related(f"namespace {meant.name}", meant.declared.at("metadata", "labels", key))]
                    if meant.declared
                    else [],
                )
            ]
        if info is None or key in info.labels:
            continue
        declared = info.declared is not None and info.labels_known
        labels = f"{key}={value}"
        message = f"selects no namespace: namespace {value} "
        message += f"has no label {key}" if declared else f"gets the label {labels} from nobody in the input"
        related = [Related(f"namespace {value}", info.declared.at("metadata", "labels"))] if info.declared else []
        return [
            peer_matches_nothing.finding(
                place,
                message,
                severity=Severity.WARNING if declared else Severity.INFO,
                help=f"select it by the label that the API server sets: {NAME}: {value}",
                related=related,
            )
        ]
    if cluster.completeness.complete(Namespace) and _all_known(cluster):
        surely = cluster.completeness.closed and not any(_by_platform(key) for key in wanted)
        severity = Severity.WARNING if surely else Severity.INFO
        message = f"selects no namespace of the cluster: none has {raw_selector_text(selector)}"
        return [peer_matches_nothing.finding(place, message, severity=severity)]
    return []


_MISLABELLED: WeakKeyDictionary[Cluster, dict[tuple[str, str], NamespaceInfo | None]] = WeakKeyDictionary()


def _mislabelled(cluster: Cluster, key: str, value: str) -> NamespaceInfo | None:
    """The namespace that is plainly meant by a label: its value differs by one letter, and no namespace has the one
    that is asked for. Numbered values are of different things. Policies repeat each other's peers."""
    known = _MISLABELLED.setdefault(cluster, {})
    if (key, value) not in known:
        known[key, value] = _find_mislabelled(cluster, key, value)
    return known[key, value]


def _find_mislabelled(cluster: Cluster, key: str, value: str) -> NamespaceInfo | None:
    if len(value) < 5 or not value.isalpha() or cluster.labelled_namespaces.select({key: value}):
        return None
    for info in cluster.namespaces.values():
        found = info.labels.get(key, "")
        if info.declared is not None and found.isalpha() and edit_distance(found, value, 2) == 1:
            return info if cluster.completeness.holds_whole(info.name) else None
    return None


def _by_platform(key: str) -> bool:
    """Whether distributions put such labels on namespaces of theirs, which manifests seldom hold."""
    return key.partition("/")[0].endswith(("kubernetes.io", "k8s.io", "openshift.io"))


_ALL_KNOWN: WeakKeyDictionary[Cluster, bool] = WeakKeyDictionary()


def _all_known(cluster: Cluster) -> bool:
    """Whether the labels of all namespaces are known. Every peer asks."""
    if cluster not in _ALL_KNOWN:
        _ALL_KNOWN[cluster] = all(info.labels_known for info in cluster.namespaces.values())
    return _ALL_KNOWN[cluster]
