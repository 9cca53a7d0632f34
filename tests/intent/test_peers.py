"""The members of a StatefulSet, by their own names and by the one that they share."""

import textwrap

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import no_config
from netlint.intent import flows
from netlint.resources import load
from netlint.sources import read_text


def needed(setting: str, *, replicas: int = 3, headless: bool = True) -> list[str]:
    text = f"""
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {{name: store, namespace: shop}}
    spec:
      serviceName: store
      replicas: {replicas}
      selector: {{matchLabels: {{app: store}}}}
      template:
        metadata: {{labels: {{app: store}}}}
        spec:
          containers:
            - {{name: x, image: x, ports: [{{containerPort: 7946}}], {setting}}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {{name: store, namespace: shop}}
    spec: {{{"clusterIP: None, " if headless else ""}selector: {{app: store}}, ports: [{{name: http, port: 7946}}]}}
    """
    reading = read_text(textwrap.dedent(text))
    (cluster,) = [build(part) for part in divide(load(reading.documents), no_config())]
    return [f"{flow} {flow.strength}" for flow in flows(cluster)]


@pytest.mark.parametrize(
    "setting",
    [
        "env: [{name: PEERS, value: 'store.shop.svc.cluster.local:7946'}]",
        "args: ['--memberlist.join=store:7946']",
        "args: [--cluster.peer, 'store:7946']",
    ],
)
def test_peers_are_joined_by_their_common_name(setting: str) -> None:
    expected = ["shop/store -> shop/store:7946/TCP likely"]
    assert needed(setting) == expected
    assert needed(setting, replicas=1) == [], "there is nobody to join"
    assert needed(setting, headless=False) == [], "a Service with an address leads to any of them, itself among them"


def test_a_name_of_ones_own_is_no_peer() -> None:
    assert needed("env: [{name: APP_URL, value: 'http://store:7946'}]") == []


def test_a_member_by_name_is_certain() -> None:
    assert needed("env: [{name: FIRST, value: 'http://store-0.store:7946'}]") == [
        "shop/store -> shop/store:7946/TCP certain"
    ]
