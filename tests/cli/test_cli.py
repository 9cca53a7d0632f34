"""The command line from outside: options, exit statuses, and that no traceback reaches a user."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

NETLINT = [sys.executable, "-m", "netlint"]
GOOD = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports:\n    - port: 80\n"
BAD = GOOD.replace("80", "80800")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`run("check", "-q")`: the command in an empty folder of its own."""

    def call(*arguments: str, stdin: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "NETLINT_DEBUG")}
        done = subprocess.run(
            [*NETLINT, *arguments],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            env={**clean, **(env or {})},
        )
        assert "Traceback" not in done.stderr
        return done

    return call


class TestExitStatus:
    def test_nothing_wrong(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(GOOD)
        assert run("check", "--select", "NET0").returncode == 0

    def test_an_empty_folder_says_so(self, run: Run) -> None:
        done = run("check")
        assert (done.returncode, done.stdout) == (0, "No Kubernetes manifest was found.\n")

    def test_findings(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        done = run("check")
        assert done.returncode == 1
        assert done.stdout.startswith("a.yaml:6:13: error[NET004]: ")

    @pytest.mark.parametrize(
        ("options", "status"),
        [
            (["--fail-on", "error"], 1),
            (["--fail-on", "never"], 0),
            (["--exit-zero"], 0),
            (["--ignore", "NET004"], 0),
            (["--select", "NET001"], 0),
            (["--select", "NET001,invalid-value"], 1),
        ],
    )
    def test_options_that_change_it(self, run: Run, tmp_path: Path, options: list[str], status: int) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        assert run("check", *options).returncode == status

    def test_the_least_severity_that_fails(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(GOOD.replace("    - port: 80", "    - port: 80\n      targetport: 8080"))
        assert run("check", "--select", "NET003").returncode == 1
        assert run("check", "--select", "NET003", "--fail-on", "error").returncode == 0

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["check", "missing.yaml"], "missing.yaml"),
            (["check", "--select", "NET99"], "netlint: no rule is called 'NET99'"),
            (["check", "--format", "xml"], "'xml' is not one of"),
            (["check", "--nonsense"], "No such option"),
            (["chekc"], "No such command 'chekc'. Did you mean 'check'?"),
            (["nonsense"], "No such command 'nonsense'."),
            (["explain", "net40"], "netlint: no rule is called 'net40'; it begins NET401"),
            (["check", "--config", "none.yaml"], "none.yaml: No such file"),
            (["check", "--baseline", "none.json"], "none.json: there is no such baseline"),
            (["check", "--cluster", "prod"], "no cluster is called 'prod'; the input holds: default"),
            (["explain", "NET999"], "no rule is called 'NET999'"),
            (["check", "--output", "no/such/folder.txt"], "no/such/folder.txt"),
        ],
    )
    def test_could_not_run(self, run: Run, arguments: list[str], said: str) -> None:
        done = run(*arguments)
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stdout == ""

    def test_no_summary_of_a_command_is_cut_off(self, run: Run) -> None:
        listed = run("--help").stdout.partition("Commands:\n")[2].splitlines()
        assert len(listed) >= 11
        assert [line for line in listed if line.endswith("...")] == []

    def test_a_mistake_in_the_configuration_is_one_line(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "netlint.yaml").write_text("cluster:\n  nodeMtu: 9000\n")
        done = run("check")
        assert done.returncode == 2
        assert done.stderr == "netlint.yaml:2:3: unknown key 'nodeMtu' (did you mean 'nodeMTU'?)\n"

    def test_a_rule_pack_that_is_not_installed(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "netlint.yaml").write_text("rulePacks: [acme]\n")
        done = run("check")
        assert (done.returncode, done.stderr) == (2, "netlint: no installed pack of rules is called acme\n")

    def test_a_defect_is_one_line(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "sitecustomize.py").write_text(
            "import netlint.cli.common as c\ndef f(*a): raise RuntimeError('boom\\n\\x1b[1m')\nc.read_input = f\n"
        )
        done = run("check", env={"PYTHONPATH": str(tmp_path)})
        assert done.returncode == 3
        assert done.stderr.startswith("netlint: internal error: RuntimeError: boom \\x1b[1m")
        assert done.stderr.count("\n") == 1

    def test_a_rule_that_crashes_is_a_finding_and_the_others_run(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        (tmp_path / "sitecustomize.py").write_text(
            "import netlint.rules.input.unknown_field as m\n"
            "def f(analysis): raise KeyError('x')\n"
            "m.unknown_field.check = f\n"
        )
        done = run("check", "--select", "NET0", "--exit-zero", env={"PYTHONPATH": str(tmp_path)})
        assert done.returncode == 3
        assert "a.yaml:6:13: error[NET004]: " in done.stdout
        assert ".:1:1: error[NET009]: rule NET003 (unknown-field) failed with KeyError: 'x'\n" in done.stdout


class TestConfiguration:
    def test_the_nearest_one_upward_counts(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        (tmp_path / ".netlint.yaml").write_text("rules: {NET004: {enabled: false}}\n")
        assert run("check", "--select", "NET0").returncode == 0
        inner = tmp_path / "inner"
        inner.mkdir()
        done = subprocess.run([*NETLINT, "check", "--select", "NET0", ".."], cwd=inner, capture_output=True)
        assert done.returncode == 0
        (inner / "netlint.yaml").write_text("{}\n")
        done = subprocess.run([*NETLINT, "check", "--select", "NET0", ".."], cwd=inner, capture_output=True)
        assert done.returncode == 1

    def test_excluded_files_are_not_read(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "testdata").mkdir()
        (tmp_path / "testdata" / "a.yaml").write_text(BAD)
        (tmp_path / "netlint.yaml").write_text("exclude: ['**/testdata/**']\n")
        assert run("check").returncode == 0

    def test_the_configuration_itself_is_no_manifest(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "netlint.yaml").write_text("cluster: {name: x}\n")
        assert "No Kubernetes manifest" in run("check").stdout


class TestFormats:
    def test_standard_input(self, run: Run) -> None:
        done = run("check", "-", stdin=BAD)
        assert done.returncode == 1
        assert done.stdout.startswith("<stdin>:6:13: error[NET004]: ")
        assert "      - port: 80800\n" in done.stdout.replace(" 6 | ", "  ")

    @pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
    def test_output_to_a_file_is_the_same_text(self, run: Run, tmp_path: Path, form: str) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        printed = run("check", "--format", form)
        written = run("check", "--format", form, "--output", "out.txt")
        assert (written.returncode, written.stdout) == (1, "")
        assert (tmp_path / "out.txt").read_text() == printed.stdout

    def test_json_fits_its_schema(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        report = json.loads(run("check", "--format", "json").stdout)
        jsonschema.validate(report, schema("check"))
        (finding,) = [one for one in report["findings"] if one["code"] == "NET004"]
        assert finding["object"] == {"apiVersion": "v1", "kind": "Service", "namespace": None, "name": "web"}
        assert finding["path"] == "spec.ports[0].port"

    def test_colour_only_where_asked_for(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        assert "\x1b" not in run("check").stdout
        assert "\x1b[" in run("check", "--color", "always").stdout
        assert "\x1b" not in run("check", "--color", "never").stdout

    def test_hostile_names_come_out_harmless(self, run: Run, tmp_path: Path) -> None:
        hostile = BAD.replace("name: web", 'name: "web\\n::error::x\\e[2J"')
        (tmp_path / "::error::a\x1b[1m.yaml").write_text(hostile)
        for form in ("text", "github", "json", "sarif"):
            out = run("check", "--format", form).stdout
            assert "\x1b" not in out
            starts = [line for line in out.splitlines() if line.lstrip().startswith("::")]
            assert not starts or (form == "github" and all("title=NET" in line for line in starts))


class TestBaseline:
    def test_old_findings_are_silent_and_new_ones_are_not(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        assert run("check", "--baseline", "base.json", "--write-baseline").returncode == 0
        done = run("check", "--baseline", "base.json")
        assert done.returncode == 0
        assert "in the baseline." in done.stdout
        (tmp_path / "b.yaml").write_text(BAD.replace("web", "other"))
        assert run("check", "--baseline", "base.json").returncode == 1


class TestOtherCommands:
    def test_rules(self, run: Run) -> None:
        report = json.loads(run("rules", "--format", "json").stdout)
        jsonschema.validate(report, schema("rules"))
        assert {"code": "NET004", "name": "invalid-value"}.items() <= report["rules"][3].items()
        assert "NET004  error    invalid-value\n" in run("rules").stdout
        table = run("rules", "--format", "markdown").stdout.splitlines()
        assert table[2].startswith("| NET001 | unreadable-document | error | Reports ")

    @pytest.mark.parametrize("word", ["NET004", "net004", "invalid-value"])
    def test_explain(self, run: Run, word: str) -> None:
        done = run("explain", word)
        assert done.returncode == 0
        assert done.stdout.startswith("NET004 invalid-value\n")
        assert "```" not in done.stdout

    def test_facts(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(GOOD)
        report = json.loads(run("facts", "--format", "json").stdout)
        jsonschema.validate(report, schema("facts"))
        assert report["clusters"][0]["facts"]["cni"] == {"value": None, "evidence": []}
        assert "not known:" in run("facts").stdout

    def test_facts_name_their_evidence(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "netlint.yaml").write_text("cluster:\n  cni: {name: calico}\n")
        fact = json.loads(run("facts", "--format", "json").stdout)["clusters"][0]["facts"]["cni"]
        assert fact["value"] == "calico"
        assert fact["evidence"][0]["object"]["kind"] == "Config"
        assert fact["evidence"][0]["path"] == "cluster.cni.name"
        assert fact["evidence"][0]["location"]["startLine"] == 2

    def test_config_schema(self, run: Run) -> None:
        jsonschema.Draft202012Validator.check_schema(json.loads(run("config-schema").stdout))

    def test_matchers(self, run: Run) -> None:
        assert json.loads(run("matcher", "github").stdout)["problemMatcher"]
        assert json.loads(run("matcher", "vscode").stdout)["pattern"]

    def test_version_and_help(self, run: Run) -> None:
        assert run("version").stdout == run("--version").stdout
        done = run("--help")
        assert done.returncode == 0
        for name in ("check", "config-schema", "explain", "facts", "matcher", "rules", "version"):
            assert f"  {name} " in done.stdout


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    many = "---\n".join(BAD.replace("web", f"web{number}") for number in range(3000))  # more than a pipe holds
    (tmp_path / "a.yaml").write_text(many)
    # Unbuffered, Python takes half a write for a whole one and notices nothing.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        [*NETLINT, "check", "--select", "NET0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    with process.stderr as stderr:
        assert stderr.read() == ""
    assert process.wait(timeout=60) == 141


def test_control_c_is_quiet(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*NETLINT, "check", "-"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(1.5)  # it waits for standard input by now
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_plain_check_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    code = (
        "import sys\nfrom netlint.cli import run\nrun(['check', '-q'])\n"
        "heavy = {'z3', 'networkx', 'sarif_om', 'attr', 'importlib.metadata', 'netlint.reports.sarif'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] in ("[]", "['importlib.metadata']"), done.stdout + done.stderr


def schema(name: str) -> Any:
    return json.loads(files("netlint.reports").joinpath(f"schemas/{name}.json").read_text())


def test_the_pre_commit_hook_checks_everything(run: Run, tmp_path: Path) -> None:
    from ruamel.yaml import YAML

    root = Path(__file__).resolve().parents[2]
    (hook,) = YAML(typ="safe", pure=True).load((root / ".pre-commit-hooks.yaml").read_text())
    assert hook["pass_filenames"] is False
    program, *arguments = hook["entry"].split()
    assert program == "netlint"
    assert run(*arguments).returncode == 0
    (tmp_path / "a.yaml").write_text(BAD)
    assert run(*arguments, "--select", "NET0").returncode == 1


class TestFixes:
    """Through a rule pack, since the input rules have no fixes."""

    RULE = '''
from netlint.findings import Fix, Severity, TextEdit
from netlint.resources.core import Service
from netlint.rules.registry import rule

@rule("ACME001", "wrong-port", Severity.WARNING, reads=(Service,))
def wrong_port(analysis):
    """Port 80 is old."""
    for service in analysis.cluster.all(Service):
        for index, port in enumerate(service.spec.ports or ()):
            if port.port == 80:
                place = service.at("spec", "ports", index, "port")
                edit = TextEdit(place.locate(), "{new}")
                yield wrong_port.finding(place, "old", fixes=[Fix("write {new}", "{safety}", (edit,))])
'''

    @pytest.fixture
    def pack(self, tmp_path: Path) -> Callable[..., dict[str, str]]:
        def install(new: str, safety: str = "safe") -> dict[str, str]:
            site = tmp_path.parent / f"{tmp_path.name}-site"
            site.mkdir()
            (site / "acme_rules.py").write_text(self.RULE.replace("{new}", new).replace("{safety}", safety))
            (site / "acme-1.dist-info").mkdir()
            (site / "acme-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1\n")
            (site / "acme-1.dist-info" / "entry_points.txt").write_text("[netlint.rules]\nacme = acme_rules\n")
            (tmp_path / "netlint.yaml").write_text("rulePacks: [acme]\n")
            (tmp_path / "a.yaml").write_bytes(b"# \xc3\xa4\r\n" + GOOD.replace("\n", "\r\n").encode())
            return {"PYTHONPATH": str(site)}

        return install

    def test_safe_fixes_are_applied_and_the_rest_is_reported(
        self, run: Run, tmp_path: Path, pack: Callable[..., dict[str, str]]
    ) -> None:
        env = pack("8080")
        assert run("check", "--select", "ACME001", env=env).returncode == 1
        done = run("check", "--select", "ACME001", "--fix", env=env)
        assert done.returncode == 0
        assert done.stderr == "netlint: fixed 1 finding in a.yaml\n"
        assert (tmp_path / "a.yaml").read_bytes() == b"# \xc3\xa4\r\n" + GOOD.replace("80", "8080").replace(
            "\n", "\r\n"
        ).encode()

    def test_unsafe_fixes_are_asked_for(self, run: Run, tmp_path: Path, pack: Callable[..., dict[str, str]]) -> None:
        env = pack("8080", "unsafe")
        before = (tmp_path / "a.yaml").read_bytes()
        assert run("check", "--select", "ACME001", "--fix", env=env).returncode == 1
        assert (tmp_path / "a.yaml").read_bytes() == before
        assert run("check", "--select", "ACME001", "--fix", "--unsafe-fixes", env=env).returncode == 0

    def test_show_fixes_changes_nothing(self, run: Run, tmp_path: Path, pack: Callable[..., dict[str, str]]) -> None:
        env = pack("8080")
        before = (tmp_path / "a.yaml").read_bytes()
        out = run("check", "--select", "ACME001", "--show-fixes", env=env).stdout
        assert "-    - port: 80\n" in out.replace("\r", "")
        assert "+    - port: 8080\n" in out.replace("\r", "")
        assert (tmp_path / "a.yaml").read_bytes() == before

    def test_a_fix_that_breaks_the_file_is_taken_back(
        self, run: Run, tmp_path: Path, pack: Callable[..., dict[str, str]]
    ) -> None:
        env = pack("[8080")
        before = (tmp_path / "a.yaml").read_bytes()
        assert run("check", "--select", "ACME001", "--fix", env=env).returncode == 1
        assert (tmp_path / "a.yaml").read_bytes() == before
