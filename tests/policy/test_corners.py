"""Corners of the translation and of the endpoints, each on its own."""

import pytest
import test_admin_policies as admin
import test_network_policy as plain
from test_network_policy import DB, WEB

from netlint.policy import PolicyAnalysis, Readings, Verdict
from netlint.predicates import NAME, Label, Scope, Values

NODE = """
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {zone: z1}}
status: {addresses: [{type: InternalIP, address: 192.0.2.1}]}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {addresses: [{type: InternalIP, address: 203.0.113.1}]}
"""
FROM_NODES = "podSelector: {matchLabels: {app: db}}\ningress: [{from: [{ipBlock: {cidr: 192.0.2.0/24}}]}]"


@pytest.mark.parametrize("action", ["Accept", "Deny", "Pass"])
@pytest.mark.parametrize("peers", ["from: [{newKind: {}}]", "from: [{newKind: {}}, {namespaces: {}}]"])
def test_a_peer_of_a_kind_that_is_not_known_is_not_read_as_nobody_or_everybody(action, peers):
    """An old server refuses the object, an engine that does not know the field fails closed: neither lets more in."""
    policy = admin.cnp("p", "Admin", 1, admin.rule(action, peers))
    assert admin.into_one(policy) == "unknown"
    assert admin.into_one(policy, admin.NP_DENY) != "allowed"


@pytest.mark.parametrize("field", ["portNumber: {port: 80}", "portRange: {start: 79, end: 81}"])
def test_a_port_of_an_admin_policy_is_tcp_where_no_protocol_stands(field):
    policy = admin.anp("p", 1, admin.rule("Deny", extra=f"ports: [{{{field}}}]"))
    assert admin.into_one(policy) == "denied"
    assert admin.into_one(policy, protocol="UDP") == "allowed"


@pytest.mark.parametrize(("matches", "expected"), [(True, "allowed"), (False, "denied"), (None, "unknown")])
def test_whether_a_block_matches_a_node_is_a_reading(matches, expected):
    """Cilium knows nodes by identity (policy-cidr-match-mode is off), plain engines by address. The pod on the host's
    network is at the address of its node."""
    agent = "spec: {hostNetwork: true, containers"
    world = plain.WORLD.replace(agent, agent.replace("true,", "true, nodeName: n1,")) + NODE
    analysis = plain.analysis_of(FROM_NODES, world=world, ipblock_matches_nodes=matches)
    assert plain.verdict(analysis, "Node/n1", DB, 5432) == expected
    assert plain.verdict(analysis, "shop/Pod/agent", DB, 5432) == expected
    assert plain.verdict(analysis, "Node/n2", DB, 5432) == "denied"
    assert plain.verdict(analysis, "192.0.2.9", DB, 5432) == "allowed"  # no node of the input has it


@pytest.mark.parametrize(("engine", "expected"), [("cilium", "allowed"), ("calico", "denied")])
def test_labels_that_cilium_drops_select_nothing(engine, expected):
    """Keys that begin with kubernetes.io/ are not relevant to identity by default; app.kubernetes.io/ is."""
    labels = "labels: {app: db, role: store}"
    more = "labels: {app: db, kubernetes.io/role: store, app.kubernetes.io/name: db}"
    for key, told in (("kubernetes.io/role: store", expected), ("app.kubernetes.io/name: db", "denied")):
        cluster = plain.analysis_of(f"podSelector: {{matchLabels: {{{key}}}}}", world=plain.WORLD.replace(labels, more))
        assert plain.verdict(cluster, WEB, DB, 5432) == "denied"
        read = _under(engine, f"podSelector: {{matchLabels: {{{key}}}}}", plain.WORLD.replace(labels, more))
        assert plain.verdict(read, WEB, DB, 5432) == told


def _under(engine: str, spec: str, world: str) -> PolicyAnalysis:
    readings = Readings.for_engine(engine)
    names = ("ipblock_matches_pods", "ipblock_matches_nodes", "hidden_label_prefixes")
    return plain.analysis_of(spec, world=world, **{name: getattr(readings, name) for name in names})


def test_every_address_of_a_dual_stack_pod_counts():
    """A block of one family takes a pod by its address of that family."""
    status = "\nstatus: {podIP: 10.1.2.3, podIPs: [{ip: 10.1.2.3}, {ip: 2001:db8::3}]}"
    world = plain.WORLD.replace("labels: {app: db, role: store}}", "labels: {app: db, role: store}}" + status)
    both = "to: [{ipBlock: {cidr: 10.0.0.0/8}}, {ipBlock: {cidr: 2001:db8::/32}}]"
    analysis = plain.analysis_of(f"podSelector: {{}}\npolicyTypes: [Egress]\negress: [{{{both}}}]", world=world)
    assert plain.verdict(analysis, WEB, DB, 5432) == "allowed"
    one = "to: [{ipBlock: {cidr: 10.0.0.0/8}}]"
    analysis = plain.analysis_of(f"podSelector: {{}}\npolicyTypes: [Egress]\negress: [{{{one}}}]", world=world)
    assert plain.verdict(analysis, WEB, DB, 5432) != "allowed"  # over IPv6 it does not pass


def test_pods_that_are_done_are_nobody():
    """The pods of a Job that ended keep their object and lose their address."""
    job = """
---
apiVersion: batch/v1
kind: Job
metadata: {name: load, namespace: shop, uid: j1}
spec: {template: {metadata: {labels: {app: load}}, spec: {containers: [{name: c, image: i}]}}}
"""
    pod = """
---
apiVersion: v1
kind: Pod
metadata:
  name: load-NAME
  namespace: shop
  labels: {app: load, batch.kubernetes.io/job-name: load, try: "NAME"}
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: load, uid: j1, controller: true}]
spec: {containers: [{name: c, image: i}]}
status: {phase: PHASE}
"""
    pods = pod.replace("NAME", "1").replace("PHASE", "Failed") + pod.replace("NAME", "2").replace("PHASE", "Running")
    analysis = plain.analysis_of("podSelector: {matchLabels: {try: '1'}}", world=plain.WORLD + job + pods)
    job_ends = [each for each in analysis.inside if each.labels.get("app") == "load"]
    assert len(job_ends) == 1  # one pod is left, and nothing to tell apart
    assert analysis.verdict(analysis.by_id(WEB), job_ends[0], "TCP", 80) is Verdict.ALLOWED


def test_the_service_account_is_a_label_of_its_own_scope():
    """No Kubernetes dialect asks for it; the dialects that do find it."""
    world = plain.WORLD.replace("spec:\n  containers:", "spec:\n  serviceAccountName: store\n  containers:", 1)
    analysis = plain.analysis_of(world=world)
    asked = Label(Scope.SERVICE_ACCOUNT, NAME, Values.one_of("store"))
    assert asked.holds(analysis.by_id(DB)) is True
    assert asked.holds(analysis.by_id(WEB)) is False
    assert analysis.by_id(WEB).service_account == "default"


def test_a_side_that_denies_outweighs_one_that_is_unknown():
    """The source may send nothing; whether the destination would take it is not known, and does not matter."""
    analysis = plain.analysis_of(
        "podSelector: {matchLabels: {app: web}}\npolicyTypes: [Egress]",
        "podSelector: {matchLabels: {app: db}}\ningress: [{from: [{}]}]",
    )
    told = analysis.explain(analysis.by_id(WEB), analysis.by_id(DB), "TCP", 5432)
    assert (told.egress.verdict, told.ingress.verdict) == (Verdict.DENIED, Verdict.UNKNOWN)
    assert told.verdict is Verdict.DENIED


@pytest.mark.parametrize(
    "spec",
    [
        # Each could be translated all the same, and would be wider or narrower than what the server stores: nothing.
        "podSelector: {matchLabels: {app: 'not a value!'}}",
        "podSelector: {matchLabels: {app: db}}\npolicyTypes: [Ingress, Both]",
        "podSelector: {matchLabels: {app: db}}\n"
        "ingress: [{from: [{podSelector: {matchLabels: {app: 'not a value!'}}}]}]",
        "podSelector: {matchLabels: {app: db}}\ningress: [{ports: [{port: 'far-too-long-a-name'}]}]",
        "podSelector: {matchLabels: {app: db}}\ningress: [{ports: [{port: '80'}]}]",
        "podSelector: {matchLabels: {app: db}}\n"
        "ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/24, except: [10.0.0.0/24]}}]}]",
        "podSelector: {matchLabels: {app: db}}\ningress: [{ports: [{port: 80, endPort: 79}]}]",
        "podSelector: {matchLabels: {app: db}}\ningress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}, podSelector: {}}]}]",
        "podSelector: {matchLabels: {app: db}}\ningress: [{from: [{podSelector: null}]}]",
    ],
)
def test_what_the_server_would_refuse_is_unknown_and_never_wider(spec):
    analysis = plain.analysis_of(spec)
    assert plain.verdict(analysis, WEB, DB, 5432) == "unknown"
