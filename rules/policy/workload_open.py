"""NET115: workloads that no policy isolates."""

from collections.abc import Iterator

from netlint.findings import Finding, Severity
from netlint.policy import Direction
from netlint.predicates import EndpointKind
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET115", "workload-open", Severity.INFO, group="pedantic")
def workload_open(analysis: Analysis) -> Iterator[Finding]:
    """No policy isolates the pods in a direction, so anybody may reach them, or they anybody."""
    for workload in analysis.cluster.workloads:
        endpoints = [e for e in analysis.policy.endpoints_of(workload) if e.kind is EndpointKind.POD]
        if not endpoints:
            continue
        ways = [
            direction.value
            for direction in (Direction.INGRESS, Direction.EGRESS)
            if not any(
                analysis.policy.selected_by(e, direction) or analysis.policy.maybe_selected_by(e, direction)
                for e in endpoints
            )
        ]
        if ways:
            yield workload_open.finding(
                workload.object.at("metadata", "name"),
                f"no policy isolates it for {' and '.join(ways)}",
                help=f"start with a default deny for namespace {workload.namespace}, and see `netlint suggest`",
            )
