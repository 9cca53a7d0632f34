"""Sets of label values. Every requirement on one key is such a set, so requirements combine by set algebra."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

OTHER: Final = "(other)"
"""Any value that nothing mentions. No label value or name can be written so."""


@dataclass(frozen=True, slots=True)
class Values:
    """A finite or cofinite set of values of one label, and whether the label may be absent."""

    values: frozenset[str] = frozenset()
    complement: bool = False
    absent: bool = False

    @classmethod
    def one_of(cls, *values: str) -> "Values":
        return cls(frozenset(values))

    @classmethod
    def not_one_of(cls, *values: str) -> "Values":
        """Any other value, or no label at all: the meaning of NotIn."""
        return cls(frozenset(values), complement=True, absent=True)

    @classmethod
    def present(cls) -> "Values":
        return cls(complement=True)

    @classmethod
    def missing(cls) -> "Values":
        return cls(absent=True)

    def admits(self, value: str | None) -> bool:
        """Whether a label with this value passes; None is an absent label."""
        return self.absent if value is None else (value in self.values) != self.complement

    @property
    def takes_all(self) -> bool:
        return self.absent and self.complement and not self.values

    def __bool__(self) -> bool:
        return self.absent or self.complement or bool(self.values)

    def __invert__(self) -> "Values":
        return Values(self.values, not self.complement, not self.absent)

    def __and__(self, other: "Values") -> "Values":
        absent = self.absent and other.absent
        if self.complement and other.complement:
            return Values(self.values | other.values, True, absent)
        if self.complement:
            return Values(other.values - self.values, False, absent)
        if other.complement:
            return Values(self.values - other.values, False, absent)
        return Values(self.values & other.values, False, absent)

    def __or__(self, other: "Values") -> "Values":
        return ~(~self & ~other)

    def __str__(self) -> str:
        listed = ",".join(sorted(self.values))
        if not self:
            return "impossible"
        if self.takes_all:
            return "anything"
        if not self.complement:
            text = f"in ({listed})" if self.values else ""
            return " or ".join(part for part in (text, "absent" if self.absent else "") if part)
        text = f"not in ({listed})" if self.values else "present"
        return text if self.absent or not self.values else f"present and {text}"


def requirement(operator: str, values: Iterable[str] = ()) -> Values:
    """The values that a selector requirement admits (meta/v1 LabelSelectorRequirement). In and NotIn need at least one
    value, Exists and DoesNotExist none; NotIn admits an absent label. Raises ValueError for anything else."""
    listed = frozenset(values)
    if operator in ("In", "NotIn") and not listed:
        raise ValueError(f"{operator} needs at least one value")
    if operator in ("Exists", "DoesNotExist") and listed:
        raise ValueError(f"{operator} takes no values")
    if operator == "In":
        return Values(listed)
    if operator == "NotIn":
        return Values(listed, complement=True, absent=True)
    if operator == "Exists":
        return Values.present()
    if operator == "DoesNotExist":
        return Values.missing()
    raise ValueError(f"unknown operator {operator!r}")


def cells(tests: Iterable[Values]) -> tuple[str | None, ...]:
    """One representative of each group of values that no test tells apart: absent (None), each mentioned value, and
    OTHER for all that none mentions. All that a question over every possible label has to look at."""
    return (None, *sorted({value for test in tests for value in test.values}), OTHER)


def labels_match(
    match_labels: Mapping[str, str] | None,
    match_expressions: Iterable[tuple[str, str, Iterable[str]]],
    labels: Mapping[str, str],
) -> bool:
    """Whether a label set satisfies a selector's parts, all of them. An empty selector matches; whether a null one does
    is for the caller to know. Raises ValueError for an operator that no selector has."""
    if match_labels and not match_labels.items() <= labels.items():
        return False
    return all(requirement(operator, values).admits(labels.get(key)) for key, operator, values in match_expressions)
