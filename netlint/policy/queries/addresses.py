"""Addresses that something of the input has: a pod, a node, a Service. To policies these are what they belong to."""

from netlint.cluster import Cluster, Workload
from netlint.policy import PolicyAnalysis
from netlint.policy.endpoints import parsed
from netlint.policy.queries.expressions import ByAddress
from netlint.policy.queries.resolve import Target, UnknownEndpointError, behind
from netlint.predicates import NO_ADDRESSES, AddressSet, Endpoint, EndpointKind
from netlint.resources.core import Service

_FEW = 16
"""A node has no more addresses; with more, `addresses` is the range that it lies in."""


def resolve_address(expression: ByAddress, cluster: Cluster, policy: PolicyAnalysis) -> Target:
    """What an address or block stands for: the pods or the node that have it, the Service whose ClusterIP it is, else
    what lies outside the cluster, cut where rules divide it.

    Raises UnknownEndpointError for addresses that only pods or Services can have and nothing in the input has.
    """
    held = AddressSet.parse(expression.block)
    if held.size == 1:
        owners = _owners(held, policy)
        if owners:
            return Target(expression, owners)
        service = _service(held, cluster)
        if service is not None:
            return Target(expression, behind(service, cluster, policy), service)
    pods, services = (held & (known or NO_ADDRESSES) for known in (policy.ranges.pods, policy.ranges.services))
    outside = held - pods - services
    if not outside and services:
        raise UnknownEndpointError(
            f"{expression.block} lies in the range of Services, and no Service of the input has it; name the Service"
        )
    if not outside:
        raise UnknownEndpointError(
            f"{expression.block} lies in the range of pods, and no pod of the input has it; name the workload, or a pod"
            " by its labels: shop:app=web"
        )
    notes = [f"{held} of {expression.block} are addresses of pods: not answered for" for held in (pods,) if held]
    return Target(expression, policy.parts(policy.address(outside)), notes=tuple(notes))


def _owners(held: AddressSet, policy: PolicyAnalysis) -> tuple[Endpoint, ...]:
    """The pods that have the address; else the nodes, else the pods on their network."""
    pods = [one for one in policy.inside if one.kind in (EndpointKind.POD, EndpointKind.HOST) and _has(one, held)]
    nodes = [
        one
        for one in policy.inside
        if one.kind is EndpointKind.NODE and held <= one.addresses and one.addresses.size <= _FEW
    ]
    inside = tuple(one for one in pods if one.kind is EndpointKind.POD)
    return inside or tuple(nodes) or tuple(pods)


def _has(endpoint: Endpoint, held: AddressSet) -> bool:
    source = endpoint.source
    return isinstance(source, Workload) and held <= endpoint.addresses and held <= parsed(source.addresses)


def _service(held: AddressSet, cluster: Cluster) -> Service | None:
    for service in cluster.all(Service):
        listed = (service.spec.cluster_ip, *(service.spec.cluster_ips or ()))
        if held <= parsed(one for one in listed if one and one != "None"):
            return service
    return None
