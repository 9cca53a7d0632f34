"""Near misses: endpoints that fail a predicate by one label only, the likeliest typing mistakes first."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from netlint.predicates.endpoint import NAME, Endpoint, Scope
from netlint.predicates.labels import Values
from netlint.predicates.predicate import And, Label, Or, Predicate


@dataclass(frozen=True, slots=True)
class NearMiss:
    """`endpoint` would match if its label `key` of `scope` had one of `wanted`; it has `found` (None: no such label).
    `similar_key` is a key of the endpoint that differs from `key` only slightly. `distance` counts edited characters,
    and is large where nothing looks like a typing mistake."""

    endpoint: Endpoint
    scope: Scope
    key: str
    wanted: Values
    found: str | None
    similar_key: str | None
    distance: int

    @property
    def looks_mistyped(self) -> bool:
        return self.distance <= 2


FAR = 99


def near_misses(predicate: Predicate, endpoints: Iterable[Endpoint], limit: int = 3) -> list[NearMiss]:
    """At most `limit` endpoints that satisfy all of the predicate but one label, nearest first, then by id."""
    found = []
    for endpoint in endpoints:
        missing = _missing(predicate, endpoint)
        if missing is not None:
            found.append(_miss(endpoint, missing))
    found.sort(key=lambda miss: (miss.distance, miss.endpoint.id))
    return found[:limit]


def _missing(predicate: Predicate, endpoint: Endpoint) -> Label | None:
    if isinstance(predicate, Label):
        return predicate if predicate.holds(endpoint) is False else None
    if isinstance(predicate, Or):
        if predicate.holds(endpoint) is not False:
            return None
        candidates = [missing for part in predicate.parts if (missing := _missing(part, endpoint)) is not None]
        return min(candidates, key=lambda label: _miss(endpoint, label).distance) if candidates else None
    if isinstance(predicate, And):
        failing: Predicate | None = None
        for part in predicate.parts:
            if part.holds(endpoint) is False:
                if failing is not None:
                    return None
                failing = part
        return _missing(failing, endpoint) if failing is not None else None
    return None


def _miss(endpoint: Endpoint, label: Label) -> NearMiss:
    labels = endpoint.labels_of(label.scope)
    found = labels.get(label.key)
    wanted = sorted(label.values.values) if not label.values.complement else []
    distance, similar = FAR, None
    if found is not None:
        distance = min((edit_distance(found, value) for value in wanted), default=FAR)
    else:
        for key in sorted(labels):
            if key != NAME and label.values.admits(labels[key]):
                step = _key_distance(key, label.key)
                if step < distance:
                    distance, similar = step, key
    return NearMiss(endpoint, label.scope, label.key, label.values, found, similar, distance)


def _key_distance(one: str, other: str) -> int:
    """Characters edited; a prefix that only one of the two has (`app` for `app.kubernetes.io/app`) counts as two."""
    plain = one.rpartition("/")[2] == other.rpartition("/")[2]
    return min(edit_distance(one, other), 2 if plain else FAR)


@lru_cache(maxsize=1 << 14)  # one name is compared with many, and copies of a cluster compare the same
def edit_distance(one: str, other: str, bound: int = 3) -> int:
    """Levenshtein distance with swapped neighbours as one edit; FAR where it is `bound` or more, or as long as the
    shorter text."""
    if one == other:
        return 0
    if abs(len(one) - len(other)) >= bound:
        return FAR
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(one, 1):
        above, before, row = before, row, [i]
        for j, target in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != target))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == target:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        if min(row) >= bound and min(before) >= bound:
            return FAR
    distance = row[-1]
    return distance if distance < bound and distance < min(len(one), len(other)) else FAR
