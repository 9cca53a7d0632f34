"""All needs of a cluster, each once."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from netlint.cluster import Cluster, Workload
from netlint.intent.apiserver import access_flows, api_server_flows
from netlint.intent.connections import configured_flows
from netlint.intent.dns import uses_names
from netlint.intent.flow import End, Flow
from netlint.intent.gaps import Gaps
from netlint.intent.kubelets import kubelet_flows
from netlint.intent.monitoring import monitoring_flows
from netlint.intent.names import ServiceNames
from netlint.intent.peers import peer_flows
from netlint.intent.routes import exposed_flows, route_flows
from netlint.policy import PolicyAnalysis

_MOST_EVIDENCE = 3


def flows(cluster: Cluster) -> tuple[Flow, ...]:
    """The flows that the manifests of a cluster need, each once, in a fixed order."""
    return Intents(cluster).flows


class Intents:
    """The needs of one cluster, found at the first question."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.names = ServiceNames(cluster)
        self._gaps: Gaps | None = None

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """Every flow that the manifests need."""
        cluster, names = self.cluster, self.names
        return merge(
            [
                *configured_flows(cluster, names),
                *peer_flows(cluster, names),
                *route_flows(cluster, names),
                *exposed_flows(cluster),
                *monitoring_flows(cluster, names),
                *api_server_flows(cluster, names),
                *access_flows(cluster),
                *kubelet_flows(cluster),
            ]
        )

    def gaps(self, policy: PolicyAnalysis) -> Gaps:
        """What of these needs some policies deny. Kept for the policies asked about last."""
        if self._gaps is None or self._gaps.policy is not policy:
            self._gaps = Gaps(self.cluster, policy, self.flows)
        return self._gaps

    @cached_property
    def by_source(self) -> dict[Workload, tuple[Flow, ...]]:
        """The flows that each workload opens."""
        return _by_end((flow.source, flow) for flow in self.flows)

    @cached_property
    def by_destination(self) -> dict[Workload, tuple[Flow, ...]]:
        """The flows that each workload is to take."""
        return _by_end((flow.destination, flow) for flow in self.flows)

    def flow_by_name(self, workload: Workload) -> Flow | None:
        """The first flow that a workload opens by the name of its other end."""
        return next((flow for flow in self.by_source.get(workload, ()) if flow.by_name), None)

    def looked_up(self, workload: Workload) -> str | None:
        """What shows that a workload looks names up: the evidence of such a flow, or a name among its settings."""
        flow = self.flow_by_name(workload)
        return flow.evidence[0].text if flow else uses_names(self.cluster, workload)


def _by_end(flows: Iterable[tuple[End, Flow]]) -> dict[Workload, tuple[Flow, ...]]:
    found: dict[Workload, list[Flow]] = {}
    for end, flow in flows:
        if isinstance(end, Workload):
            found.setdefault(end, []).append(flow)
    return {workload: tuple(of_it) for workload, of_it in found.items()}


def merge(found: Iterable[Flow]) -> tuple[Flow, ...]:
    """One flow for each connection, with all its evidence; certain where some evidence is."""
    merged: dict[tuple[str, str, int, str], Flow] = {}
    for flow in found:
        known = merged.get(flow.key)
        if known is None:
            merged[flow.key] = flow
            continue
        first, second = (known, flow) if known.certain or not flow.certain else (flow, known)
        evidence = [*first.evidence, *(e for e in second.evidence if e not in first.evidence)][:_MOST_EVIDENCE]
        merged[flow.key] = replace(first, evidence=tuple(evidence), by_name=known.by_name or flow.by_name)
    return tuple(merged[key] for key in sorted(merged))
