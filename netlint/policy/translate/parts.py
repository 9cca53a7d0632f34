"""What the translators of the Kubernetes dialects share: selectors, blocks and ports as predicates."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from netlint.policy.readings import Readings
from netlint.predicates import (
    FALSE,
    NAME,
    TRUE,
    AddressIn,
    AddressSet,
    Assumption,
    EndpointKind,
    Label,
    OfKind,
    Predicate,
    Scope,
    TrafficSet,
    Values,
    all_of,
    any_of,
    selector,
)
from netlint.predicates.traffic import PORT_PROTOCOLS
from netlint.resources import LabelSelector

PODS: Final = OfKind({EndpointKind.POD})
NODES: Final = OfKind({EndpointKind.NODE, EndpointKind.HOST})
NODE_LIKE: Final = frozenset({EndpointKind.NODE, EndpointKind.HOST})

BLOCKS_MATCH_PODS: Final = "the engine matches ipBlock against the addresses of pods"
NETWORKS_MATCH_PODS: Final = "the engine matches networks against the addresses of pods"
BLOCKS_MATCH_NODES: Final = "the engine matches ipBlock against the addresses of nodes"
BLOCKS_MATCH_API_SERVER: Final = "the engine matches ipBlock against the address of the API server"


class UntranslatableError(Exception):
    """A part of a policy has no meaning that could be told, in words for people."""


_Labels: TypeAlias = tuple[tuple[str, str], ...]
_Expressions: TypeAlias = tuple[tuple[str, str, tuple[str, ...]], ...]
# Policies repeat each other's selectors: each is made once, and equal ones are then the same.
_kept = lru_cache(maxsize=1 << 16)


def select(labels: LabelSelector | None, scope: Scope = Scope.POD) -> Predicate:
    """A selector's labels: a null one matches nothing, an empty one everything (LabelSelectorAsSelector)."""
    if labels is None:
        return FALSE
    listed = tuple(labels.match_labels.items()) if labels.match_labels else ()
    try:
        return _select(listed, labels.expressions if labels.match_expressions else (), scope)
    except ValueError as error:
        raise UntranslatableError(str(error)) from None


@_kept
def _select(labels: _Labels, expressions: _Expressions, scope: Scope) -> Predicate:
    return selector(dict(labels), expressions, scope)


@_kept
def in_namespace(name: str) -> Predicate:
    return Label(Scope.NAMESPACE, NAME, Values.one_of(name))


@_kept
def pods_in(namespaces: Predicate, pods: Predicate = TRUE) -> Predicate:
    """Pods, never those on the host's network."""
    return all_of(PODS, namespaces, pods)


def block(cidr: str, excepted: Iterable[str] = ()) -> AddressSet:
    """A block without its exceptions. Traffic of an exception does not match here; another peer may still allow it."""
    try:
        return AddressSet.parse(cidr) - AddressSet.parse(*excepted)
    except ValueError as error:
        raise UntranslatableError(str(error)) from None


def at_addresses(addresses: AddressSet, match_pods: bool | None, match_nodes: bool | None, pods: str) -> Predicate:
    """Whom an address block matches, under a reading of whether it matches pods and nodes. `pods` says in words what is
    not known where `match_pods` is None."""
    if not addresses:
        return FALSE
    here = AddressIn(addresses)
    if match_pods and match_nodes:
        return here
    certain = {EndpointKind.EXTERNAL}
    parts = []
    if match_nodes:
        certain |= NODE_LIKE | {EndpointKind.API_SERVER}
    else:
        parts.append(all_of(OfKind({EndpointKind.API_SERVER}), here, Assumption(BLOCKS_MATCH_API_SERVER)))
        if match_nodes is None:
            parts.append(all_of(OfKind(NODE_LIKE), here, Assumption(BLOCKS_MATCH_NODES)))
    if match_pods:
        certain.add(EndpointKind.POD)
    elif match_pods is None:
        parts.append(all_of(PODS, here, Assumption(pods)))
    return any_of(all_of(OfKind(certain), here), *parts)


def ip_block(addresses: AddressSet, readings: Readings) -> Predicate:
    return at_addresses(addresses, readings.ipblock_matches_pods, readings.ipblock_matches_nodes, BLOCKS_MATCH_PODS)


def networks(addresses: AddressSet, readings: Readings) -> Predicate:
    return at_addresses(addresses, readings.networks_match_pods, True, NETWORKS_MATCH_PODS)


@_kept
def port_range(protocol: str, first: int | None = None, last: int | None = None) -> TrafficSet:
    """Ports of one protocol. Raises UntranslatableError for what no API server takes."""
    if protocol not in PORT_PROTOCOLS:
        raise UntranslatableError(f"unknown protocol {protocol!r}")
    if first is not None:
        end = first if last is None else last
        if not 1 <= first <= end <= 65535:
            raise UntranslatableError(f"ports {first} to {end} are no range within 1 to 65535")
    return TrafficSet.of(protocol, first, last)
