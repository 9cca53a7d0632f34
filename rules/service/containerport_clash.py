"""NET314: two containers of a pod on one port."""

from collections.abc import Iterator

from netlint.cluster import WorkloadPort
from netlint.findings import Finding, Related, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET314", "containerport-clash", Severity.ERROR)
def containerport_clash(analysis: Analysis) -> Iterator[Finding]:
    """Two containers of one pod listen on the same port: they share one network, and the second cannot bind it."""
    for workload in analysis.cluster.workloads:
        taken: dict[tuple[int, str], WorkloadPort] = {}
        for port in workload.ports:
            first = taken.setdefault((port.number, port.protocol), port)
            if first.container != port.container:
                yield containerport_clash.finding(
                    workload.at(*port.path, "containerPort"),
                    f"container {port.container} declares {port.number}/{port.protocol}, as container "
                    f"{first.container} of the same pod does: the containers of a pod share their ports",
                    help="give one of the two another port",
                    related=[Related(f"container {first.container}", workload.at(*first.path, "containerPort"))],
                )
