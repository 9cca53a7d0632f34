"""What predicates speak of: anything that sends or receives traffic."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from netlint.predicates.addresses import NO_ADDRESSES, AddressSet
from netlint.predicates.traffic import EndpointPort

NAME: Final = "kubernetes.io/metadata.name"
"""The name of a namespace, node or service account, read as a label; the API server really sets it on namespaces."""


class EndpointKind(enum.Enum):
    """HOST is a pod on the host's network: to policies it is an address of its node, and no selector takes it."""

    POD = "pod"
    HOST = "host"
    NODE = "node"
    EXTERNAL = "external"
    API_SERVER = "api-server"

    __hash__ = object.__hash__  # members are single; the enum's own hash is a function call


class Scope(enum.Enum):
    """Whose label a predicate asks about."""

    POD = "pod"
    NAMESPACE = "namespace"
    NODE = "node"
    SERVICE_ACCOUNT = "service-account"

    __hash__ = object.__hash__


_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Endpoint:
    """A pod (or a workload whose pods agree), a node, an address block outside, the API server.

    `namespace_labels` hold NAME. `addresses` is where the endpoint may be: a known address, or a range. A label in
    `unknown_keys`, or of a scope in `open_scopes` and not among the labels, is unknown rather than absent.
    """

    id: str
    kind: EndpointKind
    namespace: str | None = None
    name: str = ""
    labels: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    namespace_labels: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    node_labels: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    service_account_labels: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    ports: tuple[EndpointPort, ...] = ()
    addresses: AddressSet = NO_ADDRESSES
    unknown_keys: frozenset[tuple[Scope, str]] = frozenset()
    open_scopes: frozenset[Scope] = frozenset()
    source: object = field(default=None, repr=False)
    hypothetical: bool = False

    def labels_of(self, scope: Scope) -> Mapping[str, str]:
        if scope is Scope.POD:
            return self.labels
        if scope is Scope.NAMESPACE:
            return self.namespace_labels
        return self.node_labels if scope is Scope.NODE else self.service_account_labels

    def knows(self, scope: Scope, key: str) -> bool:
        """Whether the label's value, or its absence, is known."""
        if (scope, key) in self.unknown_keys:
            return False
        return scope not in self.open_scopes or key in self.labels_of(scope)

    @property
    def service_account(self) -> str | None:
        return self.service_account_labels.get(NAME)

    def __str__(self) -> str:
        return self.id
