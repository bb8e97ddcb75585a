"""The open reports that hold a schema, on every target: what is legal can be said and comes back, and no more fits.

What single ones ask for beyond that stands here where it is about schemas, and in `calls/test_report_cases.py` and
`results/test_reports.py` for the other borders.
"""

import copy
import json
from collections import Counter

import pytest
from tests.calls.test_report_cases import ASKED
from tests.corpus_laws import RULES, TARGETS, wire_check
from tests.shared_data import shared

from toolglot import Toolbox
from toolglot.calls import checker as checker_module
from toolglot.calls.checker import checker_of
from toolglot.schemas.normal import normal_form
from toolglot.wire import convert as convert_module
from toolglot.wire.convert import convert_normal


def all_reports():
    found = json.loads(shared("cases", "reports-open.json").read_text(encoding="utf-8"))
    return {report["id"]: report for report in found}


def reports():
    return {name: report for name, report in all_reports().items() if report["probes"]}


@pytest.mark.parametrize("target", TARGETS)
def test_every_report_is_right_on_every_target(target):
    for name, report in reports().items():
        conversion = convert_normal(normal_form(report["schema"]), RULES.target(target))
        check, admits = checker_of(conversion.normal).accepts, wire_check(conversion.wire, target)
        for probe in report["probes"]:
            assert check(probe["value"]) == probe["valid"], name
            if probe["valid"]:
                admitted = list(filter(admits, conversion.spellings(probe["value"])))
                assert (probe["value"], ()) in [conversion.restore(form, check) for form in admitted], name


def test_no_report_is_left_without_a_test():
    results = {name for name, report in all_reports().items() if report["theme"] == "tool-result"}
    assert all_reports().keys() - reports().keys() - results - ASKED.keys() - ASKED_OF_SCHEMAS.keys() == set()


# What single reports ask for ----------------------------------------------------------------------


def tool(schema, name="tool"):
    return {"name": name, "inputSchema": schema}


def work_of(act, monkeypatch):
    """How often a schema is read, converted and compiled while something is done."""
    counts = Counter()

    def counting(owner, name, what):
        original = getattr(owner, name)

        def counted(*words, **named):
            counts[what] += 1
            return original(*words, **named)

        patch.setattr(owner, name, counted)

    with monkeypatch.context() as patch:
        counting(convert_module, "normal_form", "read")
        counting(convert_module, "Run", "converted")
        counting(checker_module.Checker, "__init__", "compiled")
        act()
    return dict(counts)


def unseen(mark):
    """Two tools that no other test has."""
    types = {"town": "string", "year": "integer"}
    same = {"type": "object", "title": mark}
    return [tool({**same, "properties": {name: {"type": types[name]}}, "required": [name]}, name) for name in types]


def tools_that_are_rebuilt_are_converted_once_and_share_nothing(monkeypatch):
    tools = unseen("rebuilt for each request")

    def ten_requests():
        for _ in range(10):
            box = Toolbox(copy.deepcopy(tools), "llama.cpp")
            assert box.read("town", {"town": "Ulm"}).fits
            box.wire[0]["function"]["parameters"]["properties"].clear()
            box.tools[0].schema.clear()

    assert work_of(ten_requests, monkeypatch) == {"read": 2, "converted": 2, "compiled": 1}
    changed = copy.deepcopy(tools)
    changed[0]["inputSchema"]["title"] += ", and changed"

    def one_more():
        box = Toolbox(changed, "llama.cpp")
        assert box.wire[0]["function"]["parameters"]["properties"]["town"] == {"type": "string"}

    assert work_of(one_more, monkeypatch) == {"read": 1, "converted": 1}


def a_schema_is_made_ready_once_for_all_its_calls(monkeypatch):
    box = Toolbox(unseen("made ready once"), "llama.cpp")

    def many_calls():
        for number in range(50):
            assert box.read("year", {"year": number}).fits
            assert not box.read("year", {"year": str(number)}).fits

    assert work_of(many_calls, monkeypatch) == {"compiled": 1}
    assert work_of(many_calls, monkeypatch) == {}


def schemas_of_one_id_are_each_read_by_themselves(_):
    one, other = all_reports()["rp047"]["schema"], all_reports()["rp047"]["second_schema"]
    for first, second in ((one, other), (other, one)) * 2:
        box = Toolbox([tool(copy.deepcopy(first), "first"), tool(copy.deepcopy(second), "second")], "llama.cpp")
        assert [box.read(name, {"n": "x"}).fits for name in ("first", "second")] == [first is other, second is other]


def a_tool_past_a_limit_is_sent_otherwise_and_the_report_says_so(_):
    schema = all_reports()["rp012"]["schema"]
    box = Toolbox([tool(schema)], "anthropic/strict")
    (entry,) = box.wire
    assert entry.get("strict") is not True
    assert [row["rule"] for row in box.report.rows() if row["rule"].startswith("limits.")]
    assert box.read("tool", {"f01": "x"}).arguments == {"f01": "x"}


def an_object_of_any_keys_can_be_said_in_both_spellings_alike(_):
    report = all_reports()["rp015"]
    opened = copy.deepcopy(report["schema"])
    opened["properties"]["overrides"]["additionalProperties"] = True
    wires = [Toolbox([tool(schema)], "openai/strict").wire for schema in (report["schema"], opened)]
    assert wires[0] == wires[1]
    rows = Toolbox([tool(opened)], "openai/strict").report.rows()
    assert ("/properties/overrides", "encoded") in [(row["place"], row["outcome"]) for row in rows]


ASKED_OF_SCHEMAS = {
    "rp012": a_tool_past_a_limit_is_sent_otherwise_and_the_report_says_so,
    "rp015": an_object_of_any_keys_can_be_said_in_both_spellings_alike,
    "rp047": schemas_of_one_id_are_each_read_by_themselves,
    "rp060": a_schema_is_made_ready_once_for_all_its_calls,
    "rp062": tools_that_are_rebuilt_are_converted_once_and_share_nothing,
}


@pytest.mark.parametrize("case", ASKED_OF_SCHEMAS)
def test_a_report_gets_the_behaviour_that_is_right(case, monkeypatch):
    ASKED_OF_SCHEMAS[case](monkeypatch)
