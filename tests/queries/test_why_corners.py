"""Corners of `netlint why`: protocols, names, a pod that reaches itself, several workloads and namespaces, exits."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netlint.cli import run
from netlint.policy.queries.expressions import parse_endpoint
from netlint.policy.queries.resolve import UnknownEndpointError, resolve
from netlint.policy.queries.why import Why, why

DNS = """---
apiVersion: v1
kind: Pod
metadata: {name: dns, namespace: shop, labels: {app: dns}}
spec:
  containers:
  - {name: c, image: x, ports: [{name: dns, containerPort: 5353, protocol: UDP}, {name: tcp, containerPort: 5354}]}
---
apiVersion: v1
kind: Service
metadata: {name: dns, namespace: shop}
spec:
  selector: {app: dns}
  ports:
  - {name: a, port: 53, protocol: UDP, targetPort: dns}
  - {name: b, port: 53, protocol: TCP, targetPort: tcp}
  - {name: c, port: 54, protocol: TCP, targetPort: dns}
---
apiVersion: v1
kind: Service
metadata: {name: outside, namespace: shop}
spec: {type: ExternalName, externalName: db.example.com, ports: [{port: 5432}]}
"""
SHUT = """---
apiVersion: v1
kind: Pod
metadata: {name: lone, namespace: shop, labels: {app: lone}}
spec: {containers: [{name: c, image: x}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: shut, namespace: shop}
spec:
  podSelector: {matchLabels: {app: lone}}
  policyTypes: [Ingress, Egress]
  ingress:
  - from: [{ipBlock: {cidr: 10.0.0.0/8}}]
    ports: [{protocol: SCTP}]
"""
SECOND = """---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: shop}
spec:
  serviceName: web
  selector: {matchLabels: {app: web2}}
  template: {metadata: {labels: {app: web2}}, spec: {containers: [{name: c, image: x}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: other}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: x}]}}
"""
FLANNEL = """---
apiVersion: v1
kind: ConfigMap
metadata: {name: kube-flannel-cfg, namespace: kube-flannel}
data: {net-conf.json: '{"Network": "10.244.0.0/16", "Backend": {"Type": "vxlan"}}'}
"""


def ask(found: Any, source: str, target: str, port: int | None, protocol: str | None) -> Why:
    ends = [resolve(parse_endpoint(text), found.cluster, found.policy) for text in (source, target)]
    return why(found.cluster, found.policy, ends[0], ends[1], port, protocol)


def said(answer: Why, link: str) -> list[str]:
    return [one.message for found in answer.links if found.link == link for one in found.because]


def test_a_service_port_is_one_of_its_protocol(world: Any, shop_text: str) -> None:
    found = world(shop_text + DNS)
    assert said(ask(found, "shop/web", "shop/Service/dns", 53, "UDP"), "endpoints") == ["shop/Pod/dns at port 5353/UDP"]
    assert said(ask(found, "shop/web", "shop/Service/dns", 53, "TCP"), "endpoints") == ["shop/Pod/dns at port 5354/TCP"]


def test_a_named_target_port_is_one_of_the_same_protocol(world: Any, shop_text: str) -> None:
    """The pod's port dns is UDP: a TCP port of the Service that leads to it has no endpoint."""
    answer = ask(world(shop_text + DNS), "shop/web", "shop/Service/dns", 54, "TCP")
    assert answer.verdict == "denied"
    assert "no port named dns" in said(answer, "endpoints")[0]


def test_a_name_outside_is_unknown(world: Any, shop_text: str) -> None:
    answer = ask(world(shop_text + DNS), "shop/web", "shop/Service/outside", 5432, "TCP")
    assert answer.verdict == "unknown"
    assert "outside the cluster" in said(answer, "service")[0]


def test_a_pod_reaches_itself_and_replicas_do_not_go_without_policy(world: Any, shop_text: str) -> None:
    found = world(shop_text + SHUT)
    assert ask(found, "shop/lone", "shop/lone", 80, "TCP").verdict == "allowed"
    # Two pods of one Deployment are different pods.
    assert ask(found, "shop/db", "shop/db", 80, "TCP").verdict == "denied"


def test_a_whole_protocol_that_nobody_knows_of_is_unknown(world: Any, shop_text: str) -> None:
    found = world(shop_text + SHUT)
    assert ask(found, "shop/web", "shop/lone", None, "SCTP").verdict == "unknown"
    assert ask(found, "shop/web", "shop/lone", None, "UDP").verdict == "denied"


def test_labels_stand_for_a_pod_in_each_namespace_that_has_the_labels(world: Any) -> None:
    """In shop, which has team=a, such a pod may; in another namespace with that label it may not."""
    answer = ask(world(), "team=a:app=web", "shop/db", 5432, "TCP")
    assert answer.verdict == "partly"
    assert [one.id for one in answer.source.endpoints] == ["shop:app=web", "team=a:app=web"]


def test_a_name_that_two_kinds_bear_is_asked_back(world: Any, shop_text: str) -> None:
    found = world(shop_text + SECOND)
    with pytest.raises(UnknownEndpointError, match="shop/Deployment/web, shop/StatefulSet/web"):
        resolve(parse_endpoint("shop/web"), found.cluster, found.policy)
    assert resolve(parse_endpoint("shop/StatefulSet/web"), found.cluster, found.policy).endpoints


Command = Callable[..., int]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)

    def call(files: dict[str, str], *arguments: str) -> int:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        return run(arguments)

    return call


def test_labels_of_reach_are_of_their_namespace(
    command: Command, shop_text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command({"all.yaml": shop_text + SECOND}, "reach", "--from", "other:app=web", "--to", "shop/db") == 0
    assert capsys.readouterr().out == "no connection is allowed\n"
    assert command({}, "reach", "--from", "shop:app=web", "--to", "shop/db") == 0
    assert "shop/Deployment/web" in capsys.readouterr().out


def test_the_exit_is_of_what_happens(command: Command, shop_text: str) -> None:
    question = ("why", "shop/web", "shop/db", "--port", "80")
    assert command({"all.yaml": shop_text}, *question) == 1
    assert command({"all.yaml": shop_text + FLANNEL}, *question) == 0


def test_a_difference_for_pods_that_are_not_there_is_one(
    command: Command, shop_text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wider = shop_text.replace(
        "matchLabels: {app: web}}}]", "matchExpressions: [{key: app, operator: In, values: [web, job]}]}}]"
    )
    assert command({"old/all.yaml": shop_text, "new/all.yaml": wider}, "diff", "old", "new") == 1
    out = capsys.readouterr().out
    assert "no connection among the workloads changes" in out
    assert "app=job" in out


def test_what_is_new_is_said_beside_its_connections(
    command: Command, shop_text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command({"old/all.yaml": shop_text, "new/all.yaml": shop_text + DNS}, "diff", "old", "new") == 1
    out = capsys.readouterr().out
    assert "+ shop/Pod/dns -> shop/Deployment/web: all (shop/Pod/dns is new)\n" in out
    assert command({}, "diff", "new", "old") == 1
    assert "- shop/Pod/dns -> shop/Deployment/web: all (shop/Pod/dns is gone)\n" in capsys.readouterr().out


def test_a_version_that_enforces_nothing_is_named(
    command: Command, shop_text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "nothing in this cluster enforces policies"
    files = {"old/all.yaml": shop_text, "new/all.yaml": shop_text + FLANNEL}
    command(files, "diff", "old", "new")
    assert f"note: after: {text}" in capsys.readouterr().out
    command({}, "diff", "new", "old")
    assert f"note: before: {text}" in capsys.readouterr().out
    command({}, "diff", "new", "new")
    assert f"note: {text}" in capsys.readouterr().out
    command({}, "diff", "old", "old")
    assert "note:" not in capsys.readouterr().out
