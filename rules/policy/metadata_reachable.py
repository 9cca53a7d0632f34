"""NET123: the cloud's metadata address is open to workloads."""

from collections.abc import Iterator

from netlint.cluster import Workload
from netlint.findings import Finding, Severity
from netlint.policy import Verdict
from netlint.predicates import Endpoint, EndpointKind
from netlint.resources.core import Node
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule

_METADATA = "169.254.169.254"
_CLOUDS = frozenset({"eks", "gke", "aks", "openshift-on-aws"})


@rule("NET123", "metadata-reachable", Severity.INFO, reads=(Node,), needs=(), group="pedantic")
def metadata_reachable(analysis: Analysis) -> Iterator[Finding]:
    """Pods may ask the cloud's metadata server, which hands out the node's credentials where it is not locked."""
    cloud = _cloud(analysis)
    if cloud is None:
        return
    address = analysis.policy.address(_METADATA)
    for workload in analysis.cluster.workloads:
        if _reaches(analysis, workload, address):
            yield metadata_reachable.finding(
                workload.object.at("metadata", "name"),
                f"may reach the metadata server {_METADATA} ({cloud})",
                help=f"leave {_METADATA}/32 out of the ipBlocks of its egress rules, or hide the server from pods",
            )


def _reaches(analysis: Analysis, workload: Workload, address: Endpoint) -> bool:
    endpoints = [e for e in analysis.policy.endpoints_of(workload) if e.kind is EndpointKind.POD]
    return any(analysis.policy.verdict(e, address, "TCP", 80) is Verdict.ALLOWED for e in endpoints)


def _cloud(analysis: Analysis) -> str | None:
    distribution = analysis.cluster.facts.distribution.value
    if distribution in _CLOUDS:
        return f"this is {distribution}"
    for node in analysis.cluster.all(Node):
        scheme = (node.spec.provider_id or "").partition("://")[0]
        if scheme in ("aws", "gce", "azure", "openstack", "digitalocean"):
            return f"nodes of {scheme}"
    return None
