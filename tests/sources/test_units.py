"""Kustomizations and charts: what they own, what they give, and what is said where they cannot be rendered."""

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from netlint.findings import Location
from netlint.sources import ChartSpec, Limits, Reading, ReadOptions, helm, kustomize, read

SERVICE = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: 80\n"
PATCH = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  type: NodePort\n"


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    kustomize.program.cache_clear()
    helm.has_package.cache_clear()
    yield
    kustomize.program.cache_clear()
    helm.has_package.cache_clear()


PATCHED_PORT = PATCH + "  ports:\n  - {name: x, port: 81}\n  - {port: 80, targetPort: 99}\n"


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def look(folder: Path, *paths: str, **options: object) -> Reading:
    return read(paths or ["."], options=ReadOptions(cwd=folder, **options))  # type: ignore[arg-type]


def overlays(folder: Path) -> None:
    put(
        folder,
        {
            "base/kustomization.yaml": "resources: [web.yaml]\nconfigMapGenerator:\n- {name: cm, literals: [a=b]}\n",
            "base/web.yaml": SERVICE,
            "prod/kustomization.yaml": "namePrefix: prod-\nresources: [../base]\npatches:\n- path: patch.yaml\n",
            "prod/patch.yaml": PATCH,
            "test/kustomization.yml": "resources: [../base]\n",
            "loose.yaml": "kind: Other\n",
        },
    )


def test_overlays_are_units_of_their_own(program: Callable[[str], str], tmp_path: Path) -> None:
    program("kubectl")
    overlays(tmp_path)
    reading = look(tmp_path)
    assert not reading.findings
    found = [(d.unit.kind, d.unit.name, d.file, d.data["kind"], d.rendered) for d in reading.documents]
    assert found == [
        ("plain", "", "loose.yaml", "Other", False),
        ("kustomization", "prod", "base/kustomization.yaml", "ConfigMap", True),
        ("kustomization", "prod", "base/web.yaml", "Service", True),
        ("kustomization", "test", "base/kustomization.yaml", "ConfigMap", True),
        ("kustomization", "test", "base/web.yaml", "Service", True),
    ]
    service = reading.documents[2]
    assert service.data["metadata"] == {"name": "prod-web"}
    assert service.data["spec"]["type"] == "NodePort"
    where = service.locate(("spec", "ports", 0, "port"))
    assert (where.file, where.start_line, where.start_column) == ("base/web.yaml", 7, 11)
    assert service.unit.owned == {
        "base/kustomization.yaml",
        "base/web.yaml",
        "prod/kustomization.yaml",
        "prod/patch.yaml",
    }
    assert reading.files["base/web.yaml"].lines[1] == "kind: Service"


JSON_PATCH = "{op: replace, path: /spec/ports/0/targetPort, value: 99}"


@pytest.mark.parametrize(
    ("overlay", "patch", "line"),
    [
        ("patches: [{path: p.yaml}]", PATCHED_PORT, 9),
        ("patchesStrategicMerge: [p.yaml]", PATCHED_PORT, 9),
        (
            "patches: [{path: p.yaml, target: {kind: Service}}]",
            f"- {{op: add, path: /metadata/labels, value: {{a: b}}}}\n- {JSON_PATCH.replace('replace', 'add')}\n",
            2,
        ),
        (
            "patches: [{path: p.yaml, target: {kind: Service}}]",
            "- {op: replace, path: /spec/ports, value: [{port: 80, targetPort: 99}]}\n",
            1,
        ),
    ],
)
def test_what_a_patch_sets_stands_in_the_patch(
    program: Callable[[str], str], tmp_path: Path, overlay: str, patch: str, line: int
) -> None:
    program("kubectl")
    put(tmp_path, {"base/kustomization.yaml": "resources: [web.yaml]\n", "base/web.yaml": SERVICE})
    put(tmp_path, {"over/kustomization.yaml": f"resources: [../base]\n{overlay}\n", "over/p.yaml": patch})
    reading = look(tmp_path, "over")
    (service,) = reading.documents
    index = next(n for n, port in enumerate(service.data["spec"]["ports"]) if port["port"] == 80)
    column = patch.splitlines()[line - 1].index("99") + 1
    where = service.locate(("spec", "ports", index, "targetPort"))
    assert where == Location("over/p.yaml", line, column, line, column + 2)
    assert where.file in reading.files  # for the excerpt
    # What the patch leaves as it was stands in the base.
    assert service.locate(("metadata", "name")) == Location("base/web.yaml", 4, 9, 4, 12)


def test_what_an_inline_patch_sets_stands_at_the_patch(program: Callable[[str], str], tmp_path: Path) -> None:
    program("kubectl")
    patch = f"patches:\n- target: {{kind: Service}}\n  patch: |\n    - {JSON_PATCH.replace('replace', 'add')}\n"
    put(tmp_path, {"base/kustomization.yaml": "resources: [web.yaml]\n", "base/web.yaml": SERVICE})
    put(tmp_path, {"over/kustomization.yaml": f"resources: [../base]\n{patch}"})
    (service,) = look(tmp_path, "over").documents
    where = service.locate(("spec", "ports", 0, "targetPort"))
    assert (where.file, where.start_line, where.start_column) == ("over/kustomization.yaml", 4, 10)


def test_one_overlay_named(program: Callable[[str], str], tmp_path: Path) -> None:
    program("kubectl")
    overlays(tmp_path)
    for named in ("prod", "prod/kustomization.yaml"):
        reading = look(tmp_path, named)
        assert [d.file for d in reading.documents] == ["base/kustomization.yaml", "base/web.yaml"]
        assert {d.unit.name for d in reading.documents} == {"prod"}


def test_without_kustomize_only_what_it_would_not_alter_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    overlays(tmp_path)
    reading = look(tmp_path)
    said = [(f.code, f.location and f.location.file, f.help) for f in reading.findings]
    assert [entry[:2] for entry in said] == [
        ("NET006", "prod/kustomization.yaml"),
        ("NET006", "test/kustomization.yml"),
    ]
    assert "Install kustomize" in str(said[0][2])
    assert "not checked" in str(said[0][2])
    assert "checked as they stand" in str(said[1][2])
    assert [(d.unit.name, d.file, d.rendered) for d in reading.documents] == [
        ("", "loose.yaml", False),
        ("test", "base/web.yaml", False),
    ]


@pytest.mark.parametrize(
    ("field", "kept"),
    [
        ("namespace: shop", False),
        ("nameSuffix: -2", False),
        ("commonLabels: {a: b}", False),
        ("labels:\n- pairs: {a: b}", False),
        ("replicas:\n- {name: web, count: 2}", False),
        ("patches: []", True),
        ("images:\n- {name: nginx, newTag: '1'}", True),
        ("configMapGenerator:\n- {name: cm, literals: [a=b]}", True),
    ],
)
def test_what_an_unbuilt_kustomization_would_alter(tmp_path: Path, field: str, kept: bool) -> None:
    put(tmp_path, {"base/kustomization.yaml": "resources: [web.yaml, gone.yaml]\n", "base/web.yaml": SERVICE})
    put(tmp_path, {"kustomization.yaml": f"resources: [base, own.yaml]\n{field}\n"})
    put(tmp_path, {"own.yaml": SERVICE.replace("name: web", "name: own") + "---\nkind: a: b\n"})
    reading = look(tmp_path)
    assert [d.file for d in reading.documents] == (["base/web.yaml", "own.yaml"] if kept else [])
    assert [f.code for f in reading.findings] == ["NET006", "NET001"]


def test_a_base_that_one_way_alters_and_another_does_not(tmp_path: Path) -> None:
    put(tmp_path, {"base/kustomization.yaml": "resources: [web.yaml, gone.yaml]\n", "base/web.yaml": SERVICE})
    put(tmp_path, {"two/kustomization.yaml": "namePrefix: two-\nresources: [../base]\n"})
    put(tmp_path, {"kustomization.yaml": "resources: [two, base]\n"})
    assert [d.file for d in look(tmp_path).documents] == ["base/web.yaml"]


def test_a_component_alters_what_stands_beside_it(tmp_path: Path) -> None:
    put(tmp_path, {"kustomization.yaml": "resources: [web.yaml, gone.yaml]\ncomponents: [extra]\n"})
    put(tmp_path, {"extra/kustomization.yaml": "kind: Component\nresources: [more.yaml]\n"})
    put(tmp_path, {"web.yaml": SERVICE, "extra/more.yaml": SERVICE})
    assert not look(tmp_path).documents


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/a/b//config?ref=v1",
        "github.com/a/b/config",
        "git@github.com:a/b.git",
        "ssh://git@example.org/x",
        "https://example.org/x.yaml",
        "git::https://example.org/x",
    ],
)
def test_nothing_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: str) -> None:
    monkeypatch.setattr(kustomize, "run", lambda *_: pytest.fail("a program was started"))
    put(tmp_path, {"kustomization.yaml": f"resources:\n- web.yaml\n- {remote}\n", "web.yaml": SERVICE})
    reading = look(tmp_path)
    (finding,) = reading.findings
    assert finding.location is not None
    assert (finding.code, finding.location.start_line, finding.location.start_column) == ("NET006", 3, 3)
    assert "network" in finding.message
    assert [d.file for d in reading.documents] == ["web.yaml"]


def test_a_kustomization_that_is_no_yaml(tmp_path: Path) -> None:
    # It need not have apiVersion and kind, by which other files are told to be for Kubernetes.
    put(tmp_path, {"kustomization.yaml": "resources:\n- web.yaml\nnamespace: a: b\n", "web.yaml": SERVICE})
    (finding,) = look(tmp_path).findings
    assert finding.code == "NET001"
    assert finding.location == Location("kustomization.yaml", 3, 13, 3, 14)


def test_a_field_of_a_kustomization_that_stands_twice(program: Callable[[str], str], tmp_path: Path) -> None:
    program("kubectl")
    put(tmp_path, {"kustomization.yaml": "resources: [web.yaml]\nresources: []\n", "web.yaml": SERVICE})
    said = [(f.code, f.location and (f.location.file, f.location.start_line)) for f in look(tmp_path).findings]
    assert ("NET002", ("kustomization.yaml", 2)) in said


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ("nonsense: 1\n", 'kustomization: base: invalid Kustomization: json: unknown field "nonsense"'),
        ("resources: [web.yaml, ./web.yaml]\n", "kustomization: web.yaml: may not add resource"),
    ],
)
def test_what_kustomize_says_is_cut_to_the_cause(
    program: Callable[[str], str], tmp_path: Path, base: str, words: str
) -> None:
    program("kubectl")
    put(tmp_path, {"base/kustomization.yaml": base, "base/web.yaml": SERVICE})
    put(tmp_path, {"over/kustomization.yaml": "resources: [../base]\n"})
    (finding,) = look(tmp_path, "over").findings
    assert words in finding.message.replace("./web", "web")
    assert "accumulat" not in finding.message
    assert "netlint-" not in finding.message  # the temporary folder


def test_faults_of_an_unbuilt_base_are_said_once(tmp_path: Path) -> None:
    base = "resources: [web.yaml, https://example.org/x.yaml]\n"
    put(tmp_path, {"base/kustomization.yaml": base, "base/web.yaml": SERVICE + "---\nkind: a: b\n"})
    put(tmp_path, {"a/kustomization.yaml": "resources: [../base]\n", "b/kustomization.yaml": "resources: [../base]\n"})
    reading = look(tmp_path)
    said = [(f.code, f.location and f.location.file) for f in reading.findings]
    assert said == [("NET006", "base/kustomization.yaml"), ("NET001", "base/web.yaml")]
    assert [d.unit.name for d in reading.documents] == ["a", "b"]


def test_a_kustomize_too_old_for_origins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    overlays(tmp_path)
    old = tmp_path / "bin/kubectl"
    old.parent.mkdir()
    # As kubectl 1.20 answers, the one of Debian 11 and 12.
    refused = 'error: json: unknown field "buildMetadata"'
    old.write_text(
        f"#!/bin/sh\ngrep -q buildMetadata \"$2/kustomization.yaml\" && {{ echo '{refused}' >&2; exit 1; }}\n"
        f"cat {tmp_path}/made.yaml\n"
    )
    old.chmod(0o755)
    (tmp_path / "made.yaml").write_text(SERVICE)
    monkeypatch.setattr(shutil, "which", lambda name: str(old) if name == "kubectl" else None)
    reading = look(tmp_path, "test")
    assert not reading.findings
    assert [(d.file, d.rendered) for d in reading.documents] == [("test/kustomization.yml", True)]


def test_a_missing_file_is_said_at_its_entry(tmp_path: Path) -> None:
    put(tmp_path, {"kustomization.yaml": "resources:\n- web.yaml\n- gone.yaml\n", "web.yaml": SERVICE})
    reading = look(tmp_path)
    (finding,) = reading.findings
    assert finding.location is not None
    assert (finding.location.start_line, "`gone.yaml` does not exist" in finding.message) == (3, True)
    assert len(reading.documents) == 1


def test_charts_inside_a_kustomization(tmp_path: Path) -> None:
    put(tmp_path, {"kustomization.yaml": "helmCharts:\n- {name: x, repo: 'https://example.org'}\n"})
    (finding,) = look(tmp_path).findings
    assert "--enable-helm" in finding.message


def test_what_kustomize_says_is_one_line(program: Callable[[str], str], tmp_path: Path) -> None:
    program("kubectl")
    put(tmp_path, {"kustomization.yaml": "resources: [web.yaml]\nnonsense: 1\n", "web.yaml": SERVICE})
    (finding,) = look(tmp_path).findings
    assert "nonsense" in finding.message
    assert finding.message.isprintable()
    assert str(tmp_path) not in finding.message
    # The logger's prefix holds the time of day: two runs would differ.
    assert look(tmp_path).findings == [finding]
    assert "run.go" not in finding.message


def test_plugins_stay_off(program: Callable[[str], str], tmp_path: Path) -> None:
    program("kubectl")
    plugin = (
        "apiVersion: v1\nkind: Run\nmetadata:\n  name: r\n  annotations:\n"
        "    config.kubernetes.io/function: |\n      exec: {path: ./run.sh}\n"
    )
    put(tmp_path, {"kustomization.yaml": "generators: [gen.yaml]\n", "gen.yaml": plugin})
    put(tmp_path, {"run.sh": f"#!/bin/sh\ntouch {tmp_path}/ran\n"})
    os.chmod(tmp_path / "run.sh", 0o755)
    reading = look(tmp_path)
    assert [f.code for f in reading.findings] == ["NET006"]
    assert not (tmp_path / "ran").exists()


def test_components_are_no_roots_and_own_their_files(program: Callable[[str], str], tmp_path: Path) -> None:
    program("kubectl")
    put(
        tmp_path,
        {
            "app/kustomization.yaml": "resources: [web.yaml]\ncomponents: [../extra]\n",
            "app/web.yaml": SERVICE,
            "extra/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
            "patches: [{path: p.yaml}]\n",
            "extra/p.yaml": PATCH,
            "unused/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
            "patches: [{path: p.yaml}]\n",
            "unused/p.yaml": PATCH,
            "flux/kustomization.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n",
        },
    )
    reading = look(tmp_path)
    assert not reading.findings
    assert [(d.unit.name, d.file) for d in reading.documents] == [
        ("", "flux/kustomization.yaml"),
        ("app", "app/web.yaml"),
    ]
    assert reading.documents[1].data["spec"]["type"] == "NodePort"


def test_a_run_ends(program: Callable[[str], str], tmp_path: Path) -> None:
    program("kubectl")
    overlays(tmp_path)
    reading = look(tmp_path, "prod", limits=Limits(render_seconds=0.0001))
    assert "took longer" in reading.findings[0].message


def test_order_is_always_the_same(program: Callable[[str], str], tmp_path: Path) -> None:
    program("kubectl")
    overlays(tmp_path)
    first = [(d.file, d.unit.name, d.data) for d in look(tmp_path).documents]
    for _ in range(3):
        assert [(d.file, d.unit.name, d.data) for d in look(tmp_path).documents] == first


def chart(folder: Path) -> None:
    put(
        folder,
        {
            "shop/Chart.yaml": "apiVersion: v2\nname: web-shop\nversion: 1.0.0\n",
            "shop/values.yaml": "port: 80\nname: a\n",
            "shop/prod.yaml": "port: 8080\n",
            "shop/templates/svc.yaml": "# first\n"
            + SERVICE.replace("web", "{{ .Values.name }}").replace("80", "{{ .Values.port }}"),
            "shop/templates/tests/t.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: t\n  annotations:\n"
            "    helm.sh/hook: test\n",
            "shop/templates/NOTES.txt": "hello\n",
            "shop/crds/c.yaml": "kind: CustomResourceDefinition\n",
            "loose.yaml": "kind: Other\n",
        },
    )


def can_render() -> None:
    if shutil.which("helm") is None and importlib.util.find_spec("helm_python") is None:
        if os.environ.get("NETLINT_REQUIRE_ALL") == "1":
            pytest.fail("needs helm or helm-python-sdk, and NETLINT_REQUIRE_ALL=1 forbids the skip")
        pytest.skip("needs helm or helm-python-sdk")


def test_chart_with_its_own_values(tmp_path: Path) -> None:
    can_render()
    chart(tmp_path)
    reading = look(tmp_path)
    assert not reading.findings
    assert [(d.unit.kind, d.unit.name, d.file) for d in reading.documents] == [
        ("plain", "", "loose.yaml"),
        ("chart", "shop", "shop/templates/svc.yaml"),
    ]
    document = reading.documents[1]
    assert document.rendered
    assert document.data["spec"]["ports"][0]["port"] == 80
    where = document.locate(("spec", "ports", 0, "port"))
    assert (where.file, where.start_line) == ("shop/templates/svc.yaml", 3)


def test_chart_with_each_set_of_values(tmp_path: Path) -> None:
    can_render()
    chart(tmp_path)
    put(tmp_path, {"edge.yaml": "name: b\n"})
    sets = (("values.yaml", "prod.yaml"), ("prod.yaml", "edge.yaml"), ("gone.yaml",))
    reading = look(tmp_path, "shop", charts=(ChartSpec("shop", sets),))
    assert [
        (d.unit.name, d.data["metadata"]["name"], d.data["spec"]["ports"][0]["port"]) for d in reading.documents
    ] == [
        ("shop (values.yaml, prod.yaml)", "a", 8080),
        ("shop (prod.yaml, edge.yaml)", "b", 8080),
    ]
    (finding,) = reading.findings
    assert "`gone.yaml` does not exist" in finding.message


def test_chart_without_helm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(helm, "has_package", lambda: False)
    chart(tmp_path)
    reading = look(tmp_path)
    (finding,) = reading.findings
    assert finding.code == "NET006"
    assert "helm" in str(finding.help)
    assert [d.file for d in reading.documents] == ["loose.yaml"]


def test_chart_that_fails_and_chart_that_lacks_another(tmp_path: Path) -> None:
    can_render()
    put(
        tmp_path,
        {
            "a/Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n",
            "a/templates/x.yaml": '{{ fail "no\\nsuch \\u001b[31mluck" }}\n',
            "b/Chart.yaml": "apiVersion: v2\nname: b\nversion: 1.0.0\ndependencies:\n"
            "- {name: redis, version: 1.0.0, repository: 'https://example.org'}\n",
            "b/templates/x.yaml": SERVICE,
        },
    )
    reading = look(tmp_path)
    assert [f.code for f in reading.findings] == ["NET006", "NET006"]
    assert all(f.message.isprintable() for f in reading.findings)
    assert "`redis`" in reading.findings[1].message
    assert not reading.documents


@pytest.mark.parametrize(
    ("template", "line", "column"),
    [
        ('kind: Service\nspec:\n  a: {{ required "a is needed" .Values.a }}\n', 3, 3),
        ("kind: Service\nspec: {{ nonsense 1 }}\n", 2, 1),
    ],
)
def test_a_template_that_fails_is_named(tmp_path: Path, template: str, line: int, column: int) -> None:
    can_render()
    put(tmp_path, {"deploy/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n"})
    put(tmp_path, {"deploy/templates/web.yaml": template})
    reading = look(tmp_path)
    (finding,) = reading.findings
    end = len(template.splitlines()[line - 1]) + 1
    assert finding.location == Location("deploy/templates/web.yaml", line, column, line, end)
    assert [other.location and other.location.file for other in finding.related] == ["deploy/Chart.yaml"]
    assert "deploy/templates/web.yaml" in reading.files  # for the excerpt


def test_a_chart_is_named_by_its_file_as_a_kustomization_is(tmp_path: Path) -> None:
    can_render()
    chart(tmp_path)
    folder, file = look(tmp_path, "shop"), look(tmp_path, "shop/Chart.yaml")
    assert [d.data for d in file.documents] == [d.data for d in folder.documents] != []
    assert not file.findings


def test_corpus_charts_and_kustomizations(shared: Path) -> None:
    can_render()
    for name in ("ingress-nginx", "longhorn", "istiod", "kube-state-metrics", "bitnami-postgresql", "onlineboutique"):
        reading = read([str(shared / "corpus/_helm" / name)])
        assert not reading.findings, name
        assert len(reading.documents) > 3, name
        assert all(f"/{name}/" in d.file for d in reading.documents)
    if shutil.which("kubectl"):
        reading = read([str(shared / "corpus/_kustomize/onlineboutique")])
        assert not reading.findings
        assert all(d.rendered and d.unit.kind == "kustomization" for d in reading.documents)
