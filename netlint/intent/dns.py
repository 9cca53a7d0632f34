"""Whether pods under an egress policy can still ask the cluster's DNS, and where that DNS listens."""

import ipaddress
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from netlint.cluster import Cluster, Workload
from netlint.intent.names import resolves_services
from netlint.intent.targets import pod_port, service_ports
from netlint.intent.texts import mentioned
from netlint.policy import PolicyAnalysis, Verdict
from netlint.predicates import Endpoint, EndpointKind
from netlint.resources.core import Service

_DNS_LABELS: tuple[dict[str, str], ...] = (
    {"k8s-app": "kube-dns"},
    {"k8s-app": "kube-dns", "app.kubernetes.io/name": "coredns", "app.kubernetes.io/instance": "coredns"},
    {"k8s-app": "coredns", "app.kubernetes.io/name": "coredns", "app.kubernetes.io/instance": "coredns"},
    {"k8s-app": "kube-dns", "app.kubernetes.io/name": "rke2-coredns", "app.kubernetes.io/instance": "rke2-coredns"},
)
OPENSHIFT_LABELS = {"dns.operator.openshift.io/daemonset-dns": "default"}
NODE_LOCAL_ADDRESSES = ("169.254.20.10", "169.254.25.10", "169.254.10.10", "169.254.10.11")


@dataclass(frozen=True, slots=True)
class Resolver:
    """One place that answers DNS queries: an endpoint and the port that packets carry when they arrive there;
    `tcp_port` is that of TCP where it is another."""

    endpoint: Endpoint
    port: int
    text: str
    tcp_port: int | None = None

    def port_of(self, protocol: str) -> int:
        return self.tcp_port if protocol == "TCP" and self.tcp_port is not None else self.port


@dataclass(frozen=True, slots=True)
class DnsAnswer:
    """What a workload can reach. `known`: the resolvers are those of the cluster, not guesses at the usual ones.

    None stands for: cannot be told.
    """

    udp: bool | None
    tcp: bool | None
    known: bool
    resolvers: tuple[Resolver, ...]


class ClusterDns:
    """The DNS of one cluster, as far as the input and the configuration tell."""

    def __init__(self, cluster: Cluster, policy: PolicyAnalysis) -> None:
        self.cluster = cluster
        self.policy = policy

    @cached_property
    def service(self) -> Service | None:
        """The Service of the cluster's DNS, where it is in the input."""
        fact = self.cluster.facts.cluster_dns.value
        names = []
        if fact is not None and fact.service:
            namespace, _, name = fact.service.partition("/")
            names.append((namespace, name))
        names += [("kube-system", "kube-dns"), ("openshift-dns", "dns-default"), ("kube-system", "coredns")]
        for namespace, name in names:
            service = self.cluster.get(Service, namespace, name)
            if service is not None:
                return service
        return None

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """The addresses that pods are told to ask."""
        fact = self.cluster.facts.cluster_dns.value
        return tuple(fact.addresses) if fact is not None else ()

    @cached_property
    def openshift(self) -> bool:
        return self.cluster.facts.distribution.value == "openshift"

    @cached_property
    def known(self) -> tuple[Resolver, ...]:
        """The resolvers that the input and the configuration name; empty where they name none."""
        local = [address for address in self.addresses if _is_link_local(address)]
        if local:
            return tuple(
                Resolver(self.policy.address(address), 53, f"the node-local DNS cache at {address}")
                for address in local
            )
        cached = list(_node_local_addresses(self.cluster))
        if cached:
            return tuple(
                Resolver(self.policy.address(address), 53, f"the node-local DNS cache at {address}")
                for address in cached
            )
        return tuple(self._behind_service())

    def _behind_service(self) -> Iterator[Resolver]:
        for workload in self.cluster.workloads_of(self.service) if self.service else ():
            ports: dict[str, int] = {}
            for port in service_ports(self.service) if self.service else ():
                number = pod_port(port, workload) if port.port == 53 else None
                if number is not None:
                    ports.setdefault(port.protocol or "TCP", number)
            if ports:
                own = ports.get("UDP", ports.get("TCP", 53))
                other = ports.get("TCP", own)
                for endpoint in self.policy.endpoints_of(workload):
                    text = f"{workload.namespace}/{workload.name}"
                    yield Resolver(endpoint, own, text, other if other != own else None)

    @cached_property
    def usual(self) -> tuple[Resolver, ...]:
        """Where the DNS of clusters usually is; used where the input does not tell."""
        found = []
        if not self.openshift:
            pods = [self._pod("kube-system", labels) for labels in _DNS_LABELS]
            found += [Resolver(pod, 53, "kube-system/kube-dns") for pod in pods]
        found.append(Resolver(self._pod("openshift-dns", OPENSHIFT_LABELS), 5353, "openshift-dns/dns-default"))
        if not self.openshift:
            addresses = dict.fromkeys((*NODE_LOCAL_ADDRESSES, *self.addresses))
            found += [Resolver(self.policy.address(address), 53, address) for address in addresses]
            external = (e for e in self.policy.endpoints if e.kind is EndpointKind.EXTERNAL)
            found += [Resolver(endpoint, 53, endpoint.id) for endpoint in external]
        return tuple(found)

    def _pod(self, namespace: str, labels: dict[str, str]) -> Endpoint:
        return self.policy.pod(namespace, labels, ports=())

    def answer(self, workload: Workload, source: Endpoint) -> DnsAnswer | None:
        """What the pods of a workload can reach; None for pods that do not ask the cluster's DNS."""
        if not resolves_services(workload):
            return None
        if self.known:
            return DnsAnswer(self._all(source, "UDP"), self._all(source, "TCP"), True, self.known)
        return DnsAnswer(self._some(source, "UDP"), self._some(source, "TCP"), False, self.usual)

    def _all(self, source: Endpoint, protocol: str) -> bool | None:
        """Whether every known resolver is reached: pods ask them in turn. Of a node's local ones, one is enough."""
        verdicts = [self._verdict(source, resolver, protocol) for resolver in self.known]
        local = any(resolver.endpoint.kind is not EndpointKind.POD for resolver in self.known)
        if local:
            return _best(verdicts)
        if Verdict.DENIED in verdicts:
            return False
        return None if Verdict.UNKNOWN in verdicts else True

    def _some(self, source: Endpoint, protocol: str) -> bool | None:
        """Whether any of the usual resolvers is reached."""
        return _best(self._verdict(source, resolver, protocol) for resolver in self.usual)

    def _verdict(self, source: Endpoint, resolver: Resolver, protocol: str) -> Verdict:
        side = self.policy.egress(source, resolver.endpoint)
        return side.verdict(protocol, resolver.port_of(protocol))


def _best(verdicts: Iterable[Verdict]) -> bool | None:
    """Whether some verdict is allowed, looking no further than that; None where one may be."""
    answer: bool | None = False
    for verdict in verdicts:
        if verdict is Verdict.ALLOWED:
            return True
        if verdict is Verdict.UNKNOWN:
            answer = None
    return answer


def _is_link_local(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_link_local
    except ValueError:
        return False


def _node_local_addresses(cluster: Cluster) -> Iterator[str]:
    """The link-local addresses that a node-local DNS cache of the input is told to listen on."""
    for workload in cluster.workloads:
        if not workload.host_network or not _runs_cache(workload):
            continue
        for container in workload.spec.containers or ():
            words = [*(container.command or ()), *(container.args or ())]
            for flag, value in pairwise(words):
                if flag.lstrip("-") == "localip":
                    yield from (part for part in value.split(",") if _is_link_local(part.strip()))


def _runs_cache(workload: Workload) -> bool:
    images = (container.image or "" for container in workload.spec.containers or ())
    return workload.labels.get("k8s-app") == "node-local-dns" or any("k8s-dns-node-cache" in image for image in images)


def uses_names(cluster: Cluster, workload: Workload) -> str | None:
    """A name that a workload's settings make it resolve, of a Service or of anything else; None where none is."""
    for mention, text in mentioned(cluster, workload):
        if mention.reference.form != "bare" and not text:
            return mention.reference.host
    return None
