"""Who is not let in by the policies of the DNS pods themselves."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from netlint.cluster import Workload
from netlint.findings import Place
from netlint.intent.dns import ClusterDns, Resolver
from netlint.intent.gaps import direction_place, most_specific, nearest_rule, peers_place, ports_place
from netlint.intent.names import resolves_services
from netlint.policy import Direction, Policy, Verdict
from netlint.predicates import Endpoint, EndpointKind
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis


@dataclass(slots=True)
class KeptOut:
    """The workloads that one field of a policy of the DNS pods keeps from asking, and what shows that some use names.
    `surely`: the policy speaks of queries, or no other that the input does not hold may admit them."""

    place: Place
    policy: Policy
    resolver: Resolver
    surely: bool = True
    workloads: list[Workload] = field(default_factory=list)
    names: dict[Workload, str] = field(default_factory=dict)


def kept_out(analysis: Analysis, dns: ClusterDns) -> Iterator[KeptOut]:
    """By field to change. Says nothing of denials that another policy, which the input does not hold, may complete."""
    guarded = [resolver for resolver in dns.known if _guards(analysis, resolver.endpoint)]
    found: dict[tuple[object, object], KeptOut] = {}
    for workload in analysis.cluster.workloads if guarded else ():
        if not resolves_services(workload):
            continue
        for resolver in guarded:
            stopped = _stopped(analysis, workload, resolver)
            if stopped is not None:
                policy, place, surely = stopped
                entry = found.setdefault((policy, place.path), KeptOut(place, policy, resolver, surely))
                entry.workloads.append(workload)
                name = analysis.intents.looked_up(workload)
                if name is not None:
                    entry.names[workload] = name
                break
    yield from found.values()


def _guards(analysis: Analysis, endpoint: Endpoint) -> tuple[Policy, ...]:
    """The policies that restrict who may ask an endpoint, where the input tells what they admit."""
    policies = analysis.policy.selected_by(endpoint, Direction.INGRESS) if endpoint.kind is EndpointKind.POD else ()
    whole = analysis.cluster.completeness.complete(NetworkPolicy, endpoint.namespace)
    return policies if whole or any(policy.rules_of(Direction.INGRESS) for policy in policies) else ()


def _stopped(analysis: Analysis, workload: Workload, resolver: Resolver) -> tuple[Policy, Place, bool] | None:
    """The policy that stops the queries over UDP of some pods of a workload, and the field to change."""
    sources = [
        source
        for source in analysis.policy.endpoints_of(workload)
        if source.kind is EndpointKind.POD and source.source is not resolver.endpoint.source
    ]
    for source in sources:
        side = analysis.policy.ingress(source, resolver.endpoint)
        if side.verdict("UDP", resolver.port) is not Verdict.DENIED:
            continue
        policies = _guards(analysis, resolver.endpoint)
        whole = analysis.cluster.completeness.complete(NetworkPolicy, resolver.endpoint.namespace)
        near = nearest_rule(policies, Direction.INGRESS, source, resolver.endpoint, "UDP", resolver.port)
        if near is not None:
            policy, rule, reason = near
            place = peers_place(rule) if reason == "peer" else ports_place(rule)
            return policy, place, whole or reason == "peer"
        policy_ = most_specific(policies)
        return (policy_, direction_place(policy_, Direction.INGRESS), whole) if policy_ is not None else None
    return None
