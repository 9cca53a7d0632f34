"""Break working policies by single edits: netlint reports those that lose a needed flow, and no others."""

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from breaking import Verdict, break_it, cluster_of, gap_findings, needs, objects_of, world_of

MARKET = Path(__file__).parent / "market.yaml"


def judge(verdicts: list[Verdict], known: frozenset[str] = frozenset()) -> None:
    losing = [verdict for verdict in verdicts if verdict.lost]
    missed = [verdict for verdict in losing if not verdict.at_the_edit]
    silent = [v for v in verdicts if not v.lost and {f.message for f in v.findings} - known]
    assert len(losing) > len(verdicts) // 4, "the edits must matter for the test to mean anything"
    report = "\n".join(f"{v.edit.policy}: {v.edit.text} loses {v.lost[:2]}" for v in missed)
    assert len(missed) <= len(losing) * 5 // 100, f"missed {len(missed)} of {len(losing)}:\n{report}"
    false = "\n".join(f"{v.edit.policy}: {v.edit.text}: {v.findings[0].message}" for v in silent)
    assert not silent, f"said of edits that lose nothing:\n{false}"


@pytest.fixture(scope="module")
def market() -> list[dict[str, Any]]:
    return objects_of([MARKET.read_text()])


def test_the_market_works_before_it_is_broken(market: list[dict[str, Any]]) -> None:
    cluster, _ = cluster_of(market)
    wanted = needs(cluster)
    world = world_of(market)
    assert [need[0] for need in wanted if not world.allowed(*need[1:])] == []
    assert len(wanted) > 15
    assert gap_findings(market) == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_broken_policies_of_the_market_are_found(market: list[dict[str, Any]], seed: int) -> None:
    judge(break_it(market, seed, 100))


def online_boutique(shared: Path) -> list[dict[str, Any]]:
    root = shared / "corpus" / "GoogleCloudPlatform+microservices-demo"
    files = sorted((root / "kustomize" / "base").glob("*.yaml"))
    files += sorted((root / "kustomize" / "components" / "network-policies").glob("network-policy-*.yaml"))
    objects = objects_of(path.read_text() for path in files)
    return [each for each in objects if each.get("kind") not in ("Kustomization", "Component", None)]


def kube_prometheus(shared: Path) -> list[dict[str, Any]]:
    folder = shared / "corpus" / "prometheus-operator+kube-prometheus" / "manifests"
    return objects_of(path.read_text() for path in sorted(folder.glob("*.yaml")))


@pytest.mark.parametrize("world", [online_boutique, kube_prometheus])
def test_broken_policies_of_others_are_found(shared: Path, world: Any) -> None:
    objects = world(shared)
    assert any(each["kind"] == "NetworkPolicy" for each in objects)
    known = frozenset(finding.message for finding in gap_findings(objects))
    judge(break_it(objects, 7, 100), known)
