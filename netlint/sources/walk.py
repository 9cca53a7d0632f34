"""Which files a list of paths names: folders in sorted order, without hidden and vendored ones, links followed once."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from netlint.sources.options import ReadOptions, SourceError

UNIT_FILES: Final = frozenset(("kustomization.yaml", "kustomization.yml", "Kustomization", "Chart.yaml"))
SUFFIXES: Final = (".yaml", ".yml", ".json")
VENDORED: Final = frozenset(("node_modules", "vendor", "venv", "__pycache__", "site-packages", "bower_components"))


@dataclass(slots=True)
class Walk:
    """What paths named: plain `files` (named ones and found ones) and every `folder` that was entered, in order."""

    files: dict[str, bool] = field(default_factory=dict)
    """Path -> whether it was named on the command line."""
    folders: list[str] = field(default_factory=list)
    roots: list[str] = field(default_factory=list)
    stdin: bool = False
    units: bool = False
    """Whether a kustomization or a chart may be among the folders or named files."""


def walk(paths: list[str], options: ReadOptions) -> Walk:
    """Every file below `paths`. Raises SourceError where a path does not exist."""
    found = Walk()
    cwd = options.folder
    excluded = Excluder(options.exclude, options.exclude_from or cwd)
    for path in paths:
        if path == "-":
            found.stdin = True
            continue
        if not path:
            raise SourceError("a path is empty; name the folder or file to read")
        full = os.path.normpath(os.path.join(cwd, path))
        if os.path.isdir(full):
            found.roots.append(full)
            _folder(full, excluded, found, options)
        elif os.path.exists(full):
            found.roots.append(full)
            found.files[full] = True
            found.units |= os.path.basename(full) in UNIT_FILES
        elif os.path.islink(full):
            raise SourceError(f"{path}: the symbolic link leads nowhere")
        else:
            raise SourceError(f"{path}: no such file or folder")
    return found


def _folder(root: str, excluded: "Excluder", found: Walk, options: ReadOptions) -> None:
    real_root = os.path.realpath(root)
    seen_folders = {real_root}
    seen_files: dict[str, str] = {}
    links: list[str] = []
    pending = [root]
    while pending:
        folder = pending.pop()
        found.folders.append(folder)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            if folder == root:
                raise SourceError(f"{folder}: {error.strerror or error}") from None
            continue
        below = []
        for entry in entries:
            name = entry.name
            if name.startswith(".") or excluded(entry.path):
                continue
            if name in UNIT_FILES:
                found.units = True
            if entry.is_symlink():
                links.append(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                if name not in VENDORED and not os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
                    real = os.path.realpath(entry.path)
                    if real not in seen_folders:
                        seen_folders.add(real)
                        below.append(entry.path)
            elif name.endswith(SUFFIXES) and entry.is_file(follow_symlinks=False):
                if len(found.files) >= options.limits.files:
                    raise SourceError(f"{root}: more than {options.limits.files} manifest files below one folder")
                seen_files[os.path.realpath(entry.path)] = entry.path
                found.files.setdefault(entry.path, False)
        pending.extend(reversed(below))
        if not pending and links:
            # Links come last, so that what is reached by its own name keeps it.
            for link in sorted(links):
                _link(link, real_root, seen_folders, seen_files, pending, found)
            links = []
            pending.reverse()


def _link(
    link: str, real_root: str, seen_folders: set[str], seen_files: dict[str, str], pending: list[str], found: Walk
) -> None:
    real = os.path.realpath(link)
    if not (real == real_root or real.startswith(real_root.rstrip(os.sep) + os.sep)):
        return
    inside = os.path.relpath(real, real_root).split(os.sep)
    if any(part in VENDORED or (part.startswith(".") and part != ".") for part in inside):
        return
    if os.path.isdir(real):
        if real not in seen_folders:
            seen_folders.add(real)
            pending.append(link)
    elif os.path.isfile(real) and link.endswith(SUFFIXES) and real not in seen_files:
        seen_files[real] = link
        found.files.setdefault(link, False)


class Excluder:
    """Whether a path fits one of the exclude globs; `**` crosses folders, a glob that names a folder covers it."""

    def __init__(self, globs: tuple[str, ...], folder: Path) -> None:
        self._patterns = [_glob(glob) for glob in globs]
        self._folder = str(folder)

    def __call__(self, path: str) -> bool:
        if not self._patterns:
            return False
        text = shown(path, self._folder)
        return any(pattern.fullmatch(text) for pattern in self._patterns)


@lru_cache(maxsize=256)
def _glob(glob: str) -> re.Pattern[str]:
    glob = glob.removeprefix("./").rstrip("/")
    if glob.endswith("/**"):
        # `dir/**` names everything in the folder, and so the folder itself need not be entered.
        glob = glob[:-3]
    parts: list[str] = []
    at = 0
    while at < len(glob):
        if glob.startswith("**/", at):
            parts.append("(?:.*/)?")
            at += 3
        elif glob.startswith("**", at):
            parts.append(".*")
            at += 2
        elif glob[at] == "*":
            parts.append("[^/]*")
            at += 1
        elif glob[at] == "?":
            parts.append("[^/]")
            at += 1
        elif glob[at] == "[" and (close := glob.find("]", at + 2)) > 0:
            inner = glob[at + 1 : close].replace("\\", "\\\\")
            parts.append(f"[{'^' + inner[1:] if inner[0] in '!^' else inner}]")
            at = close + 1
        else:
            parts.append(re.escape(glob[at]))
            at += 1
    pattern = "".join(parts)
    prefix = "(?:.*/)?" if "/" not in glob else ""
    return re.compile(f"{prefix}{pattern}(?:/.*)?", re.DOTALL)


def shown(path: str, cwd: str) -> str:
    """A path as people see it: relative to the working directory, with forward slashes; absolute when elsewhere."""
    try:
        relative = os.path.relpath(path, cwd)
    except ValueError:  # another drive on Windows
        relative = path
    return relative.replace(os.sep, "/")


def folders_above(path: str) -> Iterator[str]:
    """The folder of a file, its parent, and so on to the root of the file system."""
    folder = os.path.dirname(path)
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent
