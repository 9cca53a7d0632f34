"""Who can talk to whom in one cluster, and why: the face of the room."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from netlint.policy.classes import Classes, EndpointClass
from netlint.policy.endpoints import (
    INTERNET_ID,
    Ranges,
    cut_addresses,
    endpoints_of_cluster,
    external_endpoints,
    ranges_of,
)
from netlint.policy.form import Direction, Policy, PolicySet, Verdict
from netlint.policy.matrix import Matrix, Row
from netlint.policy.outcome import Connection, Explanation
from netlint.policy.pairs import Pairs
from netlint.policy.proofs import Assumptions, Prover
from netlint.policy.readings import Readings
from netlint.policy.translate import translate
from netlint.policy.translate.foreign import dialect_of, enforces
from netlint.predicates import (
    ALL_ADDRESSES,
    NAME,
    AddressSet,
    And,
    Endpoint,
    EndpointKind,
    EndpointPort,
    Label,
    Predicate,
    Scope,
    TrafficSet,
)
from netlint.predicates.bitsets import Index, places_of

if TYPE_CHECKING:
    from netlint.cluster import Cluster, Workload
    from netlint.policy.form import PolicyObject


@dataclass(frozen=True, slots=True)
class Selection:
    """The endpoints that certainly match, and those that match or may match."""

    certain: tuple[Endpoint, ...]
    possible: tuple[Endpoint, ...]

    def __bool__(self) -> bool:
        return bool(self.possible)


class PolicyAnalysis:
    """The policies of one cluster over its endpoints. Built at once, evaluated on demand; answers are kept.

    Endpoints of the analysis are told apart by identity: ask with those of `endpoints`, `by_id` or `endpoints_of`, or
    with hypothetical ones made by `pod` and `address`.
    """

    def __init__(
        self,
        policies: PolicySet,
        endpoints: Iterable[Endpoint],
        readings: Readings | None = None,
        *,
        ranges: Ranges | None = None,
        namespaces: Mapping[str, Mapping[str, str]] | None = None,
        closed_namespaces: bool = False,
    ) -> None:
        """`endpoints` are those inside the cluster; addresses outside are added. `namespaces` are the labels of the
        namespaces whose labels are known; `closed_namespaces` says that there are no others."""
        self.policies = policies
        self.readings = readings or Readings()
        self.ranges = ranges or Ranges()
        self.inside = tuple(endpoints)
        self.namespaces: Mapping[str, Mapping[str, str]] = namespaces or {}
        self.closed_namespaces = closed_namespaces

    @classmethod
    def of(cls, cluster: "Cluster", readings: Readings | None = None) -> "PolicyAnalysis":
        """The analysis of a cluster, with the readings of its policy engine where none are given."""
        engine = cluster.facts.policy_engine.value or cluster.facts.cni.value
        chosen = readings or Readings.for_engine(engine)
        ranges = ranges_of(cluster)
        policies = translate(_policy_objects(cluster, engine), chosen)
        return cls(
            policies,
            endpoints_of_cluster(cluster, policies, chosen, ranges),
            chosen,
            ranges=ranges,
            namespaces={name: info.labels for name, info in cluster.namespaces.items() if info.labels_known},
            closed_namespaces=cluster.completeness.complete("Namespace"),
        )

    # Endpoints

    @cached_property
    def external(self) -> tuple[Endpoint, ...]:
        """The addresses outside the cluster, cut wherever a rule or a known range divides them."""
        pods = self.ranges.pods or AddressSet()
        services = self.ranges.services or AddressSet()
        cuts = [self.ranges.nodes or AddressSet(), self.ranges.others]
        return tuple(external_endpoints(self.policies, cuts, pods | services))

    @cached_property
    def endpoints(self) -> tuple[Endpoint, ...]:
        return (*self.inside, *self.external)

    @cached_property
    def _by_id(self) -> dict[str, Endpoint]:
        return {endpoint.id: endpoint for endpoint in self.endpoints}

    @cached_property
    def _by_source(self) -> dict[object, tuple[Endpoint, ...]]:
        found: dict[object, list[Endpoint]] = {}
        for endpoint in self.inside:
            if endpoint.source is not None:
                found.setdefault(endpoint.source, []).append(endpoint)
        return {source: tuple(members) for source, members in found.items()}

    @cached_property
    def _by_kind(self) -> Mapping[EndpointKind, tuple[Endpoint, ...]]:
        found: dict[EndpointKind, list[Endpoint]] = {kind: [] for kind in EndpointKind}
        for endpoint in self.endpoints:
            found[endpoint.kind].append(endpoint)
        return {kind: tuple(members) for kind, members in found.items()}

    def of_kind(self, *kinds: EndpointKind) -> tuple[Endpoint, ...]:
        """The endpoints of these kinds, kind by kind."""
        return tuple(endpoint for kind in kinds for endpoint in self._by_kind[kind])

    def by_id(self, id: str) -> Endpoint | None:
        return self._by_id.get(id)

    def endpoints_of(self, source: "Workload | object") -> tuple[Endpoint, ...]:
        """The endpoints of a workload or of a node."""
        return self._by_source.get(source, ())

    def pod(
        self,
        namespace: str,
        labels: Mapping[str, str],
        *,
        ports: Iterable[EndpointPort] = (),
        service_account: str = "default",
        namespace_labels: Mapping[str, str] | None = None,
    ) -> Endpoint:
        """A pod that could be there, with exactly these labels. Its namespace's labels are those given, or those known,
        or unknown."""
        known = namespace_labels if namespace_labels is not None else self.namespaces.get(namespace)
        listed = ",".join(f"{key}={value}" for key, value in sorted(labels.items()))
        return Endpoint(
            id=f"{namespace}:{listed}",
            kind=EndpointKind.POD,
            namespace=namespace,
            name=listed,
            labels=dict(labels),
            namespace_labels={**(known or {}), NAME: namespace},
            service_account_labels={NAME: service_account},
            ports=tuple(ports),
            addresses=self.ranges.pod_addresses(),
            open_scopes=frozenset({Scope.NODE} if known is not None else {Scope.NODE, Scope.NAMESPACE}),
            hypothetical=True,
        )

    def address(self, addresses: str | AddressSet) -> Endpoint:
        """An address or a block outside the cluster. Raises ValueError. A block that rules divide has answers that are
        unknown; `parts` cuts it."""
        held = AddressSet.parse(addresses) if isinstance(addresses, str) else addresses
        return Endpoint(str(held), EndpointKind.EXTERNAL, None, str(held), addresses=held, hypothetical=True)

    def internet(self) -> Endpoint:
        """Every address outside the ranges that are known."""
        held = ALL_ADDRESSES - self.ranges.known
        return Endpoint(INTERNET_ID, EndpointKind.EXTERNAL, None, INTERNET_ID, addresses=held, hypothetical=True)

    def parts(self, endpoint: Endpoint) -> tuple[Endpoint, ...]:
        """An external endpoint cut at every block that the rules mention; any other endpoint as it is."""
        if endpoint.kind is not EndpointKind.EXTERNAL:
            return (endpoint,)
        outside = ALL_ADDRESSES - endpoint.addresses
        held = cut_addresses(self.policies.blocks, outside)
        if len(held) == 1:
            return (endpoint,)
        return tuple(self.address(each) for each in held)

    # Classes and rows

    @cached_property
    def _classes(self) -> Classes:
        return Classes(self.endpoints, self.policies)

    @cached_property
    def _matrix(self) -> Matrix:
        return Matrix(self.policies, self._classes, self.readings)

    @cached_property
    def _pairs(self) -> Pairs:
        return Pairs(self.policies, self._classes, self.readings)

    @property
    def classes(self) -> tuple[EndpointClass, ...]:
        """The endpoints, grouped so that no policy tells the members of a group apart."""
        return self._classes.classes

    def class_of(self, endpoint: Endpoint) -> EndpointClass | None:
        """None for a hypothetical endpoint."""
        return self._classes.of(endpoint)

    def rows(self) -> Iterator[Row]:
        """All connections, grouped: each source class in one row, with what it reaches."""
        return self._matrix.rows()

    # One pair of endpoints

    def connection(self, source: Endpoint, destination: Endpoint) -> Connection:
        """What passes from one endpoint to another: what both sides let pass."""
        return self.egress(source, destination) & self.ingress(source, destination)

    def egress(self, source: Endpoint, destination: Endpoint) -> Connection:
        """What the source's policies let pass."""
        return self._pairs.side(Direction.EGRESS, source, destination)

    def ingress(self, source: Endpoint, destination: Endpoint) -> Connection:
        """What the destination's policies let pass."""
        return self._pairs.side(Direction.INGRESS, source, destination)

    def verdict(self, source: Endpoint, destination: Endpoint, protocol: str, port: int) -> Verdict:
        return self.connection(source, destination).verdict(protocol, port)

    def explain(self, source: Endpoint, destination: Endpoint, protocol: str, port: int) -> Explanation:
        """The verdict on one port, with the rules on both sides that decided it."""
        return self._pairs.explain(source, destination, TrafficSet.of(protocol, port))

    def selected_by(self, endpoint: Endpoint, direction: Direction) -> tuple[Policy, ...]:
        """The policies that certainly select an endpoint and have a say in the direction."""
        return self._pairs.selecting(endpoint, direction, True)

    def maybe_selected_by(self, endpoint: Endpoint, direction: Direction) -> tuple[Policy, ...]:
        """The policies of which it is not known whether they select the endpoint."""
        return self._pairs.selecting(endpoint, direction, None)

    # Predicates

    @cached_property
    def _index(self) -> Index:
        return Index(self.inside)

    def select(self, predicate: Predicate) -> Selection:
        """The endpoints inside the cluster that match a predicate."""
        must, may = self._index.evaluate(predicate)
        certain = tuple(self.inside[place] for place in places_of(must))
        possible = certain if must == may else tuple(self.inside[place] for place in places_of(may))
        return Selection(certain, possible)

    def selects_any(self, predicate: Predicate) -> bool:
        """Whether some endpoint inside the cluster matches or may match."""
        return self._index.evaluate(predicate)[1] != 0

    def missing_one_label(self, predicate: Predicate) -> tuple[Endpoint, ...]:
        """The endpoints inside the cluster that certainly fail one part of a predicate, one that asks for labels of the
        pod, and no other part."""
        failing = once = twice = 0
        for part in predicate.parts if isinstance(predicate, And) else (predicate,):
            bits = self._index.everything & ~self._index.evaluate(part)[1]
            twice |= once & bits
            once |= bits
            if any(isinstance(atom, Label) and atom.scope is Scope.POD for atom in part.atoms()):
                failing |= bits
        return tuple(self.inside[place] for place in places_of(failing & ~twice))

    # Other policies, proofs

    def with_policies(self, policies: PolicySet) -> "PolicyAnalysis":
        """The same endpoints under other policies."""
        return PolicyAnalysis(
            policies,
            self.inside,
            self.readings,
            ranges=self.ranges,
            namespaces=self.namespaces,
            closed_namespaces=self.closed_namespaces,
        )

    def with_endpoints(self, *endpoints: Endpoint) -> "PolicyAnalysis":
        """The same policies with more endpoints inside the cluster."""
        return PolicyAnalysis(
            self.policies,
            (*self.inside, *endpoints),
            self.readings,
            ranges=self.ranges,
            namespaces=self.namespaces,
            closed_namespaces=self.closed_namespaces,
        )

    @cached_property
    def assumptions(self) -> Assumptions:
        """What proofs may take for granted about endpoints that could be there."""
        return Assumptions(self.namespaces, self.closed_namespaces, self.ranges)

    @cached_property
    def prover(self) -> Prover:
        return Prover(self.policies, self.assumptions, self.readings)


def _policy_objects(cluster: "Cluster", engine: str | None) -> "Sequence[PolicyObject]":
    """The policies of a cluster that its engine may enforce: typed where their kind has a model."""
    from netlint.resources import typed

    found: list[PolicyObject] = []
    for manifest in cluster.manifests:
        dialect = dialect_of(manifest)
        if dialect is None or not enforces(engine, dialect):
            continue
        found.append(typed(manifest) or manifest)
    return found
