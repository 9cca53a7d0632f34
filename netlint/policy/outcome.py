"""What the policies do to one pair of endpoints: the plain reading of the form, rule by rule.

Everything that is unknown is kept as such: an outcome says for each part of the traffic whether it can be allowed and
whether it can be denied, over all the ways in which what is not known could turn out.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from netlint.policy.form import Action, Closing, Direction, Order, Policy, PolicySet, Rule, Tier, Verdict
from netlint.predicates import ALL_TRAFFIC, NO_TRAFFIC, Endpoint, EndpointKind, TrafficSet

Basis = Literal["no-policy", "rule", "isolated", "exempt", "unknown"]


@dataclass(frozen=True, slots=True)
class Connection:
    """The traffic that surely passes, and the traffic of which the input does not tell. The rest is denied."""

    allowed: TrafficSet = NO_TRAFFIC
    unknown: TrafficSet = NO_TRAFFIC

    @property
    def denied(self) -> TrafficSet:
        return ALL_TRAFFIC - self.allowed - self.unknown

    def verdict(self, protocol: str, port: int) -> Verdict:
        if self.allowed.contains(protocol, port):
            return Verdict.ALLOWED
        return Verdict.UNKNOWN if self.unknown.contains(protocol, port) else Verdict.DENIED

    def __bool__(self) -> bool:
        """Whether anything passes or may pass."""
        return bool(self.allowed) or bool(self.unknown)

    def __and__(self, other: "Connection") -> "Connection":
        """What passes both: the two sides of a connection, the links of a chain."""
        allowed = self.allowed & other.allowed
        possible = (self.allowed | self.unknown) & (other.allowed | other.unknown)
        return Connection(allowed, possible - allowed)


EVERYTHING = Connection(ALL_TRAFFIC)


@dataclass(frozen=True, slots=True)
class Side:
    """Why one side of a connection lets one kind of traffic pass or not.

    `rules` decided (for `unknown`: may decide); `passed` are rules that matched and left the tier. `selected_by` are
    the policies that certainly select the endpoint in this direction, also where none of them decided.
    """

    direction: Direction
    verdict: Verdict
    basis: Basis
    rules: tuple[Rule, ...] = ()
    passed: tuple[Rule, ...] = ()
    selected_by: tuple[Policy, ...] = ()
    unknown_because: tuple[str, ...] = ()
    tier: str | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    verdict: Verdict
    egress: Side
    ingress: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.egress, self.ingress


@dataclass(slots=True)
class Trace:
    """What was met on the way through the tiers, for an explanation."""

    allowing: list[Rule] = field(default_factory=list)
    denying: list[Rule] = field(default_factory=list)
    passing: list[Rule] = field(default_factory=list)
    possible: list[Rule] = field(default_factory=list)
    isolating: list[Policy] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    tier: str | None = None

    def side(
        self, direction: Direction, outcome: Connection, traffic: TrafficSet, selected: tuple[Policy, ...]
    ) -> Side:
        """The explanation of an outcome for traffic that no rule divides."""
        passed = tuple(self.passing)
        if outcome.unknown & traffic:
            rules = tuple(dict.fromkeys((*self.possible, *self.allowing, *self.denying)))
            reasons = tuple(dict.fromkeys(self.reasons)) or tuple(
                f"{rule.policy.ref}: {rule.condition or 'whether the rule speaks of the other side is not known'}"
                for rule in rules
            )
            return Side(direction, Verdict.UNKNOWN, "unknown", rules, passed, selected, reasons, self.tier)
        verdict = Verdict.ALLOWED if outcome.allowed & traffic else Verdict.DENIED
        rules = tuple(self.allowing if verdict is Verdict.ALLOWED else self.denying)
        if rules:
            return Side(direction, verdict, "rule", rules, passed, selected, (), self.tier)
        if verdict is Verdict.DENIED:
            return Side(direction, verdict, "isolated", (), passed, selected, (), self.tier)
        return Side(direction, verdict, "no-policy", (), passed, selected)


Selects = Callable[[Policy], bool | None]
Matches = Callable[[Rule], bool | None]


def evaluate(
    policies: PolicySet,
    direction: Direction,
    candidates: Callable[[Tier], Iterable[Policy]],
    selects: Selects,
    matches: Matches,
    destination: Endpoint,
    traffic: TrafficSet = ALL_TRAFFIC,
    trace: Trace | None = None,
) -> Connection:
    """What one side lets pass of `traffic`. `candidates` are the policies of a tier that may select the endpoint, in
    the set's order; `selects` and `matches` answer for this pair of endpoints."""
    can_allow = can_deny = NO_TRAFFIC
    reach = traffic
    for tier in policies.tiers:
        chosen: list[tuple[Policy, bool | None]] = [
            (policy, selected)
            for policy in candidates(tier)
            if policy.concerns(direction) and (selected := selects(policy)) is not False
        ]
        if not chosen:
            continue
        allow, deny, reach = _tier(tier, chosen, direction, matches, destination, reach, trace)
        can_allow |= allow
        can_deny |= deny
        if not reach:
            break
    can_allow |= reach
    return Connection(can_allow - can_deny, can_allow & can_deny)


def _tier(
    tier: Tier,
    chosen: list[tuple[Policy, bool | None]],
    direction: Direction,
    matches: Matches,
    destination: Endpoint,
    reach: TrafficSet,
    trace: Trace | None,
) -> tuple[TrafficSet, TrafficSet, TrafficSet]:
    """What a tier can allow, can deny and can pass on of the traffic that reaches it."""
    outcome = {Action.ALLOW: NO_TRAFFIC, Action.DENY: NO_TRAFFIC, Action.PASS: NO_TRAFFIC}
    isolated = False
    left_open = NO_TRAFFIC
    left_by: dict[Policy, TrafficSet] = {}
    entered = reach
    for group in _groups(chosen, direction):
        decided = NO_TRAFFIC
        for policy, selected, rules in group:
            left = reach & left_by.get(policy, entered)
            if direction in policy.unknown:
                if tier.additive:
                    outcome[Action.ALLOW] |= left
                    left_open |= left
                else:
                    for action in outcome:
                        outcome[action] |= left
                if trace and left:
                    trace.reasons.append(f"{policy.object.ref}: {policy.unknown[direction]}")
                continue
            for rule in rules:
                matched = matches(rule)
                if matched is False:
                    continue
                hit = left & rule.port_set.resolve(destination)
                if not hit:
                    continue
                certain = matched is True and selected is True
                actions = tuple(outcome) if rule.action is Action.UNKNOWN else (rule.action,)
                for action in actions:
                    outcome[action] |= hit
                if trace:
                    _note(trace, rule, certain, tier)
                if matched is True and rule.action is not Action.UNKNOWN:
                    left = left - hit
            left_by[policy] = left
            if selected is True:
                decided |= reach - left
        reach = reach - decided
    for policy, selected in chosen:
        if direction in policy.isolates:
            if selected is True:
                isolated = True
                if trace:
                    trace.isolating.append(policy)
            else:
                left_open |= left_by.get(policy, entered)
                if trace:
                    trace.reasons.append(f"{policy.object.ref}: whether it selects the endpoint is not known")
    if tier.closing is Closing.DENY_SELECTED:
        if isolated:
            if trace and reach:
                trace.tier = tier.name
            return outcome[Action.ALLOW], outcome[Action.DENY] | reach, outcome[Action.PASS]
        return outcome[Action.ALLOW], outcome[Action.DENY] | (reach & left_open), outcome[Action.PASS] | reach
    return outcome[Action.ALLOW], outcome[Action.DENY], outcome[Action.PASS] | reach


def _groups(
    chosen: list[tuple[Policy, bool | None]], direction: Direction
) -> list[list[tuple[Policy, bool | None, list[Rule]]]]:
    """The policies of a tier with their rules, by order and phase: what stands in one group has no order."""
    found: dict[tuple[Order, int], list[tuple[Policy, bool | None, list[Rule]]]] = {}
    for policy, selected in chosen:
        rules = policy.rules_of(direction)
        for phase in sorted({rule.phase for rule in rules} or {0}):
            members = found.setdefault((policy.order, phase), [])
            members.append((policy, selected, [rule for rule in rules if rule.phase == phase]))
    return [found[key] for key in sorted(found)]


def _note(trace: Trace, rule: Rule, certain: bool, tier: Tier) -> None:
    if not certain:
        trace.possible.append(rule)
        return
    trace.tier = tier.name
    {Action.ALLOW: trace.allowing, Action.DENY: trace.denying, Action.PASS: trace.passing}.get(
        rule.action, trace.possible
    ).append(rule)


def let_pass(
    policies: PolicySet,
    direction: Direction,
    source: Endpoint,
    destination: Endpoint,
    node_to_pod: bool = False,
    traffic: TrafficSet = ALL_TRAFFIC,
) -> Connection:
    """What one side lets pass between any two endpoints, each predicate tried on them as it stands."""
    if is_exempt(source, direction, node_to_pod):
        return EVERYTHING
    local, remote = (source, destination) if direction is Direction.EGRESS else (destination, source)

    def candidates(tier: Tier) -> Iterable[Policy]:
        return (each for each in policies.in_tier(tier) if each.namespace is None or each.namespace == local.namespace)

    def selects(policy: Policy) -> bool | None:
        return policy.subject.holds(local)

    def matches(rule: Rule) -> bool | None:
        return rule_matches(rule, local, remote)

    return evaluate(policies, direction, candidates, selects, matches, destination, traffic)


def rule_matches(rule: Rule, local: Endpoint, remote: Endpoint) -> bool | None:
    """Whether a rule of a policy that selects `local` speaks of traffic with `remote`, ports aside."""
    answers = (rule.peer.holds(remote), rule.local.holds(local))
    if False in answers:
        return False
    return True if all(answers) and not rule.conditional else None


def is_exempt(source: Endpoint, direction: Direction, node_to_pod: bool) -> bool:
    """Whether no policy of the destination has a say: nodes, where the engine lets them reach every pod."""
    return node_to_pod and direction is Direction.INGRESS and source.kind in (EndpointKind.NODE, EndpointKind.HOST)
