"""Named ports where the API's text leaves open what they resolve to (facts of kube-network-policies and AWS)."""

import textwrap

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import parse_config
from netlint.policy import PolicyAnalysis, Readings, Verdict
from netlint.resources import load
from netlint.sources import read_text

WORLD = """
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
spec: {containers: [{name: web, image: x}]}
---
apiVersion: v1
kind: Pod
metadata: {name: db, namespace: shop, labels: {app: db}}
spec: {containers: [{name: db, image: x, ports: [{name: sql, containerPort: 5432}]}]}
status: {podIPs: [{ip: 10.0.0.7}], podIP: 10.0.0.7}
---
apiVersion: v1
kind: Pod
metadata: {name: agent, namespace: shop, labels: {app: agent}}
spec: {hostNetwork: true, containers: [{name: agent, image: x, ports: [{name: sql, containerPort: 5432}]}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: out, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Egress]
  egress: [%s]
"""


def verdict(egress: str, to: str, engine: str = "calico") -> Verdict:
    documents = read_text(textwrap.dedent(WORLD % egress)).documents
    config = parse_config("cluster: {podCIDRs: [10.0.0.0/16], nodeCIDRs: [192.0.2.0/24]}")
    (cluster,) = [build(part, config) for part in divide(load(documents), config)]
    analysis = PolicyAnalysis.of(cluster, Readings.for_engine(engine))
    ends = {endpoint.name: endpoint for endpoint in analysis.inside}
    return analysis.verdict(ends["web"], ends[to], "TCP", 5432)


def test_a_name_is_resolved_at_the_pods_that_selectors_take() -> None:
    assert verdict("{ports: [{port: sql}]}", "db") is Verdict.ALLOWED
    assert verdict("{to: [{podSelector: {matchLabels: {app: db}}}], ports: [{port: sql}]}", "db") is Verdict.ALLOWED
    assert verdict("{ports: [{port: other}]}", "db") is Verdict.DENIED


def test_no_name_is_resolved_on_the_network_of_a_node() -> None:
    assert verdict("{ports: [{port: sql}]}", "agent") is Verdict.DENIED
    assert verdict("{ports: [{port: 5432}]}", "agent") is Verdict.ALLOWED


@pytest.mark.parametrize(
    ("engine", "ports", "expected"),
    [
        ("kube-router", "{port: sql}", Verdict.UNKNOWN),
        ("kube-router", "{port: 5432}", Verdict.ALLOWED),
        ("kube-router", "{port: sql}, {port: 5432}", Verdict.UNKNOWN),
        ("aws-vpc-cni", "{port: sql}", Verdict.DENIED),
        ("aws-vpc-cni", "{port: 5432}", Verdict.ALLOWED),
        ("kube-network-policies", "{port: sql}", Verdict.DENIED),
        ("kube-network-policies", "{port: sql}, {port: 5432}", Verdict.UNKNOWN),
    ],
)
def test_engines_differ_in_names_at_the_addresses_of_a_block(engine: str, ports: str, expected: Verdict) -> None:
    egress = f"{{to: [{{ipBlock: {{cidr: 10.0.0.0/24}}}}], ports: [{ports}]}}"
    assert verdict(egress, "db", engine) is expected
