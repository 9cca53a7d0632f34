"""The same input gives the same bytes, whatever the order of files and the seed of hashes."""

import itertools
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["FairwindsOps+polaris", "dockersamples+example-voting-app", "metallb+metallb"]


def output(paths: list[str], folder: Path, seed: str, form: str) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "netlint", "check", "--format", form, "--pedantic", *paths],
        cwd=folder,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    assert done.returncode in (0, 1), done.stderr.decode()[-500:]
    return done.stdout


def same_bytes(folder: Path) -> None:
    files = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix in (".yaml", ".yml", ".json") and path.is_file()
    )[:60]
    shuffled = random.Random(7).sample(files, len(files))
    for form in ("json", "sarif"):
        orders = itertools.product((files, shuffled), ("0", "1"))
        outputs = {output(order, folder, seed, form) for order, seed in orders}
        assert len(outputs) == 1, f"{form} of {folder.name} depends on the order of files or on the hash seed"


@pytest.mark.parametrize("name", FOLDERS)
def test_corpus(shared: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(shared / "corpus" / name, tmp_path / "in", ignore_dangling_symlinks=True)
    same_bytes(tmp_path / "in")


def test_fixture() -> None:
    same_bytes(ROOT / "fixtures" / "web-shop")
