"""A URL through an Ingress (networking/v1 types.go; "Ingress" of the Kubernetes documentation)."""

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from netlint.policy.queries.why import Why
from netlint.reports.why_report import why_json

NGINX = """
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx}
spec: {controller: k8s.io/ingress-nginx}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: edge}
spec:
  selector: {matchLabels: {app: nginx}}
  template:
    metadata: {labels: {app: nginx}}
    spec:
      containers:
      - {name: c, image: "registry.k8s.io/ingress-nginx/controller:v1.11.2", ports: [{name: https, containerPort: 443}]}
---
apiVersion: v1
kind: Service
metadata: {name: controller, namespace: edge}
spec: {type: LoadBalancer, selector: {app: nginx}, ports: [{name: a, port: 443}, {name: b, port: 80, targetPort: 443}]}
---"""
TRAEFIK = NGINX.replace("controller: k8s.io/ingress-nginx", "controller: traefik.io/ingress-controller").replace(
    "registry.k8s.io/ingress-nginx/controller:v1.11.2", "docker.io/traefik:v3.1"
)
HOST = "https://shop.example.com"


def path(value: str, service: str = "web", kind: str = "Prefix", port: str = "number: 80") -> str:
    backend = f"backend: {{service: {{name: {service}, port: {{{port}}}}}}}"
    return f'      - {{path: "{value}", pathType: {kind}, {backend}}}\n'


def rule(*paths: str, host: str | None = "shop.example.com") -> str:
    head = f'  - host: "{host}"\n    http:\n' if host else "  - http:\n"
    return head + "      paths:\n" + "".join(paths)


def ingress(
    *rules: str,
    name: str = "shop",
    cls: str | None = "nginx",
    tls: bool = True,
    annotations: str = "{}",
    default: str | None = None,
) -> str:
    lines = [
        "",
        "apiVersion: networking.k8s.io/v1",
        "kind: Ingress",
        f"metadata: {{name: {name}, namespace: shop, annotations: {annotations}}}",
        "spec:",
    ]
    lines += [f"  ingressClassName: {cls}"] if cls else []
    lines += ["  tls: [{secretName: cert}]"] if tls else []
    lines += [f"  defaultBackend: {{service: {{name: {default}, port: {{number: 80}}}}}}"] if default else []
    lines += ["  rules:"] if rules else []
    return "\n".join(lines) + "\n" + "".join(rules) + "---"


def verdicts(answer: Why) -> dict[str, str]:
    return {link.link: link.verdict for link in answer.links}


def ends(answer: Why) -> list[str]:
    return [endpoint.id for endpoint in answer.destination.endpoints]


def said(answer: Why, link: str = "ingress") -> str:
    return "\n".join(one.message for each in answer.links if each.link == link for one in each.because)


def test_every_link_from_the_rule_to_the_pods(ask: Any) -> None:
    answer = ask(NGINX + ingress(rule(path("/cart"))), f"{HOST}/cart/7?x=y#z")
    assert [link.link for link in answer.links] == [
        "ingress",
        "service",
        "endpoints",
        "egress",
        "ingress-policy",
        "cni",
    ]
    assert answer.verdict == answer.policy_verdict == "allowed"
    assert (answer.port, answer.protocol) == (443, "TCP")
    assert ends(answer) == ["shop/Deployment/web"]
    because = answer.links[0].because[0]
    assert because.place is not None
    assert because.place.path == ("spec", "rules", 0, "http", "paths", 0, "backend")
    assert "shop/Deployment/web at port 8080/TCP" in said(answer, "endpoints")
    schema = json.loads(files("netlint.reports").joinpath("schemas/why.json").read_text())
    jsonschema.validate(json.loads(why_json(answer)), schema)


POLICY = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress: [{from: [PEER], ports: [{port: 8080}]}]
---"""
EDGE = "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: edge}}"


def test_the_pods_see_the_controller_and_not_the_one_who_asks(ask: Any) -> None:
    world = NGINX + ingress(rule(path("/cart")))
    lets_edge_in = world + POLICY.replace("PEER", f"{{{EDGE}}}")
    assert ask(lets_edge_in, f"{HOST}/cart").verdict == "allowed"
    lets_the_asker_in = world + POLICY.replace("PEER", "{podSelector: {}}")
    answer = ask(lets_the_asker_in, f"{HOST}/cart", "shop/api")
    assert answer.verdict == "denied"
    assert verdicts(answer)["ingress-policy"] == "denied"
    assert verdicts(answer)["ingress"] == "allowed"


def test_the_controllers_own_egress_counts(ask: Any) -> None:
    closed = (
        "\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: shut, namespace: edge}\n"
        "spec: {podSelector: {}, policyTypes: [Egress]}\n---"
    )
    answer = ask(NGINX + ingress(rule(path("/cart"))) + closed, f"{HOST}/cart")
    assert verdicts(answer)["egress"] == answer.verdict == "denied"


def test_a_controller_that_is_not_in_the_input_is_unknown(ask: Any) -> None:
    """What it may send is unknown. What the pods let in is known only where it is the same for everybody."""
    world = ingress(rule(path("/cart")))
    answer = ask(world, f"{HOST}/cart")
    assert answer.verdict == "unknown"
    assert (verdicts(answer)["egress"], verdicts(answer)["ingress-policy"]) == ("unknown", "allowed")
    assert "controller of class nginx is not in the input" in said(answer, "egress")
    some = ask(world + POLICY.replace("PEER", f"{{{EDGE}}}"), f"{HOST}/cart")
    assert (some.verdict, verdicts(some)["ingress-policy"]) == ("unknown", "unknown")
    nobody = POLICY.replace("ingress: [{from: [PEER], ports: [{port: 8080}]}]", "policyTypes: [Ingress]")
    none = ask(world + nobody, f"{HOST}/cart")
    assert (none.verdict, verdicts(none)["ingress-policy"]) == ("denied", "denied")


@pytest.mark.parametrize(
    ("url", "service"),
    [
        (f"{HOST}/", "web"),
        (f"{HOST}/api", "api"),
        (f"{HOST}/api/", "web"),  # Exact /api is not /api/; the prefix / takes it
        (f"{HOST}/static/css", "api"),
        (f"{HOST}/static/css/deep", "web"),  # the longer prefix wins
        (f"{HOST}/same", "api"),  # equally long: Exact goes before Prefix
        (f"{HOST}/same/x", "web"),
    ],
)
def test_the_longest_path_wins_then_exact(ask: Any, url: str, service: str) -> None:
    paths = (
        path("/"),
        path("/api", "api", "Exact"),
        path("/static", "api"),
        path("/static/css/deep"),
        path("/same"),
        path("/same", "api", "Exact"),
    )
    answer = ask(NGINX + ingress(rule(*paths)), url)
    assert answer.verdict == "allowed"
    assert ends(answer) == [f"shop/Deployment/{service}"]


@pytest.mark.parametrize(
    ("host", "service"),
    [("shop.example.com", "web"), ("other.example.com", "api"), ("a.b.example.com", None), ("example.com", None)],
)
def test_a_precise_host_goes_before_a_wildcard_of_one_label(ask: Any, host: str, service: str | None) -> None:
    world = NGINX + ingress(rule(path("/", "api"), host="*.example.com"), rule(path("/")))
    answer = ask(world, f"https://{host}/")
    if service is None:
        assert answer.verdict == "denied"
        assert "nearest: *.example.com" in said(answer) or "shop.example.com" in said(answer)
    else:
        assert ends(answer) == [f"shop/Deployment/{service}"]


def test_a_rule_without_a_host_takes_every_host(ask: Any) -> None:
    answer = ask(NGINX + ingress(rule(path("/"), host=None)), "https://anything.example.org/x")
    assert answer.verdict == "allowed"
    assert "any host" in said(answer)


def test_whether_a_host_hides_wider_ones_is_up_to_the_controller(ask: Any) -> None:
    world = NGINX + ingress(rule(path("/cart")), rule(path("/", "api"), host="*.example.com"))
    assert ask(world, f"{HOST}/cart").verdict == "allowed"
    answer = ask(world, f"{HOST}/other")
    assert answer.verdict == "unknown"
    assert "fall back" in said(answer)


@pytest.mark.parametrize(
    ("url", "service"), [(f"{HOST}/cart", "web"), (f"{HOST}/x", "api"), ("https://no.org/", "api")]
)
def test_the_default_backend_takes_what_no_rule_does(ask: Any, url: str, service: str) -> None:
    answer = ask(NGINX + ingress(rule(path("/cart")), default="api"), url)
    assert answer.verdict == "allowed"
    assert ends(answer) == [f"shop/Deployment/{service}"]


def test_the_default_backend_of_the_ingress_that_has_the_host_goes_first(ask: Any) -> None:
    mine = ingress(rule(path("/cart")), default="web")
    other = ingress(rule(path("/"), host="other.example.com"), name="other", default="api")
    answer = ask(NGINX + mine + other, f"{HOST}/x")
    assert (answer.verdict, ends(answer)) == ("allowed", ["shop/Deployment/web"])


def test_controllers_read_the_endpoints_of_a_headless_service(ask: Any) -> None:
    """They connect to the pods at the target port; a client of the name would arrive at the port it asks for."""
    headless = (
        "\napiVersion: v1\nkind: Service\nmetadata: {name: pods, namespace: shop}\n"
        "spec: {clusterIP: None, selector: {app: web}, ports: [{port: 80, targetPort: http}]}\n---"
    )
    answer = ask(NGINX + headless + ingress(rule(path("/", "pods"))), f"{HOST}/")
    assert "shop/Deployment/web at port 8080/TCP" in said(answer, "endpoints")


def test_a_path_that_nobody_takes_names_those_there_are(ask: Any) -> None:
    world = NGINX + ingress(rule(path("/cart"), path("/api", "api", "Exact")))
    answer = ask(world, f"{HOST}/cartoon")
    assert answer.verdict == "denied"
    assert "there are /cart (Prefix), /api (Exact)" in said(answer)
    assert [link.link for link in answer.links] == ["ingress"]
    assert ask(world, f"{HOST}/cartoon", assume="open").verdict == "unknown"  # another Ingress may have it


def test_a_host_that_nobody_has_names_the_nearest(ask: Any) -> None:
    answer = ask(NGINX + ingress(rule(path("/cart"))), "https://shpo.example.com/cart")
    assert answer.verdict == "denied"
    assert "nearest: shop.example.com" in said(answer)
    assert "names a host" in said(ask(NGINX, f"{HOST}/cart"))


def test_a_host_of_a_kind_that_is_not_followed_is_unknown(ask: Any) -> None:
    route = (
        "\napiVersion: route.openshift.io/v1\nkind: Route\nmetadata: {name: r, namespace: shop}\n"
        "spec: {host: shop.example.com}\n---"
    )
    answer = ask(NGINX + route, f"{HOST}/cart")
    assert answer.verdict == "unknown"
    assert "Route/shop/r names the host" in said(answer)


@pytest.mark.parametrize(
    ("pattern", "kind", "annotations", "url", "expected"),
    [
        ("/cart", "ImplementationSpecific", "{}", "/cart/1", "allowed"),  # ingress-nginx compares beginnings
        ("/cart", "ImplementationSpecific", "{}", "/shop", "denied"),
        ("/cart(/|$)(.*)", "ImplementationSpecific", "{}", "/cart/1", "unknown"),
        ("/cart", "Prefix", '{nginx.ingress.kubernetes.io/use-regex: "true"}', "/CARTOON", "allowed"),
        ("/cart", "Exact", '{nginx.ingress.kubernetes.io/rewrite-target: "/"}', "/cart/1", "allowed"),
        ("/c.rt", "Prefix", '{nginx.ingress.kubernetes.io/use-regex: "true"}', "/cart", "unknown"),
        ("/cart", "Prefix", '{nginx.ingress.kubernetes.io/use-regex: "false"}', "/CARTOON", "denied"),
    ],
)
def test_patterns_of_ingress_nginx(
    ask: Any, pattern: str, kind: str, annotations: str, url: str, expected: str
) -> None:
    """One annotation turns every path of the host into a case-insensitive expression anchored at its beginning."""
    answer = ask(NGINX + ingress(rule(path(pattern, kind=kind)), annotations=annotations), HOST + url)
    assert answer.verdict == expected


def test_other_controllers_do_not_know_the_annotations_of_nginx(ask: Any) -> None:
    annotations = '{nginx.ingress.kubernetes.io/use-regex: "true"}'
    answer = ask(TRAEFIK + ingress(rule(path("/cart")), annotations=annotations), f"{HOST}/CARTOON")
    assert answer.verdict == "denied"


def test_paths_of_a_controller_that_is_not_known(ask: Any) -> None:
    """Exactly this path is taken under every reading; a longer one only under some."""
    alb = (
        "\napiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: alb}\n"
        "spec: {controller: ingress.k8s.aws/alb}\n---"
    )
    world = alb + ingress(rule(path("/cart", kind="ImplementationSpecific")), cls="alb")
    same, longer = ask(world, f"{HOST}/cart"), ask(world, f"{HOST}/cart/1")
    assert "Ingress/shop/shop takes it" in said(same)
    assert "Ingress/shop/shop may take it" in said(longer)
    assert "what no rule takes is up to the controller" not in said(same)
    assert "what no rule takes is up to the controller" in said(longer)
    assert verdicts(longer)["ingress"] == "unknown"


def test_a_port_by_name_is_the_services(ask: Any) -> None:
    answer = ask(NGINX + ingress(rule(path("/", "api", port="name: main"))), f"{HOST}/")
    assert answer.verdict == "allowed"
    assert "shop/Deployment/api at port 9000/TCP" in said(answer, "endpoints")
    wrong = ask(NGINX + ingress(rule(path("/", "api", port="number: 9000"))), f"{HOST}/")
    assert wrong.verdict == "denied"  # the pod's port is no port of the Service
    assert "a port that Service/shop/api does not have" in said(wrong)


def test_a_service_that_is_not_there(ask: Any) -> None:
    world = NGINX + ingress(rule(path("/", "gone")))
    assert ask(world, f"{HOST}/").verdict == "denied"
    # An operator may make it: even of a namespace whose manifests are all there it is not known to be missing.
    answer = ask(world, f"{HOST}/", assume="auto")
    assert answer.verdict == "unknown"
    assert "may exist elsewhere" in said(answer)


def test_https_without_a_certificate(ask: Any) -> None:
    """ingress-nginx answers with its default certificate; of others it is not known."""
    assert ask(NGINX + ingress(rule(path("/")), tls=False), f"{HOST}/").verdict == "allowed"
    assert ask(TRAEFIK + ingress(rule(path("/"))), f"{HOST}/").verdict == "allowed"
    answer = ask(TRAEFIK + ingress(rule(path("/")), tls=False), f"{HOST}/")
    assert (answer.verdict, verdicts(answer)["ingress"]) == ("unknown", "unknown")
    plain = ask(TRAEFIK + ingress(rule(path("/")), tls=False), "http://shop.example.com/")
    assert plain.verdict == "allowed"


def test_another_port_than_those_of_an_ingress_is_unknown(ask: Any) -> None:
    answer = ask(NGINX + ingress(rule(path("/"))), "https://shop.example.com:8443/")
    assert answer.verdict == "unknown"
    assert "an Ingress is reached at 80 and 443" in said(answer)


def test_two_ingresses_with_the_same_path(ask: Any) -> None:
    """Which one wins is the controller's affair: the answer stands only where both give the same."""
    two = ingress(rule(path("/"))) + ingress(rule(path("/", "api")), name="other")
    assert ask(NGINX + two, f"{HOST}/").verdict == "allowed"
    answer = ask(NGINX + two + POLICY.replace("PEER", "{podSelector: {}}"), f"{HOST}/")
    assert answer.verdict == "unknown"
    assert "up to the controller" in said(answer)


def test_a_canary_shares_the_requests(ask: Any) -> None:
    canary = ingress(rule(path("/", "api")), name="canary", annotations='{nginx.ingress.kubernetes.io/canary: "true"}')
    answer = ask(NGINX + ingress(rule(path("/"))) + canary + POLICY.replace("PEER", "{podSelector: {}}"), f"{HOST}/")
    assert ends(answer) == ["shop/Deployment/web", "shop/Deployment/api"]
    assert answer.verdict == "partly"  # web lets the controller not in, api does


def test_two_classes_are_two_entries(ask: Any) -> None:
    """The host's address leads to one of them, and the input does not say to which."""
    other = ingress(rule(path("/", "api")), name="internal", cls="internal")
    answer = ask(NGINX + ingress(rule(path("/"))) + other, f"{HOST}/")
    assert answer.verdict == "unknown"
    assert "Ingress class internal, Ingress class nginx have it" in said(answer)


def test_the_default_class_and_no_class(ask: Any) -> None:
    world = NGINX.replace(
        "metadata: {name: nginx}",
        'metadata: {name: nginx, annotations: {ingressclass.kubernetes.io/is-default-class: "true"}}',
        1,
    )
    assert ask(world + ingress(rule(path("/")), cls=None), f"{HOST}/").verdict == "allowed"
    assert ask(NGINX + ingress(rule(path("/")), cls=None), f"{HOST}/").verdict == "unknown"
    legacy = ingress(rule(path("/")), cls=None, annotations="{kubernetes.io/ingress.class: nginx}")
    assert ask(NGINX + legacy, f"{HOST}/").verdict == "allowed"


def test_who_may_ask_the_controller(ask: Any) -> None:
    """The controller admits some addresses only. Behind a balancer that hides addresses nobody knows whose it sees."""
    office = (
        "\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: office, namespace: edge}\n"
        "spec: {podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 198.51.100.0/24}}]}]}\n---"
    )
    world = NGINX + ingress(rule(path("/"))) + office
    assert ask(world, f"{HOST}/", "198.51.100.7").verdict == "allowed"
    assert ask(world, f"{HOST}/", "203.0.113.7").verdict == "unknown"
    kept = world.replace("type: LoadBalancer,", "type: LoadBalancer, externalTrafficPolicy: Local,")
    answer = ask(kept, f"{HOST}/", "203.0.113.7")
    assert (answer.verdict, verdicts(answer)["ingress"]) == ("denied", "denied")
    assert "policies keep 203.0.113.7" in said(answer)


FLANNEL = (
    "\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: kube-flannel-ds, namespace: kube-flannel}\n"
    "spec:\n  selector: {matchLabels: {app: flannel}}\n  template:\n    metadata: {labels: {app: flannel}}\n"
    "    spec: {hostNetwork: true, containers: [{name: f, image: ghcr.io/flannel-io/flannel:v0.26.0}]}\n---"
)
ONLY_443 = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web-port, namespace: edge}
spec: {podSelector: {}, ingress: [{ports: [{port: 8443}]}]}
---"""


@pytest.mark.parametrize("service", [True, False])
def test_the_request_arrives_at_the_port_that_its_way_leads_to(ask: Any, service: bool) -> None:
    """The policy opens the one port that the Service, or the node's port, sends 443 to; the controller has others."""
    ports = "ports: [{name: https, containerPort: 8443, hostPort: 443}, {name: metrics, containerPort: 10254}]"
    world = NGINX.replace("ports: [{name: https, containerPort: 443}]", ports)
    world = world.replace("ports: [{name: a, port: 443}, {name: b, port: 80, targetPort: 443}]", "ports: [PORT]")
    if service:
        world = world.replace(", hostPort: 443", "").replace("PORT", "{port: 443, targetPort: https}")
    else:
        world = world.replace("type: LoadBalancer", "type: ClusterIP").replace("PORT", "{port: 10254}")
    world += ingress(rule(path("/"))) + ONLY_443
    assert ask(world, f"{HOST}/").verdict == "allowed"
    plain = ask(world, "http://shop.example.com/")
    assert plain.verdict == "unknown"  # nothing of the input sends port 80 there


def test_no_policy_stands_before_the_controller_where_nothing_enforces(ask: Any) -> None:
    shut = ONLY_443.replace("ingress: [{ports: [{port: 8443}]}]", "policyTypes: [Ingress]")
    assert ask(NGINX + ingress(rule(path("/"))) + shut, f"{HOST}/").verdict != "allowed"
    assert ask(NGINX + ingress(rule(path("/"))) + shut + FLANNEL, f"{HOST}/").verdict == "allowed"


def test_a_pod_that_may_send_nothing_asks_in_vain(ask: Any) -> None:
    shut = (
        "\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: shut, namespace: shop}\n"
        "spec: {podSelector: {matchLabels: {app: api}}, policyTypes: [Egress]}\n---"
    )
    world = NGINX + ingress(rule(path("/"))) + shut
    assert ask(world, f"{HOST}/", "shop/api").verdict == "denied"
    assert ask(world, f"{HOST}/", "shop/web").verdict == "allowed"


def test_a_path_that_the_server_would_refuse_is_unknown(ask: Any) -> None:
    answer = ask(NGINX + ingress(rule(path("cart"))), f"{HOST}/cart")
    assert answer.verdict == "unknown"
    assert "would refuse" in said(answer)


def test_what_nothing_enforces_happens(ask: Any) -> None:
    world = NGINX + ingress(rule(path("/"))) + POLICY.replace("PEER", "{podSelector: {}}")
    assert ask(world, f"{HOST}/").verdict == "denied"
    answer = ask(world + FLANNEL, f"{HOST}/")
    assert (answer.verdict, answer.policy_verdict) == ("allowed", "denied")
