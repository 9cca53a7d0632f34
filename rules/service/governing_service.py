"""NET312: a StatefulSet whose Service does not give its pods names."""

from collections.abc import Iterator

from netlint.cluster import Cluster, Workload
from netlint.findings import Finding, Related, Severity
from netlint.resources.apps import StatefulSet
from netlint.resources.core import Service
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule
from netlint.rules.service._variants import varied_namespaces


@rule("NET312", "governing-service", Severity.ERROR, reads=(StatefulSet, Service), needs=(StatefulSet,))
def governing_service(analysis: Analysis) -> Iterator[Finding]:
    """The StatefulSet names a Service that is missing, or that selects other pods, so its pods have no DNS names."""
    cluster = analysis.cluster
    varied = varied_namespaces(cluster)
    for workload in cluster.workloads:
        owner = workload.object
        if not isinstance(owner, StatefulSet) or not owner.spec.service_name or workload.namespace in varied:
            continue
        name = owner.spec.service_name
        service = cluster.get(Service, workload.namespace, name)
        place = owner.at("spec", "serviceName")
        headless = [one for one in cluster.services_of(workload) if one.spec.cluster_ip == "None"]
        if service is None:
            yield from _missing(cluster, workload, name, headless)
        elif service.spec.selector and workload not in cluster.workloads_of(service):
            yield governing_service.finding(
                place,
                f"Service {name} does not select the pods of {workload.name}, so they get no DNS names of their own",
                help="let serviceName name a headless Service whose selector matches the labels of the pod template",
                related=[Related(f"the selector of {name}", service.at("spec", "selector"))],
            )


def _missing(cluster: Cluster, workload: Workload, name: str, headless: list[Service]) -> Iterator[Finding]:
    complete = cluster.completeness.complete(Service, workload.namespace)
    if not headless and not complete:
        return
    whole = cluster.world == "closed" or cluster.completeness.holds_whole(workload.namespace)
    meant = f"; the headless Service of its pods is {headless[0].name}" if headless else ""
    yield governing_service.finding(
        workload.object.at("spec", "serviceName"),
        f"there is no Service {name} in namespace {workload.namespace}{meant}: the pods get no DNS names of their own",
        severity=Severity.ERROR if headless else Severity.WARNING if whole else Severity.INFO,
        help=f"write serviceName: {headless[0].name}" if headless else "make a headless Service of that name",
        related=[Related("the headless Service", one.at("metadata", "name")) for one in headless[:1]],
    )
