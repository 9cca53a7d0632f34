"""NET104: one side's policy names the other side, whose own policy denies it."""

from collections.abc import Iterator

from netlint.cluster import Workload
from netlint.findings import Finding, Related, Severity
from netlint.intent import short
from netlint.intent.gaps import direction_place
from netlint.policy import Action, Direction, Policy, Rule, Verdict
from netlint.predicates import Endpoint, EndpointKind
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import network_policies, takes_all
from netlint.rules.registry import rule

_MOST_PAIRS = 50


@rule("NET104", "one-sided-flow", Severity.WARNING, reads=(NetworkPolicy,))
def one_sided_flow(analysis: Analysis) -> Iterator[Finding]:
    """One side's policy names the other side and its port, and the other side's policy denies the connection."""
    needed = {(stop.source.id, stop.destination.id) for stop in analysis.intents.gaps(analysis.policy).stops}
    for _, policy in network_policies(analysis):
        for rule_ in policy.rules:
            if rule_.action is not Action.ALLOW or rule_.ports is None or not rule_.peers:
                continue
            yield from _rule(analysis, policy, rule_, needed)


def _rule(analysis: Analysis, policy: Policy, rule_: Rule, needed: set[tuple[str, str]]) -> Iterator[Finding]:
    subjects = _pods(analysis, policy)
    for peer in rule_.peers or ():
        raw = _named(policy, peer.origin.path)
        if not raw:
            continue
        others = [e for e in analysis.policy.select(peer.predicate).certain if isinstance(e.source, Workload)]
        if len(others) * len(subjects) > _MOST_PAIRS:
            continue
        for subject in subjects:
            for other in others:
                ends = (other, subject) if rule_.direction is Direction.INGRESS else (subject, other)
                if subject is other or (ends[0].id, ends[1].id) in needed:
                    continue
                found = _denied(analysis, rule_, *ends)
                if found is not None:
                    yield found


def _denied(analysis: Analysis, rule_: Rule, source: Endpoint, destination: Endpoint) -> Finding | None:
    """The finding for one pair: on a port that the destination declares, open on this side and denied on the other."""
    for port in destination.ports:
        if not rule_.port_set.resolve(destination).contains(port.protocol, port.number):
            continue
        if analysis.policy.verdict(source, destination, port.protocol, port.number) is not Verdict.DENIED:
            return None
        explanation = analysis.policy.explain(source, destination, port.protocol, port.number)
        ingress = rule_.direction is Direction.INGRESS
        mine, theirs = (
            (explanation.ingress, explanation.egress) if ingress else (explanation.egress, explanation.ingress)
        )
        if mine.verdict is not Verdict.ALLOWED or theirs.verdict is not Verdict.DENIED or not theirs.selected_by:
            return None
        namespace = (source if ingress else destination).namespace or "default"
        bare = not any(policy.rules_of(theirs.direction) for policy in theirs.selected_by)
        if bare and not analysis.cluster.completeness.complete(NetworkPolicy, namespace):
            return None  # a default deny alone: what it is completed by may stand elsewhere
        blame = theirs.selected_by[0]
        verb = "admits" if ingress else "lets out to"
        end = source if ingress else destination
        return one_sided_flow.finding(
            direction_place(blame, theirs.direction),
            f"denies what policy {rule_.policy.namespace}/{rule_.policy.name} {verb}: "
            f"{_name(source)} to {_name(destination)}:{port.number}/{port.protocol}",
            related=[Related(f"names {_name(end)} and the port", rule_.origin)],
            help="a connection needs both: the sender's egress and the receiver's ingress",
        )
    return None


def _pods(analysis: Analysis, policy: Policy) -> list[Endpoint]:
    return [
        endpoint
        for endpoint in analysis.policy.select(policy.subject).certain
        if isinstance(endpoint.source, Workload) and endpoint.kind is EndpointKind.POD
    ]


def _named(policy: Policy, path: tuple[str | int, ...]) -> bool:
    """Whether a peer asks for certain pods, not for all of some namespace."""
    obj = policy.object
    assert isinstance(obj, NetworkPolicy)
    _, direction, index, _, number = path[:5]
    rules = obj.spec.ingress if direction == "ingress" else obj.spec.egress
    entry = (rules or [])[int(index)]
    found = getattr(entry, "from_", None) or getattr(entry, "to", None) or []
    return not takes_all(found[int(number)].pod_selector)


def _name(endpoint: Endpoint) -> str:
    return short(endpoint.source) if isinstance(endpoint.source, Workload) else endpoint.id
