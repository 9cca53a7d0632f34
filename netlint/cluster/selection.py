"""Which workloads a Service selects: an inverted index of labels, one a namespace."""

from collections.abc import Iterable, Mapping

from netlint.cluster.workload import Workload


class LabelIndex:
    """The workloads of one namespace by label. Built once; a lookup costs the size of its smallest list."""

    def __init__(self, workloads: Iterable[Workload]) -> None:
        self._all = tuple(workloads)
        self._by_label: dict[tuple[str, str], set[int]] = {}
        self._by_unknown: dict[str, set[int]] = {}
        for index, workload in enumerate(self._all):
            for item in workload.labels.items():
                self._by_label.setdefault(item, set()).add(index)
            for key in workload.unknown_label_keys:
                self._by_unknown.setdefault(key, set()).add(index)

    def select(self, labels: Mapping[str, str]) -> tuple[Workload, ...]:
        """The workloads whose pods have all these labels, or may have them for keys that are set at run time.

        Not those that share none of the known labels: run-time labels alone select nothing that can be named.
        """
        known: set[int] = set()
        chosen: set[int] | None = None
        for item in labels.items():
            certain = self._by_label.get(item, set())
            known |= certain
            found = certain | self._by_unknown.get(item[0], set())
            chosen = found if chosen is None else chosen & found
            if not chosen:
                return ()
        return tuple(self._all[index] for index in sorted((chosen or set()) & known))
