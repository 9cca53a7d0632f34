"""The reading of predicates over every endpoint that could be: variables of finite domain and bit-vectors for Z3.

A label is one of a few cells (absent, each value that some predicate mentions, any other value), an address and a kind
of traffic are bit-vectors. Nothing of Z3 is loaded before the first `Symbols` is made.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from netlint.predicates.addresses import ALL_ADDRESSES, AddressSet
from netlint.predicates.endpoint import NAME, Endpoint, EndpointKind, Scope
from netlint.predicates.intervals import Interval, IntervalSet
from netlint.predicates.labels import OTHER, Values, cells
from netlint.predicates.predicate import (
    AddressIn,
    And,
    Assumption,
    Constant,
    Label,
    Not,
    OfKind,
    Or,
    Predicate,
)
from netlint.predicates.traffic import (
    LANES,
    PORT_PROTOCOLS,
    EndpointPort,
    NamedPort,
    PortSet,
    TrafficSet,
    point,
)

if TYPE_CHECKING:
    import z3

Term: TypeAlias = "z3.BoolRef"

_ADDRESS_BITS: Final = 129
_TRAFFIC_BITS: Final = 19
_KINDS: Final = tuple(EndpointKind)
_WITH_LABELS: Final = (EndpointKind.POD, EndpointKind.HOST)
_WITH_NODE: Final = (*_WITH_LABELS, EndpointKind.NODE)


class Vocabulary:
    """What a question's predicates mention, and so all that a model has to tell apart. Sorted, so that the same
    question always makes the same formula."""

    def __init__(self, predicates: Iterable[Predicate], names: Iterable[NamedPort] = ()) -> None:
        tests: dict[tuple[Scope, str], list[Values]] = {}
        for predicate in predicates:
            for atom in predicate.atoms():
                if isinstance(atom, Label):
                    tests.setdefault((atom.scope, atom.key), []).append(atom.values)
        for scope in (Scope.NAMESPACE, Scope.SERVICE_ACCOUNT):
            tests.setdefault((scope, NAME), [])
        self.cells: dict[tuple[Scope, str], tuple[str | None, ...]] = {
            key: cells(tests[key]) for key in sorted(tests, key=lambda key: (key[0].value, key[1]))
        }
        listed = set()
        for name in names:
            protocols = PORT_PROTOCOLS if name.protocol is None else (name.protocol,)
            listed |= {(name.name, protocol) for protocol in protocols}
        self.ports: tuple[tuple[str, str], ...] = tuple(sorted(listed))

    def keys(self, scope: Scope) -> list[str]:
        return [key for where, key in self.cells if where is scope]


class Symbols:
    """The variables of one question in a context of its own: two sides, one kind of traffic, and what is assumed."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        import z3

        self.z3 = z3
        self.context = z3.Context()
        self.vocabulary = vocabulary
        self.true: Term = z3.BoolVal(True, self.context)
        self.false: Term = z3.BoolVal(False, self.context)
        self.traffic_variable = z3.BitVec("traffic", _TRAFFIC_BITS, self.context)
        self._traffic: dict[TrafficSet, Term] = {}
        self.assumed: dict[str, Term] = {}

    def side(self, name: str) -> "Side":
        return Side(self, name)

    def all(self, terms: Sequence[Term]) -> Term:
        if not terms:
            return self.true
        return terms[0] if len(terms) == 1 else self.z3.And(*terms)

    def any(self, terms: Sequence[Term]) -> Term:
        if not terms:
            return self.false
        return terms[0] if len(terms) == 1 else self.z3.Or(*terms)

    def no(self, term: Term) -> Term:
        return self.z3.Not(term)

    def traffic(self, held: TrafficSet) -> Term:
        """The traffic at hand belongs to a set."""
        known = self._traffic.get(held)
        if known is None:
            known = self._traffic[held] = self.within(self.traffic_variable, held, _TRAFFIC_BITS)
        return known

    def flag(self, name: str) -> Term:
        """Something unknown, by name."""
        known = self.assumed.get(name)
        if known is None:
            known = self.assumed[name] = self.z3.Bool(name, self.context)
        return known

    def within(self, variable: "z3.BitVecRef", held: IntervalSet, width: int) -> Term:
        return self.any([self.between(variable, interval, width) for interval in held.intervals])

    def between(self, variable: "z3.BitVecRef", interval: Interval, width: int) -> Term:
        low, high = interval
        size = high - low + 1
        if size & (size - 1) == 0 and low % size == 0:
            # An aligned block is an equality of its leading bits.
            free = size.bit_length() - 1
            if free == width:
                return self.true
            leading = variable if free == 0 else self.z3.Extract(width - 1, free, variable)
            return leading == self.z3.BitVecVal(low >> free, width - free, self.context)
        parts = []
        if low > 0:
            parts.append(self.z3.UGE(variable, self.z3.BitVecVal(low, width, self.context)))
        if high < (1 << width) - 1:
            parts.append(self.z3.ULE(variable, self.z3.BitVecVal(high, width, self.context)))
        return self.all(parts)


class Side:
    """One endpoint that could be: its kind, labels, address and named ports as variables."""

    def __init__(self, symbols: Symbols, name: str) -> None:
        self._symbols = symbols
        self.name = name
        z3, context = symbols.z3, symbols.context
        self._kind = z3.BitVec(f"{name}.kind", 3, context)
        self._labels: dict[tuple[Scope, str], tuple[Any, tuple[str | None, ...], int]] = {}
        self.rules: list[Term] = [z3.ULE(self._kind, z3.BitVecVal(len(_KINDS) - 1, 3, context))]
        for (scope, key), listed in symbols.vocabulary.cells.items():
            width = max(1, (len(listed) - 1).bit_length())
            variable = z3.BitVec(f"{name}.{scope.value}.{key}", width, context)
            self._labels[scope, key] = variable, listed, width
            if len(listed) < 1 << width:
                self.rules.append(z3.ULE(variable, z3.BitVecVal(len(listed) - 1, width, context)))
        self._address = z3.BitVec(f"{name}.address", _ADDRESS_BITS, context)
        self._ports = {
            port: z3.BitVec(f"{name}.port.{port[0]}.{port[1]}", _TRAFFIC_BITS, context)
            for port in symbols.vocabulary.ports
        }
        self.rules.append(symbols.within(self._address, ALL_ADDRESSES, _ADDRESS_BITS))
        self._terms: dict[Predicate, Term] = {}
        self._by_values: dict[tuple[Scope, str, Values], Term] = {}
        self._well_formed()

    def _well_formed(self) -> None:
        """What holds of any endpoint: who has labels, names and ports."""
        symbols = self._symbols
        labelled, on_node = self.of_kinds(_WITH_LABELS), self.of_kinds(_WITH_NODE)
        unlabelled, off_node = symbols.no(labelled), symbols.no(on_node)
        for scope, key in self._labels:
            absent = self.label(scope, key, Values.missing())
            self.rules.append(symbols.any([on_node if scope is Scope.NODE else labelled, absent]))
        for scope in (Scope.NAMESPACE, Scope.SERVICE_ACCOUNT):
            self.rules.append(symbols.any([unlabelled, symbols.no(self.label(scope, NAME, Values.missing()))]))
        if (Scope.NODE, NAME) in self._labels:
            self.rules.append(symbols.any([off_node, symbols.no(self.label(Scope.NODE, NAME, Values.missing()))]))
        for (_, protocol), variable in self._ports.items():
            base = LANES[protocol] << 16
            inside = symbols.between(variable, (base + 1, base + 65535), _TRAFFIC_BITS)
            none = variable == symbols.z3.BitVecVal(0, _TRAFFIC_BITS, symbols.context)
            self.rules.append(symbols.any([symbols.all([labelled, inside]), none]))

    def same_family(self, other: "Side") -> Term:
        """Both ends of a connection use addresses of one family."""
        extract, top = self._symbols.z3.Extract, _ADDRESS_BITS - 1
        return cast("Term", extract(top, top, self._address) == extract(top, top, other._address))

    def of_kinds(self, kinds: Iterable[EndpointKind]) -> Term:
        symbols = self._symbols
        wanted = set(kinds)
        return symbols.any(
            [
                self._kind == symbols.z3.BitVecVal(number, 3, symbols.context)
                for number, kind in enumerate(_KINDS)
                if kind in wanted
            ]
        )

    def at(self, addresses: AddressSet) -> Term:
        return self._symbols.within(self._address, addresses, _ADDRESS_BITS)

    def label(self, scope: Scope, key: str, values: Values) -> Term:
        known = self._by_values.get((scope, key, values))
        if known is None:
            known = self._by_values[scope, key, values] = self._label(scope, key, values)
        return known

    def _label(self, scope: Scope, key: str, values: Values) -> Term:
        symbols = self._symbols
        variable, listed, width = self._labels[scope, key]
        admitted = [number for number, value in enumerate(listed) if values.admits(value)]
        refused = [number for number, value in enumerate(listed) if not values.admits(value)]
        fewer = admitted if len(admitted) <= len(refused) else refused
        term = symbols.any([variable == symbols.z3.BitVecVal(number, width, symbols.context) for number in fewer])
        return term if fewer is admitted else symbols.no(term)

    def term(self, predicate: Predicate) -> Term:
        """The endpoint satisfies a predicate."""
        known = self._terms.get(predicate)
        if known is None:
            known = self._terms[predicate] = self._read(predicate)
        return known

    def _read(self, predicate: Predicate) -> Term:
        symbols = self._symbols
        if isinstance(predicate, Label):
            return self.label(predicate.scope, predicate.key, predicate.values)
        if isinstance(predicate, And):
            return symbols.all([self.term(part) for part in predicate.parts])
        if isinstance(predicate, Or):
            return symbols.any([self.term(part) for part in predicate.parts])
        if isinstance(predicate, Not):
            return symbols.no(self.term(predicate.part))
        if isinstance(predicate, OfKind):
            return self.of_kinds(predicate.kinds)
        if isinstance(predicate, AddressIn):
            return self.at(predicate.addresses)
        if isinstance(predicate, Constant):
            return symbols.true if predicate.value else symbols.false
        if isinstance(predicate, Assumption):
            return symbols.flag(predicate.name if predicate.shared else f"{self.name}: {predicate.name}")
        raise TypeError(f"no symbolic reading for {type(predicate).__name__}")

    def ports(self, ports: PortSet) -> Term:
        """The traffic at hand belongs to a port set, with this side as the destination."""
        symbols = self._symbols
        terms = [symbols.traffic(ports.traffic)] if ports.traffic else []
        for name in sorted(ports.named, key=lambda each: (each.name, each.protocol or "")):
            protocols = PORT_PROTOCOLS if name.protocol is None else (name.protocol,)
            terms.extend(symbols.traffic_variable == self._ports[name.name, protocol] for protocol in protocols)
        return symbols.any(terms)

    def read(self, model: Any, id: str) -> Endpoint:
        """The endpoint of a model, everything about it known. A namespace that nothing mentions is called OTHER."""
        labels: dict[Scope, dict[str, str]] = {scope: {} for scope in Scope}
        for (scope, key), (variable, listed, _) in self._labels.items():
            value = listed[_number(model, variable)]
            if value == OTHER and key != NAME:
                value = _unlike(listed)
            if value is not None:
                labels[scope][key] = value
        kind = _KINDS[_number(model, self._kind)]
        ports = []
        for (name, _), variable in self._ports.items():
            number = _number(model, variable)
            if number:
                protocol, port = point(number)
                ports.append(EndpointPort(name, protocol, port))
        namespace = labels[Scope.NAMESPACE].get(NAME)
        return Endpoint(
            id=id,
            kind=kind,
            namespace=namespace,
            name=id,
            labels=labels[Scope.POD],
            namespace_labels=labels[Scope.NAMESPACE],
            node_labels=labels[Scope.NODE],
            service_account_labels=labels[Scope.SERVICE_ACCOUNT],
            ports=tuple(sorted(ports)),
            addresses=AddressSet.single(_number(model, self._address)),
            hypothetical=True,
        )


def _unlike(listed: Sequence[str | None]) -> str:
    """A value that could be written and is not among the given ones."""
    value = "other"
    while value in listed:
        value += "x"
    return value


def traffic_of(symbols: Symbols, model: Any) -> tuple[str, int]:
    """The protocol and port of a model."""
    return point(_number(model, symbols.traffic_variable))


def flags_of(symbols: Symbols, model: Any) -> Mapping[str, bool]:
    """How the unknown things turned out in a model."""
    truth = symbols.z3.is_true
    return {name: truth(model.eval(term, model_completion=True)) for name, term in sorted(symbols.assumed.items())}


def _number(model: Any, variable: Any) -> int:
    return int(model.eval(variable, model_completion=True).as_long())
