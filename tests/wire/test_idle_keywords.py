"""A keyword that says nothing (`minLength: 0`) costs nothing where it leaves the wire: no loss, and no words."""

import json

import pytest

from toolglot.calls.checker import checker
from toolglot.tables.keywords import keywords, says_nothing
from toolglot.tables.ruleset import load_rules
from toolglot.wire.convert import convert

IDLE = [(name, value) for name, row in keywords().items() for value in row.says_nothing]
VALUES = [None, True, 0, -1.5, "", "a\nb", [], [1, 1], {}, {"a": None, "": [[]]}]
BASES = {
    "string": {"type": "string"},
    "array": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object", "additionalProperties": {"type": "string"}},
}


def test_keywords_of_many_kinds_can_say_nothing():
    assert {"minLength", "minItems", "minProperties", "uniqueItems", "required", "propertyNames"} <= dict(IDLE).keys()
    assert says_nothing("propertyNames", {"type": "string", "title": "t"})
    for name, value in [
        ("minLength", 1),
        ("minLength", False),
        ("propertyNames", {"format": "uuid"}),
        ("pattern", "a"),
    ]:
        assert not says_nothing(name, value)
    assert not says_nothing("properties", {"title": {}})


@pytest.mark.parametrize(("name", "value"), IDLE)
def test_every_value_fits_what_says_nothing(name, value):
    check = checker({name: value}, dialect="2020-12")
    assert all(check.accepts(any_value) for any_value in VALUES)


@pytest.mark.parametrize("unknown", [{}, {"unheard-of": 1}], ids=["vouched-for", "in-doubt"])
@pytest.mark.parametrize(("name", "value"), IDLE)
def test_nothing_is_lost_or_said_where_it_leaves(name, value, unknown):
    base = BASES[keywords()[name].types[0]]
    rest = {"required": ["a"], "additionalProperties": False, **unknown}
    for target in load_rules(entry_points=False).targets:
        with_it, without = (
            convert({"type": "object", "properties": {"a": node}, **rest}, target, dialect="2020-12")
            for node in ({**base, name: value}, base)
        )
        assert [edit for edit in with_it.edits if name in edit.keywords] == [], target
        assert described(with_it) == described(without), target


def described(conversion):
    """How often the wire has words in a description."""
    return json.dumps(conversion.wire).count('"description"')
