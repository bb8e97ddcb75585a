"""A target's limits: what does not fit is first said in less, then left out by name; the way back still holds."""

import pytest
from tests.wire.schemas import schema_of

from toolglot import Toolbox
from toolglot.tables.limits import LIMITS
from toolglot.tables.loader import read_table
from toolglot.tables.ruleset import assemble, load_rules
from toolglot.wire.convert import convert
from toolglot.wire.limits import over

ROW = """
[target."{0}"]
title = "a target made for tests"
envelope = "mcp"
why = "tests"
source = ["tests"]
seen = 2026-11-30
limits = {{ {1} }}
"""
DEEP = {
    "type": "object",
    "properties": {"a": {"type": "object", "properties": {"b": {"type": "object", "properties": {}}}}},
}


def rules(limits, more=""):
    return assemble([read_table(ROW.format("t", limits) + more, "t")])


def nested(levels):
    schema = {"type": "integer"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def tool(name, schema):
    return {"name": name, "inputSchema": schema}


def test_what_is_too_deep_is_json_text_and_comes_back():
    made = convert(nested(8), "t", rules=rules("depth = 3"))
    value = {"a": {"a": {"a": {"a": {}}}}}
    assert made.measures["depth"] == 3
    assert made.over == ()
    assert {edit.rule for edit in made.edits} == {"limits.depth"}
    (spelled,) = made.spellings(value)
    assert spelled["a"]["a"]["a"] == '{"a":{}}'
    assert made.restore(spelled) == (value, ())


def test_a_schema_within_the_limits_is_left_as_it_is():
    made = convert(nested(3), "t", rules=rules("depth = 3"))
    assert made.wire == nested(3)
    assert made.edits == ()


def test_the_longest_lists_of_values_are_left_to_the_check():
    schema = {"type": "object", "properties": {"long": {"enum": list(range(300))}, "short": {"enum": ["x", "y"]}}}
    made = convert(schema, "t", rules=rules("enum-members = 100"))
    assert made.wire["properties"]["short"] == {"enum": ["x", "y"]}
    assert made.wire["properties"]["long"]["type"] == "integer"
    assert made.outcomes == {"checked": 1}


def test_parts_that_stand_in_several_places_are_said_once_where_the_target_says_so():
    part = {"type": "object", "properties": {name: {"type": "string", "maxLength": 9} for name in "abcdef"}}
    schema = {"type": "object", "properties": {f"p{number}": part for number in range(10)}}
    made = convert(schema, "t", rules=rules("properties = 20, share = true"))
    assert made.over == ()
    assert made.edits == ()
    assert list(made.wire["$defs"]) == ["part1"]
    assert made.wire["properties"]["p3"] == {"$ref": "#/$defs/part1"}
    assert made.wire["$defs"]["part1"] == part


def test_a_tool_that_still_does_not_fit_is_left_out_by_name():
    wide = {"type": "object", "properties": {f"p{number}": {} for number in range(30)}}
    box = Toolbox([tool("wide", wide), tool("small", DEEP)], "t", rules=rules("properties = 20"))
    assert [entry["name"] for entry in box.wire] == ["small"]
    assert box.broken["wide"].keyword == "properties"
    assert box.broken["wide"].tool == "wide"
    assert not box.read("wide", {}).fits


def test_tools_past_the_number_of_a_request_are_left_out_or_take_another_form():
    tools = [tool(f"tool{number}", DEEP) for number in range(4)]
    box = Toolbox(tools, "t", rules=rules("tools = 3"))
    assert list(box.broken) == ["tool3"]
    other = ROW.format("u", "").replace('"mcp"', '"openai-chat"')
    box = Toolbox(tools, "t", rules=rules('tools = 3, otherwise = "u"', other))
    assert not box.broken
    assert [("function" in entry) for entry in box.wire] == [False, False, False, True]
    assert [edit.rule for edit in box.report.tools[3].edits] == ["limits.tools"]


def test_a_tool_that_takes_another_form_keeps_its_place_and_is_read_by_it():
    wide = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(30)}}
    tools = [tool("one", DEEP), tool("wide", wide), tool("two", DEEP)]
    other = ROW.format("u", "").replace('"mcp"', '"openai-chat"')
    box = Toolbox(tools, "t", rules=rules('properties = 20, otherwise = "u"', other))
    assert [entry.get("name", "") for entry in box.wire] == ["one", "", "two"]
    assert box.wire[1]["function"]["parameters"] == wide
    assert [edit.why.rpartition(" ")[2] for edit in box.report.tools[1].edits] == ["u"]
    assert box.read("wide", {"p1": "x"}).arguments == {"p1": "x"}


def test_what_the_other_form_limits_counts_for_the_tools_of_both():
    tools = [tool(f"tool{number}", DEEP) for number in range(5)]
    box = Toolbox(tools, "t", rules=rules('tools = 2, otherwise = "u"', ROW.format("u", "tools = 3")))
    assert list(box.broken) == ["tool3", "tool4"]
    assert [tool.name for tool in box.tools] == ["tool0", "tool1", "tool2"]


def test_tools_past_a_budget_of_strict_ones_are_sent_beside_them_and_none_is_left_out():
    optional = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(10)}}
    tools = [tool(f"tool{number}", {**optional, "additionalProperties": False}) for number in range(4)]
    for target, strict in (("anthropic/strict", 2), ("openai/strict", 4)):
        box = Toolbox(tools, target, rules=load_rules(entry_points=False))
        flags = [entry.get("function", entry).get("strict") for entry in box.wire]
        assert flags == [True] * strict + [None] * (4 - strict)
        assert not box.broken
        assert all(box.read(f"tool{number}", {"p3": "x"}).fits for number in range(4))


def test_a_place_for_undeclared_keys_is_no_optional_property():
    open_object = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    measures = convert(open_object, "anthropic/strict", rules=load_rules(entry_points=False)).measures
    assert (measures["optional"], measures["unions"]) == (0, 0)


def test_totals_count_over_the_whole_request():
    box = Toolbox([tool(f"tool{number}", DEEP) for number in range(4)], "t", rules=rules("request-optional = 5"))
    assert list(box.broken) == ["tool2", "tool3"]
    assert {error.keyword for error in box.broken.values()} == {"request-optional"}


def test_names_that_the_target_does_not_take_have_others_there_and_calls_come_back_by_either():
    limits = "tool-name-pattern = '^[a-z_]+$', tool-name-longest = 10"
    names = ["a.b", "a b", "a_b", "a_very_long_name", "fine"]
    box = Toolbox([tool(name, nested(1)) for name in names], "t", rules=rules(limits))
    sent = [entry["name"] for entry in box.wire]
    assert len(set(sent)) == len(names)
    assert sent[2:] == ["a_b", sent[3], "fine"]
    assert all(len(name) <= 10 and " " not in name and "." not in name for name in sent)
    assert all(box.read(name, {"a": 1}).fits for name in [*sent, *names])


def test_every_limit_of_a_shipped_target_is_one_that_is_measured():
    for target in load_rules(entry_points=False).targets.values():
        assert set(target.limits) <= set(LIMITS), target.id


LIMITED = """
[target."tight"]
title = "a target made for tests"
envelope = "mcp"
like = "{}"
limits = {{ depth = 3, properties = 8, enum-members = 3, enum-members-each = 2, text-total = 40, branches = 2 }}
why = "tests"
source = ["tests"]
seen = 2026-11-30
"""


@pytest.mark.parametrize("like", ["openai/strict", "gemini/parameters", "llama.cpp", "lm-format-enforcer"])
def test_what_is_known_to_fit_without_being_counted_does(like, tmp_path):
    (tmp_path / "tight.toml").write_text(LIMITED.format(like))
    target = load_rules(tmp_path, entry_points=False)
    limits = target.target("tight").target.limits
    fitting = 0
    for seed in range(150):
        made = convert(schema_of(seed), "tight", rules=target, dialect="2020-12")
        assert made.over == over(made.measures, limits), seed
        fitting += not made.over
    assert fitting > 0
