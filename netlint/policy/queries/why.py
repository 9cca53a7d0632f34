"""One path, link by link: what lets a connection through or stops it, and where that is written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from netlint.cluster import Cluster, Workload
from netlint.policy import PolicyAnalysis
from netlint.policy.queries.mesh import mesh_notes
from netlint.policy.queries.reasons import Because, reasons_of
from netlint.policy.queries.resolve import Target
from netlint.policy.queries.services import Hop, service_hops
from netlint.predicates import ALL_ADDRESSES, ALL_TRAFFIC, Endpoint, EndpointKind, Scope, TrafficSet

ALLOWED, DENIED, PARTLY, UNKNOWN = "allowed", "denied", "partly", "unknown"
LINKS = ("ingress", "service", "endpoints", "egress", "ingress-policy", "cni")


@dataclass(frozen=True, slots=True)
class Link:
    """One of LINKS, and what it does to the connection."""

    link: str
    verdict: str
    because: tuple[Because, ...] = ()


@dataclass(frozen=True, slots=True)
class Why:
    """The answer. `verdict` is what happens; `policy_verdict` is what the policies declare, enforced or not."""

    cluster: str
    verdict: str
    policy_verdict: str
    source: Target
    destination: Target
    port: int | str | None
    protocol: str | None
    links: tuple[Link, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Tally:
    """The verdicts of one link over every pair of endpoints, and the reasons without repetition."""

    verdicts: list[str] = field(default_factory=list)
    because: dict[object, Because] = field(default_factory=dict)

    def add(self, verdict: str, because: Iterable[Because]) -> None:
        self.verdicts.append(verdict)
        self.note(because)

    def note(self, because: Iterable[Because]) -> None:
        for one in because:
            place = (id(one.place.source), one.place.path) if one.place else None
            self.because.setdefault((one.message, place), one)

    def link(self, name: str) -> Link:
        return Link(name, together(self.verdicts), tuple(self.because.values()))


def together(verdicts: Sequence[str]) -> str:
    """One word for several verdicts: they agree, or it is `partly`; nothing known is `unknown`."""
    distinct = set(verdicts)
    if len(distinct) == 1:
        return verdicts[0]
    if not distinct:
        return UNKNOWN
    if ALLOWED in distinct or PARTLY in distinct:
        return PARTLY
    return UNKNOWN


def why(
    cluster: Cluster,
    policy: PolicyAnalysis,
    source: Target,
    destination: Target,
    port: int | str | None,
    protocol: str | None,
) -> Why:
    """Follow a connection from `source` to `destination`.

    `port` is the pod's port, or the Service's where the destination is a Service; None asks about every port of the
    protocol, or about all traffic where that is None too.
    """
    links: list[Link] = []
    hops = [Hop(endpoint, port, protocol) for endpoint in destination.endpoints]
    if destination.service is not None:
        ahead, hops = service_links(cluster, policy, destination, port, protocol)
        links += ahead
    if source.endpoints and hops:
        walked = walk(cluster, policy, source.endpoints, hops)
        links += walked.links
        verdict, policy_verdict = walked.verdict, walked.policy_verdict
    else:
        verdict = policy_verdict = links[-1].verdict if links else UNKNOWN
    notes = (*source.notes, *destination.notes, *mesh_notes(cluster))
    return Why(cluster.name, verdict, policy_verdict, source, destination, port, protocol, tuple(links), notes)


def service_links(
    cluster: Cluster,
    policy: PolicyAnalysis,
    destination: Target,
    port: int | str | None,
    protocol: str | None,
    *,
    through_slices: bool = False,
) -> tuple[list[Link], list[Hop]]:
    """The links `service` and `endpoints` of a Service, and where the connection goes on (see `service_hops`)."""
    ahead, hops = service_hops(cluster, policy, destination, port, protocol, through_slices=through_slices)
    return [Link(name, verdict, tuple(Because(*one) for one in reasons)) for name, verdict, reasons in ahead], hops


@dataclass(frozen=True, slots=True)
class Walk:
    """The links `egress`, `ingress-policy` and `cni`: what the policies declare, and what happens."""

    links: tuple[Link, ...]
    policy_verdict: str
    verdict: str


def walk(cluster: Cluster, policy: PolicyAnalysis, starts: Sequence[Endpoint], hops: Sequence[Hop]) -> Walk:
    """From each start to each hop, of which there is at least one each."""
    egress, ingress = _Tally(), _Tally()
    declared = together([_follow(policy, start, hop, egress, ingress) for start in starts for hop in hops])
    cni, enforced = _cni(cluster)
    links = (egress.link("egress"), ingress.link("ingress-policy"), cni)
    return Walk(links, declared, declared if enforced else ALLOWED)


def walk_unseen(cluster: Cluster, policy: PolicyAnalysis, hops: Sequence[Hop], reason: Because) -> Walk:
    """The same from a pod or an address of which nothing is known, `reason` says why: what the policies around it let
    out is not known, and what the destination lets in only where it is the same for everybody."""
    unseen, ingress = _Tally(), _Tally()
    for hop in hops:
        for start in _anybody(policy):
            _follow(policy, start, hop, unseen, ingress)
    distinct = set(ingress.verdicts)
    let_in = distinct.pop() if len(distinct) == 1 else UNKNOWN
    inbound = Link("ingress-policy", let_in, tuple(ingress.because.values()))
    cni, enforced = _cni(cluster)
    declared = chain([UNKNOWN, let_in])
    links = (Link("egress", UNKNOWN, (reason,)), inbound, cni)
    return Walk(links, declared, declared if enforced else ALLOWED)


def _anybody(policy: PolicyAnalysis) -> tuple[Endpoint, ...]:
    """A pod with unknown labels of an unknown namespace, a pod on the network of any node, and every address."""
    ranges = policy.ranges
    pod = Endpoint(
        "a pod that is not in the input",
        EndpointKind.POD,
        addresses=ranges.pod_addresses(),
        open_scopes=frozenset(Scope),
        hypothetical=True,
    )
    host = replace(pod, id="a node that is not in the input", kind=EndpointKind.HOST, addresses=ranges.node_addresses())
    return (pod, host, *policy.parts(policy.address(ALL_ADDRESSES)))


def chain(verdicts: Iterable[str]) -> str:
    """The verdict of links that a connection passes one after the other: that of the weakest."""
    return max(verdicts, key=(ALLOWED, PARTLY, UNKNOWN, DENIED).index)


def _follow(policy: PolicyAnalysis, start: Endpoint, hop: Hop, egress: _Tally, ingress: _Tally) -> str:
    """The verdict for one pair; what each side said is added to its tally."""
    if start == hop.endpoint and isinstance(start.source, Workload) and start.source.kind == "Pod":
        reason = Because(f"{start.id} is one pod and always reaches itself: policies do not apply")
        egress.add(ALLOWED, (reason,))
        ingress.add(ALLOWED, (reason,))
        return ALLOWED
    if isinstance(hop.port, int) and hop.protocol is not None:
        explanation = policy.explain(start, hop.endpoint, hop.protocol, hop.port)
        egress.add(explanation.egress.verdict.value, reasons_of(explanation.egress, start, hop.endpoint))
        ingress.add(explanation.ingress.verdict.value, reasons_of(explanation.ingress, hop.endpoint, start))
        return explanation.verdict.value
    asked = _asked(hop)
    connection = policy.connection(start, hop.endpoint)
    for side, tally in ((policy.egress(start, hop.endpoint), egress), (policy.ingress(start, hop.endpoint), ingress)):
        tally.add(_share(side.allowed, side.unknown, asked), ())
    for protocol, port in _samples(connection.allowed, asked):
        explanation = policy.explain(start, hop.endpoint, protocol, port)
        egress.note(reasons_of(explanation.egress, start, hop.endpoint, f"{port}/{protocol}: "))
        ingress.note(reasons_of(explanation.ingress, hop.endpoint, start, f"{port}/{protocol}: "))
    return _share(connection.allowed, connection.unknown, asked)


def _asked(hop: Hop) -> TrafficSet:
    return ALL_TRAFFIC if hop.protocol is None else TrafficSet.of(hop.protocol)


def _share(allowed: TrafficSet, unknown: TrafficSet, asked: TrafficSet) -> str:
    if asked <= allowed:
        return ALLOWED
    if allowed & asked:
        return PARTLY
    return UNKNOWN if unknown & asked else DENIED


def _samples(allowed: TrafficSet, asked: TrafficSet) -> list[tuple[str, int]]:
    """A few ports that stand for the rest: the first of each stretch allowed, and one that is not."""
    samples: list[tuple[str, int]] = []
    denied = asked - allowed
    for traffic in (allowed & asked, denied):
        for protocol in ("TCP", "UDP", "SCTP"):
            stretches = traffic.ports(protocol)
            samples += [(protocol, first) for first, _ in stretches[:3]]
    return samples[:6]


def _cni(cluster: Cluster) -> tuple[Link, bool]:
    """The last link: whether anything enforces what is declared."""
    enforces = cluster.facts.enforces_network_policy
    evidence = tuple(Because(one.text, one.place) for one in enforces.evidence)
    name = cluster.facts.cni.value
    if enforces.value is False:
        what = f"{name} enforces no policy" if name else "nothing in this cluster enforces policies"
        return Link("cni", ALLOWED, (Because(f"{what}: what is declared has no effect"), *evidence)), False
    if enforces.value is True:
        return Link("cni", ALLOWED, (Because(f"{name or 'the network plugin'} enforces policies"), *evidence)), True
    return Link("cni", ALLOWED, (Because("the network plugin is not known; it is taken to enforce policies"),)), True
