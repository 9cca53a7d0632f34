"""The cluster's DNS behind a policy of its own: who may not ask it, whatever their own policies let out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from saying import SHOP, findings, namespace, pod, policy, said

DNS = """
apiVersion: v1
kind: Service
metadata: {name: kube-dns, namespace: kube-system}
spec:
  clusterIP: 10.96.0.10
  selector: {k8s-app: kube-dns}
  ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53, protocol: TCP}]
---
apiVersion: v1
kind: Pod
metadata: {name: coredns, namespace: kube-system, labels: {k8s-app: kube-dns}}
spec: {containers: [{name: coredns, image: coredns, ports: [{containerPort: 53, protocol: UDP}, {containerPort: 53}]}]}
"""
NAMES_DB = "env: [{name: DB_HOST, value: db.example.com}]"


def admits(peer: str, ports: str = "[{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]") -> str:
    return policy(
        f"podSelector: {{matchLabels: {{k8s-app: kube-dns}}}}\ningress: [{{from: [{peer}], ports: {ports}}}]",
        "kube-system",
        "dns",
    )


TEAM_B = admits("{namespaceSelector: {matchLabels: {team: b}}}")


def test_who_is_not_admitted_cannot_ask() -> None:
    assert said(SHOP, DNS, TEAM_B, pod("web", container=NAMES_DB)) == ["error NET105 spec.ingress[0].from"]
    assert said(SHOP, DNS, TEAM_B, pod("web")) == ["warning NET105 spec.ingress[0].from"], "nothing shows that it asks"


def test_the_message_names_those_who_are_kept_out() -> None:
    (found,) = findings(SHOP, DNS, TEAM_B, pod("web", container=NAMES_DB), pod("api"))
    assert found.message.startswith("shop/web may not ask the cluster's DNS")
    assert "shop/api" in found.message
    assert "kube-system/dns" in found.message


def test_who_is_admitted_can_ask() -> None:
    for peer in ("{namespaceSelector: {}}", "{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}}"):
        assert said(SHOP, DNS, admits(peer), pod("web", container=NAMES_DB)) == []
    team = namespace("shop", "team: b")
    assert said(team, DNS, TEAM_B, pod("web", container=NAMES_DB)) == []


def test_who_asks_nobody_is_not_kept_out() -> None:
    assert said(SHOP, DNS, TEAM_B, pod("web", spec="dnsPolicy: Default", container=NAMES_DB)) == []
    assert said(SHOP, DNS, TEAM_B, pod("web", spec="hostNetwork: true", container=NAMES_DB)) == []


def test_a_policy_for_metrics_alone_may_be_completed_elsewhere() -> None:
    metrics = admits("{namespaceSelector: {}}", "[{port: 9153}]")
    assert said(SHOP, DNS, metrics, pod("web", container=NAMES_DB)) == ["warning NET105 spec.ingress[0].ports[0]"]
    (closed, *_) = said(SHOP, DNS, metrics, pod("web", container=NAMES_DB), config="world: closed")
    assert closed == "error NET105 spec.ingress[0].ports[0]"


def test_the_ports_of_both_protocols_may_differ() -> None:
    split = DNS.replace("port: 53, protocol: UDP}, {name", "port: 53, targetPort: 5353, protocol: UDP}, {name")
    assert split != DNS
    both = admits("{namespaceSelector: {}}", "[{port: 5353, protocol: UDP}, {port: 53, protocol: TCP}]")
    assert said(SHOP, split, both, pod("web", container=NAMES_DB)) == []
    out = policy(
        "podSelector: {matchLabels: {app: web}}\npolicyTypes: [Egress]\n"
        "egress: [{ports: [{port: 5353, protocol: UDP}, {port: 53, protocol: TCP}]}]"
    )
    assert said(SHOP, split, out, pod("web", container=NAMES_DB)) == []


def test_a_denial_without_rules_may_be_completed_elsewhere() -> None:
    closed = policy("podSelector: {}\npolicyTypes: [Ingress]", "kube-system", "deny")
    assert said(SHOP, DNS, closed, pod("web", container=NAMES_DB)) == []
