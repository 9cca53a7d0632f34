"""The kustomizations and charts among the folders of the input: what they own, and what they render to."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from netlint.findings import Finding
from netlint.sources import helm, kustomize
from netlint.sources.document import Document
from netlint.sources.lines import LineTable
from netlint.sources.options import ReadOptions
from netlint.sources.rendered import Origins, Rendered
from netlint.sources.walk import Walk, shown


@dataclass(slots=True)
class Units:
    """What the units of the input gave, and the real paths of all files that they own."""

    documents: list[Document] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    owned: set[str] = field(default_factory=set)
    chart_folders: list[str] = field(default_factory=list)
    origins: Origins | None = None

    def owns(self, real: str) -> bool:
        """Whether a file is part of a unit, and so no plain file."""
        return real in self.owned or any(real.startswith(folder) for folder in self.chart_folders)


def find(found: Walk, options: ReadOptions, table: LineTable) -> Units:
    """Render every chart and every kustomization that no other one uses."""
    units = Units(origins=Origins(options.limits, table))
    assert units.origins is not None
    jobs = [*_charts(found, options, units), *_kustomizations(found, options, units)]
    if not jobs:
        return units
    with ThreadPoolExecutor(max_workers=min(8, (os.cpu_count() or 1) + 1)) as pool:
        outputs = list(pool.map(lambda job: job.run(units.origins), jobs))
    for output in outputs:
        units.documents += output.documents
        # Overlays that share a base say the same of it.
        units.findings += (finding for finding in output.findings if finding not in units.findings)
    return units


@dataclass(slots=True)
class _ChartJob:
    chart: helm.Chart
    values: tuple[str, ...]
    owned: frozenset[str]
    options: ReadOptions

    def run(self, origins: Origins | None) -> Rendered:
        assert origins is not None
        options = self.options
        cwd = str(options.folder)
        return helm.render(self.chart, self.values, cwd, options.limits, origins, on=options.render, owned=self.owned)


@dataclass(slots=True)
class _KustomizeJob:
    root: kustomize.Kustomization
    closure: kustomize.Closure
    options: ReadOptions

    def run(self, origins: Origins | None) -> Rendered:
        assert origins is not None
        options = self.options
        return kustomize.render(
            self.root, self.closure, str(options.folder), options.limits, origins, on=options.render
        )


def _charts(found: Walk, options: ReadOptions, units: Units) -> list[_ChartJob]:
    cwd = str(options.folder)
    charts: list[helm.Chart] = []
    named = [os.path.dirname(path) for path, is_named in found.files.items() if is_named and _is_chart(path)]
    for folder in dict.fromkeys((*found.folders, *named)):
        if os.path.isfile(os.path.join(folder, "Chart.yaml")):
            chart = helm.load(folder, cwd, options.limits)
            if chart is not None:
                charts.append(chart)
    folders = {chart.folder + os.sep for chart in charts}
    top = [c for c in charts if not any(c.folder.startswith(other) for other in folders)]
    jobs = []
    specs = {os.path.realpath(os.path.join(cwd, spec.path)): spec.values for spec in options.charts}
    for chart in top:
        units.chart_folders.append(chart.folder + os.sep)
        renders = os.path.isdir(os.path.join(chart.folder, "templates")) or os.path.isdir(
            os.path.join(chart.folder, "charts")
        )
        if chart.library or not (renders or chart.missing):
            continue
        owned = frozenset(
            shown(path, cwd) for path in found.files if os.path.realpath(path).startswith(chart.folder + os.sep)
        )
        jobs += [_ChartJob(chart, values, owned, options) for values in specs.get(chart.folder) or ((),)]
    return jobs


def _kustomizations(found: Walk, options: ReadOptions, units: Units) -> list[_KustomizeJob]:
    cwd = str(options.folder)
    known: dict[str, kustomize.Kustomization | None] = {}
    here: list[kustomize.Kustomization] = []
    named = [os.path.dirname(path) for path, is_named in found.files.items() if is_named and _is_kustomization(path)]
    for folder in [*found.folders, *named]:
        real = os.path.realpath(folder)
        if real in known:
            continue
        known[real] = kustomize.load(folder, cwd, options.limits)
        loaded = known[real]
        if loaded is not None and not units.owns(loaded.folder + os.sep + "x"):
            here.append(loaded)
            units.findings += loaded.findings
    used = {folder for one in here for folder in one.uses if folder != one.folder}
    jobs = []
    for one in here:
        closure = kustomize.Closure(one, known, cwd, options.limits)
        units.owned |= closure.owned
        if one.folder not in used and not one.component:
            jobs.append(_KustomizeJob(one, closure, options))
    return jobs


def _is_chart(path: str) -> bool:
    return os.path.basename(path) == "Chart.yaml"


def _is_kustomization(path: str) -> bool:
    return os.path.basename(path) in kustomize.FILE_NAMES
