"""One path, link by link."""

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from netlint.policy.queries.expressions import parse_endpoint
from netlint.policy.queries.resolve import UnknownEndpointError, resolve
from netlint.policy.queries.why import Why, together, why
from netlint.reports.color import Paint
from netlint.reports.why_report import why_json, why_text


def ask(found: Any, source: str, target: str, port: int | str | None = 5432, protocol: str | None = "TCP") -> Why:
    ends = [resolve(parse_endpoint(text), found.cluster, found.policy) for text in (source, target)]
    return why(found.cluster, found.policy, ends[0], ends[1], port, protocol)


def reasons(answer: Why, link: str) -> list[str]:
    return [one.message for found in answer.links if found.link == link for one in found.because]


def test_an_allowed_path_names_the_rule_and_its_line(world: Any) -> None:
    answer = ask(world(), "shop/web", "shop/db")
    assert answer.verdict == answer.policy_verdict == "allowed"
    assert [link.link for link in answer.links] == ["egress", "ingress-policy", "cni"]
    (because,) = answer.links[1].because
    assert "NetworkPolicy/shop/db-ingress" in because.message
    assert because.place is not None
    assert because.place.path == ("spec", "ingress", 0)
    location = because.place.locate()
    assert location.file == "shop.yaml"


def test_a_denied_path_names_the_policy_that_isolates(world: Any) -> None:
    answer = ask(world(), "shop/web", "shop/db", 80)
    assert answer.verdict == "denied"
    assert [link.verdict for link in answer.links] == ["allowed", "denied", "allowed"]
    (because,) = answer.links[1].because
    assert because.place is not None
    assert because.place.path == ("spec", "podSelector")


def test_hypothetical_pods(world: Any) -> None:
    found = world()
    assert ask(found, "shop:app=web", "shop/db").verdict == "allowed"
    assert ask(found, "shop:app=other", "shop/db").verdict == "denied"
    # A web pod of another namespace is not a peer: podSelector alone means the policy's own namespace.
    assert ask(found, "elsewhere:app=web", "shop/db").verdict == "denied"
    assert ask(found, "team=a:app=web", "shop/web", 80).verdict == "allowed"


def test_addresses_and_the_internet(world: Any) -> None:
    found = world()
    assert ask(found, "198.51.100.7", "shop/db").verdict == "denied"
    assert ask(found, "internet", "shop/web", 8080).verdict == "allowed"
    assert ask(found, "shop/db", "internet", 443).verdict == "allowed"


def test_every_port_of_a_pair(world: Any) -> None:
    answer = ask(world(), "shop/web", "shop/db", None, "TCP")
    assert answer.verdict == "partly"
    assert any("5432/TCP" in reason for reason in reasons(answer, "ingress-policy"))
    assert ask(world(), "shop/db", "shop/web", None, None).verdict == "allowed"


def test_a_service_leads_to_the_port_of_its_pods(world: Any) -> None:
    answer = ask(world(), "shop/web", "shop/Service/db", 15432)
    assert answer.verdict == "allowed"
    assert [link.link for link in answer.links] == ["service", "endpoints", "egress", "ingress-policy", "cni"]
    assert ask(world(), "shop/web", "shop/Service/db", "sql").verdict == "allowed"
    named = ask(world(), "shop/db", "shop/Service/web", 80)
    assert "shop/Deployment/web at port 8080/TCP" in reasons(named, "endpoints")


def test_a_service_without_the_port_denies(world: Any) -> None:
    answer = ask(world(), "shop/web", "shop/Service/db", 5432)
    assert answer.verdict == "denied"
    assert [link.link for link in answer.links] == ["service"]
    assert "15432/TCP" in reasons(answer, "service")[0]


def test_a_service_that_selects_nobody(world: Any, shop_text: str) -> None:
    text = shop_text + (
        "---\napiVersion: v1\nkind: Service\nmetadata: {name: none, namespace: shop}\n"
        "spec: {selector: {app: none}, ports: [{port: 80}]}\n"
    )
    assert ask(world(text), "shop/web", "shop/Service/none", 80).verdict == "denied"
    assert ask(world(text, "open"), "shop/web", "shop/Service/none", 80).verdict == "unknown"


def test_what_is_declared_is_not_what_happens_without_an_engine(world: Any, shop_text: str) -> None:
    flannel = (
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: kube-flannel-cfg, namespace: kube-flannel}\n"
        'data: {net-conf.json: \'{"Network": "10.244.0.0/16", "Backend": {"Type": "vxlan"}}\'}\n'
        "---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: kube-flannel-ds, namespace: kube-flannel}\n"
        "spec:\n  selector: {matchLabels: {app: flannel}}\n  template:\n    metadata: {labels: {app: flannel}}\n"
        "    spec: {hostNetwork: true, containers: [{name: kube-flannel, image: ghcr.io/flannel-io/flannel:v0.26.0}]}\n"
    )
    answer = ask(world(shop_text + flannel), "shop/web", "shop/db", 80)
    assert (answer.verdict, answer.policy_verdict) == ("allowed", "denied")
    assert "no effect" in reasons(answer, "cni")[0]
    assert "declared: denied" in why_text(answer, Paint(False))


def test_what_the_input_cannot_tell_is_unknown(world: Any, shop_text: str) -> None:
    """The labels of a namespace that the input does not hold decide, and nobody knows them."""
    text = shop_text.replace(
        "podSelector: {matchLabels: {app: web}}}]", "namespaceSelector: {matchLabels: {team: b}}}]"
    )
    answer = ask(world(text, "open"), "elsewhere:app=web", "shop/db")
    assert answer.verdict == "unknown"
    assert answer.links[1].verdict == "unknown"
    assert reasons(answer, "ingress-policy")
    assert ask(world(text, "open"), "team=b:app=web", "shop/db").verdict == "allowed"
    assert ask(world(text, "open"), "team=c:app=web", "shop/db").verdict == "denied"


def test_a_mesh_is_mentioned(world: Any, shop_text: str) -> None:
    text = shop_text + (
        "---\napiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nmetadata: {name: deny, namespace: shop}\n"
        "spec: {}\n"
    )
    (note,) = ask(world(text), "shop/web", "shop/db").notes
    assert "Istio" in note
    assert "not evaluated" in note


def test_the_json_keeps_its_schema(world: Any) -> None:
    schema = json.loads(files("netlint.reports").joinpath("schemas/why.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    for source, target, port in (
        ("shop/web", "shop/db", 80),
        ("team=a:app=web", "shop/Service/db", 15432),
        ("internet", "shop/db", None),
    ):
        data = json.loads(why_json(ask(world(), source, target, port)))
        jsonschema.validate(data, schema)
    assert data["verdict"] == "denied"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("shop/wbe", "nearest: shop/web"),
        ("stage/web", "nearest: shop/web"),
        ("shop/StatefulSet/web", "nearest: shop/Deployment/web"),
        ("shop/Service/webb", "nearest: shop/Service/web"),
    ],
)
def test_an_unknown_name_names_the_nearest(world: Any, text: str, hint: str) -> None:
    found = world()
    with pytest.raises(UnknownEndpointError, match=hint):
        resolve(parse_endpoint(text), found.cluster, found.policy)


def test_several_verdicts_in_one_word() -> None:
    assert together(["allowed", "allowed"]) == "allowed"
    assert together(["allowed", "denied"]) == "partly"
    assert together(["denied", "unknown"]) == "unknown"
    assert together([]) == "unknown"
