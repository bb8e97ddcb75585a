"""Each encoding by what a user sees of it: the wire, the forms of a value, and what comes back."""

import json

import pytest
from tests.wire.verb_targets import RULE, TARGET, rules

from toolglot.calls.checker import checker
from toolglot.schemas.normal import normal_form
from toolglot.tables.facts import FACTS as DECLARED_FACTS
from toolglot.tables.loader import read_table
from toolglot.tables.ruleset import assemble, load_rules
from toolglot.tables.verbs import VERBS as DECLARED
from toolglot.wire.codecs import Aliases
from toolglot.wire.convert import convert, convert_normal
from toolglot.wire.edits import VERBS
from toolglot.wire.facts import FACTS, STANDING_FACTS

SHIPPED = load_rules(entry_points=False)
AT_ROOT = {"rename", "spell-types", "spell-never", "spell-bounds", "spell-definitions"}


def made(name, schema):
    return convert_normal(normal_form(schema, dialect="2020-12"), rules(name), describe=False)


def read(conversion, schema, call):
    """What a call is read as, by the check of the schema; None for a problem."""
    restored, problems = conversion.restore(call, checker(schema, dialect="2020-12").accepts)
    return None if problems else restored


def object_of(**properties):
    return {"type": "object", "properties": properties, "additionalProperties": False}


def test_every_declared_verb_and_fact_of_a_schema_has_an_implementation():
    declared = {name for name, verb in DECLARED.items() if verb.places & {"schema"}}
    assert declared == set(VERBS)
    roots = {name for name, verb in DECLARED.items() if "root" in verb.places and name not in VERBS}
    assert roots >= AT_ROOT
    facts = {fact.name for fact in DECLARED_FACTS.values() if fact.place == "schema"}
    assert facts == {*FACTS, *STANDING_FACTS, "root"}


def test_what_nothing_fits_is_never_a_definition():
    closed = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    impossible = {**closed, "required": ["a", "undeclared"]}
    for schema in (impossible, object_of(maps={"type": "object", "patternProperties": {"^[0-9]+$": impossible}})):
        for target in SHIPPED.targets:
            conversion = convert_normal(normal_form(schema, dialect="2020-12"), SHIPPED.target(target))
            definitions = conversion.wire.get("$defs", conversion.wire.get("definitions", {}))
            assert not [name for name, said in definitions.items() if said is False or said == {"not": {}}], target


def test_null_stands_for_a_property_that_is_left_out():
    schema = object_of(a={"type": "string"}, b={"type": "integer"})
    conversion = made("require-any-of", schema)
    assert conversion.wire["required"] == ["a", "b"]
    assert conversion.wire["properties"]["a"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert conversion.spellings({"a": "x"}) == [{"a": "x", "b": None}]
    assert conversion.restore({"a": "x", "b": None}) == ({"a": "x"}, ())
    assert made("require-type-list", schema).wire["properties"]["b"] == {"type": ["integer", "null"]}
    assert made("require-nullable", schema).wire["properties"]["b"] == {"type": "integer", "nullable": True}


def test_of_listed_texts_a_word_more_stands_for_a_property_that_is_left_out():
    schema = object_of(
        a={"type": "string", "enum": ["x", "y"]},
        b={"enum": ["null", "x"]},
        c={"enum": ["x", 1]},
        d={"type": "object", "enum": ["x"]},
    )
    conversion = made("require-any-of", schema)
    assert conversion.wire["properties"]["a"] == {"type": "string", "enum": ["x", "y", "null"]}
    assert conversion.wire["properties"]["b"] == {"anyOf": [{"enum": ["null", "x"]}, {"type": "null"}]}
    assert conversion.wire["properties"]["c"] == {"anyOf": [{"enum": ["x", 1]}, {"type": "null"}]}
    assert conversion.wire["properties"]["d"] == {"anyOf": [schema["properties"]["d"], {"type": "null"}]}
    said = {"a": "null", "b": "null", "c": None, "d": None}
    assert conversion.spellings({"b": "null"}) == [said]
    assert conversion.restore(said) == ({"b": "null"}, ())
    assert conversion.restore({**said, "a": None}) == ({"b": "null"}, ())  # null is no value there, and means no other


def test_a_number_that_is_said_as_text_has_a_word_more_for_a_property_that_is_left_out():
    schema = object_of(a={"type": "number"}, b={"type": "integer", "minimum": 1})
    conversion = convert(schema, "lm-format-enforcer")
    assert [node["type"] for node in conversion.wire["properties"].values()] == ["string", "string"]
    assert conversion.spellings({"a": 1.5}) == [{"a": "1.5", "b": "null"}]
    assert conversion.restore({"a": "null", "b": "7"}) == ({"b": 7}, ())
    check = checker(conversion.wire, dialect="2020-12")
    assert check.accepts({"a": "null", "b": "7"})
    assert not check.accepts({"a": "nul", "b": "7"})
    assert not check.accepts({"a": "1null", "b": "7"})


def test_bare_types_of_a_union_are_a_list_in_its_place_or_one_of_its_branches():
    text, null, flag = {"type": "string"}, {"type": "null"}, {"type": "boolean"}
    schema = object_of(
        a={"anyOf": [text, null], "description": "d"},
        b={"anyOf": [{"type": "array"}, text, flag, text]},
        c={"anyOf": [text, {"type": "string", "maxLength": 1}]},
        d={"anyOf": [text, {"type": "number"}]},
    )
    assert made("list-types", schema).wire["properties"] == {
        "a": {"type": ["string", "null"], "description": "d"},
        "b": {"anyOf": [{"type": ["string", "boolean"]}, {"type": "array"}]},
        "c": schema["properties"]["c"],
        "d": schema["properties"]["d"],
    }


TEXTS = {n: {"type": "string", "maxLength": n} for n in (3, 5, 9)}


def joined(schema, **definitions):
    """What becomes of a property, and what has left it."""
    conversion = made("join-texts", {**object_of(a=schema), "$defs": definitions})
    return conversion.wire["properties"]["a"], [edit.keywords for edit in conversion.edits]


def test_the_open_texts_of_a_union_are_one_branch_and_what_that_does_not_say_is_left_to_the_check():
    short, long = {**TEXTS[3], "description": "s"}, {"type": "string", "minLength": 5, "description": "l"}
    flag, word = {"type": "boolean"}, {"type": "string", "pattern": "^[a-z]+$"}
    listed = {"type": "string", "enum": ["x"]}
    assert joined({"anyOf": [flag, short, listed, word, long]}) == (
        {"anyOf": [flag, {"type": "string", "description": "s / l"}, listed, word]},
        [("anyOf",)],
    )
    assert joined({"anyOf": [TEXTS[3], TEXTS[5]], "title": "t"}) == ({**TEXTS[5], "title": "t"}, [()])
    assert joined({"anyOf": [TEXTS[3], {"type": "string", "pattern": '"'}, {"type": "string"}]})[1] == [()]
    assert joined({"anyOf": [TEXTS[3], listed, word]}) == ({"anyOf": [TEXTS[3], listed, word]}, [])


def test_texts_behind_references_and_in_unions_within_are_joined_too():
    within = {"anyOf": [TEXTS[5], {"type": "boolean"}]}
    assert joined({"anyOf": [{"$ref": "#/$defs/u"}, TEXTS[3]]}, u=within)[0] == within
    assert joined({"anyOf": [{"type": ["string", "null"], "maxLength": 3}, within]})[0] == {
        "anyOf": [TEXTS[5], {"type": "null"}, {"type": "boolean"}]
    }
    part = {"allOf": [{"$ref": "#/$defs/t"}, {"maxLength": 9, "minLength": 2}]}
    assert joined({"anyOf": [part, {"allOf": [TEXTS[3]]}]}, t={"type": "string"})[0] == TEXTS[9]


def test_a_definition_within_the_union_that_it_is_joined_in_does_not_unfold_for_ever():
    tree = {"anyOf": [TEXTS[3], object_of(c={"anyOf": [{"$ref": "#/$defs/tree"}, TEXTS[5]]})]}
    schema = {**object_of(a={"anyOf": [{"$ref": "#/$defs/tree"}, TEXTS[9]]}), "$defs": {"tree": tree}}
    conversion = made("join-texts", schema)
    assert len(conversion.wire["$defs"]) == 1
    value = {"a": {"c": {"c": "1234"}}}
    assert checker(conversion.wire, dialect="2020-12").accepts(value)
    assert conversion.restore(value) == (value, ())


def test_a_branch_does_not_say_again_what_its_union_says():
    union = {"anyOf": [{"type": "string", "title": "t", "default": 0}, {"type": "null", "title": "u"}]}
    said = made("say-once", object_of(a={**union, "title": "t", "default": False})).wire["properties"]["a"]
    assert said["anyOf"] == [{"type": "string", "default": 0}, {"type": "null", "title": "u"}]
    assert (said["title"], said["default"]) == ("t", False)


def test_where_a_list_of_types_has_to_stand_alone_other_nodes_have_a_union_and_listed_texts_one_more():
    schema = object_of(
        a={"type": "string"}, b={"type": "integer", "minimum": 1}, c={"enum": ["x", "y"]}, d={"enum": ["null"]}
    )
    conversion = made("require-bare-type-list", schema)
    assert conversion.wire["properties"] == {
        "a": {"type": ["string", "null"]},
        "b": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
        "c": {"enum": ["x", "y", "null"]},
        "d": {"anyOf": [{"enum": ["null"]}, {"type": "null"}]},
    }
    assert conversion.restore({"a": None, "b": None, "c": "null", "d": None}) == ({}, ())


@pytest.mark.parametrize(
    ("own", "mark"),
    [
        ({"type": ["integer", "null"]}, "left out"),
        ({"type": ["string", "null"]}, False),
        ({"type": ["string", "boolean", "null"]}, 0),
    ],
)
def test_where_null_is_legal_another_kind_of_value_stands_for_left_out(own, mark):
    conversion = made("require-type-list", object_of(a=own))
    assert conversion.spellings({}) == [{"a": mark}]
    assert conversion.spellings({"a": None}) == [{"a": None}]
    assert conversion.restore({"a": mark}) == ({}, ())
    assert conversion.restore({"a": None}) == ({"a": None}, ())


def test_where_every_value_is_legal_what_is_there_stands_inside_an_object():
    conversion = made("require-any-of", object_of(a={}))
    assert conversion.spellings({"a": None}) == [{"a": {"value": None}}]
    assert conversion.spellings({}) == [{"a": None}]
    assert conversion.restore({"a": {"value": {"value": 1}}}) == ({"a": {"value": 1}}, ())


def test_a_map_is_a_list_of_entries_and_each_key_is_said_once():
    schema = {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 3}
    conversion = made("entries", schema)
    assert conversion.wire["items"]["properties"] == {"key": {"type": "string"}, "value": {"type": "integer"}}
    assert conversion.wire["maxItems"] == 3
    entries = [{"key": "a", "value": 1}, {"key": "b", "value": 2}]
    assert conversion.spellings({"a": 1, "b": 2}) == [entries]
    assert conversion.restore(entries) == ({"a": 1, "b": 2}, ())
    assert conversion.restore({"a": 1}) == ({"a": 1}, ())
    (problem,) = conversion.restore([*entries, entries[0]])[1]
    assert problem.path == (2, "key")


def test_a_tuple_is_an_object_by_positions_without_a_gap():
    schema = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 1}
    conversion = made("number-positions", schema)
    assert list(conversion.wire["properties"]) == ["0", "1", "rest"]
    assert conversion.wire["required"] == ["0"]
    assert conversion.spellings(["x", 1, True]) == [{"0": "x", "1": 1, "rest": [True]}]
    assert conversion.restore({"0": "x", "1": 1, "rest": [True]}) == (["x", 1, True], ())
    assert conversion.restore({"1": 1})[1]
    assert conversion.restore({"0": "x", "rest": [1]})[1]
    assert conversion.restore(["x"]) == (["x"], ())


def test_listed_values_of_any_type_are_texts_that_never_collide():
    schema = object_of(a={"enum": ["1", 1, None, True, "true", {"b": [1]}]})
    conversion = made("as-texts", schema)
    texts = conversion.wire["properties"]["a"]["enum"]
    assert len(set(texts)) == 6
    assert all(isinstance(text, str) for text in texts)
    for member in schema["properties"]["a"]["enum"]:
        (spelled,) = conversion.spellings({"a": member})
        assert json.dumps(conversion.restore(spelled)[0]) == json.dumps({"a": member})


def test_names_that_the_target_does_not_take_have_others_and_an_extra_key_is_told_from_an_alias():
    schema = {"type": "object", "properties": {"$x": {"type": "integer"}, "x_": {}, "long name": {}}}
    conversion = made("alias-names", schema)
    names = list(conversion.wire["properties"])
    assert len(set(names)) == 3
    assert all(len(name) <= 4 and name.isascii() for name in names)
    for value in ({"$x": 1}, {"$x": 1, names[0]: 2}, {names[0]: 2}, {names[0] + "_": 3, "x_": 4}, {"": 0}):
        (spelled,) = conversion.spellings(value)
        assert conversion.restore(spelled) == (value, ())
    assert conversion.restore({"$x": 1}) == ({"$x": 1}, ())
    assert conversion.restore({"$x": 1, names[0]: 1})[1]


def test_an_alias_of_the_empty_name_is_turned_back():
    assert Aliases({"p": ""}).decode({"p": 1}) == {"": 1}


def test_a_root_that_is_no_object_is_the_one_property_of_one():
    conversion = made("wrap-root", {"type": "array", "items": {"type": "integer"}})
    assert conversion.wire["required"] == ["value"]
    assert conversion.spellings([1]) == [{"value": [1]}]
    assert conversion.restore({"value": [1]}) == ([1], ())
    assert conversion.restore([1]) == ([1], ())


def test_recursion_ends_in_json_text_and_comes_back_at_every_depth():
    node = object_of(next={"$ref": "#/$defs/N"})
    conversion = made("inline", {"$ref": "#/$defs/N", "$defs": {"N": node}})
    assert "$defs" not in conversion.wire
    value = {"next": {"next": {"next": {"next": {}}}}}
    (spelled,) = conversion.spellings(value)
    assert isinstance(spelled["next"]["next"], str)
    assert conversion.restore(spelled) == (value, ())
    assert conversion.restore(value) == (value, ())


def test_json_text_is_read_strictly_and_other_text_is_left_to_the_check():
    schema = object_of(a={})
    conversion = made("as-json-text", schema)
    assert conversion.wire["properties"]["a"] == {"type": "string"}
    assert read(conversion, schema, {"a": '{"b": [1, null]}'}) == {"a": {"b": [1, None]}}
    assert read(conversion, schema, {"a": "plain words"}) == {"a": "plain words"}
    assert read(conversion, schema, {"a": '{"b": 1, "b": 2}'}) == {"a": '{"b": 1, "b": 2}'}
    assert read(conversion, schema, {"a": "NaN"}) == {"a": "NaN"}
    too_deep = "[" * 100_000 + "]" * 100_000  # from 3.12 on Python itself reads some thousand levels
    assert read(conversion, schema, {"a": too_deep}) == {"a": too_deep}


def test_branches_that_would_read_alike_are_told_apart_by_a_name():
    schema = object_of(a={"anyOf": [{"type": "string"}, {"enum": [1, 2]}]})
    conversion = made("as-texts", schema)
    assert conversion.spellings({"a": "1"}) == [{"a": "1"}]
    assert conversion.spellings({"a": 1}) == [{"a": {"value": "1"}}]
    assert conversion.restore({"a": {"value": "1"}}) == ({"a": 1}, ())


def test_branches_that_cannot_meet_stay_as_they_are():
    schema = object_of(a={"anyOf": [{"type": "boolean"}, {"enum": [1, 2]}]})
    assert made("as-texts", schema).wire["properties"]["a"]["anyOf"][1] == {"type": "string", "enum": ["1", "2"]}


def test_a_call_in_the_tools_own_form_is_handed_on_as_it_is():
    schema = object_of(a={"type": "object"}, b={"type": "integer"})
    conversion, call = made("strict", schema), {"a": {"x": 1}}
    restored, problems = conversion.restore(call, checker(schema, dialect="2020-12").accepts)
    assert restored is call
    assert problems == ()


def test_what_needs_no_restoring_is_the_same_object():
    conversion, call = made("entries", object_of(a={"type": "integer"})), {"a": 1}
    assert not conversion.is_encoded
    assert conversion.restore(call)[0] is call


def test_relaxing_what_stands_under_a_negation_takes_the_negation_off():
    schema = {"not": object_of(a={"type": "string", "pattern": "^x"})}
    conversion = made("unpatterned", schema)
    assert conversion.wire == {}
    assert {edit.keywords for edit in conversion.edits} == {("pattern",), ("not",)}


def test_relaxing_a_branch_of_one_of_makes_it_an_any_of():
    schema = {"oneOf": [{"type": "string", "pattern": "^x"}, {"type": "string", "maxLength": 1}]}
    assert list(made("unpatterned", schema).wire) == ["anyOf"]


def test_an_encoding_below_a_definition_takes_off_the_negation_that_refers_to_it():
    schema = {
        "properties": {"a": {"$ref": "#/$defs/M"}, "b": {"not": {"$ref": "#/$defs/M"}}},
        "$defs": {"M": {"type": "object", "additionalProperties": {"type": "integer"}}},
    }
    assert made("entries", schema).wire["properties"]["b"] == {}


@pytest.mark.parametrize("target", ["gemini/parameters", "openai/strict"])
def test_what_stands_around_a_root_is_never_a_parameter_of_the_tool(target):
    schema = {"properties": {"bar": {"type": "string", "minLength": 3}}}
    conversion = convert(schema, target, rules=load_rules(entry_points=False))
    check = checker(schema).accepts
    (name,) = conversion.wire["properties"]  # the schema admits an object with a key of that name
    for short in ({name: {"bar": "x"}}, *conversion.spellings({"bar": "x"})):
        restored, problems = conversion.restore(short, check)
        assert problems or not check(restored)


def test_each_of_many_branches_that_would_read_alike_has_a_name_of_its_own():
    branches = [object_of(a={"type": "string"}, b={"type": "integer", "minimum": number}) for number in range(60)]
    schema = object_of(one={"anyOf": branches})
    conversion = made("require-any-of", schema)
    unions = [branch for branch in conversion.wire["properties"]["one"]["anyOf"] if branch != {"type": "null"}]
    names = [name for branch in unions for name in branch["properties"]]
    assert names == ["value", *(f"value{number}" for number in range(2, 61))]
    assert read(conversion, schema, {"one": {"value7": {"a": "x", "b": 9}}}) == {"one": {"a": "x", "b": 9}}


@pytest.mark.parametrize("describe", [True, False])
def test_what_an_encoding_loses_is_said_where_the_check_cannot_vouch_for_the_schema(describe):
    pair = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}], "uniqueItems": True}
    for unknown, outcome in (({"frobnicate": 1}, "withheld"), ({}, "encoded")):
        schema = {**object_of(pair=pair), "$schema": "https://json-schema.org/draft/2020-12/schema", **unknown}
        conversion = convert_normal(normal_form(schema), rules("number-positions"), describe=describe)
        (edit,) = [edit for edit in conversion.edits if edit.keywords]
        assert (edit.outcome, edit.keywords) == (outcome, ("uniqueItems",))
        said = conversion.wire["properties"]["pair"].get("description", "")
        assert ('must also fit {"uniqueItems":true}' in said) is bool(unknown)
        assert conversion.restore({"pair": {"0": "a", "1": "b"}}) == ({"pair": ["a", "b"]}, ())


@pytest.mark.parametrize("describe", [True, False])
def test_what_leaves_with_another_edit_is_said_where_the_check_cannot_vouch_for_the_schema(describe):
    row = RULE.format(
        name="few", at="schema", when='"has minProperties"', do='{ drop = "minProperties" }', keep="check", after="[]"
    )
    target = assemble([read_table(TARGET.format("t") + row, "t")]).target("t")
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "frobnicate": 1}
    beside = {**schema, "minProperties": 1, "unevaluatedProperties": {"type": "integer"}}
    around = {**schema, "not": {"minProperties": 1}}
    for part, words in (
        (beside, '{"unevaluatedProperties":{"type":"integer"}}'),
        (around, '{"not":{"minProperties":1}}'),
    ):
        conversion = convert_normal(normal_form(part), target, describe=describe)
        assert {edit.outcome for edit in conversion.edits} == {"withheld"}
        assert words in conversion.wire["description"]
