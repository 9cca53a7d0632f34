"""Proofs against the naive evaluator: a proof must hold for every pair there is, a counterexample must be one."""

import naive
import worlds
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from netlint.policy import Proved, Refuted, Verdict
from netlint.policy.form import Direction
from netlint.policy.outcome import let_pass
from netlint.predicates import NAME, TRUE, AddressSet, Endpoint, EndpointKind, EndpointPort, OfKind, TrafficSet

FEWER = settings(max_examples=max(40, settings.default.max_examples // 2))


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
    """A counterexample's endpoint for the naive evaluator; None for a node or the API server: it knows neither. Labels
    that do not matter are left out of a counterexample: it must hold with all those that a namespace really has."""
    address = endpoint.addresses.blocks()[0]
    if endpoint.kind is EndpointKind.EXTERNAL:
        return {"ip": address}
    if endpoint.kind is not EndpointKind.POD:
        return None
    labels = {key: value for key, value in endpoint.namespace_labels.items() if key != NAME}
    world["namespaces"].setdefault(endpoint.namespace, labels)
    assert labels.items() <= world["namespaces"][endpoint.namespace].items()
    return {
        "namespace": endpoint.namespace,
        "labels": dict(endpoint.labels),
        "ip": address,
        "ports": [{"name": p.name, "protocol": p.protocol, "containerPort": p.number} for p in endpoint.ports],
    }


def same_family(one, other):
    return (":" in one["ip"]) == (":" in other["ip"])


def pairs(world):
    pods = [pod for pod in world["pods"] if not pod["host"]]
    ends = [*pods, *({"ip": address} for address in worlds.OUTSIDE)]
    return [(one, other) for one in ends for other in ends if one is not other and same_family(one, other)]


@FEWER
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


@FEWER
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


@FEWER
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


@FEWER
@given(worlds.worlds(most_policies=3))
def test_a_rule_contained_in_others(world):
    analysis = worlds.analysis_of(world)
    rules = [rule for rule in analysis.policies.rules if rule.tier == "network-policy"]
    for rule in rules[:2]:
        others = [other for other in rules if other is not rule]
        answer = analysis.prover.rule_contained(rule, others)
        cover = analysis.prover.covering(rule, others)
        if analysis.prover.rule_contained(rule, []):
            assert answer  # it speaks of nothing, and needs nobody to cover it
            continue
        assert bool(answer) == bool(cover)
        if cover:
            assert analysis.prover.rule_contained(rule, cover)
            for left_out in cover:
                assert not analysis.prover.rule_contained(rule, [each for each in cover if each is not left_out])
        assert rule.subject != TRUE


@FEWER
@given(worlds.worlds(most_policies=3), st.data())
def test_one_policy_set_contains_another(world, data):
    """Rules added to a policy only ever widen it; whatever else is changed may go either way."""
    changed = {**world, "policies": list(world["policies"])}
    if changed["policies"] and data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(changed["policies"]) - 1))
        changed["policies"][place] = data.draw(worlds.network_policies(f"np-{place}"))
    else:
        changed["policies"].append(data.draw(worlds.network_policies("new")))
    one, other = worlds.analysis_of(world), worlds.analysis_of(changed)
    answer = one.prover.contains(one.policies, other.policies)
    assert isinstance(answer, Proved | Refuted)
    if isinstance(answer, Refuted):
        source, destination = raw(answer.source, world), raw(answer.destination, world)
        changed["namespaces"] = world["namespaces"]
        assume(source is not None and destination is not None)
        ends = (source, destination, answer.protocol, answer.port)
        assert naive.allowed(changed, *ends), answer.witness.text
        assert not naive.allowed(world, *ends), answer.witness.text
        return
    for source, destination in pairs(world):
        for protocol, port in worlds.probes():
            if naive.allowed(changed, source, destination, protocol, port):
                assert naive.allowed(world, source, destination, protocol, port)


def selected(world, policy, pod):
    """Whether a policy selects a pod, by the naive evaluator; the direction is not asked."""
    if policy["kind"] != "NetworkPolicy":
        return naive.admin_selects(world, policy["spec"]["subject"], pod)
    both = {**policy, "spec": {**policy["spec"], "policyTypes": ["Ingress", "Egress"]}}
    return naive.network_policy_selects(both, "Ingress", pod)


def apart(world):
    """The same world for one counterexample, whose namespace may be new."""
    return {**world, "namespaces": dict(world["namespaces"])}


def pods_of(world):
    return [pod for pod in world["pods"] if not pod["host"]]


@FEWER
@given(worlds.worlds())
def test_a_policy_that_never_matches(world):
    analysis = worlds.analysis_of(world)
    for policy in analysis.policies.policies:
        stands = next(each for each in world["policies"] if each["metadata"]["name"] == policy.object.name)
        answer = analysis.prover.never_matches(policy)
        assert isinstance(answer, Proved | Refuted)
        if isinstance(answer, Refuted):
            own = apart(world)
            assert selected(own, stands, raw(answer.source, own)), answer.witness.text
        else:
            assert not any(selected(world, stands, pod) for pod in pods_of(world))


@FEWER
@given(worlds.worlds(most_policies=2))
def test_one_subject_implies_another(world):
    analysis = worlds.analysis_of(world)
    stands = {each["metadata"]["name"]: each for each in world["policies"]}
    for one in analysis.policies.policies[-3:]:
        for other in analysis.policies.policies[:3]:
            answer = analysis.prover.implies(one.subject, other.subject)
            assert isinstance(answer, Proved | Refuted)
            mine, its = stands[one.object.name], stands[other.object.name]
            if isinstance(answer, Refuted):
                own = apart(world)
                pod = raw(answer.source, own)
                assert selected(own, mine, pod), answer.witness.text
                assert not selected(own, its, pod), answer.witness.text
            else:
                for pod in pods_of(world):
                    assert not selected(world, mine, pod) or selected(world, its, pod)


@FEWER
@given(worlds.worlds(most_policies=1))
def test_a_rule_that_is_never_reached(world):
    """Of an admin rule that something gets to, the action decides; of one that nothing gets to, it does not."""
    analysis = worlds.analysis_of(world)
    for rule in [each for each in analysis.policies.rules if each.tier != "network-policy"][:3]:
        answer = analysis.prover.rule_shadowed(rule)
        assert isinstance(answer, Proved | Refuted)
        field, index = rule.origin.path[1], rule.origin.path[2]
        variants = []
        for action in ("Allow", "Deny"):
            policies = [dict(each) for each in world["policies"]]
            for each in policies:
                if each["metadata"]["name"] == rule.policy.name:
                    rules = list(each["spec"][field])
                    rules[index] = {**rules[index], "action": action}
                    each["spec"] = {**each["spec"], field: rules}
            variants.append({**world, "policies": policies})
        way = "Ingress" if rule.direction is Direction.INGRESS else "Egress"

        def told(source, destination, protocol, port, way=way, variants=variants):
            local, remote = (destination, source) if way == "Ingress" else (source, destination)
            return [naive.direction_allowed(v, way, local, remote, destination, protocol, port) for v in variants]

        if isinstance(answer, Refuted):
            own = apart(world)
            source, destination = raw(answer.source, own), raw(answer.destination, own)
            for each in variants:
                each["namespaces"] = own["namespaces"]
            if source is None or destination is None:
                continue
            assert told(source, destination, answer.protocol, answer.port) == [True, False], answer.witness.text
        else:
            for source, destination in pairs(world):
                for protocol, port in worlds.probes():
                    allow, deny = told(source, destination, protocol, port)
                    assert allow == deny
