"""Files of a git revision in a folder of their own, read from git's objects: no checkout, no filter, no hook runs."""

import os
import posixpath
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

_TIMEOUT = 120
_LIMIT = 512 * 1024 * 1024
_SMALL = 1024 * 1024
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never", "-c", "core.hooksPath=/dev/null")
# A hook has these set for its own repository and folder; the paths say which repository is meant.
_NOT_OURS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE")
# What these say may lie outside their folder: bases, components, values.
_REFERRING = frozenset({"kustomization.yaml", "kustomization.yml", "Kustomization", "Chart.yaml"})


@dataclass(frozen=True, slots=True)
class _Entry:
    identity: str
    size: int
    is_link: bool


class Revision:
    """PATHS as they are in a revision of the repository that holds the first of them.

    `whole`: what lies outside the paths is needed too. Raises click.UsageError where there is no repository or no such
    revision, and for paths outside the repository.
    """

    def __init__(self, revision: str, paths: Sequence[str], *, whole: bool = False) -> None:
        self._given = list(paths) or ["."]
        self._whole = whole
        folder = _folder_of(self._given[0])
        self._top = Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel").rstrip(b"\n"))).resolve()
        asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        self._commit = _git(self._top, *asked, what=revision).decode("ascii").strip()
        self._inside = [_below(self._top, path) for path in self._given]
        self._entries = self._list()

    @contextmanager
    def now(self) -> Iterator[list[str]]:
        """The paths as they are in the working tree. What the revision has and the tree has no more is empty."""
        with tempfile.TemporaryDirectory(prefix="netlint-") as empty:
            yield [
                empty if not os.path.exists(path) and self._holds(inside) else path
                for path, inside in zip(self._given, self._inside, strict=True)
            ]

    @contextmanager
    def files(self) -> Iterator[list[str]]:
        """The paths as they were, below a temporary folder that goes away at the end.

        Meanwhile the working directory is the one there that corresponds to it, so that relative paths, also those of
        a configuration, mean the same. A path that the revision does not have stands for an empty folder.
        """
        here = Path.cwd().resolve()
        with tempfile.TemporaryDirectory(prefix="netlint-") as scratch:
            # All folders above are there too, so that a file has the same relative path as now.
            base = Path(scratch).resolve() / "tree"
            root, there = (base / path.relative_to(path.anchor) for path in (self._top, here))
            empty = base.parent / "empty"
            for folder in (root, there, empty):
                folder.mkdir(parents=True, exist_ok=True)
            self._extract(root)
            with chdir(there):
                yield [
                    os.path.relpath(each if each.exists() else empty, there)
                    for each in map(root.joinpath, self._inside)
                ]

    def _holds(self, path: str) -> bool:
        return path == "." or any(name == path or name.startswith(f"{path}/") for name in self._entries)

    def _list(self) -> dict[str, _Entry]:
        entries: dict[str, _Entry] = {}
        for line in filter(
            None, _git(self._top, "ls-tree", "-r", "-l", "-z", "--full-tree", self._commit).split(b"\0")
        ):
            description, _, name = line.partition(b"\t")
            mode, kind, identity, size = description.split()
            path = os.fsdecode(name)
            if kind == b"blob" and not {"", ".", "..", ".git"} & set(path.split("/")):
                entries[path] = _Entry(identity.decode("ascii"), int(size), mode == b"120000")
        return entries

    def _extract(self, root: Path) -> None:
        written: dict[str, None] = {}
        wanted = self._below(self._inside)
        if self._whole or any(posixpath.basename(name) in _REFERRING for name in wanted):
            wanted += [name for name, entry in self._entries.items() if entry.size <= _SMALL]
        while wanted:
            names = [name for name in dict.fromkeys(wanted) if name not in written]
            written.update(dict.fromkeys(names))
            if sum(self._entries[name].size for name in written) > _LIMIT:
                raise click.UsageError("the revision holds more than 512 MB below these paths; name fewer of them")
            aims = [_write(root, name, self._entries[name], body) for name, body in self._read(names)]
            wanted = self._below(aim for aim in aims if aim is not None)

    def _below(self, paths: Iterable[str]) -> list[str]:
        """The files that the paths are, or that lie below them."""
        chosen = set(paths)
        return [
            name
            for name in self._entries
            if chosen and ("." in chosen or name in chosen or any(str(up) in chosen for up in _folders(name)))
        ]

    def _read(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        if not names:
            return
        request = "".join(f"{self._entries[name].identity}\n" for name in names).encode("ascii")
        content = _git(self._top, "cat-file", "--batch", given=request)
        place = 0
        for name in names:
            start = content.index(b"\n", place) + 1
            end = start + int(content[place:start].split()[2])
            yield name, content[start:end]
            place = end + 1


def _folders(name: str) -> Iterator[str]:
    while name := posixpath.dirname(name):
        yield name


def _folder_of(path: str) -> Path:
    """The nearest folder that exists."""
    found = Path(path).absolute()
    while not found.is_dir() and found != found.parent:
        found = found.parent
    return found


def _below(top: Path, path: str) -> str:
    if path == "-":
        raise click.UsageError("--rev compares files of a repository, not standard input")
    absolute = Path(path).absolute()
    # The last part may be a link of the repository: only what leads there is resolved.
    resolved = absolute.parent.resolve() / absolute.name if absolute.name != ".." else absolute.resolve()
    for candidate in (resolved, absolute.resolve()):
        if candidate == top:
            return "."
        if candidate.is_relative_to(top):
            return candidate.relative_to(top).as_posix()
    raise click.UsageError(f"{path} is not in the repository {top}")


def _write(root: Path, name: str, entry: _Entry, body: bytes) -> str | None:
    """Write one file. Of a link that stays inside the repository, where it leads."""
    target = root / name
    if not target.parent.resolve().is_relative_to(root):
        return None
    target.parent.mkdir(parents=True, exist_ok=True)
    if not entry.is_link:
        target.write_bytes(body)
        return None
    aim = os.fsdecode(body)
    inside = posixpath.normpath(posixpath.join(posixpath.dirname(name), aim))
    if posixpath.isabs(aim) or inside.split("/")[0] == "..":
        return None
    target.symlink_to(aim)
    return inside


def _git(folder: Path, *arguments: str, given: bytes | None = None, what: str | None = None) -> bytes:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    for name in _NOT_OURS:
        environment.pop(name, None)
    try:
        done = subprocess.run(
            [*_GIT, *arguments],
            cwd=folder,
            input=given,
            capture_output=True,
            env=environment,
            timeout=_TIMEOUT,
            check=False,
        )
    except FileNotFoundError:
        raise click.UsageError("--rev needs the program git") from None
    except subprocess.TimeoutExpired:
        raise click.UsageError(f"git {arguments[0]} took more than {_TIMEOUT} seconds") from None
    if done.returncode:
        if what is not None:
            raise click.UsageError(f"--rev: the repository has no revision {what!r}")
        said = os.fsdecode(done.stderr).strip().splitlines()
        raise click.UsageError(f"--rev: git {arguments[0]}: {said[-1] if said else f'exit status {done.returncode}'}")
    return done.stdout
