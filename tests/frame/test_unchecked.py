"""What a summary says that was not checked."""

from pathlib import Path

import pytest

from netlint.cluster.config import load_config, no_config
from netlint.findings import Finding, Location, Place, Related, Severity
from netlint.resources import Manifest
from netlint.resources.loading import without_kind
from netlint.rules.catalogue import Header
from netlint.sources import Reading, ReadOptions, read
from netlint.triage.unchecked import unchecked, without_effect

TEMPLATE = "apiVersion: v1\nkind: Service\nmetadata: {name: {{ name }}}\n"


def test_charts_kustomizations_and_templates_are_named_apart(tmp_path: Path) -> None:
    (tmp_path / "chart/templates").mkdir(parents=True)
    (tmp_path / "chart/Chart.yaml").write_text("apiVersion: v2\nname: chart\nversion: 1.0.0\n")
    (tmp_path / "chart/templates/a.yaml").write_text(TEMPLATE)
    (tmp_path / "over").mkdir()
    (tmp_path / "over/kustomization.yaml").write_text("resources: [gone.yaml]\n")
    (tmp_path / "alone.yaml").write_text(TEMPLATE)
    (tmp_path / "bad.yaml").write_text("kind: Pod\na: b: c\n")
    reading = read(["."], options=ReadOptions(cwd=tmp_path, render=False))
    assert list(unchecked(reading, [], [])) == [
        "1 document could not be read (NET001)",
        "1 kustomization not built (NET006): over/kustomization.yaml",
        "1 chart not rendered (NET006): chart/Chart.yaml",
        "1 template not rendered (NET006): alone.yaml",
    ]


@pytest.mark.parametrize("text", ["", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"])
def test_nothing_is_said_where_all_was_checked(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    assert not list(unchecked(read(["."], options=ReadOptions(cwd=tmp_path)), [], []))


def test_of_a_template_that_fails_the_chart_was_not_checked() -> None:
    top, line = Location("shop/Chart.yaml", 1, 1, 1, 1), Location("shop/templates/a.yaml", 3, 1, 3, 9)
    related = (Related("the chart", location=top),)
    finding = Finding("NET006", "unrendered-template", Severity.WARNING, "no", location=line, related=related)
    said = list(unchecked(Reading(findings=[finding]), [], []))
    assert said == ["1 chart not rendered (NET006): shop/Chart.yaml"]


def test_what_has_no_kind_is_no_object_with_parts(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nmetadata: {name: a}\n---\napiVersion: v1\nmetadata: {}\n")
    (tmp_path / "b.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: b}\nspec: {containers: 3}\n")
    reading = read(["."], options=ReadOptions(cwd=tmp_path))
    manifests = [without_kind(document) or Manifest(document, (), document.data) for document in reading.documents]
    findings = [
        Finding("NET004", "invalid-value", Severity.ERROR, "no", place=Place(manifest, ())) for manifest in manifests
    ]
    assert len(findings) == 3
    assert list(unchecked(reading, [], findings)) == [
        "the parts of 1 object that the API server would refuse (NET004): Pod/b"
    ]


def test_what_the_configuration_asks_for_in_vain(tmp_path: Path) -> None:
    (tmp_path / "charts/shop").mkdir(parents=True)
    (tmp_path / "charts/shop/Chart.yaml").touch()
    (tmp_path / "netlint.yaml").write_text(
        "rules: {NET301: {}, NET997: {}, NET9: {}}\n"
        "charts: [{path: charts/shop}, {path: charts/shpo}]\n"
        "clusters:\n"
        "  - {name: a, paths: [charts, chart, 'c*/d'], rules: {net998: {}}}\n"
        "  - {name: b}\n"
    )
    rules = [
        Header("NET301", "nodeport-conflict", Severity.ERROR, "default", (), "", "service"),
        Header("NET900", "something", Severity.ERROR, "default", (), "", "service"),
    ]
    assert list(without_effect(load_config(tmp_path / "netlint.yaml"), rules)) == [
        f"NET997, net998, which {tmp_path}/netlint.yaml has settings for: no such rule is known to this version",
        f"1 chart of {tmp_path}/netlint.yaml: there is none at charts/shpo",
        f"1 cluster to which {tmp_path}/netlint.yaml gives no `paths`: b",
        f"chart, where {tmp_path}/netlint.yaml has a cluster: nothing is there",
    ]
    assert not list(without_effect(no_config(), rules))
