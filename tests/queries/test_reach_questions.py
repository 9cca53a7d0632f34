"""What `netlint reach` answers where only a part of all pairs is asked for."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from netlint.cli import run
from netlint.policy.queries.exposure import exposures
from netlint.policy.queries.reach import address_text
from netlint.predicates import ALL_ADDRESSES, AddressSet

CUT = """
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress:
  - from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}]
    ports: [{port: 1}]
  - from: [{ipBlock: {cidr: 10.1.2.0/24}}]
    ports: [{port: 2}]
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: v1
kind: Service
metadata: {name: nobody, namespace: shop}
spec: {selector: {app: nobody}, ports: [{port: 80}]}
"""
FLANNEL = """
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kube-flannel-cfg, namespace: kube-flannel}
data: {net-conf.json: '{"Network": "10.244.0.0/16", "Backend": {"Type": "vxlan"}}'}
"""

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(tmp_path: Path, shop_text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    (tmp_path / "shop.yaml").write_text(shop_text + CUT)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        status = run(["reach", *arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def to_web(ask: Ask, *arguments: str) -> dict[str, list[Any]]:
    data = json.loads(ask(*arguments, "--format", "json")[1])
    blocks = {one["id"]: one.get("blocks") for one in data["endpoints"]}
    return {
        " ".join(blocks[one["from"]]): one["allowed"][0]["ports"]
        for one in data["connections"]
        if one["to"] == "shop/Deployment/web"
    }


def test_a_block_that_rules_divide_is_answered_in_all_its_parts(ask: Ask) -> None:
    """10.0.0.0/8 is let in at port 1 but for 10.1.0.0/16, of which 10.1.2.0/24 is let in at port 2."""
    found = to_web(ask, "--from", "10.0.0.0/8", "--to", "shop/Deployment/web")
    assert sorted(found.values()) == [[[1, 1]], [[2, 2]]]
    assert "10.1.2.0/24" in found
    # Only what was asked for is shown, and a part of a rule's block is no more than that part.
    assert to_web(ask, "--from", "10.1.0.0/16") == {"10.1.2.0/24": [[2, 2]]}
    assert to_web(ask, "--from", "10.2.3.4") == {"10.2.3.4": [[1, 1]]}
    assert to_web(ask, "--from", "11.0.0.0/8") == {}


def test_the_internet_has_parts_too(ask: Ask) -> None:
    """Nothing is known of the cluster's ranges, so 10.0.0.0/8 is a part of the internet here."""
    assert sorted(to_web(ask, "--from", "internet").values()) == [[[1, 1]], [[2, 2]]]


@pytest.mark.parametrize("form", ["dot", "svg", "graphml", "text"])
def test_addresses_that_were_not_asked_for_are_not_drawn(ask: Ask, form: str) -> None:
    out = ask("--to", "10.1.2.0/25", "--format", form)[1]
    assert "10.1.2.0/25" in out
    assert "10.0.0.0" not in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--from", "shop:app=nope"), "shop:app=nope is no pod of the input"),
        (("--to", "team=z:"), "team=z: is no pod of the input"),
        (("--to", "shop/Service/nobody"), "shop/Service/nobody has no pods in the input"),
        (("--from", "internet", "--to", "10.0.0.1"), "both outside"),
        (("--from", "internet", "--hops", "--port", "80"), "--hops goes with"),
        (("--from", "internet", "--hops", "--group"), "--hops goes with"),
        (("--from", "internet", "--hops", "--exposure"), "--hops goes with"),
        (("--from", "internet", "--hops", "--to", "10.0.0.1"), "a chain leads to a workload"),
    ],
)
def test_a_question_without_a_subject_is_a_mistake(ask: Ask, arguments: tuple[str, ...], said: str) -> None:
    """An empty table would read as: nothing is allowed."""
    status, out, err = ask(*arguments)
    assert (status, out) == (2, "")
    assert said in err


def test_hops_lead_to_what_was_asked_for(ask: Ask, tmp_path: Path, shop_text: str) -> None:
    (tmp_path / "shop.yaml").write_text(shop_text + CUT.replace("ports: [{port: 1}]", "ports: [{port: http}]"))
    everything = json.loads(ask("--from", "internet", "--hops", "--format", "json")[1])
    schema = json.loads(files("netlint.reports").joinpath("schemas/hops.json").read_text())
    jsonschema.validate(everything, schema)
    assert {one["workload"] for one in everything["chains"]} == {"shop/Deployment/web", "shop/Deployment/db"}
    only = json.loads(ask("--from", "internet", "--hops", "--to", "shop/db", "--format", "json")[1])
    assert [one["workload"] for one in only["chains"]] == ["shop/Deployment/db"]


def test_the_reader_of_any_format_is_told_that_nothing_enforces(ask: Ask, tmp_path: Path, shop_text: str) -> None:
    (tmp_path / "shop.yaml").write_text(shop_text + FLANNEL)
    for form in ("text", "markdown", "json"):
        assert "nothing in this cluster enforces policies" in ask("--format", form)[1], form
    data = json.loads(ask("--format", "json", "--exposure")[1])
    jsonschema.validate(data, json.loads(files("netlint.reports").joinpath("schemas/reach.json").read_text()))


def test_exposure_beside_an_address_is_that_of_the_workload_named(ask: Ask) -> None:
    both = ask("--exposure", "--from", "internet", "--to", "shop/web")[1].partition("Open beyond")[2]
    assert "shop/Deployment/web  <-" in both
    assert "shop/Deployment/db" not in both
    alone = ask("--exposure", "--from", "internet")[1].partition("Open beyond")[2]
    assert "shop/Deployment/web  <-" in alone


def test_exposure_says_what_the_input_cannot_tell(world: Any, shop_text: str) -> None:
    """The API server would refuse port 0, so nobody knows what web lets in: that is not the same as nothing."""
    policy = world(shop_text + CUT.replace("ports: [{port: 2}]", "ports: [{port: 0}]")).policy
    found = [one for one in exposures(policy, [policy.by_id("shop/Deployment/web")]) if one.direction == "ingress"]
    assert ("cluster", False, "all") in [(one.kind, bool(one.allowed), str(one.unknown)) for one in found]


def test_a_block_that_may_hold_pods_may_expose_to_every_pod(world: Any, shop_text: str) -> None:
    """Whether an ipBlock takes in pods differs from engine to engine, and pods' addresses are not known here."""
    policy = world(shop_text + CUT).policy
    rows = [one for one in exposures(policy, [policy.by_id("shop/Deployment/web")]) if one.direction == "ingress"]
    (cluster,) = (one for one in rows if one.kind == "cluster")
    assert (bool(cluster.allowed), str(cluster.unknown)) == (False, "TCP 1-2")
    assert {one.text for one in rows if one.kind == "addresses"} == {
        "10.0.0.0-10.0.255.255, 10.2.0.0-10.255.255.255",
        "10.1.2.0/24",
    }


@pytest.mark.parametrize(
    ("blocks", "text"),
    [
        (("10.0.0.0/8",), "10.0.0.0/8"),
        (("10.0.0.0/8", "11.0.0.0/8"), "10.0.0.0/7"),
        (("10.0.0.1/32", "10.0.0.2/31", "10.0.0.4/30", "10.0.0.8/29"), "10.0.0.1-10.0.0.15"),
    ],
)
def test_addresses_are_written_the_short_way(blocks: tuple[str, ...], text: str) -> None:
    addresses = AddressSet.parse(*blocks)
    assert address_text(addresses) == text
    assert address_text(ALL_ADDRESSES - addresses) == f"any address but {text}"
