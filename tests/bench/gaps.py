"""One dump in one process: seconds of reading it, of typing what was read, and of the analysis of its policies and
needs, with every finding at its place. Prints JSON."""

import gc
import json
import sys
import time

from netlint.cluster import build, divide
from netlint.cluster.config import no_config
from netlint.resources import load, problems, typed
from netlint.rules.analysis import Analysis
from netlint.rules.catalogue import headers
from netlint.sources import Reading, ReadOptions, read, read_text
from netlint.triage.merging import located

SMALL = """apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: one, namespace: shop}
spec: {podSelector: {}, ingress: [{from: [{podSelector: {matchLabels: {app: web}}}]}]}
"""


def analysed(reading: Reading) -> tuple[float, float, int]:
    """Seconds of typing and of the analysis, and the number of findings. Before the analysis objects are judged and the
    cluster is joined: other rules need that too."""
    start = time.perf_counter()
    manifests = load(reading.documents)
    for manifest in manifests:
        typed(manifest)
    typing = time.perf_counter() - start
    config = no_config()
    for manifest in manifests:
        problems(manifest)
    cluster = build(divide(manifests, config)[0], config)
    joined = (cluster.workloads, cluster.namespaces)
    assert all(part is not None for part in joined)
    kinds = sorted({kind for _, kind in cluster.kinds} | {"Pod"})
    rules = [rule for rule in headers(()) if rule.code.startswith("NET1") and rule.group == "default"]
    start = time.perf_counter()
    analysis = Analysis(cluster, config, reading)
    findings = [located(finding) for rule in rules if rule.wanted(kinds) for finding in rule.load()(analysis)]
    return typing, time.perf_counter() - start, len(findings)


def main() -> None:
    gc.set_threshold(100_000, 50, 100)  # as the command does
    analysed(read_text(SMALL))  # modules are loaded once, however much there is to read
    start = time.perf_counter()
    reading = read([sys.argv[1]], options=ReadOptions())
    seconds = time.perf_counter() - start
    typing, analysis, findings = analysed(reading)
    print(json.dumps({"reading": seconds, "typing": typing, "analysis": analysis, "findings": findings}))


if __name__ == "__main__":
    main()
