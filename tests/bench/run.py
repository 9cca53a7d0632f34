"""`make bench`: what netlint costs, as ratios measured in one run on one machine.

Each figure is a median of several runs, and stands beside the limit that we hold ourselves to. Exit status 1 when a
limit is passed. Needs ../shared for the dump of a real cluster; leaves out what it cannot measure, and says so.
"""

import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("NETLINT_SHARED", ROOT.parent / "shared"))
POD = """apiVersion: v1
kind: Pod
metadata: {name: one, namespace: shop}
spec: {containers: [{name: main, image: example/one}]}
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


def command(*arguments: str) -> tuple[float, float]:
    """Wall seconds and peak memory in MB of one process."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - start, usage.ru_maxrss / 1024


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
    from netlint.sources import ReadOptions, read

    read_time = seconds(lambda: read([str(dump)], options=ReadOptions()))
    base = [sys.executable, "-m", "netlint", "check", "--exit-zero", "--quiet"]
    with_gaps = statistics.median(command(*base, "--select", "NET1", str(dump))[0] for _ in range(3))
    without = statistics.median(command(*base, "--select", "NET301", str(dump))[0] for _ in range(3))
    figures.say("17 MB dump: gap analysis, Z3 included / reading it", (with_gaps - without) / read_time, 1.0)


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
        generator = SHARED / "tools/gen_cluster.py"
        if generator.is_file():
            import policy

            policy.measure(figures, scratch, generator)
        else:
            print(f"not measured: connectivity at scale (needs {generator})")
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 1 if figures.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
