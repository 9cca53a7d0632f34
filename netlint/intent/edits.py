"""The smallest change of a NetworkPolicy that lets a needed flow by, checked by evaluating the changed policies."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from netlint.cluster import Cluster, Workload
from netlint.findings import format_path
from netlint.intent.gaps import Stop
from netlint.intent.raw import dig
from netlint.intent.selectors import identifying_labels, peer_of
from netlint.intent.yaml_text import to_yaml
from netlint.policy import Direction, Policy, PolicyAnalysis, PolicySet, Rule, translate
from netlint.policy.outcome import let_pass
from netlint.predicates import NO_TRAFFIC, Endpoint, TrafficSet
from netlint.resources import KubernetesObject, Manifest, typed
from netlint.resources.networking import NetworkPolicy

_MOST_PAIRS = 5_000
_OTHER_WAYS = ("denied", "selector", "types")


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one policy, or a new policy. `text` is the YAML to add, `where` the place it goes to."""

    where: str
    text: str
    replaces: bool

    def __str__(self) -> str:
        return f"{self.where}\n{self.text}".rstrip("\n")


@dataclass(frozen=True, slots=True)
class Changed:
    """An edit with the policy after it, and the rule that it touches."""

    edit: Edit
    policy: Policy
    rule: Rule


def smallest_edit(policy: PolicyAnalysis, cluster: Cluster, stop: Stop) -> Edit | None:
    """The first of the possible changes after which this side lets the flow by and nothing else has changed.

    None for policies of other dialects, and where every change would let something else by.
    """
    if not isinstance(stop.policy.object, NetworkPolicy) or stop.reason in _OTHER_WAYS or stop.flow.port is None:
        return None
    # what the stopped side lets by is up to the policies of its namespace and those of all namespaces
    before = PolicySet(policy.policies.about(stop.policy.namespace), policy.policies.tiers)
    for edit, new, index in _candidates(cluster, stop):
        translated = translate([new], policy.readings).policies
        rules = translated[0].rules_of(stop.direction) if translated else ()
        rule = next((each for each in rules if each.origin.path[2:3] == (index,)), None)
        if rule is None:
            continue
        after = (before.without(stop.policy) if edit.replaces else before).with_policies(*translated)
        if _exact(policy, before, after, Changed(edit, translated[0], rule), stop):
            return edit
    return None


def _candidates(cluster: Cluster, stop: Stop) -> Iterator[tuple[Edit, KubernetesObject, int]]:
    flow, ingress = stop.flow, stop.direction is Direction.INGRESS
    old = stop.policy.object
    assert isinstance(old, NetworkPolicy)
    direction, side = ("ingress", "from") if ingress else ("egress", "to")
    other = flow.source if ingress else flow.destination
    peer = peer_of(cluster, other, old.namespace or "") if isinstance(other, Workload) else None
    port = {"port": flow.port, "protocol": flow.protocol}
    if stop.rule is not None and stop.reason == "port":
        yield _changed(old, (*stop.rule.origin.path, "ports"), port)
    if peer is None:
        return
    if stop.rule is not None and stop.reason == "peer":
        yield _changed(old, (*stop.rule.origin.path, side), peer)
    rule = {side: [peer], "ports": [port]}
    yield _changed(old, ("spec", direction), rule)
    subject = flow.destination if ingress else flow.source
    if isinstance(subject, Workload):
        new = {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "metadata": {"name": f"{subject.name}-{direction}"[:253], "namespace": subject.namespace},
            "spec": {
                "podSelector": {"matchLabels": identifying_labels(cluster, subject)},
                "policyTypes": [direction.capitalize()],
                direction: [rule],
            },
        }
        made = _typed(old, new)
        if made is not None:
            yield Edit("add a policy:", to_yaml(new), False), made, 0


def _changed(
    old: KubernetesObject, path: tuple[str | int, ...], entry: dict[str, Any]
) -> tuple[Edit, KubernetesObject, int]:
    listed = dig(old.manifest.raw, *path)
    entries = [*listed, entry] if isinstance(listed, list) else [entry]
    new = _typed(old, _replaced(old.manifest.raw, path, entries))
    where = f"add to {format_path(path)} of NetworkPolicy {old.namespace}/{old.name}:"
    index = path[2] if len(path) > 2 else len(entries) - 1
    return Edit(where, to_yaml([entry]), True), new if new is not None else old, int(index)


def _replaced(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy with another value at a path, shared with the original beside that path."""
    if not path:
        return value
    copied: Any = dict(data) if isinstance(data, dict) else list(data)
    copied[path[0]] = _replaced(dig(data, path[0]), path[1:], value)
    return copied


def _typed(old: KubernetesObject, raw: dict[str, Any]) -> KubernetesObject | None:
    return typed(Manifest(old.manifest.document, old.manifest.prefix, raw))


def _exact(whole: PolicyAnalysis, before: PolicySet, after: PolicySet, changed: Changed, stop: Stop) -> bool:
    """Whether the stopped side lets the flow by now, and nothing else has changed.

    An edit only adds to what one rule admits, so that only pairs which that rule speaks of can change.
    """
    flow = stop.flow
    assert flow.port is not None
    wanted = TrafficSet.of(flow.protocol, flow.port)
    ingress = stop.direction is Direction.INGRESS
    subjects = whole.select(changed.policy.subject).possible
    if not changed.edit.replaces and any(not _same(subject, stop.subject) for subject in subjects):
        return False  # a new policy isolates whom it selects
    others = [*whole.select(changed.rule.peer).possible]
    others += [each for each in whole.external if changed.rule.peer.holds(each) is not False]
    if len(subjects) * len(others) > _MOST_PAIRS:
        return False
    reached = False
    for subject in subjects:
        for other in others:
            pair = (other, subject) if ingress else (subject, other)
            mine = _same(subject, stop.subject) and _same(other, stop.other)
            if other is subject and not mine:
                continue
            exempt = whole.readings.node_to_pod_always_allowed
            one = let_pass(before, stop.direction, *pair, exempt)
            two = let_pass(after, stop.direction, *pair, exempt)
            gained = two.allowed - one.allowed
            if gained != (wanted - one.allowed if mine else NO_TRAFFIC) or (mine and not wanted <= two.allowed):
                return False
            reached = reached or mine
    return reached


def _same(one: Endpoint, other: Endpoint) -> bool:
    """The endpoint itself, or another of the same workload."""
    return one is other or (one.source is not None and one.source is other.source)
