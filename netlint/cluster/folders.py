"""Plain files whose folders hold the same object in different forms are several clusters: overlays, environments,
a collection of examples. The folders are parted where they meet, and as little as that asks for."""

import posixpath
from collections.abc import Iterator, Sequence

from netlint.cluster.identity import SINGLETONS, Identity, fingerprint, identity_of
from netlint.resources import Manifest

MANY = 16
"""With more parts than this the input is a collection of unrelated things: the other folders are not read into each
part, which would multiply the work and mix what nobody deploys together, but stand as a cluster of their own."""

_Members = list[Manifest]
_Part = tuple[str, _Members]
_OWN = "."
"""Stands for the files that lie in a folder itself, among its subfolders."""


class _Folder:
    """A folder of the input: what lies in it, its subfolders, and which of these hold contradicting objects."""

    __slots__ = ("apart", "children", "files", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self.children: dict[str, _Folder] = {}
        self.files: _Members = []
        self.apart: set[str] = set()


def split_by_folder(manifests: Sequence[Manifest]) -> list[_Part]:
    """Name and manifests of each cluster. Files above the folders that part are in each of their clusters."""
    conflicts = _conflicts(manifests)
    if not conflicts:
        return [("default", list(manifests))]
    root = _tree(manifests)
    for versions in conflicts.values():
        _mark(root, [(_segments(m), text) for m, text in versions], 0)
    texts = {id(m): (identity, text) for identity, versions in conflicts.items() for m, text in versions}
    parts = _parts(root, texts)
    return [(name or "default", members) for name, members in _named(parts)]


def _conflicts(manifests: Sequence[Manifest]) -> dict[Identity, list[tuple[Manifest, str]]]:
    """The identities that are written in more than one way in more than one folder, with the text of each version."""
    groups: dict[Identity, list[Manifest]] = {}
    for manifest in manifests:
        identity = identity_of(manifest)
        if identity is None and not manifest.name and (manifest.group, manifest.kind) in SINGLETONS:
            identity = Identity(manifest.group, manifest.kind, None, "")
        # A Namespace comes along with whatever is put into it: it tells no clusters apart.
        if identity is not None and identity.kind != "Namespace":
            groups.setdefault(identity, []).append(manifest)
    found: dict[Identity, list[tuple[Manifest, str]]] = {}
    for identity, group in groups.items():
        if len(group) > 1 and len({posixpath.dirname(m.document.file) for m in group}) > 1:
            versions = [(m, fingerprint(m)) for m in group]
            if len({text for _, text in versions}) > 1:
                found[identity] = versions
    return found


def _segments(manifest: Manifest) -> list[str]:
    folder = posixpath.dirname(manifest.document.file)
    return folder.split("/") if folder else []


def _tree(manifests: Sequence[Manifest]) -> _Folder:
    root = _Folder("")
    for manifest in manifests:
        folder = root
        for segment in _segments(manifest):
            child = folder.children.get(segment)
            if child is None:
                path = f"{folder.path}/{segment}" if folder is not root else segment
                child = folder.children[segment] = _Folder(path)
            folder = child
        folder.files.append(manifest)
    return root


def _mark(folder: _Folder, versions: list[tuple[list[str], str]], depth: int) -> None:
    """Mark the children of `folder` that hold one object in different forms."""
    below: dict[str, list[tuple[list[str], str]]] = {}
    for segments, text in versions:
        below.setdefault(segments[depth] if depth < len(segments) else _OWN, []).append((segments, text))
    if len(below) > 1 and len({text for _, text in versions}) > 1:
        folder.apart.update(below)
    for name, members in below.items():
        if name != _OWN and len({text for _, text in members}) > 1:
            _mark(folder.children[name], members, depth + 1)


def _parts(folder: _Folder, texts: dict[int, tuple[Identity, str]]) -> list[_Part]:
    """The clusters of a folder: one, named after it, where nothing in it contradicts."""
    below = [(name, _parts(child, texts)) for name, child in sorted(folder.children.items())]
    if not folder.apart and all(len(parts) == 1 for _, parts in below):
        members = [*folder.files, *(m for _, parts in below for m in parts[0][1])]
        return [(folder.path, members)]
    found: list[_Part] = []
    shared: _Members = []
    for name, parts in below:
        if name in folder.apart or len(parts) > 1:
            found.extend(parts)
        else:
            shared.extend(parts[0][1])
    own_apart = _OWN in folder.apart
    if len(found) + own_apart > MANY:
        rest = [*folder.files, *shared]
        return [*found, (folder.path, rest)] if rest else found
    result = [(path, [*_beside(folder.files, members, texts), *shared, *members]) for path, members in found]
    if own_apart:
        result.append((folder.path, [*folder.files, *shared]))
    return result


def _beside(files: _Members, members: _Members, texts: dict[int, tuple[Identity, str]]) -> _Members:
    """The files above that say nothing else of any object of the part below them."""
    inside = dict(texts[id(m)] for m in members if id(m) in texts)
    out = {
        m.document.file
        for m in files
        if id(m) in texts and texts[id(m)][0] in inside and inside[texts[id(m)][0]] != texts[id(m)][1]
    }
    return [m for m in files if m.document.file not in out]


def _named(parts: list[_Part]) -> Iterator[_Part]:
    """Names from the folder where the clusters meet; members in the order of the input."""
    paths = [path for path, _ in parts]
    top = posixpath.commonpath(paths) if all(paths) and len({p.startswith("/") for p in paths}) == 1 else ""
    for path, members in parts:
        name = posixpath.relpath(path, top) if top and path != top else ("" if path == top else path)
        ordered = sorted(members, key=lambda m: (m.document.file, m.document.index, m.prefix))
        yield name, ordered
