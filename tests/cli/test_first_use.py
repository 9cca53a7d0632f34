"""What somebody meets who uses netlint for the first time: slips on the command line and in netlint.yaml."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
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


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
class TestStreams:
    def shell(self, folder: Path, command: str) -> subprocess.CompletedProcess[str]:
        program = f'"{sys.executable}" -m netlint'
        done = subprocess.run(
            ["sh", "-c", command.replace("netlint", program)], cwd=folder, capture_output=True, text=True, timeout=60
        )
        assert "Traceback" not in done.stderr
        assert "internal error" not in done.stderr
        return done

    def test_closed_input(self, tmp_path: Path) -> None:
        done = self.shell(tmp_path, "netlint check - <&-")
        assert (done.returncode, done.stderr) == (
            2,
            "netlint: standard input is closed: nothing can be read from it\n",
        )

    def test_closed_output_does_not_matter_to_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(BAD)
        assert self.shell(tmp_path, "netlint check -o out.txt >&-").returncode == 1
        assert (tmp_path / "out.txt").read_text().startswith("a.yaml:6:13: error[NET004]")
        assert self.shell(tmp_path, "netlint check >&- 2>&-").returncode == 1

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    @pytest.mark.parametrize("command", ["rules", "config-schema", "check", "reach"])
    def test_a_full_disk(self, tmp_path: Path, command: str) -> None:
        done = self.shell(tmp_path, f"netlint {command} > /dev/full")
        assert (done.returncode, done.stderr) == (2, "netlint: cannot write the result: No space left on device\n")

    def test_a_working_directory_that_is_gone(self, tmp_path: Path) -> None:
        (tmp_path / "gone").mkdir()
        done = self.shell(tmp_path, "cd gone && rmdir ../gone && netlint check")
        assert done.returncode == 2
        assert "working directory" in done.stderr


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


class TestSuppressionsInWhatIsRendered:
    def test_a_comment_in_the_base_of_a_kustomization(self, program: Callable[[str], str], tmp_path: Path) -> None:
        program("kubectl")
        (tmp_path / "base").mkdir()
        (tmp_path / "base/web.yaml").write_text(BAD.replace("80800", "80800 # netlint: ignore[NET004] the webhook"))
        (tmp_path / "base/kustomization.yaml").write_text("resources: [web.yaml]\n")
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "kustomization.yaml").write_text(f"namespace: {name}\nresources: [../base]\n")
        # One overlay mends it: the comment is still of use, to the other one.
        patch = "- op: replace\n  path: /spec/ports/0/port\n  value: 80\n"
        (tmp_path / "b/patch.yaml").write_text(patch)
        (tmp_path / "b/kustomization.yaml").write_text(
            "namespace: b\nresources: [../base]\npatches: [{path: patch.yaml, target: {kind: Service}}]\n"
        )
        for paths in ((".",), ("a",), ("b",)):
            done = netlint(tmp_path, "check", "--select", "NET0", *paths)
            assert (done.returncode, done.stderr) == (0, ""), done.stdout

    def test_a_comment_on_the_kind_of_a_template(self, tmp_path: Path) -> None:
        if not (shutil.which("helm") or importlib.util.find_spec("helm_python")):
            if os.environ.get("NETLINT_REQUIRE_ALL") == "1":
                pytest.fail("needs helm or helm-python-sdk, and NETLINT_REQUIRE_ALL=1 forbids the skip")
            pytest.skip("needs helm or helm-python-sdk")
        (tmp_path / "templates").mkdir()
        (tmp_path / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
        text = BAD.replace("name: web", 'name: "{{ .Release.Name }}"')
        (tmp_path / "templates/web.yaml").write_text(text)
        assert netlint(tmp_path, "check").stdout.startswith("templates/web.yaml:2:1: error[NET004]")
        (tmp_path / "templates/web.yaml").write_text(
            text.replace("kind: Service", "kind: Service # netlint: ignore[NET004]")
        )
        assert netlint(tmp_path, "check").returncode == 0
