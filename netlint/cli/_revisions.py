"""Files of a git revision in a folder of their own, read from git's objects: no checkout, no filter, no hook runs."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path

import click

_TIMEOUT = 120
_LIMIT = 512 * 1024 * 1024
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never", "-c", "core.hooksPath=/dev/null")


@contextmanager
def files_of(revision: str, paths: Sequence[str]) -> Iterator[list[str]]:
    """The same paths as they are in `revision`, below a temporary folder that goes away at the end.

    Meanwhile the working directory is the one there that corresponds to it, so that relative paths, also those of a
    configuration, mean the same. A path that the revision does not have stands for an empty folder. Raises
    click.UsageError where there is no repository or no such revision.
    """
    given = list(paths) or ["."]
    folder = Path(given[0]).absolute()
    folder = folder if folder.is_dir() else folder.parent
    top = Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel").rstrip(b"\n"))).resolve()
    commit = _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", what=revision)
    inside = [_below(top, path) for path in given]
    here = Path.cwd().resolve()
    with tempfile.TemporaryDirectory(prefix="netlint-") as scratch:
        root = Path(scratch).resolve()
        _extract(top, commit.decode("ascii").strip(), inside, root)
        for path in inside:
            if not (root / path).exists():
                (root / path).mkdir(parents=True)
        if not here.is_relative_to(top):
            yield [str(root / path) for path in inside]
            return
        there = root / here.relative_to(top)
        there.mkdir(parents=True, exist_ok=True)
        with chdir(there):
            yield [os.path.relpath(root / path, there) for path in inside]


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


def _extract(top: Path, commit: str, paths: Sequence[str], root: Path) -> None:
    listed = _git(top, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *(() if "." in paths else paths))
    names: list[tuple[str, bytes, bool]] = []
    for entry in filter(None, listed.split(b"\0")):
        description, _, name = entry.partition(b"\t")
        mode, kind, identity = description.split()
        if kind == b"blob":
            names.append((identity.decode("ascii"), name, mode == b"120000"))
    if not names:
        return
    request = "".join(f"{identity}\n" for identity, _, _ in names).encode("ascii")
    content = _git(top, "cat-file", "--batch", given=request)
    place, total = 0, 0
    for _, name, is_link in names:
        head_end = content.index(b"\n", place)
        size = int(content[place:head_end].split()[2])
        body = content[head_end + 1 : head_end + 1 + size]
        place = head_end + 1 + size + 1
        total += size
        if total > _LIMIT:
            raise click.UsageError("the revision holds more than 512 MB below these paths; name fewer of them")
        target = root / os.fsdecode(name)
        if not target.parent.resolve().is_relative_to(root):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if is_link:
            _link(target, body, root)
        else:
            target.write_bytes(body)


def _link(target: Path, body: bytes, root: Path) -> None:
    """A link of the repository, where it stays inside."""
    aim = os.fsdecode(body)
    if not os.path.isabs(aim) and Path(os.path.normpath(target.parent / aim)).is_relative_to(root):
        target.symlink_to(aim)


def _git(folder: Path, *arguments: str, given: bytes | None = None, what: str | None = None) -> bytes:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
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
