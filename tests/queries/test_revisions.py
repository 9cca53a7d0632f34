"""Files of a git revision: what they were, whatever the working tree, the configuration and the links say."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from netlint.cli import run
from netlint.cli._revisions import Revision


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
    with Revision("HEAD~1", [str(repository / "deploy")]).files() as (folder,):
        found = sorted(Path(folder).rglob("*"))
        assert [path.name for path in found] == ["a.yaml"]
        assert found[0].read_text() == "first\n"
        folder = str(Path(folder).resolve())
    assert not Path(folder).exists()


def test_attributes_hide_nothing_and_links_stay_inside(repository: Path) -> None:
    with Revision("HEAD", [str(repository / "deploy")]).files() as (folder,):
        names = sorted(path.name for path in Path(folder).iterdir())
        assert names == ["a.yaml", "b.yaml", "link.yaml"]
        assert (Path(folder) / "link.yaml").read_text() == "second\n"


def test_one_file_and_a_path_that_was_not_there(repository: Path) -> None:
    paths = [str(repository / "other.yaml"), str(repository / "deploy" / "b.yaml")]
    with Revision("HEAD~1", paths).files() as (one, missing):
        assert Path(one).read_text() == "other\n"
        assert Path(missing).is_dir()
        assert not list(Path(missing).iterdir())


def test_the_whole_repository(repository: Path) -> None:
    with Revision("HEAD~1", [str(repository)]).files() as (folder,):
        assert sorted(path.name for path in Path(folder).rglob("*.yaml")) == ["a.yaml", "other.yaml"]


def test_relative_paths_mean_the_same(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "deploy")
    with Revision("HEAD~1", ["a.yaml", "../other.yaml"]).files() as paths:
        assert paths == ["a.yaml", "../other.yaml"]
        assert [Path(path).read_text() for path in paths] == ["first\n", "other\n"]
    assert Path.cwd() == repository / "deploy"


@pytest.mark.parametrize("revision", ["nothing", "--output=x", "HEAD~9"])
def test_no_such_revision(repository: Path, revision: str) -> None:
    with pytest.raises(click.UsageError, match="no revision"), Revision(revision, [str(repository)]).files():
        pass


def test_no_repository(tmp_path: Path, program: Callable[[str], str]) -> None:
    program("git")
    with pytest.raises(click.UsageError, match="rev-parse"), Revision("HEAD", [str(tmp_path)]).files():
        pass


def test_outside_the_repository(repository: Path, tmp_path: Path) -> None:
    paths = [str(repository / "other.yaml"), str(tmp_path / "elsewhere.yaml")]
    with pytest.raises(click.UsageError, match="not in the repository"), Revision("HEAD", paths).files():
        pass


def commit(root: Path) -> None:
    for arguments in (("add", "-A"), ("commit", "-q", "-m", "more")):
        subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)


def test_a_link_brings_what_it_leads_to(repository: Path) -> None:
    (repository / "again").symlink_to("deploy")
    (repository / "far.yaml").symlink_to("again/link.yaml")
    (repository / "dangling").symlink_to("nowhere")
    commit(repository)
    names = [str(repository / name) for name in ("again", "far.yaml", "dangling")]
    with Revision("HEAD", names).files() as (folder, file, nothing):
        assert (Path(folder) / "a.yaml").read_text() == "second\n"
        assert Path(file).read_text() == "second\n"
        assert list(Path(nothing).iterdir()) == []


def test_an_overlay_brings_its_base(repository: Path) -> None:
    """What a kustomization or chart refers to may lie anywhere in the repository."""
    (repository / "overlays" / "prod").mkdir(parents=True)
    (repository / "overlays" / "prod" / "kustomization.yaml").write_text("resources: [../../deploy]\n")
    commit(repository)
    with Revision("HEAD", [str(repository / "overlays" / "prod")]).files() as (folder,):
        assert (Path(folder) / "../../deploy/a.yaml").read_text() == "second\n"
    with Revision("HEAD", [str(repository / "deploy")], whole=True).files() as (folder,):
        assert (Path(folder) / "../other.yaml").read_text() == "other\n"


def test_what_is_there_no_more_is_empty_now(repository: Path) -> None:
    (repository / "other.yaml").unlink()
    paths = [str(repository / "other.yaml"), str(repository / "never.yaml"), str(repository / "deploy")]
    with Revision("HEAD", paths).now() as (gone, never, there):
        assert list(Path(gone).iterdir()) == []
        assert [never, there] == paths[1:]


def test_a_folder_that_is_gone_leads_to_its_repository(repository: Path) -> None:
    with Revision("HEAD", [str(repository / "gone" / "deep" / "a.yaml")]).files() as (folder,):
        assert list(Path(folder).iterdir()) == []


def test_a_file_where_a_folder_is_now(repository: Path) -> None:
    with Revision("HEAD", [str(repository / "other.yaml" / "b.yaml")]).files() as (folder,):
        assert list(Path(folder).iterdir()) == []


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"])
def test_the_environment_of_a_hook_changes_nothing(
    repository: Path, monkeypatch: pytest.MonkeyPatch, name: str, tmp_path: Path
) -> None:
    monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    with Revision("HEAD~1", [str(repository / "deploy")]).files() as (folder,):
        assert [path.name for path in Path(folder).iterdir()] == ["a.yaml"]


@pytest.mark.parametrize("place", ["repo", "repo/deploy", ".", "/"])
def test_files_have_the_same_names_from_wherever_one_looks(
    repository: Path, monkeypatch: pytest.MonkeyPatch, place: str, tmp_path: Path
) -> None:
    """Clusters are called by their folders as seen from the working directory."""
    monkeypatch.chdir(tmp_path / place)
    now = os.path.relpath(repository / "deploy" / "a.yaml")
    with Revision("HEAD~1", [str(repository / "deploy")]).files() as (folder,):
        assert os.path.normpath(os.path.join(folder, "a.yaml")) == now


POLICY = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: x:%s}]}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec: {podSelector: {}, ingress: [{ports: [{port: %s}]}]}
"""


def clusters(root: Path, *, prod: int) -> None:
    for name, port in (("dev", 80), ("prod", prod)):
        (root / name).mkdir(parents=True, exist_ok=True)
        (root / name / "all.yaml").write_text(POLICY % (name, port))


def test_several_clusters_are_paired_wherever_they_lie(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two checkouts beside each other, and a repository seen from outside: dev is still dev, and prod changes."""
    clusters(tmp_path / "old", prod=80)
    clusters(tmp_path / "new", prod=81)
    clusters(repository / "envs", prod=80)
    commit(repository)
    clusters(repository / "envs", prod=81)
    monkeypatch.chdir(tmp_path)
    for arguments in (["old", "new"], ["--rev", "HEAD", "repo/envs"], ["--rev", "HEAD", str(repository / "envs")]):
        assert run(["diff", *arguments, "--format", "json"]) == 1
        data = json.loads(capsys.readouterr().out)
        assert data["workloads"] == [], arguments
        assert data["connections"] != []
        assert {one["cluster"].rpartition("/")[2] for one in data["connections"]} == {"prod"}


def test_a_deleted_manifest_takes_its_connections_with_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "web.yaml").write_text(POLICY % ("1", 80))
    commit(repository)
    (repository / "web.yaml").unlink()
    monkeypatch.chdir(repository)
    assert run(["diff", "--rev", "HEAD", "web.yaml"]) == 1
    assert "- workload shop/Deployment/web\n" in capsys.readouterr().out
    assert run(["diff", "--rev", "HEAD", "never.yaml"]) == 2
    assert "never.yaml: no such file or folder" in capsys.readouterr().err
