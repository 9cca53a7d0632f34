"""From signs to plugins: which connects the pods, and which makes NetworkPolicies work.

The switches are those of `netlint.knowledge.capabilities` and of each project's documentation; "no" is said only where
the part that would enforce is seen to be off or not to exist.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from netlint.cluster.facts import Evidence, Plugin, distinct
from netlint.cluster.gathering import calico, cilium
from netlint.cluster.gathering.claims import Claim
from netlint.cluster.gathering.objects import Objects, at, containers, embedded, environment, flags, get, shown
from netlint.cluster.gathering.plugins import antrea_configuration
from netlint.cluster.gathering.recognition import AGENT, Sighting
from netlint.knowledge.capabilities import capabilities
from netlint.knowledge.plugins import KINDNET_WITH_POLICIES
from netlint.resources import Manifest

_KINDNET_DATE = re.compile(r"v(20\d{6})\b")
Judgement = tuple[bool, bool | None, Evidence | None]
"""Whether the plugin connects the pods, whether it enforces NetworkPolicies, and what shows the latter."""


def plugins(objects: Objects, seen: Sequence[Sighting]) -> tuple[tuple[Plugin, int], ...]:
    """Each plugin that was seen, with the rank of its best sign, sorted by name."""
    grouped: dict[str, list[Sighting]] = {}
    for sighting in seen:
        if sighting.role != "meta":
            grouped.setdefault(sighting.plugin, []).append(sighting)
    found = []
    for name, signs in sorted(grouped.items()):
        signs.sort(key=lambda sign: -sign.rank)
        network, enforces, why = _judge(name, objects, signs)
        if all(sign.role == "engine" for sign in signs):
            network = False
        evidence = distinct(sign.evidence for sign in signs)
        versions = {sign.version for sign in signs if sign.version}
        version = versions.pop() if len(versions) == 1 else None
        found.append(
            (Plugin(name, network, enforces, evidence, version, (why,) if why else evidence[:1]), signs[0].rank)
        )
    return tuple(found)


def agents(seen: Iterable[Sighting]) -> Mapping[str, list[Manifest]]:
    """The DaemonSets of each plugin that was seen, in the order of the input."""
    found: dict[str, list[Manifest]] = {}
    for sign in seen:
        if sign.rank == AGENT and sign.manifest.kind == "DaemonSet":
            members = found.setdefault(sign.plugin, [])
            if sign.manifest not in members:
                members.append(sign.manifest)
    return found


def _judge(name: str, objects: Objects, signs: Sequence[Sighting]) -> Judgement:
    workers = agents(signs).get(name, [])
    switch = _SWITCHES.get(name)
    if switch is not None:
        return switch(objects, workers, signs)
    row = capabilities(name)
    return True, row.enforces if row else None, None


def _calico(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    return not calico.policy_only(objects, list(workers)), True, None


def _cilium(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    off = cilium.switched_off(objects)
    return not cilium.chained(objects), off is None, Evidence(off[0], off[1], "object") if off else None


def _weave(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    return _by_variable(workers, "EXPECT_NPC", "0")


def _kube_ovn(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    controllers = [m for m in objects.of("apps", "Deployment") if m.name == "kube-ovn-controller"]
    for manifest in controllers:
        for path, container in containers(manifest):
            option = flags(manifest, path, container).get("enable-np")
            if option and option.value == "false":
                return True, False, Evidence(f"{shown(manifest)} --enable-np=false", option.place, "object")
    return _by_variable([*workers, *controllers], "ENABLE_NP", "false")


def _by_variable(manifests: Sequence[Manifest], name: str, off: str) -> Judgement:
    for manifest in manifests:
        setting = environment(manifest).get(name)
        if setting and str(setting.value).lower() == off:
            return True, False, Evidence(f"{shown(manifest)} sets {name}={off}", setting.place, "object")
    return True, True, None


def _kube_router(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    network, enforces, why = True, True, None
    for manifest in workers:
        for path, container in containers(manifest):
            given = flags(manifest, path, container)
            if (router := given.get("run-router")) and router.value == "false":
                network = False
            if (firewall := given.get("run-firewall")) and firewall.value == "false":
                enforces, why = False, Evidence(f"{shown(manifest)} --run-firewall=false", firewall.place, "object")
    return network, enforces, why


def _antrea(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    for manifest in antrea_configuration(objects):
        data = embedded(get(manifest.raw, "data", "antrea-agent.conf"))
        if get(data, "trafficEncapMode") == "networkPolicyOnly":
            return False, True, None
    return True, True, None


def _kindnet(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    for sign in signs:
        date = _KINDNET_DATE.match(sign.tag or "")
        if "kindest/kindnetd" in sign.image and date:
            enforces = int(date[1]) >= KINDNET_WITH_POLICIES
            words = "enforces" if enforces else "is older than the first kindnetd that enforces"
            return (
                True,
                enforces,
                Evidence(f"{sign.evidence.text}, which {words} policies", sign.evidence.place, "object"),
            )
    for manifest in workers:
        for path, container in containers(manifest):
            option = flags(manifest, path, container).get("network-policy")
            if option is not None:
                text = f"{shown(manifest)} --network-policy={option.value}"
                return True, option.value != "false", Evidence(text, option.place, "object")
    return True, None, None


def _aws(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    """The node agent must be told to enforce; the plugin's ConfigMap switches the controller."""
    for manifest in workers:
        for path, container in containers(manifest):
            option = flags(manifest, path, container).get("enable-network-policy")
            if option is not None:
                text = f"{shown(manifest)} --enable-network-policy={option.value}"
                return True, option.value == "true", Evidence(text, option.place, "object")
    for manifest in objects.config_maps("amazon-vpc-cni"):
        value = get(manifest.raw, "data", "enable-network-policy-controller")
        if value == "true":
            place = at(manifest, "data", "enable-network-policy-controller")
            text = f"{shown(manifest)} switches the network policy controller on"
            return True, True, Evidence(text, place, "object")
    if workers:
        manifest = workers[0]
        text = f"{shown(manifest)} has no aws-eks-nodeagent that is told to enforce policies"
        return True, False, Evidence(text, at(manifest, "spec", "template", "spec", "containers"), "object")
    return True, None, None


def _azure(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    if not workers:
        return True, None, None
    return True, False, Evidence(f"{shown(workers[0])}: Azure CNI brings no policy engine", at(workers[0]), "object")


def _openshift_sdn(objects: Objects, workers: Sequence[Manifest], signs: Sequence[Sighting]) -> Judgement:
    for manifest in objects.of("operator.openshift.io", "Network"):
        path = ("spec", "defaultNetwork", "openshiftSDNConfig", "mode")
        mode = get(manifest.raw, *path)
        if isinstance(mode, str) and mode:
            text = f"{shown(manifest)}: mode {mode}"
            return True, mode == "NetworkPolicy", Evidence(text, at(manifest, *path), "object")
    return True, True, None


_SWITCHES: dict[str, Callable[[Objects, Sequence[Manifest], Sequence[Sighting]], Judgement]] = {
    "antrea": _antrea,
    "aws-vpc-cni": _aws,
    "azure-cni": _azure,
    "calico": _calico,
    "cilium": _cilium,
    "kindnet": _kindnet,
    "kube-ovn": _kube_ovn,
    "kube-router": _kube_router,
    "openshift-sdn": _openshift_sdn,
    "weave": _weave,
}


def from_operator(claims: Iterable[Claim]) -> list[tuple[Plugin, int]]:
    """The plugin that OpenShift's Network object names."""
    found: dict[str, Any] = {}
    for claim in claims:
        found.setdefault(claim.value, claim)
    plugins: list[tuple[Plugin, int]] = []
    for name, claim in sorted(found.items()):
        row = capabilities(name)
        plugins.append((Plugin(name, True, row.enforces if row else None, (claim.evidence,)), AGENT))
    return plugins
