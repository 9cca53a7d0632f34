"""Asks Z3 one question: a fresh context, a deterministic limit, and a witness tried before anyone sees it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from netlint.policy.form import PolicySet, Rule
from netlint.policy.proofs.answers import Answer, Proved, Refuted, Unknown
from netlint.policy.proofs.assumptions import Assumptions
from netlint.policy.proofs.formula import Formula, UndefinedError
from netlint.policy.proofs.witness import Violation, choose, make_single_witness, make_witness, minimise, smallest
from netlint.predicates import ALL_TRAFFIC, AddressIn, Endpoint, EndpointKind, Label, NamedPort, Predicate, TrafficSet
from netlint.predicates.symbolic import Symbols, Term, Vocabulary, flags_of

LIMIT: Final = 40_000_000
"""Z3's own count of its work, the same on every machine."""
_GAVE_UP: Final = "the proof was given up at its limit of work"
_NOT_CONFIRMED: Final = "the solver's counterexample was not confirmed by the concrete evaluator"


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The predicates and named ports that a question's formula is made of."""

    predicates: tuple[Predicate, ...]
    names: frozenset[NamedPort]

    @classmethod
    def of(cls, rules: Iterable[Rule], predicates: Iterable[Predicate] = ()) -> "Mentioned":
        found: dict[Predicate, None] = dict.fromkeys(predicates)
        names: set[NamedPort] = set()
        for rule in rules:
            found[rule.subject] = found[rule.peer] = found[rule.local] = None
            names |= rule.port_set.named
        return cls(tuple(found), frozenset(names))

    @classmethod
    def of_policies(cls, sets: Iterable[PolicySet], predicates: Iterable[Predicate] = ()) -> "Mentioned":
        policies = [policy for each in sets for policy in each.policies]
        rules = (rule for policy in policies for rule in policy.rules)
        return cls.of(rules, (*(policy.subject for policy in policies), *predicates))


class Asker:
    """Asks under some assumptions."""

    def __init__(self, assumptions: Assumptions, node_to_pod: bool, limit: int = LIMIT) -> None:
        self._assumptions = assumptions
        self._node_to_pod = node_to_pod
        self._limit = limit

    def pair(
        self,
        mentioned: Mentioned,
        failing: Callable[[Formula], Term],
        violation: Callable[[Mapping[str, bool]], Violation],
        traffic: TrafficSet = ALL_TRAFFIC,
        tries: Iterable[tuple[Endpoint, Endpoint]] = (),
    ) -> Answer:
        """Whether no two endpoints and traffic satisfy `failing`. `violation` says the same concretely, once it is
        settled how the unknown things turned out. `tries` are pairs that may well be counterexamples: where one is, no
        solver is needed."""
        found = self._tried(violation({}), tries)
        if found is not None:
            return found
        symbols = Symbols(Vocabulary(mentioned.predicates, mentioned.names))
        source, destination = symbols.side("source"), symbols.side("destination")
        formula = Formula(symbols, source, destination, self._node_to_pod)
        try:
            asked = failing(formula)
        except UndefinedError as error:
            return Unknown(str(error))
        solver = self._solver(symbols)
        solver.add(
            symbols.traffic(traffic),
            source.same_family(destination),
            *self._assumptions.terms(symbols, source),
            *self._assumptions.terms(symbols, destination),
            asked,
        )
        pods = [side.of_kinds((EndpointKind.POD,)) for side in (source, destination)]
        usual = [*pods, symbols.traffic(TrafficSet.of("TCP"))]
        model = self._model(symbols, solver, [usual, pods, pods[:1], pods[1:]])
        if not model:
            return Proved() if model is None else Unknown(_GAVE_UP)
        flags = flags_of(symbols, model)
        ends = source.read(model, "source"), destination.read(model, "destination")
        fails = violation(flags)
        if not fails(*ends):
            return Unknown(_NOT_CONFIRMED)
        return self.confirmed(*ends, fails, flags)

    def confirmed(
        self, source: Endpoint, destination: Endpoint, fails: Violation, flags: Mapping[str, bool] | None = None
    ) -> Refuted:
        """The answer where two endpoints are a counterexample."""
        source, destination = minimise(source, destination, fails, self._assumptions)
        protocol, port = choose(fails(source, destination))
        told = make_witness(source, destination, protocol, port, self._assumptions, flags or {})
        return Refuted(told, source, destination, protocol, port)

    def _tried(self, fails: Violation, tries: Iterable[tuple[Endpoint, Endpoint]]) -> Refuted | None:
        for source, destination in tries:
            for version in (4, 6):
                if source.addresses.family(version) and destination.addresses.family(version):
                    try:
                        failing = fails(source, destination)
                    except UndefinedError:
                        return None
                    if failing:
                        return self.confirmed(source, destination, fails)
        return None

    def single(self, predicate: Predicate) -> Answer:
        """Whether no endpoint satisfies a predicate."""
        symbols = Symbols(Vocabulary([predicate]))
        side = symbols.side("source")
        solver = self._solver(symbols)
        solver.add(*self._assumptions.terms(symbols, side), side.term(predicate))
        model = self._model(symbols, solver, [[side.of_kinds((EndpointKind.POD,))]])
        if not model:
            return Proved() if model is None else Unknown(_GAVE_UP)
        found = side.read(model, "source")
        if predicate.holds(found) is False:
            return Unknown(_NOT_CONFIRMED)
        return self.refuted_by(found, predicate)

    def refuted_by(self, endpoint: Endpoint, predicate: Predicate) -> Refuted:
        """The answer where an endpoint that could be satisfies a predicate."""
        truth = predicate.holds(endpoint)
        atoms = list(predicate.atoms())
        addressed = any(isinstance(atom, AddressIn) for atom in atoms)
        keys = {(atom.scope, atom.key) for atom in atoms if isinstance(atom, Label)}
        small = smallest(endpoint, lambda each: predicate.holds(each) is truth, keys, addressed, self._assumptions)
        return Refuted(make_single_witness(small, self._assumptions), small)

    def core(self, mentioned: Mentioned, build: Callable[[Formula], tuple[Term, list[Term]]]) -> list[int] | None:
        """The places of a few of the given terms that together make the question unsatisfiable; None where not even
        all of them do."""
        symbols = Symbols(Vocabulary(mentioned.predicates, mentioned.names))
        source, destination = symbols.side("source"), symbols.side("destination")
        asked, terms = build(Formula(symbols, source, destination, self._node_to_pod))
        solver = self._solver(symbols)
        solver.add(symbols.traffic(ALL_TRAFFIC), source.same_family(destination), asked)
        solver.add(*self._assumptions.terms(symbols, source), *self._assumptions.terms(symbols, destination))
        marks = []
        for place, term in enumerate(terms):
            mark = symbols.z3.Bool(f"mark.{place}", symbols.context)
            solver.add(symbols.z3.Implies(mark, term))
            marks.append(mark)
        needed = list(range(len(terms)))
        if solver.check(*marks) != symbols.z3.unsat:
            return None
        names = {str(each) for each in solver.unsat_core()}
        needed = [place for place in needed if str(marks[place]) in names]
        for place in list(needed):
            fewer = [each for each in needed if each != place]
            if solver.check(*(marks[each] for each in fewer)) == symbols.z3.unsat:
                needed = fewer
        return needed

    def _solver(self, symbols: Symbols) -> Any:
        solver = symbols.z3.SolverFor("QF_BV", ctx=symbols.context)
        solver.set("rlimit", self._limit)
        return solver

    def _model(self, symbols: Symbols, solver: Any, preferences: list[list[Term]]) -> Any:
        """A model, the first of the preferred kinds that there is; None where there is none at all, False where that
        could not be told."""
        answer = solver.check()
        if answer == symbols.z3.unsat:
            return None
        if answer != symbols.z3.sat:
            return False
        model = solver.model()
        for preferred in preferences:
            if solver.check(*preferred) == symbols.z3.sat:
                return solver.model()
        return model
