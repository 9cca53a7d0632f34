"""What a link says where the input cannot tell: which rule may decide, its line, and what one would have to know."""

from typing import Any

from netlint.policy.queries.expressions import parse_endpoint
from netlint.policy.queries.reasons import Because
from netlint.policy.queries.resolve import resolve
from netlint.policy.queries.why import why

BLOCK = """
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: %s, namespace: shop}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress:
  - from: [{%s}]
"""
ADMIN = """
---
apiVersion: policy.networking.k8s.io/v1alpha1
kind: AdminNetworkPolicy
metadata: {name: admin}
spec:
  priority: 1
  subject: {namespaces: {matchLabels: {env: prod}}}
  egress:
  - {action: Deny, to: [{namespaces: {}}]}
"""


def because(found: Any, source: str, target: str, link: str, port: int = 80) -> dict[str, Because]:
    ends = [resolve(parse_endpoint(text), found.cluster, found.policy) for text in (source, target)]
    answer = why(found.cluster, found.policy, ends[0], ends[1], port, "TCP")
    assert answer.verdict == "unknown"
    return {one.message: one for each in answer.links if each.link == link for one in each.because}


def test_an_address_block_that_may_hold_a_pod(world: Any, shop_text: str) -> None:
    said = because(
        world(shop_text + BLOCK % ("x", "ipBlock: {cidr: 10.0.0.0/8}")), "shop/web", "shop/db", "ingress-policy"
    )
    (only,) = said
    assert only.startswith("NetworkPolicy/shop/x may allow it: ")
    assert "10.0.0.0/8 holds the address of shop/Deployment/web" in only
    assert "the engine matches ipBlock against the addresses of pods" in only
    place = said[only].place
    assert place is not None
    assert place.path == ("spec", "ingress", 0)


def test_a_label_of_a_namespace_that_is_not_there(world: Any, shop_text: str) -> None:
    text = shop_text + BLOCK % ("x", "namespaceSelector: {matchLabels: {team: z}}")
    (only,) = because(world(text, "open"), "elsewhere:app=a", "shop/db", "ingress-policy")
    assert only == "NetworkPolicy/shop/x may allow it: the label team of namespace elsewhere is not known"


def test_a_policy_that_may_select_the_endpoint_itself(world: Any, shop_text: str) -> None:
    (only,) = because(world(shop_text + ADMIN, "open"), "elsewhere:app=a", "shop/web", "egress")
    assert only == "AdminNetworkPolicy/admin may deny it: the label env of namespace elsewhere is not known"


def test_a_policy_that_could_not_be_read_says_why(world: Any, shop_text: str) -> None:
    text = shop_text + (BLOCK % ("x", "podSelector: {}")).replace("  - from", "  - ports: [{port: 0}]\n    from")
    said = because(world(text), "shop/web", "shop/db", "ingress-policy")
    assert any("the API server would refuse" in one for one in said)
    assert not any("speaks of the other side" in one for one in said)
