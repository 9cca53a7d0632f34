"""Objects that the input writes in several ways: of these only one is in the cluster, and any may be meant."""

from netlint.cluster import Cluster


def varied_namespaces(cluster: Cluster) -> frozenset[str]:
    """The namespaces in which some object stands in several versions: who selects whom cannot be told there."""
    return frozenset(duplicate.kept.namespace or "default" for duplicate in cluster.duplicates)
