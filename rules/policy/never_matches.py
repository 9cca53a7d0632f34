"""NET108: a selector or a rule that no pod can ever satisfy."""

from collections import Counter
from collections.abc import Iterator

from netlint.findings import Finding, Place, Severity
from netlint.intent.describe import clash_text
from netlint.intent.raw import value_at
from netlint.policy import Rule
from netlint.predicates import FALSE, And, Label, OfKind, Predicate
from netlint.resources.networking import NetworkPolicy
from netlint.resources.policy_k8s_io import AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule(
    "NET108",
    "never-matches",
    Severity.ERROR,
    reads=(NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy),
    needs=(NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy),
)
def never_matches(analysis: Analysis) -> Iterator[Finding]:
    """What the policy asks for contradicts itself: no pod that could ever exist satisfies it."""
    for policy in analysis.policy.policies.policies:
        if _suspicious(policy.subject) and analysis.policy.prover.never_matches(policy.subject):
            yield never_matches.finding(
                policy.subject_origin, f"no pod can ever satisfy this selector ({_clash(policy.subject_origin)})"
            )
            continue
        for rule_ in policy.rules:
            yield from _peers(analysis, rule_)


def _peers(analysis: Analysis, rule_: Rule) -> Iterator[Finding]:
    for peer in rule_.peers or ():
        if _suspicious(peer.predicate) and analysis.policy.prover.never_matches(peer.predicate):
            yield never_matches.finding(peer.origin, f"nothing can ever satisfy this peer ({_clash(peer.origin)})")


def _suspicious(predicate: Predicate) -> bool:
    """Whether it is worth asking: only tests of one label twice can contradict each other, or an empty one."""
    if isinstance(predicate, And) and all(isinstance(part, Label | OfKind) for part in predicate.parts):
        return False  # the parts of a conjunction test different labels
    tests = Counter((atom.scope, atom.key) for atom in predicate.atoms() if isinstance(atom, Label))
    return predicate == FALSE or any(count > 1 for count in tests.values())


def _clash(place: Place) -> str:
    return clash_text(value_at(place)) or "its parts contradict each other"
