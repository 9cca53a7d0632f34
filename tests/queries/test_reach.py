"""Who can talk to whom, and how it is written."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from netlint.policy.queries.exposure import exposures
from netlint.policy.queries.reach import Party, Question, Reachability
from netlint.policy.queries.reach_groups import GroupedReachability
from netlint.predicates import AddressSet, TrafficSet
from netlint.reports import reach_graphs, reach_json, reach_svg, reach_tables

TWINS = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: %s, namespace: shop}
spec:
  selector: {matchLabels: {app: twin}}
  template:
    metadata: {labels: {app: twin}}
    spec: {containers: [{name: c, image: x}]}
"""

POOL = """
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
networking: {podSubnet: 10.244.0.0/16}
"""


def pairs(reach: Reachability) -> dict[tuple[str, str], str]:
    return {(one.source.id, one.destination.id): str(one.allowed) for one in reach.passages()}


def test_every_pair_with_something_allowed(world: Any) -> None:
    found = pairs(Reachability("default", world().policy))
    assert found["shop/Deployment/web", "shop/Deployment/db"] == "TCP 5432"
    assert found["shop/Deployment/db", "shop/Deployment/web"] == "all"
    outside = [end for pair in found for end in pair if "/Deployment/" not in end]
    assert set(outside) == {"0.0.0.0/0,::/0"}
    # Nothing from outside reaches the database, and nobody is shown talking to itself.
    assert ("0.0.0.0/0,::/0", "shop/Deployment/db") not in found
    assert not any(source == target for source, target in found)


def test_passages_are_sorted_and_can_be_read_twice(world: Any) -> None:
    reach = Reachability("default", world().policy)
    first = [(one.source.id, one.destination.id) for one in reach.passages()]
    # Workloads come before addresses, and ids rise.
    assert first == sorted(first, key=lambda pair: [("/Deployment/" not in end, end) for end in pair])
    assert first == [(one.source.id, one.destination.id) for one in reach.passages()]


def test_the_internet_is_called_so_where_ranges_are_known(world: Any, shop_text: str) -> None:
    policy = world(shop_text + POOL).policy
    names = {party.name for party in Reachability("default", policy).parties if party.kind == "address"}
    # The pod range alone is known, so all the rest is the internet.
    assert names == {"internet"}


def test_filters(world: Any) -> None:
    policy = world().policy
    web, db = policy.by_id("shop/Deployment/web"), policy.by_id("shop/Deployment/db")
    only_from = pairs(Reachability("default", policy, Question(sources=frozenset({db}))))
    assert {source for source, _ in only_from} == {"shop/Deployment/db"}
    only_to = pairs(Reachability("default", policy, Question(destinations=frozenset({db}))))
    assert only_to == {("shop/Deployment/web", "shop/Deployment/db"): "TCP 5432"}
    on_port = Question(destinations=frozenset({db}), traffic=TrafficSet.of("TCP", 80))
    assert not pairs(Reachability("default", policy, on_port))
    to_address = Question(destinations=frozenset(), destination_addresses=AddressSet.parse("10.0.0.0/8"))
    assert {target for _, target in pairs(Reachability("default", policy, to_address))} == {"10.0.0.0/8"}
    assert web is not None


def test_what_nothing_tells_apart_is_folded(world: Any, shop_text: str) -> None:
    text = f"{shop_text}---{TWINS % 'one'}---{TWINS % 'two'}"
    plain = Reachability("default", world(text).policy)
    assert {"shop/Deployment/one", "shop/Deployment/two"} <= {party.id for party in plain.parties}
    grouped = Reachability("default", world(text).policy, Question(grouped=True))
    group = next(party for party in grouped.parties if party.members)
    assert group.members == ("shop/Deployment/one", "shop/Deployment/two")
    # The members may talk to each other, so the group has a way to itself.
    assert (group.id, group.id) in pairs(grouped)


def test_exposure(world: Any) -> None:
    policy = world().policy
    rows = {(one.endpoint, one.direction, one.text): str(one.allowed) for one in exposures(policy, policy.endpoints)}
    assert rows["shop/Deployment/db", "ingress", "pods with app=web in shop"] == "TCP 5432"
    assert ("shop/Deployment/db", "ingress", "every pod of the cluster") not in rows
    assert rows["shop/Deployment/web", "ingress", "every pod of the cluster"] == "all"
    assert rows["shop/Deployment/db", "egress", "any address"] == "all"


def reachability(world: Any) -> Reachability:
    return Reachability("default", world().policy)


def test_json_keeps_its_schema(world: Any) -> None:
    schema = json.loads(files("netlint.reports").joinpath("schemas/reach.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    policy = world().policy
    reach = Reachability("default", policy)
    data = json.loads("".join(reach_json.render(reach, tuple(exposures(policy, policy.endpoints)))))
    jsonschema.validate(data, schema)
    ids = {endpoint["id"] for endpoint in data["endpoints"]}
    assert all({one["from"], one["to"]} <= ids for one in data["connections"])
    (entry,) = (
        one for one in data["connections"] if (one["from"], one["to"]) == ("shop/Deployment/web", "shop/Deployment/db")
    )
    assert entry["allowed"] == [{"protocol": "TCP", "ports": [[5432, 5432]]}]
    empty = json.loads("".join(reach_json.render(Reachability("default", world("").policy))))
    jsonschema.validate(empty, schema)


def test_tables(world: Any) -> None:
    text = "".join(reach_tables.text(reachability(world)))
    assert "shop/Deployment/web  shop/Deployment/db   TCP 5432\n" in text
    rows = list(csv.reader(io.StringIO("".join(reach_tables.csv_rows(reachability(world))))))
    assert rows[0] == ["from", "to", "allowed", "unknown"]
    assert ["shop/Deployment/web", "shop/Deployment/db", "TCP 5432", ""] in rows
    markdown = "".join(reach_tables.markdown(reachability(world)))
    assert "| shop/Deployment/web | shop/Deployment/db | TCP 5432 |" in markdown
    assert "no workload" in "".join(reach_tables.text(Reachability("default", world("").policy)))


def test_graphs(world: Any) -> None:
    dot = "".join(reach_graphs.dot(reachability(world)))
    assert '"shop/Deployment/web" -> "shop/Deployment/db" [label="TCP 5432"];' in dot
    assert dot.count("{") == dot.count("}")
    mermaid = "".join(reach_graphs.mermaid(reachability(world)))
    assert mermaid.startswith("flowchart LR\n")
    assert "TCP 5432" in mermaid
    root = ElementTree.fromstring("".join(reach_graphs.graphml(reachability(world))))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    edges = {(edge.get("source"), edge.get("target")) for edge in root.iter(f"{space}edge")}
    assert ("shop/Deployment/web", "shop/Deployment/db") in edges
    assert {node.get("id") for node in root.iter(f"{space}node")} >= {end for edge in edges for end in edge}


@pytest.mark.parametrize("draw", [reach_svg.graph, reach_svg.matrix])
def test_drawings_are_well_formed_and_stay_inside(world: Any, draw: Any) -> None:
    root = ElementTree.fromstring("".join(draw(reachability(world))))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    titles = {title.text for title in root.iter("{http://www.w3.org/2000/svg}title")}
    assert "shop/Deployment/web -> shop/Deployment/db: TCP 5432" in titles
    for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
        if rect.get("x") is not None:
            assert float(rect.get("x", 0)) + float(rect.get("width", 0)) <= width
            assert float(rect.get("y", 0)) + float(rect.get("height", 0)) <= height
    ElementTree.fromstring("".join(draw(Reachability("default", world("").policy))))


def test_names_of_the_input_are_no_markup(world: Any) -> None:
    """Names as hostile as YAML allows: no escape, tag, formula or cell border gets through."""
    name = '"<b>|x\\u001b[31m"]; -->\\n`$=cmd'
    text = (
        f'apiVersion: v1\nkind: Pod\nmetadata: {{name: {json.dumps(name)}, namespace: "=1+1"}}\n'
        "spec: {containers: []}\n"
        "---\napiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: shop}\nspec: {containers: []}\n"
    )
    policy = world(text).policy
    reach = Reachability("=d", policy)
    for writer in (reach_graphs.graphml, reach_svg.graph, reach_svg.matrix):
        ElementTree.fromstring("".join(writer(reach)))
    everything = [
        "".join(writer(reach))
        for writer in (
            reach_json.render,
            reach_tables.text,
            reach_tables.csv_rows,
            reach_tables.markdown,
            reach_graphs.dot,
            reach_graphs.mermaid,
            reach_graphs.graphml,
            reach_svg.graph,
            reach_svg.matrix,
        )
    ]
    assert all("\x1b" not in written for written in everything)
    rows = list(csv.reader(io.StringIO("".join(reach_tables.csv_rows(reach)))))
    assert all(not cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    markdown = "".join(reach_tables.markdown(reach))
    assert "<b>" not in markdown
    assert all(line.replace("\\|", "").count("|") == 4 for line in markdown.splitlines())


BLOCK = """
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: block, namespace: shop}
spec:
  podSelector: {matchLabels: {app: twin}}
  ingress:
  - from: [{ipBlock: {cidr: 10.0.0.0/8}}]
    ports: [{port: 80}, {port: 5432}]
  - from: [{podSelector: {}}]
"""


def questions(policy: Any) -> list[Question]:
    web, db = (frozenset({policy.by_id(f"shop/Deployment/{name}")}) for name in ("web", "db"))
    block, wide = AddressSet.parse("10.1.0.0/16"), AddressSet.parse("0.0.0.0/1")
    nobody: frozenset[Any] = frozenset()
    return [
        Question(),
        Question(traffic=TrafficSet.of("TCP", 5432)),
        Question(sources=web),
        Question(destinations=db),
        Question(sources=db, destinations=web, traffic=TrafficSet.of("UDP")),
        Question(sources=nobody, source_addresses=block),
        Question(sources=nobody, source_addresses=wide, destinations=web),
        Question(destinations=nobody, destination_addresses=wide),
    ]


@pytest.mark.parametrize("number", range(8))
def test_sets_say_the_same_as_pairs(world: Any, shop_text: str, number: int) -> None:
    """Every passage between sets, written out, is what the plain reading says; nothing is lost or added."""
    policy = world(f"{shop_text}---{TWINS % 'one'}---{TWINS % 'two'}{BLOCK}").policy
    asked = questions(policy)[number]
    grouped = GroupedReachability("default", policy, replace(asked, grouped=True))
    known = {party.id: party for party in grouped.parties}

    def endpoints(party: Party) -> list[str]:
        if party.kind == "set":
            return [name for member in party.members for name in endpoints(known[member])]
        return list(party.members) or [party.id]

    written = [
        ((source, target), (str(one.allowed), str(one.unknown)))
        for one in grouped.passages()
        for source in endpoints(one.source)
        for target in endpoints(one.destination)
        if source != target
    ]
    plain = Reachability("default", policy, asked).passages()
    expected = {(one.source.id, one.destination.id): (str(one.allowed), str(one.unknown)) for one in plain}
    assert expected
    assert len({pair for pair, _ in written}) == len(written)
    assert dict(written) == expected


def test_sets_as_json(world: Any, shop_text: str) -> None:
    policy = world(f"{shop_text}---{TWINS % 'one'}---{TWINS % 'two'}").policy
    schema = json.loads(files("netlint.reports").joinpath("schemas/reach.json").read_text())
    data = json.loads("".join(reach_json.render(GroupedReachability("default", policy, Question(grouped=True)))))
    jsonschema.validate(data, schema)
    ids = {endpoint["id"] for endpoint in data["endpoints"]}
    assert all(one["from"] in ids and one["to"] in ids for one in data["connections"])
    assert any(endpoint["kind"] == "set" for endpoint in data["endpoints"])


def test_exposure_to_both_families(world: Any, shop_text: str) -> None:
    peers = (
        "from: [{ipBlock: {cidr: 10.0.0.0/8}}]\n    ports: [{port: 1}]\n  - from: [{ipBlock: {cidr: '2001:db8::/32'}}]"
    )
    policy = world(shop_text.replace("from: [{podSelector: {matchLabels: {app: web}}}]", peers)).policy
    found = exposures(policy, [policy.by_id("shop/Deployment/db")])
    rows = [(one.text, str(one.allowed)) for one in found if one.direction == "ingress" and one.kind == "addresses"]
    assert rows == [("10.0.0.0/8", "TCP 1"), ("2001:db8::/32", "TCP 5432")]
