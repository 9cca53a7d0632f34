"""Predicates over an endpoint: small immutable trees. `holds` is their plain reading, for one endpoint."""

from collections.abc import Iterable, Iterator, Mapping

from netlint.predicates.addresses import AddressSet
from netlint.predicates.endpoint import Endpoint, EndpointKind, Scope
from netlint.predicates.labels import Values, requirement


class Predicate:
    """A condition on one endpoint. Equal trees are equal and hash alike; build with `all_of`, `any_of`, `negate`."""

    __slots__ = ("_hash", "_key")

    def __init__(self, key: tuple[object, ...]) -> None:
        self._key = (type(self), *key)
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Predicate) and self._hash == other._hash and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash

    def holds(self, endpoint: Endpoint) -> bool | None:
        """True, False, or None where the endpoint's labels or addresses are not known well enough."""
        raise NotImplementedError

    def atoms(self) -> Iterator["Predicate"]:
        """The leaves, each as often as it occurs."""
        yield self


class Constant(Predicate):
    __slots__ = ("value",)

    def __init__(self, value: bool) -> None:
        self.value = value
        super().__init__((value,))

    def holds(self, endpoint: Endpoint) -> bool | None:
        return self.value

    def __str__(self) -> str:
        return "anything" if self.value else "nothing"


class Label(Predicate):
    """The label `key` of the endpoint's pod, namespace, node or service account has one of the values."""

    __slots__ = ("key", "scope", "values")

    def __init__(self, scope: Scope, key: str, values: Values) -> None:
        self.scope, self.key, self.values = scope, key, values
        super().__init__((scope, key, values))

    def holds(self, endpoint: Endpoint) -> bool | None:
        if self.values.takes_all:
            return True
        labels = endpoint.labels_of(self.scope)
        value = labels.get(self.key)
        if (value is None and self.scope in endpoint.open_scopes) or (self.scope, self.key) in endpoint.unknown_keys:
            return None if self.values else False
        return self.values.admits(value)

    def __str__(self) -> str:
        scope = "" if self.scope is Scope.POD else f"{self.scope.value} "
        return f"{scope}{self.key} {self.values}"


class OfKind(Predicate):
    __slots__ = ("kinds",)

    def __init__(self, kinds: Iterable[EndpointKind]) -> None:
        self.kinds = frozenset(kinds)
        super().__init__((self.kinds,))

    def holds(self, endpoint: Endpoint) -> bool | None:
        return endpoint.kind in self.kinds

    def __str__(self) -> str:
        return " or ".join(sorted(kind.value for kind in self.kinds))


class AddressIn(Predicate):
    __slots__ = ("addresses",)

    def __init__(self, addresses: AddressSet) -> None:
        self.addresses = addresses
        super().__init__((addresses,))

    def holds(self, endpoint: Endpoint) -> bool | None:
        if not endpoint.addresses.overlaps(self.addresses):
            return False
        return True if endpoint.addresses <= self.addresses else None

    def __str__(self) -> str:
        return f"address in {self.addresses}"


class Assumption(Predicate):
    """Something that is not known. `shared`: it is the same for every endpoint, such as how an engine reads a field."""

    __slots__ = ("name", "shared")

    def __init__(self, name: str, shared: bool = True) -> None:
        self.name, self.shared = name, shared
        super().__init__((name, shared))

    def holds(self, endpoint: Endpoint) -> bool | None:
        return None

    def __str__(self) -> str:
        return f"if {self.name}"


class And(Predicate):
    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Predicate]) -> None:
        self.parts = tuple(parts)
        super().__init__((frozenset(self.parts),))

    def holds(self, endpoint: Endpoint) -> bool | None:
        answer: bool | None = True
        for part in self.parts:
            found = part.holds(endpoint)
            if found is False:
                return False
            if found is None:
                answer = None
        return answer

    def atoms(self) -> Iterator[Predicate]:
        for part in self.parts:
            yield from part.atoms()

    def __str__(self) -> str:
        return " and ".join(f"({part})" if isinstance(part, Or) else str(part) for part in self.parts)


class Or(Predicate):
    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Predicate]) -> None:
        self.parts = tuple(parts)
        super().__init__((frozenset(self.parts),))

    def holds(self, endpoint: Endpoint) -> bool | None:
        answer: bool | None = False
        for part in self.parts:
            found = part.holds(endpoint)
            if found is True:
                return True
            if found is None:
                answer = None
        return answer

    def atoms(self) -> Iterator[Predicate]:
        for part in self.parts:
            yield from part.atoms()

    def __str__(self) -> str:
        return " or ".join(f"({part})" if isinstance(part, And) else str(part) for part in self.parts)


class Not(Predicate):
    __slots__ = ("part",)

    def __init__(self, part: Predicate) -> None:
        self.part = part
        super().__init__((part,))

    def holds(self, endpoint: Endpoint) -> bool | None:
        found = self.part.holds(endpoint)
        return None if found is None else not found

    def atoms(self) -> Iterator[Predicate]:
        yield from self.part.atoms()

    def __str__(self) -> str:
        return f"not ({self.part})"


_ABSORB_LIMIT = 32
TRUE = Constant(True)
FALSE = Constant(False)


def all_of(*parts: Predicate) -> Predicate:
    """The conjunction. Tests of one label, of the kind or of the address become one test; a contradiction is FALSE."""
    merged: dict[object, Predicate] = {}
    for part in _flat(parts, And):
        if part == FALSE:
            return FALSE
        if part == TRUE:
            continue
        slot = _slot(part)
        known = merged.get(slot)
        joined = part if known is None else _meet(known, part)
        if joined == FALSE:
            return FALSE
        merged[slot] = joined
    left = [part for part in merged.values() if part != TRUE]
    if not left:
        return TRUE
    return left[0] if len(left) == 1 else And(left)


def any_of(*parts: Predicate) -> Predicate:
    """The disjunction. Tests of one label, of the kind or of the address become one test; a tautology is TRUE."""
    merged: dict[object, Predicate] = {}
    for part in _flat(parts, Or):
        if part == TRUE:
            return TRUE
        if part == FALSE:
            continue
        slot = _slot(part)
        known = merged.get(slot)
        joined = part if known is None else _join(known, part)
        if joined == TRUE:
            return TRUE
        merged[slot] = joined
    left = [part for part in merged.values() if part != FALSE]
    if not left:
        return FALSE
    if 1 < len(left) <= _ABSORB_LIMIT:
        left = _absorb(left)
    return left[0] if len(left) == 1 else Or(left)


def _absorb(parts: list[Predicate]) -> list[Predicate]:
    """The alternatives that no other alternative contains, part by part."""
    sets = [frozenset(part.parts) if isinstance(part, And) else frozenset((part,)) for part in parts]
    return [part for place, part in enumerate(parts) if not any(other < sets[place] for other in sets)]


def negate(part: Predicate) -> Predicate:
    """The negation, pushed into constants and single labels."""
    if isinstance(part, Constant):
        return FALSE if part.value else TRUE
    if isinstance(part, Not):
        return part.part
    if isinstance(part, Label):
        return _label(part.scope, part.key, ~part.values)
    if isinstance(part, OfKind):
        return _kind(frozenset(EndpointKind) - part.kinds)
    return Not(part)


def selector(
    match_labels: Mapping[str, str] | None,
    match_expressions: Iterable[tuple[str, str, Iterable[str]]] = (),
    scope: Scope = Scope.POD,
) -> Predicate:
    """The labels that a selector asks for, its parts ANDed; an empty one is TRUE. It says nothing of the endpoint's
    kind. Raises ValueError for an operator or a number of values that the API server refuses."""
    parts = [Label(scope, key, Values.one_of(value)) for key, value in (match_labels or {}).items()]
    parts += [Label(scope, key, requirement(operator, values)) for key, operator, values in match_expressions]
    return all_of(*parts)


def _flat(parts: Iterable[Predicate], kind: type[And] | type[Or]) -> Iterator[Predicate]:
    for part in parts:
        if isinstance(part, kind):
            yield from part.parts
        else:
            yield part


def _slot(part: Predicate) -> object:
    if isinstance(part, Label):
        return (part.scope, part.key)
    if isinstance(part, OfKind | AddressIn):
        return type(part)
    if isinstance(part, And):
        rest = frozenset(each for each in part.parts if not isinstance(each, AddressIn))
        return (And, rest) if len(rest) < len(part.parts) else part
    return part


def _meet(left: Predicate, right: Predicate) -> Predicate:
    if isinstance(left, Label) and isinstance(right, Label):
        return _label(left.scope, left.key, left.values & right.values)
    if isinstance(left, OfKind) and isinstance(right, OfKind):
        return _kind(left.kinds & right.kinds)
    if isinstance(left, AddressIn) and isinstance(right, AddressIn):
        common = left.addresses & right.addresses
        return AddressIn(common) if common else FALSE
    return left


def _join(left: Predicate, right: Predicate) -> Predicate:
    if isinstance(left, Label) and isinstance(right, Label):
        return _label(left.scope, left.key, left.values | right.values)
    if isinstance(left, OfKind) and isinstance(right, OfKind):
        return _kind(left.kinds | right.kinds)
    if isinstance(left, AddressIn) and isinstance(right, AddressIn):
        return AddressIn(left.addresses | right.addresses)
    if isinstance(left, And) and isinstance(right, And) and left != right:
        # Blocks of one kind of peer: together they may cover a range that none of them covers alone.
        blocks = [part for part in (*left.parts, *right.parts) if isinstance(part, AddressIn)]
        return And((*(part for part in left.parts if not isinstance(part, AddressIn)), any_of(*blocks)))
    return left


def _label(scope: Scope, key: str, values: Values) -> Predicate:
    if not values:
        return FALSE
    return TRUE if values.takes_all else Label(scope, key, values)


def _kind(kinds: frozenset[EndpointKind]) -> Predicate:
    if not kinds:
        return FALSE
    return TRUE if len(kinds) == len(EndpointKind) else OfKind(kinds)
