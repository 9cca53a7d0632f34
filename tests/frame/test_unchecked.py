"""What a summary says that was not checked."""

from pathlib import Path

import pytest

from netlint.findings import Finding, Location, Related, Severity
from netlint.sources import Reading, ReadOptions, read
from netlint.triage.unchecked import unchecked

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
