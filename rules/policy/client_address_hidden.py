"""NET122: client addresses that the pods never see."""

import ipaddress
from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.resources.core import Service
from netlint.resources.networking import NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import subjects, takes_all
from netlint.rules.registry import rule


@rule("NET122", "client-address-hidden", Severity.WARNING, reads=(NetworkPolicy, Service), needs=(NetworkPolicy,))
def client_address_hidden(analysis: Analysis) -> Iterator[Finding]:
    """The rule admits clients by address, but the Service replaces that address by a node's on the way."""
    for policy in analysis.cluster.all(NetworkPolicy):
        pods = subjects(analysis.cluster, policy)
        if not pods or takes_all(policy.spec.pod_selector):
            continue
        services = {s for pod in pods for s in analysis.cluster.services_of(pod) if _from_outside(s)}
        if not services or any(service.spec.external_traffic_policy == "Local" for service in services):
            continue
        service = min(services, key=lambda each: each.name)
        for index, rule_ in enumerate(policy.spec.ingress or ()):
            for number, peer in enumerate(rule_.from_ or ()):
                if peer.ip_block is None or not _public(peer.ip_block.cidr):
                    continue
                yield client_address_hidden.finding(
                    policy.at("spec", "ingress", index, "from", number, "ipBlock", "cidr"),
                    f"the pods hardly ever see addresses of {peer.ip_block.cidr}: Service {service.name} has "
                    "externalTrafficPolicy Cluster, which replaces the client's address by a node's",
                    help="set externalTrafficPolicy: Local, or admit the nodes and filter clients at the load balancer "
                    "(spec.loadBalancerSourceRanges)",
                    related=[Related("replaces client addresses", service.at("spec", "externalTrafficPolicy"))],
                )


def _from_outside(service: Service) -> bool:
    return service.spec.type in ("LoadBalancer", "NodePort")


def _public(block: str) -> bool:
    """Whether a block is of clients on the internet: private ones may come to the pods directly."""
    try:
        network = ipaddress.ip_network(block, strict=False)
    except ValueError:
        return False
    documentation = any(network.version == 4 and network.subnet_of(each) for each in _DOCUMENTATION)  # type: ignore[arg-type]
    return network.prefixlen > 0 and (documentation or not network.is_private)


_DOCUMENTATION = tuple(ipaddress.ip_network(text) for text in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"))
