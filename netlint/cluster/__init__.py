"""From objects to clusters: division, workloads, completeness, and the facts of the network, each with evidence."""

from netlint.cluster.cluster import NAME_LABEL, Cluster, NamespaceInfo, build
from netlint.cluster.completeness import Completeness
from netlint.cluster.division import ClusterInput, Duplicate, divide
from netlint.cluster.facts import ClusterDNS, Contradiction, Evidence, Fact, MtuKey, NetworkFacts, Plugin
from netlint.cluster.workload import Workload, WorkloadPort

__all__ = [
    "NAME_LABEL",
    "Cluster",
    "ClusterDNS",
    "ClusterInput",
    "Completeness",
    "Contradiction",
    "Duplicate",
    "Evidence",
    "Fact",
    "MtuKey",
    "NamespaceInfo",
    "NetworkFacts",
    "Plugin",
    "Workload",
    "WorkloadPort",
    "build",
    "divide",
]
