"""Nodes that are alike are edited in a short way: the outcome is always that of the long way."""

import json
from random import Random

import pytest
from tests.wire.schemas import schema_of
from tests.wire.verb_targets import RULE, TARGET

from toolglot.schemas.normal import normal_form
from toolglot.tables.loader import read_table
from toolglot.tables.ruleset import assemble, load_rules
from toolglot.wire import plans, run
from toolglot.wire.convert import convert_normal

RULES = load_rules(entry_points=False)
TARGETS = ("openai/strict", "gemini/parameters", "anthropic/strict", "llama.cpp", "universal", "lm-format-enforcer")


def told(conversion):
    """All that a conversion says."""
    return conversion.wire_json, [json.dumps(edit.as_json()) for edit in conversion.edits], dict(conversion.measures)


def in_both_ways(monkeypatch, schema, rules):
    """The conversion by plans, three times so that they are learned and used, and the one without any."""
    normal = normal_form(schema)
    short = [told(convert_normal(normal, rules)) for _ in range(3)]
    with monkeypatch.context() as patched:
        patched.setattr(run, "plans_for", lambda _editor: None)
        return short, told(convert_normal(normal, rules))


WORDS = ["", "a text", "a text (default 3)", "default is 3", "left out", "null", "string", "default", "x" * 300]
VALUES = [0, 1, True, False, None, 1.0, -0.0, 0.5, "", "3", "null", [], {}, ["a"], {"a": 1}, 10**20]
KEYWORDS = {
    "title": WORDS,
    "description": WORDS,
    "default": VALUES,
    "examples": [[], ["a"], [1, "b"]],
    "$comment": WORDS,
    "format": ["date", "uuid", "nobody's"],
    "const": VALUES,
    "enum": [["a", "b"], [1, None]],
    "minimum": [0, -0.0, 1, 0.5],
    "exclusiveMaximum": [10, 10.0],
    "minLength": [0, 1, 3],
    "multipleOf": [1, 0.5],
    "pattern": ["^a+$", "b"],
    "nullable": [True, False],
    "minItems": [0, 1],
    "uniqueItems": [True],
    "readOnly": [True],
    "minProperties": [1],
    "propertyNames": [{"maxLength": 3}],
}
TYPES = ["string", "integer", "number", "boolean", "null", "array", "object", ["string", "null"], ["integer", "string"]]


def leaf_of(random, depth=1):
    """A small node, such as comes again and again."""
    node = {"type": random.choice(TYPES)} if random.random() < 0.9 else {}
    for keyword, values in random.sample(list(KEYWORDS.items()), random.randrange(4)):
        node[keyword] = random.choice(values)
    if depth and random.random() < 0.3:
        node["items"] = leaf_of(random, depth - 1)
    if depth and random.random() < 0.2:
        node["anyOf"] = [leaf_of(random, depth - 1) for _ in range(random.randrange(1, 4))]
        node.pop("type", None)
    return dict(random.sample(list(node.items()), len(node)))


def tool_of(seed):
    """A tool of many such parameters, some of which may be left out."""
    random = Random(seed)
    properties = {f"p{number}": leaf_of(random) for number in range(12)}
    inner = {"type": "object", "properties": {f"q{number}": leaf_of(random) for number in range(4)}}
    return {
        "type": "object",
        "properties": {**properties, "inner": inner},
        "required": random.sample(list(properties), 4),
    }


@pytest.mark.parametrize("target", TARGETS)
def test_a_plan_gives_what_the_edits_give(monkeypatch, target):
    rules = RULES.target(target)
    for seed in range(30):
        short, long = in_both_ways(monkeypatch, tool_of(seed), rules)
        assert short == [long] * 3, seed


@pytest.mark.parametrize("target", TARGETS)
def test_a_plan_gives_what_the_edits_give_in_schemas_of_all_kinds(monkeypatch, target):
    rules = RULES.target(target)
    for seed in range(60):
        short, long = in_both_ways(monkeypatch, schema_of(seed), rules)
        assert short == [long] * 3, seed


def test_plans_are_used(monkeypatch):
    counted = []
    learned = plans.Plan.put_on
    monkeypatch.setattr(plans.Plan, "put_on", lambda *arguments: counted.append(1) or learned(*arguments))
    leaf = {"type": "string", "default": "now", "description": "when it begins, for the test of plans"}
    schema = {"type": "object", "properties": {name: {**leaf, "default": name} for name in "abcdef"}}
    convert_normal(normal_form(schema), RULES.target("openai/strict"))
    assert len(counted) >= 4  # two are seen before it is known what comes of them


def test_a_text_that_a_rule_reads_decides_of_the_edits(monkeypatch):
    rules = ruleset('description matches "secret"', '{ drop = "description" }').target("own")
    for words in ("a", "b", "a secret", "c", "secrets", "d"):
        short, long = in_both_ways(monkeypatch, {"type": "object", "properties": {"a": {"description": words}}}, rules)
        assert short == [long] * 3
        assert ("secret" in words) is ("description" not in long[0])


@pytest.mark.parametrize("when", ["depth > 1", 'stands-in is "items"'])
def test_where_a_node_stands_decides_of_the_edits_of_rules_that_ask_for_it(monkeypatch, when):
    rules = ruleset(f"{when} and has maxLength", '{ drop = "maxLength" }').target("own")
    leaf = {"type": "string", "maxLength": 5}
    inner = {"type": "object", "properties": {"a": leaf}}
    schema = {"type": "object", "properties": {"a": leaf, "b": {"type": "array", "items": leaf}, "c": inner}}
    short, long = in_both_ways(monkeypatch, schema, rules)
    assert short == [long] * 3
    assert 0 < long[0].count('maxLength"') < 3


def test_each_edit_names_the_place_of_its_own_node(monkeypatch):
    branch = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
    unions = [{"anyOf": [branch, {"type": other}], "description": "one"} for other in ("null", "string")]
    schema = {"type": "object", "properties": {f"{key}{at}": unions[at] for key in "abcd" for at in (0, 1)}}
    for target in TARGETS:
        short, long = in_both_ways(monkeypatch, schema, RULES.target(target))
        assert short == [long] * 3


@pytest.mark.parametrize("target", ["openai/plain", *TARGETS])
def test_what_an_annotation_repeats_decides_of_the_edits(monkeypatch, target):
    text, null = {"type": "string", "description": "who"}, {"type": "null"}
    titled = {f"{name}_{at}": {"type": "string", "title": f"{name} {at % 2}"} for name in "ab" for at in range(4)}
    unions = {f"u{at}": {"anyOf": [text, null], "description": ("who", "what")[at % 2]} for at in range(8)}
    schema = {"type": "object", "properties": {**titled, **unions}}
    short, long = in_both_ways(monkeypatch, schema, RULES.target(target))
    assert short == [long] * 3


def test_strangers_nodes_fill_no_memory():
    held = plans.Plans(RULES.target("openai/strict"))
    for number in range(3 * plans.MOST_PLANS):
        schema = {"type": "object", "properties": {key: {"type": "integer", "minimum": number} for key in "ab"}}
        editor = run.Run(normal_form(schema), RULES.target("openai/strict"), describe=True)
        for node in editor.normal.root["properties"].values():
            held.put_on(node, editor)
    assert len(held) <= plans.MOST_PLANS


def ruleset(when, do):
    """The tables of one target that has one rule."""
    row = RULE.format(name="own", at="schema", when=json.dumps(when), do=do, keep="check", after="[]")
    return assemble([read_table(TARGET.format("own") + row, "own.toml")])
