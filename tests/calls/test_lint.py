"""The lint: what it finds and what it leaves alone, with place, rule, reason and the line to add."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.shared_data import mcp_tools

from toolglot import SchemaError
from toolglot.calls.lint import lint
from toolglot.calls.lower import Lowering
from toolglot.calls.slow_patterns import slow


def found(schema: Any) -> list[tuple[str, str]]:
    return [(finding.rule, finding.place) for finding in lint(schema)]


def parameter(name: str, declaration: Any) -> Any:
    return {"type": "object", "properties": {name: declaration}}


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("count", "count-without-domain"),
        ("maxResults", "count-without-domain"),
        ("limit", "limit-without-domain"),
        ("line-limit", "limit-without-domain"),
        ("per_page", "limit-without-domain"),
        ("offset", "offset-without-domain"),
        ("startLine", "offset-without-domain"),
        ("pageSize", "size-without-domain"),
        ("port", "port-without-domain"),
        ("localPort", "port-without-domain"),
        ("percentage", "percentage-without-domain"),
        ("timeout_ms", "duration-without-domain"),
        ("gracePeriodSeconds", "duration-without-domain"),
    ],
)
@pytest.mark.parametrize("kind", ["integer", "number", ["integer", "null"]])
def test_a_number_whose_name_says_what_it_is_needs_a_domain(name: str, rule: str, kind: Any) -> None:
    (finding,) = lint(parameter(name, {"type": kind}))
    assert (finding.rule, finding.path) == (rule, ("properties", name))
    assert "minimum" in finding.line
    assert finding.why
    assert json.loads(json.dumps(finding.as_json()))["place"] == f"/properties/{name}"


@pytest.mark.parametrize(
    "name", ["id", "issue_number", "latitude", "a", "limited", "report", "account", "discount_code"]
)
def test_a_name_that_says_nothing_of_the_kind_is_left_alone(name: str) -> None:
    assert found(parameter(name, {"type": "number"})) == []


@pytest.mark.parametrize(
    "declaration",
    [
        {"type": "integer", "minimum": 0},
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "integer", "enum": [10, 20]},
        {"type": "integer", "const": 5},
        {"type": "string"},
        {"type": "array", "items": {"type": "integer", "minimum": 0}},
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
        {},
        True,
    ],
    ids=repr,
)
def test_a_declared_domain_or_another_type_is_left_alone(declaration: Any) -> None:
    assert found(parameter("limit", declaration)) == []


def test_the_edge_of_what_a_double_holds_is_no_domain() -> None:
    assert found(parameter("timeout", {"type": "integer", "minimum": -(2**53 - 1)})) != []


REFERRED = parameter("p", {"$ref": "#/$defs/e", "default": "c"}) | {"$defs": {"e": {"enum": ["a"]}}}


@pytest.mark.parametrize(
    ("schema", "finding"),
    [
        (parameter("all", {"type": "string", "enum": ["true", "false"]}), ("boolean-as-text", "/properties/all")),
        ({"type": "object", "properties": {}, "required": ["a"]}, ("required-undeclared", "/")),
        (parameter("p", {"type": "string", "enum": ["a", None]}), ("member-of-another-type", "/properties/p")),
        (parameter("p", {"type": "integer", "const": "a"}), ("member-of-another-type", "/properties/p")),
        (parameter("p", {"type": "integer", "minimum": 1, "default": 0}), ("default-outside-domain", "/properties/p")),
        (
            parameter("p", {"$ref": "#/$defs/e", "default": "c"}) | {"$defs": {"e": {"enum": ["a"]}}},
            ("default-outside-domain", "/properties/p"),
        ),
        (parameter("p", {"type": "string", "pattern": "^(\\w+\\s?)+$"}), ("slow-pattern", "/properties/p")),
        ({"type": "object", "patternProperties": {"^(a|a)*$": {}}}, ("slow-pattern", "/")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_each_slip_is_found_at_its_place(schema: Any, finding: tuple[str, str]) -> None:
    assert found(schema) == [finding]


@pytest.mark.parametrize(
    "schema",
    [
        parameter("all", {"type": "boolean", "description": "true or false"}),
        parameter("p", {"type": "number", "enum": [1, 2.5]}),
        parameter("p", {"type": "string", "nullable": True, "enum": ["a", None]}),
        parameter("p", {"type": "integer", "minimum": 1, "default": 1}),
        parameter("default", {"type": "string"}),
        parameter("p", {"type": "object", "default": {"default": 5, "required": ["x"]}}),
        {"type": "object", "required": ["a"]},
        {"allOf": [{"properties": {"a": {}}}], "required": ["a"]},
    ],
    ids=lambda value: str(value)[:60],
)
def test_what_only_looks_like_a_slip_is_left_alone(schema: Any) -> None:
    assert found(schema) == []


def test_nested_parameters_are_looked_at_and_data_is_not() -> None:
    inner = {"type": "object", "properties": {"limit": {"type": "integer"}}}
    assert found(parameter("o", inner)) == [("limit-without-domain", "/properties/o/properties/limit")]
    assert found(parameter("o", {"default": inner})) == []


SLOW = r"(a+)+   (a*)*   (.*)*   (a|a)*   (\w+\s?)+   ([a-z]+[a-z])*   (a{1,30}){1,30}   (x)\1   (?:(?:ab*)*)*"
QUICK = r"^a+$   ^[a-z]+(-[a-z]+)*$   ^(\d{1,3}\.){3}\d+$   ^(a|b)*$   (?=.*a)b   ^https?://.+$   a{3}   (   (ab?c)+"


@pytest.mark.parametrize("pattern", SLOW.split())
def test_a_pattern_whose_rounds_can_be_split_in_many_ways_is_slow(pattern: str) -> None:
    assert slow(pattern)


@pytest.mark.parametrize("pattern", ["", *QUICK.split()])
def test_other_patterns_are_not(pattern: str) -> None:
    assert slow(pattern) is None


def test_a_broken_schema_is_an_error_and_no_finding() -> None:
    with pytest.raises(SchemaError):
        lint({"type": 5})


def test_real_tools_are_linted_without_a_fault() -> None:
    rules = [finding.rule for tool in mcp_tools() for finding in lint(tool["inputSchema"])]
    assert 50 < len(rules) < 200
    assert "limit-without-domain" in rules


def test_a_default_within_a_schema_that_is_part_of_itself_is_looked_at() -> None:
    inner = {"type": "object", "properties": {"n": {"$ref": "#/$defs/node"}}, "default": {"n": {"v": "1"}}}
    node = {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"anyOf": [inner, {"type": "null"}]}}}
    schema = {"$defs": {"node": node}, "type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}}
    wrong = found(schema)
    assert len(wrong) == 1
    inner["default"] = {"n": {"v": 1}}
    assert found(schema) == []


def test_a_schema_with_many_defaults_is_compiled_once_and_one_without_any_never(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[Lowering] = []
    run = Lowering.run
    monkeypatch.setattr(Lowering, "run", lambda lowering: compiled.append(lowering) or run(lowering))
    lint({"type": "object", "properties": {"p": {"type": "integer"}}})
    assert compiled == []
    lint({"type": "object", "properties": {f"p{turn}": {"type": "integer", "default": turn} for turn in range(50)}})
    assert len(compiled) == 1
