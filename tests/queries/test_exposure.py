"""What a workload is open to beyond what the input holds."""

from typing import Any

from netlint.policy import Readings
from netlint.policy.queries.exposure import Exposure, exposures
from netlint.reports.reach_tables import exposure_words

RULES = """
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db, namespace: shop}
spec:
  podSelector: {matchLabels: {app: db}}
  policyTypes: [Ingress, Egress]
  ingress:
  - from: [{podSelector: {matchExpressions: [{key: tier, operator: NotIn, values: [web]}]}}]
    ports: [{port: 1}]
  - from: [{namespaceSelector: {}}]
    ports: [{port: 2}]
  - from: [{namespaceSelector: {}, podSelector: {matchExpressions: [{key: role, operator: Exists}]}}]
    ports: [{port: 3}]
  - from: [{namespaceSelector: {matchExpressions: [{key: shut, operator: DoesNotExist}]}}]
    ports: [{port: 4}]
  - from: [{ipBlock: {cidr: 10.0.0.0/8}}]
    ports: [{port: 5}]
  - from: [{ipBlock: {cidr: 192.168.0.0/16}}]
    ports: [{port: 5}]
  - from: [{ipBlock: {cidr: 172.16.0.0/12}}]
    ports: [{port: 6}]
  egress:
  - to: [{namespaceSelector: {}}]
    ports: [{port: http}, {port: 7}]
"""


def rows(world: Any, text: str, direction: str) -> dict[str, Exposure]:
    policy = world(text, readings=Readings(ipblock_matches_pods=False)).policy
    found = exposures(policy, [policy.by_id("shop/Deployment/db")])
    return {one.text: one for one in found if one.direction == direction}


def test_every_pod_is_what_a_pod_with_any_labels_may_do(world: Any, shop_text: str) -> None:
    """A pod without labels is let in at 4, one with every label at 3: only port 2 is open to every pod."""
    found = rows(world, shop_text + RULES, "ingress")
    assert str(found["every pod of the cluster"].allowed) == "TCP 2"
    assert str(found["pods with role in every namespace"].allowed) == "TCP 2-4"
    assert str(found["every pod in namespaces with no shut"].allowed) == "TCP 2,4"
    assert str(found["pods with tier not in (web) in shop"].allowed) == "TCP 1-2,4"


def test_groups_are_selectors(world: Any, shop_text: str) -> None:
    found = rows(world, shop_text + RULES, "ingress")
    assert found["pods with tier not in (web) in shop"].pods == (("tier", "NotIn", ("web",)),)
    assert found["pods with role in every namespace"].pods == (("role", "Exists", ()),)
    assert found["every pod in namespaces with no shut"].namespaces == (("shut", "DoesNotExist", ()),)
    assert found["pods with tier not in (web) in shop"].members == ("shop/Deployment/db", "shop/Deployment/web")


def test_addresses_that_may_send_the_same_are_one_row(world: Any, shop_text: str) -> None:
    found = rows(world, shop_text + RULES, "ingress")
    addresses = {text: str(one.allowed) for text, one in found.items() if one.kind == "addresses"}
    assert addresses == {"10.0.0.0/8, 192.168.0.0/16": "TCP 5", "172.16.0.0/12": "TCP 6"}


def test_a_port_by_name_is_for_the_other_pod_to_say(world: Any, shop_text: str) -> None:
    """What the name means depends on the pod that is sent to: one of the cluster may have such a port."""
    found = rows(world, shop_text + RULES, "egress")
    assert exposure_words(found["every pod of the cluster"]) == "TCP 7, TCP http"
    assert not any(one.named for one in rows(world, shop_text + RULES, "ingress").values())
