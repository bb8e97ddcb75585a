"""What leaves the wire is said in few words, and only once."""

import pytest

from toolglot.wire.describe import in_words


@pytest.mark.parametrize(
    "described",
    ["How many (default 10).", "How many; Default: 10", "How many, defaults to 10", "default is `10`, at most 50"],
)
def test_a_default_that_a_description_says_is_not_said_again(described):
    assert in_words((("default", 10), ("maximum", 50)), described) == "<= 50"


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
