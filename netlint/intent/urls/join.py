"""`netlint why FROM https://...`: the links from the one who asks to the pods that answer."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from netlint.cluster import Cluster
from netlint.intent.names import ServiceNames
from netlint.intent.raw import dig, entries, of_kind, text_at
from netlint.intent.urls.asking import asking
from netlint.intent.urls.entry import DENIED, UNKNOWN, Backend, Because, Entry, agreed, combined
from netlint.intent.urls.gateway import GatewayEntries, gateway_hosts
from netlint.intent.urls.ingress import IngressEntries, ingress_hosts
from netlint.intent.urls.matching import gateway_host
from netlint.intent.urls.spelling import readings
from netlint.policy import PolicyAnalysis
from netlint.policy.queries.expressions import ByUrl
from netlint.policy.queries.mesh import mesh_notes
from netlint.policy.queries.resolve import Target, behind
from netlint.policy.queries.why import LINKS, Link, Why, chain, service_links, walk, walk_unseen
from netlint.predicates import Endpoint
from netlint.resources import Manifest
from netlint.resources.gateway import HTTPRoute


@dataclass(frozen=True, slots=True)
class _Way:
    """One backend of one entry, followed to its pods."""

    links: tuple[Link, ...]
    verdict: str
    policy_verdict: str
    endpoints: tuple[Endpoint, ...] = ()


def why_url(cluster: Cluster, policy: PolicyAnalysis, source: Target, url: ByUrl) -> Why:
    """Follow a request of `source` for a URL: the link `ingress` first, then those of the Service and of the policies
    between the controller or proxy and the pods.

    The connection that reaches the pods is the proxy's; `source` only asks. Where the proxy is not in the input, what
    it may send is unknown.
    """
    answers = [_answer(cluster, policy, source, each) for each in readings(url)]
    first = replace(answers[0], destination=replace(answers[0].destination, expression=url))
    if len({(one.verdict, one.policy_verdict, one.destination.endpoints) for one in answers}) == 1:
        return first
    text = f"programs read {url.path} in different ways (slashes that follow each other, escaped characters)"
    because = dict.fromkeys(reason for one in answers for link in one.links[:1] for reason in link.because)
    link = Link("ingress", UNKNOWN, (Because(f"{text}, and so take different rules"), *because))
    return replace(first, verdict=UNKNOWN, policy_verdict=UNKNOWN, links=(link,), destination=Target(url, ()))


def _answer(cluster: Cluster, policy: PolicyAnalysis, source: Target, url: ByUrl) -> Why:
    names = ServiceNames(cluster)
    found = [*IngressEntries(cluster, names, url).entries(), *GatewayEntries(cluster, names, url).entries()]
    found = [entry for entry in found if entry.named] or found
    ways = [(entry, _ways(cluster, policy, source, url, entry)) for entry in found]
    if not any(entry.backends for entry in found):
        link = _unserved(cluster, url, found)
        links: tuple[Link, ...] = (link,)
        verdict = policy_verdict = link.verdict
        endpoints: tuple[Endpoint, ...] = ()
    else:
        links = tuple(_merged(ways))
        verdict = agreed(combined([way.verdict for way in each], entry.split) for entry, each in ways)
        policy_verdict = agreed(combined([way.policy_verdict for way in each], entry.split) for entry, each in ways)
        endpoints = tuple(dict.fromkeys(end for _, each in ways for way in each for end in way.endpoints))
    target = Target(url, endpoints)
    notes = (*source.notes, *mesh_notes(cluster))
    return Why(cluster.name, verdict, policy_verdict, source, target, url.port, "TCP", links, notes)


def _ways(cluster: Cluster, policy: PolicyAnalysis, source: Target, url: ByUrl, entry: Entry) -> list[_Way]:
    if not entry.backends:
        link = Link("ingress", entry.verdict, entry.because)
        return [_Way((link,), entry.verdict, entry.verdict)]
    asked = asking(cluster, policy, source, url, entry)
    return [_way(cluster, policy, entry, asked, backend) for backend in entry.backends]


def _way(cluster: Cluster, policy: PolicyAnalysis, entry: Entry, asked: Link, backend: Backend) -> _Way:
    routed = chain([entry.verdict, asked.verdict, backend.verdict])
    first = Link("ingress", routed, (backend.because, *entry.because, *asked.because))
    if backend.service is None:
        return _Way((first,), routed, routed)
    target = Target(ByUrl(""), behind(backend.service, cluster, policy), backend.service)
    ahead, hops = service_links(cluster, policy, target, backend.port, "TCP", through_slices=True)
    if not hops:
        verdict = chain([routed, *(link.verdict for link in ahead)])
        return _Way((first, *ahead), verdict, verdict)
    starts = [endpoint for proxy in entry.proxies for endpoint in policy.endpoints_of(proxy)]
    walked = (
        walk(cluster, policy, starts, hops)
        if starts
        else walk_unseen(cluster, policy, hops, Because(f"{entry.proxy_text}: what it may send is not known"))
    )
    before = [routed, *(link.verdict for link in ahead)]
    return _Way(
        (first, *ahead, *walked.links),
        chain([*before, walked.verdict]),
        chain([*before, walked.policy_verdict]),
        tuple(hop.endpoint for hop in hops),
    )


def _merged(ways: Sequence[tuple[Entry, list[_Way]]]) -> Iterator[Link]:
    """The links of the same name in one, with every reason once."""
    for name in LINKS:
        verdicts: list[str] = []
        because: dict[object, Because] = {}
        for entry, each in ways:
            links = [link for way in each for link in way.links if link.link == name]
            if links:
                verdicts.append(combined([link.verdict for link in links], entry.split))
            for reason in (one for link in links for one in link.because):
                place = (id(reason.place.source), reason.place.path) if reason.place else None
                because.setdefault((reason.message, place), reason)
        if verdicts:
            if name == "ingress" and len(ways) > 1:
                text = (
                    f"{', '.join(entry.name for entry, _ in ways)} have it: which of them the host's address leads to"
                )
                because[None] = Because(f"{text} is not in the input")
            yield Link(name, agreed(verdicts), tuple(because.values()))


def _unserved(cluster: Cluster, url: ByUrl, found: Sequence[Entry]) -> Link:
    """Nothing serves the URL: what comes near."""
    if found:
        because = dict.fromkeys(reason for entry in found for reason in entry.because)
        return Link("ingress", agreed(entry.verdict for entry in found), tuple(because))
    verdict = DENIED if cluster.world == "closed" else UNKNOWN
    refused = list(_refused(cluster, url))
    near = "" if refused else _nearest(cluster, url)
    reasons = [Because(f"no Ingress or Gateway of the input serves {url.host}{near}"), *refused]
    others = list(_others(cluster, url))
    if others:
        verdict = UNKNOWN
    return Link("ingress", verdict, (*reasons, *others))


def _nearest(cluster: Cluster, url: ByUrl) -> str:
    hosts = sorted({*ingress_hosts(cluster), *gateway_hosts(cluster)})
    if not hosts:
        return ": it holds none that names a host"
    near = get_close_matches(url.host, hosts, n=3, cutoff=0.6)
    if near:
        return f"; nearest: {', '.join(near)}"
    return f"; it holds {', '.join(hosts[:3])}{' ...' if len(hosts) > 3 else ''}"


def _refused(cluster: Cluster, url: ByUrl) -> Iterator[Because]:
    """Routes that name the host and that no listener takes."""
    for route in cluster.all(HTTPRoute):
        if any(gateway_host(url.host, name) for name in route.spec.hostnames or ()):
            text = f"{route.ref} names the host, but no listener of its Gateway takes it for {url.scheme}"
            advice = "see the listeners' hostname, protocol and allowedRoutes"
            yield Because(f"{text}: {advice}", route.at("spec", "hostnames"))


def _others(cluster: Cluster, url: ByUrl) -> Iterator[Because]:
    """Objects of other kinds that name the host: they are not read by URL."""
    for manifest, hosts in _other_hosts(cluster):
        if any(gateway_host(url.host, host) for host in hosts):
            yield Because(f"{manifest.ref} names the host; its kind is not followed by URL")


def _other_hosts(cluster: Cluster) -> Iterator[tuple[Manifest, Iterable[str]]]:
    for manifest in of_kind(cluster, "route.openshift.io", "Route"):
        yield manifest, [text_at(manifest.raw, "spec", "host") or ""]
    for manifest in of_kind(cluster, "projectcontour.io", "HTTPProxy"):
        yield manifest, [text_at(manifest.raw, "spec", "virtualhost", "fqdn") or ""]
    for manifest in of_kind(cluster, "networking.istio.io", "VirtualService"):
        listed = dig(manifest.raw, "spec", "hosts")
        yield manifest, [host for host in listed if isinstance(host, str)] if isinstance(listed, list) else []
    for group in ("traefik.io", "traefik.containo.us"):
        for manifest in of_kind(cluster, group, "IngressRoute"):
            rules = [text_at(route, "match") or "" for _, route in entries(manifest.raw, "spec", "routes")]
            yield manifest, [part for rule in rules for part in rule.split("`")[1::2]]
