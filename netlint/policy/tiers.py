"""One tier, for one source and every destination class at once: the reading of `outcome` over sets of classes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from netlint.policy.form import Action, Closing, Order, Tier
from netlint.policy.partition import Partition, update
from netlint.predicates.bitsets import Bits


class Result(NamedTuple):
    """Masks of the traffic that a tier can allow, can deny and can pass on. Each kind of traffic is in at least one."""

    allow: int
    deny: int
    passed: int


class _State(NamedTuple):
    """`reach` got as far as this group, `decided` is what the group has settled, `left` what the policy at hand has
    not, `open` what uncertain isolation could deny."""

    allow: int
    deny: int
    passed: int
    reach: int
    decided: int
    left: int
    open: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A rule for one source: the mask of traffic that it certainly or possibly matches at which destinations."""

    action: Action
    phase: int
    mask: int
    must: Bits
    may: Bits


@dataclass(frozen=True, slots=True)
class Step:
    """A policy for one source, or for one destination of it. `must` and `may` are the destinations for which it
    selects the endpoint that it speaks of (for egress: all or none). `unknown`: it could not be read."""

    order: Order
    must: Bits
    may: Bits
    isolates: bool
    unknown: bool
    pieces: tuple[Piece, ...]


_Change: TypeAlias = Callable[[_State], _State]


def walk(steps: Sequence[Step], tier: Tier, everything: Bits, traffic: int) -> Partition[Result]:
    """What a tier does to all traffic at every destination."""
    states: Partition[_State] = {_State(0, 0, 0, traffic, 0, 0, 0): everything}
    groups: dict[tuple[Order, int], list[Step]] = {}
    for step in steps:
        for phase in sorted({piece.phase for piece in step.pieces} or {0}):
            groups.setdefault((step.order, phase), []).append(step)
    for order, phase in sorted(groups):
        for step in groups[order, phase]:
            states = _apply(states, step, phase, everything, tier.additive)
        states = update(states, everything, _close_group)
    isolated = 0
    for step in steps:
        if step.isolates:
            isolated |= step.must
        if step.isolates or step.unknown:
            states = _uncertain_isolation(states, step, tier.additive, traffic)
    if tier.closing is Closing.DENY_SELECTED:
        states = update(states, isolated, _deny_rest)
        states = update(states, everything & ~isolated, _deny_open)
    found: Partition[Result] = {}
    for state, bits in states.items():
        result = Result(state.allow, state.deny, state.passed | state.reach)
        found[result] = found.get(result, 0) | bits
    return found


def _apply(states: Partition[_State], step: Step, phase: int, everything: Bits, additive: bool) -> Partition[_State]:
    if step.unknown:
        return update(states, step.may, _may_allow if additive else _anything)
    states = update(states, step.may, _begin)
    for piece in step.pieces:
        if piece.phase == phase:
            states = update(states, piece.may & step.may, _hit(piece))
        if piece.phase <= phase and piece.action is not Action.UNKNOWN:
            states = update(states, piece.must & step.may, _take(piece.mask))
    states = update(states, step.must, _settle)
    return update(states, everything, _end)


def _uncertain_isolation(states: Partition[_State], step: Step, additive: bool, traffic: int) -> Partition[_State]:
    """Where it is not known whether a policy isolates the endpoint, what its rules do not take may be denied."""
    where = step.may if step.unknown and additive else step.may & ~step.must if step.isolates else 0
    if not where:
        return states
    states = update(states, where, lambda state: state._replace(left=traffic))
    for piece in step.pieces:
        if piece.action is not Action.UNKNOWN:
            states = update(states, piece.must & where, _take(piece.mask))
    return update(states, where, lambda state: state._replace(open=state.open | state.left, left=0))


def _hit(piece: Piece) -> _Change:
    action, mask = piece.action, piece.mask

    def change(state: _State) -> _State:
        hit = state.left & mask
        if not hit:
            return state
        allow, deny, passed = state.allow, state.deny, state.passed
        if action in (Action.ALLOW, Action.UNKNOWN):
            allow |= hit
        if action in (Action.DENY, Action.UNKNOWN):
            deny |= hit
        if action in (Action.PASS, Action.UNKNOWN):
            passed |= hit
        return state._replace(allow=allow, deny=deny, passed=passed)

    return change


def _take(mask: int) -> _Change:
    return lambda state: state._replace(left=state.left & ~mask)


def _anything(state: _State) -> _State:
    reach = state.reach
    return state._replace(allow=state.allow | reach, deny=state.deny | reach, passed=state.passed | reach)


def _may_allow(state: _State) -> _State:
    return state._replace(allow=state.allow | state.reach)


def _begin(state: _State) -> _State:
    return state._replace(left=state.reach)


def _settle(state: _State) -> _State:
    return state._replace(decided=state.decided | (state.reach & ~state.left))


def _end(state: _State) -> _State:
    return state._replace(left=0)


def _close_group(state: _State) -> _State:
    return state._replace(reach=state.reach & ~state.decided, decided=0)


def _deny_rest(state: _State) -> _State:
    return state._replace(deny=state.deny | state.reach, reach=0)


def _deny_open(state: _State) -> _State:
    return state._replace(deny=state.deny | (state.reach & state.open))
