"""What somebody meets who uses netlint for the first time: slips on the command line and in netlint.yaml."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports:\n    - port: 80\n"
BAD = SERVICE.replace("80", "80800")


def netlint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "netlint", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        env={name: value for name, value in os.environ.items() if name != "NETLINT_DEBUG"},
    )
    assert "Traceback" not in done.stderr
    return done


def refused(folder: Path, *arguments: str) -> str:
    done = netlint(folder, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def test_an_empty_path_is_not_the_working_directory(tmp_path: Path) -> None:
    # As a script makes one of a variable that is not set.
    (tmp_path / "a.yaml").write_text(BAD)
    assert "a path is empty" in refused(tmp_path, "check", "")


def test_a_baseline_that_is_not_there_yet(tmp_path: Path) -> None:
    assert "--write-baseline makes it" in refused(tmp_path, "check", "--baseline", "b.json")


def test_one_finding_is_one(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BAD)
    done = netlint(tmp_path, "check", "--write-baseline")
    assert done.stderr == "netlint: 1 finding written to netlint-baseline.json\n"


class TestFixes:
    def test_unsafe_alone_does_nothing(self, tmp_path: Path) -> None:
        assert "--fix or --show-fixes" in refused(tmp_path, "check", "--unsafe-fixes")

    def test_a_diff_is_no_json(self, tmp_path: Path) -> None:
        assert "--format json" in refused(tmp_path, "check", "--show-fixes", "--format", "json")

    @pytest.mark.parametrize("option", ["--fix", "--show-fixes"])
    def test_it_is_said_that_nothing_can_be_fixed(self, tmp_path: Path, option: str) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        done = netlint(tmp_path, "check", option)
        assert done.returncode == 1
        assert done.stderr == "netlint: none of these findings has a fix that netlint can make\n"
        (tmp_path / "a.yaml").write_text(SERVICE)
        assert netlint(tmp_path, "check", option).stderr == ""


@pytest.mark.parametrize("glob", ["deploy/x/b.yaml", "deploy/*/b.yaml", "b.yaml", "./deploy/x/b.yaml", "**/b.yaml"])
def test_exclude_starts_from_the_folder_of_the_configuration(tmp_path: Path, glob: str) -> None:
    (tmp_path / "deploy/x").mkdir(parents=True)
    (tmp_path / "netlint.yaml").write_text(f"exclude: ['{glob}']\n")
    (tmp_path / "deploy/x/a.yaml").write_text(SERVICE)
    (tmp_path / "deploy/x/b.yaml").write_text(BAD)
    for folder, path in (("", "."), ("", "deploy"), ("deploy", "."), ("deploy", "x"), ("deploy/x", "../..")):
        assert netlint(tmp_path / folder, "check", path).returncode == 0, (folder, path)
