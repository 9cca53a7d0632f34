"""Two sources that tell different things of one fact, compared by role: a range inside another one may be right."""

from collections.abc import Iterator, Mapping, Sequence

from netlint.cluster.facts import Contradiction, Fact
from netlint.cluster.gathering.claims import CLUSTER, PROXY, Claim, family, within
from netlint.cluster.gathering.engines import Seen
from netlint.cluster.gathering.recognition import AGENT
from netlint.findings import Severity

_CLUSTER_RANGE = (
    "kubeadm podSubnet",
    "kube-controller-manager --cluster-cidr",
    "server option cluster-cidr",
    "kind podSubnet",
)
"""Settings that the slices of the nodes are cut from."""
_LABELS = {
    "distribution": "the distribution",
    "encapsulation": "the encapsulation",
    "node_port_range": "the range of node ports",
    "proxy_mode": "the mode of kube-proxy",
}
_SEEN_AS = {
    "canal": frozenset({"canal", "flannel", "calico"}),
    "flannel": frozenset({"canal", "flannel"}),
    "calico": frozenset({"canal", "calico"}),
}
"""As what a declared plugin may be recognised: Canal is Flannel and Calico together."""
_PARTS = frozenset({"kubeadm"})
"""What others are made with: a kind cluster holds kubeadm's configuration."""


def find(by_fact: Mapping[str, Sequence[Claim]], cni: Fact[str], seen: Sequence[Seen]) -> Iterator[Contradiction]:
    """All of them, in a fixed order."""
    pods = by_fact.get("pod_cidrs", ())
    yield from _flannel(pods)
    yield from _proxy(pods)
    yield from _cluster_ranges("pod_cidrs", [c for c in pods if c.source in _CLUSTER_RANGE], "the pod range")
    services = [c for c in by_fact.get("service_cidrs", ()) if not c.many]
    yield from _cluster_ranges("service_cidrs", services, "the Service range")
    yield from _declared_ranges(by_fact)
    yield from _declared_plugin(by_fact, cni, seen)
    for fact, label in _LABELS.items():
        yield from _scalars(fact, label, by_fact.get(fact, ()))
    yield from _version(by_fact.get("kubernetes_version", ()))
    yield from _dns(by_fact.get("cluster_dns", ()))


def _disjoint(texts: Sequence[str], others: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of one family where no block of either side lies in one of the other."""
    found = []
    for number in (4, 6):
        ours = [text for text in texts if family(text) == number]
        theirs = [text for text in others if family(text) == number]
        if ours and theirs and not any(within(a, b) or within(b, a) for a in ours for b in theirs):
            found.append((ours[0], theirs[0]))
    return found


def _between(
    fact: str, one: Claim, other: Claim, message: str, severity: Severity = Severity.WARNING, help: str | None = None
) -> Contradiction:
    return Contradiction(fact, severity, message, one.place, ((other.text, other.place),), help)


def _flannel(claims: Sequence[Claim]) -> Iterator[Contradiction]:
    """Flannel refuses a node whose slice lies outside its Network, so that must hold the cluster's range."""
    ranges = [claim for claim in claims if claim.source in _CLUSTER_RANGE]
    for claim in claims:
        if claim.source != "Flannel Network":
            continue
        for other in ranges:
            for block in other.value:
                same = [text for text in claim.value if family(text) == family(block)]
                if same and not any(within(block, text) for text in same):
                    apart = not any(within(text, block) for text in same)
                    holds = "does not hold" if apart else "holds only a part of"
                    yield _between(
                        "pod_cidrs",
                        claim,
                        other,
                        f"Flannel's Network {', '.join(same)} {holds} the pod range {block} ({other.source})",
                        Severity.ERROR if apart else Severity.WARNING,
                        f"set Network to {block}: nodes whose slice lies outside of Network get no pod network",
                    )
                    break


def _proxy(claims: Sequence[Claim]) -> Iterator[Contradiction]:
    proxies = [claim for claim in claims if claim.source == "kube-proxy clusterCIDR"]
    ranges = [claim for claim in claims if claim.source in _CLUSTER_RANGE]
    for claim in proxies:
        for other in ranges:
            for ours, theirs in _disjoint(claim.value, other.value):
                yield _between(
                    "pod_cidrs",
                    claim,
                    other,
                    f"kube-proxy takes {ours} for the pods, but the pod range is {theirs} ({other.source})",
                    help="clusterCIDR decides whose traffic kube-proxy masquerades; it must be the pod range",
                )


def _cluster_ranges(fact: str, claims: Sequence[Claim], label: str) -> Iterator[Contradiction]:
    """Settings of one cluster that must be equal, each pair of sources once."""
    given = [claim for claim in claims if claim.origin == "object" and claim.rank == CLUSTER]
    first: dict[str, Claim] = {}
    for claim in given:
        first.setdefault(claim.source, claim)
    kept = list(first.values())
    for index, claim in enumerate(kept):
        for other in kept[:index]:
            if set(claim.value) != set(other.value) and _disjoint(claim.value, other.value):
                yield _between(
                    fact,
                    claim,
                    other,
                    f"{label} is {', '.join(claim.value)} here ({claim.source}) and {', '.join(other.value)} there "
                    f"({other.source})",
                )


def _declared_ranges(by_fact: Mapping[str, Sequence[Claim]]) -> Iterator[Contradiction]:
    for fact, label in (("pod_cidrs", "pod range"), ("service_cidrs", "Service range")):
        claims = by_fact.get(fact, ())
        said = [claim for claim in claims if claim.origin == "declared"]
        shown = [claim for claim in claims if claim.origin == "object" and claim.rank > PROXY and not claim.many]
        for claim in said:
            for other in shown:
                for ours, theirs in _disjoint(claim.value, other.value):
                    yield _between(
                        fact, claim, other, f"the {label} {ours} is declared, but {other.source} says {theirs}"
                    )


def _declared_plugin(
    by_fact: Mapping[str, Sequence[Claim]], cni: Fact[str], seen: Sequence[Seen]
) -> Iterator[Contradiction]:
    said = next((claim for claim in by_fact.get("cni", ()) if claim.origin == "declared"), None)
    if said is None:
        return
    networks = [plugin for plugin, rank in seen if plugin.network and rank == AGENT]
    names = {plugin.name for plugin in networks}
    if said.value in names or names <= _SEEN_AS.get(said.value, frozenset()):
        return
    for plugin in networks:
        evidence = plugin.evidence[0]
        message = f"the network plugin {said.value} is declared, but {evidence.text}"
        yield Contradiction("cni", Severity.WARNING, message, said.place, ((evidence.text, evidence.place),))


def _scalars(fact: str, label: str, claims: Sequence[Claim]) -> Iterator[Contradiction]:
    """What is declared against what objects show; and the settings of one fact among themselves."""
    kept: dict[tuple[str, object], Claim] = {}
    for claim in claims:
        if claim.origin != "default" and not claim.many and claim.value not in _PARTS:
            kept.setdefault((claim.source, claim.value), claim)
    given = list(kept.values())
    if fact == "distribution" or fact == "proxy_mode":
        given = [claim for claim in given if claim.origin == "declared"] + [
            claim for claim in given if claim.origin == "object" and claim.rank == CLUSTER
        ]
    for index, claim in enumerate(given):
        for other in given[:index]:
            if claim.value == other.value or claim.source == other.source:
                continue
            if fact != "node_port_range" and other.origin != "declared":
                continue
            one, two = (other, claim) if other.origin == "declared" else (claim, other)
            yield _between(
                fact,
                one,
                two,
                f"{label} is {_words(one.value)} here ({one.source}), but {_words(two.value)} there ({two.source})",
            )


def _words(value: object) -> str:
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _version(claims: Sequence[Claim]) -> Iterator[Contradiction]:
    """Only the declared version against kubeadm's: nodes may run older kubelets."""
    said = next((claim for claim in claims if claim.origin == "declared"), None)
    for claim in claims:
        if said is not None and claim.source == "kubeadm kubernetesVersion":
            ours, theirs = said.value.split(".")[:2], claim.value.split(".")[:2]
            if ours != theirs:
                yield _between(
                    "kubernetes_version",
                    said,
                    claim,
                    f"Kubernetes {said.value} is declared, but kubeadm installs {claim.value}",
                )
                return


def _dns(claims: Sequence[Claim]) -> Iterator[Contradiction]:
    """What pods ask against the Service's address; a node-local cache has a link-local one of its own."""
    service = next((c for c in claims if c.source == "DNS Service" and c.value.addresses), None)
    if service is None:
        return
    for claim in claims:
        asked = [address for address in claim.value.addresses if not address.startswith("169.254.")]
        if claim is service or claim.source == "DNS Service" or not asked:
            continue
        if not set(asked) & set(service.value.addresses):
            yield _between(
                "cluster_dns",
                claim,
                service,
                f"pods ask {', '.join(asked)} ({claim.source}), but {service.text} has "
                f"{', '.join(service.value.addresses)}",
            )
