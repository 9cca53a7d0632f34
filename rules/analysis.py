"""What a rule is given: one cluster and, at the first question for them, the three analyses of it."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from netlint.cluster import Cluster
    from netlint.cluster.config import Config
    from netlint.findings import Finding
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
    def policy(self) -> Any:
        """The policies of the cluster in one form, with their evaluators."""
        raise NotImplementedError

    @cached_property
    def intents(self) -> Any:
        """The flows that the manifests plainly need."""
        raise NotImplementedError

    @cached_property
    def placement(self) -> Any:
        """For each workload the nodes that can hold it."""
        raise NotImplementedError
