"""Rules are found, not listed: those of the package, those of packs that are named, and all of them in a wheel."""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from netlint.findings import Severity
from netlint.rules.catalogue import Header, PackError, _read, _rule_of, headers

ROOT = Path(__file__).resolve().parents[2]

RULE = '''
"""A rule."""
from netlint.findings import Severity
from netlint.rules.registry import rule

@rule("ACME001", "acme-rule", Severity.INFO{more})
def acme_rule(analysis):
    """It never says anything."""
    return iter(())
'''


def test_every_module_beside_a_page_is_a_rule() -> None:
    pages = {path.stem for path in (ROOT / "rules").glob("*/*.md")}
    modules = {rule.module.rpartition(".")[2] for rule in headers()}
    assert modules == pages


def test_a_header_is_read_without_running_the_module() -> None:
    source = RULE.format(more=', reads=(Service, Node), group="pedantic"')
    assert _read(source, "a.b", "a") == Header(
        "ACME001", "acme-rule", Severity.INFO, "pedantic", ("Service", "Node"), "a.b", "a"
    )


@pytest.mark.parametrize("more", [", reads=(Service, *WORKLOADS)", ", reads=KINDS"])
def test_shared_kinds_are_told_only_by_loading(more: str) -> None:
    header = _read(RULE.format(more=more), "a.b", "a")
    assert header is not None
    assert header.needs is None
    assert header.wanted(["Anything"])


@pytest.mark.parametrize("source", ["", "x = 1", RULE.replace('"ACME001"', "CODE").format(more=""), "@rule(\n"])
def test_what_is_not_written_with_literals_is_loaded(source: str) -> None:
    assert _read(source, "a.b", "a") is None


@pytest.mark.parametrize(
    ("reads", "kinds", "wanted"),
    [
        ((), [], True),
        (("Service",), ["Pod"], False),
        (("Service",), ["Pod", "Service"], True),
        (("CalicoNetworkPolicy",), ["NetworkPolicy"], True),
        (("NetworkPolicy",), ["GlobalNetworkPolicy"], False),
    ],
)
def test_a_rule_is_wanted_where_its_kinds_are(reads: tuple[str, ...], kinds: list[str], wanted: bool) -> None:
    assert Header("A1", "a", Severity.INFO, "default", reads, "m", "a").wanted(kinds) is wanted


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed pack of rules, `acme`."""
    package = tmp_path / "acme_rules"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "acme_rule.py").write_text(RULE.format(more=""))
    (package / "acme_rule.md").write_text("# ACME001 acme-rule\n")
    info = tmp_path / "acme-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[netlint.rules]\nacme = acme_rules\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield package
    _rule_of.cache_clear()
    for name in [name for name in sys.modules if name.startswith("acme_rules")]:
        del sys.modules[name]


def test_a_pack_is_loaded_only_where_it_is_named(pack: Path) -> None:
    assert "ACME001" not in {rule.code for rule in headers()}
    found = {rule.code: rule for rule in headers(["acme"])}
    assert found["ACME001"].name == "acme-rule"
    assert found["ACME001"].page().startswith("# ACME001")


def test_a_pack_that_cannot_be_loaded_says_why(pack: Path) -> None:
    (pack / "acme_rule.py").write_text("import nothing_of_this_name\n")
    with pytest.raises(PackError, match="acme cannot be loaded: ModuleNotFoundError"):
        headers(["acme"])


def test_two_rules_of_one_code_are_refused(pack: Path) -> None:
    (pack / "acme_rule.py").write_text(RULE.format(more="").replace("ACME001", "NET001"))
    with pytest.raises(PackError, match="are both called NET001"):
        headers(["acme"])


def test_the_wheel_holds_rules_and_pages(tmp_path: Path) -> None:
    source = tmp_path / "source"  # a build leaves files behind
    source.mkdir()
    for name in ("netlint", "rules"):
        shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, source)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(source)]
    done = subprocess.run(build, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for rule in headers():
        path = rule.module.replace(".", "/")
        assert {f"{path}.py", f"{path}.md"} <= names
    assert {"netlint/py.typed", "netlint/reports/schemas/check.json"} <= names
    code = "from netlint.rules.catalogue import headers; print(len(headers()), len(headers()[0].page()) > 100)"
    target = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(target)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(target)}, cwd=tmp_path
    )
    assert done.stdout.split() == [str(len(headers())), "True"], done.stderr
