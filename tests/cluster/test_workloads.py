"""Workloads: what folds into what, and what is known of their labels."""

from collections.abc import Callable

from netlint.cluster import Cluster
from netlint.resources.core import Service

Make = Callable[..., Cluster]

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, uid: d-1}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, ports: [{name: http, containerPort: 80}, {containerPort: 53, protocol: UDP}]}
      initContainers:
      - {name: setup, ports: [{containerPort: 9}]}
      - {name: mesh, restartPolicy: Always, ports: [{containerPort: 15090}]}
"""
REPLICA_SET = """\
---
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-6d4cf56db6
  namespace: shop
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: d-1, controller: true}]
spec:
  template:
    metadata: {labels: {app: web, pod-template-hash: 6d4cf56db6}}
    spec: {containers: [{name: web}]}
"""


def pod(
    name: str, address: str, labels: str = "app: web, pod-template-hash: 6d4cf56db6", phase: str = "Running"
) -> str:
    return f"""\
---
apiVersion: v1
kind: Pod
metadata:
  name: {name}
  namespace: shop
  labels: {{{labels}}}
  ownerReferences: [{{apiVersion: apps/v1, kind: ReplicaSet, name: web-6d4cf56db6, uid: r-1, controller: true}}]
spec: {{nodeName: n1, containers: [{{name: web}}]}}
status: {{phase: {phase}, podIP: {address}}}
"""


def test_pods_and_replica_sets_fold_into_their_deployment(cluster: Make) -> None:
    (web,) = cluster(WEB + REPLICA_SET + pod("web-a", "10.0.0.2") + pod("web-b", "10.0.0.1")).workloads
    assert (web.id, web.kind, web.replicas) == ("shop/Deployment/web", "Deployment", 2)
    assert web.addresses == ("10.0.0.1", "10.0.0.2")
    assert web.node_names == ("n1",)
    assert web.labels == {"app": "web"}
    assert "pod-template-hash" in web.unknown_label_keys


def test_pods_fold_where_the_replica_set_is_missing(cluster: Make) -> None:
    (web,) = cluster(WEB + pod("web-a", "10.0.0.2")).workloads
    assert web.id == "shop/Deployment/web"
    assert web.addresses == ("10.0.0.2",)


def test_pods_of_an_absent_owner_are_one_workload(cluster: Make) -> None:
    (web,) = cluster(pod("web-a", "10.0.0.2") + pod("web-b", "10.0.0.3", phase="Succeeded")).workloads
    assert (web.id, web.replicas) == ("shop/ReplicaSet/web-6d4cf56db6", 2)
    assert web.addresses == ("10.0.0.2",)
    assert web.labels == {"app": "web", "pod-template-hash": "6d4cf56db6"}


def test_labels_that_differ_between_pods_are_unknown(cluster: Make) -> None:
    leader = pod("web-a", "10.0.0.2", "app: web, role: leader")
    follower = pod("web-b", "10.0.0.3", "app: web, role: follower")
    (web,) = cluster(leader + follower).workloads
    assert web.labels == {"app": "web"}
    assert "role" in web.unknown_label_keys


def test_ports_are_those_of_containers_that_keep_running(cluster: Make) -> None:
    (web,) = cluster(WEB).workloads
    assert [(p.name, p.number, p.protocol, p.container) for p in web.ports] == [
        ("http", 80, "TCP", "web"),
        (None, 53, "UDP", "web"),
        (None, 15090, "TCP", "mesh"),
    ]
    assert web.ports[2].path == ("initContainers", 1, "ports", 0)
    assert web.at(*web.ports[0].path).path == ("spec", "template", "spec", "containers", 0, "ports", 0)


def test_host_network_ports_are_host_ports(cluster: Make) -> None:
    text = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {%s containers: [{ports: [{containerPort: 80}]}]}}"
    (plain,) = cluster(text % "").workloads
    (host,) = cluster(text % "hostNetwork: true,").workloads
    assert (plain.ports[0].host_port, host.ports[0].host_port) == (None, 80)
    assert (host.id, host.host_network, host.template_path) == ("default/Pod/p", True, ())
    assert host.at("hostNetwork").path == ("spec", "hostNetwork")


def test_a_cron_job_and_its_jobs(cluster: Make) -> None:
    text = """\
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop}
spec: {schedule: "0 0 * * *", jobTemplate: {spec: {template: {spec: {containers: [{name: r}]}}}}}
---
apiVersion: v1
kind: Pod
metadata:
  name: report-28394850-x7k2p
  namespace: shop
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: report-28394850, uid: j, controller: true}]
spec: {containers: [{name: r}]}
"""
    (report,) = cluster(text).workloads
    assert report.id == "shop/CronJob/report"
    assert report.template_path == ("spec", "jobTemplate", "spec", "template")
    assert len(report.pods) == 1


def test_a_kind_that_nobody_knows_with_a_pod_template(cluster: Make) -> None:
    text = """\
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web, namespace: shop}
spec: {replicas: 3, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web}]}}}
"""
    (web,) = cluster(text).workloads
    assert (web.id, web.replicas, web.labels) == ("shop/Rollout/web", 3, {"app": "web"})


def test_owners_that_form_a_ring_lose_nothing(cluster: Make) -> None:
    text = """\
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: %s, ownerReferences: [{kind: ReplicaSet, name: %s, controller: true}]}
spec: {template: {spec: {containers: [{name: c}]}}}
---
"""
    assert len(cluster(text % ("a", "b") + text % ("b", "a") + text % ("c", "c")).workloads) == 2


def test_objects_without_a_name_have_ids_of_their_own(cluster: Make) -> None:
    text = "{apiVersion: v1, kind: Pod, metadata: {generateName: run-}, spec: {containers: [{name: c}]}}\n---\n"
    assert [w.id for w in cluster(text * 2).workloads] == ["default/Pod/run-", "default/Pod/run-#2"]


def selected(cluster: Cluster) -> dict[str, list[str]]:
    return {s.name: [w.name for w in cluster.workloads_of(s)] for s in cluster.all(Service)}


def test_services_select_by_all_labels_in_their_own_namespace(cluster: Make) -> None:
    text = (
        WEB
        + """\
---
{apiVersion: v1, kind: Service, metadata: {name: same, namespace: shop}, spec: {selector: {app: web}}}
---
{apiVersion: v1, kind: Service, metadata: {name: more, namespace: shop}, spec: {selector: {app: web, tier: x}}}
---
{apiVersion: v1, kind: Service, metadata: {name: elsewhere, namespace: other}, spec: {selector: {app: web}}}
---
{apiVersion: v1, kind: Service, metadata: {name: all, namespace: shop}, spec: {selector: {}}}
---
{apiVersion: v1, kind: Service, metadata: {name: run-time, namespace: shop},
 spec: {selector: {app: web, vault-active: "true"}}}
---
{apiVersion: v1, kind: Service, metadata: {name: only-run-time, namespace: shop},
 spec: {selector: {vault-active: "true"}}}
"""
    )
    made = cluster(text)
    assert selected(made) == {
        "all": [],
        "elsewhere": [],
        "more": [],
        "only-run-time": [],
        "run-time": ["web"],
        "same": ["web"],
    }
    (web,) = made.workloads
    assert [s.name for s in made.services_of(web)] == ["run-time", "same"]


def test_patroni_sets_the_role(cluster: Make) -> None:
    text = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, env: [{name: PATRONI_SCOPE, value: x}]}]}
---
{apiVersion: v1, kind: Service, metadata: {name: replica, namespace: shop}, spec: {selector: {app: db, role: replica}}}
"""
    assert selected(cluster(text)) == {"replica": ["db"]}
    assert selected(cluster(text.replace("PATRONI_SCOPE", "SCOPE"))) == {"replica": []}


def test_labels_that_the_server_refuses_leave_the_workload(cluster: Make) -> None:
    (web,) = cluster(WEB.replace("{app: web}", "{app: 7}")).workloads
    assert web.labels == {}
    assert web.object.rejects("spec", "template", "metadata", "labels")
