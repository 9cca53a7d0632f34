"""netlint.yaml: what it may hold, and what is said where it holds something else."""

import json
from pathlib import Path

import jsonschema
import pytest

from netlint.cluster.config import Config, ConfigError, load_config, no_config, parse_config
from netlint.findings import Location
from netlint.reports.config_schema import FILE, config_schema

PROMISED = """\
cluster:
  name: prod
  kubernetesVersion: "1.33"
  distribution: k3s
  cni: {name: calico, encapsulation: vxlan, mtu: 1450}
  podCIDRs: [10.244.0.0/16]
  serviceCIDRs: [10.96.0.0/12]
  nodeCIDRs: [192.0.2.0/24]
  vpcCIDRs: []
  peerCIDRs: []
  dockerBridgeCIDR: 172.17.0.0/16
  nodeMTU: 1500
  nodePortRange: 30000-32767
  clusterDNS: {service: kube-system/kube-dns, addresses: [10.96.0.10]}
  loadBalancer: {provider: metallb}
  k3sConfig: {disable-network-policy: false}
world: auto
rules: {NET116: {severity: warning}, NET402: {enabled: false}}
exclude: ["**/testdata/**"]
assertions:
  - {name: prod is closed to dev, deny: {from: "env=dev:", to: "env=prod:"}}
  - {name: dns for all, allow: {from: ":", to: "kube-system:k8s-app=kube-dns", port: 53/UDP}}
charts: [{path: charts/shop, values: [[values.yaml, prod.yaml], [values.yaml, edge.yaml]]}]
"""


def lines(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "netlint.yaml")
    return list(caught.value.lines)


def test_the_promised_configuration_is_read() -> None:
    config = parse_config(PROMISED)
    assert config.cluster is not None
    assert config.cluster.pod_cidrs == ["10.244.0.0/16"]
    assert config.cluster.vpc_cidrs == []
    assert config.cluster.node_ports == (30000, 32767)
    assert config.cluster.cni is not None
    assert config.cluster.cni.mtu == 1450
    assert config.cluster.cluster_dns is not None
    assert config.cluster.cluster_dns.addresses == ["10.96.0.10"]
    assert config.cluster.k3s_config == {"disable-network-policy": False}
    assert config.rules["NET402"].enabled is False
    assert config.assertions[1].allow is not None
    assert config.assertions[1].allow.from_ == ":"
    assert config.charts[0].values == [["values.yaml", "prod.yaml"], ["values.yaml", "edge.yaml"]]


def test_json_is_a_configuration_too() -> None:
    assert (
        parse_config(json.dumps({"cluster": {"nodeMTU": 9000}})).model_dump()
        == parse_config("cluster: {nodeMTU: 9000}").model_dump()
    )


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "null\n"])
def test_an_empty_file_says_nothing(text: str) -> None:
    config = parse_config(text)
    assert (config.world, config.cluster, config.rules) == ("auto", None, {})


def test_places_are_those_of_the_file() -> None:
    config = parse_config("cluster:\n  nodeMTU: 1500\n  podCIDRs:\n    - 10.244.0.0/16\n", "conf/netlint.yaml")
    assert config.cluster is not None
    place = config.cluster.at("podCIDRs", 0)
    assert place.locate() == Location("conf/netlint.yaml", 4, 7, 4, 20)
    assert place.path == ("cluster", "podCIDRs", 0)
    assert place.ref is not None
    assert place.ref.kind == "Config"
    assert config.cluster.at("peerCIDRs").locate().start_line == 1


def test_a_cluster_of_several_knows_its_place() -> None:
    config = parse_config("clusters:\n  - {name: a}\n  - {name: b, nodeMTU: 9000}\n")
    assert config.clusters is not None
    assert config.clusters[1].at("nodeMTU").path == ("clusters", 1, "nodeMTU")
    assert config.clusters[1].at("nodeMTU").locate().start_line == 3


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("clustr: {}", "netlint.yaml:1:1: unknown key 'clustr' (did you mean 'cluster'?)"),
        ("cluster:\n  podCidrs: []", "netlint.yaml:2:3: unknown key 'podCidrs' (did you mean 'podCIDRs'?)"),
        ("cluster: {cni: {nam: x}}", "netlint.yaml:1:17: unknown key 'nam' (did you mean 'name'?)"),
        ("rules: {NET1: {severty: error}}", "netlint.yaml:1:16: unknown key 'severty' (did you mean 'severity'?)"),
        (
            "cluster:\n  kubernetesVersion: 1.30\n",
            "netlint.yaml:2:22: kubernetesVersion must be text, not the number 1.3 (quote it)",
        ),
        ("cluster: {podCIDRs: 10.0.0.0/8}", "netlint.yaml:1:21: podCIDRs must be a list, not '10.0.0.0/8'"),
        (
            "cluster: {podCIDRs: [10.0.0.0/33]}",
            "netlint.yaml:1:22: '10.0.0.0/33' is no address block such as 10.244.0.0/16",
        ),
        ("cluster: {nodeMTU: 9.5}", "netlint.yaml:1:20: nodeMTU must be a whole number, not the number 9.5"),
        ("cluster: {nodeMTU: 20}", "netlint.yaml:1:20: nodeMTU must be at least 68, not the number 20"),
        (
            "cluster: {nodePortRange: 32767-30000}",
            "netlint.yaml:1:26: '32767-30000' is no range of ports such as 30000-32767",
        ),
        ("cluster: {kubernetesVersion: latest}", "netlint.yaml:1:30: 'latest' is no version such as 1.33"),
        (
            "cluster: {cni: {name: flanel}}",
            "netlint.yaml:1:23: 'flanel' is no network plugin that netlint knows (did you mean 'flannel'?)",
        ),
        (
            "cluster: {cni: {policyEngine: Calicoo}}",
            "netlint.yaml:1:31: 'Calicoo' is no network plugin that netlint knows (did you mean 'calico'?)",
        ),
        (
            "cluster: {cni: {encapsulation: vxlam}}",
            "netlint.yaml:1:32: 'vxlam' is no encapsulation that netlint knows (did you mean 'vxlan'?)",
        ),
        (
            "cluster: {distribution: open-shft}",
            "netlint.yaml:1:25: 'open-shft' is no distribution that netlint knows (did you mean 'openshift'?)",
        ),
        ("# {{ a }}\nworld: {{ world }}", "netlint.yaml:2:8: a configuration cannot be a template; render it first"),
        ("world: half", "netlint.yaml:1:8: world must be 'auto', 'open' or 'closed', not 'half'"),
        (
            "assertions: [{name: x}]",
            "netlint.yaml:1:15: an assertion has exactly one of allow, deny and isolated",
        ),
        ("assertions: [{name: x, deny: {from: a}}]", "netlint.yaml:1:24: deny needs the key 'to'"),
        ("- a", "netlint.yaml:1:3: a configuration is a mapping"),
        ("world: open\n---\nworld: closed\n", "netlint.yaml:3:1: a configuration is one document"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(text: str, line: str) -> None:
    assert lines(text) == [line]


@pytest.mark.parametrize(
    "text",
    [
        "cluster: {kubernetesVersion: v1.33.1+k3s1}",
        "cluster: {cni: {name: terway}}",
        "cluster: {cni: {name: AWS VPC CNI, encapsulation: Wireguard-Native}}",
        "cluster: {cni: {name: kube_router, encapsulation: VXLANCrossSubnet}}",
        "cluster: {distribution: K3s}",
        "cluster: {distribution: rke}",
        "cluster: {distribution: OpenShift}",
    ],
)
def test_names_that_netlint_does_not_know_are_the_users_own(text: str) -> None:
    parse_config(text)


def test_all_mistakes_are_told_in_the_order_of_the_file() -> None:
    said = lines("world: half\ncluster:\n  nodeMTU: many\n  nodeMtu: 3\n")
    assert [line.split(" ")[0] for line in said] == ["netlint.yaml:1:8:", "netlint.yaml:3:12:", "netlint.yaml:4:3:"]


def test_broken_yaml_has_its_place() -> None:
    assert lines("cluster: {name: [a\n")[0].startswith("netlint.yaml:")


def test_clusters_need_names_of_their_own() -> None:
    assert "name of its own" in lines("clusters: [{name: a}, {name: a}]")[0]
    assert "exclude each other" in lines("cluster: {}\nclusters: []")[0]


def test_a_missing_file_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load_config(tmp_path / "netlint.yaml")


def test_paths_start_at_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "netlint.yaml").write_text("world: open\n")
    (tmp_path / "deploy").mkdir()
    monkeypatch.chdir(tmp_path / "deploy")
    config = load_config(tmp_path / "netlint.yaml")
    assert config.root == ".."
    assert config.from_root("web.yaml") == "deploy/web.yaml"
    assert config.from_root("../other/web.yaml") == "other/web.yaml"


def test_without_a_file_nothing_is_said() -> None:
    assert no_config().model_dump() == Config().model_dump()
    assert no_config().at("cluster").locate() == Location("netlint.yaml", 1, 1, 1, 1)


class TestSchema:
    SCHEMA = json.loads(FILE.read_text())

    def test_the_published_one_is_current(self) -> None:
        assert FILE.read_text() == config_schema(), "run python -m netlint.reports.config_schema"

    def test_it_takes_what_is_promised(self) -> None:
        from ruamel.yaml import YAML

        jsonschema.validate(YAML(typ="safe", pure=True).load(PROMISED), self.SCHEMA)

    @pytest.mark.parametrize("bad", [{"clustr": {}}, {"cluster": {"nodeMTU": "x"}}, {"world": "half"}])
    def test_it_refuses_what_we_refuse(self, bad: object) -> None:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, self.SCHEMA)
