"""Files of a git revision: what they were, whatever the working tree, the configuration and the links say."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from netlint.cli._revisions import files_of


@pytest.fixture
def repository(tmp_path: Path, program: Callable[[str], str]) -> Path:
    git = program("git")
    root = tmp_path / "repo"
    (root / "deploy").mkdir(parents=True)
    (root / "deploy" / "a.yaml").write_text("first\n")
    (root / "other.yaml").write_text("other\n")

    def run(*arguments: str) -> None:
        subprocess.run([git, "-C", str(root), *arguments], check=True, capture_output=True)

    run("init", "-q")
    run("config", "user.email", "a@example.com")
    run("config", "user.name", "a")
    run("add", "-A")
    run("commit", "-q", "-m", "one")
    (root / "deploy" / "a.yaml").write_text("second\n")
    (root / "deploy" / "b.yaml").write_text("new\n")
    (root / "deploy" / "link.yaml").symlink_to("a.yaml")
    (root / "deploy" / "outside.yaml").symlink_to("../../secret.yaml")
    (root / ".gitattributes").write_text("*.yaml export-ignore\n")
    run("add", "-A")
    run("commit", "-q", "-m", "two")
    return root


def test_files_are_as_they_were(repository: Path) -> None:
    with files_of("HEAD~1", [str(repository / "deploy")]) as (folder,):
        found = sorted(Path(folder).rglob("*"))
        assert [path.name for path in found] == ["a.yaml"]
        assert found[0].read_text() == "first\n"
    assert not Path(folder).exists()


def test_attributes_hide_nothing_and_links_stay_inside(repository: Path) -> None:
    with files_of("HEAD", [str(repository / "deploy")]) as (folder,):
        names = sorted(path.name for path in Path(folder).iterdir())
        assert names == ["a.yaml", "b.yaml", "link.yaml"]
        assert (Path(folder) / "link.yaml").read_text() == "second\n"


def test_one_file_and_a_path_that_was_not_there(repository: Path) -> None:
    paths = [str(repository / "other.yaml"), str(repository / "deploy" / "b.yaml")]
    with files_of("HEAD~1", paths) as (one, missing):
        assert Path(one).read_text() == "other\n"
        assert Path(missing).is_dir()
        assert not list(Path(missing).iterdir())


def test_the_whole_repository(repository: Path) -> None:
    with files_of("HEAD~1", [str(repository)]) as (folder,):
        assert sorted(path.name for path in Path(folder).rglob("*.yaml")) == ["a.yaml", "other.yaml"]


def test_relative_paths_mean_the_same(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "deploy")
    with files_of("HEAD~1", ["a.yaml", "../other.yaml"]) as paths:
        assert paths == ["a.yaml", "../other.yaml"]
        assert [Path(path).read_text() for path in paths] == ["first\n", "other\n"]
    assert Path.cwd() == repository / "deploy"


@pytest.mark.parametrize("revision", ["nothing", "--output=x", "HEAD~9"])
def test_no_such_revision(repository: Path, revision: str) -> None:
    with pytest.raises(click.UsageError, match="no revision"), files_of(revision, [str(repository)]):
        pass


def test_no_repository(tmp_path: Path, program: Callable[[str], str]) -> None:
    program("git")
    with pytest.raises(click.UsageError, match="rev-parse"), files_of("HEAD", [str(tmp_path)]):
        pass


def test_outside_the_repository(repository: Path, tmp_path: Path) -> None:
    paths = [str(repository / "other.yaml"), str(tmp_path / "elsewhere.yaml")]
    with pytest.raises(click.UsageError, match="not in the repository"), files_of("HEAD", paths):
        pass
