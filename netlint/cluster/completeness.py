"""What the input holds all of. Known per kind and namespace, never for everything at once."""

from collections.abc import Iterable

from netlint.cluster.identity import from_server, namespace_of
from netlint.resources import KubernetesObject, Manifest

_SYSTEM = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


class Completeness:
    """`closed`: all of the cluster is in the input. `assume` is "auto", or the user's word: "open" or "closed"."""

    def __init__(self, manifests: Iterable[Manifest], running: Iterable[str], assume: str = "auto") -> None:
        self._seen: set[tuple[str, str | None]] = set()
        self._whole: set[str] = set()
        declared: set[str] = set()
        runs = frozenset(running)
        objects = from_cluster = 0
        if assume == "auto":
            for manifest in manifests:
                dumped = from_server(manifest)
                objects += 1
                from_cluster += dumped
                if dumped:
                    self._seen.add((manifest.kind, namespace_of(manifest)))
                if manifest.kind == "Namespace" and manifest.name and not manifest.group:
                    declared.add(manifest.name)
            self._whole = (declared & runs) - _SYSTEM
        self.closed = assume == "closed"
        self._dumped = bool(runs) and objects == from_cluster and assume == "auto"

    @property
    def world(self) -> str:
        """ "closed" where the user says so or all, with what runs, was read from a cluster, else "open"."""
        return "closed" if self.closed or self._dumped else "open"

    def complete(self, kind: type[KubernetesObject] | str, namespace: str | None = None) -> bool:
        """Whether all objects of a kind are in the input: of a namespace, or for a kind of cluster scope, all.

        A kind is complete where objects of it were read from a cluster, and in a namespace that is held whole.
        """
        name = kind if isinstance(kind, str) else kind.__name__
        return self.closed or (name, namespace) in self._seen or (namespace is not None and self.holds_whole(namespace))

    def holds_whole(self, namespace: str) -> bool:
        """Whether all of a namespace is in the input: the Namespace itself is, and something that runs in it.

        The namespaces that every cluster has hold more than any manifests tell, so they are whole only on the user's
        word.
        """
        return self.closed or namespace in self._whole
