"""Generated clusters and policies of every translated dialect, valid by construction."""

import json

from hypothesis import strategies as st

from netlint.cluster import build, divide
from netlint.cluster.config import Config
from netlint.policy import PolicyAnalysis, Readings
from netlint.resources import load
from netlint.sources import read_text

NAMESPACES = ("blue", "green", "red")
PROTOCOLS = ("TCP", "UDP", "SCTP")
NUMBERS = (53, 80, 81, 443, 8080)
NAMES = ("http", "dns", "web")
ADDRESSES = ("10.0.0.1", "10.0.1.1", "10.1.0.1", "192.0.2.7", "2001:db8::1", "2001:db8:1::1")
BLOCKS = (
    ("10.0.0.0/8", ("10.0.0.0/16", "10.0.1.0/24")),
    ("10.0.0.0/16", ("10.0.0.0/24", "10.0.1.0/24")),
    ("0.0.0.0/0", ("10.0.0.0/8", "192.0.2.0/24")),
    ("192.0.2.0/24", ("192.0.2.7/32",)),
    ("::/0", ("2001:db8::/32", "2001:db8:1::/48")),
    ("2001:db8::/32", ("2001:db8:1::/48",)),
)
OUTSIDE = ("192.0.2.7", "198.51.100.1", "10.1.0.9", "2001:db8:1::9", "2001:db8:ffff::1")

keys = st.sampled_from(("app", "tier", "x/y"))
values = st.sampled_from(("a", "b", ""))
labels = st.dictionaries(keys, values, max_size=3)


@st.composite
def expressions(draw):
    operator = draw(st.sampled_from(("In", "NotIn", "Exists", "DoesNotExist")))
    entry = {"key": draw(st.one_of(keys, st.just("kubernetes.io/metadata.name"))), "operator": operator}
    if operator in ("In", "NotIn"):
        entry["values"] = draw(st.lists(st.sampled_from(("a", "b", "blue", "red")), min_size=1, max_size=2))
    return entry


@st.composite
def selectors(draw):
    made = {}
    if draw(st.booleans()):
        made["matchLabels"] = draw(st.one_of(st.none(), labels))
    if draw(st.integers(0, 3)) == 0:
        made["matchExpressions"] = draw(st.one_of(st.just([]), st.lists(expressions(), max_size=2)))
    return made


@st.composite
def ip_blocks(draw):
    cidr, inner = draw(st.sampled_from(BLOCKS))
    made = {"cidr": cidr}
    if draw(st.booleans()):
        made["except"] = draw(st.lists(st.sampled_from(inner), unique=True, max_size=2))
    return made


@st.composite
def policy_peers(draw):
    shape = draw(st.sampled_from(("pod", "namespace", "both", "block")))
    if shape == "block":
        return {"ipBlock": draw(ip_blocks())}
    made = {}
    if shape in ("pod", "both"):
        made["podSelector"] = draw(selectors())
    if shape in ("namespace", "both"):
        made["namespaceSelector"] = draw(selectors())
    return made


@st.composite
def policy_ports(draw):
    made = {}
    if draw(st.booleans()):
        made["protocol"] = draw(st.sampled_from(PROTOCOLS))
    shape = draw(st.sampled_from(("none", "number", "range", "name")))
    if shape == "number":
        made["port"] = draw(st.sampled_from(NUMBERS))
    if shape == "range":
        made["port"], made["endPort"] = sorted(draw(st.tuples(st.sampled_from(NUMBERS), st.sampled_from(NUMBERS))))
    if shape == "name":
        made["port"] = draw(st.sampled_from(NAMES))
    return made


def maybe(draw, made, key, strategy, empty=True):
    """A field that is there, absent, null, or (where the API lets it be) empty."""
    shape = draw(st.sampled_from(("there", "there", "absent", "null", "empty")))
    if shape == "there":
        made[key] = draw(strategy)
    elif shape == "null":
        made[key] = None
    elif shape == "empty" and empty:
        made[key] = []


@st.composite
def network_policies(draw, name):
    spec = {}
    maybe(draw, spec, "podSelector", selectors(), empty=False)
    for field, peers in (("ingress", "from"), ("egress", "to")):
        rules = []
        for _ in range(draw(st.integers(0, 2))):
            rule = {}
            maybe(draw, rule, peers, st.lists(policy_peers(), min_size=1, max_size=2))
            maybe(draw, rule, "ports", st.lists(policy_ports(), min_size=1, max_size=2))
            rules.append(rule)
        maybe(draw, spec, field, st.just(rules))
    types = st.sampled_from((["Ingress"], ["Egress"], ["Egress", "Ingress"], ["Ingress", "Egress"]))
    maybe(draw, spec, "policyTypes", types)
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": name, "namespace": draw(st.sampled_from(NAMESPACES))},
        "spec": spec,
    }


@st.composite
def subjects(draw):
    if draw(st.booleans()):
        return {"namespaces": draw(selectors())}
    return {"pods": {"namespaceSelector": draw(selectors()), "podSelector": draw(selectors())}}


@st.composite
def admin_peers(draw, egress):
    if egress and draw(st.integers(0, 3)) == 0:
        return {"networks": draw(st.lists(st.sampled_from([block for block, _ in BLOCKS]), min_size=1, max_size=2))}
    return draw(subjects())


@st.composite
def admin_ports(draw, cluster):
    shape = draw(st.sampled_from(("number", "range", "name")))
    protocol = draw(st.sampled_from(PROTOCOLS))
    low, high = sorted(draw(st.lists(st.sampled_from(NUMBERS), min_size=2, max_size=2, unique=True)))
    if shape == "name":
        return {"destinationNamedPort" if cluster else "namedPort": draw(st.sampled_from(NAMES))}
    if cluster:
        port = {"number": low} if shape == "number" else {"range": {"start": low, "end": high}}
        return {protocol.lower(): {"destinationPort": port}}
    if shape == "number":
        return {"portNumber": {"protocol": protocol, "port": low}}
    return {"portRange": {"protocol": protocol, "start": low, "end": high}}


@st.composite
def admin_policies(draw, name, kind, priority):
    cluster = kind == "ClusterNetworkPolicy"
    allow = "Accept" if cluster else "Allow"
    actions = [allow, "Deny"] if kind == "BaselineAdminNetworkPolicy" else [allow, "Deny", "Pass"]
    spec = {"subject": draw(subjects())}
    if kind != "BaselineAdminNetworkPolicy":
        spec["priority"] = priority
    if cluster:
        spec["tier"] = draw(st.sampled_from(("Admin", "Baseline")))
    for field, peers in (("ingress", "from"), ("egress", "to")):
        rules = []
        for _ in range(draw(st.integers(0, 2))):
            listed = draw(st.lists(admin_peers(field == "egress"), min_size=1, max_size=2))
            rule = {"action": draw(st.sampled_from(actions)), peers: listed}
            entries = st.lists(admin_ports(cluster), min_size=1, max_size=2)
            if any("networks" in peer for peer in listed):
                entries = st.none()
            # The CRD of ClusterNetworkPolicy takes no empty list of protocols.
            maybe(draw, rule, "protocols" if cluster else "ports", entries, empty=not cluster)
            rules.append(rule)
        if rules:
            spec[field] = rules
        else:
            maybe(draw, spec, field, st.none())
    return {
        "apiVersion": f"policy.networking.k8s.io/{'v1alpha2' if cluster else 'v1alpha1'}",
        "kind": kind,
        "metadata": {"name": name},
        "spec": spec,
    }


@st.composite
def pods(draw, name):
    ports = [
        {
            "name": port,
            "protocol": draw(st.sampled_from(PROTOCOLS)),
            "containerPort": draw(st.sampled_from(NUMBERS)),
        }
        for port in draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=2))
    ]
    host = draw(st.integers(0, 5)) == 0
    return {
        "name": name,
        "namespace": draw(st.sampled_from(NAMESPACES)),
        "labels": draw(labels),
        "ip": draw(st.sampled_from(ADDRESSES)),
        # What a named port means on the host's network no API says.
        "ports": [] if host else ports,
        "host": host,
    }


@st.composite
def worlds(draw, admin=True, most_policies=4):
    """Namespaces, pods and policies as raw objects. Priorities in a tier are all different."""
    policies = [draw(network_policies(f"np-{place}")) for place in range(draw(st.integers(0, most_policies)))]
    if admin:
        kinds = draw(st.lists(st.sampled_from(("AdminNetworkPolicy", "ClusterNetworkPolicy")), max_size=2))
        policies += [draw(admin_policies(f"admin-{place}", kind, 10 + place)) for place, kind in enumerate(kinds)]
        if draw(st.booleans()):
            policies.append(draw(admin_policies("default", "BaselineAdminNetworkPolicy", 0)))
    return {
        "namespaces": {name: draw(labels) for name in NAMESPACES},
        "pods": [draw(pods(f"pod-{place}")) for place in range(draw(st.integers(1, 4)))],
        "policies": policies,
        "ipblock_matches_pods": draw(st.booleans()),
    }


def manifests(world):
    """The world as the objects of a cluster."""
    made = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": held}}
        for name, held in world["namespaces"].items()
    ]
    for pod in world["pods"]:
        container = {"name": "main", "image": "example.com/image", "ports": pod["ports"]}
        made.append(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"name": pod["name"], "namespace": pod["namespace"], "labels": pod["labels"]},
                "spec": {"containers": [container], **({"hostNetwork": True} if pod.get("host") else {})},
                "status": {"podIP": pod["ip"], "podIPs": [{"ip": pod["ip"]}]},
            }
        )
    return made + world["policies"]


def cluster_of(world, objects=None):
    text = "\n---\n".join(json.dumps(obj) for obj in (objects if objects is not None else manifests(world)))
    return build(divide(load(read_text(text).documents), Config())[0], world="closed")


def analysis_of(world, objects=None):
    """The world through the whole of netlint."""
    readings = Readings(ipblock_matches_pods=world["ipblock_matches_pods"])
    return PolicyAnalysis.of(cluster_of(world, objects), readings)


def stands_for(pod):
    """To policies a pod on the host's network is no pod but an address."""
    return {"ip": pod["ip"]} if pod.get("host") else pod


def sides(world, analysis):
    """The endpoints of netlint beside the raw things they stand for: pods, then addresses outside."""
    found = []
    for pod in world["pods"]:
        endpoint = analysis.by_id(f"{pod['namespace']}/Pod/{pod['name']}")
        assert endpoint is not None
        found.append((endpoint, stands_for(pod)))
    return found + [(analysis.address(address), {"ip": address}) for address in OUTSIDE]


def probes():
    """Every protocol with ports on both sides of every boundary that a policy may draw."""
    ports = sorted({number + step for number in NUMBERS for step in (-1, 0, 1)})
    return [(protocol, port) for protocol in PROTOCOLS for port in ports] + [("ICMP", 8)]
