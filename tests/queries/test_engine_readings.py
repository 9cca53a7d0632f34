"""What holding netlint against other suites taught about the engine: each point on its own."""

from typing import Any

from netlint.predicates import ALL_TRAFFIC, TrafficSet

PODS = """
apiVersion: v1
kind: Namespace
metadata: {name: a}
---
apiVersion: v1
kind: Pod
metadata: {name: one, namespace: a, labels: {app: one}}
spec: {containers: [{name: c, image: x}]}
---
apiVersion: v1
kind: Pod
metadata: {name: two, namespace: a, labels: {app: two}}
spec: {containers: [{name: c, image: x}]}
---
apiVersion: policy.networking.k8s.io/v1alpha1
kind: AdminNetworkPolicy
metadata: {name: deny}
spec:
  priority: 1
  subject: {pods: {namespaceSelector: {}, podSelector: {matchLabels: {app: one}}}}
  ingress:
  - action: Deny
    from: [{pods: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: a}}}}]
"""


def test_an_absent_selector_of_an_admin_peer_is_an_empty_one(world: Any) -> None:
    policy = world(PODS).policy
    one, two = policy.by_id("a/Pod/one"), policy.by_id("a/Pod/two")
    assert not policy.connection(two, one).allowed
    assert policy.connection(one, two).allowed == ALL_TRAFFIC


def test_icmp_is_no_traffic_with_ports() -> None:
    ported = ALL_TRAFFIC.without_other()
    assert ported == TrafficSet.of("TCP") | TrafficSet.of("UDP") | TrafficSet.of("SCTP")
    assert not ported & TrafficSet.of("ICMP")
