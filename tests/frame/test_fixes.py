"""Fixes change what their edits name and no other byte."""

from pathlib import Path

import pytest

from netlint.findings import Finding, Fix, Location, Severity, TextEdit
from netlint.triage.fixes import apply, plan


def edit(text: str, line: int, start: int, end: int | None = None, file: str = "a.yaml") -> TextEdit:
    return TextEdit(Location(file, line, start, line, end or start), text)


def finding(*edits: TextEdit, safety: str = "safe") -> Finding:
    fix = Fix("mend it", safety, edits)  # type: ignore[arg-type]
    return Finding("NET301", "x", Severity.ERROR, "m", fixes=(fix,))


def fixed(folder: Path, before: bytes, *findings: Finding, unsafe: bool = False) -> tuple[bytes, int]:
    (folder / "a.yaml").write_bytes(before)
    files, count = plan(findings, unsafe=unsafe, folder=folder)
    apply(files, folder)
    return (folder / "a.yaml").read_bytes(), count


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a: 1\nb: 2\n", b"a: 1\nb: 30\n"),
        (b"a: 1\r\nb: 2\r\n", b"a: 1\r\nb: 30\r\n"),
        (b"a: 1\rb: 2", b"a: 1\rb: 30"),
        (b"\xef\xbb\xbfa: 1\nb: 2", b"\xef\xbb\xbfa: 1\nb: 30"),
        ("ä: \u2028\nb: 2 # \U0001f600\t\n\n".encode(), "ä: \u2028\nb: 30 # \U0001f600\t\n\n".encode()),
    ],
)
def test_other_bytes_stay(tmp_path: Path, before: bytes, after: bytes) -> None:
    assert fixed(tmp_path, before, finding(edit("30", 2, 4, 5))) == (after, 1)


def test_columns_of_the_first_line_leave_the_byte_order_mark_out(tmp_path: Path) -> None:
    assert fixed(tmp_path, b"\xef\xbb\xbfa: 1\n", finding(edit("2", 1, 4, 5)))[0] == b"\xef\xbb\xbfa: 2\n"


def test_columns_are_code_points(tmp_path: Path) -> None:
    before = "\U0001f600: 1\n".encode()
    assert fixed(tmp_path, before, finding(edit("2", 1, 4, 5)))[0] == "\U0001f600: 2\n".encode()


def test_an_empty_stretch_inserts_and_a_fix_is_whole(tmp_path: Path) -> None:
    two = finding(edit("x", 1, 1), edit("y", 2, 1, 2))
    assert fixed(tmp_path, b"a\nb\n", two) == (b"xa\ny\n", 1)


def test_overlapping_fixes_wait_for_the_next_run(tmp_path: Path) -> None:
    first, second = finding(edit("X", 1, 1, 3)), finding(edit("Y", 1, 2, 4), edit("Z", 2, 1, 2))
    assert fixed(tmp_path, b"abcd\ne\n", first, second) == (b"Xcd\ne\n", 1)


def test_the_same_fix_twice_is_made_once(tmp_path: Path) -> None:
    assert fixed(tmp_path, b"ab\n", finding(edit("X", 1, 1)), finding(edit("X", 1, 1))) == (b"Xab\n", 1)


def test_unsafe_fixes_are_asked_for(tmp_path: Path) -> None:
    one = finding(edit("2", 1, 1, 2), safety="unsafe")
    assert fixed(tmp_path, b"1\n", one) == (b"1\n", 0)
    assert fixed(tmp_path, b"1\n", one, unsafe=True) == (b"2\n", 1)


@pytest.mark.parametrize("edits", [[edit("x", 9, 1)], [edit("x", 1, 99)], [edit("x", 1, 1, file="../b.yaml")]])
def test_what_cannot_be_done_exactly_is_left(tmp_path: Path, edits: list[TextEdit]) -> None:
    outside = tmp_path / "b.yaml"
    outside.write_text("x")
    folder = tmp_path / "in"
    folder.mkdir()
    assert fixed(folder, b"ab\n", finding(*edits)) == (b"ab\n", 0)
    assert outside.read_text() == "x"


def test_a_file_that_is_no_utf8_is_left(tmp_path: Path) -> None:
    assert fixed(tmp_path, b"\xff\n", finding(edit("x", 1, 1))) == (b"\xff\n", 0)


def test_the_diff_is_unified(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"a: 1\nb: 2")
    files, _ = plan([finding(edit("3", 2, 4, 5))], unsafe=False, folder=tmp_path)
    assert files[0].diff().splitlines()[3:] == [
        " a: 1",
        "-b: 2",
        "\\ No newline at end of file",
        "+b: 3",
        "\\ No newline at end of file",
    ]
