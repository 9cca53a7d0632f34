"""What a rule is given: one cluster and, at the first question for them, the analyses of it."""

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from netlint.cluster import Cluster
    from netlint.cluster.config import Config
    from netlint.findings import Finding
    from netlint.intent import Intents
    from netlint.policy import PolicyAnalysis
    from netlint.sources import Reading


class Analysis:
    """One cluster, the configuration, what reading said, and the lazy analyses."""

    def __init__(self, cluster: "Cluster", config: "Config", reading: "Reading | None" = None) -> None:
        self.cluster = cluster
        self.config = config
        self.reading = reading

    def read_findings(self, code: str) -> "list[Finding]":
        """What the reader found under this code, in the order of the input."""
        return [finding for finding in self.reading.findings if finding.code == code] if self.reading else []

    @cached_property
    def policy(self) -> "PolicyAnalysis":
        """The policies of the cluster in one form, with their evaluators."""
        from netlint.policy import PolicyAnalysis

        return PolicyAnalysis.of(self.cluster)

    @cached_property
    def intents(self) -> "Intents":
        """The flows that the manifests plainly need."""
        from netlint.intent import Intents

        return Intents(self.cluster)
