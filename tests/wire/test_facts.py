"""The facts of a node, and what the node's shape alone decides of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolglot.schemas.forms import Schema
from toolglot.schemas.trails import trail_of
from toolglot.tables.facts import FACTS as DECLARED
from toolglot.tables.foresight import FORESIGHTS, UNSEEN, Shape
from toolglot.wire.facts import NodeFacts
from toolglot.wire.ground import Spot

EMPTY = Schema({})
NEVER = Schema({"not": EMPTY})
SUBSCHEMAS = st.sampled_from([EMPTY, NEVER, Schema({"type": "string"})])
MAPS = st.dictionaries(st.sampled_from("ab"), SUBSCHEMAS, max_size=2)
BOUNDS = st.sampled_from([0, 1, 1.5, 10**20])
NODES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["object", "array", "string", "integer", "null", ["null"], ["object", "null"], ["integer", "string"]]
        ),
        "$ref": st.just("#/$defs/a"),
        "anyOf": st.lists(SUBSCHEMAS, min_size=1, max_size=2),
        "allOf": st.lists(SUBSCHEMAS, min_size=1, max_size=2),
        "enum": st.sampled_from([["a"], [None, 1], [[]]]),
        "const": st.sampled_from([None, "a", {}]),
        "not": SUBSCHEMAS,
        "properties": MAPS,
        "patternProperties": MAPS,
        "additionalProperties": SUBSCHEMAS,
        "required": st.sampled_from([[], ["a"], ["c"]]),
        "items": SUBSCHEMAS,
        "pattern": st.just("a"),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), st.integers(0, 2)),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), BOUNDS),
        "description": st.just("words"),
    },
).map(Schema)


@given(NODES, st.booleans())
def test_what_the_shape_of_a_node_decides_is_what_the_node_says(node, root):
    facts = NodeFacts(node, Spot(), root=root)
    named = node.get("type")
    for name, (looks, foresee) in FORESIGHTS.items():
        triggers = DECLARED[name].triggers
        if triggers and triggers.isdisjoint(node):
            continue  # the fact is absent, and nobody asks
        shape = Shape((looks | triggers).intersection(node), tuple(named) if isinstance(named, list) else named, root)
        foreseen = foresee(shape)
        assert foreseen is UNSEEN or foreseen == facts.get(name), name


@pytest.mark.parametrize(
    ("where", "title", "expected"),
    [
        (("properties", "user_id"), "User Id", True),
        (("properties", "userId"), "user-id", True),
        (("properties", "id"), "User Id", False),
        (("properties", "_"), "-", False),
        (("$defs", "UserId"), "UserId", True),
        (("anyOf", 0), "0", False),
    ],
)
def test_a_title_repeats_the_name_that_its_node_stands_under(where, title, expected):
    node = Schema({"title": title}, trail_of(where))
    assert NodeFacts(node, Spot(keyword=where[0]), root=False).get("title-repeats-name") is expected


def test_a_title_from_elsewhere_repeats_no_name_that_is_seen():
    node = Schema({"title": "User"}, trail_of(("$defs", "User")))
    assert NodeFacts(node, Spot(keyword="properties"), root=False).get("title-repeats-name") is False
