"""NET111: rules in a direction that policyTypes leaves out, or the other way round."""

import re
from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import subjects
from netlint.rules.registry import rule

_PROGRAMS = re.compile(
    r"(?:nginx|istio|traefik|haproxy|contour|kong)-ingress|(?:in|e)gress-?(?:nginx|controller|gateway)"
)


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
            if "Egress" in types and spec.egress is None and spec.ingress and _speaks_of(policy, "ingress"):
                yield from _no_egress(analysis, policy)
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
    named = _speaks_of(policy, "egress")
    if pods or named:
        served = f"; Services lead to {pods[0].namespace}/{pods[0].name}" if pods else ""
        yield types_without_direction.finding(
            policy.at("spec", "policyTypes"),
            f"has egress rules only, but without policyTypes it denies all ingress as well{served}",
            severity=Severity.WARNING if named and pods else Severity.INFO,
            help="set policyTypes: [Egress], or [Ingress, Egress] where no ingress is meant",
        )


def _no_egress(analysis: Analysis, policy: NetworkPolicy) -> Iterator[Finding]:
    """Egress is listed and has no rules in a policy that is called one for ingress, and no other policy has some."""
    pods = subjects(analysis.cluster, policy)
    letting_out = (other for other in analysis.cluster.all(NetworkPolicy) if other.spec.egress)
    if any(pod in pods for other in letting_out for pod in subjects(analysis.cluster, other)):
        return
    yield types_without_direction.finding(
        policy.at("spec", "policyTypes"),
        "denies all egress as well: policyTypes lists Egress, and there are no egress rules",
        severity=Severity.INFO,
        help="drop Egress from policyTypes, or write egress: [] where that is meant",
    )


def _speaks_of(policy: NetworkPolicy, direction: str) -> bool:
    """Whether a policy's name names this direction and not the other one; an ingress controller is no direction."""
    other = "egress" if direction == "ingress" else "ingress"
    name = _PROGRAMS.sub("", policy.name.lower())
    return direction in name and other not in name
