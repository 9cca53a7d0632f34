"""Slips in labels of namespaces, and contradictions that another rule names."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from saying import SHOP, namespace, pod, policy, said

FRONT = namespace("front", "team: alpha")


def asks(value: str) -> str:
    return policy(
        f"podSelector: {{}}\ningress: [{{from: [{{namespaceSelector: {{matchLabels: {{team: {value}}}}}}}]}}]"
    )


def test_a_value_that_differs_by_one_letter_from_that_of_a_namespace() -> None:
    peer = "spec.ingress[0].from[0].namespaceSelector"
    assert said(SHOP, FRONT, pod("web"), pod("ui", "front"), asks("alhpa")) == [f"warning NET102 {peer}"]
    assert said(SHOP, FRONT, pod("web"), pod("ui", "front"), asks("alpha")) == []


@pytest.mark.parametrize("value", ["beta", "alpine", "payments"])
def test_other_values_are_of_other_namespaces(value: str) -> None:
    assert said(SHOP, FRONT, pod("web"), pod("ui", "front"), asks(value)) == []


def test_numbered_values_are_of_other_namespaces() -> None:
    first = namespace("one", "team: cluster1")
    assert said(SHOP, first, pod("web"), pod("ui", "one"), asks("cluster2")) == []


def test_a_value_that_some_namespace_has_is_meant() -> None:
    other = namespace("other", "team: alhpa")
    assert said(SHOP, FRONT, other, pod("web"), pod("ui", "front"), asks("alhpa")) == []


def test_a_contradiction_is_said_once() -> None:
    never = policy(
        "podSelector: {matchExpressions: [{key: app, operator: Exists}, {key: app, operator: DoesNotExist}]}\n"
        "policyTypes: [Ingress]"
    )
    assert [each.split()[1] for each in said(SHOP, pod("web"), never)] == ["NET108"]


def test_a_contradictory_admin_policy_is_a_contradiction_and_decides_nothing() -> None:
    never = """
    apiVersion: policy.networking.k8s.io/v1alpha1
    kind: AdminNetworkPolicy
    metadata: {name: contradictory}
    spec:
      priority: 1
      subject:
        pods:
          namespaceSelector: {}
          podSelector:
            matchExpressions: [{key: app, operator: In, values: [a]}, {key: app, operator: In, values: [b]}]
      egress:
        - {action: Allow, to: [{pods: {namespaceSelector: {}, podSelector: {}}}], ports: [{namedPort: http}]}
        - {action: Allow, to: [{pods: {namespaceSelector: {}, podSelector: {matchLabels: {tier: x}}}}]}
    """
    assert said(SHOP, pod("web"), never, config="world: closed") == ["error NET108 spec.subject"]
