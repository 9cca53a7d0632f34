"""What lets connections from the internet in: the load balancers that face it, and the policies behind an entrance.

The annotations of internal load balancers are those of the Kubernetes documentation (Service, "Internal load
balancer"), and two older ones of the providers.
"""

import ipaddress
from collections.abc import Iterable

from netlint.cluster import Workload
from netlint.policy import Action, Direction, PolicyAnalysis, Verdict
from netlint.predicates import Endpoint
from netlint.resources.core import Service

_INTERNAL = {
    "networking.gke.io/load-balancer-type": ("internal",),
    "cloud.google.com/load-balancer-type": ("internal",),
    "service.beta.kubernetes.io/aws-load-balancer-internal": ("true", "0.0.0.0/0"),
    "service.beta.kubernetes.io/aws-load-balancer-scheme": ("internal",),
    "service.beta.kubernetes.io/azure-load-balancer-internal": ("true",),
    "service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type": ("private",),
    "service.beta.kubernetes.io/openstack-internal-load-balancer": ("true",),
    "service.beta.kubernetes.io/cce-load-balancer-internal-vpc": ("true",),
    "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type": ("intranet",),
    "service.beta.kubernetes.io/oci-load-balancer-internal": ("true",),
}


def faces_internet(service: Service) -> bool:
    """Whether a Service is open to addresses of the internet: not an internal balancer, nor one for private clients."""
    if service.spec.type == "NodePort":
        return True
    if service.spec.type != "LoadBalancer":
        return False
    if any(service.annotations.get(key, "").strip().lower() in values for key, values in _INTERNAL.items()):
        return False
    ranges = service.spec.load_balancer_source_ranges
    return not ranges or any(_public(block) for block in ranges)


def _public(block: str) -> bool:
    try:
        return not ipaddress.ip_network(block.strip(), strict=False).is_private
    except ValueError:
        return True


def let_in(
    policy: PolicyAnalysis, controllers: Iterable[Workload], backend: Endpoint, protocol: str, port: int
) -> bool:
    """Whether a backend takes connections of its controllers. Of unknown ones: whether it takes any on this port."""
    sources = [endpoint for workload in controllers for endpoint in policy.endpoints_of(workload)]
    if sources:
        return any(policy.verdict(source, backend, protocol, port) is not Verdict.DENIED for source in sources)
    closing = [each for each in policy.selected_by(backend, Direction.INGRESS) if Direction.INGRESS in each.isolates]
    rules = (rule for each in closing for rule in each.rules_of(Direction.INGRESS) if rule.action is not Action.DENY)
    return not closing or any(
        (rule.peers is None or len(rule.peers) > 0) and rule.port_set.resolve(backend).contains(protocol, port)
        for rule in rules
    )
