"""Streams: documents, faults at their place, templates, limits."""

import io
from dataclasses import replace

import pytest

from netlint.findings import Location, Severity
from netlint.sources import Limits, ReadOptions, holds_placeholder, read, read_text

POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n"


def place(text: str | bytes) -> tuple[str, int, int, int]:
    (finding,) = read_text(text).findings
    assert finding.location is not None
    where = finding.location
    return finding.code, where.start_line, where.start_column, where.end_column


def test_empty_documents_are_skipped() -> None:
    reading = read_text("# nothing\n---\n---\n\n--- # still nothing\n~\n---\na: 1\n---\nnull\n")
    assert [document.data for document in reading.documents] == [{"a": 1}]
    assert not reading.findings
    assert not read_text("").documents


def test_index_counts_documents_as_cut() -> None:
    assert [d.index for d in read_text("---\n---\na: 1\n---\nb: 1\n").documents] == [2, 3]


def test_byte_order_mark() -> None:
    reading = read_text(b"\xef\xbb\xbfa: 1\n")
    assert reading.documents[0].data == {"a": 1}
    assert reading.documents[0].locate(("a",), "key").start_column == 1


def test_reading_goes_on_after_a_fault() -> None:
    reading = read_text(POD + "---\na: b: c\n---\n" + POD)
    assert len(reading.documents) == 2
    (finding,) = reading.findings
    assert finding.location is not None
    assert (finding.code, finding.location.start_line, finding.location.start_column) == ("NET001", 6, 5)
    assert "\n" not in finding.message
    assert finding.help


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: 1\n\tb: 2\n", 2, 1),
        ("a: 1\nb\nc: 3\n", 2, 1),
        ("a:\n  b: 1\n c: 2\n", 3, 2),
        ("a: [1, 2\nb: 3\n", 2, 2),
        ("a: 'x\nb: 1\n", 1, 4),
        ("a: *.example.com\n", 1, 4),
        ("a: 1\n--- b\n", 2, 1),
        ('a: "\\q"\n', 1, 5),
        ("a: .inf\n", 1, 4),
        ("é: x\n😀: y: z\n", 2, 5),
        ("a: x\u2028\n  y\nb: c: d\n", 3, 5),
        ("a: 'x\x02'\n", 1, 6),
        ("a: 1\nb: [\n", 2, 5),
        ("a: 1\nb: {\n\n---\nc: 1\n", 3, 1),
    ],
)
def test_place_of_a_fault(text: str, line: int, column: int) -> None:
    code, at_line, at_column, _ = place(text)
    assert (code, at_line, at_column) == ("NET001", line, column)


def test_directives_are_refused() -> None:
    reading = read_text("%YAML 1.2\n---\na: 1\n")
    assert [f.code for f in reading.findings] == ["NET001"]
    assert [d.data for d in reading.documents] == [{"a": 1}]


@pytest.mark.parametrize("line", ["%YAML 1.1", "%YAML 1.2", "%TAG ! tag:example.com,2000:", "%FOO"])
def test_a_directive_is_called_one(line: str) -> None:
    (finding,) = read_text(f"# why\n{line}\n---\na: 1\n").findings
    assert finding.location == Location("-", 2, 1, 2, len(line) + 1)
    assert finding.message == "kubectl refuses a `%` directive"


SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports:\n"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (SERVICE + "  - port: #@ data.values.port\n", 6, 11),
        ('#@ load("@ytt:data", "data")\n' + SERVICE + "  - port: 80\n", 1, 1),
        (SERVICE + "  #@ for port in ports:\n  - port: 80\n  #@ end\n", 6, 3),
        ("#@data/values\n---\nkind: x\n", 1, 1),
        (SERVICE + "  - port: #{WEB_PORT}#\n", 6, 11),
    ],
)
def test_template_text_in_comments(text: str, line: int, column: int) -> None:
    """YAML sees comments, and a port without a value; ytt and token replacers see what is to be filled in."""
    reading = read_text(text)
    (finding,) = reading.findings
    assert finding.location is not None
    assert (finding.code, finding.severity) == ("NET006", Severity.INFO)
    assert (finding.location.start_line, finding.location.start_column) == (line, column)
    assert reading.documents == []


@pytest.mark.parametrize(
    "comment",
    ["#@author me", "#{", "# #{X}", "x: '#@ y'  #@y", "#@ a word", "x: |\n  y: #{Z}\n  #@ end", "x: 'y: #{Z}'"],
)
def test_comments_that_are_none_of_a_template(comment: str) -> None:
    reading = read_text(f"a: 1\n{comment}\n")
    assert [d.data["a"] for d in reading.documents] == [1]
    assert reading.findings == []


@pytest.mark.parametrize(
    "text",
    [
        "# made from {{ x }}\na: 1\nb: c: d\n",
        "a: |\n  {{ range .x }}{{ end }}\n\nb: 1\nc: d: e\n",
        "a: '{{ x }}'\nd: 1\nc: d: e\n",
    ],
)
def test_a_fault_beside_text_with_braces_is_a_fault(text: str) -> None:
    """YAML reads comments, quotes and block scalars as they are; the fault is elsewhere and would be there when the
    text is filled in."""
    assert [f.code for f in read_text("kind: A\n" + text).findings] == ["NET001"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# {{ a }}\nb: {{ c }}\n", 3),
        ('a: 1\nname: "{{ b | default "c" }}"\n', 3),
        ("a: |\n  b\n{{- if .c }}\nd: 1\n{{- end }}\n", 4),
    ],
)
def test_the_place_of_a_template_is_where_yaml_would_break(text: str, line: int) -> None:
    (finding,) = read_text("kind: A\n" + text).findings
    assert finding.location is not None
    assert (finding.code, finding.location.start_line) == ("NET006", line)


def test_duplicate_key() -> None:
    (finding,) = read_text("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n").findings
    assert finding.code == "NET002"
    assert finding.severity is Severity.WARNING
    assert finding.location is not None
    assert (finding.location.start_line, finding.location.start_column, finding.location.end_column) == (5, 3, 4)
    first = finding.related[0].location
    assert first is not None
    assert (first.start_line, first.start_column) == (3, 3)


def test_a_key_in_two_mappings_is_no_duplicate() -> None:
    assert not read_text("a: {x: 1}\nb: {x: 1}\nc:\n- x: 1\n- x: 1\n").findings


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n",
        "{{- if .Values.on }}\napiVersion: v1\nkind: Pod\n{{- end }}\n",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  {{ labels }}\n",
        "apiVersion: v1\nkind: Pod\n{% for x in y %}\na: 1\n",
        'apiVersion: v1\nkind: Pod\nmetadata:\n  name: "{{ x }}"\n',
        "apiVersion: v1\nkind: Service\nspec:\n  ${PORTS}\n  selector: {a: b}\n",
        "kind: Config\ncluster:\n    ca: <ca>\n    <server>\ncontexts:\n- name: a\n",
        'kind: Deployment\nlabels:\n  app: web\n  kwok: "true"OTHER_LABELS_6_SPACES\ntemplate: {}\n',
    ],
)
def test_template_is_one_finding(text: str) -> None:
    reading = read_text(text + "---\n" + text)
    assert [(f.code, f.severity) for f in reading.findings] == [("NET006", Severity.INFO)]
    assert not reading.documents


@pytest.mark.parametrize(
    "text",
    [
        "kind: Pod\nmetadata:\n  name: <name>\n name: x\n",  # the placeholder is a value, the indentation is wrong
        'kind: Pod\nname: "true"false\n',
        "kind: Pod\nmetadata:\n  a < b and b > c\n  name: x\n",
    ],
)
def test_a_fault_is_no_template(text: str) -> None:
    assert [f.code for f in read_text(text).findings] == ["NET001"]


def test_what_is_never_closed_names_no_later_line() -> None:
    for opening, name in ("[", "list"), ("{", "mapping"):
        (finding,) = read_text(f"kind: Pod\nspec: {opening}\n").findings
        assert name in finding.message
        assert "not closed" in finding.message
        assert not finding.related


def test_braces_in_text_are_no_template() -> None:
    reading = read_text(POD + '  annotations:\n    summary: "{{ $labels.instance }} is down"\n    value: ${X}\n')
    assert len(reading.documents) == 1
    assert not reading.findings


def test_faults_of_other_files_are_not_said(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.yaml").write_text("a: b: c\n")
    (tmp_path / "pod.yaml").write_text("kind: Pod\na: b: c\n")
    (tmp_path / "twice.yaml").write_text("a: 1\na: 2\n")
    (tmp_path / "play.yaml").write_text("- hosts: {{ all }}\n")
    assert [f.location.file for f in read(["."]).findings if f.location] == ["pod.yaml"]
    assert [f.location.file for f in read(["other.yaml"]).findings if f.location] == ["other.yaml"]


def limited(text: str, limits: Limits) -> list[str]:
    return [f"{f.code} {f.message}" for f in read_text(text, limits=limits).findings]


def test_nesting() -> None:
    for deep in ("[" * 50 + "]" * 50, "".join("  " * n + "a:\n" for n in range(50)) + "  " * 50 + "b: 1\n"):
        assert not limited(deep, Limits(nesting=51))
        (said,) = limited(deep, Limits(nesting=40))
        assert "more than 40" in said
    (said,) = limited('{"a":' * 50 + "1" + "}" * 50, Limits(nesting=40))
    assert "more than 40" in said
    (said,) = limited("[" * 100_000, Limits())
    assert "NET001" in said


def test_alias_expansion() -> None:
    laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    laughs += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10))
    (said,) = limited(laughs, Limits())
    assert "aliases repeat more than" in said
    assert not limited("a: &a {b: 1}\n" + "".join(f"k{n}: *a\n" for n in range(1000)), Limits())


def test_sizes_and_counts() -> None:
    assert "bytes" in limited("a: 1\n" * 100, Limits(file_size=100))[0]
    assert "characters" in limited("a: 1\n", Limits(document_size=2))[0]
    reading = read_text("---\na: 1\n" * 5, limits=Limits(documents=3))
    assert len(reading.documents) == 3
    assert "more than 3 documents" in reading.findings[0].message


def test_bytes_that_are_no_text() -> None:
    code, line, column, _ = place("a: 1\n---\nkind: é".encode() + b"\xe9\n---\nb: 1\n")
    assert (code, line, column) == ("NET001", 3, 8)
    reading = read_text(b"a: 1\n---\nb: \xff\n---\nc: 1\n")
    assert [d.data for d in reading.documents] == [{"a": 1}, {"c": 1}]
    assert "UTF-16" in read_text("kind: Pod\n".encode("utf-16")).findings[0].message
    assert "binary" in read_text(b"\x7fELF\0\0\xff\xfe").findings[0].message


def test_standard_input() -> None:
    reading = read(["-"], options=replace(ReadOptions(), stdin=io.BytesIO(POD.encode())))
    assert reading.documents[0].file == "<stdin>"
    assert reading.roots == ("-",)
    assert reading.files["<stdin>"].lines[1] == "kind: Pod"


def test_json() -> None:
    text = '{"kind": "List",\n "items": [{"a": 80.0, "b": 1e3}, {"c": "x"}]}\n{"d": 12345678901234567890}\n'
    reading = read_text(text, "x.json")
    assert [d.data for d in reading.documents] == [
        {"kind": "List", "items": [{"a": 80, "b": 1000}, {"c": "x"}]},
        {"d": 12345678901234567890.0},
    ]
    where = reading.documents[0].locate(("items", 1, "c"))
    assert (where.start_line, where.start_column, where.end_column) == (2, 41, 44)
    where = reading.documents[0].locate(("items", 1))
    assert (where.start_line, where.start_column, where.end_column) == (2, 36, 39)
    where = reading.documents[1].locate(("d",), "key")
    assert (where.start_line, where.start_column, where.end_column) == (3, 2, 5)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [('{"a": 1,}', 1, 9), ('{"a": NaN}', 1, 7), ('{"a": 1\n "b": 2}', 2, 2), ('{"a": "x', 1, 7), ('{"a" 1}', 1, 6)],
)
def test_json_faults(text: str, line: int, column: int) -> None:
    (finding,) = read_text(text, "x.json").findings
    assert finding.location is not None
    assert (finding.code, finding.location.start_line, finding.location.start_column) == ("NET001", line, column)


@pytest.mark.parametrize("number", ["9" * 309, "-" + "9" * 6000, "1e309"])
def test_json_numbers_that_no_float_holds(number: str) -> None:
    """encoding/json of Go: cannot unmarshal number into a value of type float64; kubectl 1.32 refuses the file."""
    (finding,) = read_text(f'{{"a": 1,\n "b": {number}}}', "x.json").findings
    assert finding.location is not None
    assert (finding.code, finding.location.start_line, finding.location.start_column) == ("NET001", 2, 7)
    assert "larger than any number" in finding.message
    assert len(finding.message) < 200


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ('{"a": 1, // why\n "b": 2}', 10, "a comment stands here, and JSON has none"),
        ('{# why\n "b": 2}', 2, "a comment stands here, and JSON has none"),
        ("{'a': 1}", 2, "JSON knows double quotes only"),
        ("""{"a": 'b'}""", 7, "JSON knows double quotes only"),
        ('{"a": 1,}', 9, "a key in double quotes belongs here"),
    ],
)
def test_json_faults_are_named(text: str, column: int, said: str) -> None:
    (finding,) = read_text(text, "x.json").findings
    assert finding.location is not None
    assert (finding.location.start_column, finding.message) == (column, f"not valid JSON: {said}")


def test_json_duplicate_key_and_half_characters() -> None:
    reading = read_text('{"a": {"b": 1,\n "b": 2}, "c": "\\ud83d\\ude00 \\ud83d"}', "x.json")
    assert reading.documents[0].data == {"a": {"b": 2}, "c": "😀 �"}
    (finding,) = reading.findings
    assert finding.location is not None
    assert (finding.code, finding.location.start_line, finding.location.start_column) == ("NET002", 2, 2)


def test_flow_style_is_yaml_unless_called_json() -> None:
    assert read_text("{a: 1, b: [x]}\n").documents[0].data == {"a": 1, "b": ["x"]}
    assert read_text("{a: 1}\n", "x.json").findings[0].code == "NET001"


def test_suppression_comments() -> None:
    reading = read_text(
        "a: 1 # netlint: ignore[NET301, NET1] we know\n"
        "b: |\n"
        "  # netlint: ignore[NET302] text\n"
        "c: '# netlint: ignore[NET303]'\n"
        "# netlint: ignore[nodeport-conflict]\n"
        "- |\n"
        " # netlint: ignore[NET304] text\n"
        "d: x#netlint: ignore[NET305]\n",
        "f.yaml",
    )
    found = reading.files["f.yaml"].suppression_comments()
    assert [(c.line, c.column, c.codes, c.reason) for c in found] == [
        (1, 6, ("NET301", "NET1"), "we know"),
        (5, 1, ("nodeport-conflict",), ""),
    ]


def test_placeholders() -> None:
    held = ["${PORT}", "a-${X:-1}", "$(POD_IP)", "{{ port }}", "<NAME>", "$PORT", "@IMAGE@", "%TAG%"]
    assert all(map(holds_placeholder, held))
    assert not any(map(holds_placeholder, ["", "a$b", "$", "1 < 2 > 1", "50%", "me@example.org", "{}", "$5"]))


def test_same_input_same_output() -> None:
    text = "b: 1\na: {y: 1, x: 2}\n---\na: b: c\n---\nc: &x [1]\nd: *x\n"
    first, second = read_text(text), read_text(text)
    assert [list(d.data) for d in first.documents] == [["b", "a"], ["c", "d"]]
    assert first.findings == second.findings
