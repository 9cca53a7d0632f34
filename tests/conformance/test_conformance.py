"""Every case of every suite agrees with netlint, or is listed as a deviation with its reason."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from conformance_suites.result import FAILING, Deviations
from conformance_suites.suites import DEVIATIONS, all_cases

PARTS = {"cyclonus": 4, "network-policy-api": 2, "netpol-analyzer": 10, "nca": 4}


@pytest.mark.parametrize(("suite", "part"), [(suite, part) for suite, parts in PARTS.items() for part in range(parts)])
def test_suite(shared: Path, suite: str, part: int) -> None:
    deviations = Deviations.read(DEVIATIONS)
    cases = list(all_cases(shared, deviations, suite))
    assert cases
    # Neighbours share what they read: parts are stretches of the index.
    first, last = (len(cases) * end // PARTS[suite] for end in (part, part + 1))
    failing = [outcome for case in cases[first:last] if (outcome := deviations.judge(case)).status == FAILING]
    shown = [f"{one.case.id}: {'; '.join(one.problems[:3])}" for one in failing]
    assert not failing, f"{len(failing)} cases neither agree nor are listed:\n" + "\n".join(shown[:20])


def test_the_list_names_real_cases_and_reasons(shared: Path) -> None:
    deviations = Deviations.read(DEVIATIONS)
    known = {(case.suite, case.query, case.name) for case in all_cases(shared, deviations)}
    assert deviations.listed.keys() <= known, sorted(deviations.listed.keys() - known)
    assert all(len(reason) > 40 for reason in deviations.listed.values())


def test_the_measures(shared: Path) -> None:
    """How many cases may be listed, by suite and query."""
    deviations = Deviations.read(DEVIATIONS)
    counts: dict[str, list[int]] = {}
    for case in all_cases(shared, deviations):
        if case.suite == "netpol-analyzer" and case.query in ("list", "diff", "eval", "explain"):
            group = "netpol-analyzer, connections"
        elif case.suite == "netpol-analyzer":
            group = f"netpol-analyzer, {case.query}"
        elif case.suite == "nca":
            group = "nca" if case.measured else "nca, other"
        else:
            group = case.suite
        row = counts.setdefault(group, [0, 0])
        row[0] += 1
        row[1] += (case.suite, case.query, case.name) in deviations.listed
    assert counts["cyclonus"] == [256, 0]
    assert counts["network-policy-api"] == [301, 0]
    shares = {group: listed / cases for group, (cases, listed) in counts.items()}
    assert shares["netpol-analyzer, connections"] < 0.03
    assert shares["netpol-analyzer, exposure"] <= 0.1
    assert shares["nca"] <= 0.05
