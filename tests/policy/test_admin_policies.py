"""AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy: tiers, order, and what ends where."""

import textwrap

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import Config
from netlint.policy import Direction, PolicyAnalysis, Proved, Readings, Unknown
from netlint.resources import load
from netlint.sources import read_text

WORLD = """
apiVersion: v1
kind: Namespace
metadata: {name: a, labels: {team: a}}
---
apiVersion: v1
kind: Namespace
metadata: {name: b, labels: {team: b}}
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {zone: z1}}
status: {addresses: [{type: InternalIP, address: 192.0.2.1}]}
---
apiVersion: v1
kind: Pod
metadata: {name: one, namespace: a, labels: {app: one}}
spec:
  containers:
  - name: main
    image: i
    ports: [{name: web, containerPort: 80}, {name: dns, containerPort: 53, protocol: UDP}]
status: {podIP: 10.0.0.1, podIPs: [{ip: 10.0.0.1}]}
---
apiVersion: v1
kind: Pod
metadata: {name: two, namespace: b, labels: {app: two}}
spec: {containers: [{name: main, image: i}]}
status: {podIP: 10.0.0.2, podIPs: [{ip: 10.0.0.2}]}
---
apiVersion: v1
kind: Pod
metadata: {name: host, namespace: b, labels: {app: two}}
spec: {hostNetwork: true, nodeName: n1, containers: [{name: main, image: i}]}
status: {podIP: 192.0.2.1, podIPs: [{ip: 192.0.2.1}]}
"""
NP_DENY = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny, namespace: a}
spec: {podSelector: {}}
"""
NP_ALLOW = NP_DENY.replace("deny", "allow").replace("{podSelector: {}}", "{podSelector: {}, ingress: [{}]}")


def cnp(name, tier, priority, body):
    kind = f"ClusterNetworkPolicy\nmetadata: {{name: {name}}}"
    head = f"apiVersion: policy.networking.k8s.io/v1alpha2\nkind: {kind}\nspec:\n"
    spec = f"tier: {tier}\npriority: {priority}\n" + textwrap.dedent(body).strip()
    return head + textwrap.indent(spec, "  ")


def anp(name, priority, body):
    head = (
        f"apiVersion: policy.networking.k8s.io/v1alpha1\nkind: AdminNetworkPolicy\nmetadata: {{name: {name}}}\nspec:\n"
    )
    return head + textwrap.indent(f"priority: {priority}\n" + textwrap.dedent(body).strip(), "  ")


def banp(body):
    kind = "BaselineAdminNetworkPolicy\nmetadata: {name: default}"
    head = f"apiVersion: policy.networking.k8s.io/v1alpha1\nkind: {kind}\nspec:\n"
    return head + textwrap.indent(textwrap.dedent(body).strip(), "  ")


def analysis_of(*policies, **readings):
    text = "\n---\n".join([WORLD, *policies])
    cluster = build(divide(load(read_text(text).documents), Config())[0], world="closed")
    return PolicyAnalysis.of(cluster, Readings(ipblock_matches_pods=True, **readings))


def into_one(*policies, port=80, protocol="TCP", source="b/Pod/two", target="a/Pod/one"):
    analysis = analysis_of(*policies)
    end = analysis.by_id(source) or analysis.address(source)
    return analysis.verdict(end, analysis.by_id(target) or analysis.address(target), protocol, port).value


ALL = "subject: {namespaces: {}}\n"
FROM_ALL = "from: [{namespaces: {}}]"


def rule(action, peers=FROM_ALL, extra="", field="ingress"):
    return f"{ALL}{field}:\n- action: {action}\n  {peers}\n{textwrap.indent(extra, '  ')}"


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ([cnp("p", "Admin", 1, rule("Deny"))], "denied"),
        ([cnp("p", "Admin", 1, rule("Accept")), NP_DENY], "allowed"),
        ([cnp("p", "Admin", 1, rule("Deny")), NP_ALLOW], "denied"),
        ([cnp("p", "Admin", 1, rule("Pass")), cnp("q", "Admin", 2, rule("Deny"))], "allowed"),
        ([cnp("p", "Admin", 1, rule("Pass")), cnp("q", "Admin", 2, rule("Accept")), NP_DENY], "denied"),
        ([cnp("p", "Admin", 2, rule("Pass")), cnp("q", "Admin", 1, rule("Deny"))], "denied"),
        ([cnp("p", "Admin", 1, rule("Pass")), cnp("q", "Baseline", 1, rule("Deny"))], "denied"),
        ([cnp("p", "Baseline", 1, rule("Deny"))], "denied"),
        ([cnp("p", "Baseline", 1, rule("Deny")), NP_ALLOW], "allowed"),
        ([cnp("p", "Baseline", 1, rule("Accept")), NP_DENY], "denied"),
        ([cnp("p", "Baseline", 1, rule("Pass")), cnp("q", "Baseline", 2, rule("Deny"))], "allowed"),
        ([banp(rule("Deny"))], "denied"),
        ([banp(rule("Deny")), NP_ALLOW], "allowed"),
        ([anp("p", 5, rule("Allow")), NP_DENY, banp(rule("Deny"))], "allowed"),
        ([anp("p", 5, rule("Pass")), NP_DENY], "denied"),
        ([cnp("p", "Admin", 1, ALL + "ingress: []")], "allowed"),
    ],
)
def test_tiers(policies, expected):
    assert into_one(*policies) == expected


def test_rules_are_tried_in_order():
    first = f"{ALL}ingress:\n- action: Accept\n  {FROM_ALL}\n- action: Deny\n  {FROM_ALL}"
    assert into_one(cnp("p", "Admin", 1, first)) == "allowed"
    second = f"{ALL}ingress:\n- action: Deny\n  {FROM_ALL}\n- action: Accept\n  {FROM_ALL}"
    assert into_one(cnp("p", "Admin", 1, second)) == "denied"


def test_equal_priorities_are_undefined_where_they_matter():
    policies = [cnp("p", "Admin", 1, rule("Accept")), cnp("q", "Admin", 1, rule("Deny"))]
    assert into_one(*policies) == "unknown"
    assert into_one(policies[0], cnp("q", "Admin", 1, rule("Accept"))) == "allowed"
    analysis = analysis_of(*policies)
    answer = analysis.prover.rule_shadowed(analysis.policies.rules[0])
    assert isinstance(answer, Unknown)
    assert "priority" in answer.reason


@pytest.mark.parametrize(
    ("protocols", "hits", "misses"),
    [
        ("protocols: [{tcp: {destinationPort: {number: 80}}}]", [("TCP", 80)], [("UDP", 80), ("TCP", 81)]),
        (
            "protocols: [{udp: {destinationPort: {range: {start: 50, end: 60}}}}]",
            [("UDP", 50), ("UDP", 60)],
            [("UDP", 61), ("TCP", 55)],
        ),
        ("protocols: [{destinationNamedPort: dns}]", [("UDP", 53)], [("TCP", 53), ("UDP", 54)]),
        ("protocols: [{destinationNamedPort: web}]", [("TCP", 80)], [("UDP", 80)]),
        ("", [("TCP", 1), ("SCTP", 1), ("ICMP", 8), ("other", 47)], []),
    ],
)
def test_protocols(protocols, hits, misses):
    policy = cnp("p", "Admin", 1, rule("Deny", extra=protocols))
    assert [into_one(policy, port=port, protocol=protocol) for protocol, port in hits] == ["denied"] * len(hits)
    assert [into_one(policy, port=port, protocol=protocol) for protocol, port in misses] == ["allowed"] * len(misses)


def test_networks_match_pods_and_addresses():
    policy = cnp("p", "Admin", 1, rule("Deny", "to: [{networks: [10.0.0.0/24, 2001:db8::/32]}]", field="egress"))
    assert into_one(policy) == "denied"
    assert into_one(policy, target="10.0.0.9") == "denied"
    assert into_one(policy, target="2001:db8::9") == "denied"
    assert into_one(policy, target="10.0.1.9") == "allowed"


def test_nodes_are_nodes_and_pods_on_their_network():
    policy = cnp("p", "Admin", 1, rule("Deny", "to: [{nodes: {matchLabels: {zone: z1}}}]", field="egress"))
    assert into_one(policy, target="b/Pod/host") == "denied"
    assert into_one(policy, target="Node/n1") == "denied"
    assert into_one(policy, target="b/Pod/two", source="a/Pod/one") == "allowed"
    other = cnp("p", "Admin", 1, rule("Deny", "to: [{nodes: {matchLabels: {zone: z2}}}]", field="egress"))
    assert into_one(other, target="b/Pod/host") == "allowed"


def test_selectors_never_take_pods_on_the_hosts_network():
    policy = cnp("p", "Admin", 1, rule("Deny"))
    assert into_one(policy, source="b/Pod/host") == "allowed"
    assert into_one(policy, target="b/Pod/host", source="a/Pod/one") == "allowed"


def test_domain_names_may_be_any_address_outside():
    peers = "to: [{domainNames: ['*.example.com']}]"
    deny_rest = "- action: Deny\n  to: [{networks: [0.0.0.0/0]}]"
    body = f"{rule('Accept', peers, field='egress')}\n{deny_rest}"
    assert into_one(cnp("p", "Admin", 1, body), target="203.0.113.1", source="a/Pod/one") == "unknown"
    assert into_one(cnp("p", "Admin", 1, body), target="a/Pod/one") == "denied"


def test_a_part_that_the_server_refuses_is_unknown():
    bad = cnp("p", "Admin", 1, rule("Forbid"))
    assert into_one(bad) == "unknown"
    assert into_one(bad, NP_ALLOW) == "unknown"


def test_a_rule_behind_one_that_takes_all_is_shadowed():
    pods = "from: [{pods: {namespaceSelector: {}, podSelector: {}}}]"
    body = f"{ALL}ingress:\n- action: Accept\n  {FROM_ALL}\n- action: Deny\n  {pods}"
    analysis = analysis_of(cnp("p", "Admin", 1, body))
    first, second = analysis.policies.rules
    assert isinstance(analysis.prover.rule_shadowed(second), Proved)
    assert not analysis.prover.rule_shadowed(first)


def test_explanations_name_rules_that_passed():
    analysis = analysis_of(cnp("p", "Admin", 1, rule("Pass")), NP_DENY)
    side = analysis.explain(analysis.by_id("b/Pod/two"), analysis.by_id("a/Pod/one"), "TCP", 80).ingress
    assert [each.policy.name for each in side.passed] == ["p"]
    assert side.basis == "isolated"
    assert {policy.object.name for policy in side.selected_by} == {"p", "deny"}
    assert side.direction is Direction.INGRESS


def test_rows_know_rules_with_several_peers():
    peers = "from: [{namespaces: {matchLabels: {team: b}}}, {namespaces: {matchLabels: {team: none}}}]"
    analysis = analysis_of(cnp("p", "Baseline", 1, rule("Deny", peers)))
    two, one = analysis.class_of(analysis.by_id("b/Pod/two")), analysis.class_of(analysis.by_id("a/Pod/one"))
    row = next(each for each in analysis.rows() if two in each.sources)
    assert one not in {destination for cell in row.cells for destination in cell.destinations}


@pytest.mark.parametrize(
    "policy",
    [
        anp("p", 1, rule("Deny", "from: [{namespaces: {namespaceSelector: {matchLabels: {team: none}}}}]")),
        anp("p", 1, rule("Deny", "from: [{namespaces: {sameLabels: [team]}}]")),
        cnp("p", "Admin", 1, rule("Deny", "from: [{namespaces: {notSameLabels: [team]}}]")),
        anp("p", 1, rule("Deny", "from: [{pods: {namespaces: {namespaceSelector: {}}, podSelector: {}}}]")),
        anp("p", 1, rule("Deny")).replace("{namespaces: {}}", "{namespaces: {namespaceSelector: {}}}", 1),
        banp(rule("Deny", "from: [{namespaces: {sameLabels: [team]}}]")),
    ],
)
def test_the_early_form_of_namespaces_is_never_read_as_all_of_them(policy):
    assert into_one(policy) == "unknown"
