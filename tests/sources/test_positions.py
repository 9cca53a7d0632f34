"""Places: the rule for every shape, in each way of reading, and how the ways agree over real files."""

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netlint.sources import Limits, read, read_text
from netlint.sources.events import Built, YamlError, build, build_pure
from netlint.sources.files import split_lines
from netlint.sources.line_positions import LinePositions
from netlint.sources.lines import GiveUp, LineTable, parse
from netlint.sources.positions import LineShift, TablePositions

TEXT = """\
apiVersion: v1
kind: "Pod"
spec:
  containers:
  - name: web
    args:
    - a
    -   bé: 'x'
        c:
    empty: []
    text: |
      one
      two

  - other: long plain
      text here
  hosts: {}
  quoted: "one
    two"
  ? explicit
  : value
last:   # comment
"""

# Path, anchor, start line, start column, end line, end column: counted by hand in the text above.
PLACES: list[tuple[tuple[str | int, ...], str, int, int, int, int]] = [
    ((), "value", 1, 1, 1, 11),
    (("kind",), "value", 2, 7, 2, 12),
    (("kind",), "key", 2, 1, 2, 5),
    (("spec",), "value", 3, 1, 3, 5),
    (("spec", "containers"), "value", 4, 3, 4, 13),
    (("spec", "containers", 0), "value", 5, 5, 5, 9),
    (("spec", "containers", 0, "name"), "value", 5, 11, 5, 14),
    (("spec", "containers", 0, "args", 0), "value", 7, 7, 7, 8),
    (("spec", "containers", 0, "args", 0), "key", 7, 7, 7, 8),
    (("spec", "containers", 0, "args", 1), "value", 8, 9, 8, 11),
    (("spec", "containers", 0, "args", 1, "bé"), "value", 8, 13, 8, 16),
    (("spec", "containers", 0, "args", 1, "c"), "value", 9, 9, 9, 10),
    (("spec", "containers", 0, "empty"), "value", 10, 5, 10, 10),
    (("spec", "containers", 0, "text"), "value", 11, 11, 13, 10),
    (("spec", "containers", 0, "absent"), "value", 5, 5, 5, 9),
    (("spec", "containers", 0, "absent", "deeper"), "value", 5, 5, 5, 9),
    (("spec", "containers", 0, "args", 7), "value", 6, 5, 6, 9),
    (("spec", "containers", 1), "value", 15, 5, 15, 10),
    (("spec", "containers", 1, "other"), "value", 15, 12, 16, 16),
    (("spec", "hosts"), "value", 17, 3, 17, 8),
    (("spec", "hosts", "x"), "value", 17, 3, 17, 8),
    (("spec", "quoted"), "value", 18, 11, 19, 9),
    (("spec", "explicit"), "value", 21, 5, 21, 10),
    (("spec", "explicit"), "key", 20, 5, 20, 13),
    (("last",), "value", 22, 1, 22, 5),
    (("absent",), "value", 1, 1, 1, 11),
    (("kind", "below"), "value", 2, 1, 2, 5),
]


def positions(text: str, how: str) -> Any:
    lines = split_lines(text)
    end = len(lines) - (lines[-1] == "")
    if how == "lines":
        parse(lines[:end], LineTable(), 100)
        return LinePositions("f", lines, 0, end)
    built = (build if how == "libyaml" else build_pure)(text, Limits())
    return TablePositions("f", built.table, LineShift.for_libyaml(lines, 0, end))


@pytest.mark.parametrize("how", ["lines", "libyaml", "pure"])
@pytest.mark.parametrize("row", PLACES, ids=lambda row: ".".join(map(str, row[0])) + "-" + row[1])
def test_place(how: str, row: tuple[Any, ...]) -> None:
    path, anchor, *expected = row
    where = positions(TEXT, how).locate(path, anchor)
    assert [where.start_line, where.start_column, where.end_line, where.end_column] == expected


def test_flow_aliases_and_merges() -> None:
    text = "a: &a {x: 1, p: [2, 3]}\nb: *a\nc:\n  <<: *a\n  z: 4\nd: [*a, {}]\n"
    document = read_text(text).documents[0]

    def at(*path: str | int) -> tuple[int, int, int]:
        where = document.locate(path)
        return where.start_line, where.start_column, where.end_column

    assert at("a", "p", 1) == (1, 21, 22)
    assert at("b") == (2, 1, 2)
    assert at("b", "x") == (1, 11, 12)
    assert at("c", "x") == (1, 11, 12)
    assert at("c", "z") == (5, 6, 7)
    assert at("d", 0, "x") == (1, 11, 12)
    assert at("d", 1) == (6, 9, 11)


def test_lines_that_only_libyaml_ends() -> None:
    text = "a: 'x\u2028  y'\nb: [1]\nc: z\u0085  w\nd: {e: f}\n"
    document = read_text(text).documents[0]
    assert document.locate(("b", 0)).start_line == 2
    assert document.locate(("d", "e")).start_line == 4
    assert document.locate(("d", "e")).start_column == 8


def test_columns_are_code_points() -> None:
    document = read_text("\ufeff😀é: {x: 1}\n").documents[0]
    where = document.locate(("😀é", "x"))
    assert (where.start_line, where.start_column) == (1, 9)


def test_second_document_and_carriage_returns() -> None:
    document = read_text("a: 1\r\n---\r\nb:\r\n- c: 2\r\n").documents[1]
    where = document.locate(("b", 0, "c"))
    assert (where.start_line, where.start_column, where.end_column) == (4, 6, 7)


def paths(data: Any, path: tuple[str | int, ...] = ()) -> Any:
    yield path
    if isinstance(data, dict):
        for key, value in data.items():
            yield from paths(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from paths(value, (*path, index))


def same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def agree(part: list[str], table: LineTable, *, places: bool = True) -> bool:
    """Whether the line reader read `part`; fails where it read it otherwise than the event builder does."""
    try:
        data = parse(part, table, 200)
    except GiveUp:
        return False
    text = "\n".join(part) + "\n"
    built: Built = build(text, Limits())
    assert built.empty == (data is None), text
    if data is None:
        return True
    assert not built.duplicates, text
    assert same(data, built.data), text
    if places:
        lines = LinePositions("f", part, 0, len(part))
        nodes = TablePositions("f", built.table, LineShift.for_libyaml(part, 0, len(part)))
        for path in [*paths(data), ("zz",), ("metadata", "zz", 0)]:
            assert lines.locate(path) == nodes.locate(path), (path, text)
            assert lines.locate(path, "key") == nodes.locate(path, "key"), (path, text)
    return True


def corpus(shared: Path, step: int) -> Any:
    files = sorted(path for path in (shared / "corpus").rglob("*") if path.suffix in (".yaml", ".yml", ".json"))
    for path in files[::step]:
        try:
            lines = split_lines(path.read_bytes().decode("utf-8-sig"))
        except UnicodeError:
            continue
        cuts = [number for number, line in enumerate(lines) if line.startswith("---")]
        last = len(lines) - (lines[-1] == "")
        for start, end in zip([0, *(cut + 1 for cut in cuts)], [*cuts, last], strict=True):
            yield path, lines[start:end]


def test_line_reader_agrees_on_the_corpus(shared: Path) -> None:
    table = LineTable()
    read_by_lines = 0
    total = 0
    for _, part in corpus(shared, 9):
        size = sum(map(len, part))
        total += size
        if agree(part, table, places=size < 200_000):
            read_by_lines += size
    # Most text must go the fast way, else the speed is gone.
    assert read_by_lines > 0.6 * total


def test_pure_parser_agrees_on_the_corpus(shared: Path) -> None:
    compared = 0
    for path, part in corpus(shared, 97):
        text = "\n".join(part) + "\n"
        if len(text) > 40_000:
            continue
        try:
            one = build(text, Limits())
        except YamlError:
            continue
        other = build_pure(text, Limits())
        assert same(one.data, other.data), path
        if one.empty:
            continue
        shift = LineShift.for_libyaml(part, 0, len(part))
        fast, pure = TablePositions("f", one.table, shift), TablePositions("f", other.table, shift)
        for where in paths(one.data):
            assert fast.locate(where) == pure.locate(where), (path, where)
        compared += 1
    assert compared > 50


_MARKS = "b: ~c:~- ~-~: ~:~#~ # x~|~|+~>-~'~\"~''~\\n~\\~[]~{}~[~}~&x~*x~!t~? ~?x~<<~...~%~,~ ~  ~\n~\n  ~\n- ~\t"
PIECES = st.sampled_from([*_MARKS.split("~"), "a", "1", "y", "é", "key"])


@settings(max_examples=3000, deadline=None)
@given(st.lists(PIECES, max_size=14))
def test_line_reader_agrees_on_anything(pieces: list[str]) -> None:
    text = "".join(pieces)
    if any(line.startswith("---") for line in text.split("\n")):
        return
    agree(text.split("\n"), LineTable())


LEAF = st.sampled_from(
    ["x", "y", "80", "a b", "", "it's", 'say "x"', "a: b", "# no", "one\ntwo\n", " lead", "é", "- x", "~"]
)
TREE = st.recursive(
    LEAF | st.integers(-5, 70000) | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["k", "spec", "a.b/c", "y", "0"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(["kind", "metadata", "spec"]), TREE, min_size=1, max_size=3))
def test_what_is_written_is_read(data: dict[str, Any]) -> None:
    from io import StringIO

    from ruamel.yaml import YAML

    out = StringIO()
    writer = YAML(typ="safe", pure=True)
    writer.default_flow_style = False
    writer.dump(data, out)
    part = out.getvalue().split("\n")[:-1]
    agree(part, LineTable())


def test_thousands_of_places_in_one_list() -> None:
    item = "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p{}\n  spec:\n    ports:\n    - port: {}\n"
    text = "kind: List\nitems:\n" + "".join(item.format(n, n) for n in range(20_000))
    document = read_text(text).documents[0]
    begin = time.process_time()
    for n in range(0, 20_000, 4):
        where = document.locate(("items", n, "spec", "ports", 0, "port"))
        assert where.start_line == 3 + 7 * n + 6
    assert time.process_time() - begin < 5


def test_every_corpus_file_is_read(shared: Path) -> None:
    folders = sorted(path for path in (shared / "corpus").iterdir() if path.is_dir() and not path.name.startswith("_"))
    for folder in folders[::6]:
        reading = read([str(folder)])
        for document in reading.documents:
            where = document.locate(("metadata", "name"))
            assert where.file
            assert 1 <= where.start_line <= where.end_line
