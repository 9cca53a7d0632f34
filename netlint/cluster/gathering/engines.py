"""Which plugin connects the pods, and whether anything makes NetworkPolicies work."""

from collections.abc import Mapping, Sequence

from netlint.cluster.facts import Evidence, Fact, Plugin, distinct
from netlint.cluster.gathering.claims import Claim
from netlint.cluster.gathering.recognition import TRACE
from netlint.knowledge.capabilities import capabilities
from netlint.knowledge.distributions import DISTRIBUTIONS

Seen = tuple[Plugin, int]
_NOT_BY_NAME = frozenset({"aws-vpc-cni", "kindnet"})
"""Plugins whose name alone does not tell whether they enforce: a switch or the version decides."""
_K3S = "k3s"


def network_plugin(
    declared: Claim | None, seen: Sequence[Seen], distribution: Fact[str], claims: Mapping[str, Sequence[Claim]]
) -> Fact[str]:
    """The plugin that connects the pods: declared, else the one that was recognised, else the distribution's own."""
    recognised = _recognised(seen)
    if declared is not None:
        agreeing = [plugin for plugin in recognised if plugin.name == declared.value]
        return Fact(declared.value, (declared.evidence, *(e for plugin in agreeing for e in plugin.evidence)))
    if len(recognised) == 1:
        return Fact(recognised[0].name, recognised[0].evidence)
    if recognised:
        return Fact(None, tuple(plugin.evidence[0] for plugin in recognised))
    default = DISTRIBUTIONS.get(distribution.value or "")
    if default is None or default.cni is None or "no_default_cni" in claims:
        return Fact()
    replaced = [c for c in claims.get("flannel_backend", ()) if c.value == "none" and distribution.value == _K3S]
    replaced += claims.get("server_cni", ()) if distribution.value == "rke2" else []
    for claim in replaced:
        names = [name for name in claim.value if name not in ("multus", "none")] if claim.fact == "server_cni" else []
        return Fact(names[0], (claim.evidence,)) if names else Fact(None, (claim.evidence,))
    origin = distribution.evidence[0]
    text = f"{default.cni} is the default of {default.name} ({default.source}); {origin.text}"
    return Fact(default.cni, (Evidence(text, origin.place, "default"),))


def _recognised(seen: Sequence[Seen]) -> list[Plugin]:
    """The candidates with the best signs. Canal is Flannel and Calico together, not a third plugin beside them."""
    networks = [(plugin, rank) for plugin, rank in seen if plugin.network]
    names = {plugin.name for plugin, _ in seen}
    if "canal" in names:
        networks = [e for e in networks if e[0].name not in ("flannel", "calico") or _runs_alone(e[0])]
    best = max((rank for _, rank in networks), default=0)
    found = [plugin for plugin, rank in networks if rank == best]
    if {plugin.name for plugin in found} == {"flannel", "calico"} and all(_by_nodes(plugin) for plugin in found):
        return [Plugin("canal", True, True, tuple(e for plugin in found for e in plugin.evidence))]
    return found


def _runs_alone(plugin: Plugin) -> bool:
    """Whether the plugin has a DaemonSet of its own, which those who install Canal do not."""
    return any(
        e.place is not None and e.place.ref is not None and e.place.ref.kind == "DaemonSet" for e in plugin.evidence
    )


def _by_nodes(plugin: Plugin) -> bool:
    """Whether only annotations of Nodes show the plugin; the agents of Canal write those of both."""
    return all(e.place is not None and e.place.ref is not None and e.place.ref.kind == "Node" for e in plugin.evidence)


def policy_engine(
    cni: Fact[str],
    declared: Mapping[str, Claim],
    seen: Sequence[Seen],
    distribution: Fact[str],
    claims: Mapping[str, Sequence[Claim]],
) -> tuple[Fact[str], Fact[bool]]:
    """What enforces NetworkPolicies ("none": nothing does), and whether they are enforced at all."""
    said, named = declared.get("enforces_network_policy"), declared.get("policy_engine")
    engines = _enforcing(cni, seen)
    embedded = _embedded(distribution, claims)
    if embedded is not None and embedded.enforces:
        engines.append(embedded)
    if said is not None:
        name = named.value if named else (engines[0].name if engines and said.value else None)
        fact = Fact(name if said.value else "none", (said.evidence,))
        return fact, Fact(bool(said.value), (said.evidence,))
    if named is not None:
        off = named.value == "none"
        return Fact(named.value, (named.evidence,)), Fact(not off, (named.evidence,))
    if engines:
        own = next((plugin for plugin in engines if plugin.name == cni.value), engines[0])
        evidence = own.enforcement or own.evidence
        return Fact("calico" if own.name == "canal" else own.name, evidence), Fact(True, evidence)
    if cni.value is None:
        return Fact(), Fact()
    if any(plugin.enforces is None for plugin, _ in seen) or cni.value in _undecided(cni, seen):
        return Fact(), Fact()
    row = capabilities(cni.value)
    own_network = next((plugin for plugin, _ in seen if plugin.name == cni.value), None)
    off_here = own_network is not None and own_network.enforces is False
    if not off_here and (row is None or row.enforces is not False):
        return Fact(), Fact()
    if distribution.value == "rke2" and cni.value == "flannel" and not claims.get("server_cni"):
        # Canal's nodes look the same, but for what Calico adds to them.
        return Fact(), Fact()
    reasons = [*(own_network.enforcement if own_network else ()), *cni.evidence]
    if embedded is not None:
        reasons.insert(0, embedded.enforcement[0])
    evidence = distinct(reasons)
    return Fact("none", evidence), Fact(False, evidence)


def _enforcing(cni: Fact[str], seen: Sequence[Seen]) -> list[Plugin]:
    """What was seen to enforce, best signs first; else the plugin itself where its name tells enough."""
    several = cni.value is None and len([plugin for plugin, rank in seen if plugin.network and rank > TRACE]) > 1
    if several:
        return []
    ranked = sorted(seen, key=lambda entry: (-entry[1], entry[0].name))
    found = [plugin for plugin, _ in ranked if plugin.enforces]
    row = capabilities(cni.value)
    if not found and row is not None and row.enforces and cni.value not in _NOT_BY_NAME and not _is_seen(cni, seen):
        return [Plugin(row.engine, True, True, cni.evidence, None, cni.evidence)]
    return found


def _is_seen(cni: Fact[str], seen: Sequence[Seen]) -> bool:
    return any(plugin.name == cni.value for plugin, _ in seen)


def _undecided(cni: Fact[str], seen: Sequence[Seen]) -> frozenset[str]:
    """Plugins that only a default or a bare name speaks for, and whose name does not tell whether they enforce.

    A user who declares the AWS plugin gets its documented default: off.
    """
    if _is_seen(cni, seen) or (cni.value == "aws-vpc-cni" and cni.origin == "declared"):
        return frozenset()
    return _NOT_BY_NAME


def _embedded(distribution: Fact[str], claims: Mapping[str, Sequence[Claim]]) -> Plugin | None:
    """The policy controller inside the k3s server: on, unless it was switched off."""
    if distribution.value != _K3S:
        return None
    for claim in claims.get("controller_off", ()):
        if claim.value:
            return Plugin("kube-router", False, False, (claim.evidence,), None, (claim.evidence,))
    origin = distribution.evidence[0]
    text = f"k3s runs a policy controller unless it is told not to; {origin.text}"
    evidence = (Evidence(text, origin.place, "default"),)
    return Plugin("kube-router", False, True, evidence, None, evidence)
