"""What is not known: a certain verdict must hold however the unknown turns out."""

from dataclasses import replace
from itertools import product

import naive
import worlds
from hypothesis import given
from hypothesis import strategies as st

from netlint.policy import PolicyAnalysis, Readings, Verdict
from netlint.predicates import ALL_IPV4, EndpointKind, Scope

CERTAIN = {Verdict.ALLOWED: True, Verdict.DENIED: False}


def hidden(world, key, which):
    """The world's analysis with one label of some pods not known, and every world that it may be."""
    whole = worlds.analysis_of(world)
    endpoints = []
    for endpoint in whole.inside:
        if endpoint.name in which:
            labels = {each: value for each, value in endpoint.labels.items() if each != key}
            endpoint = replace(endpoint, labels=labels, unknown_keys=frozenset({(Scope.POD, key)}))
        endpoints.append(endpoint)
    analysis = PolicyAnalysis(whole.policies, endpoints, whole.readings, namespaces=whole.namespaces)
    possible = []
    for values in product((None, "a", "b", "", "something-else"), repeat=len(which)):
        chosen = dict(zip(which, values, strict=True))
        pods = []
        for pod in world["pods"]:
            labels = {each: value for each, value in pod["labels"].items() if each != key or pod["name"] not in chosen}
            if chosen.get(pod["name"]) is not None:
                labels[key] = chosen[pod["name"]]
            pods.append({**pod, "labels": labels})
        possible.append({**world, "pods": pods})
    return analysis, possible


@given(worlds.worlds(), worlds.keys, st.sampled_from((("pod-0",), ("pod-0", "pod-1"))))
def test_unknown_labels(world, key, which):
    which = [name for name in which if any(pod["name"] == name for pod in world["pods"])]
    analysis, possible = hidden(world, key, which)
    for place, (source, _) in enumerate(worlds.sides(world, analysis)):
        for other, (destination, _) in enumerate(worlds.sides(world, analysis)):
            if place == other:
                continue
            connection = analysis.connection(source, destination)
            for protocol, port in (("TCP", 80), ("TCP", 443), ("UDP", 53), ("ICMP", 8)):
                verdict = connection.verdict(protocol, port)
                told = set()
                for each in possible:
                    ends = [*map(worlds.stands_for, each["pods"]), *({"ip": address} for address in worlds.OUTSIDE)]
                    told.add(naive.allowed(each, ends[place], ends[other], protocol, port))
                if verdict is Verdict.UNKNOWN:
                    continue
                assert told == {CERTAIN[verdict]}


@given(worlds.worlds(), worlds.keys)
def test_rows_and_pairs_know_equally_much(world, key):
    analysis, _ = hidden(world, key, ["pod-0"])
    for row in analysis.rows():
        found = {each: cell.connection for cell in row.cells for each in cell.destinations}
        for destination in analysis.classes:
            expected = analysis.connection(row.sources[0].sample, destination.sample)
            assert (found[destination] == expected) if destination in found else not expected


@given(worlds.worlds())
def test_unknown_addresses(world):
    whole = worlds.analysis_of(world)
    endpoints = [replace(each, addresses=ALL_IPV4) if each.kind is EndpointKind.POD else each for each in whole.inside]
    analysis = PolicyAnalysis(whole.policies, endpoints, whole.readings)
    for row in analysis.rows():
        for cell in row.cells:
            for destination in cell.destinations:
                assert cell.connection == analysis.connection(row.sources[0].sample, destination.sample)
    for source, raw_source in worlds.sides(world, analysis):
        for destination, raw_destination in worlds.sides(world, analysis):
            ends = (raw_source, raw_destination)
            if source is destination or any(":" in each["ip"] for each in ends if "namespace" in each):
                continue
            verdict = analysis.verdict(source, destination, "TCP", 80)
            if verdict is not Verdict.UNKNOWN:
                assert naive.allowed(world, raw_source, raw_destination, "TCP", 80) == CERTAIN[verdict]


@given(worlds.worlds())
def test_an_unknown_reading_is_certain_only_where_both_readings_agree(world):
    unsure = PolicyAnalysis.of(worlds.cluster_of(world), Readings(ipblock_matches_pods=None))
    answers = [worlds.analysis_of({**world, "ipblock_matches_pods": reading}) for reading in (True, False)]
    for source in unsure.inside:
        for destination in unsure.inside:
            if source is destination:
                continue
            verdict = unsure.verdict(source, destination, "TCP", 80)
            told = [each.verdict(each.by_id(source.id), each.by_id(destination.id), "TCP", 80) for each in answers]
            if verdict is not Verdict.UNKNOWN:
                assert told == [verdict, verdict]
