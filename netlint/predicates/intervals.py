"""Sets of integers as sorted, disjoint, inclusive intervals: what ports and addresses have in common."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, Self, TypeAlias

Interval: TypeAlias = tuple[int, int]


class IntervalSet:
    """An immutable set of integers. Subclasses say what the integers stand for; operations stay within one class."""

    __slots__ = ("_hash", "intervals")
    intervals: tuple[Interval, ...]

    def __init__(self, intervals: Iterable[Interval] = ()) -> None:
        self.intervals = _merge(intervals)
        self._hash = hash(self.intervals)

    @classmethod
    def _of_merged(cls, intervals: tuple[Interval, ...]) -> Self:
        made = cls.__new__(cls)
        made.intervals = intervals
        made._hash = hash(intervals)
        return made

    def __or__(self, other: Self) -> Self:
        if not other.intervals or self.intervals == other.intervals:
            return self
        if not self.intervals:
            return other
        return self._of_merged(_merge((*self.intervals, *other.intervals)))

    def __and__(self, other: Self) -> Self:
        left, right = self.intervals, other.intervals
        if left == right or not left:
            return self
        if not right or (len(left) == 1 and left[0][0] <= right[0][0] and right[-1][1] <= left[0][1]):
            return other
        found = []
        i = j = 0
        while i < len(left) and j < len(right):
            low = max(left[i][0], right[j][0])
            high = min(left[i][1], right[j][1])
            if low <= high:
                found.append((low, high))
            if left[i][1] < right[j][1]:
                i += 1
            else:
                j += 1
        return self._of_merged(tuple(found))

    def __sub__(self, other: Self) -> Self:
        right = other.intervals
        if not right or not self.intervals:
            return self
        found = []
        j = 0
        for start, end in self.intervals:
            low = start
            while j < len(right) and right[j][1] < low:
                j += 1
            k = j
            while k < len(right) and right[k][0] <= end:
                if right[k][0] > low:
                    found.append((low, right[k][0] - 1))
                low = right[k][1] + 1
                k += 1
            if low <= end:
                found.append((low, end))
        return self._of_merged(tuple(found))

    def __contains__(self, value: int) -> bool:
        place = bisect_right(self.intervals, value, key=_first) - 1
        return place >= 0 and value <= self.intervals[place][1]

    def __le__(self, other: Self) -> bool:
        """Whether every member is a member of `other`."""
        right = other.intervals
        for low, high in self.intervals:
            place = bisect_right(right, low, key=_first) - 1
            if place < 0 or high > right[place][1]:
                return False
        return True

    def overlaps(self, other: Self) -> bool:
        """Whether the two have a member in common."""
        return bool((self & other).intervals)

    def __bool__(self) -> bool:
        return bool(self.intervals)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IntervalSet) and type(self) is type(other) and self.intervals == other.intervals

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.intervals,))

    @property
    def size(self) -> int:
        """How many integers belong to the set."""
        return sum(high - low + 1 for low, high in self.intervals)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self.intervals)})"


def _first(interval: Interval) -> int:
    return interval[0]


def _merge(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    merged: list[Interval] = []
    for low, high in sorted(intervals):
        if low > high:
            continue
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)
