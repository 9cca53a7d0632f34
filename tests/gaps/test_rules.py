"""What the policy rules say, and above all what they must not say."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from saying import SHOP, findings, namespace, pod, policy, said


def test_a_selector_of_other_pods_is_no_slip() -> None:
    one = policy("podSelector: {matchLabels: {app: api}}\npolicyTypes: [Ingress]")
    assert said(SHOP, pod("web"), one) == ["info NET101 spec.podSelector"]
    assert said(SHOP, pod("web"), one, config="world: closed") == ["warning NET101 spec.podSelector"]
    assert said(namespace("other"), pod("web", "other"), one) == [], "nothing is known of the namespace"


def test_labels_that_programs_set_count_as_unknown() -> None:
    one = policy("podSelector: {matchLabels: {app: web, vault-active: 'true'}}\npolicyTypes: [Ingress]")
    assert said(SHOP, pod("web"), one) == []


@pytest.mark.parametrize("label", ["name: kube-system", "ns: kube-system"])
def test_namespace_labels_that_nobody_sets(label: str) -> None:
    one = policy(
        f"""
        podSelector: {{}}
        policyTypes: [Egress]
        egress: [{{to: [{{namespaceSelector: {{matchLabels: {{{label}}}}}}}]}}]
        """
    )
    assert said(SHOP, pod("web"), one) == ["info NET102 spec.egress[0].to[0].namespaceSelector"]
    labelled = namespace("kube-system", label)
    assert said(SHOP, labelled, pod("web"), one) == []


def test_peers_elsewhere_are_nobodys_business() -> None:
    one = policy(
        """
        podSelector: {}
        policyTypes: [Ingress]
        ingress:
          - from:
              - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}
              - podSelector: {matchLabels: {app: prometheus}}
        """
    )
    assert said(SHOP, pod("web"), one) == []


def service(name: str, ports: str = "{port: 8080}", extra: str = "") -> str:
    head = f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: shop}}\n"
    return head + f"spec: {{selector: {{app: {name}}}, ports: [{ports}]{extra}}}\n"


NEEDS_DB = "env: [{name: DB, value: 'db:8080'}]"
DB = (
    pod("db"),
    service("db"),
)


def test_a_default_deny_alone_is_a_warning_where_the_rest_may_stand_elsewhere() -> None:
    deny = policy("podSelector: {}\npolicyTypes: [Ingress]")
    web = pod("web", container=NEEDS_DB)
    assert said(web, *DB, deny) == ["warning NET103 spec.ingress"]
    assert said(SHOP, web, *DB, deny) == ["error NET103 spec.ingress"]


def test_flows_between_namespaces_that_a_tool_fills_in_are_not_judged() -> None:
    only_own = policy("podSelector: {}\npolicyTypes: [Ingress]\ningress: [{from: [{podSelector: {}}]}]")
    nowhere = pod("web", "default", container="env: [{name: DB, value: 'db.shop:8080'}]").replace(
        "namespace: default, ", ""
    )
    assert said(SHOP, nowhere, *DB, only_own) == []
    there = pod("web", "default", container="env: [{name: DB, value: 'db.shop:8080'}]")
    assert said(SHOP, there, *DB, only_own) == ["error NET103 spec.ingress"]


def test_unknown_verdicts_are_no_gaps() -> None:
    by_address = policy("podSelector: {}\npolicyTypes: [Ingress]\ningress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]")
    assert [s for s in said(SHOP, pod("web", container=NEEDS_DB), *DB, by_address) if "NET103" in s] == []


def test_dns_by_address_only_is_enough() -> None:
    one = policy(
        """
        podSelector: {matchLabels: {app: web}}
        policyTypes: [Egress]
        egress:
          - to: [{podSelector: {matchLabels: {app: db}}}]
          - to: [{ipBlock: {cidr: 169.254.20.10/32}}]
            ports: [{port: 53, protocol: UDP}, {port: 53}]
        """
    )
    assert said(SHOP, pod("web", container=NEEDS_DB), *DB, one) == []


@pytest.mark.parametrize("spec", ["dnsPolicy: Default", "dnsPolicy: None\ndnsConfig: {nameservers: [192.0.2.1]}"])
def test_pods_with_their_own_resolver_need_no_cluster_dns(spec: str) -> None:
    one = policy(
        """
        podSelector: {matchLabels: {app: web}}
        policyTypes: [Egress]
        egress: [{to: [{podSelector: {matchLabels: {app: db}}}]}]
        """
    )
    assert said(SHOP, pod("web", spec=spec, container=NEEDS_DB), *DB, one) == []


def test_a_locked_down_pod_that_names_nobody_is_meant() -> None:
    one = policy("podSelector: {matchLabels: {app: web}}\npolicyTypes: [Egress]")
    assert said(SHOP, pod("web"), one) == []


def test_both_ports_in_one_rule_are_portable() -> None:
    front = service("web", "{port: 80, targetPort: http}")
    only = policy("podSelector: {matchLabels: {app: web}}\npolicyTypes: [Ingress]\ningress: [{ports: [{port: 80}]}]")
    both = policy(
        "podSelector: {matchLabels: {app: web}}\npolicyTypes: [Ingress]\ningress: [{ports: [{port: 80}, {port: 8080}]}]"
    )
    assert said(SHOP, pod("web"), front, only) == ["error NET106 spec.ingress[0].ports[0].port"]
    assert said(SHOP, pod("web"), front, both) == []
    assert said(SHOP, pod("web"), front, only, config="cluster: {cni: {name: aws-vpc-cni}}") == []


def test_a_named_port_that_some_pods_have_is_fine() -> None:
    one = policy("podSelector: {}\npolicyTypes: [Ingress]\ningress: [{ports: [{port: http}]}]")
    other = pod("other").replace(", name: http", "")
    assert said(SHOP, pod("web"), other, one) == []
    assert said(SHOP, other, one) == ["error NET107 spec.ingress[0].ports[0].port"]


@pytest.mark.parametrize(
    ("engine", "cidr", "expected"),
    [
        ("calico", "10.0.0.0/8", "warning"),  # looks for the name at the block's pods, or does not: not known
        ("calico", "192.0.2.0/24", "error"),  # no pod is there
        ("kube-network-policies", "10.0.0.0/8", "error"),  # resolves no name at a block
        ("cilium", "10.0.0.0/8", "error"),  # takes no pod by its address
    ],
)
def test_a_name_at_addresses_is_an_error_where_no_pod_can_be_meant(engine: str, cidr: str, expected: str) -> None:
    one = policy(
        f"""
        podSelector: {{}}
        policyTypes: [Egress]
        egress: [{{to: [{{ipBlock: {{cidr: {cidr}}}}}], ports: [{{port: http}}]}}]
        """
    )
    config = f"cluster: {{podCIDRs: [10.0.0.0/16], cni: {{name: {engine}}}}}"
    found = [f.severity.value for f in findings(SHOP, pod("web"), one, config=config) if f.code == "NET107"]
    assert found == [expected]
    other = one.replace("port: http", "port: sql")  # a name that no pod has
    found = [f.severity.value for f in findings(SHOP, pod("web"), other, config=config) if f.code == "NET107"]
    assert found == ["error"]


def test_an_exception_stands_where_the_wider_rule_is_for_other_ports() -> None:
    def with_ports(ports: str) -> str:
        return policy(
            f"""
            podSelector: {{}}
            policyTypes: [Egress]
            egress:
              - to: [{{ipBlock: {{cidr: 0.0.0.0/0, except: [10.0.0.0/8]}}}}]
              - to: [{{ipBlock: {{cidr: 0.0.0.0/0}}}}]
{ports}
            """
        )

    assert said(with_ports("")) == ["warning NET110 spec.egress[0].to[0].ipBlock.except"]
    assert said(with_ports("                ports: [{port: 53, protocol: UDP}]")) == []


def test_or_is_meant_where_both_are_there() -> None:
    one = policy(
        """
        podSelector: {matchLabels: {app: web}}
        policyTypes: [Ingress]
        ingress:
          - from:
              - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: edge}}
              - podSelector: {matchLabels: {app: proxy}}
        """
    )
    edge = (namespace("edge"), pod("proxy", "edge"), pod("batch", "edge"))
    assert said(SHOP, pod("web"), *edge, one) == ["warning NET112 spec.ingress[0].from"]
    assert said(SHOP, pod("web"), pod("proxy"), *edge, one) == []


def test_empty_egress_without_types() -> None:
    assert said(policy("podSelector: {}\negress: []")) == ["warning NET111 spec.egress"]
    assert said(policy("podSelector: {}\npolicyTypes: [Egress]\negress: []")) == []
    assert said(policy("podSelector: {}")) == []


def test_services_that_do_not_exist() -> None:
    full = pod("web", container="env: [{name: DB, value: 'dbx.shop.svc:8080'}]")
    assert said(SHOP, full, *DB) == ["info NET120 spec.containers[0].env[0].value"]
    assert said(full, *DB) == [], "the namespace is not held whole"
    short = pod("web", container="env: [{name: DB, value: 'cache:8080'}]")
    assert said(SHOP, short, *DB) == []


@pytest.mark.parametrize(
    ("setting", "spoken"),
    [
        ("{name: CACHE_URL, value: 'redis://cache'}", True),
        ("{name: CACHE_HOST, value: 'cache:6379'}", True),
        ("{name: CACHE_HOST, value: cache}, {name: CACHE_PORT, value: '6379'}", True),
        ("{name: GET_HOSTS_FROM, value: dns}", False),
        ("{name: CACHE_ADDR, value: 'CACHE_ADDRESS:6379'}", False),
        ("{name: MODE, value: cache}", False),
        ("{name: FILES_URL, value: 's3://cache/x'}", False),
        ("{name: CACHE_HOST, value: cache.example.com}", False),
        ("{name: CACHE_HOST, value: db}", False),
    ],
)
def test_a_short_name_of_a_service_that_no_whole_cluster_has(setting: str, spoken: bool) -> None:
    web = pod("web", container=f"env: [{setting}]")
    expected = ["info NET120 spec.containers[0].env[0].value"] if spoken else []
    assert said(SHOP, web, *DB, config="world: closed") == expected
    assert said(SHOP, web, *DB) == [], "it may stand elsewhere"
    known = pod("web", container=f"env: [{setting}]", spec="hostAliases: [{ip: 192.0.2.1, hostnames: [cache]}]")
    assert said(SHOP, known, *DB, config="world: closed") == []


def test_addresses_of_pods() -> None:
    running = pod("db").replace("spec:\n", "status: {podIP: 10.244.1.7}\nspec:\n", 1)
    named = pod("web", container="env: [{name: DB, value: 'http://10.244.1.7:8080'}]")
    assert said(running, named) == ["warning NET120 spec.containers[0].env[0].value"]


def test_client_addresses() -> None:
    def through(policy_word: str, block: str) -> list[str]:
        front = service("web", extra=f", type: NodePort, externalTrafficPolicy: {policy_word}")
        one = policy(
            f"""
            podSelector: {{matchLabels: {{app: web}}}}
            policyTypes: [Ingress]
            ingress: [{{from: [{{ipBlock: {{cidr: {block}}}}}]}}]
            """
        )
        return said(SHOP, pod("web"), front, one)

    assert through("Cluster", "198.51.100.0/24") == ["warning NET122 spec.ingress[0].from[0].ipBlock.cidr"]
    assert through("Local", "198.51.100.0/24") == []
    assert through("Cluster", "10.0.0.0/8") == []
    assert through("Cluster", "0.0.0.0/0") == []


def test_a_pod_selector_alone_means_the_own_namespace() -> None:
    one = policy(
        """
        podSelector: {matchLabels: {app: web}}
        policyTypes: [Ingress]
        ingress: [{from: [{podSelector: {matchLabels: {app: prometheus}}}]}]
        """
    )
    there = (namespace("monitoring"), pod("prometheus", "monitoring"))
    assert said(SHOP, pod("web"), *there, one) == ["warning NET102 spec.ingress[0].from[0].podSelector"]
    assert said(SHOP, pod("web"), pod("prometheus"), *there, one) == []
    assert said(SHOP, pod("web"), one) == []


def test_a_gap_says_whom_the_only_rule_admits() -> None:
    only_api = policy(
        "podSelector: {matchLabels: {app: db}}\ningress: [{from: [{podSelector: {matchLabels: {app: api}}}]}]"
    )
    (found,) = findings(SHOP, pod("web", container=NEEDS_DB), *DB, only_api)
    assert found.message.endswith("but policy shop/p admits only pods with app=api")
    there = pod("web", "front", container=NEEDS_DB.replace("'db:", "'db.shop:"))
    by_namespace = [f.message for f in findings(SHOP, there, *DB, only_api) if f.code == "NET103"]
    assert [text.rpartition(" admits ")[2] for text in by_namespace] == ["only pods with app=api of namespace shop"]


def test_a_selector_that_no_namespace_satisfies_is_named() -> None:
    config = "world: closed"
    spec = "podSelector: {}\ningress: [{from: [{namespaceSelector: {matchLabels: {team: red}}}]}]"
    messages = [f.message for f in findings(SHOP, pod("web"), policy(spec), config=config) if f.code == "NET102"]
    assert messages == ["selects no namespace of the cluster: none has team=red"]


def messages(*texts: str, code: str) -> list[str]:
    return [f.message for f in findings(SHOP, *texts) if f.code == code]


def test_what_clashes_is_named() -> None:
    one = policy(
        """
        podSelector: {matchLabels: {app: web}, matchExpressions: [{key: app, operator: NotIn, values: [web, api]}]}
        policyTypes: [Ingress]
        """
    )
    assert messages(pod("web"), one, code="NET108") == [
        "no pod can ever satisfy this selector (it asks for app=web and app not in (web, api) at once)"
    ]
    peers = policy(
        """
        podSelector: {}
        policyTypes: [Ingress]
        ingress:
          - from:
              - namespaceSelector:
                  matchExpressions: [{key: env, operator: Exists}, {key: env, operator: DoesNotExist}]
                podSelector: {matchLabels: {app: web}}
              - ipBlock: {cidr: 10.0.0.0/8, except: [10.0.0.0/9, 10.128.0.0/9]}
        """
    )
    assert messages(pod("web"), peers, code="NET108") == [
        "nothing can ever satisfy this peer (it asks for env and no env at once)",
        "nothing can ever satisfy this peer (its exceptions leave nothing of 10.0.0.0/8)",
    ]


def test_the_names_that_there_are_instead() -> None:
    one = policy("podSelector: {matchLabels: {app: web}}\npolicyTypes: [Ingress]\ningress: [{ports: [{port: htp}]}]")
    assert messages(pod("web"), one, code="NET107") == [
        "the workload that it selects has no TCP port named htp: the names are http (8080/TCP)"
    ]
    everyone = policy("podSelector: {}\npolicyTypes: [Ingress]\ningress: [{ports: [{port: htp}]}]")
    assert messages(pod("web"), pod("api"), everyone, code="NET107") == [
        "none of the 2 workloads that it selects has a TCP port named htp: the names are http (8080/TCP)"
    ]


def test_the_flow_that_makes_it_an_error_comes_first() -> None:
    """The API server's flow alone would be a warning: it may come from an address that the input does not tell."""
    hook = """
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata: {name: hook}
    webhooks: [{name: a.example.com, clientConfig: {service: {name: api, namespace: shop, port: 8080}}}]
    """
    api = """
    apiVersion: v1
    kind: Service
    metadata: {name: api, namespace: shop}
    spec: {selector: {app: api}, ports: [{port: 8080}]}
    """
    asking = pod("web", container="env: [{name: API_URL, value: 'http://api:8080'}]")
    admits = policy(
        "podSelector: {matchLabels: {app: api}}\n"
        "ingress: [{from: [{podSelector: {matchLabels: {app: other}}}], ports: [{port: 8080}]}]"
    )
    (found,) = [each for each in findings(SHOP, hook, api, asking, pod("api"), admits) if each.code == "NET103"]
    assert found.severity.value == "error"
    assert found.message.startswith("shop/web needs shop/api:8080/TCP")
    assert "1 more such flow" in found.message
