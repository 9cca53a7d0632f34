"""HorizontalPodAutoscalers as evidence that the API server needs the adapter of a metrics API."""

import textwrap

import pytest

from netlint.cluster import Cluster, build, divide
from netlint.cluster.config import no_config
from netlint.intent import Flow, flows
from netlint.resources import load
from netlint.sources import read_text

ADAPTER = """
apiVersion: v1
kind: Pod
metadata: {name: adapter, namespace: monitoring, labels: {app: adapter}}
spec: {containers: [{name: adapter, image: adapter, ports: [{containerPort: 6443}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: adapter, namespace: monitoring}
spec: {selector: {app: adapter}, ports: [{port: 443, targetPort: 6443}]}
"""


def api(group: str) -> str:
    return f"""
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {{name: v1beta1.{group}}}
spec: {{group: {group}, version: v1beta1, service: {{name: adapter, namespace: monitoring}}}}
"""


def scaler(metrics: str, version: str = "v2") -> str:
    return f"""
apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata: {{name: worker, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: worker}}
  {metrics}
"""


def cluster_of(*texts: str) -> Cluster:
    reading = read_text("\n---\n".join(textwrap.dedent(text) for text in texts))
    (cluster,) = [build(part) for part in divide(load(reading.documents), no_config())]
    return cluster


def flow(*texts: str) -> Flow:
    (found,) = flows(cluster_of(ADAPTER, *texts))
    assert str(found) == "the API server -> monitoring/adapter:6443/TCP"
    assert found.certain
    return found


EXTERNAL = "metrics: [{type: External, external: {metric: {name: queue_depth}, target: {type: Value, value: 5}}}]"
PODS = "metrics: [{type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: 5}}}]"
OBJECT = """metrics: [{type: Object, object: {metric: {name: rate}, describedObject: {kind: Service, name: web},
    target: {type: Value, value: 5}}}]"""
CPU = "metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]"


@pytest.mark.parametrize(
    ("metrics", "group", "name"),
    [
        (EXTERNAL, "external.metrics.k8s.io", "queue_depth"),
        (PODS, "custom.metrics.k8s.io", "hits"),
        (OBJECT, "custom.metrics.k8s.io", "rate"),
        (CPU, "metrics.k8s.io", "cpu"),
    ],
)
def test_the_metric_shows_who_needs_the_adapter(metrics: str, group: str, name: str) -> None:
    evidence = flow(api(group), scaler(metrics)).evidence
    assert [each.text for each in evidence] == [
        f"APIService v1beta1.{group}",
        f"HorizontalPodAutoscaler shop/worker, metric {name}",
    ]
    assert evidence[1].place.path[:3] == ("spec", "metrics", 0)
    assert evidence[1].place.path[-1] == "name"


def test_the_first_version_scales_on_the_processor() -> None:
    evidence = flow(api("metrics.k8s.io"), scaler("targetCPUUtilizationPercentage: 50", "v1")).evidence
    assert evidence[1].place.path == ("spec", "targetCPUUtilizationPercentage")


def test_a_metric_of_another_api_says_nothing() -> None:
    assert len(flow(api("external.metrics.k8s.io"), scaler(CPU)).evidence) == 1
    assert len(flow(api("metrics.k8s.io"), scaler(EXTERNAL)).evidence) == 1


def test_an_autoscaler_alone_is_no_need() -> None:
    assert flows(cluster_of(ADAPTER, scaler(EXTERNAL))) == ()


@pytest.mark.parametrize("metrics", ["metrics: x", "metrics: [5, {type: 7}, {type: External}, {type: Elsewhere}]"])
def test_what_is_no_metric_is_passed_over(metrics: str) -> None:
    assert len(flow(api("external.metrics.k8s.io"), scaler(metrics)).evidence) == 1
