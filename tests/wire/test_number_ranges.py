"""Bounds of numbers, said as a list or as the pattern of a text: what is said fits, and the way back is exact."""

import json
import random
import re
from decimal import Decimal

import pytest

from toolglot.calls.checker import checker_of
from toolglot.schemas.forms import Schema
from toolglot.wire.convert import convert
from toolglot.wire.number_ranges import count_whole_numbers, number_pattern

CHANCE = random.Random(5)
ENDS = [None, 0, 1, -1, 7, -40, 99, 100, 65_535, -1_000, *(CHANCE.randint(-3_000, 3_000) for _ in range(6))]
BOUNDS = [(least, most) for least in ENDS for most in ENDS if None in {least, most} or least <= most]


def near(*ends):
    around = [end + step for end in ends if end is not None for step in (-1, 0, 1)]
    return {0, 1, -1, *around, *(CHANCE.randint(-70_000, 70_000) for _ in range(30))}


def bounded(kind, least, most):
    bounds = {"minimum": least, "maximum": most}
    return Schema({"type": kind, **{key: bound for key, bound in bounds.items() if bound is not None}}, None)


def fits(value, least, most):
    return (least is None or value >= least) and (most is None or value <= most)


@pytest.mark.parametrize(("least", "most"), BOUNDS)
def test_the_pattern_of_an_integer_is_exact(least, most):
    form = re.compile(number_pattern(bounded("integer", least, most)))
    for value in near(least, most):
        assert (form.fullmatch(str(value)) is not None) == fits(value, least, most)


@pytest.mark.parametrize(("least", "most"), BOUNDS)
def test_the_pattern_of_a_number_takes_all_that_fit_and_the_whole_ones_alone_at_the_end(least, most):
    form = re.compile(number_pattern(bounded("number", least, most)))
    for value in (whole + part for whole in near(least, most) for part in (0.0, 0.25, -0.5)):
        said = form.fullmatch(f"{Decimal(repr(value)):f}") is not None
        assert said or not fits(value, least, most)
        assert not said or ((least is None or value > least - 1) and (most is None or value <= most or most < 0))


@pytest.mark.parametrize("kind", ["integer", "number"])
@pytest.mark.parametrize("bound", [10**6, 10**6 + 1, 123_456_789, 9_007_199_254_740_991, 10**16 - 1])
def test_of_a_bound_of_many_digits_the_pattern_is_short_and_takes_all_that_fit(kind, bound):
    for least, most in ((1, bound), (-bound, bound), (bound, None), (None, -bound), (-bound, 7)):
        form = re.compile(number_pattern(bounded(kind, least, most)))
        assert len(form.pattern) < 120
        for value in near(least, most):
            assert form.fullmatch(str(value)) or not fits(value, least, most)
        assert form.fullmatch(str(10 * bound)) is None or most is None
        assert form.fullmatch(str(-10 * bound)) is None or least is None


def test_no_text_of_a_pattern_is_no_json():
    form = re.compile(number_pattern(bounded("number", None, None)))
    for text in ("007", "1.", ".5", "1.e5", "+1", "0x1", "1e", "--1", "1.5.5"):
        assert form.fullmatch(text) is None
    assert all(form.fullmatch(text) for text in ("0", "-0", "1.50", "1000000000", "-0.0025"))


@pytest.mark.parametrize("value", [0, -0.0, 1e-07, 5e-324, 1.7976931348623157e308, -1e22, 10**400, 0.1, -2.5e-3])
def test_every_number_has_a_text_without_an_exponent_which_is_restored(value):
    conversion = convert({"type": "number"}, "lm-format-enforcer")
    form = re.compile(conversion.wire["pattern"])
    said = [text for text in conversion.spellings(value) if form.fullmatch(text)]
    assert [conversion.restore(text) for text in said] == [(value, ())] * len(said)
    assert said


@pytest.mark.parametrize(
    ("schema", "count"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 3}, 3),
        ({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 3}, 1),
        ({"type": "integer", "minimum": 0, "maximum": 100, "multipleOf": 25}, 5),
        ({"type": "integer", "minimum": 0.5, "maximum": 1.5}, 1),
        ({"type": "integer", "minimum": 0, "maximum": 10**16}, 10**16 + 1),
        ({"type": "integer", "minimum": 0, "maximum": 1e300}, None),
        ({"type": "integer", "minimum": 0}, None),
        ({"type": "integer", "minimum": 0, "maximum": 9, "multipleOf": 0.5}, None),
        ({"type": "number", "minimum": 0, "maximum": 9}, None),
    ],
)
def test_whole_numbers_are_counted_where_they_have_an_end(schema, count):
    assert count_whole_numbers(Schema(schema, None)) == count


def closed(schema):
    return {"type": "object", "properties": {"a": schema}, "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize("value", [0, -0.0, 7, 7.0, 99.5, 1e-7, 1e15, 0.1])
def test_a_number_said_as_text_comes_back_equal(value):
    conversion = convert(closed({"type": "number", "minimum": 0}), "outlines")
    form = re.compile(conversion.wire["properties"]["a"]["pattern"])
    said = conversion.spellings({"a": value})
    assert any(form.fullmatch(spelling["a"]) for spelling in said)
    assert all(conversion.restore(spelling) == ({"a": value}, ()) for spelling in said)


@pytest.mark.parametrize("text", ["true", "null", '"5"', "[1]", "1e999", "one"])
def test_a_text_of_no_number_is_refused(text):
    conversion = convert(closed({"type": "number", "minimum": 0}), "outlines")
    value, problems = conversion.restore({"a": text})
    assert problems or not checker_of(conversion.normal).accepts(value)


def test_listed_texts_without_escapes_are_told_apart():
    members = ['a"', "a'", "a\\", "a/", "\n", " ", ["a"]]
    conversion = convert(closed({"enum": members}), "lm-format-enforcer")
    listed = conversion.wire["properties"]["a"]["enum"]
    assert len(set(listed)) == len(members)
    assert not re.search(r'["\\\x00-\x1f]', "".join(listed))
    for member in members:
        (said,) = conversion.spellings({"a": member})
        assert conversion.restore(json.loads(json.dumps(said))) == ({"a": member}, ())
