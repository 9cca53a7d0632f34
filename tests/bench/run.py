"""`make bench`: what netlint costs, as ratios measured in one run on one machine.

Each figure is a median of several runs, and stands beside the limit that we hold ourselves to. Exit status 1 when a
limit is passed. Needs ../shared for the dump of a real cluster; leaves out what it cannot measure, and says so.
"""

import gc
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import policy

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("NETLINT_SHARED", ROOT.parent / "shared"))
POD = """apiVersion: v1
kind: Pod
metadata:
  name: one
  namespace: shop
spec:
  containers:
    - name: main
      image: example/one
"""


class Figures:
    def __init__(self) -> None:
        self.failed = False

    def say(self, what: str, measured: float, limit: float, unit: str = "x", note: str = "") -> None:
        verdict = "ok" if measured <= limit else "TOO MUCH"
        self.failed |= measured > limit
        print(f"{what:<58} {measured:8.2f}{unit}  limit {limit:g}{unit}  {verdict}  {note}", flush=True)


def seconds(action: Callable[[], object], runs: int = 3) -> float:
    """The median time of `action`, in seconds."""
    times = []
    for _ in range(runs):
        gc.collect()
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


_TIMED = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


def command(*arguments: str) -> tuple[float, float]:
    """Wall seconds and peak memory in MB of one process, started from a small one: a process counts as its own the peak
    of the one that it was forked from."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    words = [sys.executable, "-S", "-c", _TIMED, *arguments]
    printed = subprocess.run(words, check=True, capture_output=True, text=True, env=environment).stdout
    took, megabytes = printed.split()
    return float(took), float(megabytes)


def start_up(figures: Figures, scratch: Path) -> None:
    file = scratch / "one.yaml"
    file.write_text(POD)
    netlint = [sys.executable, "-m", "netlint", "check", str(file)]
    bare = [sys.executable, "-c", "import click, ruamel.yaml; from pydantic import BaseModel"]
    pairs = [(command(*netlint)[0], command(*bare)[0]) for _ in range(12)][2:]
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    ours = statistics.median(ours for ours, _ in pairs)
    figures.say("start-up: check of one file / importing the libraries", ratio, 2.0, note=f"{ours * 1000:.0f} ms")


def dump_of_a_cluster(scratch: Path) -> Path | None:
    maker = SHARED / "corpus/_dumps/make_dump.py"
    dump = scratch / "dump.yaml"
    if maker.is_file():
        subprocess.run([sys.executable, maker, dump, "--copies", "5", "--moj", "1458"], check=True, capture_output=True)
    return dump if dump.is_file() else None


def reading(figures: Figures, dump: Path) -> None:
    from ruamel.yaml import YAML

    from netlint.resources import load, typed
    from netlint.sources import ReadOptions, read

    def ours() -> None:
        for manifest in load(read([str(dump)], options=ReadOptions()).documents):
            typed(manifest)

    text = dump.read_bytes()
    loader = seconds(lambda: YAML(typ="safe").load(text), 3)
    figures.say("17 MB dump: read with positions and type / C safe loader", seconds(ours) / loader, 0.3)
    whole, memory = zip(
        *(command(sys.executable, "-m", "netlint", "check", "--exit-zero", str(dump)) for _ in range(3)), strict=True
    )
    took = statistics.median(whole)
    figures.say("17 MB dump: the whole check / C safe loader", took / loader, 1.0, note=f"{took:.1f} s")
    figures.say("17 MB dump: memory of the whole check", max(memory), 1000, " MB")


def gaps(figures: Figures, dump: Path) -> None:
    """What the rules about policies cost beside reading with positions and types, in a process of its own each time."""
    script = Path(__file__).with_name("gaps.py")
    rows = []
    for _ in range(5):
        printed = subprocess.run([sys.executable, script, dump], check=True, capture_output=True, text=True).stdout
        found = json.loads(printed)
        whole = found["reading"] + found["typing"]
        rows.append((found["analysis"], found["analysis"] / whole, found["analysis"] / found["reading"]))
    took, ratio, bare = (statistics.median(column) for column in zip(*rows, strict=True))
    what = "17 MB dump: gap analysis, Z3 included / reading it with types"
    figures.say(what, ratio, 1.0, note=f"{took:.2f} s; {bare:.1f}x of reading without types")


def connectivity(figures: Figures) -> None:
    """All connections of generated clusters, grouped: seconds of analysis and peak memory, a process each."""
    times: dict[int, float] = {}
    for size, (limit, megabytes) in policy.LIMITS.items():
        # the growth is the ratio of two figures, so each is the least of several: noise only ever adds
        found = min((policy.one(size) for _ in range(1 if limit else 4)), key=lambda each: each["seconds"])
        times[found["workloads"]] = found["seconds"]
        what = f"{found['workloads']} workloads, {found['policies']} policies"
        if limit is not None:
            figures.say(f"{what}: all pairs", found["seconds"], limit, " s")
        if megabytes is not None:
            figures.say(f"{what}: memory", found["MB"], megabytes, " MB")
    growth = math.log(times[50_000] / times[5_000]) / math.log(10)
    figures.say("growth from 5,000 to 50,000 workloads: time ~ n to the power", growth, 1.3, "")


def proofs(figures: Figures, scratch: Path) -> None:
    """Two sets of 500 policies of which one differs in a port, and one rule against all the others."""
    from netlint.policy import PolicyAnalysis, Readings, translate
    from netlint.resources import load, typed
    from netlint.sources import read_text

    folder = scratch / "generated"
    subprocess.run([sys.executable, policy.GENERATOR, folder, "20", "50", "500"], check=True, capture_output=True)
    text = (folder / "policies.yaml").read_text()

    def policies(text: str) -> Any:
        objects = [typed(manifest) for manifest in load(read_text(text).documents)]
        return translate([one for one in objects if one is not None], Readings())

    one, other = policies(text), policies(text.replace("port: 5432", "port: 5433", 1))
    rules = [rule for policy_ in one.policies for rule in policy_.rules]

    def asked(question: Callable[[Any], object]) -> float:
        analysis = PolicyAnalysis(one, (), Readings())
        start = time.perf_counter()
        question(analysis.prover)
        return time.perf_counter() - start

    import z3  # noqa: F401  (its import is paid once a process and is no part of a question)

    different = statistics.median(asked(lambda prover: prover.equivalent(one, other)) for _ in range(3))
    same = statistics.median(asked(lambda prover: prover.equivalent(one, policies(text))) for _ in range(3))
    contained = statistics.median(asked(lambda prover: prover.rule_contained(rules[0], rules[1:])) for _ in range(3))
    figures.say(f"{len(rules)} rules: equivalent? (no, with a witness)", different, 0.5, " s")
    figures.say(f"{len(rules)} rules: equivalent? (yes)", same, 0.5, " s")
    figures.say(f"{len(rules)} rules: is one contained in the others?", contained, 0.5, " s")


def main() -> int:
    figures = Figures()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        start_up(figures, scratch)
        dump = dump_of_a_cluster(scratch)
        if dump is None:
            print(f"not measured: reading, check and gaps of a dump (needs {SHARED}/corpus)")
        else:
            reading(figures, dump)
            gaps(figures, dump)
        if policy.GENERATOR.is_file():
            connectivity(figures)
            proofs(figures, scratch)
        else:
            print(f"not measured: connectivity and proofs at scale (needs {policy.GENERATOR})")
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 1 if figures.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
