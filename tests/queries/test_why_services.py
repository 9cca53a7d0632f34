"""What stands between a Service and the pods behind it, where it is not the plain case."""

from typing import Any

from netlint.policy.queries.expressions import parse_endpoint
from netlint.policy.queries.resolve import resolve
from netlint.policy.queries.why import Why, why

HEADLESS = """---
apiVersion: v1
kind: Service
metadata: {name: db-pods, namespace: shop}
spec: {clusterIP: None, selector: {app: db}, ports: [{name: sql, port: 5432, targetPort: 6432}]}
"""
TWO_PODS = """
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop, uid: u1}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c, image: x}]}
---
apiVersion: v1
kind: Pod
metadata:
  name: db-0
  namespace: shop
  labels: {app: db, role: primary}
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u1, controller: true}]
spec: {containers: [{name: c, image: x}]}
---
apiVersion: v1
kind: Pod
metadata:
  name: db-1
  namespace: shop
  labels: {app: db, role: replica}
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u1, controller: true}]
spec: {containers: [{name: c, image: x}]}
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {selector: {app: db}, ports: [{port: 5432}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: primary-only-from-nobody, namespace: shop}
spec: {podSelector: {matchLabels: {role: primary}}}
"""


def ask(found: Any, target: str, port: int | str | None, source: str = "shop/web") -> Why:
    ends = [resolve(parse_endpoint(text), found.cluster, found.policy) for text in (source, target)]
    return why(found.cluster, found.policy, ends[0], ends[1], port, None if port is None else "TCP")


def verdicts(answer: Why) -> dict[str, str]:
    return {link.link: link.verdict for link in answer.links}


def test_a_headless_service_translates_no_port(world: Any, shop_text: str) -> None:
    """Its name resolves to the pods' addresses: the client arrives at the port it asks for, whatever targetPort says.

    The policy lets 5432 in and not 6432.
    """
    found = world(shop_text + HEADLESS)
    answer = ask(found, "shop/Service/db-pods", 5432)
    assert answer.verdict == "allowed"
    assert "shop/Deployment/db at port 5432/TCP" in [
        one.message for link in answer.links for one in link.because if link.link == "endpoints"
    ]
    assert ask(found, "shop/Service/db-pods", "sql").verdict == "allowed"


def test_a_port_that_a_headless_service_does_not_list_is_the_pods_own(world: Any, shop_text: str) -> None:
    found = world(shop_text + HEADLESS)
    answer = ask(found, "shop/Service/db-pods", 9999)
    assert verdicts(answer)["service"] == "allowed"
    assert verdicts(answer)["ingress-policy"] == "denied"  # db-ingress lets in 5432 only
    assert ask(found, "shop/Service/db-pods", "nosuch").verdict == "denied"  # a name is looked up in the Service


def test_every_pod_of_a_workload_is_behind_its_service(world: Any) -> None:
    """The policy tells the two pods of one StatefulSet apart: connections to the Service reach one or the other."""
    answer = ask(world(TWO_PODS), "shop/Service/db", 5432, "internet")
    assert answer.verdict == "partly"
    assert verdicts(answer)["ingress-policy"] == "partly"
