"""Interval sets, addresses, traffic, label values: algebra against plain Python sets."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netlint.predicates import (
    ALL_ADDRESSES,
    ALL_IPV4,
    ALL_TRAFFIC,
    AddressSet,
    EndpointPort,
    IntervalSet,
    NamedPort,
    PortSet,
    TrafficSet,
    Values,
    cells,
    labels_match,
    requirement,
)

intervals = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda pair: (pair[0], sum(pair))), max_size=5
)


def members(held):
    return {number for low, high in held.intervals for number in range(low, high + 1)}


@given(intervals, intervals)
def test_interval_algebra(one, other):
    left, right = IntervalSet(one), IntervalSet(other)
    a, b = members(left), members(right)
    assert members(left | right) == a | b
    assert members(left & right) == a & b
    assert members(left - right) == a - b
    assert (left <= right) == (a <= b)
    assert left.overlaps(right) == bool(a & b)
    assert (left == right) == (a == b)
    assert left.size == len(a)
    assert all((number in left) == (number in a) for number in range(40))
    assert all(before[1] + 1 < after[0] for before, after in zip(left.intervals, left.intervals[1:], strict=False))


def test_addresses_of_the_two_families_do_not_meet():
    assert not AddressSet.parse("0.0.0.0/0").overlaps(AddressSet.parse("::/0"))
    assert AddressSet.parse("0.0.0.0/0", "::/0") == ALL_ADDRESSES
    assert AddressSet.parse("0.0.0.0/0") == ALL_IPV4


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("10.1.2.3/8", ("10.0.0.0/8",)),
        ("010.001.0.0/16", ("10.1.0.0/16",)),
        ("192.0.2.1", ("192.0.2.1",)),
        ("192.0.2.1/32", ("192.0.2.1",)),
        ("2001:DB8::/32", ("2001:db8::/32",)),
        ("::ffff:10.0.0.0/104", ("10.0.0.0/8",)),
        ("::ffff:192.0.2.1", ("192.0.2.1",)),
        ("01.002.0.4", ("1.2.0.4",)),
        ("0001.2.3.4", ("1.2.3.4",)),
        (" 192.0.2.1\n", ("192.0.2.1",)),
    ],
)
def test_blocks_are_read_leniently(text, blocks):
    assert AddressSet.parse(text).blocks() == blocks


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "10.0.0.0/33", "10.0.0/8", "ten", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/-1", "300.0.0.1"),
        *("10.0.1", "10..0.1", "10.0.0.0.1", "+1.2.3.4", "1.2.3.1_0", "1.2.3.256", "\u0661.2.3.4", "1.2.3.\u00b2"),
    ],
)
def test_what_is_no_block(text):
    with pytest.raises(ValueError, match=r"."):
        AddressSet.parse(text)


def test_an_exception_leaves_the_blocks_around_it():
    held = AddressSet.parse("10.0.0.0/30") - AddressSet.parse("10.0.0.1")
    assert held.blocks() == ("10.0.0.0", "10.0.0.2/31")
    assert str(held) == "10.0.0.0, 10.0.0.2/31"
    assert [str(first) for first, _ in held.ranges()] == ["10.0.0.0", "10.0.0.2"]
    assert str(AddressSet.parse("10.0.0.1", "10.0.0.2")) == "10.0.0.1-10.0.0.2"


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 32)), max_size=4))
def test_blocks_make_up_the_set(pairs):
    held = AddressSet.of_networks(ipaddress.ip_network((number, length), strict=False) for number, length in pairs)
    assert AddressSet.parse(*held.blocks()) == held


def test_all_traffic_is_more_than_ports():
    ports = TrafficSet.of("TCP") | TrafficSet.of("UDP") | TrafficSet.of("SCTP")
    assert ports <= ALL_TRAFFIC
    assert ports != ALL_TRAFFIC
    assert ALL_TRAFFIC.without_other() == ports
    assert not ports.contains("ICMP", 8)
    assert ALL_TRAFFIC.contains("ICMP", 8)
    assert not ALL_TRAFFIC.contains("TCP", 0)


def test_traffic_in_words():
    assert (
        str(TrafficSet.of("TCP", 80) | TrafficSet.of("TCP", 443, 445) | TrafficSet.of("UDP", 53))
        == "TCP 80,443-445, UDP 53"
    )
    assert str(TrafficSet.of("UDP")) == "UDP"
    assert str(ALL_TRAFFIC) == "all"
    assert str(TrafficSet()) == "nothing"
    assert TrafficSet.of("SCTP", 7).example() == ("SCTP", 7)


class Destination:
    ports = (EndpointPort("web", "TCP", 8080), EndpointPort("web", "UDP", 8081), EndpointPort("", "TCP", 1))


def test_named_ports_agree_in_name_and_protocol():
    assert PortSet(named=frozenset({NamedPort("web", "TCP")})).resolve(Destination()) == TrafficSet.of("TCP", 8080)
    anything = PortSet(TrafficSet.of("TCP", 1), frozenset({NamedPort("web", None)})).resolve(Destination())
    assert str(anything) == "TCP 1,8080, UDP 8081"
    assert not PortSet(named=frozenset({NamedPort("", "TCP")})).resolve(object_without_names())


def object_without_names():
    class Nameless:
        ports = (EndpointPort("other", "TCP", 1),)

    return Nameless()


values = st.builds(
    Values, st.frozensets(st.sampled_from("abc"), max_size=3), complement=st.booleans(), absent=st.booleans()
)
UNIVERSE = (None, "a", "b", "c", "d", "")


@given(values, values)
def test_value_algebra(one, other):
    for value in UNIVERSE:
        assert (one & other).admits(value) == (one.admits(value) and other.admits(value))
        assert (one | other).admits(value) == (one.admits(value) or other.admits(value))
        assert (~one).admits(value) != one.admits(value)
    assert bool(one) == any(one.admits(value) for value in UNIVERSE)
    assert one.takes_all == all(one.admits(value) for value in UNIVERSE)


@given(st.lists(values, max_size=3))
def test_cells_tell_apart_all_that_tests_tell_apart(tests):
    found = cells(tests)
    assert len(set(found)) == len(found)
    seen = {tuple(test.admits(cell) for test in tests) for cell in found}
    assert seen == {tuple(test.admits(value) for test in tests) for value in UNIVERSE}


def test_requirements():
    assert requirement("NotIn", ["a"]).admits(None)
    assert not requirement("In", ["a"]).admits(None)
    assert requirement("Exists").admits("")
    assert not requirement("Exists").admits(None)
    assert requirement("DoesNotExist").admits(None)
    for operator, listed in (("In", []), ("NotIn", []), ("Exists", ["a"]), ("DoesNotExist", ["a"]), ("Gt", ["1"])):
        with pytest.raises(ValueError, match=r"."):
            requirement(operator, listed)


def test_labels_match_needs_every_part():
    assert labels_match({}, (), {})
    assert labels_match({"a": "1"}, [("b", "NotIn", ["2"])], {"a": "1"})
    assert not labels_match({"a": "1"}, [("b", "Exists", [])], {"a": "1"})
    assert not labels_match({"a": "1"}, (), {"a": "2"})
