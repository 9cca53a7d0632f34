"""From the one who asks for a URL to the program that listens for it."""

from collections.abc import Iterator

from netlint.cluster import Cluster, Workload
from netlint.intent.targets import pod_port
from netlint.intent.urls.entry import ALLOWED, DENIED, UNKNOWN, Because, Entry, agreed, together
from netlint.policy import PolicyAnalysis, Verdict
from netlint.policy.queries.expressions import ByUrl
from netlint.policy.queries.resolve import Target
from netlint.policy.queries.why import Link
from netlint.predicates import ALL_ADDRESSES, Endpoint, EndpointKind, TrafficSet
from netlint.resources.core import Service


def asking(cluster: Cluster, policy: PolicyAnalysis, source: Target, url: ByUrl, entry: Entry) -> Link:
    """Whether the request gets to the proxies of an entry, as part of the link `ingress`.

    Where policies stand against it, it may still come: from an address that is not the asker's own, through a balancer.
    """
    if not entry.proxies:
        return Link(
            "ingress", UNKNOWN, (Because(f"{entry.proxy_text}: whether {source.text} reaches it is not known"),)
        )
    enforced = cluster.facts.enforces_network_policy.value is not False
    links = [
        _reaches(policy, start, proxy, url, ports) if enforced else _freely(start, proxy)
        for proxy in entry.proxies
        for ports in [_Ports(cluster, proxy, url)]
        for start in source.endpoints
    ]
    if not links:
        return Link("ingress", UNKNOWN, (Because(f"{source.text} stands for nobody in the input"),))
    return Link(
        "ingress",
        together([one.verdict for one in links]),
        tuple(dict.fromkeys(b for one in links for b in one.because)),
    )


class _Ports:
    """The ports of a proxy's pods at which a request can arrive, and whether its address is kept on the way."""

    def __init__(self, cluster: Cluster, proxy: Workload, url: ByUrl) -> None:
        services = [one for one in cluster.services_of(proxy) if one.spec.type in ("LoadBalancer", "NodePort")]
        exact = {number for one in services for number in _ports_of(one, proxy, url)}
        declared = {port.number for port in proxy.ports if port.protocol == "TCP"}
        hosts = {
            port.number
            for port in proxy.ports
            if url.port in (port.host_port, port.number if proxy.host_network else 0)
        }
        # A controller that is exposed, and not at this port, is no guess at another one.
        self.numbers = sorted(exact or hosts or (() if services else declared))
        self.keeps_address = bool(services) and all(one.spec.external_traffic_policy == "Local" for one in services)


def _ports_of(service: Service, proxy: Workload, url: ByUrl) -> Iterator[int]:
    for port in service.spec.ports or ():
        if port.port == url.port and port.protocol in (None, "TCP"):
            number = pod_port(port, proxy)
            if number is not None:
                yield number


def _freely(start: Endpoint, proxy: Workload) -> Link:
    return Link("ingress", ALLOWED, (Because(f"{start.id} asks {proxy.id}: no policy is enforced"),))


def _reaches(policy: PolicyAnalysis, start: Endpoint, proxy: Workload, url: ByUrl, ports: _Ports) -> Link:
    verdicts = [
        _verdict(policy, start, end, number, url, ports.keeps_address)
        for end in policy.endpoints_of(proxy)
        if end is not start
        for number in ports.numbers
    ]
    if not ports.numbers:
        return Link("ingress", UNKNOWN, (Because(f"what sends port {url.port} to {proxy.id} is not in the input"),))
    verdict = agreed(verdicts) if verdicts else ALLOWED
    listed = ", ".join(map(str, ports.numbers))
    if verdict == ALLOWED:
        return Link("ingress", verdict, (Because(f"{start.id} may reach {proxy.id} at {listed}"),))
    if verdict == DENIED:
        return Link("ingress", verdict, (Because(f"policies keep {start.id} from {proxy.id} at {listed}"),))
    text = f"whether {start.id} reaches {proxy.id} at {listed} is not known: policies stand against it, or do not tell"
    return Link("ingress", verdict, (Because(text),))


def _verdict(
    policy: PolicyAnalysis, start: Endpoint, end: Endpoint, number: int, url: ByUrl, keeps_address: bool
) -> str:
    told = policy.explain(start, end, "TCP", number)
    if told.verdict is not Verdict.DENIED:
        return str(told.verdict.value)
    inside = start.kind in (EndpointKind.POD, EndpointKind.HOST)
    if told.egress.verdict is Verdict.DENIED:
        # Its own policies stop it, unless it gets to the balancer's address, which is not known.
        out = TrafficSet.of("TCP", url.port)
        open_ = [policy.egress(start, part) for part in policy.parts(policy.address(ALL_ADDRESSES))]
        return UNKNOWN if any(each.allowed & out or each.unknown & out for each in open_) else DENIED
    return DENIED if keeps_address and not inside else UNKNOWN
