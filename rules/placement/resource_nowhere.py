"""NET602: a device that nothing offers."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.resources.apps import DaemonSet
from netlint.resources.core import ConfigMap, Node
from netlint.resources.devices import DeviceClass
from netlint.resources.secondary_networks import SriovNetworkNodePolicy
from netlint.rules.analysis import Analysis
from netlint.rules.placement._devices import Offers, requests
from netlint.rules.registry import rule


@rule(
    "NET602",
    "resource-nowhere",
    Severity.ERROR,
    reads=(Node, DaemonSet, ConfigMap, SriovNetworkNodePolicy, DeviceClass),
    needs=(Node, ConfigMap, SriovNetworkNodePolicy),
)
def resource_nowhere(analysis: Analysis) -> Iterator[Finding]:
    """The pod requests an extended resource that no node, device plugin or policy offers, so it stays pending."""
    wanted = [request for workload in analysis.cluster.workloads for request in requests(workload).values()]
    if not wanted:
        return
    offers = Offers(analysis.cluster)
    for request in wanted:
        severity = offers.missing(request.name)
        if severity is None:
            continue
        near = offers.nearest(request.name)
        nobody = "no node offers" if offers.nodes_tell else "nothing in the input offers"
        yield resource_nowhere.finding(
            request.place,
            f"{nobody} {request.name}" + (f"; {near.text}" if near else ": the pod stays pending"),
            severity=severity,
            help=f"write {near.name}" if near else "correct the name, or run the device plugin that offers it",
            related=[Related(near.text, near.place)] if near else (),
        )
