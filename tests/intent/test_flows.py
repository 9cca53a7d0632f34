"""From manifests to needed flows."""

import textwrap

import pytest

from netlint.cluster import Cluster, build, divide
from netlint.cluster.config import no_config
from netlint.intent import flows
from netlint.resources import load
from netlint.sources import read_text


def cluster_of(*texts: str) -> Cluster:
    reading = read_text("\n---\n".join(textwrap.dedent(text) for text in texts))
    assert not reading.findings, reading.findings
    (cluster,) = [build(part) for part in divide(load(reading.documents), no_config())]
    return cluster


def needed(*texts: str) -> list[str]:
    return [f"{flow} {flow.strength}" for flow in flows(cluster_of(*texts))]


def pod(name: str, namespace: str = "shop", *, spec: str = "", container: str = "", port: int = 8080) -> str:
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: {namespace}, labels: {{app: {name}}}}}
spec:
{textwrap.indent(textwrap.dedent(spec).strip(), "  ")}
  containers:
    - name: {name}
      image: registry.example.com/{name}:1
      ports: [{{containerPort: {port}, name: main}}]
{textwrap.indent(textwrap.dedent(container).strip(), "      ")}
"""


def service(
    name: str, namespace: str = "shop", *, port: int = 8080, target: str | int = "main", extra: str = ""
) -> str:
    return f"""
apiVersion: v1
kind: Service
metadata: {{name: {name}, namespace: {namespace}}}
spec:
  selector: {{app: {name}}}
  ports: [{{port: {port}, targetPort: {target}}}]
{textwrap.indent(textwrap.dedent(extra).strip(), "  ")}
"""


DB = (pod("db", port=5432), service("db", port=5432))


@pytest.mark.parametrize(
    "value",
    ["db:5432", "postgres://db/x", "jdbc:postgresql://db.shop:5432/x", "tcp://db.shop.svc.cluster.local:5432",
     "db.shop.svc:5432", "u:p@tcp(db:5432)/x"],
)  # fmt: skip
def test_forms_of_an_address(value: str) -> None:
    web = pod("web", container=f"env: [{{name: DATABASE, value: '{value}'}}]")
    assert needed(web, *DB) == ["shop/web -> shop/db:5432/TCP certain"]


def test_the_pods_port_counts_not_the_services() -> None:
    web = pod("web", container="env: [{name: API_URL, value: 'http://api'}]")
    api = (pod("api", port=8000), service("api", port=80))
    assert needed(web, *api) == ["shop/web -> shop/api:8000/TCP certain"]


def test_host_and_port_in_two_variables() -> None:
    web = pod("web", container="env: [{name: DB_HOST, value: db}, {name: DB_PORT, value: '5432'}]")
    assert needed(web, *DB) == ["shop/web -> shop/db:5432/TCP certain"]


def test_a_port_that_the_service_has_not_is_no_flow() -> None:
    assert needed(pod("web", container="env: [{name: X, value: 'db:9999'}]"), *DB) == []


def test_bare_words() -> None:
    named = pod("web", container="env: [{name: DB_HOST, value: db}]")
    unnamed = pod("web", container="env: [{name: MODE, value: db}]")
    assert needed(named, *DB) == ["shop/web -> shop/db:5432/TCP certain"]
    assert needed(unnamed, *DB) == []


@pytest.mark.parametrize("name", ["metrics", "http-metrics", "exporter"])
def test_a_port_for_metrics_is_not_what_clients_mean(name: str) -> None:
    web = pod("web", container="env: [{name: DB_HOST, value: db}]")
    ports = "ports: [{name: sql, port: 5432, targetPort: 5432}, {name: %s, port: 9187, targetPort: 9187}]"
    db = service("db", port=5432).replace("ports: [{port: 5432, targetPort: main}]", ports % name)
    assert needed(web, DB[0], db) == ["shop/web -> shop/db:5432/TCP likely"]
    two = db.replace(name, "admin")
    assert needed(web, DB[0], two) == []


def test_another_namespace_needs_its_name() -> None:
    assert needed(pod("web", "front", container="env: [{name: DB_HOST, value: db}]"), *DB) == []
    full = pod("web", "front", container="env: [{name: DB_HOST, value: db.shop}]")
    assert needed(full, *DB) == ["front/web -> shop/db:5432/TCP certain"]


@pytest.mark.parametrize("value", ['{"db": {"host": "db", "port": 5432}}', "db:\\n  host: db\\n  port: 5432\\n"])
def test_a_configuration_in_a_variable(value: str) -> None:
    quoted = value.replace('"', '\\"')
    assert needed(pod("web", container=f'env: [{{name: CONFIG, value: "{quoted}"}}]'), *DB) == [
        "shop/web -> shop/db:5432/TCP certain"
    ]


def test_variables_in_variables() -> None:
    container = "env: [{name: HOST, value: db}, {name: DSN, value: 'postgres://$(HOST):5432/x'}]"
    assert needed(pod("web", container=container), *DB) == ["shop/web -> shop/db:5432/TCP certain"]


def test_arguments_and_scripts() -> None:
    expected = ["shop/web -> shop/db:5432/TCP certain"]
    assert needed(pod("web", container="args: ['--db=db:5432']"), *DB) == expected
    assert needed(pod("web", container="args: ['--db-host', db, '--db-port', '5432']"), *DB) == expected
    script = "command: [sh, -c, 'until nc -z db 5432; do sleep 1; done']"
    assert needed(pod("web", container=script), *DB) == expected
    waiting = """
    initContainers:
      - {name: wait, image: x, command: [sh, -c, 'until nc -z $DB 5432; do :; done'], env: [{name: DB, value: db}]}
    """
    assert needed(pod("web", spec=waiting), *DB) == expected


CONFIG = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data:
  DB_HOST: db
  app.properties: |
    # old: postgres://gone:5432
    database.url=postgres://db:5432/shop
"""


def test_config_maps() -> None:
    expected = ["shop/web -> shop/db:5432/TCP certain"]
    from_env = "envFrom: [{configMapRef: {name: settings}}]"
    one_key = "env: [{name: DB_HOST, valueFrom: {configMapKeyRef: {name: settings, key: DB_HOST}}}]"
    mounted = "volumes: [{name: c, configMap: {name: settings, items: [{key: app.properties, path: x}]}}]"
    assert needed(pod("web", container=from_env), CONFIG, *DB) == expected
    assert needed(pod("web", container=one_key), CONFIG, *DB) == expected
    mounts = "volumeMounts: [{name: c, mountPath: /etc/app}]"
    assert needed(pod("web", spec=mounted, container=mounts), CONFIG, *DB) == expected
    assert needed(pod("web"), CONFIG, *DB) == [], "a ConfigMap that nobody reads says nothing"


MAPS = (
    *DB,
    pod("api"),
    service("api"),
    """
apiVersion: v1
kind: ConfigMap
metadata: {name: files, namespace: shop}
data:
  db.conf: "url = postgres://db/x"
  api.json: '{"api": {"url": "http://api:8080"}}'
""",
)


@pytest.mark.parametrize(
    ("volume", "mounts", "expected"),
    [
        ("{name: files}", "{mountPath: /etc/app}", ["api", "db"]),
        ("{name: files}", "{mountPath: /etc/app/db.conf, subPath: db.conf}", ["db"]),
        ("{name: files, items: [{key: db.conf, path: a}, {key: api.json, path: b}]}",
         "{mountPath: /etc/app/b, subPath: b}", ["api"]),
        ("{name: files, items: [{key: api.json, path: conf/b}]}", "{mountPath: /etc/app, subPath: conf}", ["api"]),
        ("{name: files}", "{mountPath: /etc/app, subPathExpr: $(NAME)}", ["api", "db"]),
    ],
)  # fmt: skip
def test_only_the_mounted_files_are_read(volume: str, mounts: str, expected: list[str]) -> None:
    spec = f"volumes: [{{name: v, configMap: {volume}}}]"
    web = pod("web", spec=spec, container=f"volumeMounts: [{{name: v, {mounts[1:]}]")
    assert needed(web, *MAPS) == [
        flow for flow in ("shop/web -> shop/api:8080/TCP certain", "shop/web -> shop/db:5432/TCP certain")
        if flow.split("/")[2].split(":")[0] in expected
    ]  # fmt: skip


def test_a_volume_that_no_container_mounts_is_not_read() -> None:
    assert needed(pod("web", spec="volumes: [{name: v, configMap: {name: files}}]"), *MAPS) == []


@pytest.mark.parametrize(
    "text", ['{"panels": [], "url": "http://api:8080"}', '{"name": "x", "access": "proxy", "url": "http://api:8080"}']
)
def test_dashboards_and_what_is_sent_elsewhere_are_no_configuration(text: str) -> None:
    board = f"""
apiVersion: v1
kind: ConfigMap
metadata: {{name: board, namespace: shop}}
data:
  board.json: '{text}'
"""
    web = pod(
        "web",
        spec="volumes: [{name: v, configMap: {name: board}}]",
        container="volumeMounts: [{name: v, mountPath: /boards}]",
    )
    assert needed(web, board, *MAPS) == []


def test_scripts_of_config_maps() -> None:
    script = """
apiVersion: v1
kind: ConfigMap
metadata: {name: scripts, namespace: shop}
data:
  wait.sh: |
    until pg_isready -h "$DB_HOST"; do sleep 1; done
"""
    web = pod(
        "web",
        spec="volumes: [{name: v, configMap: {name: scripts}}]",
        container="env: [{name: DB_HOST, value: ''}]\nvolumeMounts: [{name: v, mountPath: /scripts}]",
    )
    assert needed(web, script, *DB) == []
    plain = script.replace('"$DB_HOST"', "db")
    assert needed(web, plain, *DB) == ["shop/web -> shop/db:5432/TCP certain"]


def test_evidence_points_at_the_text() -> None:
    cluster = cluster_of(pod("web", container="env: [{name: DB, value: 'db:5432'}]"), *DB)
    (flow,) = flows(cluster)
    (evidence,) = flow.evidence
    assert evidence.text == "env DB"
    assert evidence.place.path == ("spec", "containers", 0, "env", 0, "value")


@pytest.mark.parametrize(
    "spec", ["hostNetwork: true", "dnsPolicy: Default", "hostAliases: [{ip: 192.0.2.1, hostnames: [db]}]"]
)
def test_pods_that_do_not_resolve_services_need_none(spec: str) -> None:
    assert needed(pod("web", spec=spec, container="env: [{name: DB, value: 'db:5432'}]"), *DB) == []


def test_external_names_are_followed() -> None:
    alias = """
    apiVersion: v1
    kind: Service
    metadata: {name: alias, namespace: shop}
    spec: {type: ExternalName, externalName: db.shop.svc.cluster.local}
    """
    web = pod("web", container="env: [{name: DB, value: 'alias:5432'}]")
    assert needed(web, alias, *DB) == ["shop/web -> shop/db:5432/TCP certain"]


def test_headless_services_lead_to_any_port_of_the_pods() -> None:
    headless = service("db", port=9999, target=9999, extra="clusterIP: None")
    web = pod("web", container="env: [{name: DB, value: 'db:5432'}]")
    assert needed(web, pod("db", port=5432), headless) == ["shop/web -> shop/db:5432/TCP certain"]


def test_load_balancers_need_the_internet() -> None:
    assert needed(pod("web"), service("web", port=80, extra="type: LoadBalancer")) == [
        "the internet -> shop/web:8080/TCP likely"
    ]


INGRESS = """
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec:
  ingressClassName: nginx
  rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
"""
CLASS = """
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx}
spec: {controller: k8s.io/ingress-nginx}
"""


def test_ingresses_need_their_controller() -> None:
    controller = pod("nginx", "edge").replace(
        "registry.example.com/nginx:1", "registry.k8s.io/ingress-nginx/controller:v1"
    )
    site = (pod("web"), service("web", port=80))
    assert needed(INGRESS, CLASS, controller, *site) == ["edge/nginx -> shop/web:8080/TCP certain"]
    assert needed(INGRESS, controller, *site) == ["edge/nginx -> shop/web:8080/TCP likely"]
    assert needed(INGRESS, CLASS, *site) == [], "a controller that is not in the input is nobody"


def test_ingresses_without_a_class_go_to_the_default_one() -> None:
    unnamed = INGRESS.replace("  ingressClassName: nginx\n", "")
    default = CLASS.replace(
        "{name: nginx}", "{name: nginx, annotations: {ingressclass.kubernetes.io/is-default-class: 'true'}}"
    )
    controller = pod("nginx", "edge").replace(
        "registry.example.com/nginx:1", "registry.k8s.io/ingress-nginx/controller:v1"
    )
    other = pod("traefik", "edge").replace("registry.example.com/traefik:1", "docker.io/library/traefik:v3")
    site = (pod("web"), service("web", port=80))
    assert needed(unnamed, default, controller, other, *site) == ["edge/nginx -> shop/web:8080/TCP certain"]
    assert needed(unnamed, CLASS, controller, other, *site) == [], "two controllers, and none of them the default"


def test_routes_lead_to_their_alternate_backends_too() -> None:
    router = pod("router-default", "openshift-ingress")
    route = """
    apiVersion: route.openshift.io/v1
    kind: Route
    metadata: {name: site, namespace: shop}
    spec:
      to: {kind: Service, name: web, weight: 90}
      alternateBackends: [{kind: Service, name: next, weight: 10}, {kind: Service, name: old, weight: 0}]
    """
    site = [text for name in ("web", "next", "old") for text in (pod(name), service(name, port=80))]
    assert needed(router, route, *site) == [
        "openshift-ingress/router-default -> shop/next:8080/TCP certain",
        "openshift-ingress/router-default -> shop/web:8080/TCP certain",
    ]


def test_webhooks_need_the_api_server() -> None:
    hook = """
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata: {name: hook}
    webhooks: [{name: a.example.com, clientConfig: {service: {name: hook, namespace: shop}}}]
    """
    assert needed(hook, pod("hook", port=9443), service("hook", port=443)) == [
        "the API server -> shop/hook:9443/TCP certain"
    ]


PROMETHEUS = """
apiVersion: monitoring.coreos.com/v1
kind: Prometheus
metadata: {name: k8s, namespace: monitoring}
spec: {serviceMonitorSelector: {}, serviceMonitorNamespaceSelector: {}, podMonitorSelector: {}}
"""


def test_service_monitors() -> None:
    monitor = """
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: web, namespace: shop}
    spec: {selector: {matchLabels: {app: web}}, endpoints: [{port: http}]}
    """
    labelled = (
        service("web", port=80)
        .replace("name: web, ", "name: web, labels: {app: web}, ")
        .replace("{port: 80,", "{name: http, port: 80,")
    )
    assert needed(PROMETHEUS, monitor, pod("web"), labelled) == ["monitoring/k8s -> shop/web:8080/TCP certain"]
    assert needed(monitor, pod("web"), labelled) == []


def test_a_monitor_may_name_the_containers_port() -> None:
    """Of a targetPort, Prometheus keeps the targets whose container declares that number or name, whatever the Service
    calls it (prometheus-operator, generateServiceMonitorConfig)."""
    monitor = """
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: web, namespace: shop}
    spec: {selector: {matchLabels: {app: web}}, endpoints: [{targetPort: %s}]}
    """
    labelled = service("web", port=80).replace("name: web, ", "name: web, labels: {app: web}, ")
    scraped = ["monitoring/k8s -> shop/web:8080/TCP certain"]
    for target in ("8080", "main"):
        assert needed(PROMETHEUS, monitor % target, pod("web"), labelled) == scraped
        numbered = labelled.replace("targetPort: main", "targetPort: 8080")
        assert needed(PROMETHEUS, monitor % target, pod("web"), numbered) == scraped
    assert needed(PROMETHEUS, monitor % "80", pod("web"), labelled) == [], "no container declares the Service's port"
    assert needed(PROMETHEUS, monitor % "8080", pod("api"), labelled) == [], "no pod of the Service"


def test_a_pod_monitor_may_name_the_port_by_number() -> None:
    monitor = """
    apiVersion: monitoring.coreos.com/v1
    kind: PodMonitor
    metadata: {name: web, namespace: monitoring}
    spec: {selector: {matchLabels: {app: web}}, podMetricsEndpoints: [{%s}]}
    """
    for endpoint in ("portNumber: 8080", "targetPort: 8080", "targetPort: main"):
        assert needed(PROMETHEUS, monitor % endpoint, pod("web", "monitoring")) == [
            "monitoring/k8s -> monitoring/web:8080/TCP certain"
        ]
    assert needed(PROMETHEUS, monitor % "targetPort: 9090", pod("web", "monitoring")) == []


def test_a_prometheus_agent_scrapes_too() -> None:
    agent = PROMETHEUS.replace("/v1\n", "/v1alpha1\n").replace("kind: Prometheus", "kind: PrometheusAgent")
    monitor = """
    apiVersion: monitoring.coreos.com/v1
    kind: PodMonitor
    metadata: {name: web, namespace: monitoring}
    spec: {selector: {matchLabels: {app: web}}, podMetricsEndpoints: [{port: main}]}
    """
    assert needed(agent, monitor, pod("web", "monitoring")) == ["monitoring/k8s -> monitoring/web:8080/TCP certain"]


def test_pod_monitors_of_other_namespaces_are_not_taken_up_by_default() -> None:
    monitor = """
    apiVersion: monitoring.coreos.com/v1
    kind: PodMonitor
    metadata: {name: web, namespace: %s}
    spec: {selector: {matchLabels: {app: web}}, podMetricsEndpoints: [{port: main}]}
    """
    assert needed(PROMETHEUS, monitor % "monitoring", pod("web", "monitoring")) == [
        "monitoring/k8s -> monitoring/web:8080/TCP certain"
    ]
    assert needed(PROMETHEUS, monitor % "shop", pod("web")) == []


def test_scrape_annotations() -> None:
    annotated = pod("web").replace(
        "labels: {app: web}}",
        "labels: {app: web}, annotations: {prometheus.io/scrape: 'true', prometheus.io/port: '9100'}}",
    )
    assert needed(PROMETHEUS, annotated) == ["monitoring/k8s -> shop/web:9100/TCP likely"]
    assert needed(annotated) == []


def test_members_of_a_stateful_set() -> None:
    members = """
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: etcd, namespace: shop}
    spec:
      serviceName: etcd
      replicas: 3
      selector: {matchLabels: {app: etcd}}
      template:
        metadata: {labels: {app: etcd}}
        spec:
          containers:
            - name: etcd
              image: etcd
              args: ['--initial-cluster=etcd-0=http://etcd-0.etcd:2380,etcd-1=http://etcd-1.etcd:2380']
              ports: [{containerPort: 2380}]
    """
    governing = service("etcd", port=2380, target=2380, extra="clusterIP: None")
    assert needed(members, governing) == ["shop/etcd -> shop/etcd:2380/TCP certain"]


def test_the_api_server_by_name_and_by_rights() -> None:
    by_name = pod("web", container="env: [{name: K8S, value: 'https://kubernetes.default.svc:443'}]")
    assert needed(by_name) == ["shop/web -> the API server certain"]
    rights = """
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: web, namespace: shop}
    subjects: [{kind: ServiceAccount, name: web, namespace: shop}]
    roleRef: {kind: Role, name: web, apiGroup: rbac.authorization.k8s.io}
    """
    assert needed(rights, pod("web", spec="serviceAccountName: web")) == ["shop/web -> the API server likely"]
    without = pod("web", spec="serviceAccountName: web\nautomountServiceAccountToken: false")
    assert needed(rights, without) == []


def test_an_own_address_is_no_need() -> None:
    web = pod("web", container="env: [{name: BASE_URL, value: 'http://web:8080'}]")
    assert needed(web, service("web")) == []


def test_the_address_of_all_variants_together_is_an_own_one() -> None:
    canary = pod("canary", container="env: [{name: BASE_URL, value: 'http://web:8080'}]")
    canary = canary.replace("{app: canary}", "{app: web, track: canary}")
    assert needed(pod("web"), canary, service("web")) == []
    # members of one cluster meet by a headless Service, whatever they are deployed as
    headless = service("web", target=8080, extra="clusterIP: None")
    assert needed(pod("web"), canary, headless) == ["shop/canary -> shop/web:8080/TCP certain"]


@pytest.mark.parametrize("key", ["README.txt", "readme", "NOTES.txt", "guide.md", "CHANGELOG"])
def test_prose_is_no_configuration(key: str) -> None:
    prose = f"""
apiVersion: v1
kind: ConfigMap
metadata: {{name: docs, namespace: shop}}
data:
  {key}: |
    See http://api:8080/docs.
    Ask db:5432.
"""
    web = pod(
        "web",
        spec="volumes: [{name: v, configMap: {name: docs}}]",
        container="volumeMounts: [{name: v, mountPath: /docs}]",
    )
    assert needed(web, prose, *MAPS) == []
