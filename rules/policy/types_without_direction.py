"""NET111: rules in a direction that policyTypes leaves out, or the other way round."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import subjects
from netlint.rules.registry import rule


@rule("NET111", "types-without-direction", Severity.WARNING, reads=(NetworkPolicy,))
def types_without_direction(analysis: Analysis) -> Iterator[Finding]:
    """policyTypes and the rules disagree, so the policy does something else than it says."""
    for policy in analysis.cluster.all(NetworkPolicy):
        if policy.rejects("spec", "policyTypes"):
            continue
        spec = policy.spec
        types = spec.policy_types
        if types:
            for word, rules in (("Ingress", spec.ingress), ("Egress", spec.egress)):
                if rules and word not in types:
                    yield types_without_direction.finding(
                        policy.at("spec", "policyTypes"),
                        f"the {word.lower()} rules are ignored: policyTypes does not list {word}",
                        help=f"add {word} to policyTypes, or drop spec.{word.lower()}",
                        related=[Related("ignored", policy.at("spec", word.lower()))],
                    )
            continue
        if spec.egress is not None and not spec.egress:
            yield types_without_direction.finding(
                policy.at("spec", "egress"),
                "an empty list of egress rules without policyTypes restricts no egress",
                help="to deny all egress, set policyTypes: [Egress] (with Ingress, where ingress is meant too)",
            )
        elif spec.egress and not spec.ingress and spec.ingress is None:
            yield from _ingress_too(analysis, policy)


def _ingress_too(analysis: Analysis, policy: NetworkPolicy) -> Iterator[Finding]:
    """Only egress rules and no policyTypes: the server adds Ingress, and all ingress is denied."""
    pods = [pod for pod in subjects(analysis.cluster, policy) if analysis.cluster.services_of(pod)]
    named = "egress" in policy.name.lower() and "ingress" not in policy.name.lower()
    if pods or named:
        served = f"; Services lead to {pods[0].namespace}/{pods[0].name}" if pods else ""
        yield types_without_direction.finding(
            policy.at("spec", "policyTypes"),
            f"has egress rules only, but without policyTypes it denies all ingress as well{served}",
            severity=Severity.WARNING if named and pods else Severity.INFO,
            help="set policyTypes: [Egress], or [Ingress, Egress] where no ingress is meant",
        )
