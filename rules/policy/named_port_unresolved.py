"""NET107: a port name that the pods concerned do not have."""

from collections.abc import Iterator, Sequence

from netlint.cluster import Workload
from netlint.findings import Finding, Severity
from netlint.policy import Direction, Policy
from netlint.predicates import EndpointKind
from netlint.resources import KubernetesObject
from netlint.resources.networking import NetworkPolicy, NetworkPolicyPort
from netlint.resources.policy_k8s_io import AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import peer_workloads, plural, subjects
from netlint.rules.registry import rule

_ADMIN: tuple[type[KubernetesObject], ...] = (AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy)


@rule(
    "NET107",
    "named-port-unresolved",
    Severity.ERROR,
    reads=(NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy),
)
def named_port_unresolved(analysis: Analysis) -> Iterator[Finding]:
    """The rule opens a port by a name that no pod it leads to has, so it opens nothing."""
    cluster = analysis.cluster
    for policy in cluster.all(NetworkPolicy):
        for index, rule_ in enumerate(policy.spec.ingress or ()):
            pods = subjects(cluster, policy)
            yield from _check(policy, ("spec", "ingress", index), rule_.ports, pods, "it selects")
        for index, out in enumerate(policy.spec.egress or ()):
            path = ("spec", "egress", index)
            blocks = [peer.ip_block is not None for peer in out.to or ()]
            if blocks and all(blocks):
                yield from _addresses(analysis, policy, path, out.ports)
            elif out.to and not any(blocks):
                found = {w.id: w for peer in out.to for w in peer_workloads(cluster, policy, peer)}
                yield from _check(policy, path, out.ports, list(found.values()), "its peers select")
    for kind in _ADMIN:
        for admin in cluster.all(kind):
            yield from _admin(analysis, analysis.policy.policies.of(admin))


def _admin(analysis: Analysis, policy: Policy | None) -> Iterator[Finding]:
    """The rules of admin policies, in the one form: their port names take the protocol that the pod declares."""
    for rule_ in policy.rules if policy else ():
        destination = rule_.subject if rule_.direction is Direction.INGRESS else rule_.peer
        pods = analysis.policy.select(destination).possible
        for entry in rule_.ports or ():
            if not entry.ports.named or not pods or any(entry.ports.resolve(pod) for pod in pods):
                continue
            name = min(port.name for port in entry.ports.named)
            offered = sorted(
                {f"{port.name} ({port.number}/{port.protocol})" for pod in pods for port in pod.ports if port.name}
            )
            yield named_port_unresolved.finding(
                entry.origin,
                f"{_lacking(len(pods), 'this rule leads to', f'port named {name}')}: {_offered(offered)}",
                severity=Severity.WARNING,
            )


def _check(
    policy: NetworkPolicy,
    path: tuple[str | int, ...],
    ports: list[NetworkPolicyPort] | None,
    pods: Sequence[Workload],
    which: str,
) -> Iterator[Finding]:
    if not pods:
        return
    for number, entry in enumerate(ports or ()):
        if not isinstance(entry.port, str) or policy.rejects(*path, "ports", number):
            continue
        protocol = entry.protocol or "TCP"
        having = [pod for pod in pods if any(p.name == entry.port and p.protocol == protocol for p in pod.ports)]
        if having:
            continue
        names = sorted({f"{p.name} ({p.number}/{p.protocol})" for pod in pods for p in pod.ports if p.name})
        offered = _offered(names)
        other = next((p for pod in pods for p in pod.ports if p.name == entry.port), None)
        if other is not None:
            offered = f"{entry.port} is {other.number}/{other.protocol} there, and the rule says {protocol}"
        yield named_port_unresolved.finding(
            policy.at(*path, "ports", number, "port"),
            f"{_lacking(len(pods), which, f'{protocol} port named {entry.port}')}: {offered}",
            severity=Severity.ERROR if which == "it selects" else Severity.WARNING,
        )


def _lacking(count: int, which: str, what: str) -> str:
    if count == 1:
        return f"the workload that {which} has no {what}"
    return f"none of the {plural(count, 'workload')} that {which} has a {what}"


def _offered(names: Sequence[str]) -> str:
    return f"the names are {', '.join(names[:4])}" if names else "no port has a name"


def _addresses(
    analysis: Analysis, policy: NetworkPolicy, path: tuple[str | int, ...], ports: list[NetworkPolicyPort] | None
) -> Iterator[Finding]:
    for number, entry in enumerate(ports or ()):
        if isinstance(entry.port, str) and not policy.rejects(*path, "ports", number):
            text, severity = f"this rule never lets anything out on {entry.port}", Severity.ERROR
            if _perhaps_a_pod(analysis, policy, path, entry.port, entry.protocol or "TCP"):
                text = f"this rule lets nothing out of the cluster on {entry.port}, and to pods with some plugins only"
                severity = Severity.WARNING
            yield named_port_unresolved.finding(
                policy.at(*path, "ports", number, "port"),
                f"addresses have no port names: {text}",
                severity=severity,
                help="write the number of the port",
            )


def _perhaps_a_pod(
    analysis: Analysis, policy: NetworkPolicy, path: tuple[str | int, ...], name: str, protocol: str
) -> bool:
    """Whether a pod with such a port may have an address that a rule names, where the engine may resolve the name."""
    translated = analysis.policy.policies.of(policy)
    rule_ = next((each for each in translated.rules if each.origin.path == path), None) if translated else None
    return rule_ is not None and any(
        any(port.name == name and port.protocol == protocol for port in pod.ports)
        and rule_.peer.holds(pod) is not False
        for pod in analysis.policy.of_kind(EndpointKind.POD)
    )
