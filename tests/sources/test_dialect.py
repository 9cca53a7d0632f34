"""The dialect is kubectl's: each row is a fact, and kubectl itself is asked where it is installed."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netlint.sources import read_text
from netlint.sources.dialect import number

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"

SCALARS: list[tuple[str, Any]] = [
    *[(word, True) for word in ("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE")],
    *[(word, False) for word in ("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE")],
    *[(word, None) for word in ("~", "null", "Null", "NULL", "")],
    ("yEs", "yEs"),
    ("tRUE", "tRUE"),
    ("0644", 420),
    ("0o644", 420),
    ("0O17", 15),
    ("08", 8),
    ("0x1F", 31),
    ("-0x1F", -31),
    ("0b11", 3),
    ("0B11", 3),
    ("0b12", "0b12"),
    ("1_000", 1000),
    ("1__0", 10),
    ("0x_1F", 31),
    ("+1", 1),
    ("-0", 0),
    ("80.0", 80),
    ("1.", 1),
    ("1.e3", 1000),
    ("1e3", 1000),
    ("1.5", 1.5),
    (".5", 0.5),
    ("-.5", -0.5),
    (".5_0", 0.5),
    (".", "."),
    ("1e21", 1e21),
    ("9223372036854775807", 9223372036854775807),
    ("9223372036854775808", 9223372036854775808.0),
    ("22:22", "22:22"),
    ("1:20:30", "1:20:30"),
    ("2001-01-01", "2001-01-01"),
    ("2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"),
    ("1,000", "1,000"),
    ("=", "="),
    ("10.0.0.1", "10.0.0.1"),
    ("'80'", "80"),
    ('"y"', "y"),
    ("!!str 80", "80"),
    ("!!int '80'", 80),
    ("!!float 3", 3),
    ("!!bool yes", True),
    ("!!binary aGk=", "hi"),
    ("!foo 80", "80"),
    ("! 80", "80"),
    ("!!timestamp 2001-01-01", "2001-01-01"),
    ("0xFFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFFF"),
    # Beyond the largest 64-bit float, about 1.8e308, digits are text.
    ("1" + "0" * 308, 1e308),
    ("9" * 309, "9" * 309),
    ("-" + "9" * 350, "-" + "9" * 350),
    ("9" * 5000, "9" * 5000),
    ("1e309", "1e309"),
]

KEYS = [
    ("y", "true"),
    ("off", "false"),
    ("1", "1"),
    ("0x10", "16"),
    ("1e3", "1000"),
    ("1.5", "1.5"),
    ("1.0", "1"),
    ("1234567.5", "1.2345675e+06"),
    ("2001-01-01", "2001-01-01"),
    ("'y'", "y"),
    ('""', ""),
    ("!!str 1", "1"),
]

DOCUMENTS: list[tuple[str, str, Any]] = [
    ("merge fills in", "b: &b {x: 2, z: 3}\ndata: {<<: *b, x: 1}\n", {"x": 1, "z": 3}),
    ("merge overrides what stands above it", "b: &b {x: 2}\ndata: {x: 1, <<: *b}\n", {"x": 2}),
    ("the first of merged mappings wins", "b: &b {x: 2}\nc: &c {x: 5, z: 1}\ndata: {<<: [*b, *c]}\n", {"x": 2, "z": 1}),
    ("a quoted merge key is a key", "data: {'<<': {a: 1}}\n", {"<<": {"a": 1}}),
    ("the latest anchor counts", "data: {a: &x 1, b: &x 2, c: *x}\n", {"a": 1, "b": 2, "c": 2}),
    ("the last of equal keys wins", "data: {a: 1, a: 2}\n", {"a": 2}),
    ("no blank after a colon in braces", "data: {b:c,d: 1}\n", {"b:c": None, "d": 1}),
    ("a quoted key needs no blank", 'data: {"b":c}\n', {"b": "c"}),
    ("an explicit key", "data:\n  ? a\n  : 1\n", {"a": 1}),
    ("text after ... is not read", "data: {a: 1}\n...\nkind: Other\n", {"a": 1}),
    ("a list at the column of its key", "data:\n- a\n- b\n", ["a", "b"]),
    ("an empty block scalar", "data:\n  a: |\n  b: 1\n", {"a": "", "b": 1}),
    ("a tab after a colon", "data:\n  a:\t1\n", {"a": 1}),
    ("a tab inside braces", "data: {\n\ta: 1}\n", {"a": 1}),
    ("a block scalar without a last line end", "data:\n  a: |\n    x", {"a": "x\n"}),
    ("carriage returns", "data:\r\n  a: |\r\n    x\r\n    y\r\n", {"a": "x\ny\n"}),
    ("quoted text that goes on at the margin", 'data:\n  a: "b\nc"\n', {"a": "b c"}),
    ("folded text", "data:\n  a: >-\n    b\n    c\n\n    d\n", {"a": "b c\nd"}),
    ("plain text over two lines", "data:\n  a: b\n    c\n", {"a": "b c"}),
]

REFUSED = [
    ("infinity", "data: {a: .inf}\n"),
    ("not a number", "data: {a: .NaN}\n"),
    ("a null key", "data: {~: 1}\n"),
    ("a list as a key", "data: {[a]: 1}\n"),
    ("a mapping as a key", "data: { {a: 1}: 2}\n"),
    ("merging a number", "data: {<<: 3}\n"),
    ("an alias without anchor", "data: {a: *x}\n"),
    ("an alias inside its anchor", "data: &x {a: *x}\n"),
    ("a list inside itself", "data: &x [*x]\n"),
    ("a tab as indentation", "data:\n\ta: 1\n"),
    ("two colons", "data:\n  a: b: c\n"),
    ("an indicator as a value", "data:\n  a: @b\n"),
    ("uneven indentation", "data:\n   a: 1\n  b: 1\n"),
    ("text on the line of a separator", "--- foo\n"),
    ("four dashes", "----\n"),
    ("a tag that does not fit", "data: {a: !!int abc}\n"),
    ("a control character", "data: {a: 'x\x01y'}\n"),
    ("text after quotes", 'data:\n  a: "x" y\n'),
]


def kubectl(program: str, folder: Path, text: str) -> Any:
    file = folder / "f.yaml"
    file.write_text(text, newline="")
    command = [program, "label", "--local", "--overwrite", "-f", str(file), "zz=1", "-o", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr)
    return json.loads(done.stdout, parse_int=lambda text: number(int(text)))


@pytest.mark.parametrize(("text", "value"), SCALARS)
def test_scalar(text: str, value: Any) -> None:
    for form in (f"a: {text}\n", f"- {text}\n", f"[{text}]\n", f"a:\n- x: {text} # comment\n"):
        if text in ("", "1,000") and form[0] == "[":
            continue
        data = read_text(form).documents[0].data
        while isinstance(data, (dict, list)):
            data = next(iter(data.values())) if isinstance(data, dict) else data[0]
        assert data == value
        assert type(data) is type(value)


@pytest.mark.parametrize(("text", "key"), KEYS)
def test_key(text: str, key: str) -> None:
    assert read_text(f"{text}: v\n").documents[0].data == {key: "v"}
    assert read_text(f"{{{text}: v}}\n").documents[0].data == {key: "v"}


@pytest.mark.parametrize(("text", "data"), [row[1:] for row in DOCUMENTS], ids=[row[0] for row in DOCUMENTS])
def test_document(text: str, data: Any) -> None:
    reading = read_text(HEAD + text)
    assert [f.message for f in reading.findings if f.code != "NET002"] == []
    assert reading.documents[0].data["data"] == data


@pytest.mark.parametrize("text", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(text: str) -> None:
    reading = read_text(HEAD + text)
    assert [finding.code for finding in reading.findings] == ["NET001"]


def test_kubectl_reads_the_same(program: Callable[[str], str], tmp_path: Path) -> None:
    path = program("kubectl")
    text = HEAD + "data:\n" + "".join(f"  k{n}: {text}\n" for n, (text, _) in enumerate(SCALARS))
    assert kubectl(path, tmp_path, text)["data"] == {f"k{n}": value for n, (_, value) in enumerate(SCALARS)}
    for written, key in KEYS:
        assert list(kubectl(path, tmp_path, f"{HEAD}data:\n  {written}: v\n")["data"]) == [key]
    for name, text, data in DOCUMENTS:
        head = HEAD.replace("\n", "\r\n") if "\r" in text else HEAD
        assert kubectl(path, tmp_path, head + text)["data"] == data, name


def test_kubectl_refuses_the_same(program: Callable[[str], str], tmp_path: Path) -> None:
    path = program("kubectl")
    for name, text in REFUSED:
        try:
            kubectl(path, tmp_path, HEAD + text)
        except ValueError:
            continue
        pytest.fail(f"kubectl reads: {name}")
