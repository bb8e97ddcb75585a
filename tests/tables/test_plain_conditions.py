"""What is read without the parser means what the parser reads."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolglot.tables.conditions import Both, Claim, Condition, Either, Name, Not, PredicateError, _parsed
from toolglot.tables.plain_conditions import plainly_read
from toolglot.tables.ruleset import load_rules

SHIPPED = sorted({rule.when.text for rule in load_rules(entry_points=False).rules.values()})


def by_the_grammar(text):
    try:
        return _parsed(text)
    except PredicateError:
        return None


def seen(condition: Condition):
    """The condition with offsets and with the types of its literals, which equality looks past."""
    if isinstance(condition, Claim):
        name: Name = condition.name
        return (name.text, name.quoted, name.offset, condition.operator, repr(condition.literal))
    if isinstance(condition, Not):
        return ("not", seen(condition.part))
    return ("both" if isinstance(condition, Both) else "either", [seen(part) for part in condition.parts])


def test_all_shipped_predicates_are_read_without_the_parser():
    assert [text for text in SHIPPED if plainly_read(text) is None] == []


@pytest.mark.parametrize(
    "text",
    [
        *SHIPPED,
        'a is 1 and b is 1.0 or not (c is true and d in [{}, null, "x"])',
        "(a is 1 or b is 2) or c is 3",
        "not not has a",
        ' \t"a b" matches "\\\\u0041\\n"\r\n',
        "x-y-z >= -1.5e3",
        "a is []",
        "a holds [1, {}]",
    ],
)
def test_both_read_the_same(text):
    assert seen(plainly_read(text)) == seen(_parsed(text))


@pytest.mark.parametrize(
    "text", ["", "has", "a is", "a is 01", "a in 1", 'a < "x"', "a is 1e999", "a b", "has a)", "a is é"]
)
def test_what_is_no_predicate_is_left_to_the_parser(text):
    assert plainly_read(text) is None
    assert by_the_grammar(text) is None


WORDS = st.sampled_from(
    [
        "and",
        "or",
        "not",
        "has",
        "is",
        "in",
        "holds",
        "matches",
        "true",
        "null",
        "a",
        "$ref",
        "x-y",
        "nothing",
        "(",
        ")",
        "[",
        "]",
        "{}",
        ",",
        "1",
        "-0",
        "1.50",
        "1e400",
        '"q"',
        '"\\u00e9"',
        "<",
        ">=",
        "\n",
        "-",
        "é",
    ]
)


@given(st.lists(WORDS, max_size=12), st.sampled_from(["", " "]))
def test_no_text_is_read_in_two_ways(words, between):
    text = between.join(words)
    plain = plainly_read(text)
    if plain is not None:
        assert seen(plain) == seen(_parsed(text))


CLAIMS = st.sampled_from(
    [
        "has a",
        "a is 1",
        'b is not "x"',
        "c in [1, {}]",
        "d holds null",
        'e matches "^a"',
        "f < 1",
        "x-y >= 2.5",
        '"is" is {}',
    ]
)
CONDITIONS = st.recursive(
    CLAIMS,
    lambda part: st.one_of(
        part.map(lambda text: f"not {text}" if text.startswith(("has", "(", "not")) else f"not ({text})"),
        st.lists(part, min_size=2, max_size=3).map(" and ".join),
        st.lists(part, min_size=2, max_size=3).map(" or ".join),
        part.map(lambda text: f"({text})"),
    ),
    max_leaves=8,
)


@given(CONDITIONS)
def test_what_is_well_formed_is_read_alike(text):
    plain = plainly_read(text)
    assert plain is not None or re.search(r"\(\(\(\(\(|not not not", text) or len(text) > 200
    if plain is not None:
        assert seen(plain) == seen(_parsed(text))


def test_deep_nesting_is_left_to_the_parser():
    assert plainly_read("(" * 30 + "has a" + ")" * 30) is None
    assert isinstance(_parsed("(" * 30 + "has a" + ")" * 30), Claim)
    assert isinstance(plainly_read("has a or has b"), Either)
