"""Looking things up by selector must find what trying each one finds, in the same order."""

import random

import pytest

from netlint.predicates import Labelled, labels_match

THINGS = [
    ("a", {"app": "web", "tier": "front"}),
    ("b", {"app": "db"}),
    ("c", {"app": "web", "tier": "front"}),
    ("d", {}),
    ("e", {"app": "web", "tier": ""}),
]


@pytest.mark.parametrize(
    ("labels", "expressions", "expected"),
    [
        (None, (), "abcde"),
        ({}, (), "abcde"),
        ({"app": "web"}, (), "ace"),
        ({"app": "web", "tier": "front"}, (), "ac"),
        ({"app": "web", "tier": "back"}, (), ""),
        ({"tier": ""}, (), "e"),
        (None, (("tier", "DoesNotExist", ()),), "bd"),
        (None, (("app", "NotIn", ("db",)),), "acde"),  # an absent label is not among the values
        ({"app": "web"}, (("tier", "In", ("", "back")),), "e"),
        (None, (("app", "Exists", ()), ("tier", "Exists", ())), "ace"),
        ({"app": "web"}, (("tier", "Like", ("f",)),), ""),  # no such operator: illegal, and so nothing
    ],
)
def test_a_selector_finds_in_order(
    labels: dict[str, str] | None, expressions: tuple[tuple[str, str, tuple[str, ...]], ...], expected: str
) -> None:
    held = dict(THINGS)
    index = Labelled(held, held.__getitem__)
    assert "".join(index.select(labels, expressions)) == expected
    assert index.find(labels, expressions) == set(expected)


def test_selectors_do_not_answer_for_each_other() -> None:
    """Answers are kept: one index is asked everything, twice, and each answer compared with a plain look."""
    drawn = random.Random(7)
    keys, values = ("a", "b", "c"), ("x", "y", "")
    held = {number: {key: drawn.choice(values) for key in keys if drawn.random() < 0.6} for number in range(40)}
    index = Labelled(held, held.__getitem__)
    for _ in range(2000):
        wanted = {key: drawn.choice(values) for key in keys if drawn.random() < 0.3}
        expressions = [
            (drawn.choice(keys), word, drawn.sample(values, drawn.randint(1, 3)) if word.endswith("In") else [])
            for word in drawn.choices(("In", "NotIn", "Exists", "DoesNotExist"), k=drawn.randint(0, 2))
        ]
        plain = tuple(number for number, labels in held.items() if labels_match(wanted, expressions, labels))
        assert index.select(wanted, expressions) == plain, (wanted, expressions)
