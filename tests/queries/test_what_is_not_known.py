"""What the input cannot tell, in every form: never left out, and never like what is allowed.

Pods have no addresses before they run, and whether an ipBlock takes in pods differs from engine to engine.
"""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from netlint.policy.queries.diff import Difference
from netlint.policy.queries.reach import Reachability
from netlint.reports import reach_graphs, reach_json, reach_svg, reach_tables
from netlint.reports.color import Paint
from netlint.reports.diff_report import diff_json, diff_markdown, diff_text

MORE = """
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: shop}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {hostNetwork: true, containers: [{name: c, image: x}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db-block, namespace: shop}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress:
  - from: [{ipBlock: {cidr: 10.0.0.0/8}}]
    ports: [{port: 9000}]
"""
AGENT, DB, WEB = "shop/DaemonSet/agent", "shop/Deployment/db", "shop/Deployment/web"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def reach(world: Any, shop_text: str) -> Reachability:
    return Reachability("default", world(shop_text + MORE).policy)


def test_pairs(reach: Reachability) -> None:
    """A pod on the host's network is an end like others; to policies it is an address."""
    found = {(one.source.id, one.destination.id): (str(one.allowed), str(one.unknown)) for one in reach.passages()}
    assert found[WEB, DB] == ("TCP 5432", "TCP 9000")
    assert found[AGENT, DB] == ("nothing", "TCP 9000")
    assert found[WEB, AGENT] == ("all", "nothing")
    assert found["10.0.0.0/8", DB] == ("TCP 9000", "nothing")


def test_nothing_is_said_of_two_outside(reach: Reachability) -> None:
    addresses = [party for party in reach.parties if party.kind == "address"]
    assert len(addresses) == 2
    assert not any({one.source.kind, one.destination.kind} == {"address"} for one in reach.passages())


def test_tables(reach: Reachability) -> None:
    text = "".join(reach_tables.text(reach))
    assert any(line.split(maxsplit=2) == [WEB, DB, "TCP 5432; unknown: TCP 9000"] for line in text.splitlines())
    assert any(line.split(maxsplit=2) == [AGENT, DB, "unknown: TCP 9000"] for line in text.splitlines())
    rows = list(csv.reader(io.StringIO("".join(reach_tables.csv_rows(reach)))))
    assert [WEB, DB, "TCP 5432", "TCP 9000"] in rows
    assert [AGENT, DB, "none", "TCP 9000"] in rows
    assert f"| {AGENT} | {DB} | unknown: TCP 9000 |" in "".join(reach_tables.markdown(reach))


def test_json(reach: Reachability) -> None:
    data = json.loads("".join(reach_json.render(reach)))
    found = {(one["from"], one["to"]): one for one in data["connections"]}
    assert found[AGENT, DB]["allowed"] == []
    assert found[AGENT, DB]["unknown"] == [{"protocol": "TCP", "ports": [[9000, 9000]]}]
    assert found[WEB, DB]["unknown"] == found[AGENT, DB]["unknown"]
    assert "unknown" not in found[WEB, AGENT]


def test_graphs(reach: Reachability) -> None:
    dot = "".join(reach_graphs.dot(reach))
    assert f'"{AGENT}" -> "{DB}" [label="unknown: TCP 9000", style=dashed];' in dot
    assert f'"{WEB}" -> "{DB}" [label="TCP 5432 (unknown: TCP 9000)"];' in dot
    mermaid = "".join(reach_graphs.mermaid(reach))
    names = {line.split('"')[1]: line.split("[")[0].strip() for line in mermaid.splitlines() if '["' in line}
    agent, db, web = (names[one.removeprefix("shop/")] for one in (AGENT, DB, WEB))
    assert f'  {agent} -.->|"unknown: TCP 9000"| {db}\n' in mermaid
    assert f'  {web} -->|"TCP 5432 (unknown: TCP 9000)"| {db}\n' in mermaid
    space = "{http://graphml.graphdrawing.org/xmlns}"
    (edge,) = (
        edge
        for edge in ElementTree.fromstring("".join(reach_graphs.graphml(reach))).iter(f"{space}edge")
        if (edge.get("source"), edge.get("target")) == (AGENT, DB)
    )
    assert {data.get("key"): data.text for data in edge} == {"unknown": "TCP 9000"}


def titled(drawing: ElementTree.Element, start: str) -> ElementTree.Element:
    (found,) = (each for each in drawing.iter() if (each.findtext(f"{SVG}title") or "").startswith(start))
    return found


def test_drawn_as_a_graph(reach: Reachability) -> None:
    root = ElementTree.fromstring("".join(reach_svg.graph(reach)))
    assert titled(root, f"{AGENT} -> {DB}: unknown: TCP 9000").get("class") == "edge maybe"
    assert titled(root, f"{WEB} -> {DB}: TCP 5432").get("class") == "edge"


def test_drawn_as_a_matrix(reach: Reachability) -> None:
    """Rows send, columns are sent to: the cell of a pair stands in the row of the one and the column of the other."""
    root = ElementTree.fromstring("".join(reach_svg.matrix(reach)))
    diagonal = [each for each in root.iter(f"{SVG}rect") if each.findtext(f"{SVG}title") == "itself"]
    own = dict(zip([party.id for party in reach.parties], diagonal, strict=True))
    for source, target, kind in ((AGENT, DB, "unknown"), (WEB, DB, "some"), (WEB, AGENT, "all"), (DB, WEB, "all")):
        cell = titled(root, f"{source} -> {target}: ")
        assert (cell.get("class"), cell.get("y"), cell.get("x")) == (kind, own[source].get("y"), own[target].get("x"))


def test_differences(world: Any, shop_text: str) -> None:
    """The agent's address is not known: only what may be changes for it."""
    policies = [world(shop_text + MORE.replace("9000", port)).policy for port in ("9000", "9001")]
    found = [Difference("default", *policies)]
    (change,) = (one for one in found[0].changes() if (one.source.id, one.destination.id) == (AGENT, DB))
    assert (change.change, str(change.unknown_before), str(change.unknown_after)) == ("changed", "TCP 9000", "TCP 9001")
    line = f"~ {AGENT} -> {DB}: unknown: TCP 9000 => unknown: TCP 9001\n"
    assert line in "".join(diff_text(found, Paint(False)))
    row = f"| changed | {AGENT} | {DB} | unknown: TCP 9000 | unknown: TCP 9001 |\n"
    assert row in "".join(diff_markdown(found))
    data = json.loads("".join(diff_json(found)))
    (entry,) = (one for one in data["connections"] if (one["from"], one["to"]) == (AGENT, DB))
    assert entry["unknownAfter"] == [{"protocol": "TCP", "ports": [[9001, 9001]]}]
