"""What a page of one file cannot show: duplicates over files, crashes over clusters."""

from netlint.cluster import build, divide
from netlint.cluster.config import no_config
from netlint.findings import Severity
from netlint.resources import load
from netlint.sources import Reading, read_text
from netlint.triage import Options, check


def service(name: str, port: int) -> str:
    return f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}}}\nspec:\n  ports: [{{port: {port}}}]\n"


def duplicates(**files: str) -> list[tuple[str, Severity]]:
    reading = Reading()
    for name, text in files.items():
        part = read_text(text, f"{name}.yaml")
        reading.documents += part.documents
        reading.files |= part.files
    config = no_config()
    clusters = [build(part, config) for part in divide(load(reading.documents), config)]
    found = check(reading, clusters, config, Options(select=["NET007"])).findings
    return [(one.location.file, one.severity) for one in found if one.location]


def test_a_copy_that_was_not_renamed_is_a_note() -> None:
    # Folders of samples look just like that: of ten such pairs in real projects, eight were alternatives.
    web = service("web", 80) + "---\n" + service("web-admin", 81) + "---\n" + service("web-metrics", 82)
    api = service("web", 8080) + "---\n" + service("api-admin", 81) + "---\n" + service("api-metrics", 82)
    assert duplicates(a=web, b=api) == [("b.yaml", Severity.INFO)]


def test_variants_of_one_file_are_a_note() -> None:
    assert duplicates(a=service("web", 80), b=service("web", 81)) == [("b.yaml", Severity.INFO)]


def test_the_same_content_twice_is_nothing() -> None:
    assert duplicates(a=service("web", 80), b=service("web", 80)) == []


def test_in_one_file_it_is_a_warning() -> None:
    assert duplicates(a=service("web", 80) + "---\n" + service("web", 81)) == [("a.yaml", Severity.WARNING)]


def test_facts_of_the_configuration_are_held_against_objects() -> None:
    from netlint.cluster.config import parse_config

    config = parse_config("cluster:\n  podCIDRs: [10.32.0.0/16]\n")
    text = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kube-flannel-cfg, namespace: kube-flannel}\n"
        'data:\n  net-conf.json: \'{"Network": "10.244.0.0/16", "Backend": {"Type": "vxlan"}}\'\n'
    )
    reading = read_text(text, "flannel.yaml")
    clusters = [build(part, config) for part in divide(load(reading.documents), config)]
    (finding,) = check(reading, clusters, config, Options(select=["NET005"])).findings
    files = {one.location.file for one in (finding, *finding.related) if one.location}
    assert files == {"netlint.yaml", "flannel.yaml"}


def kindless(text: str) -> list[str]:
    reading = read_text(text, "x.yaml")
    config = no_config()
    clusters = [build(part, config) for part in divide(load(reading.documents), config)]
    return [one.message for one in check(reading, clusters, config, Options(select=["NET004"])).findings]


def test_only_what_is_plainly_of_kubernetes_lacks_a_kind() -> None:
    without = "kind must be set: without it this is no object of Kubernetes"
    assert kindless("apiVersion: v1\nmetadata: {name: a}\nspec: {}\n") == [without]
    assert kindless("apiVersion: networking.k8s.io/v1\nmetadata: {name: a}\n") == [without]
    assert kindless("apiVersion: v2\nname: chart\nmetadata: {}\n") == [], "a chart"
    assert kindless("apiVersion: v1\nentries: {}\n") == [], "the index of a repository of charts"
    assert kindless("apiVersion: example.com/v1\nmetadata: {name: a}\n") == [], "nobody knows its kinds"
    assert kindless("metadata: {name: a}\nspec: {}\n") == []


def test_a_kind_that_is_no_text_is_none() -> None:
    """kubectl: Object 'Kind' is missing."""
    said = "kind must be text: without it this is no object of Kubernetes"
    for kind in ("[Service]", "2", "null", '""', "yes"):
        assert kindless(f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\n") == [said], kind
    assert kindless("apiVersion: example.com/v1\nkind: 2\nmetadata: {name: a}\n") == []


def test_a_number_out_of_bounds_is_named_with_its_field() -> None:
    ports = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 70000}]}\n"
    assert kindless(ports) == ["spec.ports[0].port 70000 must be between 1 and 65535"]


def test_the_default_range_is_not_said_twice() -> None:
    text = (
        "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {type: NodePort, ports: [{port: 1, nodePort: 80}]}\n"
    )
    reading = read_text(text, "x.yaml")
    config = no_config()
    clusters = [build(part, config) for part in divide(load(reading.documents), config)]
    (finding,) = check(reading, clusters, config, Options(select=["NET302"])).findings
    assert finding.message == "node port 80 is outside 30000-32767 (Kubernetes' default)"
