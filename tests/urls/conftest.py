"""Clusters from text, and one question about a URL."""

from collections.abc import Callable
from typing import Literal

import pytest

from netlint.cluster import ClusterInput, build
from netlint.intent.urls import why_url
from netlint.policy import PolicyAnalysis
from netlint.policy.queries.expressions import ByUrl, parse_endpoint
from netlint.policy.queries.resolve import resolve
from netlint.policy.queries.why import Why
from netlint.resources import load
from netlint.sources import read_text

Ask = Callable[..., Why]

BACKENDS = """
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: edge}
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
metadata: {name: api, namespace: shop}
spec:
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec: {containers: [{name: c, image: x, ports: [{containerPort: 9000}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: v1
kind: Service
metadata: {name: api, namespace: shop}
spec: {selector: {app: api}, ports: [{name: main, port: 80, targetPort: 9000}]}
"""


@pytest.fixture
def ask() -> Ask:
    """`ask(text, url)` is the answer for the internet, in a closed world, with two backends beside the text."""

    def question(
        text: str, url: str, source: str = "internet", assume: Literal["auto", "open", "closed"] = "closed"
    ) -> Why:
        documents = read_text(f"{BACKENDS}---{text}", "shop.yaml").documents
        cluster = build(ClusterInput("default", tuple(load(documents))), world=assume)
        policy = PolicyAnalysis.of(cluster)
        meant = parse_endpoint(url)
        assert isinstance(meant, ByUrl)
        return why_url(cluster, policy, resolve(parse_endpoint(source), cluster, policy), meant)

    return question
