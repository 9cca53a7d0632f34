"""Nothing of the input acts on a terminal, a workflow runner or a reader's eyes, in any format."""

import json
import unicodedata
from collections.abc import Callable

import pytest

from netlint.reports.check_json import check_json
from netlint.reports.check_text import check_text
from netlint.reports.color import Paint
from netlint.reports.escape import safe, safe_file, width
from netlint.reports.github import github
from netlint.reports.sarif import sarif
from netlint.rules.catalogue import headers
from netlint.triage import Result

Make = Callable[..., Result]
FORMATS: dict[str, Callable[[Result], str]] = {
    "text": lambda result: check_text(result, Paint(False), verbose=2),
    "json": check_json,
    "sarif": lambda result: sarif(result, headers()),
    "github": github,
}
HOSTILE = [
    "\x1b[2J\x1b]0;title\x07",
    "\x9b31m",
    "\u202eevil\u202c",
    "\u2066x\u2069",
    "line\n::error::owned",
    "line\r::set-output name=a::b",
    "\n::add-mask::x",
    "##[add-path]/tmp",
    "a\u2028::stop-commands::b",
    "a\x85::error::b",
    "\ud800",
    "\x00\x08\x7f",
    "%0A::error::x",
    "\ufeff\u200b",
    "</script><b>",
]


def is_harmful(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("where", ["message", "file", "text", "name", "help"])
def test_output_is_harmless(result: Make, form: str, text: str, where: str) -> None:
    given = {where: f"  port: {text}\n" * 6 if where == "text" else text}
    plain = FORMATS[form](result(**{where: {"text": "x\n" * 6}.get(where, "x")}))
    out = FORMATS[form](result(**given))
    assert not [ascii(character) for character in out if is_harmful(character)]
    out.encode("utf-8")
    if where != "help":  # a help of several lines has several
        assert out.count("\n") == plain.count("\n")
    for line in out.splitlines():
        assert "##[" not in line
        if line.lstrip().startswith("::"):
            assert form == "github"
            assert line.startswith("::error ")


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_json_says_exactly_what_the_input_says(result: Make, text: str) -> None:
    (finding,) = json.loads(check_json(result(message=text, name=text)))["findings"]
    assert finding["message"] == text
    assert finding["object"]["name"] == text


def test_a_workflow_command_cannot_be_ended_or_given_properties(result: Make) -> None:
    (line,) = github(result(message="a::error b=c,d=e::%0A", file="x,line=9::y%.yaml", help=None)).splitlines()
    head, _, message = line.partition("::error ")[2].partition("::")
    assert head.split(",")[0] == "file=x%2Cline=9%3A%3Ay%25.yaml"
    assert message.startswith("a::error b=c,d=e::%250A%0Asee ")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("名前 ä", "名前 ä"),
        ("a\nb\r\tc", "a\\nb\\r c"),
        ("\x1b[1m", "\\x1b[1m"),
        ("\u202e", "\\u202e"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("caf\udce9", "caf\\xe9"),  # a byte that is no UTF-8, as Python keeps it
        ("\u00a0", " "),
        ("👩\u200d💻", "👩\u200d💻"),
        ("##[x]", "##\\[x]"),
        ("#[x]", "#[x]"),
    ],
)
def test_safe(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_a_file_cannot_open_a_command() -> None:
    assert safe_file("::error::x") == "./::error::x"
    assert safe_file("a::b") == "a::b"


@pytest.mark.parametrize(("text", "columns"), [("ab", 2), ("名", 2), ("e\u0301", 1), ("ｱ", 1), ("Ａ", 2)])
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns
