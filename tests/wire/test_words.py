"""What leaves the wire is said in few words, and only once."""

import pytest

from toolglot.schemas.forms import Schema
from toolglot.wire.describe import in_words


@pytest.mark.parametrize(
    "described",
    ["How many (default 10).", "How many; Default: 10", "How many, defaults to 10", "default is `10`, at most 50"],
)
def test_a_default_that_a_description_says_is_not_said_again(described):
    assert in_words((("default", 10), ("maximum", 50)), described) == "<= 50"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("png", "default png"),
        ("https://a.example/b", "default https://a.example/b"),
        ("true", 'default "true"'),
        (True, "default true"),
        ("null", 'default "null"'),
        ("", 'default ""'),
        ("7", 'default "7"'),
        ("two words", 'default "two words"'),
        ("a)", 'default "a)"'),
    ],
)
def test_a_default_of_one_word_needs_no_quotes_unless_it_reads_like_something_else(value, said):
    assert in_words((("default", value),)) == said


def test_that_keys_are_texts_is_not_said():
    assert not in_words((("propertyNames", Schema({"type": "string", "description": "d"})),))
    assert in_words((("propertyNames", Schema({"type": "string", "maxLength": 3})),))
    assert in_words((("propertyNames", Schema({"enum": ["a"]})),))


@pytest.mark.parametrize(
    ("value", "described"),
    [
        (1, "default 10"),
        (1, "default -1"),
        (1, "default 1.5"),
        ("", "the default"),
        ([], "default"),
        ("a", "default a-b"),
    ],
)
def test_another_default_is_no_reason_to_leave_it_out(value, described):
    assert in_words((("default", value),), described) == in_words((("default", value),))
