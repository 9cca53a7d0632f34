"""What the user's word that nothing else exists makes certain, and what it does not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from saying import SHOP, pod, policy, said

PEER = "spec.ingress[0].from[0]"


def told(peer: str) -> list[str]:
    rule = policy(f"""
        podSelector: {{matchLabels: {{app: web}}}}
        ingress: [{{from: [{peer}]}}]
    """)
    return said(SHOP, pod("web"), rule, config="world: closed")


@pytest.mark.parametrize("name", ["kube-system", "openshift-dns", "openshift-ingress"])
def test_namespaces_that_every_cluster_has_are_there(name: str) -> None:
    assert told(f"{{namespaceSelector: {{matchLabels: {{kubernetes.io/metadata.name: {name}}}}}}}") == []


def test_no_other_namespace_is_there() -> None:
    asked = "{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: payments}}}"
    assert told(asked) == [f"warning NET102 {PEER}.namespaceSelector"]


def test_labels_of_platforms_may_stand_on_their_own_namespaces() -> None:
    asked = "{namespaceSelector: {matchLabels: {policy-group.network.openshift.io/ingress: ''}}}"
    assert told(asked) == [f"info NET102 {PEER}.namespaceSelector"]
    asked = "{namespaceSelector: {matchLabels: {team: payments}}}"
    assert told(asked) == [f"warning NET102 {PEER}.namespaceSelector"]


def test_pods_that_are_not_there_may_be_yet_to_come() -> None:
    assert told("{podSelector: {matchLabels: {app: adminer}}}") == [f"info NET102 {PEER}.podSelector"]
    assert told("{podSelector: {matchLabels: {app: web}}}") == []
