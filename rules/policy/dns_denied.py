"""NET105: egress is restricted and the cluster's DNS cannot be reached."""

from collections.abc import Iterator

from netlint.cluster import Workload
from netlint.findings import Finding, Place, Related, Severity
from netlint.intent import Flow, short
from netlint.intent.dns import ClusterDns, DnsAnswer
from netlint.intent.gaps import direction_place, most_specific, peers_place
from netlint.policy import Action, Direction, Policy, Rule
from netlint.predicates import Endpoint, EndpointKind, Label
from netlint.resources.core import Service
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._dns_pods import KeptOut, kept_out
from netlint.rules.registry import rule

_ALLOW_DNS = """add to spec.egress:
- to:
  - namespaceSelector:
      matchLabels:
        kubernetes.io/metadata.name: {namespace}
    podSelector:
      matchLabels:
        {label}
  ports:
  - port: {port}
    protocol: UDP
  - port: {port}
    protocol: TCP"""


@rule("NET105", "dns-denied", Severity.ERROR, reads=(NetworkPolicy, Service), needs=(NetworkPolicy,))
def dns_denied(analysis: Analysis) -> Iterator[Finding]:
    """Pods may not ask the cluster's DNS: every connection that they open by name fails at the lookup."""
    dns = ClusterDns(analysis.cluster, analysis.policy)
    seen: dict[tuple[int, tuple[str | int, ...]], tuple[Finding, list[str]]] = {}
    for workload in analysis.cluster.workloads:
        for endpoint in analysis.policy.endpoints_of(workload):
            if endpoint.kind is not EndpointKind.POD:
                continue
            policies = analysis.policy.selected_by(endpoint, Direction.EGRESS)
            answer = dns.answer(workload, endpoint) if policies else None
            found = _finding(analysis, dns, workload, policies, answer) if answer else None
            if found is not None and found.place is not None:
                key = (id(found.place.source), found.place.path)
                known = seen.get(key)
                if known is None or found.severity.rank > known[0].severity.rank:
                    seen[key] = (found, [*(known[1] if known else ()), short(workload)])
                else:
                    known[1].append(short(workload))
    for found, names in seen.values():
        yield found if len(names) == 1 else _for_several(found, names)
    for entry in kept_out(analysis, dns):
        yield _kept_out(entry)


def _kept_out(entry: KeptOut) -> Finding:
    """The finding for those that the policies of the DNS pods do not let in."""
    asking = sorted(entry.workloads, key=lambda workload: workload not in entry.names)
    first = asking[0]
    policy = f"policy {entry.policy.namespace}/{entry.policy.object.name}"
    message = (
        f"{short(first)} may not ask the cluster's DNS: {policy} does not let it in to {entry.resolver.text} "
        f"on {entry.resolver.port}/UDP"
    )
    if first in entry.names:
        message += f"; it needs names ({entry.names[first]})"
    found = dns_denied.finding(
        entry.place,
        message,
        severity=Severity.ERROR if entry.names and entry.surely else Severity.WARNING,
        help="let every namespace in that asks: a peer namespaceSelector: {} with ports 53/UDP and 53/TCP of the pods",
    )
    return found if len(asking) == 1 else _for_several(found, [short(workload) for workload in asking])


def _for_several(found: Finding, names: list[str]) -> Finding:
    others = f"; the same for {', '.join(names[1:4])}" + (" and others" if len(names) > 4 else "")
    return dns_denied.finding(
        found.place, found.message + others, severity=found.severity, help=found.help, related=found.related
    )


def _finding(
    analysis: Analysis, dns: ClusterDns, workload: Workload, policies: tuple[Policy, ...], answer: DnsAnswer
) -> Finding | None:
    if answer.udp is False:
        return _denied(analysis, dns, workload, policies, answer)
    if answer.udp is True and answer.tcp is False:
        return _datagrams_only(workload, policies)
    return None


def _denied(
    analysis: Analysis, dns: ClusterDns, workload: Workload, policies: tuple[Policy, ...], answer: DnsAnswer
) -> Finding | None:
    name = analysis.intents.looked_up(workload)
    rules = [rule_ for policy in policies for rule_ in policy.rules_of(Direction.EGRESS)]
    if name is None and not any(_names_pods(rule_) for rule_ in rules):
        return None  # nothing shows that it needs more than the addresses it is let out to, if any
    place, reason = _where(dns, policies, answer)
    why = f"it needs names ({name})" if name else "its policy lets it out to pods, which it can hardly find without"
    return dns_denied.finding(
        place,
        f"{short(workload)} cannot ask the cluster's DNS: {reason}; {why}",
        severity=Severity.ERROR if name else Severity.WARNING,
        help=_help(dns, answer),
        related=_evidence(analysis.intents.flow_by_name(workload)),
    )


def _names_pods(rule_: Rule) -> bool:
    """Whether a rule lets out to certain pods or namespaces: their addresses are in no manifest."""
    return any(isinstance(atom, Label) for peer in rule_.peers or () for atom in peer.predicate.atoms())


def _where(dns: ClusterDns, policies: tuple[Policy, ...], answer: DnsAnswer) -> tuple[Place, str]:
    """The field to change, and what is wrong with it."""
    rules = [r for p in policies for r in p.rules_of(Direction.EGRESS) if r.action is Action.ALLOW]
    target = answer.resolvers[0]
    for rule_ in rules:
        number = _service_port_entry(rule_, target.endpoint, target.port)
        if number is not None and answer.known and (rule_.peers is None or rule_.peer.holds(target.endpoint)):
            place = rule_.ports[number].origin if rule_.ports else rule_.origin
            return _port(place), f"port 53 is the Service's, {target.text} listens on {target.port}"
    for rule_ in rules:
        if rule_.ports is not None and rule_.peers and _opens(rule_, target.endpoint, target.port):
            return peers_place(rule_), f"no peer of the rule for port {target.port} takes in {target.text}"
    policy = most_specific(policies)
    assert policy is not None
    return direction_place(policy, Direction.EGRESS), f"no egress rule takes in {target.text} on {target.port}/UDP"


def _port(place: Place) -> Place:
    return Place(place.source, (*place.path, "port"))


def _service_port_entry(rule_: Rule, endpoint: Endpoint, port: int) -> int | None:
    """The entry that opens 53 where the DNS pods listen on another port."""
    if port == 53 or rule_.ports is None:
        return None
    for index, entry in enumerate(rule_.ports):
        traffic = entry.ports.resolve(endpoint)
        if traffic.contains("UDP", 53) and not traffic.contains("UDP", port):
            return index
    return None


def _opens(rule_: Rule, endpoint: Endpoint, port: int) -> bool:
    return rule_.port_set.resolve(endpoint).contains("UDP", port)


def _help(dns: ClusterDns, answer: DnsAnswer) -> str:
    target = answer.resolvers[0]
    if target.endpoint.kind is not EndpointKind.POD:
        block = f"- to:\n  - ipBlock:\n      cidr: {target.endpoint.id.partition('/')[0]}/32\n  ports:\n"
        return f"add to spec.egress:\n{block}  - port: 53\n    protocol: UDP\n  - port: 53\n    protocol: TCP"
    if answer.known:
        labels = sorted(target.endpoint.labels.items())
        namespace = target.endpoint.namespace
        return _ALLOW_DNS.format(namespace=namespace, label=": ".join(labels[0]), port=target.port)
    if dns.openshift:
        label = "dns.operator.openshift.io/daemonset-dns: default"
        return _ALLOW_DNS.format(namespace="openshift-dns", label=label, port=5353)
    return _ALLOW_DNS.format(namespace="kube-system", label="k8s-app: kube-dns", port=53)


def _evidence(flow: Flow | None) -> list[Related]:
    return [Related(f"needed: {flow} ({e.text})", e.place) for e in flow.evidence[:1]] if flow else []


def _datagrams_only(workload: Workload, policies: tuple[Policy, ...]) -> Finding | None:
    for policy in policies:
        for rule_ in policy.rules_of(Direction.EGRESS):
            if rule_.ports and any(entry.ports.traffic.contains("UDP", 53) for entry in rule_.ports):
                return dns_denied.finding(
                    Place(rule_.origin.source, (*rule_.origin.path, "ports")),
                    f"{short(workload)} may ask the DNS over UDP but not over TCP: long answers, which are asked for "
                    "again over TCP, get lost",
                    severity=Severity.INFO,
                    help="add to the ports:\n- port: 53\n  protocol: TCP",
                )
    return None
