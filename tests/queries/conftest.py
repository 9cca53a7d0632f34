"""Clusters from text, for tests of the queries."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pytest

from netlint.cluster import Cluster, ClusterInput, build
from netlint.policy import PolicyAnalysis, Readings
from netlint.resources import load
from netlint.sources import read_text

SHOP = """
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: a}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: x, ports: [{name: http, containerPort: 8080}]}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: db, namespace: shop}
spec:
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c, image: x, ports: [{containerPort: 5432}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {selector: {app: db}, ports: [{name: sql, port: 15432, targetPort: 5432}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db-ingress, namespace: shop}
spec:
  podSelector: {matchLabels: {app: db}}
  policyTypes: [Ingress]
  ingress:
  - from: [{podSelector: {matchLabels: {app: web}}}]
    ports: [{port: 5432}]
"""


@dataclass
class World:
    cluster: Cluster
    policy: PolicyAnalysis


Build = Callable[..., World]


@pytest.fixture
def world() -> Build:
    """`world(text)` is the only cluster of the text, with its analysis."""

    def make(
        text: str = SHOP,
        assume: Literal["auto", "open", "closed"] = "closed",
        readings: Readings | None = None,
    ) -> World:
        documents = read_text(text, "shop.yaml").documents
        cluster = build(ClusterInput("default", tuple(load(documents))), world=assume)
        return World(cluster, PolicyAnalysis.of(cluster, readings=readings))

    return make


@pytest.fixture
def shop_text() -> str:
    return SHOP
