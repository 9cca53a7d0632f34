"""Documents inside scalars."""

from netlint.sources import parse_embedded, read_text

CONFIG = """\
kind: ConfigMap
data:
  net-conf.json: |
    {
      "Network": "10.244.0.0/16",
      "Backend": {"Type": "vxlan"}
    }
  config.conf: |-

    mode: ipvs
    clusterCIDR: 10.0.0.0/8
  folded: >
    mode: ipvs
    other
  bad: |
    a: b: c
metadata:
  annotations:
    one: '{"a": [1, {"b": "x"}]}'
    escaped: "{\\"a\\": 1}"
"""


def place(*path: str | int, inner: tuple[str | int, ...]) -> tuple[object, int, int, int]:
    document = read_text(CONFIG).documents[0]
    text = document.data
    for segment in path:
        text = text[segment]
    found = parse_embedded(text, document, path)
    where = found.locate(inner)
    return found.data, where.start_line, where.start_column, where.end_column


def test_json_in_a_block_literal() -> None:
    data, *where = place("data", "net-conf.json", inner=("Backend", "Type"))
    assert data == {"Network": "10.244.0.0/16", "Backend": {"Type": "vxlan"}}
    assert where == [6, 27, 34]
    assert place("data", "net-conf.json", inner=("Network",))[1:] == (5, 18, 33)


def test_yaml_in_a_block_literal_that_begins_with_a_blank_line() -> None:
    data, *where = place("data", "config.conf", inner=("clusterCIDR",))
    assert data == {"mode": "ipvs", "clusterCIDR": "10.0.0.0/8"}
    assert where == [11, 18, 28]


def test_text_on_one_line() -> None:
    data, *where = place("metadata", "annotations", "one", inner=("a", 1, "b"))
    assert data == {"a": [1, {"b": "x"}]}
    assert where == [19, 27, 30]


def test_elsewhere_the_whole_scalar_is_the_place() -> None:
    assert place("metadata", "annotations", "escaped", inner=("a",)) == ({"a": 1}, 20, 14, 26)
    assert place("data", "folded", inner=("mode",))[1:3] == (12, 11)


def test_what_cannot_be_read_is_named() -> None:
    document = read_text(CONFIG).documents[0]
    found = parse_embedded(document.data["data"]["bad"], document, ("data", "bad"))
    assert found.data is None
    assert found.problem is not None
    assert found.locate(("a",)).start_line == 15
    assert parse_embedded("").data is None
    assert parse_embedded('{"a": 1}').data == {"a": 1}
    assert [d.data for d in parse_embedded("a: 1\n---\nb: 2\n").documents] == [{"a": 1}, {"b": 2}]
