"""The whole way from what was read to the findings in their final form."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from netlint.cluster import Cluster
from netlint.cluster.config import Config, RuleSettings
from netlint.findings import Finding
from netlint.rules.analysis import Analysis
from netlint.rules.catalogue import Header, headers
from netlint.sources import Reading
from netlint.triage.fingerprints import fingerprinted
from netlint.triage.merging import located, merged
from netlint.triage.result import CheckedCluster, Result, Suppressed
from netlint.triage.selection import Selection
from netlint.triage.suppressions import Suppressions
from netlint.triage.unchecked import unchecked, without_effect

FAILED = "NET009"
UNUSED = "NET008"
_WORKLOAD_KINDS = ("Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may ask of a check. `baseline` holds fingerprints of findings that are not reported."""

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    pedantic: bool = False
    baseline: frozenset[str] = frozenset()


def check(
    reading: Reading,
    clusters: Sequence[Cluster],
    config: Config,
    options: Options | None = None,
    *,
    partial: bool = False,
    progress: Callable[[str], None] = lambda what: None,
) -> Result:
    """Run the rules over the clusters. Raises UnknownRuleError and PackError.

    `partial` says that not all clusters of the input are there, so that an unused suppression cannot be told.
    """
    options = options or Options()
    rules = headers(config.rule_packs)
    selection = Selection(rules, config, select=options.select, ignore=options.ignore, pedantic=options.pedantic)
    ran = {rule.code for rule in rules}
    found: list[Finding] = []
    for cluster in clusters:
        progress(f"checking {cluster.name}")
        run = _Run(cluster, Analysis(cluster, config, reading), selection)
        found.extend(run.findings())
        ran &= run.ran
    failed = any(finding.code == FAILED for finding in found)
    manifests = [manifest for cluster in clusters for manifest in cluster.all_manifests]
    files = {**reading.files, config.source.file: config.source} if config.source else reading.files
    suppressions = Suppressions(files, manifests)
    by_code = {rule.code: rule for rule in rules}
    kept, dropped = _suppress(merged(found), suppressions, by_code)
    if suppressions and not partial and UNUSED in by_code:
        names = tuple(cluster.name for cluster in clusters)
        settings = clusters[0].settings.rules if len(clusters) == 1 and clusters[0].settings else {}
        if selection.runs(by_code[UNUSED], settings):
            unused = _unused(suppressions, by_code[UNUSED], rules, ran, names)
            judged = (selection.apply(finding, settings) for finding in unused)
            kept = merged([*kept, *(finding for finding in judged if finding is not None)])
    named = fingerprinted(kept)
    new = [finding for finding in named if finding.fingerprint not in options.baseline]
    known = [finding for finding in named if finding.fingerprint in options.baseline]
    return Result(
        findings=tuple(new),
        clusters=tuple(_summary(cluster) for cluster in clusters),
        suppressed=(*dropped, *(Suppressed(finding, "external", "in the baseline") for finding in known)),
        unchecked=(*unchecked(reading, clusters, named), *without_effect(config, rules)),
        files=files,
        failed=failed,
    )


class _Run:
    """The rules over one cluster. `ran` are the codes of the rules that had their say."""

    def __init__(self, cluster: Cluster, analysis: Analysis, selection: Selection) -> None:
        self.cluster = cluster
        self.analysis = analysis
        self.selection = selection
        self.settings: dict[str, RuleSettings] = cluster.settings.rules if cluster.settings else {}
        self.ran: set[str] = set()

    def findings(self) -> Iterator[Finding]:
        kinds = self._kinds()
        for rule in self.selection.rules:
            if not self.selection.runs(rule, self.settings):
                continue
            self.ran.add(rule.code)
            if kinds is None or rule.wanted(kinds):
                yield from self._of(rule)

    def _kinds(self) -> list[str] | None:
        """The kinds of the input, None where the configuration brings facts that any rule may speak of."""
        if self.cluster.settings is not None:
            return None
        kinds = {kind for _, kind in self.cluster.kinds}
        if self.cluster.workloads:
            kinds.update(_WORKLOAD_KINDS)
        return sorted(kinds)

    def _of(self, rule: Header) -> Iterator[Finding]:
        findings: list[Finding] = []
        try:
            names = (self.cluster.name,)
            # One by one: what was found before a crash is kept.
            for finding in rule.load()(self.analysis):
                findings.append(located(finding, names))  # noqa: PERF401
        except Exception as error:
            if os.environ.get("NETLINT_DEBUG"):
                raise
            self.ran.discard(rule.code)
            yield self._failure(rule, error)
        for finding in findings:
            judged = self.selection.apply(finding, self.settings)
            if judged is not None:
                yield judged

    def _failure(self, rule: Header, error: Exception) -> Finding:
        from netlint.rules.input.rule_failed import failure

        return replace(failure(rule, error), clusters=(self.cluster.name,))


def _suppress(
    findings: Sequence[Finding], suppressions: Suppressions, rules: dict[str, Header]
) -> tuple[list[Finding], list[Suppressed]]:
    kept: list[Finding] = []
    dropped: list[Suppressed] = []
    for finding in findings:
        rule = rules.get(finding.code)
        suppression = suppressions.find(finding, rule) if rule and finding.code != FAILED else None
        if suppression is None:
            kept.append(finding)
        else:
            dropped.append(Suppressed(finding, "inSource", suppression.reason))
    named = fingerprinted(one.finding for one in dropped)
    return kept, [replace(one, finding=finding) for one, finding in zip(dropped, named, strict=True)]


def _unused(
    suppressions: Suppressions, header: Header, rules: Sequence[Header], ran: set[str], clusters: tuple[str, ...]
) -> Iterator[Finding]:
    rule = header.load()
    for suppression, _, message in suppressions.unused(rules, ran):
        finding = rule.finding(suppression.place, message, help="Remove it, or correct the code.")
        yield replace(finding, location=suppression.location, clusters=clusters)


def _summary(cluster: Cluster) -> CheckedCluster:
    documents = {(manifest.document.file, manifest.document.index) for manifest in cluster.all_manifests}
    files = {file for file, _ in documents}
    return CheckedCluster(cluster.name, cluster.world, len(documents), len(files))
