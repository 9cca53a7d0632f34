"""The flows between the pods of one StatefulSet, which find each other through its governing Service."""

import re
from collections.abc import Iterator

from netlint.cluster import Cluster, Workload
from netlint.intent.flow import Evidence, Flow, Strength
from netlint.intent.names import ServiceNames
from netlint.intent.settings import words
from netlint.intent.targets import is_headless, service_ports, targets
from netlint.intent.texts import mentioned
from netlint.resources.apps import StatefulSet

# Words of a setting that makes the members of a cluster look each other up by the name that all of them share.
_JOINED = frozenset(
    {"bootstrap", "discovery", "gossip", "join", "member", "memberlist", "members"}
    | {"peer", "peers", "quorum", "ring", "seed", "seeds"}
)


def peer_flows(cluster: Cluster, names: ServiceNames) -> Iterator[Flow]:
    """A StatefulSet whose own settings name a pod of it (`db-0.db:2380`) talks to itself on the port named; so does
    one that joins its peers by a headless Service of its own (`--cluster.peer=db:2380`)."""
    for workload in cluster.workloads:
        governing = _governing(workload, names)
        if governing is None:
            continue
        for mention, _ in mentioned(cluster, workload):
            reference = mention.reference
            named = re.fullmatch(rf"{re.escape(workload.name)}-\d+", reference.labels[0]) and len(reference.labels) > 1
            joined = not named and _JOINED.intersection(words(mention.label))
            if reference.port is None or not (named or joined):
                continue
            service = names.find(reference.host, workload)
            if service is None or not is_headless(service) or workload not in cluster.workloads_of(service):
                continue
            evidence = (Evidence(mention.label, mention.place),)
            strength: Strength = "certain" if named else "likely"
            yield Flow(workload, workload, reference.port, reference.protocol, evidence, strength, service)
        yield from _by_convention(cluster, workload, names)


def _governing(workload: Workload, names: ServiceNames) -> bool | None:
    if not isinstance(workload.object, StatefulSet) or not workload.object.spec.service_name:
        return None
    service = names.get(workload.namespace, workload.object.spec.service_name)
    return True if service is not None and (workload.replicas is None or workload.replicas > 1) else None


_PEER_PORT = re.compile(r"peer|raft|gossip|cluster|replication|interbroker|internode|memberlist|transport|epmd")


def _by_convention(cluster: Cluster, workload: Workload, names: ServiceNames) -> Iterator[Flow]:
    """Ports of the governing Service whose name says that the members use them among themselves."""
    assert isinstance(workload.object, StatefulSet)
    if workload.replicas is None or workload.replicas < 2:
        return
    service = names.get(workload.namespace, workload.object.spec.service_name or "")
    if service is None or not is_headless(service):
        return
    for index, port in enumerate(service_ports(service)):
        if not port.name or not _PEER_PORT.search(port.name):
            continue
        place = service.at("spec", "ports", index, "name")
        for target in targets(cluster, service, port):
            if target.workload is workload:
                evidence = (Evidence(f"port {port.name} of the governing Service {service.name}", place),)
                yield Flow(workload, workload, target.port, target.protocol, evidence, "likely", service, port.port)
