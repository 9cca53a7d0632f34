"""The report on a terminal, to the character."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import no_config
from netlint.findings import Finding, Location, Severity
from netlint.reports.check_text import check_text
from netlint.reports.color import Paint
from netlint.reports.excerpt import excerpt
from netlint.reports.github import github
from netlint.resources import load
from netlint.sources import read_text
from netlint.triage import CheckedCluster, Options, Result, check

Make = Callable[..., Result]
PLAIN = Paint(False)


def test_a_finding_and_the_summary(result: Make) -> None:
    assert check_text(result(), PLAIN) == (
        "shop/web.yaml:5:17: error[NET004]: both ask for node port 30080\n"
        " 5 |       nodePort: 30080\n"
        "   |                 ^^^^^\n"
        "   = see shop/admin.yaml:7:17: the other one: both ask for node port 30080\n"
        "   = for example: a pod of shop: both ask for node port 30080\n"
        "   = help: Choose another number.\n"
        "   = fix (safe): mend it\n"
        "\n"
        "Found 1 error in 2 documents of 2 files.\n"
        "Suppressed: 1 by comments and annotations.\n"
        "Not checked: what both ask for node port 30080.\n"
    )


@pytest.mark.parametrize(
    ("severity", "word"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note")]
)
def test_the_words_of_severity(result: Make, severity: Severity, word: str) -> None:
    first = check_text(result(severity=severity), PLAIN).splitlines()[0]
    assert first == f"shop/web.yaml:5:17: {word}[NET004]: both ask for node port 30080"


def test_quiet_leaves_the_summary_out(result: Make) -> None:
    assert "Found" not in check_text(result(), PLAIN, quiet=True)


def test_colour_changes_nothing_but_colour(result: Make) -> None:
    coloured = check_text(result(), Paint(True))
    assert coloured != check_text(result(), PLAIN)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == check_text(result(), PLAIN)


def test_several_clusters_are_named(result: Make) -> None:
    two = (CheckedCluster("default", "open", 2, 2), CheckedCluster("prod", "closed", 3, 1))
    text = check_text(result(clusters=two), PLAIN)
    assert "   = in default\n" in text
    assert "Cluster prod: 3 documents, 1 file, closed world.\n" in text


@pytest.mark.parametrize(
    ("documents", "said"),
    [(0, "No Kubernetes manifest was found.\n"), (1, "Found nothing wrong in 1 document of 1 file.\n")],
)
def test_nothing_found(documents: int, said: str) -> None:
    empty = Result((), clusters=(CheckedCluster("default", "open", documents, documents),))
    assert check_text(empty, PLAIN) == said


def test_a_finding_without_a_place_keeps_the_form_of_the_first_line() -> None:
    crash = Result((Finding("NET009", "rule-failed", Severity.ERROR, "rule X failed"),), failed=True)
    assert check_text(crash, PLAIN, quiet=True) == ".:1:1: error[NET009]: rule X failed\n"


def test_help_keeps_the_indentation_of_yaml(result: Make) -> None:
    text = check_text(result(help="Add:\ningress:\n  - from: []"), PLAIN)
    assert "   = help: Add:\n           ingress:\n             - from: []\n" in text


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "carets"),
    [
        ("port: 80", 7, 9, "port: 80", "      ^^"),
        ("port: ", 7, 7, "port:", "      ^"),
        ("\tport: 80", 2, 6, "    port: 80", "    ^^^^"),
        ("a:\t80", 4, 6, "a:    80", "      ^^"),
        ("名前: web", 5, 8, "名前: web", "      ^^^"),
        ("a: 名前", 4, 6, "a: 名前", "   ^^^^"),
        ("e\u0301: x", 5, 6, "e\u0301: x", "   ^"),
        ("a: \x1b[31m", 4, 9, "a: \\x1b[31m", "   ^^^^^^^^"),
        ("a\u202e: x", 5, 6, "a\\u202e: x", "         ^"),
        ("short", 40, 50, "short", "     ^"),
    ],
)
def test_carets_stand_under_the_stretch(line: str, start: int, end: int, shown: str, carets: str) -> None:
    assert excerpt(line, Location("a", 1, start, 1, end)) == (shown, carets)


def test_a_stretch_of_several_lines_is_marked_to_the_end_of_its_first() -> None:
    assert excerpt("a: {b,", Location("a", 1, 4, 3, 2)) == ("a: {b,", "   ^^^")


@pytest.mark.parametrize(("start", "end"), [(1, 4), (500, 503), (998, 1001), (1, 1001), (200, 900)])
def test_a_long_line_is_cut_around_the_stretch(start: int, end: int) -> None:
    line = "".join(chr(ord("a") + number % 26) for number in range(1000))
    shown, carets = excerpt(line, Location("a", 1, start, 1, end))
    assert len(shown) <= 120
    assert len(carets) <= len(shown)
    first = carets.index("^")
    marked = shown[first : first + len(carets.strip())]
    assert marked == line[start - 1 : end - 1] or ("..." in marked and marked[:3] == line[start - 1 : start + 2])


def test_many_related_places_are_cut_short(result: Make) -> None:
    (finding,) = result().findings
    many = replace(finding, related=finding.related * 8)
    text = check_text(Result((many,)), PLAIN)
    assert text.count("= see ") == 5
    assert "  = and 3 more (--verbose shows them)\n" in text
    assert check_text(Result((many,)), PLAIN, verbose=1).count("= see ") == 8


def test_what_was_rendered_is_named_for_its_line_only_shows_what_made_it() -> None:
    """Two Services of one loop in a template: the same line, the same message, two objects."""
    port = "spec: {type: NodePort, ports: [{port: 1, nodePort: 80}]}\n"
    text = "---\n".join(f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}}}\n{port}" for name in "ab")
    reading = read_text(text, "x.yaml")
    for document in reading.documents:
        document.rendered = True
    config = no_config()
    clusters = [build(part, config) for part in divide(load(reading.documents), config)]
    result = check(reading, clusters, config, Options(select=["NET302"]))
    said = [f"of Service {name}, spec.ports[0].nodePort, as rendered" for name in ("a", "b")]
    lines = check_text(result, PLAIN).splitlines()
    assert [line.partition("= ")[2] for line in lines if "as rendered" in line] == said
    assert [line.partition("%0A")[2].partition("%0A")[0] for line in github(result).splitlines()] == said


def test_what_stands_as_it_is_is_not_named(result: Make) -> None:
    assert "as rendered" not in check_text(result(), PLAIN) + github(result())
