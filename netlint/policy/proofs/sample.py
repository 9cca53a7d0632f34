"""An endpoint that satisfies a predicate, where one is plain to see: most questions need no solver."""

from collections.abc import Iterable

from netlint.policy.proofs.assumptions import Assumptions
from netlint.predicates import (
    ALL_IPV4,
    NAME,
    AddressIn,
    AddressSet,
    And,
    Endpoint,
    EndpointKind,
    Label,
    OfKind,
    Or,
    Predicate,
    Scope,
    Values,
)

_ELSEWHERE = "another-namespace"


def sample(predicate: Predicate, assumptions: Assumptions) -> Endpoint | None:
    """An endpoint that could be and satisfies the predicate, or None where it would take a search."""
    if isinstance(predicate, Or):
        return next((found for part in predicate.parts if (found := sample(part, assumptions)) is not None), None)
    parts: Iterable[Predicate] = predicate.parts if isinstance(predicate, And) else (predicate,)
    kind = EndpointKind.POD
    labels: dict[Scope, dict[str, str]] = {scope: {} for scope in Scope}
    labels[Scope.NAMESPACE][NAME] = _ELSEWHERE
    labels[Scope.SERVICE_ACCOUNT][NAME] = "default"
    addresses = assumptions.ranges.pods or ALL_IPV4
    for part in parts:
        if isinstance(part, OfKind):
            if EndpointKind.POD not in part.kinds:
                return None
        elif isinstance(part, Label):
            if part.scope is Scope.NODE:
                return None
            value = _value(part.values)
            if value is not None:
                labels[part.scope][part.key] = value
            elif part.key in labels[part.scope]:
                return None
        elif isinstance(part, AddressIn):
            addresses = addresses & part.addresses
            if not addresses:
                return None
        else:
            return None
    name = labels[Scope.NAMESPACE][NAME]
    if name in assumptions.namespaces:
        labels[Scope.NAMESPACE] = {**assumptions.namespaces[name], NAME: name}
    elif assumptions.closed_namespaces:
        return None
    found = Endpoint(
        id="source",
        kind=kind,
        namespace=name,
        name="source",
        labels=labels[Scope.POD],
        namespace_labels=labels[Scope.NAMESPACE],
        service_account_labels=labels[Scope.SERVICE_ACCOUNT],
        addresses=AddressSet.single(addresses.intervals[0][0]),
        hypothetical=True,
    )
    return found if predicate.holds(found) is True else None


def _value(values: Values) -> str | None:
    """A value that is admitted; None for an absent label, which is preferred where both are."""
    if values.absent:
        return None
    if not values.complement:
        return min(values.values)
    value = "any"
    while value in values.values:
        value += "x"
    return value
