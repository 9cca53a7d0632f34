"""Which endpoints fail one part of a selector, and no other: candidates for a slip."""

from netlint.cluster import build, divide
from netlint.cluster.config import parse_config
from netlint.policy import PolicyAnalysis
from netlint.policy.translate.parts import PODS
from netlint.predicates import NAME, Label, Predicate, Scope, Values, all_of
from netlint.resources import load
from netlint.sources import read_text

POD = """
apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: %s, labels: {%s}}
spec: {containers: [{name: a, image: x}]}
"""
WORLD = "---".join(
    POD % pod
    for pod in (
        ("both", "shop", "app: web, tier: front"),
        ("one", "shop", "app: web, tier: fron"),
        ("none", "shop", "app: db, tier: back"),
        ("elsewhere", "other", "app: web, tier: front"),
        ("elsewhere-and-one", "other", "app: web"),
    )
)


def label(key: str, value: str, scope: Scope = Scope.POD) -> Predicate:
    return Label(scope, key, Values.one_of(value))


def names(*parts: Predicate) -> list[str]:
    (cluster,) = [build(part, parse_config("")) for part in divide(load(read_text(WORLD).documents), parse_config(""))]
    return sorted(endpoint.name for endpoint in PolicyAnalysis.of(cluster).missing_one_label(all_of(*parts)))


def test_one_label_and_no_other_is_missing() -> None:
    asked = (PODS, label(NAME, "shop", Scope.NAMESPACE), label("app", "web"), label("tier", "front"))
    # "none" fails two; "elsewhere" fails only the namespace, which is no label of the pod's
    assert names(*asked) == ["one"]
    assert names(PODS, label("app", "web"), label("tier", "front")) == ["elsewhere-and-one", "one"]


def test_a_single_label_is_a_part_too() -> None:
    # the API server bears no labels: of "pods with app=web" it fails two parts, of "app=web" alone the only one
    assert names(PODS, label("app", "web")) == ["none"]
    assert names(label("app", "web")) == ["api-server", "none"]


def test_what_fails_another_part_alone_is_missing_no_label() -> None:
    assert names(PODS, label(NAME, "shop", Scope.NAMESPACE)) == []
