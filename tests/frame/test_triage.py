"""Selection, suppressions, merging, order, fingerprints, baselines."""

from collections.abc import Callable
from pathlib import Path

import pytest

from netlint.cluster.config import ConfigError, parse_config
from netlint.findings import Finding, Location, ObjectRef, Place, Severity
from netlint.rules.catalogue import Header, headers
from netlint.triage import Result, Selection, UnknownRuleError
from netlint.triage.baseline import BaselineError, read_baseline, write_baseline
from netlint.triage.fingerprints import fingerprinted
from netlint.triage.globs import matches
from netlint.triage.merging import merged

Check = Callable[..., Result]

SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
    - port: 80800
"""
INPUT = ["NET0"]


def codes(result: Result) -> list[str]:
    return [finding.code for finding in result.findings]


def header(code: str, name: str, group: str = "default") -> Header:
    return Header(code, name, Severity.WARNING, group, (), "m", "a")  # type: ignore[arg-type]


RULES = [header("NET101", "one"), header("NET109", "nine", "pedantic"), header("NET301", "three")]


def running(config: str = "", **options: object) -> list[str]:
    selection = Selection(RULES, parse_config(config), **options)  # type: ignore[arg-type]
    return [rule.code for rule in RULES if selection.runs(rule, {})]


class TestSelection:
    def test_default_rules_run(self) -> None:
        assert running() == ["NET101", "NET301"]

    def test_pedantic_rules_run_when_asked_for(self) -> None:
        assert running(pedantic=True) == ["NET101", "NET109", "NET301"]
        assert running(select=["NET109"]) == ["NET109"]
        assert running(select=["nine"]) == ["NET109"]
        assert running("rules: {NET109: {enabled: true}}") == ["NET101", "NET109", "NET301"]

    def test_a_prefix_does_not_ask_for_pedantic_rules(self) -> None:
        assert running(select=["NET1"]) == ["NET101"]

    def test_the_more_exact_word_counts(self) -> None:
        assert running(ignore=["NET1"]) == ["NET301"]
        assert running(select=["NET101", "NET3"], ignore=["NET1"]) == ["NET101", "NET301"]
        assert running(select=["NET1"], ignore=["NET101"]) == []
        assert running(select=["net101"]) == ["NET101"]

    def test_the_configuration_turns_rules_off_and_the_command_line_on_again(self) -> None:
        assert running("rules: {NET101: {enabled: false}}") == ["NET301"]
        assert running("rules: {NET1: {enabled: false}, one: {enabled: true}}") == ["NET101", "NET301"]
        assert running("rules: {NET101: {enabled: false}}", select=["NET1"]) == []
        assert running("rules: {NET101: {enabled: false}}", select=["NET101"]) == ["NET101"]

    def test_a_word_that_means_nothing_is_an_error_with_a_hint(self) -> None:
        with pytest.raises(UnknownRuleError, match=r"'thre' \(did you mean three\?\)"):
            running(select=["thre"])
        with pytest.raises(UnknownRuleError):
            running(ignore=["NET9"])
        with pytest.raises(UnknownRuleError):
            running(select=["o"])  # names are no prefixes

    @pytest.mark.parametrize(
        ("config", "line"),
        [
            ("rules: {thre: {}}", "netlint.yaml:1:9: no rule is called 'thre' (did you mean three?)"),
            ("cluster: {rules: {ones: {}}}", "netlint.yaml:1:19: no rule is called 'ones' (did you mean one?)"),
            ("clusters:\n- name: a\n  rules: {zero: {}}", "netlint.yaml:3:11: no rule is called 'zero'"),
        ],
    )
    def test_so_is_one_of_the_configuration(self, config: str, line: str) -> None:
        with pytest.raises(ConfigError) as caught:
            running(config)
        assert caught.value.lines == (line,)

    def test_a_code_of_another_version_is_no_mistake(self) -> None:
        assert running("rules: {NET402: {enabled: false}, NET7: {severity: info}}") == running()

    def test_settings_hold_for_the_paths_they_name(self, checked: Check) -> None:
        config = "rules: {NET004: {severity: info, paths: ['legacy/**']}}"
        files = {"legacy/a.yaml": SERVICE, "new/b.yaml": SERVICE.replace("name: web", "name: other")}
        found = checked(files, config=config, select=["NET004"]).findings
        assert [(one.location.file, one.severity) for one in found if one.location] == [
            ("legacy/a.yaml", Severity.INFO),
            ("new/b.yaml", Severity.ERROR),
        ]
        off = "rules: {NET004: {enabled: false, paths: ['legacy']}}"
        found = checked(files, config=off).findings
        assert [one.location.file for one in found if one.code == "NET004" and one.location] == ["new/b.yaml"]

    def test_settings_of_a_cluster_count_over_those_of_all(self, checked: Check) -> None:
        config = """
rules: {NET004: {severity: warning}}
clusters:
  - {name: prod, paths: [prod]}
  - {name: dev, paths: [dev], rules: {NET004: {severity: info}}}
"""
        found = checked({"prod/a.yaml": SERVICE, "dev/a.yaml": SERVICE}, config=config, select=["NET004"]).findings
        assert [(one.clusters, one.severity.value) for one in found] == [(("dev",), "info"), (("prod",), "warning")]


class TestSuppressions:
    @pytest.mark.parametrize(
        "text",
        [
            SERVICE.replace("80800", "80800 # netlint: ignore[NET004] why"),
            SERVICE.replace("    - port", "    # netlint: ignore[NET00] why\n    - port"),
            SERVICE.replace("kind: Service", "kind: Service # netlint: ignore[invalid-value] why"),
            SERVICE.replace("kind: Service", "# netlint: ignore[NET301,NET004] why\nkind: Service"),
            SERVICE.replace("  name: web", '  name: web\n  annotations: {netlint/ignore: "NET004: why"}'),
            SERVICE.replace("  name: web", '  name: web\n  annotations: {netlint/ignore: "NET9: no; NET004: why"}'),
        ],
    )
    def test_a_finding_is_suppressed_with_its_reason(self, checked: Check, text: str) -> None:
        result = checked(text, select=["NET004"])
        assert codes(result) == []
        assert [(one.kind, one.reason, one.finding.code) for one in result.suppressed] == [
            ("inSource", "why", "NET004")
        ]

    @pytest.mark.parametrize(
        "text",
        [
            SERVICE.replace("80800", "80800 # netlint: ignore[NET301]"),
            SERVICE.replace("  ports:", "  ports: # netlint: ignore[NET004]"),  # the line above, but not its own
            SERVICE.replace("kind: Service", "kind: Service # netlint: ignore[]"),
            SERVICE.replace("80800", "80800 # netlint: ignore[NET004x]"),
            SERVICE + "---\nkind: Namespace # netlint: ignore[NET004]\napiVersion: v1\nmetadata: {name: a}\n",
        ],
    )
    def test_a_suppression_elsewhere_or_of_another_rule_does_nothing(self, checked: Check, text: str) -> None:
        assert codes(checked(text, select=["NET004"])) == ["NET004"]

    def test_an_unused_word_is_reported_at_its_comment(self, checked: Check) -> None:
        text = SERVICE.replace("80800", "80 # netlint: ignore[NET004] old")
        (finding,) = checked(text, select=INPUT).findings
        assert (finding.code, finding.severity) == ("NET008", Severity.WARNING)
        assert finding.location == Location("a.yaml", 8, 16, 8, 45)

    def test_each_word_is_judged_by_itself(self, checked: Check) -> None:
        text = SERVICE.replace("80800", "80800 # netlint: ignore[NET004,NET007]")
        (finding,) = checked(text, select=INPUT).findings
        assert finding.code == "NET008"
        assert "NET007" in finding.message

    def test_nothing_is_said_of_rules_that_did_not_run(self, checked: Check) -> None:
        text = SERVICE.replace("80800", "80 # netlint: ignore[NET004]")
        assert codes(checked(text, select=["NET008", "NET007"])) == []
        assert codes(checked(text, select=INPUT, ignore=["NET004"])) == []

    def test_a_code_that_does_not_exist_is_reported(self, checked: Check) -> None:
        text = SERVICE.replace("80800", "80 # netlint: ignore[NET999]")
        (finding,) = checked(text, select=INPUT).findings
        assert "no rule is called that" in finding.message

    @pytest.mark.parametrize(
        "comment",
        [
            "# netlint: ignore NET004",
            "#netlint:ignore",
            "# netlint: ignore[]",
            "# netlint: Ignore[NET004]",
            "# netlint: disable=NET004",
            "# netlint: ignore[NET004",
        ],
    )
    def test_a_comment_of_another_form_is_told_the_right_one(self, checked: Check, comment: str) -> None:
        # It looks as if it worked: the finding stays, and nothing else would say why.
        result = checked(SERVICE.replace("80800", f"80800 {comment}"), select=INPUT)
        assert codes(result) == ["NET004", "NET008"]
        assert "netlint: ignore[NET301] reason" in result.findings[1].message

    def test_a_comment_about_netlint_is_none(self, checked: Check) -> None:
        text = SERVICE.replace("80800", "80 # netlint: see the README # netlint ignores this")
        assert codes(checked(text, select=INPUT)) == []

    @pytest.mark.parametrize("text", ["the old one", "''", "'!'"])
    def test_an_annotation_without_a_rule_is_told_the_form_once(self, checked: Check, text: str) -> None:
        service = SERVICE.replace("80800", "80").replace(
            "name: web", f"name: web\n  annotations: {{netlint/ignore: {text}}}"
        )
        (finding,) = checked(service, select=INPUT).findings
        assert finding.code == "NET008"
        assert '"NET301: reason"' in finding.message

    def test_an_unused_suppression_can_itself_be_turned_off(self, checked: Check) -> None:
        text = SERVICE.replace("80800", "80 # netlint: ignore[NET004]")
        assert codes(checked(text, select=INPUT, config="rules: {NET008: {enabled: false}}")) == []

    def test_an_unused_annotation_has_its_place(self, checked: Check) -> None:
        text = SERVICE.replace("80800", "80").replace(
            "  name: web", '  name: web\n  annotations: {netlint/ignore: "NET004: why"}'
        )
        (finding,) = checked(text, select=INPUT).findings
        assert finding.place is not None
        assert finding.place.path == ("metadata", "annotations", "netlint/ignore")


class Somewhere:
    """What a place needs of an object."""

    def __init__(self, name: str = "web", raw: object = None) -> None:
        self.ref = ObjectRef("v1", "Service", "shop", name)
        self.raw = raw

    def locate(self, path: object, anchor: str = "value") -> Location:
        raise AssertionError("not asked for")


def finding(message: str = "m", line: int = 1, **more: object) -> Finding:
    return Finding("NET301", "x", Severity.ERROR, message, location=Location("a.yaml", line, 1, line, 2), **more)  # type: ignore[arg-type]


class TestMerging:
    def test_the_same_finding_in_two_clusters_is_one_with_two_names(self) -> None:
        (one,) = merged([finding(clusters=("a",)), finding(clusters=("b",)), finding(clusters=("a",))])
        assert one.clusters == ("a", "b")

    def test_findings_that_differ_stay_apart(self) -> None:
        where = Somewhere()
        assert len(merged([finding(place=Place(where, ("a",))), finding(place=Place(where, ("b",)))])) == 2
        assert len(merged([finding(), finding("n"), finding(line=2)])) == 3

    def test_order_is_that_of_the_place_whatever_the_order_of_rules(self) -> None:
        some = [
            finding(line=3),
            finding("b", line=1),
            finding("a", line=1),
            Finding("NET009", "x", Severity.ERROR, "z"),
        ]
        assert merged(some) == merged(reversed(some))
        assert [one.message for one in merged(some)] == ["a", "b", "m", "z"]


def print_of(one: Finding) -> str:
    return fingerprinted([one])[0].fingerprint


class TestFingerprints:
    def test_they_survive_moved_lines_and_renamed_files(self) -> None:
        where = Somewhere()
        before = finding("meets b.yaml:3:4 here", 1, place=Place(where, ("spec",)))
        after = finding("meets c/d.yaml:33:40 here", 17, place=Place(where, ("spec",)))
        assert print_of(before) == print_of(after)

    def test_they_survive_a_new_entry_before_theirs(self) -> None:
        before = Somewhere(raw={"ports": [{"name": "http", "port": 80}]})
        after = Somewhere(raw={"ports": [{"name": "admin", "port": 81}, {"name": "http", "port": 8080}]})
        path = ("ports", 0, "port"), ("ports", 1, "port")
        assert print_of(finding(place=Place(before, path[0]))) == print_of(finding(place=Place(after, path[1])))
        assert print_of(finding(place=Place(after, path[0]))) != print_of(finding(place=Place(after, path[1])))

    @pytest.mark.parametrize(
        "other",
        [
            finding("another", place=Place(Somewhere(), ("spec",))),
            finding(place=Place(Somewhere("db"), ("spec",))),
            finding(place=Place(Somewhere(), ("metadata",))),
        ],
    )
    def test_other_findings_have_others(self, other: Finding) -> None:
        assert print_of(finding(place=Place(Somewhere(), ("spec",)))) != print_of(other)

    def test_equal_ones_are_numbered(self) -> None:
        first, second = fingerprinted([finding(), finding(line=2)])
        assert second.fingerprint == f"{first.fingerprint}-2"


class TestBaseline:
    def test_what_it_holds_is_not_reported(self, checked: Check, tmp_path: Path) -> None:
        file = tmp_path / "base.json"
        assert write_baseline(file, checked(SERVICE, select=INPUT).findings) == 1
        moved = "# a comment\n" + SERVICE + SERVICE.replace("web", "db").replace("apiVersion", "---\napiVersion", 1)
        result = checked(moved, select=INPUT, baseline=read_baseline(file))
        assert [one.ref.name for one in result.findings if one.ref] == ["db"]
        assert [one.kind for one in result.suppressed] == ["external"]

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1}', '{"version": 1, "findings": [1]}', "\x00"])
    def test_a_broken_one_is_the_users_error(self, tmp_path: Path, text: str) -> None:
        file = tmp_path / "base.json"
        file.write_text(text)
        with pytest.raises(BaselineError, match="not a baseline"):
            read_baseline(file)

    def test_a_later_version_is_told(self, tmp_path: Path) -> None:
        file = tmp_path / "base.json"
        file.write_text('{"version": 2, "findings": []}')
        with pytest.raises(BaselineError, match="version 2"):
            read_baseline(file)


@pytest.mark.parametrize(
    ("path", "pattern", "wanted"),
    [
        ("a/b.yaml", "a", True),
        ("a/b.yaml", "a/", True),
        ("a/b.yaml", "./a", True),
        ("ab/b.yaml", "a", False),
        ("a/b.yaml", "*.yaml", False),
        ("b.yaml", "*.yaml", True),
        ("a/b.yaml", "**/*.yaml", True),
        ("b.yaml", "**/*.yaml", True),
        ("x/testdata/y/z.yaml", "**/testdata/**", True),
        ("testdata/z.yaml", "**/testdata/**", True),
        ("x/testdatas/z.yaml", "**/testdata/**", False),
        ("a.b", "a?b", True),
        ("a/b", "a?b", False),
        ("anything/at/all", ".", True),
    ],
)
def test_globs(path: str, pattern: str, wanted: bool) -> None:
    assert matches(path, pattern) is wanted


def test_the_catalogue_is_sorted_and_each_rule_is_there_once() -> None:
    found = [rule.code for rule in headers()]
    assert found == sorted(set(found))
    assert {"NET001", "NET009"} <= set(found)


def test_a_workload_of_a_kind_that_does_not_exist_breaks_no_rule(checked: Check) -> None:
    text = """
apiVersion: v1
kind: Deployment
metadata: {name: nginx}
spec:
  template:
    metadata: {labels: {app: nginx}}
    spec: {containers: [{name: c, image: nginx}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny}
spec: {podSelector: {}}
"""
    result = checked(text)
    assert not result.failed
