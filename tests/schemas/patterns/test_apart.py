"""Patterns that no text fits two of are told apart by how they begin; where that is not seen, they are not."""

import pytest

from toolglot.schemas.patterns.apart import are_apart


@pytest.mark.parametrize(
    "patterns",
    [
        ["^/", "^[^/]"],
        ["^contexts_.*", "^unstruct_event_.*"],
        ["^a$", "^ab$"],
        ["^$", "^a"],
        ["^[a-f]x", "^[g-z]", "^[0-9]"],
        ["^(a|b)1", "^(a|b)2"],
        ["^only"],
    ],
)
def test_patterns_that_begin_differently_are_apart(patterns):
    assert are_apart(patterns)


@pytest.mark.parametrize(
    "patterns",
    [
        ["a", "b"],
        ["^a", "^ab"],
        ["^a*b", "^c"],
        ["^a", "^a$"],
        ["^[a-f]", "^[f-z]"],
        [".*", "^x$"],
        ["^(?!a)b", "^c"],
        ["^a", "^b", "^a"],
        ["^(aa|b)1", "^(aa|b)2"],
    ],
)
def test_others_may_have_a_text_in_common(patterns):
    assert not are_apart(patterns)
