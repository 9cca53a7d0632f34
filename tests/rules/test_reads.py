"""A rule reads the kinds that it declares, and no others: what it asks of the cluster is recorded on every example."""

from typing import Any

import pytest

from netlint.cluster import Cluster, build, divide
from netlint.cluster.config import parse_config
from netlint.resources import load
from netlint.rules.analysis import Analysis
from netlint.rules.catalogue import Header, headers
from netlint.rules.pages import parse_page
from netlint.sources import read_text

RULES = headers()


class Recorder:
    """A cluster that remembers which kinds it was asked for. The analyses work on the real one."""

    def __init__(self, cluster: Cluster, asked: set[type]) -> None:
        self._cluster = cluster
        self._asked = asked

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cluster, name)

    def all(self, model: Any) -> Any:
        self._asked.add(model)
        return self._cluster.all(model)

    def get(self, model: Any, namespace: str | None, name: str) -> Any:
        self._asked.add(model)
        return self._cluster.get(model, namespace, name)


class RecordingAnalysis(Analysis):
    """The rule gets the recorder; policy, intents and placement are made of the real cluster."""

    def __init__(self, real: Analysis, asked: set[type]) -> None:
        super().__init__(Recorder(real.cluster, asked), real.config, real.reading)  # type: ignore[arg-type]
        self._real = real

    def __getattribute__(self, name: str) -> Any:
        if name in ("policy", "intents", "placement"):
            return getattr(object.__getattribute__(self, "_real"), name)
        return object.__getattribute__(self, name)


def asked_on_its_page(rule: Header) -> set[type]:
    asked: set[type] = set()
    loaded = rule.load()
    for block in parse_page(rule.page()).blocks:
        config = parse_config(block.config)
        reading = read_text(block.text, "example.yaml")
        for part in divide(load(reading.documents), config):
            real = Analysis(build(part, config), config, reading)
            list(loaded(RecordingAnalysis(real, asked)))
    return asked


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_reads_what_it_declares(rule: Header) -> None:
    declared = set(rule.load().reads)
    asked = asked_on_its_page(rule)
    assert asked <= declared, f"reads {sorted(model.__name__ for model in asked - declared)} without declaring it"


def test_the_recorder_sees_what_is_read() -> None:
    from netlint.resources.core import Node, Service

    asked: set[type] = set()
    config = parse_config("")
    (part,) = divide([], config)
    cluster: Any = Recorder(build(part, config), asked)
    assert cluster.all(Service) == ()
    assert cluster.get(Node, None, "x") is None
    assert cluster.name == "default"
    assert asked == {Service, Node}
