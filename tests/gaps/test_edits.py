"""The offered changes, applied by hand to the text and judged by the naive evaluator."""

import copy
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from breaking import break_it, cluster_of, edits, gap_findings, needs, objects_of, world_of
from naive_flows import Pod

from netlint.findings import parse_path
from netlint.sources import read_text

MARKET = Path(__file__).parent / "market.yaml"
ADD_TO = re.compile(r"add to (\S+) of NetworkPolicy (\S+)/(\S+):\n")


def applied(objects: list[dict[str, Any]], help: str) -> list[dict[str, Any]]:
    """The objects after the changes that a help text asks for."""
    changed = copy.deepcopy(objects)
    parts = re.split(r"(?m)^(?=add )", help)
    for part in filter(None, parts):
        head, _, text = part.partition("\n")
        data = read_text(text).documents[0].data
        if head == "add a policy:":
            changed.append(data)
            continue
        match = ADD_TO.match(part)
        assert match, head
        path, namespace, name = parse_path(match[1]), match[2], match[3]
        current: Any = next(
            each
            for each in changed
            if each["kind"] == "NetworkPolicy"
            and (each["metadata"].get("namespace", "default"), each["metadata"]["name"]) == (namespace, name)
        )
        for segment in path[:-1]:
            current = current[segment]
        if not isinstance(current, dict) or current.get(path[-1]) is None:
            current[path[-1]] = []
        current[path[-1]].extend(data)
    return changed


def allowed(objects: list[dict[str, Any]]) -> set[tuple[str, str, str, int]]:
    """Every connection between workloads on a declared port."""
    cluster, _ = cluster_of(objects)
    world = world_of(objects)
    pods = {
        w.id: Pod(w.namespace, dict(w.labels), tuple((p.name, p.number, p.protocol) for p in w.ports))
        for w in cluster.workloads
    }
    return {
        (a, b, protocol, number)
        for a, source in pods.items()
        for b, destination in pods.items()
        for _, number, protocol in destination.ports
        if world.allowed(source, destination, protocol, number)
    }


def test_offered_changes_mend_what_was_broken_and_nothing_else() -> None:
    objects = objects_of([MARKET.read_text()])
    cluster, _ = cluster_of(objects)
    wanted = needs(cluster)
    before = allowed(objects)
    tried = 0
    for edit in edits(objects, 11, 60):
        offers = [
            finding.help
            for finding in gap_findings(edit.objects)
            if finding.code == "NET103" and finding.help and finding.help.startswith("add ") and "\n" in finding.help
        ]
        if not offers:
            continue
        mended = edit.objects
        for help in offers:
            mended = applied(mended, help)
        tried += 1
        after_edit, after = allowed(edit.objects), allowed(mended)
        assert after_edit <= after, f"{edit.text}: something was taken away"
        gained = after - after_edit
        assert gained <= before, f"{edit.text}: opens {sorted(gained - before)[:3]}"
        world, broken = world_of(mended), world_of(edit.objects)
        mends = [need for need in wanted if not broken.allowed(*need[1:]) and world.allowed(*need[1:])]
        assert mends or not gained, f"{edit.text}: mends nothing"
    assert tried >= 15


def test_a_slip_of_a_label_is_named() -> None:
    objects = objects_of([MARKET.read_text()])
    for each in objects:
        if each["kind"] == "NetworkPolicy" and each["metadata"]["name"] == "queue":
            each["spec"]["podSelector"]["matchLabels"]["app"] = "qeue"
    (finding,) = gap_findings(objects)
    assert finding.place is not None
    assert finding.place.path == ("spec", "podSelector")
    assert "data/queue has app=queue, not app=qeue" in finding.message


def test_a_missing_policy_type_is_named() -> None:
    objects = objects_of([MARKET.read_text()])
    for each in objects:
        if each["kind"] == "NetworkPolicy" and each["metadata"]["name"] == "web":
            each["spec"]["policyTypes"] = ["Egress"]
    (finding,) = gap_findings(objects)
    assert finding.place is not None
    assert finding.place.path == ("spec", "policyTypes")
    assert finding.help == "add Ingress to policyTypes"


def test_verdicts_do_not_change_from_run_to_run() -> None:
    objects = objects_of([MARKET.read_text()])
    one, two = (
        [(v.edit.text, [(f.message, f.help) for f in v.findings]) for v in break_it(objects, 3, 15)] for _ in range(2)
    )
    assert one == two
