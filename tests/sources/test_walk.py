"""Which files a path names."""

import os
from pathlib import Path

import pytest

from netlint.sources import Limits, ReadOptions, SourceError, read


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"name: {name}\n")


def names(folder: Path, *paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    reading = read(paths or ["."], options=ReadOptions(cwd=folder, exclude=exclude))
    return [document.file for document in reading.documents]


def test_folder_in_order(tmp_path: Path) -> None:
    put(tmp_path, "b.yaml", "a.yml", "c.json.txt", "d.json", "z/a.yaml", "m/b.yaml", "m/n/c.yaml", "README.md", "noext")
    assert names(tmp_path) == ["a.yml", "b.yaml", "d.json", "m/b.yaml", "m/n/c.yaml", "z/a.yaml"]


def test_hidden_and_vendored_folders(tmp_path: Path) -> None:
    put(tmp_path, ".git/a.yaml", ".venv/a.yaml", "node_modules/a.yaml", "x/vendor/a.yaml", ".hidden.yaml", "env/a.yaml")
    (tmp_path / "env/pyvenv.cfg").touch()
    put(tmp_path, "seen.yaml")
    assert names(tmp_path) == ["seen.yaml"]
    assert names(tmp_path, "x/vendor") == ["x/vendor/a.yaml"]


def test_a_named_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    put(tmp_path, "notes.txt", ".hidden.yaml")
    assert names(tmp_path, "notes.txt", ".hidden.yaml") == ["notes.txt", ".hidden.yaml"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    put(tmp_path, "a/x.yaml")
    assert names(tmp_path, "a", "a/x.yaml", "./a/../a") == ["a/x.yaml"]


def test_missing_path(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^nowhere: no such file or folder$"):
        read(["nowhere"], options=ReadOptions(cwd=tmp_path))
    (tmp_path / "dangling").symlink_to("gone")
    with pytest.raises(SourceError, match="leads nowhere"):
        read(["dangling"], options=ReadOptions(cwd=tmp_path))


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("**/testdata/**", ["a.yaml", "x/a.yaml", "x/b.yaml"]),
        ("testdata", ["a.yaml", "x/a.yaml", "x/b.yaml"]),
        ("x/*.yaml", ["a.yaml", "x/testdata/c.yaml"]),
        ("x", ["a.yaml"]),
        ("a.yaml", ["x/b.yaml", "x/testdata/c.yaml"]),
        ("./a.yaml", ["x/b.yaml", "x/testdata/c.yaml"]),
        ("x/**/c.yaml", ["a.yaml", "x/a.yaml", "x/b.yaml"]),
        ("x/[ab].yaml", ["a.yaml", "x/testdata/c.yaml"]),
        ("?.yaml", []),
    ],
)
def test_exclude(tmp_path: Path, glob: str, left: list[str]) -> None:
    put(tmp_path, "a.yaml", "x/a.yaml", "x/b.yaml", "x/testdata/c.yaml")
    assert names(tmp_path, exclude=(glob,)) == left


def test_links(tmp_path: Path) -> None:
    root = tmp_path / "root"
    put(tmp_path, "outside/secret.yaml", "root/real/a.yaml", "root/b.yaml")
    (root / "again").symlink_to("real")
    (root / "loop").symlink_to(".")
    (root / "real/up").symlink_to("..")
    (root / "out").symlink_to("../outside")
    (root / "out.yaml").symlink_to("../outside/secret.yaml")
    (root / "same.yaml").symlink_to("b.yaml")
    put(root, "real/data.txt")
    (root / "data.yaml").symlink_to("real/data.txt")
    assert names(root) == ["b.yaml", "real/a.yaml", "data.yaml"]
    # Naming a link is asking for it.
    assert names(root, "out.yaml") == ["out.yaml"]


def test_shown_paths_are_relative_to_the_working_directory(tmp_path: Path) -> None:
    put(tmp_path, "a/b.yaml")
    (tmp_path / "c").mkdir()
    assert names(tmp_path / "c", "../a") == ["../a/b.yaml"]
    assert names(tmp_path, str(tmp_path / "a")) == ["a/b.yaml"]


def test_unreadable_files(tmp_path: Path) -> None:
    put(tmp_path, "a.yaml", "b.yaml")
    os.chmod(tmp_path / "a.yaml", 0)
    if os.access(tmp_path / "a.yaml", os.R_OK):
        pytest.skip("permissions do not bind this user")
    assert names(tmp_path) == ["b.yaml"]


def test_too_many_files(tmp_path: Path) -> None:
    put(tmp_path, "a.yaml", "b.yaml", "c.yaml")
    with pytest.raises(SourceError, match="more than 2"):
        read(["."], options=ReadOptions(cwd=tmp_path, limits=Limits(files=2)))
