"""metrics-server needs the kubelets."""

import textwrap

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import parse_config
from netlint.resources import load
from netlint.sources import read_text
from netlint.triage import Options, check


def said(
    egress: str, *, image: str = "registry.k8s.io/metrics-server/metrics-server:v0.7.2", args: str = ""
) -> list[str]:
    text = f"""
    apiVersion: v1
    kind: Namespace
    metadata: {{name: metrics}}
    ---
    apiVersion: v1
    kind: Pod
    metadata: {{name: server, namespace: metrics, labels: {{app: server}}}}
    spec:
      automountServiceAccountToken: false
      containers: [{{name: x, image: '{image}', args: [{args}]}}]
    ---
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {{name: out, namespace: metrics}}
    spec: {{podSelector: {{}}, policyTypes: [Egress], egress: [{egress}]}}
    """
    reading = read_text(textwrap.dedent(text))
    config = parse_config("cluster: {nodeCIDRs: [192.0.2.0/24]}")
    (cluster,) = [build(part, config) for part in divide(load(reading.documents), config)]
    found = check(reading, [cluster], config, Options(select=("NET103",))).findings
    return [f"{each.severity.value}: {each.message.partition(', but')[0]}" for each in found]


NEED = "error: metrics/server needs the kubelet:%d/TCP (metrics-server asks the kubelets)"


def test_it_is_denied_where_no_node_is_let_out_to() -> None:
    assert said("") == [NEED % 10250]
    assert said("{ports: [{port: 443}]}") == [NEED % 10250]
    assert said("{to: [{namespaceSelector: {}}], ports: [{port: 10250}]}") == [NEED % 10250], "nodes are no pods"


def test_it_is_let_out_to_the_nodes() -> None:
    assert said("{ports: [{port: 10250}]}") == []
    assert said("{to: [{ipBlock: {cidr: 192.0.2.0/24}}], ports: [{port: 10250}]}") == []
    assert said("{}") == []


def test_the_port_may_be_another() -> None:
    assert said("{ports: [{port: 10250}]}", args="--kubelet-port=10255") == [NEED % 10255]


@pytest.mark.parametrize("image", ["rancher/mirrored-metrics-server:v0.6", "k8s.gcr.io/metrics-server-amd64:v0.3.6"])
def test_by_its_other_images(image: str) -> None:
    assert said("", image=image) == [NEED % 10250]


@pytest.mark.parametrize("image", ["example.com/my-metrics-server-ui:1", "example.com/metrics-server-exporter:1"])
def test_others_are_not_it(image: str) -> None:
    assert said("", image=image) == []
