"""What a check did not look at, and why: silence must not pass for a clean bill."""

import os
from collections.abc import Iterator, Sequence

from netlint.cluster import Cluster
from netlint.cluster.config import Config
from netlint.findings import Finding
from netlint.rules.catalogue import Header
from netlint.sources import Reading
from netlint.triage.selection import absent

_NAMED = 4
_KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")


def unchecked(reading: Reading, clusters: Sequence[Cluster], findings: Sequence[Finding]) -> Iterator[str]:
    """Sentences for people, in a fixed order; none where everything was checked."""
    unreadable = sum(finding.code == "NET001" for finding in reading.findings)
    if unreadable:
        yield f"{_count(unreadable, 'document')} could not be read (NET001)"
    # Of a template that fails, the chart is the related place: nothing of it was rendered.
    places = [
        [one.location, *(other.location for other in one.related)] for one in reading.findings if one.code == "NET006"
    ]
    unrendered = {several[-1].file for several in places if several[-1] is not None}
    for what, files in _by_unit(sorted(unrendered)).items():
        if files:
            word, said = what
            yield f"{_count(len(files), word)} {said} (NET006): {_some(files)}"
    rejected = {finding.ref for finding in findings if finding.code == "NET004" and finding.ref and finding.ref.kind}
    if rejected:
        names = sorted(str(ref) for ref in rejected)
        yield f"the parts of {_count(len(names), 'object')} that the API server would refuse (NET004): {_some(names)}"
    without = [cluster.name for cluster in clusters if _policies(cluster) and cluster.facts.cni.value is None]
    if without:
        where = "" if len(clusters) == 1 else f" of {_some(without)}"
        yield (
            f"whether the network plugin{where} enforces the policies: it is unknown which one runs "
            "(set `cluster.cni.name`)"
        )


def without_effect(config: Config, rules: Sequence[Header]) -> Iterator[str]:
    """What the configuration asks for in vain: rules that there are none of, charts and folders that do not exist."""
    words = [word for _, word in absent(config, rules)]
    if words:
        yield f"{_some(words)}, which {config.file} has settings for: no such rule is known to this version"
    charts = [chart.path for chart in config.charts if not _is_there(config, f"{chart.path}/Chart.yaml")]
    if charts:
        yield f"{_count(len(charts), 'chart')} of {config.file}: there is none at {_some(charts)}"
    bare = [block.name or "" for block in config.clusters or () if not block.paths]
    if bare:
        yield f"{_count(len(bare), 'cluster')} to which {config.file} gives no `paths`: {_some(bare)}"
    paths = [path for block in config.clusters or () for path in block.paths or () if not _is_there(config, path)]
    if paths:
        yield f"{_some(paths)}, where {config.file} has a cluster: nothing is there"


def _is_there(config: Config, path: str) -> bool:
    return any(sign in path for sign in "*?[") or os.path.exists(os.path.join(config.root, path))


def _by_unit(files: Sequence[str]) -> dict[tuple[str, str], list[str]]:
    kustomizations: list[str] = []
    charts: list[str] = []
    templates: list[str] = []
    for file in files:
        name = file.rpartition("/")[2]
        (kustomizations if name in _KUSTOMIZATIONS else charts if name == "Chart.yaml" else templates).append(file)
    return {
        ("kustomization", "not built"): kustomizations,
        ("chart", "not rendered"): charts,
        ("template", "not rendered"): templates,
    }


def _policies(cluster: Cluster) -> bool:
    return any(kind.endswith("NetworkPolicy") for _, kind in cluster.kinds)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
