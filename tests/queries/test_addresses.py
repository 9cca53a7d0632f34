"""Addresses on the command line that something of the input has."""

from collections.abc import Callable
from pathlib import Path

import pytest

from netlint.cli import run

INPUT = """
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
networking: {podSubnet: "10.244.0.0/16,fd00::/64", serviceSubnet: 10.96.0.0/12}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {addresses: [{type: InternalIP, address: 192.0.2.1}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
spec: {containers: [{name: c, image: x}]}
status: {podIP: 10.244.0.5, podIPs: [{ip: 10.244.0.5}, {ip: "fd00::5"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: db, namespace: shop, labels: {app: db}}
spec: {containers: [{name: c, image: x}]}
status: {podIP: 10.244.0.6}
---
apiVersion: v1
kind: Pod
metadata: {name: agent, namespace: shop, labels: {app: agent}}
spec: {hostNetwork: true, nodeName: n1, containers: [{name: c, image: x}]}
status: {podIP: 192.0.2.1, hostIP: 192.0.2.1}
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {clusterIP: 10.96.0.7, selector: {app: db}, ports: [{port: 80, targetPort: 5432}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db, namespace: shop}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress:
  - from: [{podSelector: {matchLabels: {app: web}}}]
    ports: [{port: 5432}]
"""

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    (tmp_path / "all.yaml").write_text(INPUT)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        status = run(arguments)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.mark.parametrize("address", ["10.244.0.5", "10.244.0.5/32", "fd00::5", "FD00:0::5"])
def test_the_address_of_a_pod_is_the_pod(ask: Ask, address: str) -> None:
    """The policy lets pods labelled app=web in, and no address."""
    status, out, _ = ask("why", address, "shop/db", "--port", "5432")
    assert status == 0
    assert out.splitlines()[0].endswith(" -> shop/db 5432/TCP: allowed")
    assert "shop/Pod/web" in out


def test_it_is_its_own_pod_and_no_other(ask: Ask) -> None:
    assert ask("why", "shop/web", "10.244.0.6", "--port", "5432")[0] == 0
    assert ask("why", "shop/web", "10.244.0.6", "--port", "80")[0] == 1
    assert ask("why", "10.244.0.6", "shop/web", "--port", "80")[0] == 0


def test_the_address_of_a_service_leads_to_its_pods(ask: Ask) -> None:
    status, out, _ = ask("why", "shop/web", "10.96.0.7", "--port", "80")
    assert status == 0
    assert "Service/shop/db sends 80/TCP to port 5432" in out
    assert "shop/Pod/db at port 5432/TCP" in out
    assert "has no port 5432/TCP" in ask("why", "shop/web", "10.96.0.7", "--port", "5432")[1]
    assert ask("why", "198.51.100.1", "10.96.0.7", "--port", "80")[0] == 1


def test_the_address_of_a_node_is_the_node(ask: Ask) -> None:
    """No rule speaks of nodes, and a pod on the network of a node has no address of its own."""
    out = ask("why", "192.0.2.1", "shop/db", "--port", "5432")[1]
    assert "Node/n1" in out
    assert "agent" not in out


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("10.244.9.9", "lies in the range of pods, and no pod of the input has it"),
        ("10.244.0.0/24", "lies in the range of pods"),
        ("fd00::9", "lies in the range of pods"),
        ("10.96.0.8", "lies in the range of Services, and no Service of the input has it"),
    ],
)
def test_an_address_that_must_be_of_something_unknown_is_no_address_outside(ask: Ask, address: str, said: str) -> None:
    for arguments in (("why", "shop/web", address, "--port", "80"), ("reach", "--to", address)):
        status, out, err = ask(*arguments)
        assert (status, out) == (2, "")
        assert said in " ".join(err.split())


def test_a_block_with_pods_in_it_is_answered_for_the_rest(ask: Ask) -> None:
    status, out, _ = ask("why", "10.0.0.0/8", "shop/web", "--port", "80")
    assert status == 0
    assert "note: 10.244.0.0/16 of 10.0.0.0/8 are addresses of pods: not answered for" in out


def test_reach_takes_a_pod_by_its_address(ask: Ask) -> None:
    out = ask("reach", "--from", "10.244.0.5", "--to", "10.244.0.6")[1]
    assert out.splitlines()[1].split() == ["shop/Pod/web", "shop/Pod/db", "TCP", "5432"]


def test_nothing_is_decided_between_two_outside(ask: Ask) -> None:
    for target in ("internet", "203.0.113.0/24"):
        status, out, err = ask("why", "198.51.100.1", target, "--port", "80")
        assert (status, out) == (2, "")
        assert "both outside the cluster" in err
