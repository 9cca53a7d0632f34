"""NET103: a connection that the manifests need and the policies deny."""

from collections.abc import Iterator

from netlint.cluster import Workload
from netlint.findings import Finding, Related, Severity
from netlint.intent import Flow, Outside, short
from netlint.intent.describe import rule_peers_text, rule_ports_text
from netlint.intent.edits import smallest_edit
from netlint.intent.gaps import Stop
from netlint.policy import Direction, Rule
from netlint.predicates import EndpointKind, near_misses
from netlint.resources.core import Service
from netlint.resources.discovery import EndpointSlice
from netlint.resources.networking import NetworkPolicy
from netlint.resources.policy_k8s_io import AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import miss_text
from netlint.rules.registry import rule

_MOST_EDITS = 40


@rule(
    "NET103",
    "required-flow-denied",
    Severity.ERROR,
    reads=(NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy, EndpointSlice, Service),
    needs=(NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy),
)
def required_flow_denied(analysis: Analysis) -> Iterator[Finding]:
    """A connection that the manifests need is denied: they say who calls whom, and a policy forgets it."""
    if not len(analysis.policy.policies):
        return
    grouped: dict[tuple[int, tuple[str | int, ...]], list[Stop]] = {}
    for stop in analysis.intents.gaps(analysis.policy).stops:
        if not _elsewhere(stop.flow):
            grouped.setdefault((id(stop.policy.object), stop.place.path), []).append(stop)
    for count, found in enumerate(grouped.values()):
        yield _finding(analysis, found, offer=count < _MOST_EDITS)


def _elsewhere(flow: Flow) -> bool:
    """Whether the ends are in different namespaces and one of them only by default: a tool fills it in later."""
    ends = [end for end in (flow.source, flow.destination) if isinstance(end, Workload)]
    named = {end.object.manifest.namespace for end in ends}
    return len(named) > 1 and None in named


def _finding(analysis: Analysis, found: list[Stop], *, offer: bool) -> Finding:
    judged = [(_severity(analysis, stop), stop) for stop in found]
    judged.sort(key=lambda pair: (-pair[0].rank, not pair[1].flow.certain, pair[1].flow.key))
    severity, first = judged[0]
    found = [stop for _, stop in judged]
    message = f"{_need(first.flow)}, but {_reason(first)}"
    if len(found) > 1:
        message += f"; {len(found) - 1} more such {'flow' if len(found) == 2 else 'flows'}"
    edits = []
    for stop in found[:3] if offer else ():
        text = _help(analysis, stop)
        if text is not None and text not in edits:
            edits.append(text)
    related = [
        Related(f"{stop.flow}: {evidence.text}", evidence.place)
        for stop in found
        for evidence in stop.flow.evidence[:2]
    ]
    return required_flow_denied.finding(
        first.place, message, severity=severity, help="\n".join(edits) or None, related=related
    )


def _help(analysis: Analysis, stop: Stop) -> str | None:
    """What to change, as YAML where the change has been tried."""
    if stop.reason == "types":
        return f"add {stop.direction.value.capitalize()} to policyTypes"
    if stop.miss is not None:
        found = stop.miss.found if stop.miss.found is not None else "no such label"
        return f"make the label {stop.miss.key} of selector and pods the same (the pods have {found})"
    edit = smallest_edit(analysis.policy, analysis.cluster, stop)
    return str(edit) if edit is not None else None


def _severity(analysis: Analysis, stop: Stop) -> Severity:
    """An error where the manifests are plain and no policy elsewhere is likely to make it good."""
    flow = stop.flow
    if isinstance(flow.source, Outside) or not flow.certain:
        return Severity.WARNING
    if any(end.kind is not EndpointKind.POD for end in (stop.source, stop.destination)):
        # traffic of the host's network: plugins differ, and a pod's own node is always let in
        return Severity.WARNING if isinstance(flow.destination, Workload) else Severity.ERROR
    if stop.reason in ("selector", "types"):
        return Severity.ERROR
    if stop.reason == "no-rule" and not _all_policies(analysis, stop):
        return Severity.WARNING
    return Severity.ERROR


def _all_policies(analysis: Analysis, stop: Stop) -> bool:
    """Whether the input holds what would admit the flow: other rules for these pods, or the whole namespace."""
    namespace = stop.subject.namespace or "default"
    if analysis.cluster.completeness.complete(NetworkPolicy, namespace):
        return True
    return any(rule for policy in stop.side.selected_by for rule in policy.rules_of(stop.direction))


def _need(flow: Flow) -> str:
    port = f":{flow.port}/{flow.protocol}" if flow.port else ""
    evidence = flow.evidence[0].text if flow.evidence else "the manifests"
    return f"{short(flow.source)} needs {short(flow.destination)}{port} ({evidence})"


def _reason(stop: Stop) -> str:
    name = f"policy {stop.policy.object.namespace or ''}/{stop.policy.object.name}".replace("policy /", "policy ")
    direction = "in" if stop.direction is Direction.INGRESS else "out"
    flow, rule_ = stop.flow, stop.rule or _only_rule(stop)
    if stop.reason == "types":
        return f"{name} ignores its own {stop.direction.value} rules: policyTypes does not list {stop.direction.value}"
    if stop.miss is not None:
        return f"{name}, which would admit it, does not select the pods: {miss_text(stop.miss)}"
    if stop.reason == "denied" or rule_ is None:
        return f"{name} denies it" if stop.reason == "denied" else f"{name} lets {_subject(stop)} {_nothing(stop)}"
    if stop.reason == "port":
        text = f"{name} lets it {direction} on {rule_ports_text(rule_)} only"
        if flow.service is not None and flow.service_port not in (None, flow.port):
            assert flow.service_port is not None
            if rule_.port_set.resolve(stop.destination).contains(flow.protocol, flow.service_port):
                text += f", the port of Service {flow.service.name}; its pods listen on {flow.port}"
        return text
    verb = "admits only" if stop.direction is Direction.INGRESS else "lets out only to"
    text = f"{name} {verb} {rule_peers_text(rule_, stop.other.namespace)}"
    misses = [miss for miss in near_misses(rule_.peer, [stop.other]) if miss.looks_mistyped]
    return f"{text}: {miss_text(misses[0])}" if misses else text


def _only_rule(stop: Stop) -> Rule | None:
    """The one rule that there is for these pods, where it is for others on every port."""
    rules = [rule for policy in stop.side.selected_by for rule in policy.rules_of(stop.direction)]
    if stop.reason != "no-rule" or len(rules) != 1 or rules[0].policy is not stop.policy.object:
        return None
    return rules[0] if rules[0].peers and rules[0].ports is None else None


def _subject(stop: Stop) -> str:
    source = stop.subject.source
    return short(source) if isinstance(source, Workload) else stop.subject.id


def _nothing(stop: Stop) -> str:
    rules = [rule for policy in stop.side.selected_by for rule in policy.rules_of(stop.direction)]
    way = "receive" if stop.direction is Direction.INGRESS else "send"
    return f"{way} nothing of the kind" if rules else f"{way} nothing at all"
