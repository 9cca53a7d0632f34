"""Maps from values to sets of classes, the sets disjoint: how a property of every class is held at once."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeAlias, TypeVar

from netlint.predicates.bitsets import Bits

V = TypeVar("V", bound=Hashable)
W = TypeVar("W", bound=Hashable)
X = TypeVar("X", bound=Hashable)
Partition: TypeAlias = dict[V, Bits]


def update(partition: Partition[V], where: Bits, change: Callable[[V], V]) -> Partition[V]:
    """The partition after the value of every class in `where` has changed."""
    if not where:
        return partition
    found: Partition[V] = {}
    for value, bits in partition.items():
        hit = bits & where
        if not hit:
            found[value] = found.get(value, 0) | bits
            continue
        changed = change(value)
        found[changed] = found.get(changed, 0) | hit
        rest = bits ^ hit
        if rest:
            found[value] = found.get(value, 0) | rest
    return found


def combine(one: Partition[V], other: Partition[W], join: Callable[[V, W], X]) -> Partition[X]:
    """The values of two partitions of the same classes, joined class by class."""
    if len(one) == 1 and len(other) == 1:
        (value, bits), (second, more) = next(iter(one.items())), next(iter(other.items()))
        both = bits & more
        return {join(value, second): both} if both else {}
    found: Partition[X] = {}
    for value, bits in one.items():
        left = bits
        for second, more in other.items():
            hit = left & more
            if hit:
                joined = join(value, second)
                found[joined] = found.get(joined, 0) | hit
                left ^= hit
                if not left:
                    break
    return found


def union_of_masks(pieces: Iterable[tuple[int, Bits]]) -> Partition[int]:
    """For each class the union of the masks of the pieces that hold it; classes in no piece are left out."""
    by_mask: dict[int, Bits] = {}
    for mask, bits in pieces:
        if bits and mask:
            by_mask[mask] = by_mask.get(mask, 0) | bits
    found: Partition[int] = {}
    for mask, bits in by_mask.items():
        found = add_masks(found, {mask: bits}, bits)
    return found


def add_masks(partition: Partition[int], pieces: Partition[int], covered: Bits) -> Partition[int]:
    """The partition with the masks of `pieces` added to those of the same classes. `covered` are all classes of the
    pieces; a class that the partition does not hold has had no mask."""
    if not partition:
        return dict(pieces)
    found: Partition[int] = {}
    get = found.get
    fresh = covered
    for mask, bits in partition.items():
        overlap = bits & covered
        if not overlap:
            found[mask] = get(mask, 0) | bits
            continue
        fresh ^= overlap
        rest = bits ^ overlap
        if rest:
            found[mask] = get(mask, 0) | rest
        for more, where in pieces.items():
            hit = overlap & where
            if hit:
                joined = mask | more
                found[joined] = get(joined, 0) | hit
                overlap ^= hit
                if not overlap:
                    break
    if fresh:
        for more, where in pieces.items():
            hit = fresh & where
            if hit:
                found[more] = get(more, 0) | hit
                fresh ^= hit
                if not fresh:
                    break
    return found
