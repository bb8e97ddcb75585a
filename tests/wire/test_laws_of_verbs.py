"""The laws over generated schemas: for every verb, and for targets that need all of them."""

import json
from random import Random

import pytest
from tests.wire.schemas import fitting, schema_of
from tests.wire.verb_targets import TARGETS, rules

from toolglot.calls.checker import checker
from toolglot.errors import SchemaError
from toolglot.json_values import equal
from toolglot.schemas.normal import normal_form
from toolglot.wire import fitting as glances
from toolglot.wire import ledger
from toolglot.wire.codecs import ABSENT
from toolglot.wire.convert import convert_normal

MANY = [pytest.param(range(40), id="some"), pytest.param(range(40, 1500), id="many", marks=pytest.mark.heavy)]
TRIES = 6


def made(schema, name):
    """The conversion; None for a schema that is broken."""
    try:
        normal = normal_form(schema, dialect="2020-12")
    except SchemaError:
        return None
    return convert_normal(normal, rules(name), describe=False)


def with_null(node):
    """A wire with `nullable` spelled out, as the 2020-12 check does not know it."""
    if isinstance(node, list):
        return [with_null(item) for item in node]
    if not isinstance(node, dict):
        return node
    changed = {key: value if key in {"enum", "const"} else with_null(value) for key, value in node.items()}
    if changed.get("nullable") is not True:
        return changed
    del changed["nullable"]
    return {"anyOf": [changed, {"type": "null"}]}


def legal_values(seed, schema, check):
    random = Random(seed)
    values = [fitting(random, schema, schema["$defs"]) for _ in range(TRIES)]
    return [value for value in values if check.accepts(value)]


@pytest.mark.parametrize("seeds", MANY)
@pytest.mark.parametrize("name", TARGETS)
def test_each_legal_value_has_a_spelling_that_the_wire_admits_and_that_is_restored(name, seeds):
    for seed in seeds:
        schema = schema_of(seed)
        conversion, check = made(schema, name), checker(schema, dialect="2020-12")
        if conversion is None:
            continue
        wire = checker(with_null(conversion.wire), dialect="2020-12")
        for value in legal_values(seed, schema, check):
            before = json.dumps(value)
            sayable = [spelling for spelling in conversion.spellings(value) if wire.accepts(spelling)]
            assert sayable, (seed, schema, conversion.wire_json, value)
            restored, problems = conversion.restore(sayable[0], check.accepts)
            assert not problems, (seed, schema, conversion.wire_json, sayable[0], problems)
            assert equal(restored, value), (seed, schema, conversion.wire_json, sayable[0], restored)
            assert json.dumps(value) == before


@pytest.mark.parametrize("seeds", MANY)
@pytest.mark.parametrize("name", TARGETS)
def test_any_call_is_restored_or_is_a_problem_and_is_never_written_to(name, seeds):
    for seed in seeds:
        schema = schema_of(seed)
        conversion, check = made(schema, name), checker(schema, dialect="2020-12")
        if conversion is None:
            continue
        random, wire = Random(seed), conversion.wire
        for _ in range(TRIES):
            call = fitting(random, wire, wire.get("$defs", {}))
            before = json.dumps(call)
            restored, problems = conversion.restore(call, check.accepts)
            assert problems or json.dumps(restored)
            conversion.restore(call)
            assert json.dumps(call) == before


@pytest.mark.parametrize("name", ["strict", "nullable"])
def test_the_same_schema_gives_the_same_wire_and_is_not_written_to(name):
    for seed in range(100):
        schema = schema_of(seed)
        before = json.dumps(schema)
        first, second = made(schema, name), made(json.loads(before), name)
        if first is not None:
            assert first.wire_json == second.wire_json
            assert json.dumps(schema) == before
            first.wire["title"] = "changed"
            assert "changed" not in second.wire.values()


@pytest.mark.parametrize("seeds", MANY)
@pytest.mark.parametrize("name", TARGETS)
def test_a_call_that_leaves_no_choice_is_restored_as_it_is_where_choices_are_looked_for(name, seeds, monkeypatch):
    for seed in seeds:
        schema = schema_of(seed)
        conversion, check = made(schema, name), checker(schema, dialect="2020-12")
        if conversion is None:
            continue
        values = [fitting(Random(seed), schema, schema["$defs"]) for _ in range(TRIES)]
        calls = [spelled for value in values for spelled in (value, *conversion.spellings(value)[:3])]
        found = [conversion.restore(call, check.accepts) for call in calls]
        with monkeypatch.context() as patched:
            patched.setattr(ledger, "straight", lambda *_: ABSENT)
            assert repr(found) == repr([conversion.restore(call, check.accepts) for call in calls]), (seed, schema)


@pytest.mark.parametrize("seeds", MANY)
@pytest.mark.parametrize("name", TARGETS)
def test_what_a_node_shows_at_a_glance_is_what_a_longer_look_finds(name, seeds, monkeypatch):
    for seed in seeds:
        schema = schema_of(seed)
        conversion = made(schema, name)
        if conversion is None:
            continue
        nodes = [conversion._root, *conversion._definitions.values()]
        nodes += [below for node in nodes for below in node.get("properties", {}).values()]
        values = [fitting(Random(seed + at), schema, schema["$defs"]) for at in range(TRIES)]
        values += [spelled for value in values for spelled in conversion.spellings(value)[:2]]
        found = fits(conversion, nodes, values)
        with monkeypatch.context() as patched:
            patched.setattr(glances, "plain", lambda _: glances.Plain(frozenset(), None, {}, False))
            assert found == fits(conversion, nodes, values), (seed, schema)


def fits(conversion, nodes, values):
    return [glances.Fitting(conversion._definitions).fits(node, value) for node in nodes for value in values]
