"""What the API server refuses although every field has the right type, kind by kind.

A problem means that a supported version of the API server (or the kind's CustomResourceDefinition) refuses the object.
What an object lacks is named only where it cannot be a patch.
"""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from netlint.resources.base import KubernetesObject
from netlint.resources.values import FieldProblem

_CHECKS = {
    "AdminNetworkPolicy": ("admin_policy", "check_admin_policy"),
    "BaselineAdminNetworkPolicy": ("admin_policy", "check_baseline_policy"),
    "ClusterNetworkPolicy": ("admin_policy", "check_cluster_policy"),
    "CronJob": ("workloads", "check_workload"),
    "DaemonSet": ("workloads", "check_workload"),
    "Deployment": ("workloads", "check_workload"),
    "EndpointSlice": ("endpoints", "check_endpoint_slice"),
    "Endpoints": ("endpoints", "check_endpoints"),
    "GRPCRoute": ("gateway", "check_other_route"),
    "Gateway": ("gateway", "check_gateway"),
    "HTTPRoute": ("gateway", "check_http_route"),
    "IPAddress": ("ingress", "check_ip_address"),
    "Ingress": ("ingress", "check_ingress"),
    "IngressClass": ("ingress", "check_ingress_class"),
    "Job": ("workloads", "check_workload"),
    "NetworkPolicy": ("network_policy", "check_network_policy"),
    "Pod": ("workloads", "check_workload"),
    "PodTemplate": ("workloads", "check_workload"),
    "ReferenceGrant": ("gateway", "check_reference_grant"),
    "ReplicaSet": ("workloads", "check_workload"),
    "ReplicationController": ("workloads", "check_workload"),
    "Service": ("service", "check_service"),
    "ServiceCIDR": ("ingress", "check_service_cidr"),
    "StatefulSet": ("workloads", "check_workload"),
    "TCPRoute": ("gateway", "check_other_route"),
    "TLSRoute": ("gateway", "check_other_route"),
    "UDPRoute": ("gateway", "check_other_route"),
}
_MODULES = {"apps", "batch", "core", "discovery", "gateway", "networking", "pod", "policy_k8s_io"}


@cache
def _check_of(model: type[KubernetesObject]) -> Callable[[Any], Iterator[FieldProblem]] | None:
    if model.__module__.rpartition(".")[2] not in _MODULES or model.__name__ not in _CHECKS:
        return None
    module, function = _CHECKS[model.__name__]
    check: Callable[[Any], Iterator[FieldProblem]] = getattr(
        import_module(f"netlint.resources.validation.{module}"), function
    )
    return check


def validate(obj: KubernetesObject) -> Iterator[FieldProblem]:
    """The problems of a typed object, metadata first. Parts that did not type are None in it and say nothing."""
    from netlint.resources.validation.metadata import check_metadata

    yield from check_metadata(obj)
    check = _check_of(type(obj))
    if check is not None:
        yield from check(obj)
