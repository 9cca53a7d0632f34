"""What the configuration asserts, asked of the policies for every pod that could exist."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from netlint.cluster import Cluster, Workload
from netlint.cluster.config import Assertion, FlowSettings
from netlint.findings import Witness
from netlint.intent.exposure import chains
from netlint.intent.targets import pod_port, service_ports
from netlint.policy import PolicyAnalysis
from netlint.policy.queries.expressions import (
    ByAddress,
    ByLabels,
    ByName,
    Expression,
    ExpressionError,
    Internet,
    parse_endpoint,
    parse_port,
)
from netlint.policy.queries.resolve import resolve
from netlint.predicates import (
    NAME,
    AddressIn,
    AddressSet,
    Endpoint,
    EndpointKind,
    Label,
    OfKind,
    Predicate,
    Scope,
    TrafficSet,
    Values,
    all_of,
    any_of,
    negate,
    selector,
)
from netlint.resources.core import Service, ServicePort

_HOPS = "hops goes with deny, from: internet, and no port"


@dataclass(frozen=True, slots=True)
class Checked:
    """An assertion that fails (`witness`) or cannot be decided (`reason`). `key` is the part of it that is meant."""

    key: str
    witness: Witness | None = None
    reason: str = ""


def check(cluster: Cluster, policy: PolicyAnalysis, assertion: Assertion) -> Iterator[Checked]:
    """What is wrong with an assertion: nothing where it holds for every pod that could exist."""
    try:
        if assertion.isolated is not None:
            yield from _isolated(cluster, policy, assertion.isolated.by)
        if assertion.allow is not None and assertion.allow.hops:
            raise ExpressionError(_HOPS)
        if assertion.allow is not None:
            yield from _flow(cluster, policy, "allow", assertion.allow)
        if assertion.deny is not None and assertion.deny.hops:
            yield from _no_chain(cluster, policy, assertion.deny)
        elif assertion.deny is not None:
            yield from _flow(cluster, policy, "deny", assertion.deny)
    except ExpressionError as error:
        key = "allow" if assertion.allow else "deny" if assertion.deny else "isolated"
        yield Checked(key, reason=str(error))


def _flow(
    cluster: Cluster, policy: PolicyAnalysis, verdict: Literal["allow", "deny"], flow: FlowSettings
) -> Iterator[Checked]:
    sources, destinations = _ends(flow.from_, cluster, policy), list(_destinations(cluster, policy, verdict, flow))
    for source in sources:
        for destination, traffic in destinations:
            yield from _ask(policy, verdict, verdict, source, destination, traffic)


def _destinations(
    cluster: Cluster, policy: PolicyAnalysis, verdict: Literal["allow", "deny"], flow: FlowSettings
) -> Iterator[tuple[Predicate, TrafficSet]]:
    """The ends that may be reached, each with the traffic that is meant. A port of a Service is that of its pods behind
    it; without one, `allow` means all that the Service offers, `deny` all that its pods do."""
    expression = parse_endpoint(flow.to)
    if not (isinstance(expression, ByName) and expression.is_service) or (verdict == "deny" and flow.port is None):
        traffic = _traffic(flow.port)
        yield from ((destination, traffic) for destination in _ends(flow.to, cluster, policy))
        return
    found = resolve(expression, cluster, policy)
    assert found.service is not None
    for port in _offered(found.service, flow.port):
        for endpoint in found.endpoints:
            number = pod_port(port, endpoint.source) if isinstance(endpoint.source, Workload) else None
            if number is not None:
                yield _exactly(endpoint), TrafficSet.of(port.protocol or "TCP", number)


def _offered(service: Service, wanted: int | str | None) -> list[ServicePort]:
    """The ports of a Service that an assertion speaks of, by number or name; all where it names none."""
    ports = service_ports(service)
    if wanted is None:
        return list(ports)
    number, protocol = parse_port(str(wanted))
    found = [
        port
        for port in ports
        if (port.name == number if isinstance(number, str) else number in (None, port.port))
        and (port.protocol or "TCP") == protocol
    ]
    if not found:
        offered = ", ".join(f"{port.port}/{port.protocol or 'TCP'}" for port in ports)
        raise ExpressionError(f"Service {service.namespace}/{service.name} has no port {wanted}; it has {offered}")
    return found


def _no_chain(cluster: Cluster, policy: PolicyAnalysis, flow: FlowSettings) -> Iterator[Checked]:
    """That no chain of connections leads from the internet to the workloads of the input that are meant."""
    if flow.from_ != "internet" or flow.port is not None:
        raise ExpressionError(_HOPS)
    meant = _ends(flow.to, cluster, policy)
    for chain in chains(cluster, policy):
        ends = policy.endpoints_of(chain.workload)
        if any(predicate.holds(endpoint) for predicate in meant for endpoint in ends):
            source: dict[str, object] = {"address": "internet"}
            destination: dict[str, object] = {"namespace": chain.workload.namespace, "name": chain.workload.name}
            yield Checked("deny", Witness(source, destination, None, None, f"{chain} by {len(chain.hops)} steps"))


def _ask(
    policy: PolicyAnalysis,
    verdict: Literal["allow", "deny"],
    key: Literal["allow", "deny", "isolated"],
    source: Predicate,
    destination: Predicate,
    traffic: TrafficSet,
) -> Iterator[Checked]:
    answer = policy.prover.always(verdict, source, destination, traffic)
    if not answer:
        witness = getattr(answer, "witness", None)
        yield Checked(key, witness, "" if witness else str(getattr(answer, "reason", "the proof was too long")))


def _traffic(port: int | str | None) -> TrafficSet:
    if port is None:
        return TrafficSet.of("TCP") | TrafficSet.of("UDP") | TrafficSet.of("SCTP")
    first, dash, last = str(port).partition("/")[0].partition("-")
    protocol = str(port).partition("/")[2].upper() or "TCP"
    if dash and first.isdigit() and last.isdigit():
        return TrafficSet.of(protocol, int(first), int(last))
    number, protocol = parse_port(str(port))
    if isinstance(number, str):
        raise ExpressionError(f"port {number!r} of an assertion must be a number")
    return TrafficSet.of(protocol) if number is None else TrafficSet.of(protocol, number)


def _ends(text: str, cluster: Cluster, policy: PolicyAnalysis) -> list[Predicate]:
    """An endpoint expression as predicates over endpoints that could exist."""
    expression: Expression = parse_endpoint(text)
    match expression:
        case ByLabels():
            return [_pods(expression)]
        case ByAddress():
            return [all_of(OfKind([EndpointKind.EXTERNAL]), AddressIn(AddressSet.parse(expression.block)))]
        case Internet():
            internet = policy.internet()
            return [all_of(OfKind([EndpointKind.EXTERNAL]), AddressIn(internet.addresses))]
        case ByName():
            return [_exactly(endpoint) for endpoint in resolve(expression, cluster, policy).endpoints]
    raise ExpressionError(f"{text!r}: an assertion names pods, workloads, Services, addresses or the internet")


def _pods(expression: ByLabels) -> Predicate:
    parts: list[Predicate] = [OfKind([EndpointKind.POD]), selector(expression.labels)]
    if expression.namespace is not None:
        parts.append(Label(Scope.NAMESPACE, NAME, Values.one_of(expression.namespace)))
    elif expression.namespace_labels:
        parts.append(selector(expression.namespace_labels, scope=Scope.NAMESPACE))
    return all_of(*parts)


def _exactly(endpoint: Endpoint) -> Predicate:
    """A predicate for one endpoint of the input: its kind, namespace and labels."""
    parts: list[Predicate] = [OfKind([endpoint.kind])]
    if endpoint.namespace is not None:
        parts.append(Label(Scope.NAMESPACE, NAME, Values.one_of(endpoint.namespace)))
    parts += [Label(Scope.POD, key, Values.one_of(value)) for key, value in sorted(endpoint.labels.items())]
    return all_of(*parts)


def _isolated(cluster: Cluster, policy: PolicyAnalysis, key: str) -> Iterator[Checked]:
    """No traffic between namespaces that differ in a label: asked for each value that some namespace has."""
    values = sorted({info.labels[key] for info in cluster.namespaces.values() if key in info.labels})
    if not values:
        yield Checked("isolated", reason=f"no namespace of the input has the label {key}")
        return
    everything = TrafficSet.of("TCP") | TrafficSet.of("UDP") | TrafficSet.of("SCTP")
    for value in values:
        mine = Label(Scope.NAMESPACE, key, Values.one_of(value))
        others = any_of(Label(Scope.NAMESPACE, key, ~Values.one_of(value)))
        pods = OfKind([EndpointKind.POD])
        found = list(
            _ask(policy, "deny", "isolated", all_of(pods, negate(mine), others), all_of(pods, mine), everything)
        )
        if found:
            yield found[0]
            return
