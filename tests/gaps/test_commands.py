"""`netlint suggest` and `netlint reach --hops`, as they are called."""

import json
from pathlib import Path

import pytest

from netlint.cli import run

MARKET = str(Path(__file__).parent / "market.yaml")


def test_suggest_prints_policies(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["suggest", MARKET]) == 0
    text = capsys.readouterr().out
    assert text.count("kind: NetworkPolicy") == 10
    assert text.startswith("---\n# ")


def test_suggest_for_one_namespace_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["suggest", "--format", "json", "-n", "data", MARKET]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["workload"] for each in found["policies"]] == [
        "data/Deployment/cache",
        "data/Deployment/queue",
        "data/StatefulSet/orders-db",
    ]


def test_a_namespace_without_workloads_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["suggest", "-n", "dta", MARKET]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        "netlint: the input holds no workload in namespace dta that a NetworkPolicy could be for\n",
    )


def test_what_is_suggested_passes_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["suggest", MARKET, "-o", str(tmp_path / "policies.yaml")]) == 0
    parts = Path(MARKET).read_text().split("---\n")
    bare = "---\n".join(part for part in parts if "kind: NetworkPolicy" not in part)
    (tmp_path / "market.yaml").write_text(bare)
    assert run(["check", "--select", "NET0,NET1", str(tmp_path)]) == 0, capsys.readouterr().out


def test_hops_from_the_internet(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reach", MARKET, "--from", "internet", "--hops"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "1  internet -> shop/web (Ingress web)" in lines
    assert any(line.startswith("3  ") and "data/orders-db" in line for line in lines)
    assert run(["reach", MARKET, "--from", "internet", "--hops", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {each["workload"]: len(each["hops"]) for each in found["chains"]}["shop/Deployment/api"] == 2


def test_hops_go_with_the_internet_only() -> None:
    assert run(["reach", MARKET, "--hops"]) == 2
