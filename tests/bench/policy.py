"""Speed of the policy engine on generated clusters: python tests/bench/policy.py [NAMESPACES DEPLOYMENTS POLICIES]...

Prints, for each size, what reading the policies' YAML took (no part of the measure), then seconds of analysis (all
connections, grouped) and the peak of memory. Each size runs in a process of its own. Needs ../shared.
"""

import gc
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GENERATOR = Path(__file__).resolve().parents[3] / "shared" / "tools" / "gen_cluster.py"
LIMITS = {
    (20, 50, 500): (0.3, None),
    (100, 50, 1000): (None, None),
    (400, 50, 4000): (10, 1024),
    (1000, 50, 10000): (None, None),
    (1000, 100, 10000): (60, 4096),
}
"""By namespaces, deployments in each and policies: seconds of analysis and megabytes."""
PODS = "10.244.0.0/16"
_NAMESPACE = re.compile(r"^  name: (\S+)\n  labels:\n((?:    .*\n)+)", re.M)
_WORKLOAD = re.compile(r"^  name: (\S+)\n  namespace: (\S+)\n(?:.*\n)*?      labels:\n((?:        .*\n)+)", re.M)


def endpoints(folder):
    """The generated workloads as endpoints, without the cost of a YAML reader."""
    from netlint.predicates import NAME, AddressSet, Endpoint, EndpointKind, Scope

    def labels(text):
        return dict(line.strip().split(": ") for line in text.splitlines())

    namespaces = {name: labels(text) for name, text in _NAMESPACE.findall((folder / "namespaces.yaml").read_text())}
    pods = AddressSet.parse(PODS)
    found = []
    for path in sorted(folder.glob("workloads-*.yaml")):
        for name, namespace, text in _WORKLOAD.findall(path.read_text()):
            found.append(
                Endpoint(
                    f"{namespace}/Deployment/{name}",
                    EndpointKind.POD,
                    namespace,
                    name,
                    labels=labels(text),
                    namespace_labels=namespaces[namespace],
                    service_account_labels={NAME: "default"},
                    addresses=pods,
                    open_scopes=frozenset({Scope.NODE}),
                )
            )
    return found


def measure(sizes):
    from netlint.policy import PolicyAnalysis, Ranges, Readings, translate
    from netlint.predicates import AddressSet
    from netlint.resources import load, typed
    from netlint.sources import read

    gc.set_threshold(100_000, 50, 100)  # as the command does
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, GENERATOR, folder, *map(str, sizes)], check=True, capture_output=True)
        started = time.perf_counter()
        objects = [typed(manifest) for manifest in load(read([str(folder / "policies.yaml")]).documents)]
        pods = endpoints(folder)
        reading = time.perf_counter() - started
    before = peak()
    started = time.perf_counter()
    readings = Readings(ipblock_matches_pods=True)
    analysis = PolicyAnalysis(translate(objects, readings), pods, readings, ranges=Ranges(pods=AddressSet.parse(PODS)))
    classes = analysis.classes
    grouped = time.perf_counter()
    rows = cells = 0
    for row in analysis.rows():
        rows += 1
        cells += len(row.cells)
    return {
        "workloads": len(pods),
        "policies": len(objects),
        "reading": round(reading, 2),
        "classes": len(classes),
        "rows": rows,
        "cells": cells,
        "to classes": round(grouped - started, 3),
        "seconds": round(time.perf_counter() - started, 3),
        "MB before": round(before),
        "MB": round(peak()),
    }


def peak():
    """The peak of memory of this process in MB; since it was started, where the system tells."""
    status = Path("/proc/self/status")
    found = re.search(r"^VmHWM:\s+(\d+) kB", status.read_text(), re.M) if status.is_file() else None
    return (int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024


def one(size):
    """The figures of one size, from a process of its own."""
    command = [sys.executable, __file__, "--one", *map(str, size)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "--one":
        print(json.dumps(measure(tuple(map(int, sys.argv[2:])))))
        return
    arguments = list(map(int, sys.argv[1:]))
    sizes = [tuple(arguments[place : place + 3]) for place in range(0, len(arguments), 3)] or list(LIMITS)
    for size in sizes:
        print(json.dumps(one(size)), LIMITS.get(size, ""))


if __name__ == "__main__":
    main()
