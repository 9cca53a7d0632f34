"""Hold netlint against other projects' suites and print what came of it: run.py [SUITE] [TEXT].

TEXT picks the cases whose name holds it, and shows their differences in full.
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from conformance_suites.result import FAILING, LISTED, Deviations, Outcome, table
from conformance_suites.suites import DEVIATIONS, SUITES, all_cases

SHARED = Path(os.environ.get("NETLINT_SHARED", Path(__file__).resolve().parents[3] / "shared"))


def main(arguments: list[str]) -> int:
    """Exit status 0: every case agrees or is listed; 1: some do not; 2: the data is not there."""
    if not (SHARED / "conformance").is_dir():
        print(f"the suites are not there: {SHARED / 'conformance'}")
        return 2
    suite = next((one for one in arguments if one in SUITES), None)
    wanted = next((one for one in arguments if one not in SUITES), "")
    deviations = Deviations.read(DEVIATIONS)
    start = time.monotonic()
    outcomes: list[Outcome] = []
    for case in all_cases(SHARED, deviations, suite):
        if wanted not in case.id:
            continue
        outcome = deviations.judge(case)
        outcomes.append(outcome)
        if outcome.status == FAILING or (outcome.status == LISTED and wanted):
            print(f"{outcome.status}: {case.id}")
            for problem in outcome.problems[: None if wanted else 3]:
                print(f"    {problem}")
    print(*table(outcomes), sep="\n")
    unused = deviations.listed.keys() - deviations.used if suite is None and not wanted else set()
    for name in sorted(unused):
        print(f"listed, but no case: {name}")
    print(f"{time.monotonic() - start:.1f} s")
    return 1 if unused or any(one.status == FAILING for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
