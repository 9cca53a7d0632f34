"""What a workload is open to beyond the pods of the input: groups of pods that could exist, and outside addresses."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from netlint.policy import Action, Connection, Direction, PolicyAnalysis, Rule
from netlint.policy.queries.reach import address_text
from netlint.policy.queries.resolve import unused_namespace
from netlint.predicates import (
    ALL_TRAFFIC,
    NAME,
    NO_ADDRESSES,
    NO_TRAFFIC,
    AddressIn,
    AddressSet,
    And,
    Endpoint,
    EndpointKind,
    Label,
    NamedPort,
    OfKind,
    Or,
    Predicate,
    Scope,
    TrafficSet,
    Values,
    all_of,
    cells,
)

Requirement: TypeAlias = tuple[str, str, tuple[str, ...]]
"""A key, an operator of a label selector, and its values."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """One side of one workload towards one group. Only the workload's own side is asked: what the other side's
    policies say is up to whoever writes them.

    `kind` is `cluster` for every pod that no other row names, `pods` for those that the selectors describe, and
    `addresses`. `unknown` is what the input cannot tell. `named` are ports that a rule lets through by a name that only
    the other pod can resolve. `members` are the workloads of the input that are such pods: others could come.
    """

    endpoint: str
    direction: Literal["ingress", "egress"]
    kind: Literal["cluster", "pods", "addresses"]
    allowed: TrafficSet
    namespaces: tuple[Requirement, ...] = ()
    pods: tuple[Requirement, ...] = ()
    blocks: tuple[str, ...] = ()
    named: tuple[NamedPort, ...] = ()
    text: str = ""
    members: tuple[str, ...] = ()
    unknown: TrafficSet = NO_TRAFFIC


@dataclass(frozen=True, slots=True)
class _Group:
    """Pods as a rule describes them: what each label must be, by scope."""

    namespaces: tuple[tuple[str, Values], ...]
    pods: tuple[tuple[str, Values], ...]


def exposures(policy: PolicyAnalysis, endpoints: Iterable[Endpoint]) -> Iterator[Exposure]:
    """For each pod of `endpoints`: ingress, then egress; the whole cluster, groups that differ from it, addresses."""
    known: dict[tuple[int, Direction], list[Exposure]] = {}
    for endpoint in sorted(endpoints, key=lambda one: one.id):
        if endpoint.kind is not EndpointKind.POD:
            continue
        for direction in (Direction.INGRESS, Direction.EGRESS):
            group = policy.class_of(endpoint)
            key = (-1 if group is None else group.index, direction)
            if key not in known:
                known[key] = list(_side(policy, endpoint, direction))
            for row in known[key]:
                yield replace(row, endpoint=endpoint.id)


def unprotected(policy: PolicyAnalysis, endpoint: Endpoint, direction: Direction) -> bool:
    """Whether no policy at all, of any tier, selects the endpoint for this direction."""
    return not policy.selected_by(endpoint, direction)


def _side(policy: PolicyAnalysis, endpoint: Endpoint, direction: Direction) -> Iterator[Exposure]:
    rules = [
        rule
        for found in policy.selected_by(endpoint, direction)
        for rule in found.rules
        if rule.direction is direction and rule.subject.holds(endpoint)
    ]
    groups = _groups(rules)
    word: Literal["ingress", "egress"] = "ingress" if direction is Direction.INGRESS else "egress"
    tests: dict[tuple[Scope, str], list[Values]] = {}
    for group in groups:
        for scope, labels in ((Scope.NAMESPACE, group.namespaces), (Scope.POD, group.pods)):
            for key, values in labels:
                tests.setdefault((scope, key), []).append(values)
    plain = _pod_with(policy, {})
    strange = _pod_with(policy, {slot: cells(found)[-1] for slot, found in tests.items()})
    base = _common(_one_side(policy, direction, endpoint, each) for each in (plain, strange))
    base_names = _names(rules, plain, direction)
    if base.allowed or base.unknown or base_names:
        text = "every pod of the cluster"
        yield Exposure(endpoint.id, word, "cluster", base.allowed, named=base_names, text=text, unknown=base.unknown)
    for group in groups:
        if not group.namespaces and not group.pods:
            continue
        sample = _pod_with(policy, _sample(group, tests))
        found = _one_side(policy, direction, endpoint, sample)
        named = _names(rules, sample, direction)
        if found != base or named != base_names:
            namespaces, pods = _requirements(group.namespaces), _requirements(group.pods)
            text = _text(namespaces, pods)
            members = _members(policy, group)
            yield Exposure(
                endpoint.id, word, "pods", found.allowed, namespaces, pods, (), named, text, members, found.unknown
            )
    outside: dict[Connection, AddressSet] = {}
    for other in policy.endpoints:
        if other.kind is EndpointKind.EXTERNAL:
            found = _one_side(policy, direction, endpoint, other)
            if found.allowed or found.unknown:
                outside[found] = outside.get(found, NO_ADDRESSES) | other.addresses
    for found, addresses in sorted(outside.items(), key=lambda item: item[1].intervals):
        blocks, text = tuple(addresses.blocks()), address_text(addresses)
        yield Exposure(endpoint.id, word, "addresses", found.allowed, blocks=blocks, text=text, unknown=found.unknown)


def _common(connections: Iterable[Connection]) -> Connection:
    """What every one of the connections lets through, and what every one of them may."""
    allowed, possible = ALL_TRAFFIC, ALL_TRAFFIC
    for one in connections:
        allowed, possible = allowed & one.allowed, possible & (one.allowed | one.unknown)
    return Connection(allowed, possible - allowed)


def _one_side(policy: PolicyAnalysis, direction: Direction, endpoint: Endpoint, other: Endpoint) -> Connection:
    if direction is Direction.INGRESS:
        return policy.ingress(other, endpoint)
    return policy.egress(endpoint, other)


def _groups(rules: Iterable[Rule]) -> list[_Group]:
    """The distinct groups of pods that the rules' peers describe, in order of their text."""
    found: dict[_Group, None] = {}
    for rule in rules:
        for peer in rule.peers or ():
            for part in peer.predicate.parts if isinstance(peer.predicate, Or) else (peer.predicate,):
                group = _group(part)
                if group is not None:
                    found[group] = None
    return sorted(found, key=lambda one: (_requirements(one.namespaces), _requirements(one.pods)))


def _group(predicate: Predicate) -> _Group | None:
    """The labels that a conjunction asks for; None where it is about addresses, nodes or something nested."""
    labels: dict[Scope, list[tuple[str, Values]]] = {Scope.NAMESPACE: [], Scope.POD: []}
    for part in predicate.parts if isinstance(predicate, And) else (predicate,):
        if isinstance(part, Label) and part.scope in labels:
            labels[part.scope].append((part.key, part.values))
        elif isinstance(part, AddressIn) or not isinstance(part, OfKind) or EndpointKind.POD not in part.kinds:
            return None
    return _Group(tuple(sorted(labels[Scope.NAMESPACE], key=_key)), tuple(sorted(labels[Scope.POD], key=_key)))


def _members(policy: PolicyAnalysis, group: _Group) -> tuple[str, ...]:
    """The workloads of the input that belong to a group."""
    labels = [Label(Scope.NAMESPACE, key, values) for key, values in group.namespaces]
    labels += [Label(Scope.POD, key, values) for key, values in group.pods]
    found = policy.select(all_of(OfKind({EndpointKind.POD}), *labels)).certain
    return tuple(sorted(endpoint.id for endpoint in found))


def _key(label: tuple[str, Values]) -> str:
    return label[0]


def _sample(group: _Group, tests: dict[tuple[Scope, str], list[Values]]) -> dict[tuple[Scope, str], str | None]:
    """One pod of the group that has no label beyond those that it must have."""
    chosen: dict[tuple[Scope, str], str | None] = {}
    for scope, labels in ((Scope.NAMESPACE, group.namespaces), (Scope.POD, group.pods)):
        for key, values in labels:
            choices = cells(tests[scope, key])
            chosen[scope, key] = next((value for value in choices if values.admits(value)), None)
    return chosen


def _pod_with(policy: PolicyAnalysis, labels: dict[tuple[Scope, str], str | None]) -> Endpoint:
    """A pod with these labels, in a namespace with these; one of the input keeps the labels that it has."""
    of_namespace = {key: value for (scope, key), value in labels.items() if scope is Scope.NAMESPACE and value}
    of_pod = {key: value for (scope, key), value in labels.items() if scope is Scope.POD and value is not None}
    name = of_namespace.pop(NAME, None) or unused_namespace(policy)
    return policy.pod(name, of_pod, namespace_labels={**policy.namespaces.get(name, {}), **of_namespace})


def _names(rules: Iterable[Rule], other: Endpoint, direction: Direction) -> tuple[NamedPort, ...]:
    """The named ports of egress rules that take the other pod: it may have a port of that name."""
    if direction is Direction.INGRESS:
        return ()
    found = {
        name for rule in rules if rule.action is Action.ALLOW and rule.peer.holds(other) for name in rule.port_set.named
    }
    return tuple(sorted(found, key=lambda name: (name.name, name.protocol or "")))


def _requirements(labels: Iterable[tuple[str, Values]]) -> tuple[Requirement, ...]:
    """Label tests as a selector writes them."""
    found: list[Requirement] = []
    for key, values in labels:
        listed = tuple(sorted(values.values))
        if not values.complement:
            found.append((key, "In", listed) if listed else (key, "DoesNotExist", ()))
        elif values.absent:
            found.append((key, "NotIn", listed))
        else:
            found.append((key, "Exists", ()))
            if listed:
                found.append((key, "NotIn", listed))
    return tuple(sorted(found))


def _text(namespaces: tuple[Requirement, ...], pods: tuple[Requirement, ...]) -> str:
    name = next((one[2][0] for one in namespaces if one[0] == NAME and one[1] == "In" and len(one[2]) == 1), None)
    rest = [one for one in namespaces if not (name is not None and one[0] == NAME)]
    what = f"pods with {_words(pods)}" if pods else "every pod"
    if name is not None and not rest:
        return f"{what} in {name}"
    where = f"namespaces with {_words(namespaces)}" if namespaces else "every namespace"
    return f"{what} in {where}"


def _words(requirements: Iterable[Requirement]) -> str:
    words = []
    for key, operator, values in requirements:
        if operator == "In" and len(values) == 1:
            words.append(f"{key}={values[0]}")
        elif operator in ("In", "NotIn"):
            words.append(f"{key} {'in' if operator == 'In' else 'not in'} ({', '.join(values)})")
        else:
            words.append(key if operator == "Exists" else f"no {key}")
    return ", ".join(words)
