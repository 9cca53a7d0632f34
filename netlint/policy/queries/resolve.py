"""From the words for an endpoint to the endpoints of an analysis."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from netlint.cluster import Cluster
from netlint.policy import PolicyAnalysis
from netlint.policy.queries.expressions import (
    ByAddress,
    ByLabels,
    ByName,
    ByUrl,
    Expression,
    ExpressionError,
    Internet,
)
from netlint.predicates import Endpoint, EndpointKind, labels_match
from netlint.resources.core import Service


class UnknownEndpointError(ExpressionError):
    """A name that nothing in the input has; the message names the nearest that something has."""


@dataclass(frozen=True, slots=True)
class Target:
    """What an expression stands for: one endpoint, the several of a workload, or a Service and those behind it.

    `notes` say what of it is left out.
    """

    expression: Expression
    endpoints: tuple[Endpoint, ...]
    service: Service | None = None
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return str(self.expression)


def resolve(expression: Expression, cluster: Cluster, policy: PolicyAnalysis) -> Target:
    """The endpoints meant. A label form is one pod with exactly these labels. Raises UnknownEndpointError."""
    match expression:
        case Internet():
            return Target(expression, policy.parts(policy.internet()))
        case ByAddress():
            return Target(expression, policy.parts(policy.address(expression.block)))
        case ByLabels():
            return Target(expression, hypothetical(expression, policy))
        case ByUrl():
            raise ExpressionError(
                f"{expression.url}: a URL stands only as TO of `netlint why`; name the Service or workload"
            )
        case ByName(is_service=True):
            service = cluster.get(Service, expression.namespace, expression.name)
            if service is None:
                known = [f"{one.namespace}/Service/{one.name}" for one in cluster.all(Service)]
                raise UnknownEndpointError(_unknown(str(expression), "Service", known))
            return Target(expression, behind(service, cluster, policy), service)
        case ByName():
            return Target(expression, _named(expression, cluster, policy))


def behind(service: Service, cluster: Cluster, policy: PolicyAnalysis) -> tuple[Endpoint, ...]:
    """The endpoints of the workloads that a Service selects."""
    return tuple(endpoint for workload in cluster.workloads_of(service) for endpoint in policy.endpoints_of(workload))


def hypothetical(expression: ByLabels, policy: PolicyAnalysis) -> tuple[Endpoint, ...]:
    """A pod with exactly these labels, in every namespace meant: the one named; or each of the input that has the
    labels named, and one of no name with just these labels."""
    labels = dict(expression.labels)
    if expression.namespace is not None:
        return (policy.pod(expression.namespace, labels),)
    wanted = dict(expression.namespace_labels or {})
    known = [name for name, found in sorted(policy.namespaces.items()) if labels_match(wanted, (), found)]
    pods = [policy.pod(name, labels) for name in known]
    other = policy.pod(unused_namespace(policy), labels, namespace_labels=wanted)
    return (*pods, replace(other, id=str(expression)))


def unused_namespace(policy: PolicyAnalysis) -> str:
    """A name that no namespace of the input has."""
    taken = {*policy.namespaces, *(endpoint.namespace for endpoint in policy.inside)}
    name = "another-namespace"
    while name in taken:
        name += "x"
    return name


def _named(expression: ByName, cluster: Cluster, policy: PolicyAnalysis) -> tuple[Endpoint, ...]:
    text = str(expression)
    if expression.namespace is None:
        endpoint = policy.by_id(text)
        if endpoint is None:
            nodes = [one.id for one in policy.endpoints if one.id.startswith("Node/")]
            raise UnknownEndpointError(_unknown(text, "node", nodes))
        return (endpoint,)
    found = [
        workload
        for workload in cluster.workloads
        if workload.namespace == expression.namespace
        and workload.name == expression.name
        and (expression.kind is None or workload.kind == expression.kind)
    ]
    if not found:
        known = [workload.id for workload in cluster.workloads]
        short = [f"{workload.namespace}/{workload.name}" for workload in cluster.workloads]
        services = [f"{one.namespace}/Service/{one.name}" for one in cluster.all(Service)]
        names = short if expression.kind is None else known
        same_name = [one for one in known if one.split("/")[::2] == [expression.namespace, expression.name]]
        same_name += [one for one in services if one == f"{expression.namespace}/Service/{expression.name}"]
        raise UnknownEndpointError(_unknown(text, "workload", names, first=same_name))
    if len(found) > 1:
        choices = ", ".join(sorted(workload.id for workload in found))
        raise UnknownEndpointError(f"{text} could be any of {choices}; write the one that is meant")
    return policy.endpoints_of(found[0])


def _unknown(text: str, kind: str, known: Iterable[str], first: Iterable[str] = ()) -> str:
    """The message for a name nobody has, with up to three that are near: spelt alike, or of the same last part."""
    known = sorted(set(known))
    last = text.rpartition("/")[2]
    near = list(first)
    near += [name for name in known if name.rpartition("/")[2] == last]
    near += get_close_matches(text, known, n=3, cutoff=0.6)
    near = list(dict.fromkeys(near))[:3]
    if near:
        return f"no {kind} {text} in the input; nearest: {', '.join(near)}"
    if known:
        return f"no {kind} {text} in the input; it holds {', '.join(known[:3])}{' ...' if len(known) > 3 else ''}"
    return f"no {kind} {text}: the input holds none"


def pods_with(expression: ByLabels, policy: PolicyAnalysis) -> frozenset[Endpoint]:
    """Every pod of the input that has these labels, and perhaps more, in the namespaces meant."""
    return frozenset(
        endpoint
        for endpoint in policy.endpoints
        if endpoint.kind in (EndpointKind.POD, EndpointKind.HOST)
        and (expression.namespace is None or endpoint.namespace == expression.namespace)
        and _has(endpoint.namespace_labels, expression.namespace_labels or {})
        and _has(endpoint.labels, expression.labels)
    )


def _has(labels: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return labels_match(wanted, (), labels)
