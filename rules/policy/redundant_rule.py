"""NET109: a rule that the rest of the policies makes needless."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.policy import Action, Direction, Rule
from netlint.predicates import AddressIn
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule

_SAMPLES = 5


@rule("NET109", "redundant-rule", Severity.INFO, reads=(NetworkPolicy,), group="pedantic")
def redundant_rule(analysis: Analysis) -> Iterator[Finding]:
    """The rule allows nothing that other rules for the same pods do not allow anyway, whatever pods come."""
    rules = [rule_ for rule_ in analysis.policy.policies.rules if rule_.action is Action.ALLOW]
    by_namespace: dict[tuple[str | None, Direction], list[Rule]] = {}
    for rule_ in rules:
        if isinstance(rule_.policy, NetworkPolicy):
            by_namespace.setdefault((rule_.policy.namespace, rule_.direction), []).append(rule_)
    for group in by_namespace.values():
        needless: set[Rule] = set()
        for rule_ in group:
            # two equal rules make each other needless: only one of them is to go
            others = [other for other in group if other is not rule_ and other not in needless]
            candidates = [other for other in others if _may_contain(other, rule_)]
            if not candidates or _admits_nobody(analysis, rule_) or _needed_here(analysis, rule_, candidates):
                continue
            if not analysis.policy.prover.rule_contained(rule_, candidates):
                continue
            covering = analysis.policy.prover.covering(rule_, candidates)
            if not covering:
                continue  # it matches nothing at all, which is another matter
            needless.add(rule_)
            yield redundant_rule.finding(
                rule_.origin,
                "allows nothing that other rules do not allow anyway",
                related=[Related("allows it already", other.origin) for other in covering],
            )


def _admits_nobody(analysis: Analysis, rule_: Rule) -> bool:
    """Whether all namespaces are known and nobody in them is a peer of the rule: then everything contains it."""
    if not analysis.policy.closed_namespaces or rule_.peers is None:
        return False
    if any(isinstance(atom, AddressIn) for atom in rule_.peer.atoms()):
        return False
    return not analysis.policy.select(rule_.peer)


def _needed_here(analysis: Analysis, rule_: Rule, candidates: list[Rule]) -> bool:
    """Whether two endpoints of the input show that the rule is no needless one: cheaper than a proof."""
    subjects = analysis.policy.select(rule_.subject).certain[:1]
    others = analysis.policy.select(rule_.peer).certain[:_SAMPLES] if rule_.peers is not None else ()
    for subject in subjects:
        for other in others:
            destination = subject if rule_.direction is Direction.INGRESS else other
            left = rule_.port_set.resolve(destination)
            for candidate in candidates:
                if candidate.subject.holds(subject) and candidate.peer.holds(other) is not False:
                    left = left - candidate.port_set.resolve(destination)
            if left:
                return True
    return False


def _may_contain(other: Rule, rule_: Rule) -> bool:
    """A cheap filter: a rule for fewer ports alone can never contain one for all."""
    return not (other.ports is not None and rule_.ports is None)
