"""Single edits that break policies, by seed; which needed flows each loses; and what netlint says of it."""

import copy
import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from naive_flows import Pod, World

from netlint.cluster import Cluster, Workload, build, divide
from netlint.cluster.config import no_config
from netlint.findings import Finding
from netlint.intent import API_SERVER, Flow, Intents, Outside
from netlint.intent.dns import uses_names
from netlint.resources import load
from netlint.sources import read_text
from netlint.triage import Options, check

GAP_RULES = ("NET103", "NET105")


@dataclass(frozen=True)
class Edit:
    """One edit of one policy, in words, and all objects after it."""

    policy: tuple[str, str]
    text: str
    objects: list[dict[str, Any]]


@dataclass(frozen=True)
class Verdict:
    edit: Edit
    lost: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def at_the_edit(self) -> bool:
        refs = [finding.place.ref for finding in self.findings if finding.place]
        return any(ref is not None and (ref.namespace or "default", ref.name) == self.edit.policy for ref in refs)


def edits(objects: list[dict[str, Any]], seed: int, count: int) -> Iterator[Edit]:
    """`count` different single edits of the NetworkPolicies among the objects."""
    chance = random.Random(seed)
    policies = [index for index, each in enumerate(objects) if each["kind"] == "NetworkPolicy"]
    seen: set[str] = set()
    for _ in range(count * 50):
        changed = copy.deepcopy(objects)
        policy = changed[chance.choice(policies)]
        text = chance.choice(KINDS)(policy["spec"], chance)
        key = json.dumps(policy, sort_keys=True)
        if text is None or key in seen:
            continue
        seen.add(key)
        yield Edit((policy["metadata"].get("namespace", "default"), policy["metadata"]["name"]), text, changed)
        if len(seen) == count:
            return


def _label_letter(spec: dict[str, Any], chance: random.Random) -> str | None:
    return _relabel(list(_label_maps(spec, own=True)), chance)


def _namespace_label(spec: dict[str, Any], chance: random.Random) -> str | None:
    maps = [labels for peer in _peers(spec) if (labels := _labels(peer.get("namespaceSelector")))]
    if not maps:
        return None
    labels = chance.choice(maps)
    key = chance.choice(sorted(labels))
    labels["name"] = labels.pop(key)
    return f"namespace label {key} becomes name"


def _relabel(maps: list[dict[str, str]], chance: random.Random) -> str | None:
    if not maps:
        return None
    labels = chance.choice(maps)
    key = chance.choice(sorted(labels))
    value = labels[key]
    place = chance.randrange(len(value))
    letter = chance.choice([each for each in "abcdefghijklmnopqrstuvwxyz" if each != value[place]])
    labels[key] = value[:place] + letter + value[place + 1 :]
    return f"label {key}: {value} becomes {labels[key]}"


def _port(spec: dict[str, Any], chance: random.Random) -> str | None:
    entries = [entry for rule in _rules(spec) for entry in rule.get("ports") or [] if "port" in entry]
    if not entries:
        return None
    entry = chance.choice(entries)
    old = entry["port"]
    entry["port"] = old + chance.choice([-1, 1, 1000]) if isinstance(old, int) else old + "x"
    return f"port {old} becomes {entry['port']}"


def _dropped_rule(spec: dict[str, Any], chance: random.Random) -> str | None:
    sections = [section for section in ("ingress", "egress") if spec.get(section)]
    if not sections:
        return None
    section = chance.choice(sections)
    index = chance.randrange(len(spec[section]))
    del spec[section][index]
    return f"{section}[{index}] dropped"


def _dropped_type(spec: dict[str, Any], chance: random.Random) -> str | None:
    found = spec.get("policyTypes") or []
    if len(found) < 2:
        return None
    word = found.pop(chance.randrange(len(found)))
    return f"policyTypes without {word}"


KINDS = (_label_letter, _label_letter, _namespace_label, _port, _dropped_rule, _dropped_type)


def _rules(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return [rule for section in ("ingress", "egress") for rule in spec.get(section) or [] if rule]


def _peers(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return [peer for rule in _rules(spec) for side in ("from", "to") for peer in rule.get(side) or []]


def _labels(selector: Any) -> dict[str, str] | None:
    return selector.get("matchLabels") or None if isinstance(selector, dict) else None


def _label_maps(spec: dict[str, Any], *, own: bool) -> Iterator[dict[str, str]]:
    selectors = [spec.get("podSelector")] if own else []
    selectors += [peer.get("podSelector") for peer in _peers(spec)]
    selectors += [peer.get("namespaceSelector") for peer in _peers(spec)]
    yield from (labels for selector in selectors if (labels := _labels(selector)))


def cluster_of(objects: Iterable[dict[str, Any]]) -> tuple[Cluster, Any]:
    text = "\n".join(f"---\n{json.dumps(each)}" for each in objects)
    reading = read_text(text, "world.yaml")
    assert not reading.findings
    clusters = [build(part) for part in divide(load(reading.documents), no_config())]
    assert len(clusters) == 1
    return clusters[0], reading


def objects_of(texts: Iterable[str]) -> list[dict[str, Any]]:
    documents = (document for text in texts for document in read_text(text).documents)
    return [document.data for document in documents if isinstance(document.data, dict)]


def needs(cluster: Cluster) -> list[tuple[str, Pod | None, Pod | None, str, int]]:
    """What pods need, as the naive evaluator takes it: the flows, and DNS for the pods that use names."""
    intents = Intents(cluster)
    found: list[tuple[str, Pod | None, Pod | None, str, int]] = []
    for flow in intents.flows:
        if flow.destination == API_SERVER:
            found.append((str(flow), _pod(flow.source), None, "TCP", 443))
        elif flow.port is not None and not _on_host(flow):
            found.append((str(flow), _pod(flow.source), _pod(flow.destination), flow.protocol, flow.port))
    dns = Pod("kube-system", {"k8s-app": "kube-dns"}, (("dns", 53, "UDP"), ("dns-tcp", 53, "TCP")))
    for workload in cluster.workloads:
        by_name = any(flow.by_name for flow in intents.by_source.get(workload, ()))
        if not workload.host_network and (by_name or uses_names(cluster, workload)):
            found.append((f"{workload.id} -> DNS", _pod(workload), dns, "UDP", 53))
    return found


def _on_host(flow: Flow) -> bool:
    return any(isinstance(end, Workload) and end.host_network for end in (flow.source, flow.destination))


def _pod(end: Workload | Outside) -> Pod | None:
    if isinstance(end, Outside):
        return None
    ports = tuple((port.name, port.number, port.protocol) for port in end.ports)
    return Pod(end.namespace, dict(end.labels), ports)


def world_of(objects: Iterable[dict[str, Any]]) -> World:
    world = World()
    for each in objects:
        if each["kind"] == "NetworkPolicy":
            world.policies.append(each)
        elif each["kind"] == "Namespace":
            world.namespaces[each["metadata"]["name"]] = each["metadata"].get("labels") or {}
    return world


def gap_findings(objects: Iterable[dict[str, Any]]) -> tuple[Finding, ...]:
    """The findings of the gap rules; advice about DNS over TCP is not among them: no flow is lost."""
    cluster, reading = cluster_of(objects)
    result = check(reading, [cluster], no_config(), Options(select=GAP_RULES))
    assert not result.failed
    return tuple(finding for finding in result.findings if finding.severity.value != "info")


def break_it(objects: list[dict[str, Any]], seed: int, count: int) -> list[Verdict]:
    """Each edit with the needed flows that it loses and what netlint says of it."""
    cluster, _ = cluster_of(objects)
    wanted = needs(cluster)
    before = world_of(objects)
    good = [need for need in wanted if before.allowed(*need[1:])]
    verdicts = []
    for edit in edits(objects, seed, count):
        after = world_of(edit.objects)
        lost = tuple(need[0] for need in good if not after.allowed(*need[1:]))
        verdicts.append(Verdict(edit, lost, gap_findings(edit.objects)))
    return verdicts
