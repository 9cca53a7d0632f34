"""The claims of all readers, weighed: what is declared counts before what objects show, that before defaults."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from netlint.cluster.config import ClusterSettings
from netlint.cluster.facts import ClusterDNS, Evidence, Fact, MtuKey, NetworkFacts, Plugin, RangeClaim, distinct
from netlint.cluster.gathering import (
    calico,
    cilium,
    declared,
    disagreements,
    engines,
    flannel,
    judging,
    kubernetes,
    nodes,
    plugins,
    recognition,
    services,
)
from netlint.cluster.gathering.claims import PROXY, Claim, outermost
from netlint.cluster.gathering.objects import Objects
from netlint.knowledge.address_roles import Role
from netlint.knowledge.distributions import DISTRIBUTIONS, KUBERNETES_NODE_PORTS, REMOVED_LOAD_BALANCER
from netlint.knowledge.encapsulation import overhead, total_overhead
from netlint.resources import Manifest

_ORIGINS = ("declared", "object", "default")
_OWN_SLICES = frozenset({"aws-vpc-cni", "calico", "weave", "kube-ovn", "azure-cni"})
"""Plugins whose pods have no addresses of their node's spec.podCIDR."""

_ROLES = {
    "pod_cidrs": Role.POD,
    "service_cidrs": Role.SERVICE,
    "node_cidrs": Role.NODE,
    "vpc_cidrs": Role.VPC,
    "peer_cidrs": Role.PEER,
    "docker_bridge_cidr": Role.DOCKER,
}
_ENCAPSULATED_BY = {
    "flannel": ("Flannel",),
    "canal": ("Flannel",),
    "calico": ("IPPool", "Calico"),
    "cilium": ("Cilium",),
    "antrea": ("Antrea",),
    "kube-router": ("kube-router",),
    "kindnet": ("kindnet",),
    "aws-vpc-cni": ("AWS",),
    "ovn-kubernetes": ("Network",),
}
"""The sources that speak of a plugin's encapsulation; the left-overs of another one do not count."""


def gather(manifests: Iterable[Manifest], settings: ClusterSettings | None) -> NetworkFacts:
    """What is known of the network of the cluster that these objects and this part of the configuration describe."""
    objects = Objects(manifests)
    seen = list(recognition.sightings(objects))
    agents = judging.agents(seen)
    found = list(
        chain(
            declared.read(settings),
            _k3s_config(settings),
            kubernetes.read(objects),
            nodes.read(objects),
            services.read(objects),
            flannel.read(objects),
            calico.read(objects, [*agents.get("calico", ()), *agents.get("canal", ())]),
            cilium.read(objects),
            plugins.read(objects, agents),
        )
    )
    claims = _usable(claim for claim in found if isinstance(claim, Claim))
    keys = tuple(key for key in found if isinstance(key, MtuKey))
    by_fact: dict[str, list[Claim]] = {}
    for claim in claims:
        by_fact.setdefault(claim.fact, []).append(claim)
    judged = (*judging.plugins(objects, seen), *judging.from_operator(by_fact.get("network_operator", ())))
    return _facts(by_fact, keys, _merged(judged))


def _facts(by_fact: dict[str, list[Claim]], keys: tuple[MtuKey, ...], seen: tuple[engines.Seen, ...]) -> NetworkFacts:
    said = {fact: members[0] for fact, members in by_fact.items() if members[0].origin == "declared"}
    distribution = _one(by_fact.get("distribution", ()))
    cni = engines.network_plugin(said.get("cni"), seen, distribution, by_fact)
    engine, enforced = engines.policy_engine(cni, said, seen, distribution, by_fact)
    encapsulation = _encapsulation(by_fact, cni, distribution)
    encryption = _one(by_fact.get("encryption", ()))
    return NetworkFacts(
        cni=cni,
        cni_version=_version(by_fact, cni, seen),
        policy_engine=engine,
        enforces_network_policy=enforced,
        encapsulation=encapsulation,
        encryption=encryption,
        pod_cidrs=_pod_ranges(by_fact, cni, distribution),
        service_cidrs=_ranges(by_fact.get("service_cidrs", ()), distribution, "service_cidrs"),
        node_cidrs=_ranges(by_fact.get("node_cidrs", ())),
        vpc_cidrs=_ranges(by_fact.get("vpc_cidrs", ())),
        peer_cidrs=_ranges(by_fact.get("peer_cidrs", ())),
        docker_bridge_cidr=_one(by_fact.get("docker_bridge_cidr", ())),
        node_mtu=_one(by_fact.get("node_mtu", ())),
        pod_mtu=_pod_mtu(by_fact, keys, cni, encapsulation, encryption),
        proxy_mode=_one(by_fact.get("proxy_mode", ())),
        node_port_range=_node_ports(by_fact),
        cluster_dns=_dns(by_fact, distribution),
        load_balancer_provider=_load_balancer(by_fact, distribution),
        kubernetes_version=_newest(by_fact.get("kubernetes_version", ())),
        distribution=distribution,
        mtu_keys=keys or _declared_mtu(said.get("pod_mtu"), cni),
        plugins=tuple(plugin for plugin, _ in seen),
        ranges=tuple(_range_claims(by_fact)),
        contradictions=tuple(disagreements.find(by_fact, cni, seen)),
    )


def _range_claims(by_fact: dict[str, list[Claim]]) -> Iterator[RangeClaim]:
    """Every range with its source. kube-proxy's copy of the pod range is none of its own."""
    for fact, role in _ROLES.items():
        claims = by_fact.get(fact, ())
        declared_too = any(claim.origin == "declared" for claim in claims)
        for claim in claims:
            if claim.rank == PROXY or (declared_too and claim.origin == "default"):
                continue
            blocks = (claim.value,) if isinstance(claim.value, str) else claim.value
            own = Role.POOL if claim.source == "IPPool" else role
            listed = claim.origin == "declared" and not isinstance(claim.value, str)
            for index, block in enumerate(blocks):
                place, number = claim.place, index if listed else None
                yield RangeClaim(own, block, claim.source, claim.text, place, claim.origin, number)


def _k3s_config(settings: ClusterSettings | None) -> Iterator[Claim]:
    if settings is not None and settings.k3s_config:
        config = settings.k3s_config
        yield from nodes.server_options(config, lambda key: settings.at("k3sConfig", key), "netlint.yaml: k3sConfig")


def _usable(claims: Iterable[Claim]) -> list[Claim]:
    """Without settings that stand several times and differ where a cluster has one: those are examples."""
    kept = list(claims)
    values: dict[tuple[str, str], set[Any]] = {}
    for claim in kept:
        if claim.alone:
            values.setdefault((claim.fact, claim.source), set()).add(claim.value)
    several = {key for key, distinct in values.items() if len(distinct) > 1}
    kept = [claim for claim in kept if not (claim.alone and (claim.fact, claim.source) in several)]
    return sorted(kept, key=lambda claim: (_ORIGINS.index(claim.origin), -claim.rank))


def _merged(judged: Sequence[engines.Seen]) -> tuple[engines.Seen, ...]:
    """One entry a plugin; the first, which was seen in more ways, speaks."""
    found: dict[str, engines.Seen] = {}
    for plugin, rank in judged:
        old = found.get(plugin.name)
        if old is None:
            found[plugin.name] = (plugin, rank)
        else:
            first = old[0]
            both = Plugin(
                first.name,
                first.network,
                first.enforces,
                (*first.evidence, *plugin.evidence),
                first.version,
                first.enforcement,
            )
            found[plugin.name] = (both, max(old[1], rank))
    return tuple(found[name] for name in sorted(found))


def _best(claims: Sequence[Claim]) -> list[Claim]:
    """The claims of the best origin and rank (they come sorted)."""
    if not claims:
        return []
    first = claims[0]
    return [claim for claim in claims if (claim.origin, claim.rank) == (first.origin, first.rank)]


def _one(claims: Sequence[Claim]) -> Fact[Any]:
    """A fact with one value: that of the best claims where they agree, else unknown."""
    best = _best(claims)
    if not best:
        return Fact()
    if any(claim.value != best[0].value for claim in best):
        return Fact(None, tuple(claim.evidence for claim in best))
    agreeing = [claim for claim in claims if claim.value == best[0].value]
    return Fact(best[0].value, _evidence(agreeing))


def _evidence(claims: Iterable[Claim]) -> tuple[Evidence, ...]:
    return distinct(claim.evidence for claim in claims)


def _ranges(claims: Sequence[Claim], distribution: Fact[str] | None = None, field: str = "") -> Fact[tuple[str, ...]]:
    """What is declared, else all that objects say together; what a copy says only where nothing else does."""
    best = [claim for claim in claims if claim.origin == (claims[0].origin if claims else "")]
    if any(claim.rank > PROXY for claim in best):
        best = [claim for claim in best if claim.rank > PROXY]
    if best and best[0].origin != "default":
        texts = [text for claim in best for text in claim.value]
        return Fact(outermost(texts), _evidence(best))
    if best:
        return Fact(outermost(text for claim in best for text in claim.value), _evidence(best))
    default = DISTRIBUTIONS.get(distribution.value or "") if distribution else None
    if default is not None and distribution is not None and (blocks := getattr(default, field)):
        origin = distribution.evidence[0]
        text = f"the default of {default.name} ({default.source}); {origin.text}"
        return Fact(blocks, (Evidence(text, origin.place, "default"),))
    return Fact()


def _pod_ranges(by_fact: dict[str, list[Claim]], cni: Fact[str], distribution: Fact[str]) -> Fact[tuple[str, ...]]:
    found = _ranges(by_fact.get("pod_cidrs", ()), distribution, "pod_cidrs")
    slices = by_fact.get("node_slices", ())
    if found.value is not None and (found.origin != "default" or not slices):
        return found
    if slices and cni.value not in _OWN_SLICES:
        parts = outermost(text for claim in slices for text in claim.value)
        if found.value is None:
            return Fact(parts, _evidence(slices))
        if outermost([*found.value, *parts]) != found.value:  # the nodes show that the default was changed
            return Fact(parts, _evidence(slices))
    return found


def _encapsulation(by_fact: dict[str, list[Claim]], cni: Fact[str], distribution: Fact[str]) -> Fact[str]:
    """Of several pools the one that costs most: the path that full-sized packets may have to take."""
    claims = by_fact.get("encapsulation", ())
    own = _ENCAPSULATED_BY.get(cni.value or "")
    if own is None and cni.evidence and cni.value is None:  # several plugins: each speaks for itself only
        own = ()
    if own is not None:
        claims = [claim for claim in claims if claim.origin == "declared" or claim.source.startswith(own)]
    best = _best(claims)
    if best and best[0].many:
        costly = max(best, key=lambda claim: cost.v4 if (cost := overhead(claim.value)) else 0)
        return Fact(costly.value, _evidence(claim for claim in best if claim.value == costly.value))
    if best:
        return _one(claims)
    if cni.value == "flannel" and distribution.value == "k3s":
        for claim in by_fact.get("flannel_backend", ()):
            if claim.value in flannel.BACKENDS:
                return Fact(flannel.BACKENDS[claim.value], (claim.evidence,))
        text = f"k3s' Flannel uses VXLAN unless it is told otherwise; {distribution.because}"
        return Fact("vxlan", (Evidence(text, distribution.place, "default"),))
    return Fact()


def _version(by_fact: dict[str, list[Claim]], cni: Fact[str], seen: Sequence[engines.Seen]) -> Fact[str]:
    found: Fact[str] = _one(by_fact.get("cni_version", ()))
    if found.value is not None:
        return found
    for plugin, _ in seen:
        if plugin.name == cni.value and plugin.version is not None:
            return Fact(plugin.version, plugin.evidence[:1])
    return Fact()


def _pod_mtu(
    by_fact: dict[str, list[Claim]],
    keys: Sequence[MtuKey],
    cni: Fact[str],
    encapsulation: Fact[str],
    encryption: Fact[str],
) -> Fact[int]:
    said: Fact[int] = _one(by_fact.get("pod_mtu", ()))
    if said.value is not None:
        return said
    own = [key for key in keys if key.value is not None and key.plugin == cni.value]
    for key in own:
        if key.family == "pod" and key.encapsulation in (None, encapsulation.value):
            return Fact(key.value, (Evidence(f"{key.plugin} {key.name} {key.value}", key.place, "object"),))
    for key in own:
        cost = total_overhead(key.encapsulation or encapsulation.value or "", encryption.value, key.plugin)
        if key.family == "underlay" and key.value is not None and cost is not None:
            text = f"{key.plugin} {key.name} {key.value} minus {cost.v4} ({cost.why})"
            return Fact(key.value - cost.v4, (Evidence(text, key.place, "object"),))
    return Fact()


def _declared_mtu(said: Claim | None, cni: Fact[str]) -> tuple[MtuKey, ...]:
    """What netlint.yaml says of the pods' MTU, for where no object sets one."""
    return (MtuKey(cni.value or "", "cni.mtu", said.value, "pod", said.place),) if said is not None else ()


def _node_ports(by_fact: dict[str, list[Claim]]) -> Fact[tuple[int, int]]:
    found: Fact[tuple[int, int]] = _one(by_fact.get("node_port_range", ()))
    if found.value is not None or found.evidence:
        return found
    first, last = KUBERNETES_NODE_PORTS
    return Fact((first, last), (Evidence(f"Kubernetes' default is {first}-{last}", None, "default"),))


def _dns(by_fact: dict[str, list[Claim]], distribution: Fact[str]) -> Fact[ClusterDNS]:
    """The best answer to each half, the Service and the addresses; DNS of several clusters is no answer."""
    claims = by_fact.get("cluster_dns", ())
    default = DISTRIBUTIONS.get(distribution.value or "")
    service = _half([(claim, claim.value.service) for claim in claims if claim.value.service])
    addresses = _half([(claim, claim.value.addresses) for claim in claims if claim.value.addresses])
    evidence = _evidence(claim for half in (service, addresses) if half for claim in half[1])
    name, known = (service[0] if service else None), (addresses[0] if addresses else ())
    if default is not None and not by_fact.get("service_cidrs"):
        known = known or default.dns_addresses
    if default is not None and name is None:
        name = default.dns_service
    if name is None and not known:
        return Fact()
    if not evidence and default is not None:
        text = f"the default of {default.name} ({default.source}); {distribution.because}"
        evidence = (Evidence(text, distribution.place, "default"),)
    return Fact(ClusterDNS(name, known), evidence)


def _half(found: list[tuple[Claim, Any]]) -> tuple[Any, list[Claim]] | None:
    best = _best([claim for claim, _ in found])
    values = {value for claim, value in found if claim in best}
    return (values.pop(), best) if len(values) == 1 else None


def _load_balancer(by_fact: dict[str, list[Claim]], distribution: Fact[str]) -> Fact[str]:
    claims = by_fact.get("load_balancer_provider", ())
    if claims and claims[0].origin != "default":
        return _one(claims)
    default = DISTRIBUTIONS.get(distribution.value or "")
    if default is not None and default.load_balancer is not None:
        off = REMOVED_LOAD_BALANCER.get(default.name)
        for claim in by_fact.get("disabled", ()):
            if off in claim.value:
                return Fact(None, (claim.evidence,))
        text = f"the default of {default.name} ({default.source}); {distribution.because}"
        return Fact(default.load_balancer, (Evidence(text, distribution.place, "default"),))
    return _one(claims)


def _newest(claims: Sequence[Claim]) -> Fact[str]:
    """The version of the API server: no kubelet is newer, so of several nodes the newest tells most."""
    best = _best(claims)
    if not best:
        return Fact()
    newest = max(best, key=lambda claim: _numbers(claim.value))
    return Fact(newest.value, _evidence(claim for claim in claims if claim.value == newest.value))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("-")[0].split(".") if part.isdigit())
