"""From a model to a witness that a person can read: tried in the concrete evaluator, without what does not matter."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from netlint.findings import Witness
from netlint.policy.proofs.assumptions import Assumptions
from netlint.predicates import NAME, OTHER, AddressSet, Endpoint, EndpointKind, EndpointPort, Scope, TrafficSet

Violation = Callable[[Endpoint, Endpoint], TrafficSet]
"""The traffic between two endpoints for which what was asked fails; empty where it holds."""

_FAMILIAR: Final = (80, 443, 8080, 53, 5432, 6379, 9090, 22)
_POD_SAMPLE: Final = AddressSet.parse("198.18.0.1")


def minimise(
    source: Endpoint, destination: Endpoint, violation: Violation, assumptions: Assumptions
) -> tuple[Endpoint, Endpoint]:
    """The two endpoints without labels, names and ports that do not matter to the violation."""
    ends = [source, destination]
    for place in (0, 1):
        for namespace, labels in _placed(ends[place], assumptions):
            if _try(ends, place, violation, namespace=namespace, namespace_labels=labels):
                break
    for place in (0, 1):
        for key in sorted(ends[place].labels):
            _try(ends, place, violation, labels=_without(ends[place].labels, key))
        _try(ends, place, violation, ports=())
        for port in ends[place].ports:
            _try(ends, place, violation, ports=tuple(each for each in ends[place].ports if each != port))
        if ends[place].namespace not in assumptions.namespaces and ends[place].kind is EndpointKind.POD:
            for key in sorted(ends[place].namespace_labels):
                if key != NAME:
                    _try(ends, place, violation, namespace_labels=_without(ends[place].namespace_labels, key))
            if not assumptions.closed_namespaces:
                renamed = {**ends[place].namespace_labels, NAME: OTHER}
                _try(ends, place, violation, namespace=OTHER, namespace_labels=renamed)
        for key in sorted(ends[place].node_labels):
            _try(ends, place, violation, node_labels=_without(ends[place].node_labels, key))
        _try(ends, place, violation, service_account_labels={NAME: "default"})
        if ends[place].kind is EndpointKind.POD:
            _try(ends, place, violation, addresses=_neutral(assumptions))
    return ends[0], ends[1]


def _try(ends: list[Endpoint], place: int, violation: Violation, **changes: Any) -> bool:
    changed = list(ends)
    changed[place] = replace(ends[place], **changes)
    if not violation(*changed):
        return False
    ends[place] = changed[place]
    return True


def _placed(endpoint: Endpoint, assumptions: Assumptions) -> Iterator[tuple[str, dict[str, str]]]:
    """The namespaces that are there, with all their labels, in which an endpoint may be."""
    name = endpoint.namespace
    if name is None:
        return
    if name in assumptions.namespaces:
        yield name, {**assumptions.namespaces[name], NAME: name}
    elif assumptions.closed_namespaces:
        for other in sorted(assumptions.namespaces):
            held = assumptions.namespaces[other]
            # `other`, `otherx` ... stand for any value that no predicate mentions.
            if all(
                held.get(key) == value or (key in held and value.rstrip("x") == "other")
                for key, value in endpoint.namespace_labels.items()
                if key != NAME
            ):
                yield other, {**held, NAME: other}


def _neutral(assumptions: Assumptions) -> AddressSet:
    pods = assumptions.ranges.pods
    return AddressSet.single(pods.intervals[0][0] + 1) if pods else _POD_SAMPLE


def choose(traffic: TrafficSet) -> tuple[str, int]:
    """A protocol and port of the set that a person would expect to see."""
    for protocol in ("TCP", "UDP", "SCTP"):
        for port in _FAMILIAR:
            if traffic.contains(protocol, port):
                return protocol, port
    found = traffic.example()
    assert found is not None
    return found


def make_witness(
    source: Endpoint,
    destination: Endpoint,
    protocol: str,
    port: int,
    assumptions: Assumptions,
    flags: Mapping[str, bool],
) -> Witness:
    one, other = describe(source, assumptions), describe(destination, assumptions)
    text = f"from {one[1]} to {other[1]}, {traffic_text(protocol, port, destination)}"
    if_so = [name.partition(": ")[2] if ": " in name else name for name, true in flags.items() if true]
    if if_so:
        text += f" (if {' and '.join(if_so)})"
    numbered = protocol in ("TCP", "UDP", "SCTP")
    return Witness(one[0], other[0], port if numbered else None, protocol, text)


def make_single_witness(endpoint: Endpoint, assumptions: Assumptions) -> Witness:
    data, text = describe(endpoint, assumptions)
    return Witness(data, {}, None, None, text)


def traffic_text(protocol: str, port: int, destination: Endpoint) -> str:
    if protocol not in ("TCP", "UDP", "SCTP"):
        return f"by {protocol}" if protocol != "other" else "by another protocol"
    names = [each.name for each in destination.ports if (each.protocol, each.number) == (protocol, port)]
    return f"to port {port}/{protocol}" + (f" (named {names[0]})" if names else "")


def describe(endpoint: Endpoint, assumptions: Assumptions) -> tuple[dict[str, Any], str]:
    """One side as plain data and in words."""
    if endpoint.kind in (EndpointKind.EXTERNAL, EndpointKind.NODE, EndpointKind.API_SERVER):
        address = ", ".join(endpoint.addresses.blocks())
        data: dict[str, Any] = {"address": address}
        if endpoint.kind is EndpointKind.EXTERNAL:
            return data, f"the address {address}"
        if endpoint.kind is EndpointKind.API_SERVER:
            return {"apiServer": True, **data}, f"the API server at {address}"
        shown = {key: value for key, value in endpoint.node_labels.items() if key != NAME}
        return {"node": {"labels": shown}, **data}, f"a node{_labelled(shown)} at {address}"
    where: dict[str, Any] = {}
    place = ""
    if endpoint.namespace in assumptions.namespaces:
        where, place = {"name": endpoint.namespace}, f" in namespace {endpoint.namespace}"
    else:
        shown = {key: value for key, value in sorted(endpoint.namespace_labels.items()) if key != NAME}
        if endpoint.namespace not in (None, OTHER):
            where["name"], place = endpoint.namespace, f" in namespace {endpoint.namespace}"
        if shown:
            where["labels"] = shown
            place = f"{place or ' in a namespace'}{_labelled(shown)}"
        place = place or " in any other namespace"
    pod: dict[str, Any] = {"labels": dict(sorted(endpoint.labels.items()))}
    words = f"a pod{_labelled(endpoint.labels)}{place}"
    if endpoint.kind is EndpointKind.HOST:
        pod["hostNetwork"] = True
        words = f"a pod on the host's network{place}"
    if endpoint.service_account not in (None, OTHER, "default"):
        pod["serviceAccount"] = endpoint.service_account
        words += f" with service account {endpoint.service_account}"
    if endpoint.ports:
        pod["ports"] = [_port(each) for each in endpoint.ports]
    if endpoint.kind is EndpointKind.HOST or endpoint.addresses not in (_neutral(assumptions), _POD_SAMPLE):
        pod["address"] = ", ".join(endpoint.addresses.blocks())
        words += f" at {pod['address']}"
    return {"namespace": where, "pod": pod}, words


def _labelled(labels: Mapping[str, str]) -> str:
    return f" labelled {','.join(f'{key}={value}' for key, value in sorted(labels.items()))}" if labels else ""


def _port(port: EndpointPort) -> dict[str, Any]:
    return {"name": port.name, "protocol": port.protocol, "containerPort": port.number}


def _without(labels: Mapping[str, str], key: str) -> dict[str, str]:
    return {each: value for each, value in labels.items() if each != key}


def smallest(
    endpoint: Endpoint,
    keeps: Callable[[Endpoint], bool],
    keys: Collection[tuple[Scope, str]],
    addressed: bool,
    assumptions: Assumptions,
) -> Endpoint:
    """The endpoint with only those labels that a condition needs. `keys` are all that it asks about."""
    for key in sorted(endpoint.labels):
        smaller = replace(endpoint, labels=_without(endpoint.labels, key))
        if (Scope.POD, key) not in keys or keeps(smaller):
            endpoint = smaller
    if endpoint.namespace not in assumptions.namespaces:
        for key in sorted(endpoint.namespace_labels):
            smaller = replace(endpoint, namespace_labels=_without(endpoint.namespace_labels, key))
            if key != NAME and ((Scope.NAMESPACE, key) not in keys or keeps(smaller)):
                endpoint = smaller
        if endpoint.namespace is not None and (Scope.NAMESPACE, NAME) not in keys:
            renamed = {**endpoint.namespace_labels, NAME: OTHER}
            endpoint = replace(endpoint, namespace=OTHER, namespace_labels=renamed)
    if (Scope.SERVICE_ACCOUNT, NAME) not in keys:
        endpoint = replace(endpoint, service_account_labels={NAME: "default"})
    if endpoint.kind is EndpointKind.POD and not addressed:
        endpoint = replace(endpoint, addresses=_neutral(assumptions))
    return endpoint
