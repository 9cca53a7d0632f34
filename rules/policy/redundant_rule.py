"""NET109: a rule that the rest of the policies makes needless."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.policy import Action, Direction, Rule
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


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
            if not candidates or not analysis.policy.prover.rule_contained(rule_, candidates):
                continue
            needless.add(rule_)
            covering = analysis.policy.prover.covering(rule_, candidates)
            yield redundant_rule.finding(
                rule_.origin,
                "allows nothing that other rules do not allow anyway",
                related=[Related("allows it already", other.origin) for other in covering],
            )


def _may_contain(other: Rule, rule_: Rule) -> bool:
    """A cheap filter: a rule for fewer ports alone can never contain one for all."""
    return not (other.ports is not None and rule_.ports is None)
