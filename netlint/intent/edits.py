"""The smallest change of a NetworkPolicy that lets a needed flow by, checked by evaluating the changed policies."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from netlint.cluster import Cluster, Workload
from netlint.findings import format_path
from netlint.intent.gaps import Stop
from netlint.intent.selectors import identifying_labels, peer_of
from netlint.intent.yaml_text import to_yaml
from netlint.policy import Direction, PolicyAnalysis, translate
from netlint.predicates import TrafficSet
from netlint.resources import KubernetesObject, Manifest, typed
from netlint.resources.networking import NetworkPolicy

_MOST_PAIRS = 20_000


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one policy, or a new policy. `text` is the YAML to add, `where` the place it goes to."""

    where: str
    text: str
    replaces: bool

    def __str__(self) -> str:
        return f"{self.where}\n{self.text}".rstrip("\n")


def smallest_edit(policy: PolicyAnalysis, cluster: Cluster, stop: Stop) -> Edit | None:
    """The first of the possible changes after which this side lets the flow by and nothing else has changed.

    None for policies of other dialects, and where every change would let something else by.
    """
    if not isinstance(stop.policy.object, NetworkPolicy) or stop.reason == "denied" or stop.flow.port is None:
        return None
    for edit, new in _candidates(cluster, stop):
        translated = translate([new], policy.readings).policies
        changed = policy.policies.without(stop.policy) if edit.replaces else policy.policies
        if _exact(policy, policy.with_policies(changed.with_policies(*translated)), stop):
            return edit
    return None


def _candidates(cluster: Cluster, stop: Stop) -> Iterator[tuple[Edit, KubernetesObject]]:
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
            yield Edit("add a policy:", to_yaml(new), False), made


def _changed(
    old: KubernetesObject, path: tuple[str | int, ...], entry: dict[str, Any]
) -> tuple[Edit, KubernetesObject]:
    raw = copy.deepcopy(old.manifest.raw)
    current: Any = raw
    for segment in path[:-1]:
        current = current[segment]
    if not isinstance(current.get(path[-1]), list):
        current[path[-1]] = []
    current[path[-1]].append(entry)
    new = _typed(old, raw)
    where = f"add to {format_path(path)} of NetworkPolicy {old.namespace}/{old.name}:"
    return Edit(where, to_yaml([entry]), True), new if new is not None else old


def _typed(old: KubernetesObject, raw: dict[str, Any]) -> KubernetesObject | None:
    return typed(Manifest(old.manifest.document, old.manifest.prefix, raw))


def _exact(before: PolicyAnalysis, after: PolicyAnalysis, stop: Stop) -> bool:
    """Whether the stopped side lets the flow by now, and no other connection of the pods concerned has changed."""
    flow = stop.flow
    assert flow.port is not None
    wanted = TrafficSet.of(flow.protocol, flow.port)
    ingress = stop.direction is Direction.INGRESS
    subjects = (
        before.endpoints_of(flow.destination if ingress else flow.source)
        if isinstance(flow.destination if ingress else flow.source, Workload)
        else ()
    )
    chosen = before.select(stop.policy.subject)
    concerned = dict.fromkeys((*subjects, *chosen.certain, *chosen.possible))
    if len(concerned) * len(before.endpoints) > _MOST_PAIRS:
        return False
    mine = (stop.source, stop.destination)
    for subject in concerned:
        for other in before.endpoints:
            pair = (other, subject) if ingress else (subject, other)
            if other is subject and pair != mine:
                continue
            one = before.ingress(*pair) if ingress else before.egress(*pair)
            two = after.ingress(*pair) if ingress else after.egress(*pair)
            gained, expected = two.allowed - one.allowed, wanted if _same_ends(pair, mine, stop) else None
            if expected is not None:
                if gained != expected - one.allowed or not wanted <= two.allowed:
                    return False
            elif gained or one.allowed - two.allowed or one.unknown != two.unknown:
                return False
    return True


def _same_ends(pair: tuple[Any, Any], mine: tuple[Any, Any], stop: Stop) -> bool:
    """The pair itself, or another endpoint of the same workloads."""
    return all(a is b or (a.source is not None and a.source is b.source) for a, b in zip(pair, mine, strict=True))
