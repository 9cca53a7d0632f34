"""netlint's evaluators against each other and against the naive one, over generated clusters."""

import naive
import worlds
from hypothesis import given, settings
from hypothesis import strategies as st

from netlint.policy import Verdict

MORE = settings(max_examples=max(200, settings.default.max_examples))


@MORE
@given(st.one_of(worlds.worlds(), worlds.worlds(most_policies=1)))
def test_the_concrete_evaluator_agrees_with_the_naive_one(world):
    analysis = worlds.analysis_of(world)
    ends = worlds.sides(world, analysis)
    for source, raw_source in ends:
        for destination, raw_destination in ends:
            if source is destination:
                continue
            connection = analysis.connection(source, destination)
            for protocol, port in worlds.probes():
                expected = naive.allowed(world, raw_source, raw_destination, protocol, port)
                found = connection.verdict(protocol, port)
                assert found is (Verdict.ALLOWED if expected else Verdict.DENIED), (source.id, destination.id, port)


@MORE
@given(st.one_of(worlds.worlds(), worlds.worlds(most_policies=1)))
def test_rows_agree_with_pairs(world):
    analysis = worlds.analysis_of(world)
    seen = set()
    for row in analysis.rows():
        for source in row.sources:
            seen.add(source)
            left = set(analysis.classes)
            for cell in row.cells:
                for destination in cell.destinations:
                    left.remove(destination)
                    assert cell.connection == analysis.connection(source.sample, destination.sample)
            for destination in left:
                assert not analysis.connection(source.sample, destination.sample)
    assert seen == set(analysis.classes)
    assert sum(len(each.members) for each in analysis.classes) == len(analysis.endpoints)


@given(worlds.worlds())
def test_explanations_agree_with_verdicts(world):
    analysis = worlds.analysis_of(world)
    ends = [endpoint for endpoint, _ in worlds.sides(world, analysis)]
    for source in ends[:4]:
        for destination in ends[-4:]:
            for protocol, port in (("TCP", 80), ("UDP", 53), ("ICMP", 8)):
                told = analysis.explain(source, destination, protocol, port)
                assert told.verdict is analysis.verdict(source, destination, protocol, port)
                for side in told.sides:
                    assert (side.basis == "rule") == bool(side.rules)
                    if side.basis == "isolated":
                        assert side.verdict is Verdict.DENIED
                        assert side.selected_by
