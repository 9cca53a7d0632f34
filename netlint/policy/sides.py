"""One side of every connection at once: for a source class, what each destination class may or may not exchange."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from netlint.policy.atoms import Atoms
from netlint.policy.classes import Classes
from netlint.policy.form import Closing, Direction, Policy, PolicySet, Rule, Tier
from netlint.policy.partition import Partition, add_masks, combine, union_of_masks
from netlint.policy.tiers import Piece, Result, Step, walk
from netlint.predicates import PortSet, Predicate
from netlint.predicates.bitsets import Bits, places_of

Sided: TypeAlias = Partition[int]
"""For each destination class the mask of the traffic that this side surely lets pass and, above it by the number of
atoms, of the traffic that it can let pass. What two sides let pass is the conjunction of their masks. Classes for which
nothing can pass are left out."""
Signature: TypeAlias = tuple[tuple[int, ...], ...]
"""What tells source classes apart on one side, tier by tier."""
_KEPT = 1024
_RARE = 40
"""A peer that less than this part of the classes matches is not worth a step of its own that others could share."""


class Ground:
    """What both sides stand on: the policies, the classes, the atoms of traffic, and each port set as masks."""

    def __init__(self, policies: PolicySet, classes: Classes) -> None:
        self.policies = policies
        self.classes = classes
        port_sets = list(dict.fromkeys(rule.port_set for rule in policies.rules))
        resolved = {
            ports: [(ports.resolve(sample), bits) for sample, bits in classes.by_ports]
            for ports in port_sets
            if ports.named
        }
        self.atoms = Atoms(
            [ports.traffic for ports in port_sets] + [each for found in resolved.values() for each, _ in found]
        )
        self._pieces: dict[PortSet, list[tuple[int, Bits]]] = {}
        for ports in port_sets:
            if not ports.named:
                self._pieces[ports] = [(self.atoms.mask(ports.traffic), classes.everything)]
                continue
            by_mask: dict[int, Bits] = {}
            for traffic, bits in resolved[ports]:
                mask = self.atoms.mask(traffic)
                by_mask[mask] = by_mask.get(mask, 0) | bits
            self._pieces[ports] = [(mask, bits) for mask, bits in by_mask.items() if mask]

    @property
    def whole(self) -> int:
        """The mask of a side that surely lets everything pass."""
        return self.packed(self.atoms.everything, self.atoms.everything)

    def packed(self, sure: int, possible: int) -> int:
        """The mask of one side (see `Sided`)."""
        return sure | possible << len(self.atoms)

    def ports(self, rule: Rule) -> list[tuple[int, Bits]]:
        """The rule's ports as masks, each with the destinations for which its names mean that."""
        return self._pieces[rule.port_set]


class Egress:
    """The sources' own policies. A source class's signature is the policies that select it."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._tiers: list[tuple[Tier, list[Policy]]] = []
        self.signatures: list[list[tuple[int, ...]]] = []
        classes = ground.classes
        for tier in ground.policies.tiers:
            members = [each for each in ground.policies.in_tier(tier) if each.concerns(Direction.EGRESS)]
            if not members:
                continue
            entries: list[list[int]] = [[] for _ in classes.classes]
            for number, policy in enumerate(members):
                must, may = classes.range(policy.subject)
                for place in places_of(must):
                    entries[place].append(2 * number)
                if must is not may:
                    for place in places_of(may & ~must):
                        entries[place].append(2 * number + 1)
            self._tiers.append((tier, members))
            self.signatures.append([tuple(entry) for entry in entries])

    def signature(self, place: int) -> Signature:
        return tuple(column[place] for column in self.signatures)

    def row(self, place: int) -> Sided:
        """What one source class's policies do at every destination."""
        ground = self._ground
        found: Partition[Result] | None = None
        for (tier, members), column in zip(self._tiers, self.signatures, strict=True):
            if column[place]:
                steps = [self._step(members[entry // 2], not entry % 2, place) for entry in column[place]]
                result = _tier(steps, tier, ground)
                found = result if found is None else combine(found, result, _then)
        return _final(found, ground)

    def _step(self, policy: Policy, certain: bool, place: int) -> Step:
        ground = self._ground
        everything = ground.classes.everything
        pieces = []
        for rule in sorted(policy.rules_of(Direction.EGRESS), key=_phase):
            must, may = ground.classes.range(rule.peer)
            near_must, near_may = ground.classes.range(rule.local)
            if not near_may >> place & 1:
                continue
            if rule.conditional or not near_must >> place & 1:
                must = 0
            for mask, where in ground.ports(rule):
                pieces.append(Piece(rule.action, rule.phase, mask, must & where, may & where))
        return Step(
            policy.order,
            everything if certain else 0,
            everything,
            Direction.EGRESS in policy.isolates,
            Direction.EGRESS in policy.unknown,
            tuple(pieces),
        )


class Ingress:
    """The destinations' policies, seen from a source. A source class's signature is the peers that it matches."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._tiers: list[_IngressTier] = []
        for tier in ground.policies.tiers:
            members = [each for each in ground.policies.in_tier(tier) if each.concerns(Direction.INGRESS)]
            if members:
                self._tiers.append(_IngressTier(ground, tier, members))

    def signature(self, place: int) -> Signature:
        return tuple(tier.signature(place) for tier in self._tiers)

    def row(self, signature: Signature) -> Sided:
        """What every destination's policies do to the sources of one signature."""
        if len(self._tiers) == 1 and self._tiers[0].plain:
            return self._tiers[0].sided(signature[0])
        found: Partition[Result] | None = None
        for tier, part in zip(self._tiers, signature, strict=True):
            result = tier.row(part)
            found = result if found is None else combine(found, result, _then)
        return _final(found, self._ground)


class _IngressTier:
    """One tier of the destinations. Where policies only add permissions, whom they certainly select, the masks of each
    peer are put together once for all destinations; the rest is walked rule by rule."""

    def __init__(self, ground: Ground, tier: Tier, members: list[Policy]) -> None:
        self._ground = ground
        self._tier = tier
        classes = ground.classes
        self._isolated: Bits = 0
        self._slow: list[tuple[Policy, Bits, Bits]] = []
        pieces: dict[Predicate, list[tuple[int, Bits]]] = {}
        self._shift = len(ground.atoms)
        for policy in members:
            must, may = classes.range(policy.subject)
            if not may:
                continue
            if not tier.additive or Direction.INGRESS in policy.unknown:
                self._slow.append((policy, must, may))
                continue
            if must != may:
                self._slow.append((policy, 0, may & ~must))
            if Direction.INGRESS in policy.isolates:
                self._isolated |= must
            for rule in policy.rules_of(Direction.INGRESS):
                near_must, near_may = classes.range(rule.local)
                for mask, where in ground.ports(rule):
                    certain = 0 if rule.conditional else must & near_must & where
                    perhaps = must & near_may & where & ~certain
                    for peer in rule.alternatives:
                        held = pieces.setdefault(peer, [])
                        held.append((mask | mask << self._shift, certain))
                        if perhaps:
                            held.append((mask << self._shift, perhaps))
        # The peers that most sources match come first, so that sources share the beginnings of their signatures.
        order = sorted(pieces, key=lambda peer: -classes.range(peer)[1].bit_count())
        self._masks: list[Partition[int]] = [union_of_masks(pieces[peer]) for peer in order]
        self._covered: list[Bits] = [_union(masks.values()) for masks in self._masks]
        self._constant = tuple(
            2 * number for number, peer in enumerate(order) if classes.range(peer)[0] == classes.everything
        )
        self._entries: list[list[int]] = [list(self._constant) for _ in classes.classes]
        numbers = {peer: number for number, peer in enumerate(order)}
        self._slow_peers = list(
            dict.fromkeys(
                peer
                for policy, _, _ in self._slow
                for rule in policy.rules_of(Direction.INGRESS)
                for peer in rule.alternatives
            )
        )
        base = len(order)
        for number, peer in [*enumerate(order), *enumerate(self._slow_peers, base)]:
            if number < base and 2 * numbers[peer] in self._constant:
                continue
            must, may = classes.range(peer)
            for place in places_of(must):
                self._entries[place].append(2 * number)
            if must is not may:
                for place in places_of(may & ~must):
                    self._entries[place].append(2 * number + 1)
        self._base = base
        self._stack: list[tuple[int, Partition[int]]] = []
        self._walked: dict[tuple[int, ...], Partition[Result]] = {}

        few = len(classes.classes) // _RARE
        self._rare = 2 * next(
            (number for number, peer in enumerate(order) if classes.range(peer)[1].bit_count() <= few), len(order)
        )
        covered = _union(self._covered)
        self._open = classes.everything & ~self._isolated
        self.plain = tier.closing is Closing.DENY_SELECTED and not self._slow and not covered & self._open

    def signature(self, place: int) -> tuple[int, ...]:
        return tuple(self._entries[place])

    def sided(self, signature: tuple[int, ...]) -> Sided:
        """The row of a plain tier that stands alone: isolation and permissions that are certain, and nothing else."""
        shared = bisect_left(signature, self._rare)
        base = self._added(signature[:shared])
        own: Partition[int] = {}
        touched: Bits = 0
        for entry in signature[shared:]:
            masks, covered = self._masks_of(entry)
            own = add_masks(own, masks, covered)
            touched |= covered
        found: Sided = {self._ground.whole: self._open} if self._open else {}
        get = found.get
        fresh = touched
        for mask, bits in base.items():
            overlap = bits & touched
            if overlap:
                fresh ^= overlap
                bits ^= overlap
                for more, where in own.items():
                    hit = overlap & where
                    if hit:
                        both = mask | more
                        found[both] = get(both, 0) | hit
                        overlap ^= hit
                        if not overlap:
                            break
            if bits:
                found[mask] = get(mask, 0) | bits
        if fresh:
            for more, where in own.items():
                hit = fresh & where
                if hit:
                    found[more] = get(more, 0) | hit
        return found

    def row(self, signature: tuple[int, ...]) -> Partition[Result]:
        fast = tuple(entry for entry in signature if entry < 2 * self._base)
        slow = signature[len(fast) :]
        if not self._masks and not self._isolated:
            return self._walk(slow)
        added = self._added(fast)
        return self._close(added, slow)

    def _added(self, entries: tuple[int, ...]) -> Partition[int]:
        """The masks of all matched peers together, class by class; kept for the next signature that begins alike."""
        stack = self._stack
        common = 0
        while common < len(stack) and common < len(entries) and stack[common][0] == entries[common]:
            common += 1
        del stack[common:]
        found = stack[-1][1] if stack else {}
        for entry in entries[common:]:
            masks, covered = self._masks_of(entry)
            found = add_masks(found, masks, covered)
            stack.append((entry, found))
        return found

    def _masks_of(self, entry: int) -> tuple[Partition[int], Bits]:
        """What one matched peer adds, and where. A peer that only may match adds only what may be."""
        number, uncertain = divmod(entry, 2)
        masks = self._masks[number]
        if uncertain:
            masks = union_of_masks((mask >> self._shift << self._shift, bits) for mask, bits in masks.items())
        return masks, self._covered[number]

    def _close(self, added: Partition[int], slow: tuple[int, ...]) -> Partition[Result]:
        traffic = self._ground.atoms.everything
        everything = self._ground.classes.everything
        denies = self._tier.closing is Closing.DENY_SELECTED
        low = (1 << self._shift) - 1
        left = everything
        found: Partition[tuple[int, int, bool]] = {}
        isolated = self._isolated if denies else 0
        for mask, bits in added.items():
            left ^= bits
            for where, closed in ((bits & isolated, True), (bits & ~isolated, False)):
                if where:
                    found[mask & low, mask >> self._shift, closed] = where
        for where, closed in ((left & isolated, True), (left & ~isolated, False)):
            if where:
                found[0, 0, closed] = found.get((0, 0, closed), 0) | where
        if not self._slow:
            return {
                Result(may, traffic & ~must if closed else 0, 0 if closed else traffic & ~must): bits
                for (must, may, closed), bits in found.items()
            }
        return combine(found, self._walk(slow), lambda one, two: _joined(one, two, traffic))

    def _steps(self, slow: tuple[int, ...]) -> list[Step]:
        matched = {self._slow_peers[entry // 2 - self._base]: not entry % 2 for entry in slow}
        ground = self._ground
        classes = ground.classes
        steps = []
        for policy, must, may in self._slow:
            pieces = []
            for rule in sorted(policy.rules_of(Direction.INGRESS), key=_phase):
                answers = [matched[peer] for peer in rule.alternatives if peer in matched]
                if not answers:
                    continue
                certain = any(answers)
                near_must, near_may = classes.range(rule.local)
                if rule.conditional or not certain:
                    near_must = 0
                for mask, where in ground.ports(rule):
                    pieces.append(Piece(rule.action, rule.phase, mask, near_must & where, near_may & where))
            isolates = Direction.INGRESS in policy.isolates
            unread = Direction.INGRESS in policy.unknown
            steps.append(Step(policy.order, must, may, isolates, unread, tuple(pieces)))
        return steps

    def _walk(self, slow: tuple[int, ...]) -> Partition[Result]:
        """What the policies that are walked rule by rule do, by themselves."""
        known = self._walked.get(slow)
        if known is None:
            if len(self._walked) >= _KEPT:
                self._walked.clear()
            known = self._walked[slow] = _tier(self._steps(slow), self._tier, self._ground)
        return known


def _joined(one: tuple[int, int, bool], two: Result, traffic: int) -> Result:
    """Certain permissions and isolation, together with what uncertain policies of the same tier could add."""
    must, may, closed = one
    reach = traffic & ~must
    return Result(may | two.allow, reach if closed else two.deny & reach, 0 if closed else reach)


def _tier(steps: Sequence[Step], tier: Tier, ground: Ground) -> Partition[Result]:
    return walk(steps, tier, ground.classes.everything, ground.atoms.everything)


def _then(first: Result, second: Result) -> Result:
    """Two tiers, one after the other."""
    passed = first.passed
    return Result(first.allow | (passed & second.allow), first.deny | (passed & second.deny), passed & second.passed)


def _final(found: Partition[Result] | None, ground: Ground) -> Sided:
    """What no tier decided is allowed."""
    if found is None:
        return {ground.whole: ground.classes.everything}
    sided: Sided = {}
    for result, bits in found.items():
        possible = result.allow | result.passed
        if possible:
            mask = ground.packed(possible & ~result.deny, possible)
            sided[mask] = sided.get(mask, 0) | bits
    return sided


def _phase(rule: Rule) -> int:
    return rule.phase


def _union(parts: Iterable[Bits]) -> Bits:
    found = 0
    for part in parts:
        found |= part
    return found
