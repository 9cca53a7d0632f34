"""Names of the input that would act on whoever reads an answer: a drawing, a runner, a forge's comment."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from netlint.policy.queries.diff import Difference
from netlint.policy.queries.exposure import exposures
from netlint.policy.queries.reach import Reachability
from netlint.reports import reach_graphs, reach_svg, reach_tables
from netlint.reports.diff_report import diff_markdown
from netlint.reports.escape import safe_start
from netlint.reports.reach_tables import cell


def pods(*names: tuple[str, str]) -> str:
    return "---\n".join(
        f"apiVersion: v1\nkind: Pod\nmetadata: {{namespace: {json.dumps(space)}, name: {json.dumps(name)}}}\n"
        "spec: {containers: []}\n"
        for space, name in names
    )


@pytest.mark.parametrize("draw", [reach_svg.graph, reach_svg.matrix, reach_graphs.graphml])
def test_a_namespace_with_control_characters_is_drawn(world: Any, draw: Any) -> None:
    """XML has no way to write U+001B: a drawing with one is no XML."""
    policy = world(pods(("n\x1b[31m</text>", "a"), ("shop", "b\x07"))).policy
    for cluster in ("default", "c\x1b<"):
        root = ElementTree.fromstring("".join(draw(Reachability(cluster, policy))))
        assert not any("\x1b" in (each.text or "") for each in root.iter())


@pytest.mark.parametrize("name", ["::warning::", "::add-mask::x", "  ::error file=a,line=1::x"])
def test_no_line_of_a_table_is_a_command_of_a_runner(world: Any, name: str) -> None:
    """GitHub's runner takes a line that starts with ::command:: as an order, after any space."""
    policy = world(pods((name, "::debug::x"), ("shop", "b"))).policy
    reach = Reachability("default", policy)
    shown = tuple(exposures(policy, policy.endpoints))
    assert len(shown) > 2
    for lines in (reach_tables.text(reach, shown), reach_tables.csv_rows(reach, shown)):
        assert not any(line.lstrip().startswith("::") for line in "".join(lines).splitlines())
    for writer in (reach_graphs.dot, reach_graphs.mermaid, reach_tables.markdown):
        assert not any(line.lstrip().startswith("::") for line in "".join(writer(reach)).splitlines())


@pytest.mark.parametrize("address", ["::1", "::/0", "::ffff:10.0.0.0/104", "::-ffff:ffff::", "::/1, 8000::/1"])
def test_addresses_stay_as_they_are(address: str) -> None:
    assert safe_start(address) == address


def test_names_of_a_table_with_csv_signs(world: Any) -> None:
    policy = world(pods(("=1+1", "a"), ("@x", "b"))).policy
    rows = list(csv.reader(io.StringIO("".join(reach_tables.csv_rows(Reachability("default", policy))))))
    assert len(rows) > 2
    assert not any(one.startswith(("=", "+", "-", "@")) for row in rows for one in row)


@pytest.mark.parametrize(
    "name",
    [
        "@octocat",
        "@_x",
        "org/repo#1",
        "!12",
        "https://evil.example",
        "www.evil.example",
        "WWW.evil.example",
        "a@b.example",
    ],
)
def test_a_comment_calls_nobody_and_links_nowhere(name: str) -> None:
    """Forges link these in rendered text, wherever they stand; a space of no width keeps the parts apart."""
    shown = cell(name)
    assert "&#8203;" in shown
    assert shown.replace("&#8203;", "").replace("\\", "") == name


def test_struck_text_is_no_markup(world: Any) -> None:
    before = world(pods(("shop", "b"))).policy
    after = world(pods(("shop", "b"), ("~~gone~~", "@octocat"))).policy
    written = "".join(diff_markdown([Difference("default", before, after)]))
    assert "\\~\\~gone" in written
    assert "@octocat" not in written
    assert "@&#8203;octocat" in written
