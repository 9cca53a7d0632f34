"""Things that bear labels, looked up by selector. Many bear the same labels: each distinct set is tried once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

from netlint.predicates.labels import Values, requirement

T = TypeVar("T")
Expressions: TypeAlias = Sequence[tuple[str, str, Sequence[str]]]
"""matchExpressions: key, operator, values of each."""
_NOTHING: Mapping[str, str] = {}


class Labelled(Generic[T]):
    """Some things in a fixed order, each with its labels. Answers are kept."""

    def __init__(self, things: Iterable[T], labels_of: Callable[[T], Mapping[str, str]]) -> None:
        self._things = tuple(things)
        groups: dict[frozenset[tuple[str, str]], list[int]] = {}
        for place, thing in enumerate(self._things):
            groups.setdefault(frozenset(labels_of(thing).items()), []).append(place)
        self._groups = [(dict(labels), places) for labels, places in groups.items()]
        by_label: dict[tuple[str, str], list[int]] = {}
        for number, labels in enumerate(groups):
            for label in labels:
                by_label.setdefault(label, []).append(number)
        self._by_label: Mapping[tuple[str, str], Sequence[int]] = by_label
        self._known: dict[object, tuple[T, ...]] = {}
        self._sets: dict[object, frozenset[T]] = {}

    def select(self, match_labels: Mapping[str, str] | None, expressions: Expressions = ()) -> tuple[T, ...]:
        """The things whose labels satisfy all parts of a selector, in order: all of them where it has no part, none
        where a part is illegal."""
        wanted = match_labels or _NOTHING
        key = _key(wanted, expressions)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._select(wanted, expressions)
        return known

    def find(self, match_labels: Mapping[str, str] | None, expressions: Expressions = ()) -> frozenset[T]:
        """`select` as a set, to ask for members."""
        key = _key(match_labels or _NOTHING, expressions)
        known = self._sets.get(key)
        if known is None:
            known = self._sets[key] = frozenset(self.select(match_labels, expressions))
        return known

    def _select(self, wanted: Mapping[str, str], expressions: Expressions) -> tuple[T, ...]:
        if not wanted and not expressions:
            return self._things
        try:
            tests: list[tuple[str, Values]] = [
                (label, requirement(word, values)) for label, word, values in expressions
            ]
        except ValueError:
            return ()
        numbers: Sequence[int] = range(len(self._groups))
        if wanted:
            numbers = min((self._by_label.get(label, ()) for label in wanted.items()), key=len)
        places: list[int] = []
        for number in numbers:
            labels, members = self._groups[number]
            if wanted.items() <= labels.items() and all(test.admits(labels.get(label)) for label, test in tests):
                places += members
        places.sort()
        return tuple(self._things[place] for place in places)


def _key(wanted: Mapping[str, str], expressions: Expressions) -> object:
    return frozenset(wanted.items()), tuple((label, word, *values) for label, word, values in expressions)
