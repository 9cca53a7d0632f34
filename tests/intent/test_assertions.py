"""Assertions of the configuration, asked for every pod that could exist, and chains from the internet."""

import textwrap

import pytest

from netlint.cluster import Cluster, build, divide
from netlint.cluster.config import Config, parse_config
from netlint.intent.assertions import Checked, check
from netlint.intent.exposure import chains
from netlint.policy import PolicyAnalysis
from netlint.resources import load
from netlint.sources import read_text


def built(config: Config, *texts: str) -> Cluster:
    reading = read_text("\n---\n".join(textwrap.dedent(text) for text in texts))
    (cluster,) = [build(part, config) for part in divide(load(reading.documents), config)]
    return cluster


def asserted(assertion: str, *texts: str) -> list[Checked]:
    config = parse_config(f"assertions: [{{name: x, {assertion}}}]")
    cluster = built(config, *texts)
    return list(check(cluster, PolicyAnalysis.of(cluster), config.assertions[0]))


def namespace(name: str, labels: str) -> str:
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}, labels: {{{labels}}}}}"


def policy(namespace: str, ingress: str, egress: str = "", types: str = "Ingress") -> str:
    return f"""
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {{name: p, namespace: {namespace}}}
spec:
  podSelector: {{}}
  policyTypes: [{types}]
  ingress: [{ingress}]
  egress: [{egress}]
"""


SHOP = namespace("shop", "env: prod")


def test_a_denial_holds_where_the_namespace_is_closed() -> None:
    closed = policy("shop", "{from: [{podSelector: {}}]}")
    assert asserted("deny: {from: 'env=dev:', to: 'shop:'}", SHOP, closed) == []


def test_a_denial_fails_with_a_witness() -> None:
    open_ = policy("shop", "{from: [{namespaceSelector: {matchLabels: {env: dev}}}], ports: [{port: 8080}]}")
    (answer,) = asserted("deny: {from: 'env=dev:', to: 'shop:'}", SHOP, open_)
    assert answer.key == "deny"
    assert answer.witness is not None
    assert (answer.witness.port, answer.witness.protocol) == (8080, "TCP")
    assert asserted("deny: {from: 'env=dev:', to: 'shop:', port: 5432}", SHOP, open_) == []


def test_pods_that_are_not_there_count() -> None:
    only_web = policy("shop", "{from: [{podSelector: {matchLabels: {app: web}}}]}")
    assert asserted("deny: {from: 'shop:app=web', to: 'shop:app=db'}", SHOP, only_web), (
        "no such pods, but there could be"
    )
    assert asserted("deny: {from: 'shop:app=api', to: 'shop:app=db'}", SHOP, only_web) == []


def test_something_allowed() -> None:
    system = "{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kube-system}}}"
    dns = f"{{to: [{system}], ports: [{{port: 53, protocol: UDP}}]}}"
    egress = policy("shop", "", dns, "Egress")
    assert asserted("allow: {from: 'shop:', to: 'kube-system:k8s-app=kube-dns', port: 53/UDP}", SHOP, egress) == []
    (answer,) = asserted("allow: {from: 'shop:', to: 'kube-system:k8s-app=kube-dns', port: 53/TCP}", SHOP, egress)
    assert answer.witness is not None


def test_the_internet_and_addresses() -> None:
    block = "{from: [{ipBlock: {cidr: 203.0.113.0/24}}]}"
    assert asserted("deny: {from: 198.51.100.0/24, to: 'shop:'}", SHOP, policy("shop", block)) == []
    assert asserted("deny: {from: 203.0.113.9, to: 'shop:'}", SHOP, policy("shop", block))
    assert asserted("deny: {from: internet, to: 'shop:'}", SHOP, policy("shop", "")) == []


def test_tenants_are_isolated() -> None:
    spaces = (namespace("a", "team: a"), namespace("b", "team: b"))
    own = "{from: [{namespaceSelector: {matchLabels: {team: %s}}}]}"
    closed = (policy("a", own % "a"), policy("b", own % "b"))
    (answer,) = asserted("isolated: {by: team}", *spaces, *closed)
    assert answer.witness is not None, "another namespace of a team could come, and no policy would be in it"
    admin = """
    apiVersion: policy.networking.k8s.io/v1alpha1
    kind: AdminNetworkPolicy
    metadata: {name: %s}
    spec:
      priority: %d
      subject: {namespaces: {matchLabels: {team: %s}}}
      ingress:
        - {action: Allow, from: [{namespaces: {matchLabels: {team: %s}}}]}
        - {action: Deny, from: [{namespaces: {}}]}
    """
    everywhere = (admin % ("a", 1, "a", "a"), admin % ("b", 2, "b", "b"))
    assert asserted("isolated: {by: team}", *spaces, *everywhere) == []


@pytest.mark.parametrize(
    "assertion",
    ["deny: {from: 'shop/nobody', to: 'shop:'}", "deny: {from: 'https://x.example.com', to: 'shop:'}",
     "deny: {from: 'shop:', to: 'shop:', port: http}", "isolated: {by: nowhere}"],
)  # fmt: skip
def test_what_cannot_be_decided_says_why(assertion: str) -> None:
    (answer,) = asserted(assertion, SHOP)
    assert answer.witness is None
    assert answer.reason


def workload(name: str, port: int) -> str:
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: shop, labels: {{app: {name}}}}}
spec: {{containers: [{{name: x, image: x, ports: [{{containerPort: {port}}}]}}]}}
"""


FRONT = """
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
"""


def only_from(target: str, source: str) -> str:
    return (
        policy("shop", f"{{from: [{{podSelector: {{matchLabels: {{app: {source}}}}}}}]}}")
        .replace("podSelector: {}", f"podSelector: {{matchLabels: {{app: {target}}}}}", 1)
        .replace("name: p,", f"name: {target},")
    )


CHAIN = (
    workload("web", 8080),
    workload("api", 8000),
    workload("db", 5432),
    FRONT,
    only_from("api", "web"),
    only_from("db", "api"),
)


def test_the_shortest_chain_from_the_internet() -> None:
    config = parse_config("")
    cluster = built(config, *CHAIN)
    found = {
        chain.workload.name: [hop.destination for hop in chain.hops]
        for chain in chains(cluster, PolicyAnalysis.of(cluster))
    }
    assert found == {
        "web": ["shop/web"],
        "api": ["shop/web", "shop/api"],
        "db": ["shop/web", "shop/api", "shop/db"],
    }


def test_nothing_is_reached_where_nothing_is_exposed() -> None:
    config = parse_config("")
    cluster = built(config, *(text for text in CHAIN if text != FRONT))
    assert chains(cluster, PolicyAnalysis.of(cluster)) == ()


def test_a_chain_can_be_forbidden() -> None:
    (answer,) = asserted("deny: {from: internet, to: shop/db, hops: true}", *CHAIN)
    assert answer.witness is not None
    assert "internet -> shop/web" in answer.witness.text
    cut = (*CHAIN[:4], only_from("db", "api"), only_from("api", "nobody"))
    assert asserted("deny: {from: internet, to: shop/db, hops: true}", *cut) == []


@pytest.mark.parametrize(
    "assertion",
    ["allow: {from: internet, to: shop/web, hops: true}", "deny: {from: shop/web, to: shop/db, hops: true}",
     "deny: {from: internet, to: shop/db, hops: true, port: 5432}"],
)  # fmt: skip
def test_chains_are_only_forbidden_and_only_from_the_internet(assertion: str) -> None:
    (answer,) = asserted(assertion, *CHAIN)
    assert answer.witness is None
    assert answer.reason == "hops goes with deny, from: internet, and no port"


API = """
apiVersion: v1
kind: Service
metadata: {name: api, namespace: shop}
spec:
  selector: {app: api}
  ports: [{name: http, port: 80, targetPort: 8000}, {name: admin, port: 81, targetPort: 8001}]
"""
ON_8000 = policy("shop", "{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: 8000}]}")


@pytest.mark.parametrize("port", ["80", "http", "80/TCP"])
def test_the_port_of_a_service_is_that_of_its_pods_behind_it(port: str) -> None:
    world = (workload("api", 8000), API, ON_8000)
    assert asserted(f"allow: {{from: 'shop:app=web', to: shop/Service/api, port: {port}}}", *world) == []
    (answer,) = asserted(f"deny: {{from: 'shop:app=web', to: shop/Service/api, port: {port}}}", *world)
    assert answer.witness is not None
    assert answer.witness.port == 8000


def test_a_service_port_that_is_not_let_in() -> None:
    world = (workload("api", 8000), API, ON_8000)
    assert asserted("deny: {from: 'shop:app=web', to: shop/Service/api, port: 81}", *world) == []
    (answer,) = asserted("allow: {from: 'shop:app=web', to: shop/Service/api}", *world)
    assert answer.witness is not None, "the Service offers port 81 as well"
    assert answer.witness.port == 8001


def test_a_port_that_the_service_does_not_have_is_said() -> None:
    world = (workload("api", 8000), API, ON_8000)
    (answer,) = asserted("allow: {from: 'shop:app=web', to: shop/Service/api, port: 8000}", *world)
    assert answer.witness is None
    assert answer.reason == "Service shop/api has no port 8000; it has 80/TCP, 81/TCP"


CONTROLLER = workload("proxy", 8443).replace("image: x", "image: registry.k8s.io/ingress-nginx/controller:v1.9")
INGRESS = """
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: site, namespace: shop}
spec:
  ingressClassName: nginx
  rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
"""
BACKEND = FRONT.replace("type: LoadBalancer, ", "")


def reached(*texts: str) -> list[str]:
    cluster = built(parse_config(""), *texts)
    return [str(chain) for chain in chains(cluster, PolicyAnalysis.of(cluster))]


def test_an_ingress_leads_where_its_controller_is_let_in() -> None:
    site = (workload("web", 8080), BACKEND, INGRESS)
    assert reached(*site) == ["internet -> shop/web (Ingress site)"]
    assert "internet -> shop/web (Ingress site)" in reached(*site, CONTROLLER, only_from("web", "proxy"))
    assert reached(*site, CONTROLLER, only_from("web", "api")) == []


def test_an_unknown_controller_may_be_anybody_that_is_let_in() -> None:
    site = (workload("web", 8080), BACKEND, INGRESS)
    assert reached(*site, only_from("web", "proxy")) == ["internet -> shop/web (Ingress site)"]
    assert reached(*site, policy("shop", "")) == [], "nobody is let in"
    assert reached(*site, policy("shop", "{ports: [{port: 9090}]}")) == [], "nobody is let in on this port"


@pytest.mark.parametrize(
    "extra",
    ["annotations: {networking.gke.io/load-balancer-type: Internal}",
     "annotations: {service.beta.kubernetes.io/azure-load-balancer-internal: 'true'}",
     "annotations: {service.beta.kubernetes.io/aws-load-balancer-scheme: internal}"],
)  # fmt: skip
def test_an_internal_balancer_is_no_entrance(extra: str) -> None:
    assert reached(workload("web", 8080), FRONT) == ["internet -> shop/web (Service web of type LoadBalancer)"]
    assert reached(workload("web", 8080), FRONT.replace("namespace: shop}", f"namespace: shop, {extra}}}")) == []


def test_a_balancer_for_private_clients_is_no_entrance() -> None:
    ranges = FRONT.replace("selector:", "loadBalancerSourceRanges: [10.0.0.0/8, %s], selector:")
    assert reached(workload("web", 8080), ranges % "192.168.0.0/16") == []
    assert reached(workload("web", 8080), ranges % "8.8.8.0/24") == [
        "internet -> shop/web (Service web of type LoadBalancer)"
    ]
