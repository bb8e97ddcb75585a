"""Each row that says `proof = "engine"`, shown by the real llama.cpp: the source shape fails, the wire does not."""

import json
from itertools import islice

import pytest
from tests.oracle.llama import TEMPLATE, Llama, call_text
from tests.wire.engine_tests import is_json
from tests.wire.spellings import texts

from toolglot.tables.ruleset import load_rules
from toolglot.wire.convert import convert

pytestmark = pytest.mark.heavy  # the engine is asked about every row; `.ci/run` has it ready for the heavy run
RULES = load_rules(entry_points=False)
# What an example of a readable length can't show is shown by a test of its own below.
SHOWN_BELOW = {"too-many-optional-properties", "definitions-are-shared-between-tools"}
PROVEN = [rule for rule in RULES.target("llama.cpp").rules if rule.proof == "engine" and rule.id not in SHOWN_BELOW]


@pytest.fixture(scope="module")
def llama():
    engine = Llama(seconds=4)
    yield engine
    engine.close()


def faults(llama, example):
    """What the engine does wrong with the example's source, sent as it is."""
    accepts, rejects = map(json.loads, example.accepts), map(json.loads, example.rejects)
    legal = [json.dumps(value, separators=(",", ":")) for value in accepts]
    illegal = [json.dumps(value, separators=(",", ":")) for value in rejects]
    reply = llama.ask(json.loads(example.given), texts=legal + illegal, samples=30)
    if not reply.answer.get("ok"):
        return ["does not compile"]
    matched = dict(zip(legal + illegal, reply.answer.get("texts", ()), strict=True))
    found = [f"refuses {text}" for text in legal if not matched[text]]
    found += [f"accepts {text}" for text in illegal if matched[text]]
    found += [] if reply.answer.get("samples") else ["no text can be ended"]
    return found + [f"makes {text!r}" for text in reply.answer.get("samples", ()) if not is_json(text)]


@pytest.mark.parametrize("rule", PROVEN, ids=lambda rule: rule.id)
def test_the_engine_fails_on_the_source_of_an_example(llama, rule):
    assert any(faults(llama, example) for example in rule.examples if example.fires)


@pytest.mark.parametrize("rule", PROVEN, ids=lambda rule: rule.id)
def test_the_engine_takes_the_wire_of_every_example(llama, rule):
    for example in rule.examples:
        conversion = convert(json.loads(example.given), "llama.cpp", dialect="2020-12")
        values = [json.loads(text) for text in example.accepts]
        spelled = [
            [text for form in conversion.spellings(value) for text in texts(form, conversion.wire)] for value in values
        ]
        reply = llama.ask(conversion.wire, texts=[text for forms in spelled for text in forms], samples=30)
        assert reply.answer.get("ok"), (example.name, reply)
        assert all(map(is_json, reply.answer["samples"])), example.name
        matched = iter(reply.answer.get("texts", ()))
        said = [any(list(islice(matched, len(forms)))) for forms in spelled]
        assert all(said) or "narrowed" in conversion.outcomes, example.name


def test_thousands_of_optional_properties_hang_the_engine_and_their_wire_does_not(llama):
    schema = {"type": "object", "properties": {f"p{number}": {} for number in range(4000)}}
    schema["additionalProperties"] = False
    assert llama.ask(schema).fault == "timeout"
    assert llama.ask(convert(schema, "llama.cpp").wire).answer["ok"]


CALLS = [("one", {"a": {"v": "x"}}), ("two", {"a": {"v": 1}}), ("one", {"a": {"v": 1}}), ("two", {"a": {"v": "x"}})]


def closed(**properties):
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def with_item(kind):
    return closed(a={"$ref": "#/$defs/Item"}) | {"$defs": {"Item": closed(v={"type": kind})}}


def test_two_tools_of_one_request_keep_their_own_definitions(llama):
    calls = [json.dumps({"name": name, "arguments": said}, separators=(",", ":")) for name, said in CALLS]
    raw = llama.ask_tools([("one", with_item("string")), ("two", with_item("integer"))], texts=calls)
    assert raw.answer["texts"] == [True, False, False, True]  # the second tool is held to the first one's definition
    kinds = (("one", "string"), ("two", "integer"))
    wires = [(name, convert(with_item(kind), "llama.cpp").wire) for name, kind in kinds]
    assert llama.ask_tools(wires, texts=calls).answer["texts"] == [True, True, False, False]


def test_through_the_whole_server_path_two_tools_keep_their_own_definitions(llama, tmp_path):
    template = tmp_path / "chat.jinja"
    template.write_text(TEMPLATE, encoding="utf-8")

    def tool(name, kind):
        wire = convert(with_item(kind), "llama.cpp").wire
        return {"type": "function", "function": {"name": name, "description": name, "parameters": wire}}

    reply = llama.grammar_of_request([tool("one", "string"), tool("two", "integer")], template)
    grammar = reply.answer.get("grammar")
    assert grammar, reply
    told = llama.ask_grammar(grammar, texts=[call_text(name, arguments) for name, arguments in CALLS])
    assert told.answer["texts"] == [True, True, False, False]
