"""What came of a case, and the cases where netlint differs on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

AGREED, LISTED, FAILING = "agreed", "deviating", "failing"


@dataclass(frozen=True)
class Case:
    """One question of a suite and how to put it. `check` returns the differences, none where netlint agrees."""

    suite: str
    query: str
    tier: str
    name: str
    check: Callable[[], list[str]]
    measured: bool = True

    @property
    def id(self) -> str:
        return f"{self.suite}:{self.query}:{self.tier}:{self.name}"


@dataclass(frozen=True)
class Outcome:
    case: Case
    status: str
    problems: tuple[str, ...] = ()
    reason: str = ""


@dataclass
class Deviations:
    """The file of deviations: readings of each suite, and listed cases, each with a reason."""

    readings: dict[str, dict[str, Any]]
    listed: dict[tuple[str, str, str], str] = field(default_factory=dict)
    used: set[tuple[str, str, str]] = field(default_factory=set)

    @classmethod
    def read(cls, path: Path) -> Deviations:
        data = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
        found = cls(data["readings"])
        for entry in data["deviations"] or ():
            for name in entry["cases"]:
                key = (entry["suite"], entry["query"], str(name))
                if key in found.listed:
                    raise ValueError(f"listed twice: {key}")
                found.listed[key] = " ".join(entry["reason"].split())
        return found

    def judge(self, case: Case) -> Outcome:
        """Put the case. A listed one is still put: where netlint agrees after all, the list is wrong."""
        reason = self.listed.get((case.suite, case.query, case.name))
        if reason is not None:
            self.used.add((case.suite, case.query, case.name))
        try:
            problems = tuple(case.check())
        except Exception as error:  # a crash is no agreement, and no reason to lose the other cases
            problems = (f"{type(error).__name__}: {error}",)
        if not problems:
            if reason is not None:
                return Outcome(case, FAILING, ("is listed as a deviation, but agrees",), reason)
            return Outcome(case, AGREED)
        return Outcome(case, LISTED if reason is not None else FAILING, problems, reason or "")


def table(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Per suite, query and tier: cases, agreed, deviating on purpose, failing."""
    counts: dict[tuple[str, str, str], dict[str, int]] = {}
    for outcome in outcomes:
        case = outcome.case
        row = counts.setdefault((case.suite, case.query, case.tier), {AGREED: 0, LISTED: 0, FAILING: 0})
        row[outcome.status] += 1
    yield f"{'suite':<20}{'query':<20}{'tier':<12}{'cases':>7}{'agreed':>8}{'listed':>8}{'failing':>9}"
    total = {AGREED: 0, LISTED: 0, FAILING: 0}
    for (suite, query, tier), row in sorted(counts.items()):
        yield _line(suite, query, tier, row)
        for status, number in row.items():
            total[status] += number
    yield _line("all", "", "", total)


def _line(suite: str, query: str, tier: str, row: dict[str, int]) -> str:
    cases = sum(row.values())
    return f"{suite:<20}{query:<20}{tier:<12}{cases:>7}{row[AGREED]:>8}{row[LISTED]:>8}{row[FAILING]:>9}"
