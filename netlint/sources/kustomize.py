"""Kustomizations: which there are, which files they own, and what they render to.

Fields are those of kustomize.config.k8s.io (kubectl.docs.kubernetes.io/references/kustomize/kustomization).
"""

import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from netlint.findings import Finding, Location, Path, Severity
from netlint.sources import problems
from netlint.sources.document import Document, SourceUnit
from netlint.sources.files import SourceFile
from netlint.sources.lines import LineTable
from netlint.sources.options import Limits
from netlint.sources.problems import one_line
from netlint.sources.programs import run
from netlint.sources.rendered import OriginPositions, Origins, Rendered
from netlint.sources.streams import read_stream
from netlint.sources.walk import SUFFIXES, shown

FILE_NAMES: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_REMOTE: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]*::)?(?:https?|ssh|git|file|oci|s3|gcs|hg)://|git::|git@|[\w.-]+@[\w.-]+:|"
    r"(?:www\.)?(?:github|gitlab|bitbucket)\.(?:com|org)[/:]|.*\?(?:.*&)?(?:ref|version|submodules|timeout)="
)
_KEEPS: Final = frozenset(
    (
        "apiVersion",
        "kind",
        "metadata",
        "resources",
        "bases",
        "configMapGenerator",
        "secretGenerator",
        "generatorOptions",
        "generators",
        "validators",
        "images",
        "crds",
        "configurations",
        "openapi",
        "buildMetadata",
        "sortOptions",
        "helmCharts",
        "helmGlobals",
        "helmChartInflationGenerator",
    )
)
"""Fields that add objects, or change of others nothing but images and hashed names. Every other one may change what
an object says: its namespace, its labels, any field."""
_ORIGIN: Final = "config.kubernetes.io/origin"


@dataclass(slots=True)
class Kustomization:
    """One kustomization file. `uses` are the folders of others that it builds on, `owned` all files it names,
    `resources` those of them that are objects. With their places: `remote` what it would fetch from elsewhere,
    `missing` what does not exist, `charts` where it takes Helm charts in. `alters`: it may
    change what it takes in. `findings` are what is wrong with its own text."""

    folder: str
    path: str
    component: bool = False
    alters: bool = False
    uses: list[str] = field(default_factory=list)
    owned: set[str] = field(default_factory=set)
    resources: list[str] = field(default_factory=list)
    remote: list[tuple[str, Location]] = field(default_factory=list)
    missing: list[tuple[str, Location]] = field(default_factory=list)
    charts: list[Location] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def load(folder: str, cwd: str, limits: Limits) -> Kustomization | None:
    """The kustomization of a folder, or None where it has none that kustomize would take."""
    path = next((p for name in FILE_NAMES if os.path.isfile(p := os.path.join(folder, name))), None)
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            text = stream.read(1_000_000)
    except (OSError, UnicodeError):
        return None
    read = read_stream(SourceFile(shown(path, cwd), text), limits, LineTable(), named=True)
    if len(read.documents) != 1 or not isinstance(read.documents[0].data, dict):
        return None
    document = read.documents[0]
    version, kind = document.data.get("apiVersion"), document.data.get("kind")
    if version is not None and not str(version).startswith("kustomize.config.k8s.io/"):
        return None
    if kind not in (None, "Kustomization", "Component"):
        return None
    made = Kustomization(os.path.realpath(folder), path, component=kind == "Component")
    made.findings += read.findings
    made.alters = made.component or any(key not in _KEEPS and value for key, value in document.data.items())
    made.owned.add(os.path.realpath(path))
    made.charts += (
        document.locate((name,)) for name in ("helmCharts", "helmChartInflationGenerator") if document.data.get(name)
    )
    for text, place, what in _references(document.data):
        _refer(made, text, document.locate(place), what)
    return made


def _refer(made: Kustomization, text: str, where: Location, what: str) -> None:
    full = os.path.normpath(os.path.join(made.folder, text))
    if os.path.isdir(full) and what != "file":
        made.uses.append(os.path.realpath(full))
    elif os.path.isfile(full):
        real = os.path.realpath(full)
        made.owned.add(real)
        if what == "resource":
            made.resources.append(real)
    elif _REMOTE.match(text) and what != "file":
        made.remote.append((text, where))
    else:
        made.missing.append((text, where))


def _references(data: dict[str, Any]) -> Iterable[tuple[str, Path, str]]:
    """Every file or folder that a kustomization names: its text, its place, and whether it is a resource."""
    for name in ("resources", "bases", "components"):
        for index, item in _texts(data.get(name)):
            yield item, (name, index), "resource"
    for name in ("generators", "transformers", "validators", "crds", "configurations", "patchesStrategicMerge"):
        for index, item in _texts(data.get(name)):
            if "\n" not in item:
                what = "file" if name in ("crds", "configurations", "patchesStrategicMerge") else "any"
                yield item, (name, index), what
    for name in ("patches", "patchesJson6902", "replacements"):
        for index, entry in _mappings(data.get(name)):
            if isinstance(entry.get("path"), str):
                yield entry["path"], (name, index, "path"), "file"
    for name in ("configMapGenerator", "secretGenerator"):
        for index, entry in _mappings(data.get(name)):
            for key in ("files", "envs"):
                for inner, item in _texts(entry.get(key)):
                    yield item.rpartition("=")[2], (name, index, key, inner), "file"
            if isinstance(entry.get("env"), str):
                yield entry["env"], (name, index, "env"), "file"
    for index, entry in _mappings(data.get("helmCharts")):
        if isinstance(entry.get("valuesFile"), str):
            yield entry["valuesFile"], ("helmCharts", index, "valuesFile"), "file"
        for inner, item in _texts(entry.get("additionalValuesFiles")):
            yield item, ("helmCharts", index, "additionalValuesFiles", inner), "file"
    openapi = data.get("openapi")
    if isinstance(openapi, dict) and isinstance(openapi.get("path"), str):
        yield openapi["path"], ("openapi", "path"), "file"


def _texts(value: Any) -> Iterable[tuple[int, str]]:
    if isinstance(value, list):
        yield from ((index, item) for index, item in enumerate(value) if isinstance(item, str))


def _mappings(value: Any) -> Iterable[tuple[int, dict[str, Any]]]:
    if isinstance(value, list):
        yield from ((index, item) for index, item in enumerate(value) if isinstance(item, dict))


class Closure:
    """A kustomization and everything it builds on, also outside of the input."""

    def __init__(self, root: Kustomization, known: dict[str, Kustomization | None], cwd: str, limits: Limits) -> None:
        self.members: list[Kustomization] = []
        self.kept: set[str] = set()
        """Resource files that come out as they are written: nothing on one way to them alters them."""
        pending = [root.folder]
        seen: set[str] = set()
        while pending:
            folder = pending.pop(0)
            if folder in seen:
                continue
            seen.add(folder)
            if folder not in known:
                known[folder] = load(folder, cwd, limits)
            member = known[folder]
            if member is not None:
                self.members.append(member)
                pending.extend(member.uses)
        by_folder = {member.folder: member for member in self.members}
        pending = [root.folder]
        while pending:
            keeping = by_folder.pop(pending.pop(), None)
            if keeping is not None and not keeping.alters:
                self.kept.update(keeping.resources)
                pending.extend(keeping.uses)

    @property
    def owned(self) -> set[str]:
        return {path for member in self.members for path in member.owned}


@lru_cache(maxsize=1)
def program() -> tuple[str, ...] | None:
    """The command that builds a kustomization, or None where neither kustomize nor kubectl is installed."""
    if path := shutil.which("kustomize"):
        return (path, "build")
    if path := shutil.which("kubectl"):
        return (path, "kustomize")
    return None


def render(root: Kustomization, closure: Closure, cwd: str, limits: Limits, origins: Origins, *, on: bool) -> Rendered:
    """The objects of a kustomization. Where it cannot be built there is one finding; of its resource files, those
    that it would not alter are read as they stand, and of the others only faults of syntax are said."""
    name = shown(os.path.join(cwd, root.folder), cwd)
    unit = SourceUnit("kustomization", name, frozenset(shown(path, cwd) for path in closure.owned))
    file = shown(root.path, cwd)
    top = Location(file, 1, 1, 1, 1)
    remote = [entry for member in closure.members for entry in member.remote]
    missing = [entry for member in closure.members for entry in member.missing]
    command = program()
    if missing:
        finding = problems.unrendered(
            missing[0][1],
            f"this kustomization cannot be built: {problems.quoted(missing[0][0])} does not exist",
            "Add the file or remove the entry.",
            Severity.WARNING,
        )
    elif remote:
        finding = problems.unrendered(
            remote[0][1],
            f"this kustomization takes {problems.quoted(remote[0][0])} from the network, which netlint never uses; "
            "it was not built",
            "Run `kustomize build` yourself and give netlint the output, or keep a copy of the base in the repository.",
        )
    elif charts := [place for member in closure.members for place in member.charts]:
        finding = problems.unrendered(
            charts[0],
            "this kustomization takes charts in, which kustomize does only with --enable-helm; it was not built",
            "Run `kustomize build --enable-helm` yourself and give netlint the output.",
        )
    elif not on or command is None:
        finding = problems.unrendered(
            top,
            "this kustomization was not built: neither kustomize nor kubectl is installed"
            if on
            else "this kustomization was not built, as asked for",
            "Install kustomize or kubectl, or give netlint the output of `kustomize build`.",
            Severity.WARNING,
        )
    else:
        text, error = _build(command, root.folder, cwd, limits)
        if error is None:
            overlays = _overlays(closure, cwd, origins)
            return Rendered(_documents(text, file, unit, overlays, cwd, limits, origins), [])
        finding = problems.unrendered(
            top,
            f"kustomize cannot build this kustomization: {error}",
            "Mend it until `kustomize build` works.",
            Severity.WARNING,
        )
    made = _unbuilt(closure, unit, cwd, origins)
    altered = any(path not in closure.kept for member in closure.members for path in member.resources)
    said = "Objects that it would alter were not checked." if altered else "Its resources were checked as they stand."
    made.findings.insert(0, replace(finding, help=f"{finding.help} {said}"))
    return made


def _build(command: tuple[str, ...], folder: str, cwd: str, limits: Limits) -> tuple[str, str | None]:
    with tempfile.TemporaryDirectory(prefix="netlint-") as wrapper:
        wrapper = os.path.realpath(wrapper)
        target = os.path.relpath(folder, wrapper).replace("\\", "/")
        quoted = target.replace("'", "''")
        for asked in ("buildMetadata: [originAnnotations]\n", ""):
            with open(os.path.join(wrapper, "kustomization.yaml"), "w", encoding="utf-8") as stream:
                stream.write(f"resources: ['{quoted}']\n{asked}")
            output = run((*command, wrapper), limits.render_seconds, limits.file_size)
            error = output.error
            # kustomize before v4.5 (kubectl before 1.24) does not know the annotation: findings then stay at the
            # kustomization.
            if error is None or "buildMetadata" not in error or "unknown field" not in error:
                break
        if error is not None:
            error = _readable(error, wrapper, folder, cwd)
        return _absolute(output.text, wrapper), error


_PATH_LINE: Final = re.compile(r"^(      (?:path|configuredIn): )(\.\..*)$", re.MULTILINE)


def _absolute(text: str, wrapper: str) -> str:
    return _PATH_LINE.sub(lambda match: match[1] + os.path.normpath(os.path.join(wrapper, match[2])), text)


_NESTED: Final = re.compile(
    r"accumulating resources: accumulation err='(?:accumulating|merging) resources from '([^']*)': (.*)", re.DOTALL
)
_BELOW: Final = re.compile(
    r"'([^']*)' must resolve to a file': (?:couldn't make target for path '[^']*': )?(.*)", re.DOTALL
)


def _readable(error: str, wrapper: str, folder: str, cwd: str) -> str:
    """What kustomize said, without its logger's prefix and the nest of folders that it went through."""
    logged = re.search(r'err="((?:[^"\\]|\\.)*)"', error)
    error = (
        (logged[1].partition("\\n")[0].replace('\\"', '"') if logged else error)
        .removeprefix("Error: ")
        .removeprefix("error: ")
    )
    cause = re.match(r".*recursed (?:accumulation|merging) [^:]*: (.*)", error)
    error = cause[1] if cause else error
    error = error.replace(wrapper, "").replace(folder, ".").replace(cwd + os.sep, "")
    while nested := _NESTED.match(error):
        about, error = nested[1], nested[2]
        if below := _BELOW.match(error):
            about, error = below[1], below[2]
        error = error.partition("': must build at directory")[0]
        if about != "." and not _NESTED.match(error):
            error = f"{about}: {error}"
    return one_line(error)


def _overlays(closure: Closure, cwd: str, origins: Origins) -> tuple[str, ...]:
    """The files that may set fields of others, those of the uppermost kustomization first: the last to have a say."""
    found = []
    for member in closure.members:
        for path in sorted(member.owned - set(member.resources)):
            file = shown(path, cwd)
            if path.endswith((*SUFFIXES, "Kustomization")) and origins.add(file, path):
                found.append(file)
    return tuple(dict.fromkeys(found))


def _documents(
    text: str, file: str, unit: SourceUnit, overlays: tuple[str, ...], cwd: str, limits: Limits, origins: Origins
) -> list[Document]:
    source = SourceFile(file, text)
    documents = read_stream(source, limits, origins.table, named=False).documents
    for document in documents:
        path = _take_origin(document.data)
        origin = shown(path, cwd) if path is not None else file
        if path is not None and origins.add(origin, path):
            document.positions = OriginPositions(origin, document.data, origins, overlays)
            document.file = origin
        else:
            document.positions = OriginPositions(file, None, origins)
            document.file = file
        document.unit = unit
        document.rendered = True
    return documents


def _take_origin(data: Any) -> str | None:
    """Remove the annotation that netlint asked for, and return the file it names."""
    metadata = data.get("metadata") if isinstance(data, dict) else None
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if not isinstance(metadata, dict) or not isinstance(annotations, dict):
        return None
    origin = annotations.pop(_ORIGIN, None)
    if not annotations:
        del metadata["annotations"]
    match = re.search(r"^(?:path|configuredIn): (.*)$", str(origin or ""), re.MULTILINE)
    return match[1] if match else None


def _unbuilt(closure: Closure, unit: SourceUnit, cwd: str, origins: Origins) -> Rendered:
    """The resource files that would come out as they stand, and the faults of all."""
    made = Rendered()
    for path in sorted({path for member in closure.members for path in member.resources}):
        file = shown(path, cwd)
        if origins.add(file, path):
            stream = origins.stream(file)
            if path in closure.kept:
                made.documents += (Document(d.file, d.index, d.data, d.positions, unit) for d in stream.documents)
            made.findings += stream.findings
    return made
