"""A policy that is not read proves nothing, and refutes nothing."""

import textwrap

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import no_config
from netlint.policy import PolicyAnalysis
from netlint.policy.proofs import Proved, Unknown
from netlint.resources import load
from netlint.sources import read_text

SHOP = """
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
spec: {containers: [{name: web, image: x}]}
"""
UNREAD = """
---
apiVersion: cilium.io/v2
kind: CiliumNetworkPolicy
metadata: {name: all, namespace: shop}
spec: {endpointSelector: {}, ingress: [{fromEntities: [all]}]}
"""


def analysed(text: str, world: str) -> PolicyAnalysis:
    config = no_config()
    documents = read_text(textwrap.dedent(text)).documents
    return PolicyAnalysis.of(build(divide(load(documents), config)[0], config, world=world))  # type: ignore[arg-type]


@pytest.mark.parametrize("world", ["open", "closed"])
@pytest.mark.parametrize(("before", "after"), [(SHOP + UNREAD, SHOP), (SHOP, SHOP + UNREAD)])
def test_a_policy_that_is_not_read_may_or_may_not_make_a_difference(before: str, after: str, world: str) -> None:
    answer = analysed(after, world).prover.equivalent(analysed(before, world).policies, analysed(after, world).policies)
    assert isinstance(answer, Unknown)


def test_the_same_policies_are_equivalent_though_one_is_not_read() -> None:
    first, second = analysed(SHOP + UNREAD, "open"), analysed(SHOP + UNREAD, "open")
    assert isinstance(second.prover.equivalent(first.policies, second.policies), Proved)
