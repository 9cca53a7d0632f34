"""One meaning in three readings: plain, over bitsets, and symbolic."""

from hypothesis import given, settings
from hypothesis import strategies as st

from netlint.predicates import (
    ALL_IPV4,
    FALSE,
    NAME,
    TRUE,
    AddressIn,
    AddressSet,
    And,
    Assumption,
    Endpoint,
    EndpointKind,
    Label,
    Not,
    OfKind,
    Or,
    Scope,
    Values,
    all_of,
    any_of,
    near_misses,
    negate,
    selector,
)
from netlint.predicates.bitsets import Index, bits_of, places_of
from netlint.predicates.symbolic import Symbols, Vocabulary

BLOCKS = ("10.0.0.0/8", "10.1.0.0/16", "0.0.0.0/0", "::/0", "2001:db8::/32")
values = st.builds(Values, st.frozensets(st.sampled_from("ab"), max_size=2), st.booleans(), st.booleans())
atoms = st.one_of(
    st.builds(Label, st.sampled_from((Scope.POD, Scope.NAMESPACE)), st.sampled_from(("k", "l")), values),
    st.builds(OfKind, st.frozensets(st.sampled_from(EndpointKind))),
    st.builds(AddressIn, st.sampled_from(BLOCKS).map(AddressSet.parse)),
    st.sampled_from((TRUE, FALSE, Assumption("something"))),
)
trees = st.recursive(
    atoms,
    lambda inner: st.one_of(st.lists(inner, max_size=3).map(And), st.lists(inner, max_size=3).map(Or), inner.map(Not)),
    max_leaves=6,
)
labels = st.dictionaries(st.sampled_from(("k", "l")), st.sampled_from("abc"))
endpoints = st.builds(
    Endpoint,
    id=st.just("e"),
    kind=st.sampled_from(EndpointKind),
    labels=labels,
    namespace_labels=labels,
    addresses=st.sampled_from(("10.1.0.1", "10.2.0.0/16", "0.0.0.0/0", "2001:db8::1")).map(AddressSet.parse),
    unknown_keys=st.frozensets(st.just((Scope.POD, "k"))),
    open_scopes=st.frozensets(st.just(Scope.NAMESPACE)),
)


@given(trees, st.lists(endpoints, max_size=5))
def test_bitsets_say_what_each_endpoint_says(tree, ends):
    must, may = Index(ends).evaluate(tree)
    for place, endpoint in enumerate(ends):
        answer = tree.holds(endpoint)
        assert bool(must >> place & 1) == (answer is True)
        assert bool(may >> place & 1) == (answer is not False)


@given(st.lists(trees, max_size=3), endpoints)
def test_simplifying_keeps_what_is_known(parts, endpoint):
    for build, plain in ((all_of, And), (any_of, Or)):
        told, simple = plain(parts).holds(endpoint), build(*parts).holds(endpoint)
        # Putting tests together may tell more, never something else.
        assert told is None or simple == told


@given(trees, endpoints)
def test_negation(tree, endpoint):
    told = tree.holds(endpoint)
    assert negate(tree).holds(endpoint) == (None if told is None else not told)


known = st.builds(
    Endpoint,
    id=st.just("e"),
    kind=st.just(EndpointKind.POD),
    namespace=st.just("n"),
    labels=labels,
    namespace_labels=labels.map(lambda held: {**held, NAME: "n"}),
    service_account_labels=st.just({NAME: "default"}),
    addresses=st.sampled_from(("10.1.0.1", "10.2.0.1", "192.0.2.1", "2001:db8::1")).map(AddressSet.parse),
)
certain_trees = trees.filter(lambda tree: not any(isinstance(atom, Assumption) for atom in tree.atoms()))


@settings(max_examples=60, deadline=None)
@given(certain_trees, known)
def test_z3_says_what_each_endpoint_says(tree, endpoint):
    asked = [
        tree,
        Label(Scope.NAMESPACE, NAME, Values.one_of("n")),
        Label(Scope.SERVICE_ACCOUNT, NAME, Values.one_of("default")),
    ]
    exact = [OfKind({EndpointKind.POD}), AddressIn(endpoint.addresses)]
    for scope in Scope:
        for key in ("k", "l"):
            value = endpoint.labels_of(scope).get(key)
            exact.append(Label(scope, key, Values.missing() if value is None else Values.one_of(value)))
    symbols = Symbols(Vocabulary([*asked, *exact]))
    side = symbols.side("e")
    solver = symbols.z3.SolverFor("QF_BV", ctx=symbols.context)
    solver.add(*side.rules, *(side.term(each) for each in (*asked[1:], *exact)), side.term(tree))
    assert (solver.check() == symbols.z3.sat) == (tree.holds(endpoint) is True)


@settings(max_examples=60, deadline=None)
@given(certain_trees)
def test_a_model_is_an_endpoint_that_matches(tree):
    symbols = Symbols(Vocabulary([tree]))
    side = symbols.side("e")
    solver = symbols.z3.SolverFor("QF_BV", ctx=symbols.context)
    solver.add(*side.rules, side.term(tree))
    if solver.check() == symbols.z3.sat:
        assert tree.holds(side.read(solver.model(), "e")) is True


def test_contradictions_vanish_while_building():
    one = Label(Scope.POD, "app", Values.one_of("a"))
    other = Label(Scope.POD, "app", Values.one_of("b"))
    assert all_of(one, other) == FALSE
    assert any_of(one, negate(one)) == TRUE
    assert selector({"app": "a"}, [("app", "NotIn", ["a"])]) == FALSE
    assert selector(None) == selector({}) == TRUE
    assert all_of(OfKind({EndpointKind.POD}), OfKind({EndpointKind.NODE})) == FALSE
    assert any_of(all_of(one, AddressIn(ALL_IPV4)), one) == one


def test_equal_trees_are_equal_in_any_order():
    one, other = Label(Scope.POD, "a", Values.present()), Label(Scope.POD, "b", Values.present())
    assert all_of(one, other) == all_of(other, one)
    assert hash(any_of(one, other)) == hash(any_of(other, one))
    assert all_of(one, other) != any_of(one, other)


@given(st.sets(st.integers(0, 300)))
def test_places(places):
    listed = sorted(places)
    bits = bits_of(listed)
    assert bits == sum(1 << place for place in listed)
    assert list(places_of(bits)) == listed


def pod(name, **held):
    return Endpoint(name, EndpointKind.POD, labels=held)


def test_near_misses_put_typing_mistakes_first():
    wanted = selector({"app": "frontend", "tier": "web"})
    ends = [
        pod("exact", app="frontend", tier="web"),
        pod("value", app="frontnd", tier="web"),
        pod("other", app="backend", tier="web"),
        pod("key", aap="frontend", tier="web"),
        pod("two", app="x", tier="y"),
    ]
    found = near_misses(wanted, ends, limit=9)
    assert [(miss.endpoint.id, miss.looks_mistyped) for miss in found] == [
        ("key", True),
        ("value", True),
        ("other", False),
    ]
    assert (found[0].key, found[0].similar_key, found[0].found) == ("app", "aap", None)
    assert found[1].found == "frontnd"


def test_near_misses_see_a_prefix_that_only_one_side_has():
    found = near_misses(selector({"name": "db"}), [pod("p", **{"app.kubernetes.io/name": "db"})])
    assert found[0].similar_key == "app.kubernetes.io/name"
    assert found[0].looks_mistyped
