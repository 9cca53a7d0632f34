"""What the policies let pass, as a formula over two endpoints that could be and one kind of traffic."""

from collections.abc import Iterable, Sequence

from netlint.policy.form import Action, Closing, Direction, Policy, PolicySet, Rule, Tier
from netlint.policy.proofs.settled import condition_flag
from netlint.predicates import FALSE, NAME, And, Label, Predicate, Scope, all_of
from netlint.predicates.endpoint import EndpointKind
from netlint.predicates.symbolic import Side, Symbols, Term

_MANY = 16
"""Of more subjects than this only the namespaces are looked at: comparing all with all costs more than it saves."""


class UndefinedError(Exception):
    """The policies do not say what happens; the text says why."""


class Formula:
    """Formulas of one question. `source` and `destination` are its two sides."""

    def __init__(self, symbols: Symbols, source: Side, destination: Side, node_to_pod: bool) -> None:
        self.symbols = symbols
        self.source = source
        self.destination = destination
        self._node_to_pod = node_to_pod

    def sides(self, direction: Direction) -> tuple[Side, Side]:
        """The local and the remote side of a direction."""
        if direction is Direction.EGRESS:
            return self.source, self.destination
        return self.destination, self.source

    def matches(self, rule: Rule) -> Term:
        """The rule speaks of the traffic at hand, whatever comes before it. Its subject is left out."""
        symbols = self.symbols
        local, remote = self.sides(rule.direction)
        parts = [remote.term(rule.peer), self.destination.ports(rule.port_set), local.term(rule.local)]
        if rule.conditional:
            parts.append(symbols.flag(condition_flag(rule)))
        return symbols.all(parts)

    def selects(self, policy: Policy, direction: Direction) -> Term:
        return self.sides(direction)[0].term(policy.subject)

    def allowed(self, policies: PolicySet, relevant: "Relevant") -> Term:
        """Both sides let the traffic pass."""
        return self.symbols.all([self.passes(policies, way, relevant) for way in Direction])

    def passes(self, policies: PolicySet, direction: Direction, relevant: "Relevant") -> Term:
        """One side lets the traffic pass. Raises UndefinedError."""
        symbols = self.symbols
        allowed: list[Term] = []
        reach = symbols.true
        for tier in policies.tiers:
            members = relevant.of(policies, tier, direction)
            if members:
                allow, reach = self._tier(tier, members, direction, reach)
                allowed.append(allow)
        allowed.append(reach)
        if direction is Direction.INGRESS and self._node_to_pod:
            allowed.append(self.source.of_kinds((EndpointKind.NODE, EndpointKind.HOST)))
        return symbols.any(allowed)

    def _tier(self, tier: Tier, members: Sequence[Policy], direction: Direction, reach: Term) -> tuple[Term, Term]:
        """What a tier allows of what reaches it, and what it passes on."""
        symbols = self.symbols
        allowed: list[Term] = []
        passed: list[Term] = []
        for policy, rule in ordered(tier, members, direction):
            hit = symbols.all([self.selects(policy, direction), self.matches(rule)])
            if tier.additive:
                allowed.append(hit)
                continue
            if rule.action is Action.ALLOW:
                allowed.append(symbols.all([reach, hit]))
            elif rule.action is Action.PASS:
                passed.append(symbols.all([reach, hit]))
            reach = symbols.all([reach, symbols.no(hit)])
        if tier.additive:
            hit = symbols.any(allowed)
            allowed = [symbols.all([reach, hit])]
            reach = symbols.all([reach, symbols.no(hit)])
        if tier.closing is Closing.DENY_SELECTED:
            isolating = [self.selects(policy, direction) for policy in members if direction in policy.isolates]
            reach = symbols.all([reach, symbols.no(symbols.any(isolating))])
        return symbols.any(allowed), symbols.any([*passed, reach])

    def reaches(self, policies: PolicySet, target: Rule, relevant: "Relevant") -> Term:
        """The traffic gets as far as a rule and matches it. Raises UndefinedError."""
        symbols = self.symbols
        reach = symbols.true
        for tier in policies.tiers:
            members = relevant.of(policies, tier, target.direction)
            if tier.name != target.tier:
                if members:
                    reach = self._tier(tier, members, target.direction, reach)[1]
                continue
            if not tier.additive:
                for policy, rule in ordered(tier, members, target.direction):
                    if rule is target:
                        break
                    hit = symbols.all([self.selects(policy, target.direction), self.matches(rule)])
                    reach = symbols.all([reach, symbols.no(hit)])
            local, _ = self.sides(target.direction)
            return symbols.all([reach, local.term(target.subject), self.matches(target)])
        return symbols.false


def ordered(tier: Tier, members: Sequence[Policy], direction: Direction) -> list[tuple[Policy, Rule]]:
    """The rules of a tier in the order in which they are tried. Raises UndefinedError where policies that have no order
    do different things to the same endpoints, and for rules and policies that were not read."""
    found: list[tuple[tuple[object, int], int, Policy, Rule]] = []
    for place, policy in enumerate(members):
        if direction in policy.unknown:
            raise UndefinedError(f"{policy.object.ref}: {policy.unknown[direction]}")
        for rule in policy.rules_of(direction):
            if rule.action is Action.UNKNOWN:
                raise UndefinedError(f"{policy.object.ref}: a rule could not be read")
            found.append(((policy.order, rule.phase), place, policy, rule))
    if not tier.additive:
        _undefined_order(members, direction)
    found.sort(key=lambda entry: (entry[0], entry[1]))
    return [(policy, rule) for _, _, policy, rule in found]


def _undefined_order(members: Sequence[Policy], direction: Direction) -> None:
    by_order: dict[tuple[object, ...], list[Policy]] = {}
    for policy in members:
        if policy.rules_of(direction):
            by_order.setdefault(policy.order, []).append(policy)
    for group in by_order.values():
        for place, one in enumerate(group):
            for other in group[place + 1 :]:
                actions = {rule.action for each in (one, other) for rule in each.rules_of(direction)}
                if len(actions) > 1 and all_of(one.subject, other.subject) != FALSE:
                    raise UndefinedError(
                        f"{one.object.ref} and {other.object.ref} have the same priority, so their order is undefined"
                    )


class Relevant:
    """Leaves out policies that select nobody whom a question is about, so that formulas stay small."""

    def __init__(
        self, source: Iterable[Predicate] | None = None, destination: Iterable[Predicate] | None = None
    ) -> None:
        """For each side predicates of which the endpoint satisfies at least one; None is any endpoint."""
        self._about = {
            Direction.EGRESS: None if source is None else list(dict.fromkeys(source)),
            Direction.INGRESS: None if destination is None else list(dict.fromkeys(destination)),
        }
        self._namespaces = {way: _namespaces(about) for way, about in self._about.items()}
        self._known: dict[tuple[Direction, Predicate], bool] = {}

    def of(self, policies: PolicySet, tier: Tier, direction: Direction) -> list[Policy]:
        return [
            policy
            for policy in policies.near(tier, self._namespaces[direction])
            if policy.concerns(direction) and self._concerns(policy.subject, direction)
        ]

    def _concerns(self, subject: Predicate, direction: Direction) -> bool:
        about = self._about[direction]
        if about is None or len(about) > _MANY:
            return True
        known = self._known.get((direction, subject))
        if known is None:
            known = any(all_of(subject, each) != FALSE for each in about)
            self._known[direction, subject] = known
        return known


def _namespaces(about: list[Predicate] | None) -> frozenset[str] | None:
    """The namespaces that endpoints are in which satisfy one of some predicates, where all of them name theirs."""
    if about is None:
        return None
    found: set[str] = set()
    for predicate in about:
        parts = predicate.parts if isinstance(predicate, And) else (predicate,)
        names = [
            part.values.values
            for part in parts
            if isinstance(part, Label)
            and (part.scope, part.key) == (Scope.NAMESPACE, NAME)
            and not part.values.complement
            and not part.values.absent
        ]
        if not names:
            return None
        found |= names[0]
    return frozenset(found)
