"""Questions about every pod that could be: the answers, and what a person reads in a counterexample."""

import json
import subprocess
import sys
import time

import pytest
from test_network_policy import analysis_of

from netlint.policy import Prover, Refuted, Unknown
from netlint.predicates import (
    FALSE,
    NAME,
    EndpointKind,
    Label,
    OfKind,
    Scope,
    TrafficSet,
    Values,
    all_of,
    any_of,
    selector,
)

PODS = OfKind({EndpointKind.POD})


def namespace(name):
    return Label(Scope.NAMESPACE, NAME, Values.one_of(name))


def rules_of(analysis):
    return {str(rule.origin.path[1]) + str(rule.origin.path[2]): rule for rule in analysis.policies.rules}


def test_a_selector_that_no_pod_can_satisfy():
    prover = analysis_of().prover
    app = Label(Scope.POD, "app", Values.one_of("web"))
    assert prover.never_matches(FALSE)
    assert prover.never_matches(all_of(app, Label(Scope.POD, "app", Values.one_of("db"))))
    found = prover.never_matches(all_of(PODS, app))
    assert isinstance(found, Refuted)
    assert found.witness.text == "a pod labelled app=web in any other namespace"
    # Known labels of a namespace decide: shop is known not to be red.
    red_shop = all_of(PODS, namespace("shop"), Label(Scope.NAMESPACE, "team", Values.one_of("red")))
    assert prover.never_matches(red_shop)


def test_a_rule_never_matches_where_one_of_its_parts_does_not():
    analysis = analysis_of(
        """
        podSelector: {}
        ingress:
        - from: [{podSelector: {matchExpressions: [{key: a, operator: Exists}, {key: a, operator: DoesNotExist}]}}]
        - from: [{ipBlock: {cidr: 10.0.0.0/24, except: [10.0.0.0/25, 10.0.0.128/25]}}]
        - from: [{podSelector: {matchLabels: {a: b}}}]
        """
    )
    rules = rules_of(analysis)
    assert analysis.prover.never_matches(rules["ingress0"])
    assert analysis.prover.never_matches(rules["ingress1"])
    assert not analysis.prover.never_matches(rules["ingress2"])


def test_implication():
    prover = analysis_of().prover
    web, both = selector({"app": "web"}), selector({"app": "web", "tier": "x"})
    assert prover.implies(both, web)
    assert not prover.implies(web, both)
    either = any_of(selector({"app": "web"}), selector({"app": "db"}))
    assert prover.same(either, selector(None, [("app", "In", ["db", "web"])]))
    split = any_of(
        all_of(web, Label(Scope.POD, "tier", Values.present())), all_of(web, Label(Scope.POD, "tier", Values.missing()))
    )
    assert prover.implies(web, split)


REDUNDANT = """
podSelector: {matchLabels: {app: db}}
ingress:
- from: [{namespaceSelector: {}}]
  ports: [{port: 5432}]
- from: [{podSelector: {matchLabels: {app: web}}}]
  ports: [{port: 5432}]
- from: [{podSelector: {matchExpressions: [{key: x, operator: Exists}]}}]
  ports: [{port: 80, endPort: 90}]
- from: [{podSelector: {matchExpressions: [{key: x, operator: DoesNotExist}]}}]
  ports: [{port: 80, endPort: 90}]
- from: [{podSelector: {}}]
  ports: [{port: 85}]
- from: [{ipBlock: {cidr: 10.0.0.0/9}}]
- from: [{ipBlock: {cidr: 10.128.0.0/9}}]
- from: [{ipBlock: {cidr: 10.0.0.0/8}}]
"""


def test_rules_contained_in_the_rest():
    analysis = analysis_of(REDUNDANT)
    prover, rules = analysis.prover, rules_of(analysis)
    redundant = {name for name, rule in rules.items() if prover.rule_redundant(rule)}
    assert redundant == {"ingress1", "ingress4", "ingress5", "ingress6", "ingress7"}
    rest = [rule for rule in rules.values() if rule is not rules["ingress4"]]
    assert prover.covering(rules["ingress4"], rest) == (rules["ingress2"], rules["ingress3"])
    assert prover.covering(rules["ingress1"], rest) == (rules["ingress0"],)
    assert prover.covering(rules["ingress0"], rest) == ()
    answer = prover.rule_redundant(rules["ingress2"])
    assert isinstance(answer, Refuted)
    assert (answer.protocol, answer.port) == ("TCP", 80)
    assert "labelled x=" in answer.witness.text


def test_a_policy_that_only_isolates_is_redundant_beside_another():
    analysis = analysis_of("podSelector: {}", "podSelector: {matchLabels: {app: db}}")
    everyone, db = analysis.policies.policies
    assert analysis.prover.policy_redundant(db)
    answer = analysis.prover.policy_redundant(everyone)
    assert isinstance(answer, Refuted)
    assert answer.witness.destination == {"namespace": {"name": "shop"}, "pod": {"labels": {}}}


def test_two_ways_to_write_one_policy():
    listed = (
        "podSelector: {}\ningress: [{from: [{podSelector: {matchLabels: {a: b}}}], ports: [{port: 80}, {port: 81}]}]"
    )
    ranged = """
        podSelector: {}
        ingress:
        - from: [{podSelector: {matchExpressions: [{key: a, operator: In, values: [b]}]}}]
          ports: [{port: 80, endPort: 81}]
        """
    one, other = analysis_of(listed), analysis_of(ranged)
    assert one.prover.equivalent(one.policies, other.policies)
    wider = analysis_of(ranged.replace("endPort: 81", "endPort: 82"))
    answer = one.prover.equivalent(one.policies, wider.policies)
    assert isinstance(answer, Refuted)
    assert (answer.protocol, answer.port) == ("TCP", 82)
    assert answer.witness.text == (
        "from a pod labelled a=b in namespace shop to a pod in namespace shop, to port 82/TCP"
    )
    assert one.prover.contains(wider.policies, one.policies)
    assert not one.prover.contains(one.policies, wider.policies)


def test_a_difference_on_one_side_that_the_other_side_hides():
    shut = "podSelector: {}\npolicyTypes: [Ingress, Egress]"
    web = "podSelector: {matchLabels: {app: web}}\npolicyTypes: [Egress]\negress: [{to: [{podSelector: {}}]}]"
    one, other = analysis_of(shut), analysis_of(shut, web)
    # web may now leave for pods of its namespace, and all of those still let nobody in.
    assert one.prover.equivalent(one.policies, other.policies)


def test_an_assertion_with_a_witness():
    analysis = analysis_of("podSelector: {}\ningress: [{from: [{namespaceSelector: {matchLabels: {team: red}}}]}]")
    source = all_of(PODS, Label(Scope.NAMESPACE, "team", Values.not_one_of("red")))
    assert analysis.prover.always("deny", source, all_of(PODS, namespace("shop")))
    anyone = analysis.prover.always("deny", PODS, all_of(PODS, namespace("shop")), TrafficSet.of("TCP", 5432))
    assert isinstance(anyone, Refuted)
    assert anyone.witness.text == "from a pod in namespace other to a pod in namespace shop, to port 5432/TCP"
    assert (anyone.witness.port, anyone.witness.protocol) == (5432, "TCP")


def test_a_named_port_is_whatever_a_pod_declares():
    analysis = analysis_of("podSelector: {}\ningress: [{ports: [{port: web}]}]")
    answer = analysis.prover.always("deny", PODS, all_of(PODS, namespace("shop")), TrafficSet.of("TCP", 8443))
    assert isinstance(answer, Refuted)
    assert answer.witness.destination["pod"]["ports"] == [{"name": "web", "protocol": "TCP", "containerPort": 8443}]
    assert answer.witness.text.endswith("to port 8443/TCP (named web)")
    assert analysis.prover.always("deny", PODS, all_of(PODS, namespace("shop")), TrafficSet.of("UDP"))


def test_what_depends_on_the_engine_says_so():
    block = "podSelector: {}\ningress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]"
    analysis = analysis_of(block, ipblock_matches_pods=None)
    answer = analysis.prover.always("deny", PODS, all_of(PODS, namespace("shop")))
    assert isinstance(answer, Refuted)
    assert "if the engine matches ipBlock against the addresses of pods" in answer.witness.text
    never = analysis_of(block, ipblock_matches_pods=False)
    assert never.prover.always("deny", PODS, all_of(PODS, namespace("shop")))


def test_what_was_not_read_is_unknown():
    analysis = analysis_of("podSelector: {}\ningress: [{from: [{}]}]")
    answer = analysis.prover.always("deny", PODS, all_of(PODS, namespace("shop")))
    assert isinstance(answer, Unknown)
    assert "p0" in answer.reason


def test_the_limit_of_work_is_an_answer():
    analysis = analysis_of(REDUNDANT)
    prover = Prover(analysis.policies, analysis.assumptions, limit=1)
    rules = rules_of(analysis)
    answer = prover.rule_contained(rules["ingress4"], [rules["ingress2"], rules["ingress3"]])
    assert answer == Unknown("the proof was given up at its limit of work")


def test_the_same_question_has_the_same_answer():
    texts = set()
    for _ in range(2):
        analysis = analysis_of(REDUNDANT)
        texts.add(analysis.prover.rule_redundant(rules_of(analysis)["ingress2"]).witness.text)
    assert len(texts) == 1


def test_z3_is_not_loaded_before_a_question_needs_it():
    code = "import sys, netlint.policy; print('z3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("wider", [False, True])
def test_five_hundred_rules_take_less_than_a_moment(wider):
    import z3  # noqa: F401

    specs = [
        f"podSelector: {{matchLabels: {{app: a{place}}}}}\ningress:\n"
        f"- from: [{{namespaceSelector: {{matchLabels: {{team: t{place % 50}}}}}}}]\n"
        f"  ports: [{{port: {1000 + place}}}]"
        for place in range(500)
    ]
    narrow = [spec.replace("{team:", "{extra: x, team:") for spec in specs]
    if wider:
        narrow[250] = narrow[250].replace("port: 1250", "port: 1250, endPort: 1251")
    one, other = analysis_of(*specs, assume="open"), analysis_of(*narrow, assume="open")
    started = time.process_time()
    answer = one.prover.contains(one.policies, other.policies)
    spent = time.process_time() - started
    assert bool(answer) is not wider
    if wider:
        assert (answer.protocol, answer.port) == ("TCP", 1251)
    assert spent < 2.5  # the measure is 0.5 s on an idle machine; tests run on busy ones


def test_witnesses_are_plain_data():
    analysis = analysis_of("podSelector: {}")
    answer = analysis.prover.always("allow", PODS, PODS)
    assert json.loads(json.dumps(answer.witness.source)) == answer.witness.source
