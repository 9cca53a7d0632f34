"""NET121: all addresses of one family in a cluster that has both."""

import ipaddress
from collections.abc import Iterator, Sequence

from netlint.findings import Finding, Severity
from netlint.resources.core import Service
from netlint.resources.networking import NetworkPolicy, NetworkPolicyPeer
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule

_WHOLE = {4: "0.0.0.0/0", 6: "::/0"}


@rule("NET121", "one-family-open", Severity.WARNING, reads=(NetworkPolicy, Service), needs=(NetworkPolicy,))
def one_family_open(analysis: Analysis) -> Iterator[Finding]:
    """The rule means every address and names those of one family, but the cluster has both."""
    why = _dual_stack(analysis)
    if why is None:
        return
    for policy in analysis.cluster.all(NetworkPolicy):
        yield from _direction(policy, "ingress", [rule_.from_ or () for rule_ in policy.spec.ingress or ()], why)
        yield from _direction(policy, "egress", [rule_.to or () for rule_ in policy.spec.egress or ()], why)


def _direction(
    policy: NetworkPolicy, direction: str, rules: Sequence[Sequence[NetworkPolicyPeer]], why: str
) -> Iterator[Finding]:
    named = {peer.ip_block.cidr for peers in rules for peer in peers if peer.ip_block}
    for index, peers in enumerate(rules):
        for number, peer in enumerate(peers):
            for mine, other in ((4, 6), (6, 4)):
                if peer.ip_block and peer.ip_block.cidr == _WHOLE[mine] and _WHOLE[other] not in named:
                    side = "from" if direction == "ingress" else "to"
                    yield one_family_open.finding(
                        policy.at("spec", direction, index, side, number, "ipBlock", "cidr"),
                        f"{_WHOLE[mine]} is every IPv{mine} address; {why}, and IPv{other} stays denied",
                        help=f"add an ipBlock for {_WHOLE[other]}",
                    )


def _dual_stack(analysis: Analysis) -> str | None:
    """What shows that pods have addresses of both families."""
    ranges = analysis.cluster.facts.pod_cidrs.value or ()
    versions = set()
    for text in ranges:
        try:
            versions.add(ipaddress.ip_network(text, strict=False).version)
        except ValueError:
            continue
    if versions == {4, 6}:
        return "the pod ranges are of both families"
    if versions:
        return None
    for service in analysis.cluster.all(Service):
        if service.spec.ip_family_policy == "RequireDualStack":
            return f"Service {service.name} requires both families"
    return None
