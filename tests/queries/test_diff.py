"""What two versions allow differently."""

import json
from importlib.resources import files
from typing import Any

import jsonschema

from netlint.policy.queries.diff import Difference
from netlint.reports.color import Paint
from netlint.reports.diff_report import diff_json, diff_markdown, diff_text

CACHE = """---
apiVersion: v1
kind: Pod
metadata: {name: cache, namespace: shop, labels: {app: cache}}
spec: {containers: [{name: c, image: x}]}
"""


def changes(found: Difference) -> dict[tuple[str, str], tuple[str, str, str]]:
    return {
        (one.source.id, one.destination.id): (one.change, str(one.before), str(one.after)) for one in found.changes()
    }


def test_the_same_twice(world: Any) -> None:
    found = Difference("default", world().policy, world().policy)
    assert not changes(found)
    assert found.equivalence.holds is True
    assert not found.added
    assert not found.removed


def test_a_port_that_changes(world: Any, shop_text: str) -> None:
    new = shop_text.replace("ports: [{port: 5432}]\n", "ports: [{port: 5432}, {port: 9187}]\n")
    found = Difference("default", world().policy, world(new).policy)
    assert changes(found) == {("shop/Deployment/web", "shop/Deployment/db"): ("changed", "TCP 5432", "TCP 5432,9187")}
    assert found.equivalence.holds is False
    assert found.equivalence.witness is not None
    assert found.equivalence.witness.port == 9187


def test_added_and_removed(world: Any, shop_text: str) -> None:
    closed = shop_text.replace(
        "  ingress:\n  - from: [{podSelector: {matchLabels: {app: web}}}]\n    ports: [{port: 5432}]\n", ""
    )
    pair = ("shop/Deployment/web", "shop/Deployment/db")
    assert changes(Difference("default", world().policy, world(closed).policy)) == {
        pair: ("removed", "TCP 5432", "nothing")
    }
    assert changes(Difference("default", world(closed).policy, world().policy)) == {
        pair: ("added", "nothing", "TCP 5432")
    }


def test_a_difference_that_only_other_pods_would_see(world: Any, shop_text: str) -> None:
    new = shop_text.replace(
        "matchLabels: {app: web}}}]", "matchExpressions: [{key: app, operator: In, values: [web, job]}]}}]"
    )
    assert new != shop_text
    found = Difference("default", world().policy, world(new).policy)
    assert not changes(found)
    assert found.equivalence.holds is False
    assert found.equivalence.witness is not None
    assert "job" in found.equivalence.witness.text


def test_workloads_that_come_stand_apart(world: Any, shop_text: str) -> None:
    found = Difference("default", world().policy, world(shop_text + CACHE).policy)
    assert found.added == ("shop/Pod/cache",)
    assert all(one.due_to == ("shop/Pod/cache",) for one in found.changes())
    assert found.equivalence.holds is True


def test_blocks_of_addresses_are_merged(world: Any, shop_text: str) -> None:
    """Both versions let the same half of the addresses in, cut at different places; one then loses a quarter."""

    def with_blocks(*blocks: str) -> str:
        peers = ", ".join(f"{{ipBlock: {{cidr: {block}}}}}" for block in blocks)
        return shop_text.replace("from: [{podSelector: {matchLabels: {app: web}}}]", f"from: [{peers}]")

    same = Difference(
        "default", world(with_blocks("0.0.0.0/1")).policy, world(with_blocks("0.0.0.0/2", "64.0.0.0/2")).policy
    )
    assert not changes(same)
    less = Difference("default", world(with_blocks("0.0.0.0/1")).policy, world(with_blocks("0.0.0.0/2")).policy)
    assert changes(less) == {("64.0.0.0/2", "shop/Deployment/db"): ("removed", "TCP 5432", "nothing")}


UNREAD = """---
apiVersion: cilium.io/v2
kind: CiliumNetworkPolicy
metadata: {name: c, namespace: shop}
spec: {endpointSelector: {matchLabels: {app: web}}, ingress: [{fromEntities: [all]}]}
"""


def test_what_is_not_known_is_neither_added_nor_removed(world: Any, shop_text: str) -> None:
    """This policy lets everybody in, which netlint does not read: without it nothing is added or lost."""
    with_it, without = world(shop_text + UNREAD).policy, world().policy
    pair = ("shop/Deployment/db", "shop/Deployment/web")
    assert changes(Difference("default", with_it, without))[pair] == ("changed", "nothing", "all")
    assert changes(Difference("default", without, with_it))[pair] == ("changed", "all", "nothing")
    text = "".join(diff_text([Difference("default", without, with_it)], Paint(False)))
    assert "~ shop/Deployment/db -> shop/Deployment/web: all => unknown: all\n" in text


def test_a_policy_that_is_not_read_proves_no_difference(world: Any, shop_text: str) -> None:
    for versions in ((shop_text + UNREAD, shop_text), (shop_text, shop_text + UNREAD)):
        before, after = (world(text).policy for text in versions)
        found = Difference("default", before, after).equivalence
        assert found.holds is None
        assert "CiliumNetworkPolicy" in found.reason
    # Elsewhere the difference is one, whatever that policy says.
    db = shop_text.replace("port: 5432}]\n", "port: 5433}]\n")
    assert Difference("default", world(shop_text + UNREAD).policy, world(db + UNREAD).policy).equivalence.holds is False


def test_reports(world: Any, shop_text: str) -> None:
    schema = json.loads(files("netlint.reports").joinpath("schemas/diff.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    new = shop_text.replace("port: 5432}]\n", "port: 5433}]\n") + CACHE
    found = [Difference("default", world().policy, world(new).policy)]
    data = json.loads("".join(diff_json(found)))
    jsonschema.validate(data, schema)
    assert data["equivalent"] is False
    assert data["changed"] is True
    assert data["workloads"] == [{"cluster": "default", "change": "added", "id": "shop/Pod/cache"}]
    text = "".join(diff_text(found, Paint(False)))
    assert "~ shop/Deployment/web -> shop/Deployment/db: TCP 5432 => TCP 5433\n" in text
    assert "+ workload shop/Pod/cache\n" in text
    markdown = "".join(diff_markdown(found))
    assert "| changed | shop/Deployment/web | shop/Deployment/db | TCP 5432 | TCP 5433 |" in markdown
    same = json.loads("".join(diff_json([Difference("default", world().policy, world().policy)])))
    jsonschema.validate(same, schema)
    assert same["equivalent"] is True
    assert same["changed"] is False


def test_a_cluster_that_only_one_version_has(world: Any) -> None:
    found = Difference("default", None, world().policy)
    assert set(found.added) == {"shop/Deployment/web", "shop/Deployment/db"}
    assert found.equivalence.holds is None
    assert all(one.change == "added" and one.due_to for one in found.changes())


def test_a_comment_is_no_longer_than_a_forge_takes(world: Any) -> None:
    """GitHub refuses a comment of more than 65,536 characters; what is left out is counted."""
    pods = "---\n".join(
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop}}\nspec: {{containers: []}}\n"
        for name in (f"{'pod' * 60}-{number}" for number in range(40))
    )
    found = [Difference(name, None, world(pods).policy) for name in ("one", "two")]
    text = "".join(diff_markdown(found))
    rows = [len([line for line in part.splitlines() if line.startswith("| added")]) for part in text.split("####")[1:]]
    left = [int(line.split()[1]) for line in text.splitlines() if line.startswith("and ")]
    assert len(text) < 65_536
    # Each pod to 39 others and to outside, and from outside.
    assert [shown + more for shown, more in zip(rows, left, strict=True)] == [40 * 41] * 2
    assert rows[0] > 50
    assert " and 10 more\n" in text


def test_notes(world: Any) -> None:
    schema = json.loads(files("netlint.reports").joinpath("schemas/diff.json").read_text())
    found = [Difference("default", world().policy, world().policy, notes=["nothing enforces <b>"])]
    assert "note: nothing enforces <b>\n" in "".join(diff_text(found, Paint(False)))
    assert "Note: nothing enforces &lt;b&gt;\n" in "".join(diff_markdown(found))
    data = json.loads("".join(diff_json(found)))
    jsonschema.validate(data, schema)
    assert data["notes"] == [{"cluster": "default", "text": "nothing enforces <b>"}]
