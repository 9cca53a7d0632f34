"""The input is divided into clusters before anything is joined: two overlays of one application are no conflict."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from netlint.cluster.config import ClusterSettings, Config
from netlint.cluster.folders import split_by_folder
from netlint.cluster.identity import Identity, content, fingerprint, identity_of
from netlint.resources import Manifest
from netlint.sources.document import SourceUnit


@dataclass(frozen=True, slots=True)
class Duplicate:
    """One object that is written several times with different content. The server keeps the last one."""

    identity: Identity
    manifests: tuple[Manifest, ...]

    @property
    def kept(self) -> Manifest:
        return self.manifests[-1]


@dataclass(frozen=True, slots=True)
class ClusterInput:
    """What belongs to one cluster: its manifests in the order of files, and what the configuration says of it."""

    name: str
    manifests: tuple[Manifest, ...]
    settings: ClusterSettings | None = None

    def effective(self) -> tuple[tuple[Manifest, ...], tuple[Duplicate, ...]]:
        """Each object once, as the server would hold it, and the objects that are written in several ways."""
        groups: dict[Identity, list[Manifest]] = {}
        for manifest in self.manifests:
            identity = identity_of(manifest)
            if identity is not None:
                groups.setdefault(identity, []).append(manifest)
        dropped: set[int] = set()
        duplicates: list[Duplicate] = []
        for identity, group in groups.items():
            if len(group) == 1:
                continue
            versions: dict[str, Manifest] = {}
            for manifest in group:
                versions.setdefault(fingerprint(manifest), manifest)
            kept = list(versions.values())
            if len(kept) > 1:
                richest = _richest(kept)
                if richest is None:
                    duplicates.append(Duplicate(identity, tuple(kept)))
                    richest = kept[-1]
                kept = [richest]
            dropped.update(id(manifest) for manifest in group if manifest is not kept[0])
        return tuple(m for m in self.manifests if id(m) not in dropped), tuple(duplicates)


def divide(manifests: Sequence[Manifest], config: Config) -> list[ClusterInput]:
    """The clusters of the input, in the order of their names, "default" first. At least one, perhaps empty."""
    ordered = sorted(manifests, key=_place)
    if config.clusters is not None:
        return _as_configured(ordered, config.clusters, config)
    if config.cluster is not None:
        return [ClusterInput(config.cluster.name or "default", tuple(ordered), config.cluster)]
    units: dict[SourceUnit, list[Manifest]] = {}
    plain: list[Manifest] = []
    for manifest in ordered:
        unit = manifest.document.unit
        (plain if unit.kind == "plain" else units.setdefault(unit, [])).append(manifest)
    clusters: dict[str, Sequence[Manifest]] = {}
    parts = split_by_folder(plain) if plain or not units else []
    for name, part in [*parts, *((unit.name or unit.kind, members) for unit, members in _sorted_units(units))]:
        clusters[_unused(name, clusters)] = part
    names = sorted(clusters, key=lambda name: (name != "default", name))
    return [ClusterInput(name, tuple(clusters[name])) for name in names]


def _as_configured(
    ordered: Sequence[Manifest], blocks: Sequence[ClusterSettings], config: Config
) -> list[ClusterInput]:
    """One cluster a block. A file may belong to several; what belongs to none is the cluster "default".

    What was rendered belongs where its kustomization or chart does: overlays share the files of their base.
    """
    members: list[list[Manifest]] = [[] for _ in blocks]
    rest: list[Manifest] = []
    homes: dict[str, list[int]] = {}

    def home(path: str) -> list[int]:
        if path not in homes:
            homes[path] = [i for i, block in enumerate(blocks) if _belongs(config.from_root(path), block.paths)]
        return homes[path]

    for manifest in ordered:
        unit = manifest.document.unit
        found_in = (home(_folder(unit)) if unit.kind != "plain" else []) or home(manifest.document.file)
        for index in found_in:
            members[index].append(manifest)
        if not found_in:
            rest.append(manifest)
    found = [
        ClusterInput(block.name or "default", tuple(part), block) for block, part in zip(blocks, members, strict=True)
    ]
    if rest:
        found.append(ClusterInput(_unused("default", {cluster.name for cluster in found}), tuple(rest)))
    return found


def _folder(unit: SourceUnit) -> str:
    """The folder of a kustomization or chart: its name, without the values files that may follow it."""
    values = unit.kind == "chart" and unit.name.endswith(")")
    return unit.name.rpartition(" (")[0] if values else unit.name


def _belongs(path: str, patterns: Iterable[str] | None) -> bool:
    if patterns is None:
        return False
    for pattern in patterns:
        folder = pattern.removeprefix("./").rstrip("/")
        if folder in ("", ".") or path == folder or path.startswith(folder + "/") or fnmatch(path, folder):
            return True
    return False


def _sorted_units(units: dict[SourceUnit, list[Manifest]]) -> Iterator[tuple[SourceUnit, list[Manifest]]]:
    yield from sorted(units.items(), key=lambda item: (item[0].name, item[0].kind))


def _unused(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    if name not in names:
        return name
    return next(f"{name} ({number})" for number in range(2, len(names) + 3) if f"{name} ({number})" not in names)


def _place(manifest: Manifest) -> tuple[str, int, tuple[str | int, ...]]:
    return (manifest.document.file, manifest.document.index, manifest.prefix)


def _richest(versions: list[Manifest]) -> Manifest | None:
    """The Namespace that says all that the others say, where there is one: each folder may bring its own."""
    if versions[0].kind != "Namespace":
        return None
    contents = [content(version) for version in versions]
    for version, whole in zip(versions, contents, strict=True):
        if all(_within(part, whole) for part in contents):
            return version
    return None


def _within(part: object, whole: object) -> bool:
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _within(value, whole[key]) for key, value in part.items())
    return part == whole
