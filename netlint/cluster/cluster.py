"""One cluster: its objects, namespaces and workloads, joined, and what is known of its network."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeVar, cast

from netlint.cluster.completeness import Completeness
from netlint.cluster.config import ClusterSettings, Config
from netlint.cluster.division import ClusterInput, Duplicate
from netlint.cluster.facts import NetworkFacts
from netlint.cluster.folding import workloads_of
from netlint.cluster.identity import namespace_of
from netlint.cluster.selection import LabelIndex
from netlint.cluster.workload import Workload
from netlint.resources import KubernetesObject, Manifest, model_of, typed
from netlint.resources.core import Namespace, Service

if TYPE_CHECKING:
    from netlint.cluster.addresses import AddressPlan
    from netlint.predicates import Labelled

M = TypeVar("M", bound=KubernetesObject)
NAME_LABEL = "kubernetes.io/metadata.name"


@dataclass(frozen=True, slots=True)
class NamespaceInfo:
    """A namespace that some object mentions. `labels_known`: it has these labels and no others.

    `labels` always hold kubernetes.io/metadata.name, which the API server sets.
    """

    name: str
    labels: dict[str, str]
    declared: Namespace | None
    labels_known: bool


class Cluster:
    """One cluster of the input. Everything is read on demand, once, and in an order that the input's does not change.

    `manifests` are the objects as the server would hold them: each once. `duplicates` are the objects that the input
    writes in several ways (the last counts).
    """

    def __init__(self, source: ClusterInput, assume: Literal["auto", "open", "closed"] = "auto") -> None:
        self.name = source.name
        self.settings: ClusterSettings | None = source.settings
        self.all_manifests: tuple[Manifest, ...] = source.manifests
        self.manifests, self.duplicates = source.effective()
        self._assume = assume
        self._objects: dict[type[KubernetesObject], tuple[KubernetesObject, ...]] = {}
        self._names: dict[type[KubernetesObject], dict[tuple[str | None, str], KubernetesObject]] = {}

    duplicates: tuple[Duplicate, ...]

    def __repr__(self) -> str:
        return f"Cluster({self.name!r}, {len(self.manifests)} objects)"

    @property
    def world(self) -> Literal["open", "closed"]:
        return cast("Literal['open', 'closed']", self.completeness.world)

    @cached_property
    def completeness(self) -> Completeness:
        """What the input holds all of."""
        return Completeness(self.manifests, (workload.namespace for workload in self.workloads), self._assume)

    @cached_property
    def _by_model(self) -> dict[type[KubernetesObject], list[Manifest]]:
        found: dict[type[KubernetesObject], list[Manifest]] = {}
        for manifest in self.manifests:
            model = model_of(manifest.api_version, manifest.kind)
            if model is not None:
                found.setdefault(model, []).append(manifest)
        return found

    def all(self, model: type[M]) -> tuple[M, ...]:
        """The objects of a kind, sorted by namespace, name, and file."""
        known = self._objects.get(model)
        if known is None:
            objects = [obj for m in self._by_model.get(model, ()) if isinstance(obj := typed(m), model)]
            known = tuple(sorted(objects, key=lambda obj: (obj.namespace or "", obj.name)))
            self._objects[model] = known
        return cast("tuple[M, ...]", known)

    def get(self, model: type[M], namespace: str | None, name: str) -> M | None:
        """The object of that name; `namespace` is None for kinds of cluster scope."""
        names = self._names.get(model)
        if names is None:
            names = self._names[model] = {(obj.namespace, obj.name): obj for obj in self.all(model)}
        return cast("M | None", names.get((namespace, name)))

    @cached_property
    def kinds(self) -> frozenset[tuple[str, str]]:
        """The API groups and kinds that appear."""
        return frozenset(self._by_kind)

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str], list[Manifest]]:
        found: dict[tuple[str, str], list[Manifest]] = {}
        for manifest in self.manifests:
            found.setdefault((manifest.group, manifest.kind), []).append(manifest)
        return found

    def of_kind(self, group: str, kind: str) -> Sequence[Manifest]:
        """The manifests of a kind of one API group, in the order of the cluster: for kinds without a model."""
        return self._by_kind.get((group, kind), ())

    @cached_property
    def namespaces(self) -> Mapping[str, NamespaceInfo]:
        """Every namespace that an object mentions or that is declared, sorted by name."""
        declared = {obj.name: obj for obj in self.all(Namespace) if obj.name}
        mentioned = {name for manifest in self.manifests if (name := namespace_of(manifest))}
        mentioned.update(workload.namespace for workload in self.workloads)
        return {name: self._namespace(name, declared.get(name)) for name in sorted(mentioned | declared.keys())}

    def _namespace(self, name: str, obj: Namespace | None) -> NamespaceInfo:
        labels = dict(obj.labels) if obj is not None else {}
        labels[NAME_LABEL] = name
        known = self._assume == "closed" if obj is None else not obj.rejects("metadata", "labels")
        return NamespaceInfo(name, labels, obj, known)

    @cached_property
    def facts(self) -> NetworkFacts:
        """What is known of the network, with evidence."""
        from netlint.cluster.gathering import gather

        return gather(self.manifests, self.settings)

    @cached_property
    def addresses(self) -> "AddressPlan":
        """Every declared address range by what it is for, and which of them clash."""
        from netlint.cluster.addresses import address_plan

        return address_plan(self.manifests, self.facts, self.settings)

    @cached_property
    def workloads(self) -> tuple[Workload, ...]:
        """Whatever runs pods, sorted by namespace, kind and name."""
        return workloads_of(self.manifests)

    @cached_property
    def _workloads_by_namespace(self) -> dict[str, tuple[Workload, ...]]:
        found: dict[str, list[Workload]] = {}
        for workload in self.workloads:
            found.setdefault(workload.namespace, []).append(workload)
        return {name: tuple(members) for name, members in found.items()}

    def workloads_in(self, namespace: str) -> tuple[Workload, ...]:
        return self._workloads_by_namespace.get(namespace, ())

    @cached_property
    def _by_image(self) -> dict[str, list[Workload]]:
        found: dict[str, list[Workload]] = {}
        for workload in self.workloads:
            for container in workload.spec.containers or ():
                if container.image:
                    found.setdefault(container.image, []).append(workload)
        return found

    def running(self, accepts: Callable[[str], object]) -> tuple[Workload, ...]:
        """The workloads of which a container runs an image that `accepts` answers with something true."""
        found = {workload for image, members in self._by_image.items() if accepts(image) for workload in members}
        return tuple(workload for workload in self.workloads if workload in found) if found else ()

    @cached_property
    def labelled_workloads(self) -> "Labelled[Workload]":
        """All workloads, to be looked up by the labels of their pods."""
        from netlint.predicates import Labelled

        return Labelled(self.workloads, lambda workload: workload.labels)

    @cached_property
    def labelled_namespaces(self) -> "Labelled[str]":
        """The names of all namespaces, to be looked up by their labels as far as those are known."""
        from netlint.predicates import Labelled

        return Labelled(self.namespaces, lambda name: self.namespaces[name].labels)

    @cached_property
    def _workloads_by_service(self) -> dict[Service, tuple[Workload, ...]]:
        indexes: dict[str, LabelIndex] = {}
        found: dict[Service, tuple[Workload, ...]] = {}
        for service in self.all(Service):
            namespace = service.namespace or "default"
            selector = service.spec.selector
            if not selector or service.spec.type == "ExternalName" or service.rejects("spec", "selector"):
                found[service] = ()
                continue
            index = indexes.get(namespace)
            if index is None:
                index = indexes[namespace] = LabelIndex(self.workloads_in(namespace))
            found[service] = index.select(selector)
        return found

    def workloads_of(self, service: Service) -> tuple[Workload, ...]:
        """The workloads that a Service of this cluster selects, also those that it may select by run-time labels.

        None where it has no selector: then its endpoints are written by hand or by a program.
        """
        return self._workloads_by_service.get(service, ())

    @cached_property
    def _services_by_workload(self) -> dict[Workload, tuple[Service, ...]]:
        found: dict[Workload, list[Service]] = {}
        for service, workloads in self._workloads_by_service.items():
            for workload in workloads:
                found.setdefault(workload, []).append(service)
        return {workload: tuple(services) for workload, services in found.items()}

    def services_of(self, workload: Workload) -> tuple[Service, ...]:
        """The Services that select a workload, or may by run-time labels."""
        return self._services_by_workload.get(workload, ())


def build(
    source: ClusterInput, config: Config | None = None, *, world: Literal["auto", "open", "closed"] | None = None
) -> Cluster:
    """The cluster of one part of the input. `world` is the user's word on the command line, above the configuration."""
    configured = (source.settings.world if source.settings else None) or (config.world if config else None)
    return Cluster(source, world or configured or "auto")
