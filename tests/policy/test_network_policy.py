"""What NetworkPolicy means: one test for each trap that its documentation, its defaults and other tools fell into."""

import textwrap

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import Config
from netlint.policy import Direction, PolicyAnalysis, Readings, Verdict
from netlint.resources import load
from netlint.sources import read_text

WORLD = """
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: blue}}
---
apiVersion: v1
kind: Namespace
metadata: {name: other, labels: {team: red}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
spec: {containers: [{name: main, image: i, ports: [{name: http, containerPort: 8080}]}]}
---
apiVersion: v1
kind: Pod
metadata: {name: db, namespace: shop, labels: {app: db, role: store}}
spec:
  containers:
  - name: main
    image: i
    ports: [{name: sql, containerPort: 5432}, {name: dns, containerPort: 53, protocol: UDP}]
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: other, labels: {app: web}}
spec: {containers: [{name: main, image: i, ports: [{name: sql, containerPort: 9999}]}]}
---
apiVersion: v1
kind: Pod
metadata: {name: agent, namespace: shop, labels: {app: agent}}
spec: {hostNetwork: true, containers: [{name: main, image: i}]}
"""


def analysis_of(*policies, world=WORLD, assume="closed", **readings):
    specs = [
        f"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: p{place}, namespace: shop}}\nspec:\n"
        + textwrap.indent(textwrap.dedent(spec).strip(), "  ")
        for place, spec in enumerate(policies)
    ]
    documents = read_text("\n---\n".join([world, *specs])).documents
    cluster = build(divide(load(documents), Config())[0], world=assume)
    return PolicyAnalysis.of(cluster, Readings(**{"ipblock_matches_pods": True, **readings}))


def verdict(analysis, source, destination, port, protocol="TCP"):
    def end(name):
        return analysis.by_id(name) or analysis.address(name)

    return analysis.verdict(end(source), end(destination), protocol, port).value


WEB, DB, FAR, AGENT = "shop/Pod/web", "shop/Pod/db", "other/Pod/web", "shop/Pod/agent"
OUTSIDE = "203.0.113.5"


def test_what_no_policy_selects_is_open():
    analysis = analysis_of()
    assert verdict(analysis, FAR, DB, 5432) == "allowed"
    assert analysis.explain(analysis.by_id(FAR), analysis.by_id(DB), "TCP", 5432).ingress.basis == "no-policy"


@pytest.mark.parametrize(
    ("spec", "into", "out"),
    [
        ("podSelector: {}", "denied", "allowed"),
        ("podSelector: {}\npolicyTypes: []", "denied", "allowed"),
        ("podSelector: {}\negress: []", "denied", "allowed"),
        ("podSelector: {}\negress:\n- to: [{podSelector: {matchLabels: {app: none}}}]", "denied", "denied"),
        ("podSelector: {}\negress: [{}]", "denied", "allowed"),
        ("podSelector: {}\npolicyTypes: [Egress]", "allowed", "denied"),
        ("podSelector: {}\npolicyTypes: [Egress]\ningress: [{}]", "allowed", "denied"),
        ("podSelector: {}\npolicyTypes: [Ingress]\negress: [{}]", "denied", "allowed"),
        ("podSelector: {}\npolicyTypes: [Egress, Ingress]", "denied", "denied"),
        ("podSelector: {}\ningress: [{}]", "allowed", "allowed"),
        ("podSelector: {}\ningress:\n- from: []\n  ports: []", "allowed", "allowed"),
        ("podSelector: {}\ningress:\n- from: null\n  ports: null", "allowed", "allowed"),
        ("podSelector: {}\ningress: null", "denied", "allowed"),
        ("ingress: []", "denied", "allowed"),
        ("podSelector: null\npolicyTypes: [Ingress]", "denied", "allowed"),
        ("podSelector:\n  matchLabels: null", "denied", "allowed"),
    ],
)
def test_defaulting(spec, into, out):
    analysis = analysis_of(spec)
    assert verdict(analysis, FAR, DB, 5432) == into
    assert verdict(analysis, DB, FAR, 80) == out


def test_rules_of_several_policies_add_up():
    analysis = analysis_of(
        "podSelector: {}",
        "podSelector: {matchLabels: {app: db}}\ningress:\n- from: [{podSelector: {matchLabels: {app: web}}}]",
    )
    assert verdict(analysis, WEB, DB, 5432) == "allowed"
    assert verdict(analysis, FAR, DB, 5432) == "denied"
    told = analysis.explain(analysis.by_id(WEB), analysis.by_id(DB), "TCP", 5432)
    assert [(rule.policy.name, rule.origin.path) for rule in told.ingress.rules] == [("p1", ("spec", "ingress", 0))]
    assert [policy.object.name for policy in told.ingress.selected_by] == ["p0", "p1"]
    denied = analysis.explain(analysis.by_id(FAR), analysis.by_id(DB), "TCP", 5432)
    assert denied.ingress.basis == "isolated"
    assert denied.egress.basis == "no-policy"


def test_a_policy_selects_pods_of_its_own_namespace_only():
    assert verdict(analysis_of("podSelector: {matchLabels: {app: web}}"), WEB, FAR, 80) == "allowed"


@pytest.mark.parametrize(
    ("peers", "web", "far", "outside"),
    [
        ("[{podSelector: {matchLabels: {app: web}}}]", "allowed", "denied", "denied"),
        ("[{podSelector: {}}]", "allowed", "denied", "denied"),
        ("[{namespaceSelector: {}}]", "allowed", "allowed", "denied"),
        ("[{namespaceSelector: {matchLabels: {team: red}}}]", "denied", "allowed", "denied"),
        (
            "[{namespaceSelector: {matchLabels: {team: red}}, podSelector: {matchLabels: {app: web}}}]",
            "denied",
            "allowed",
            "denied",
        ),
        (
            "[{namespaceSelector: {matchLabels: {team: red}}}, {podSelector: {matchLabels: {app: web}}}]",
            "allowed",
            "allowed",
            "denied",
        ),
        (
            "[{namespaceSelector: {matchLabels: {team: red}}, podSelector: {matchLabels: {app: x}}}]",
            "denied",
            "denied",
            "denied",
        ),
        (
            "[{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}}]",
            "denied",
            "allowed",
            "denied",
        ),
        ("[{ipBlock: {cidr: 203.0.113.0/24}}]", "denied", "denied", "allowed"),
        ("[{ipBlock: {cidr: 203.0.113.0/24, except: [203.0.113.4/31]}}]", "denied", "denied", "denied"),
        ("[{podSelector: {matchExpressions: [{key: role, operator: DoesNotExist}]}}]", "allowed", "denied", "denied"),
        (
            "[{podSelector: {matchExpressions: [{key: role, operator: NotIn, values: [store]}]}}]",
            "allowed",
            "denied",
            "denied",
        ),
        ("[{podSelector: {matchExpressions: [{key: role, operator: Exists}]}}]", "denied", "denied", "denied"),
    ],
)
def test_peers(peers, web, far, outside):
    world = WORLD
    for namespace, address in (("shop", "10.0.0.1"), ("other", "10.0.0.2")):
        metadata = f"metadata: {{name: web, namespace: {namespace}, labels: {{app: web}}}}"
        world = world.replace(metadata, f"{metadata}\nstatus: {{podIP: {address}, podIPs: [{{ip: {address}}}]}}")
    analysis = analysis_of(f"podSelector: {{matchLabels: {{app: db}}}}\ningress:\n- from: {peers}", world=world)
    found = [verdict(analysis, end, DB, 5432) for end in (WEB, FAR, OUTSIDE)]
    assert found == [web, far, outside]


@pytest.mark.parametrize(
    ("ports", "allowed", "denied"),
    [
        ("[{}]", [("TCP", 1), ("TCP", 65535)], [("UDP", 53), ("SCTP", 1)]),
        ("[{port: 5432}]", [("TCP", 5432)], [("UDP", 5432), ("TCP", 5433)]),
        ("[{protocol: UDP}]", [("UDP", 1), ("UDP", 65535)], [("TCP", 53)]),
        ("[{port: 80, endPort: 90}]", [("TCP", 80), ("TCP", 90)], [("TCP", 79), ("TCP", 91), ("UDP", 85)]),
        ("[{port: sql}]", [("TCP", 5432)], [("TCP", 9999), ("UDP", 5432)]),
        ("[{port: dns}]", [], [("UDP", 53), ("TCP", 53)]),
        ("[{port: dns, protocol: UDP}]", [("UDP", 53)], [("TCP", 53)]),
        ("[{port: nothing}]", [], [("TCP", 5432)]),
        ("[{port: 53, protocol: UDP}, {port: 53}]", [("UDP", 53), ("TCP", 53)], [("TCP", 54)]),
        ("[]", [("TCP", 5432), ("ICMP", 8), ("other", 47)], []),
    ],
)
def test_ports(ports, allowed, denied):
    analysis = analysis_of(f"podSelector: {{matchLabels: {{app: db}}}}\ningress:\n- ports: {ports}")
    assert [verdict(analysis, WEB, DB, port, protocol) for protocol, port in allowed] == ["allowed"] * len(allowed)
    assert [verdict(analysis, WEB, DB, port, protocol) for protocol, port in denied] == ["denied"] * len(denied)


def test_a_named_port_of_an_egress_rule_is_each_peers_own():
    analysis = analysis_of(
        "podSelector: {matchLabels: {app: web}}\npolicyTypes: [Egress]\negress: [{ports: [{port: sql}]}]"
    )
    assert verdict(analysis, WEB, DB, 5432) == "allowed"
    assert verdict(analysis, WEB, DB, 9999) == "denied"
    assert verdict(analysis, WEB, FAR, 9999) == "allowed"
    assert verdict(analysis, WEB, FAR, 5432) == "denied"
    assert verdict(analysis, WEB, OUTSIDE, 5432) == "denied"


def test_both_ends_must_allow():
    out = "podSelector: {matchLabels: {app: web}}\npolicyTypes: [Egress]\negress: [{to: [{podSelector: {}}]}]"
    analysis = analysis_of(out, "podSelector: {matchLabels: {app: db}}")
    told = analysis.explain(analysis.by_id(WEB), analysis.by_id(DB), "TCP", 5432)
    assert (told.egress.verdict, told.ingress.verdict) == (Verdict.ALLOWED, Verdict.DENIED)
    assert told.verdict is Verdict.DENIED


def test_an_exception_is_no_denial():
    analysis = analysis_of(
        """
        podSelector: {}
        policyTypes: [Egress]
        egress:
        - to: [{ipBlock: {cidr: 0.0.0.0/0}}]
        - to: [{ipBlock: {cidr: 0.0.0.0/0, except: [169.254.169.254/32]}}]
        """
    )
    assert verdict(analysis, WEB, "169.254.169.254", 80) == "allowed"


def test_one_family_leaves_the_other_closed():
    analysis = analysis_of("podSelector: {}\npolicyTypes: [Egress]\negress: [{to: [{ipBlock: {cidr: 0.0.0.0/0}}]}]")
    assert verdict(analysis, WEB, OUTSIDE, 443) == "allowed"
    assert verdict(analysis, WEB, "2001:db8::1", 443) == "denied"


def test_pods_on_the_hosts_network_are_not_selected():
    closed = "podSelector: {}\ningress: [{from: [{podSelector: {}}, {namespaceSelector: {}}]}]"
    analysis = analysis_of(closed)
    assert verdict(analysis, WEB, AGENT, 80) == "allowed"
    assert verdict(analysis, AGENT, DB, 5432) == "denied"
    assert verdict(analysis_of(closed, hostnetwork_as_pods=True), AGENT, DB, 5432) == "allowed"
    assert verdict(analysis_of(closed, node_to_pod_always_allowed=True), AGENT, DB, 5432) == "allowed"
    assert verdict(analysis_of("podSelector: {}", hostnetwork_as_pods=True), WEB, AGENT, 80) == "denied"


BLOCK = "podSelector: {}\npolicyTypes: [Egress]\negress: [{to: [{ipBlock: {cidr: 10.0.0.0/8}}]}]"


@pytest.mark.parametrize(
    ("matches", "address", "expected"),
    [
        (True, "10.1.2.3", "allowed"),
        (True, "192.0.2.1", "denied"),
        (True, None, "unknown"),
        (False, "10.1.2.3", "denied"),
        (False, None, "denied"),
        (None, "10.1.2.3", "unknown"),
        (None, "192.0.2.1", "denied"),
    ],
)
def test_whether_a_block_matches_a_pod_is_a_reading(matches, address, expected):
    status = f"\nstatus: {{podIP: {address}, podIPs: [{{ip: {address}}}]}}" if address else ""
    world = WORLD.replace("labels: {app: db, role: store}}", "labels: {app: db, role: store}}" + status)
    analysis = analysis_of(BLOCK, world=world, ipblock_matches_pods=matches)
    assert verdict(analysis, WEB, DB, 5432) == expected


def test_rejected_parts_make_the_direction_unknown():
    analysis = analysis_of("podSelector: {matchLabels: {app: db}}\ningress:\n- from: [{}]\n")
    assert verdict(analysis, WEB, DB, 5432) == "unknown"
    assert verdict(analysis, DB, WEB, 80) == "allowed"
    assert verdict(analysis, DB, FAR, 80) == "allowed"
    side = analysis.explain(analysis.by_id(WEB), analysis.by_id(DB), "TCP", 5432).ingress
    assert side.basis == "unknown"
    assert any("p0" in reason for reason in side.unknown_because)


def test_a_rejected_selector_may_select_any_pod_of_its_namespace():
    analysis = analysis_of("podSelector: {matchExpressions: [{key: app, operator: Is, values: [db]}]}")
    assert verdict(analysis, FAR, WEB, 80) == "unknown"
    assert verdict(analysis, WEB, FAR, 80) == "allowed"


def test_what_another_policy_allows_stays_allowed_beside_a_rejected_one():
    analysis = analysis_of(
        "podSelector: {}\ningress: [{from: [{}]}]", "podSelector: {}\ningress: [{ports: [{port: 80}]}]"
    )
    assert verdict(analysis, FAR, WEB, 80) == "allowed"
    assert verdict(analysis, FAR, WEB, 81) == "unknown"


def test_labels_set_at_run_time_are_unknown():
    # A Deployment's pods get a pod-template-hash that no manifest holds.
    world = WORLD + textwrap.dedent("""
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: api, namespace: shop}
        spec:
          selector: {matchLabels: {app: api}}
          template:
            metadata: {labels: {app: api}}
            spec: {containers: [{name: main, image: i}]}
        """)
    spec = "podSelector: {matchLabels: {pod-template-hash: abc}}\ningress: [{ports: [{port: 80}]}]"
    analysis = analysis_of(spec, world=world)
    api = "shop/Deployment/api"
    # Whether the policy selects it or not, port 80 is open.
    assert verdict(analysis, WEB, api, 80) == "allowed"
    assert verdict(analysis, WEB, api, 81) == "unknown"
    assert analysis.maybe_selected_by(analysis.by_id(api), Direction.INGRESS)
    assert not analysis.selected_by(analysis.by_id(api), Direction.INGRESS)


def test_labels_of_a_namespace_that_is_not_there_are_unknown_but_its_name_is_not():
    world = WORLD.replace(
        "kind: Namespace\nmetadata: {name: other, labels: {team: red}}", "kind: ConfigMap\nmetadata: {name: x}"
    )
    by_label = "podSelector: {}\ningress: [{from: [{namespaceSelector: {matchLabels: {team: red}}}]}]"
    by_name = (
        "podSelector: {}\ningress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}}]}]"
    )
    assert verdict(analysis_of(by_label, world=world, assume="open"), FAR, DB, 80) == "unknown"
    assert verdict(analysis_of(by_label, world=world, assume="closed"), FAR, DB, 80) == "denied"
    assert verdict(analysis_of(by_name, world=world, assume="open"), FAR, DB, 80) == "allowed"


def test_the_order_of_documents_does_not_matter():
    spec = "podSelector: {}\ningress: [{from: [{namespaceSelector: {matchLabels: {team: red}}}]}]"
    parts = WORLD.split("---\n")
    last = "---\n".join(parts[2:] + parts[:2])
    for world in (WORLD, last):
        analysis = analysis_of(spec, world=world)
        assert verdict(analysis, FAR, DB, 80) == "allowed"
        assert verdict(analysis, WEB, DB, 80) == "denied"


def test_hypothetical_pods_know_what_is_known_of_their_namespace():
    analysis = analysis_of("podSelector: {}\ningress: [{from: [{namespaceSelector: {matchLabels: {team: red}}}]}]")
    db = analysis.by_id(DB)
    assert analysis.verdict(analysis.pod("other", {"any": "thing"}), db, "TCP", 1) is Verdict.ALLOWED
    assert analysis.verdict(analysis.pod("shop", {}), db, "TCP", 1) is Verdict.DENIED
    assert analysis.verdict(analysis.pod("new", {}), db, "TCP", 1) is Verdict.UNKNOWN
    assert analysis.verdict(analysis.pod("new", {}, namespace_labels={"team": "red"}), db, "TCP", 1) is Verdict.ALLOWED


def test_a_block_that_rules_divide_is_answered_part_by_part():
    analysis = analysis_of(BLOCK)
    block, web = analysis.address("0.0.0.0/0"), analysis.by_id(WEB)
    assert analysis.verdict(web, block, "TCP", 80) is Verdict.UNKNOWN
    parts = {part.addresses.size: analysis.verdict(web, part, "TCP", 80) for part in analysis.parts(block)}
    assert parts == {1 << 24: Verdict.ALLOWED, (1 << 32) - (1 << 24): Verdict.DENIED}


def test_replacing_policies_leaves_the_first_analysis_alone():
    analysis = analysis_of("podSelector: {}")
    opened = analysis.with_policies(analysis.policies.without(*analysis.policies.policies))
    assert verdict(opened, WEB, DB, 80) == "allowed"
    assert verdict(analysis, WEB, DB, 80) == "denied"


FOREIGN = """
---
apiVersion: cilium.io/v2
kind: CiliumNetworkPolicy
metadata: {name: c, namespace: shop}
spec:
  endpointSelector: {matchLabels: {app: db}}
  ingress: [{fromEndpoints: [{matchLabels: {app: web}}]}]
"""


def test_a_policy_of_another_dialect_makes_what_it_may_select_unknown():
    analysis = analysis_of(world=WORLD + FOREIGN)
    assert verdict(analysis, WEB, DB, 5432) == "unknown"
    assert verdict(analysis, DB, WEB, 80) == "allowed"
    assert verdict(analysis, FAR, WEB, 80) == "allowed"


def test_selection_by_a_policys_subject():
    analysis = analysis_of("podSelector: {matchExpressions: [{key: app, operator: In, values: [db, web]}]}")
    chosen = analysis.select(analysis.policies.policies[0].subject)
    assert [endpoint.id for endpoint in chosen.certain] == [DB, WEB]
    assert chosen.possible == chosen.certain
