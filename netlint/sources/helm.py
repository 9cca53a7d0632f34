"""Charts: which there are, and what they render to with each set of values."""

import importlib.util
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from netlint.findings import Location, Related, Severity
from netlint.sources import problems
from netlint.sources.document import SourceUnit
from netlint.sources.files import SourceFile
from netlint.sources.lines import LineTable
from netlint.sources.options import Limits
from netlint.sources.programs import run
from netlint.sources.rendered import Origins, Rendered, TemplatePositions
from netlint.sources.streams import read_stream
from netlint.sources.walk import shown

_SOURCE: Final = re.compile(r"^# Source: (.+)$", re.MULTILINE)
_BLAMED: Final = re.compile(r"\b[\w.-]+/(templates/[\w./-]+):(\d+)")
_RELEASE: Final = "release-name"
"""The release name that `helm template` takes where none is given."""


@dataclass(slots=True)
class Chart:
    """A folder with a Chart.yaml. `dependencies` are the charts it needs that are not in its `charts` folder."""

    folder: str
    path: str
    name: str
    library: bool = False
    missing: list[str] = field(default_factory=list)


def load(folder: str, cwd: str, limits: Limits) -> Chart | None:
    """The chart of a folder, or None where it has none."""
    path = os.path.join(folder, "Chart.yaml")
    data = _data(path, limits)
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        return None
    made = Chart(os.path.realpath(folder), path, data["name"], library=data.get("type") == "library")
    requirements = _data(os.path.join(folder, "requirements.yaml"), limits)
    wanted = data.get("dependencies") or (requirements.get("dependencies") if isinstance(requirements, dict) else None)
    present = (
        sorted(os.listdir(os.path.join(folder, "charts"))) if os.path.isdir(os.path.join(folder, "charts")) else []
    )
    for entry in wanted if isinstance(wanted, list) else []:
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and not any(p == name or p.startswith(f"{name}-") for p in present):
            made.missing.append(name)
    return made


def _data(path: str, limits: Limits) -> Any:
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            text = stream.read(10_000_000)
    except (OSError, UnicodeError):
        return None
    documents = read_stream(SourceFile(path, text), limits, LineTable(), named=False).documents
    return documents[0].data if documents else None


def render(
    chart: Chart,
    values: tuple[str, ...],
    cwd: str,
    limits: Limits,
    origins: Origins,
    *,
    on: bool,
    owned: frozenset[str],
) -> Rendered:
    """The objects of a chart with one set of values files. Where it cannot be rendered there is one finding."""
    folder = shown(chart.folder, cwd)
    unit = SourceUnit("chart", f"{folder} ({', '.join(values)})" if values else folder, owned)
    top = Location(shown(chart.path, cwd), 1, 1, 1, 1)
    if chart.missing:
        return _failed(
            top,
            f"this chart was not rendered: it needs {', '.join(map(problems.quoted, chart.missing))}, which is not in "
            "its charts folder",
            "Run `helm dependency build` in its folder.",
            Severity.INFO,
        )
    files = []
    for name in values:
        found = next((p for base in (chart.folder, cwd) if os.path.isfile(p := os.path.join(base, name))), None)
        if found is None:
            return _failed(
                top, f"the values file {problems.quoted(name)} does not exist", "Mend `charts` in netlint.yaml."
            )
        files.append(os.path.realpath(found))
    if not on:
        return _failed(top, "this chart was not rendered, as asked for", "Give netlint the output of `helm template`.")
    program = shutil.which("helm")
    if program is not None:
        command = [program, "template", _RELEASE, chart.folder, "--skip-tests"]
        for file in files:
            command += ["--values", file]
        output = run(command, limits.render_seconds, limits.file_size)
        parts = list(_cut(output.text))
        error = output.error
    elif has_package():
        parts, error = _package(chart, files, limits)
    else:
        return _failed(
            top,
            "this chart was not rendered: neither helm nor the package helm-python-sdk is installed",
            "Install helm, or netlint with its extra: `pip install 'kube-netlint[helm]'`.",
        )
    if error is not None:
        blamed = _blamed(error, chart, cwd, origins)
        error = problems.one_line(error.removeprefix("Error: ").replace(chart.folder, folder))
        failed = _failed(top, f"helm cannot render this chart: {error}", "Mend it until `helm template` works.")
        if blamed is not None:
            related = (Related("the chart, of which nothing was checked", location=top),)
            failed.findings = [replace(one, location=blamed, related=related) for one in failed.findings]
        return failed
    return _documents(parts, chart, unit, cwd, limits, origins)


def _blamed(error: str, chart: Chart, cwd: str, origins: Origins) -> Location | None:
    """The line of the first template of the chart that helm names: `(shop/templates/web.yaml:8:17)`. Columns are
    left out: they count bytes, and not always from the start of the line."""
    for match in _BLAMED.finditer(error):
        path = os.path.join(chart.folder, *match[1].split("/"))
        file, line = shown(path, cwd), int(match[2])
        if os.path.isfile(path) and origins.add(file, path):
            lines = origins.files[file].lines
            if 0 < line <= len(lines):
                text = lines[line - 1].rstrip()
                return Location(file, line, len(text) - len(text.lstrip()) + 1, line, len(text) + 1)
    return None


def _failed(where: Location, message: str, remedy: str, severity: Severity = Severity.WARNING) -> Rendered:
    return Rendered([], [problems.unrendered(where, message, remedy, severity)])


@lru_cache(maxsize=1)
def has_package() -> bool:
    """Whether the optional package helm-python-sdk is installed."""
    return importlib.util.find_spec("helm_python") is not None


def _package(chart: Chart, files: list[str], limits: Limits) -> tuple[list[tuple[str, str]], str | None]:
    values: dict[str, Any] = {}
    for file in files:
        data = _data(file, limits)
        if isinstance(data, dict):
            values = _merged(values, data)
    request = json.dumps({"chart": chart.folder, "values": values, "name": _RELEASE}).encode()
    # The folder that netlint itself was found in: the child must import the same netlint, from any folder.
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    start = f"import sys; sys.path.append({home!r}); from netlint.sources.helm_worker import main; sys.exit(main())"
    output = run([sys.executable, "-I", "-c", start], limits.render_seconds, limits.file_size, request)
    if output.error is not None:
        return [], output.error
    manifests = json.loads(output.text)
    return [(name, manifests[name]) for name in sorted(manifests)], None


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    made = dict(below)
    for key, value in above.items():
        old = made.get(key)
        made[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return made


def _cut(text: str) -> Iterable[tuple[str, str]]:
    """The output of `helm template`, cut at its comments: template and text."""
    found = list(_SOURCE.finditer(text))
    for index, match in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        yield match[1].strip(), text[match.end() : end]


def _documents(
    parts: list[tuple[str, str]], chart: Chart, unit: SourceUnit, cwd: str, limits: Limits, origins: Origins
) -> Rendered:
    made = Rendered()
    for template, text in parts:
        if not template.endswith((".yaml", ".yml", ".json", ".tpl")):
            continue
        # `# Source: name/templates/x.yaml` begins with the chart's name, whatever its folder is called.
        inside = template.partition("/")[2]
        path = os.path.join(chart.folder, *inside.split("/"))
        file = shown(path, cwd)
        if not os.path.isfile(path) or not origins.add(file, path):
            file = shown(chart.path, cwd)
        stream = read_stream(SourceFile(file, text), limits, origins.table, named=False)
        for finding in stream.findings:
            if finding.code == "NET001":
                made.findings.append(
                    replace(
                        finding,
                        message=f"what this template renders cannot be read: {finding.message}",
                        location=Location(file, 1, 1, 1, 1),
                        related=(),
                    )
                )
        for document in stream.documents:
            if _is_test(document.data):
                continue
            document.positions = TemplatePositions(file, document.data, origins)
            document.unit = unit
            document.rendered = True
            made.documents.append(document)
    return made


def _is_test(data: Any) -> bool:
    metadata = data.get("metadata") if isinstance(data, dict) else None
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    hook = annotations.get("helm.sh/hook") if isinstance(annotations, dict) else None
    return isinstance(hook, str) and any(part.strip().startswith("test") for part in hook.split(","))
