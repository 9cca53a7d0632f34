"""Proofs against the naive evaluator: a proof must hold for every pair there is, a counterexample must be one."""

import naive
import worlds
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from netlint.policy import Proved, Refuted, Verdict
from netlint.policy.form import Direction
from netlint.policy.outcome import let_pass
from netlint.predicates import NAME, TRUE, AddressSet, Endpoint, EndpointKind, EndpointPort, OfKind, TrafficSet


def built(raw, world):
    """A raw pod or address as an endpoint, everything about it known."""
    if "namespace" not in raw:
        return Endpoint(raw["ip"], EndpointKind.EXTERNAL, addresses=AddressSet.parse(raw["ip"]))
    return Endpoint(
        raw["name"],
        EndpointKind.POD,
        raw["namespace"],
        raw["name"],
        labels=raw["labels"],
        namespace_labels={**world["namespaces"][raw["namespace"]], NAME: raw["namespace"]},
        service_account_labels={NAME: "default"},
        ports=tuple(EndpointPort(p["name"], p["protocol"], p["containerPort"]) for p in raw["ports"]),
        addresses=AddressSet.parse(raw["ip"]),
    )


def raw(endpoint, world):
    """A counterexample's endpoint for the naive evaluator; None for a node or the API server: it knows neither."""
    address = endpoint.addresses.blocks()[0]
    if endpoint.kind is EndpointKind.EXTERNAL:
        return {"ip": address}
    if endpoint.kind is not EndpointKind.POD:
        return None
    labels = {key: value for key, value in endpoint.namespace_labels.items() if key != NAME}
    world["namespaces"].setdefault(endpoint.namespace, labels)
    assert {**world["namespaces"][endpoint.namespace]} == labels
    return {
        "namespace": endpoint.namespace,
        "labels": dict(endpoint.labels),
        "ip": address,
        "ports": [{"name": p.name, "protocol": p.protocol, "containerPort": p.number} for p in endpoint.ports],
    }


def same_family(one, other):
    return (":" in one["ip"]) == (":" in other["ip"])


def pairs(world):
    ends = [*world["pods"], *({"ip": address} for address in worlds.OUTSIDE)]
    return [(one, other) for one in ends for other in ends if one is not other and same_family(one, other)]


@settings(max_examples=40)
@given(worlds.worlds(most_policies=3), st.data())
def test_equivalence_of_two_policy_sets(world, data):
    changed = {**world, "policies": list(world["policies"])}
    if changed["policies"] and data.draw(st.booleans()):
        del changed["policies"][data.draw(st.integers(0, len(changed["policies"]) - 1))]
    else:
        changed["policies"].append(data.draw(worlds.network_policies("new")))
    one, other = worlds.analysis_of(world), worlds.analysis_of(changed)
    answer = one.prover.equivalent(one.policies, other.policies)
    assert isinstance(answer, Proved | Refuted)
    if isinstance(answer, Refuted):
        source, destination = raw(answer.source, world), raw(answer.destination, changed)
        changed["namespaces"] = world["namespaces"] = {**world["namespaces"], **changed["namespaces"]}
        assume(source is not None and destination is not None)
        told = [naive.allowed(each, source, destination, answer.protocol, answer.port) for each in (world, changed)]
        assert told[0] != told[1], answer.witness.text
        return
    for source, destination in pairs(world):
        for protocol, port in worlds.probes():
            assert naive.allowed(world, source, destination, protocol, port) == naive.allowed(
                changed, source, destination, protocol, port
            )


@settings(max_examples=40)
@given(worlds.worlds(most_policies=3), st.sampled_from(("allow", "deny")))
def test_an_assertion_about_every_pod(world, verdict):
    analysis = worlds.analysis_of(world)
    pods = OfKind({EndpointKind.POD})
    traffic = TrafficSet.of("TCP", 80)
    answer = analysis.prover.always(verdict, pods, pods, traffic)
    assert isinstance(answer, Proved | Refuted)
    if isinstance(answer, Refuted):
        source, destination = raw(answer.source, world), raw(answer.destination, world)
        assert naive.allowed(world, source, destination, "TCP", 80) == (verdict == "deny")
        return
    for source, destination in pairs(world):
        if "namespace" in source and "namespace" in destination:
            assert naive.allowed(world, source, destination, "TCP", 80) == (verdict == "allow")


@settings(max_examples=40)
@given(worlds.worlds(admin=False))
def test_a_redundant_rule_changes_nothing(world):
    analysis = worlds.analysis_of(world)
    for rule in analysis.policies.rules[:3]:
        answer = analysis.prover.rule_redundant(rule)
        policy = analysis.policies.of(rule.policy)
        field, index = rule.origin.path[1], rule.origin.path[2]
        fewer = {**world, "policies": [dict(each) for each in world["policies"]]}
        for each in fewer["policies"]:
            if each["metadata"]["name"] == policy.object.name:
                types = naive.policy_types(each)
                rules = [held for place, held in enumerate(each["spec"][field]) if place != index]
                each["spec"] = {**each["spec"], field: rules, "policyTypes": types}
        way = "Ingress" if rule.direction is Direction.INGRESS else "Egress"

        def side(each, source, destination, protocol, port, way=way):
            local, remote = (destination, source) if way == "Ingress" else (source, destination)
            return naive.direction_allowed(each, way, local, remote, destination, protocol, port)

        if isinstance(answer, Refuted):
            source, destination = raw(answer.source, world), raw(answer.destination, world)
            fewer["namespaces"] = world["namespaces"]
            if source is None or destination is None:
                continue
            found = [side(each, source, destination, answer.protocol, answer.port) for each in (world, fewer)]
            assert found == [True, False], answer.witness.text
        else:
            assert isinstance(answer, Proved)
            for source, destination in pairs(world):
                for protocol, port in worlds.probes():
                    told = [side(each, source, destination, protocol, port) for each in (world, fewer)]
                    assert told[0] == told[1]


@given(worlds.worlds())
def test_the_plain_reading_of_any_two_endpoints_agrees_with_the_naive_one(world):
    policies = worlds.analysis_of(world).policies
    for source, destination in pairs(world):
        ends = built(source, world), built(destination, world)
        connection = let_pass(policies, Direction.EGRESS, *ends) & let_pass(policies, Direction.INGRESS, *ends)
        for protocol, port in worlds.probes():
            expected = naive.allowed(world, source, destination, protocol, port)
            assert connection.verdict(protocol, port) is (Verdict.ALLOWED if expected else Verdict.DENIED)


@settings(max_examples=40)
@given(worlds.worlds(most_policies=3))
def test_a_rule_contained_in_others(world):
    analysis = worlds.analysis_of(world)
    rules = [rule for rule in analysis.policies.rules if rule.tier == "network-policy"]
    for rule in rules[:2]:
        others = [other for other in rules if other is not rule]
        answer = analysis.prover.rule_contained(rule, others)
        cover = analysis.prover.covering(rule, others)
        assert bool(answer) == bool(cover)
        if cover:
            assert analysis.prover.rule_contained(rule, cover)
            for left_out in cover:
                assert not analysis.prover.rule_contained(rule, [each for each in cover if each is not left_out])
        assert rule.subject != TRUE
