"""NET120: a configured address of a Service that does not exist, or of a pod that will not keep it."""

from collections.abc import Iterator

from netlint.findings import Finding, Severity
from netlint.resources.core import Namespace, Service
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule


@rule("NET120", "undefined-service-named", Severity.WARNING, reads=(Service, Namespace), needs=())
def undefined_service_named(analysis: Analysis) -> Iterator[Finding]:
    """A setting names a Service that does not exist in a namespace that the input holds whole, or a pod's address."""
    cluster = analysis.cluster
    addresses = {address: w for w in cluster.workloads for address in w.addresses if not w.host_network}
    if not addresses and not cluster.all(Service) and not cluster.all(Namespace):
        return
    from netlint.rules.policy._mentions import misleading  # with its patterns, which most single files do without

    for mention in misleading(analysis, addresses):
        yield undefined_service_named.finding(
            mention.place,
            mention.message,
            severity=Severity.WARNING if mention.certain else Severity.INFO,
            help=mention.help,
        )
