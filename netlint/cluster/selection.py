"""Which workloads a Service selects: an inverted index of labels, one a namespace."""

from collections.abc import Iterable, Mapping

from netlint.cluster.workload import Workload

_FEW = 8


class LabelIndex:
    """The workloads of one namespace by label. Built once; a lookup costs the size of its smallest list, and a few
    workloads are tried one by one."""

    def __init__(self, workloads: Iterable[Workload]) -> None:
        self._all = tuple(workloads)
        if len(self._all) <= _FEW:
            return
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
        if len(self._all) <= _FEW:
            return tuple(workload for workload in self._all if _selects(labels, workload))
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


def _selects(labels: Mapping[str, str], workload: Workload) -> bool:
    certain = False
    for key, value in labels.items():
        if workload.labels.get(key) == value:
            certain = True
        elif key not in workload.unknown_label_keys:
            return False
    return certain
