"""An endpoint that satisfies a predicate, where one is plain to see: most questions need no solver."""

from collections.abc import Iterator, Sequence

from netlint.policy.proofs.assumptions import Assumptions
from netlint.predicates import (
    ALL_ADDRESSES,
    ALL_IPV4,
    NAME,
    OTHER,
    TRUE,
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


def sample(predicate: Predicate, assumptions: Assumptions) -> Endpoint | None:
    """An endpoint that could be and satisfies the predicate, or None where it would take a search."""
    return next(samples(predicate, assumptions), None)


def samples(predicate: Predicate, assumptions: Assumptions) -> Iterator[Endpoint]:
    """Such endpoints, one for each alternative of the predicate where it has any."""
    for alternative in predicate.parts if isinstance(predicate, Or) else (predicate,):
        parts = alternative.parts if isinstance(alternative, And) else (alternative,)
        found = _external(parts, assumptions) or _pod(parts, assumptions)
        if found is not None and predicate.holds(found) is True:
            yield found


def _external(parts: Sequence[Predicate], assumptions: Assumptions) -> Endpoint | None:
    """An address outside, where addresses are asked for and nothing else."""
    held = ALL_ADDRESSES - assumptions.ranges.known
    addressed = False
    for part in parts:
        if isinstance(part, AddressIn):
            held, addressed = held & part.addresses, True
        elif not (isinstance(part, OfKind) and EndpointKind.EXTERNAL in part.kinds):
            return None
    if not addressed or not held:
        return None
    return Endpoint(
        "source", EndpointKind.EXTERNAL, addresses=AddressSet.single(held.intervals[0][0]), hypothetical=True
    )


def _pod(parts: Sequence[Predicate], assumptions: Assumptions) -> Endpoint | None:
    labels: dict[Scope, dict[str, str]] = {scope: {} for scope in Scope}
    labels[Scope.NAMESPACE][NAME] = OTHER
    labels[Scope.SERVICE_ACCOUNT][NAME] = "default"
    addresses = assumptions.ranges.pods or ALL_IPV4
    for part in parts:
        if isinstance(part, OfKind):
            if EndpointKind.POD not in part.kinds:
                return None
        elif isinstance(part, Label):
            value = _value(part.values)
            if part.scope is Scope.NODE or (value is None and part.key == NAME):
                return None
            if value is not None:
                labels[part.scope][part.key] = value
        elif isinstance(part, AddressIn):
            addresses = addresses & part.addresses
        elif part != TRUE:
            return None
    name = labels[Scope.NAMESPACE][NAME]
    if name in assumptions.namespaces:
        labels[Scope.NAMESPACE] = {**assumptions.namespaces[name], NAME: name}
    elif assumptions.closed_namespaces:
        return None
    if not addresses:
        return None
    return Endpoint(
        id="source",
        kind=EndpointKind.POD,
        namespace=name,
        name="source",
        labels=labels[Scope.POD],
        namespace_labels=labels[Scope.NAMESPACE],
        service_account_labels=labels[Scope.SERVICE_ACCOUNT],
        addresses=AddressSet.single(addresses.intervals[0][0]),
        hypothetical=True,
    )


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
