"""Traffic cut at every boundary that the rules mention: a set of traffic is then one integer."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from netlint.predicates import ALL_TRAFFIC, TrafficSet
from netlint.predicates.traffic import place


class Atoms:
    """The stretches of traffic that none of the given sets divides. Bit i of a mask stands for stretch i."""

    def __init__(self, sets: Iterable[TrafficSet]) -> None:
        cuts = {low for low, _ in ALL_TRAFFIC.intervals} | {high + 1 for _, high in ALL_TRAFFIC.intervals}
        for each in sets:
            for low, high in each.intervals:
                cuts.add(low)
                cuts.add(high + 1)
        self._starts = sorted(cuts)
        self._masks: dict[TrafficSet, int] = {}
        self._sets: dict[int, TrafficSet] = {}
        self.everything = self.mask(ALL_TRAFFIC)

    def __len__(self) -> int:
        return len(self._starts)

    def mask(self, traffic: TrafficSet) -> int:
        """The mask of a set that was given, or of a union of such."""
        known = self._masks.get(traffic)
        if known is None:
            known = 0
            for low, high in traffic.intervals:
                first, last = bisect_left(self._starts, low), bisect_left(self._starts, high + 1)
                known |= (1 << last) - (1 << first)
            self._masks[traffic] = known
        return known

    def traffic(self, mask: int) -> TrafficSet:
        """The set of a mask."""
        known = self._sets.get(mask)
        if known is None:
            intervals = []
            left = mask
            while left:
                first = (left & -left).bit_length() - 1
                length = ((left >> first) + 1 & ~(left >> first)).bit_length() - 1
                intervals.append((self._starts[first], self._starts[first + length] - 1))
                left &= ~(((1 << length) - 1) << first)
            known = self._sets[mask] = TrafficSet(intervals)
        return known

    def at(self, protocol: str, port: int) -> int:
        """The mask of the one stretch that holds a protocol and port."""
        return 1 << (bisect_right(self._starts, place(protocol, port)) - 1)
