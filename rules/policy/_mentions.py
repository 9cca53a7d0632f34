"""What settings say of Services that do not exist and of pods' present addresses."""

from collections.abc import Iterator
from dataclasses import dataclass

from netlint.cluster import Workload
from netlint.findings import Place
from netlint.intent import short
from netlint.intent.names import ServiceName, aliased, readings, resolves_services
from netlint.intent.settings import Mention, Setting, speaks_of_others
from netlint.intent.texts import groups, mentioned
from netlint.predicates.near import edit_distance
from netlint.resources.core import Service
from netlint.rules.analysis import Analysis


@dataclass(frozen=True, slots=True)
class Misleading:
    """A setting that leads nowhere, or not for long. `certain`: it was surely meant to lead somewhere."""

    place: Place
    message: str
    certain: bool
    help: str | None = None


def misleading(analysis: Analysis, addresses: dict[str, Workload]) -> Iterator[Misleading]:
    """The settings of all workloads, in order. `addresses` are those that pods have at present."""
    names = _Names(analysis)
    for workload in analysis.cluster.workloads:
        seen: set[tuple[str, str]] = set()
        for mention, text in mentioned(analysis.cluster, workload):
            found = _missing(names, workload, mention) if not text else None
            if found is not None and (mention.label, mention.reference.host) not in seen:
                seen.add((mention.label, mention.reference.host))
                yield found
        for group in groups(analysis.cluster, workload) if addresses else ():
            for setting in group.settings if not group.text else ():
                yield from _pod_address(workload, setting, addresses)


class _Names:
    """What names may lead to, by namespace: Services, and custom resources whose operators may bring Services."""

    def __init__(self, analysis: Analysis) -> None:
        self.completeness = analysis.cluster.completeness
        self.services: dict[str, list[str]] = {}
        for service in analysis.cluster.all(Service):
            self.services.setdefault(service.namespace or "", []).append(service.name)
        self.custom: dict[str, list[str]] = {}
        for group, kind in sorted(analysis.cluster.kinds):
            for manifest in analysis.cluster.of_kind(group, kind) if _of_operator(group) else ():
                if manifest.namespace and manifest.name:
                    self.custom.setdefault(manifest.namespace, []).append(manifest.name)

    def made_elsewhere(self, reading: ServiceName) -> bool:
        return any(reading.service.startswith(name) for name in self.custom.get(reading.namespace, ()))


def _of_operator(group: str) -> bool:
    return "." in group and not group.endswith(".k8s.io")


def _missing(known: _Names, workload: Workload, mention: Mention) -> Misleading | None:
    """A name in full that leads nowhere. A short one counts where a Service of the namespace differs by one letter, and
    where the input is the whole cluster and the setting plainly names a host."""
    reference = mention.reference
    if not resolves_services(workload) or aliased(reference.host, workload):
        return None
    reading = _reading(mention, workload)
    if reading is None or not known.completeness.holds_whole(reading.namespace):
        return None
    names = known.services.get(reading.namespace, [])
    if reading.service in names or known.made_elsewhere(reading):
        return None
    near = [name for name in names if len(name) > 3 and edit_distance(name, reading.service) == 1]
    plain = known.completeness.closed and _plainly_a_host(mention)
    if not (reading.full or near or plain):
        return None
    hint = f"; Service {near[0]} differs by one letter" if near else ""
    return Misleading(
        mention.place,
        f"{short(workload)} is told to use {reference.host} ({mention.label}), and namespace "
        f"{reading.namespace} has no Service {reading.service}{hint}",
        bool(near),
    )


def _plainly_a_host(mention: Mention) -> bool:
    """Whether a short name stands where a host does, with its port: `s3://files` and `GET_HOSTS_FROM=dns` do not."""
    reference = mention.reference
    addressed = reference.port is not None or reference.default_port is not None
    return addressed and (mention.named or reference.form == "url") and "_" not in reference.host


def _reading(mention: Mention, workload: Workload) -> ServiceName | None:
    found = readings(mention.reference.host, workload.namespace)
    if len(found) != 1 or found[0].pod is not None:
        return None
    addressed = mention.reference.port is not None or mention.reference.form == "url" or mention.named
    return found[0] if found[0].full or addressed else None


def _pod_address(workload: Workload, setting: Setting, addresses: dict[str, Workload]) -> Iterator[Misleading]:
    host = setting.value.rpartition("://")[2].partition("/")[0].partition(":")[0]
    other = addresses.get(host)
    if other is not None and other is not workload and not speaks_of_others(setting.name):
        yield Misleading(
            setting.place,
            f"{host} is at present the address of a pod of {short(other)}, which gets another when it restarts",
            True,
            "name a Service that selects the pods",
        )
