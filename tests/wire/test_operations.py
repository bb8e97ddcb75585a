"""An OpenAPI document read as tools: what each operation takes and gives, and how its request is made."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from toolglot import SchemaError, Tool, Toolbox, check, detect, read_tools
from toolglot.cli import main
from toolglot.tables.operations import document_format, load_operations

DOCUMENT = json.loads(Path(__file__).with_name("bookshop.json").read_text(encoding="utf-8"))
READ = read_tools(DOCUMENT)
TOOLS: dict[str, Tool] = {tool.name: tool for tool in READ.tools}


def document(version: str = "3.1.0", **operation: Any) -> dict[str, Any]:
    return {"openapi": version, "paths": {"/a": {"get": {"operationId": "a", **operation}}}}


def only(source: dict[str, Any]) -> Tool:
    (tool,) = read_tools(source).tools
    return tool


def fits(tool: Tool, arguments: Any) -> bool:
    return not check(tool.schema, arguments)


def test_each_operation_is_a_tool_named_by_its_id_or_by_what_it_is() -> None:
    assert READ.envelope == "openapi"
    assert list(TOOLS) == ["listBooks", "addBook", "get /books/{id}", "changeBook", "addCover"]
    assert TOOLS["listBooks"].description == "Lists books.\n\nThe newest come first."
    assert TOOLS["addBook"].description == "Adds a book."
    assert TOOLS["get /books/{id}"].description is None


def test_parameters_go_by_name_and_undeclared_ones_have_no_place() -> None:
    tool = TOOLS["listBooks"]
    assert list(tool.schema["properties"]) == ["Accept-Language", "limit", "genre", "filter"]
    assert fits(tool, {"limit": 5, "genre": "crime", "Accept-Language": "de", "filter": {"author": None}})
    assert fits(tool, {})
    assert not fits(tool, {"limit": 0})
    assert not fits(tool, {"genre": "prose"})
    assert not fits(tool, {"page": 1})
    assert tool.schema["properties"]["limit"]["description"] == "How many at most."
    assert tool.schema["properties"]["genre"]["description"] == "One shelf alone."


def test_what_a_program_needs_for_the_request_stands_beside_the_tool() -> None:
    assert TOOLS["listBooks"].extra["operation"] == {
        "method": "get",
        "path": "/books",
        "parameters": {
            "Accept-Language": {"name": "Accept-Language", "in": "header"},
            "limit": {"name": "limit", "in": "query"},
            "genre": {"name": "genre", "in": "query"},
            "filter": {"name": "filter", "in": "query", "style": "deepObject", "explode": True},
        },
    }
    assert TOOLS["addBook"].extra["operation"]["body"] == "application/json"


def test_names_that_would_be_two_things_say_their_place_and_the_body_keeps_its_own() -> None:
    asked = TOOLS["get /books/{id}"]
    assert list(asked.schema["properties"]) == ["id_path", "id_query"]
    assert asked.schema["required"] == ["id_path"]
    assert asked.extra["operation"]["parameters"]["id_query"] == {"name": "id", "in": "query"}
    changed = TOOLS["changeBook"]
    assert list(changed.schema["properties"]) == ["id", "body_query", "body"]
    assert fits(changed, {"id": "a", "body_query": True, "body": {"id": "b", "body": "c"}})
    assert changed.extra["operation"]["body"] == "application/merge-patch+json"


def test_a_name_made_longer_never_takes_that_of_another_parameter() -> None:
    places = [("id", "path"), ("id", "query"), ("id_query", "query"), ("id_query_2", "header")]
    parameters = [{"name": name, "in": place, "schema": {}} for name, place in places]
    source = {"openapi": "3.1.0", "paths": {"/{id}": {"get": {"operationId": "a", "parameters": parameters}}}}
    request = only(source).extra["operation"]["parameters"]
    assert list(request) == ["id_path", "id_query_3", "id_query", "id_query_2"]
    assert [(each["name"], each["in"]) for each in request.values()] == places


def test_a_parameter_of_an_operation_replaces_that_of_its_path() -> None:
    source = document(parameters=[{"name": "n", "in": "query", "required": True, "schema": {"type": "integer"}}])
    source["paths"]["/a"]["parameters"] = [{"name": "n", "in": "query", "schema": {"type": "string"}}]
    assert fits(only(source), {"n": 1})
    assert not fits(only(source), {"n": "1"})
    assert not fits(only(source), {})


def test_what_only_answers_have_is_not_required_of_a_request_and_the_other_way_round() -> None:
    tool = TOOLS["addBook"]
    assert fits(tool, {"body": {"title": "Emma", "secret": "x", "sequel": {"title": "Emma II", "secret": "x"}}})
    assert not fits(tool, {"body": {"title": "Emma"}})
    assert not fits(tool, {"body": {"title": "", "secret": "x"}})
    assert not fits(tool, {})
    assert not check(tool.output_schema, {"id": "1", "title": "Emma"})
    assert check(tool.output_schema, {"title": "Emma", "secret": "x"})


def test_the_output_is_that_of_success_and_an_error_is_none() -> None:
    assert not check(TOOLS["listBooks"].output_schema, [{"id": "1", "title": "Emma"}])
    assert check(TOOLS["listBooks"].output_schema, {"message": "no"})
    assert TOOLS["get /books/{id}"].output_schema is None
    assert TOOLS["changeBook"].output_schema is not None  # where nothing else is declared, `default` is all there is
    assert TOOLS["addCover"].output_schema is None


def test_a_body_that_is_no_json_keeps_its_media_type() -> None:
    tool = TOOLS["addCover"]
    assert tool.extra["operation"]["body"] == "image/png"
    assert tool.schema["properties"]["body"] == {"type": "string", "format": "binary"}


def test_an_operation_that_is_broken_costs_itself_alone_and_says_where() -> None:
    assert list(READ.broken) == ["dropBook", "getCover", "changeCover"]
    places = {name: error.path for name, error in READ.broken.items()}
    assert places["dropBook"] == ("paths", "/books/{id}", "delete")
    assert places["getCover"] == ("components", "parameters", "NoSuch")
    assert places["changeCover"][:2] == ("paths", "/covers")
    assert "{id}" in READ.broken["dropBook"].reason


def test_a_schema_that_is_broken_costs_the_operations_that_refer_to_it() -> None:
    source = copy.deepcopy(DOCUMENT)
    source["components"]["schemas"]["Genre"]["type"] = "strin"
    box = Toolbox(source, "llama.cpp")
    assert {"listBooks", "addBook"} <= set(box.broken)
    assert "changeBook" in {tool.name for tool in box.tools}


def test_a_tool_carries_only_what_it_refers_to_and_shares_nothing() -> None:
    source = copy.deepcopy(DOCUMENT)
    tools = {tool.name: tool for tool in read_tools(source).tools}
    assert set(tools["listBooks"].schema["components"]["schemas"]) == {"Genre"}
    assert "components" not in tools["changeBook"].schema
    tools["listBooks"].schema["components"]["schemas"]["Genre"].clear()
    tools["listBooks"].extra["operation"]["parameters"].clear()
    assert source == DOCUMENT
    assert tools["addBook"].schema["components"]["schemas"]["Genre"] == DOCUMENT["components"]["schemas"]["Genre"]


@pytest.mark.parametrize(
    ("version", "dialect"), [("3.0.0", "openapi-3.0"), ("3.1.1", "openapi-3.1"), ("3.2.0", "openapi-3.1")]
)
def test_schemas_are_read_by_the_dialect_of_their_document(version: str, dialect: str) -> None:
    tool = only(document(version, parameters=[{"name": "n", "in": "query", "schema": {"type": "string"}}]))
    assert detect(tool.schema).dialect == dialect
    assert detect(tool.schema).certainty == "declared"


def test_beside_a_reference_what_the_dialect_ignores_is_ignored() -> None:
    parameters = [{"name": "n", "in": "query", "schema": {"$ref": "#/components/schemas/N", "maximum": 5}}]
    for version, fitting in (("3.0.0", True), ("3.1.0", False)):
        source = document(version, parameters=parameters) | {"components": {"schemas": {"N": {"type": "integer"}}}}
        assert fits(only(source), {"n": 7}) is fitting
        assert not fits(only(source), {"n": "7"})


def test_a_document_may_name_another_dialect_for_its_schemas() -> None:
    source = document() | {"jsonSchemaDialect": "http://json-schema.org/draft-07/schema#"}
    assert detect(only(source).schema).dialect == "draft-07"


def test_references_to_any_place_of_the_document_are_followed() -> None:
    place = "#/x-paths/a/get/parameters/0"
    number = {"name": "n", "in": "query", "schema": {"type": "integer"}}
    values = {"items": {"$ref": f"{place}/schema"}, "enum": [[1], ["x"], [{"$ref": "#"}]]}
    source = {
        "openapi": "3.0.3",
        "paths": {
            "/a~b": {"$ref": "#/x-paths/a"},
            "/c": {"get": {"operationId": "c", "parameters": [{"$ref": place}]}},
            "/d": {"get": {"operationId": "d", "parameters": [{"name": "n", "in": "query", "schema": values}]}},
        },
        "x-paths": {"a": {"get": {"operationId": "a", "parameters": [number]}}},
    }
    read = read_tools(source)
    assert [tool.name for tool in read.tools] == ["a", "c", "d"]
    assert not fits(read.tools[1], {"n": "x"})
    assert fits(read.tools[2], {"n": [1]})
    assert not fits(read.tools[2], {"n": ["x"]})
    assert not fits(read.tools[2], {"n": [{"$ref": "#"}]})


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        ({"parameters": {}}, "a list"),
        ({"parameters": [7]}, "an object"),
        ({"parameters": [{"name": "n"}]}, "a name"),
        ({"parameters": [{"name": "n", "in": "body"}]}, "a name"),
        ({"parameters": [{"$ref": "other.json#/n"}]}, "not in this document"),
        ({"parameters": [{"name": "n", "in": "query", "schema": {"$ref": "#"}}]}, "names no schema"),
        ({"requestBody": 7}, "an object"),
        ({"requestBody": {"content": {}}}, "a media type"),
        ({"requestBody": {"$ref": "#/paths/~1a/get/requestBody"}}, "without an end"),
        ({"responses": {"200": {"$ref": "#/no"}}}, "an object"),
        ({"summary": {}, "requestBody": {"content": {"a/b": {"schema": {"$ref": "#/no"}}}}}, "names no"),
    ],
)  # fmt: skip
def test_each_fault_of_an_operation_is_named(operation: dict[str, Any], reason: str) -> None:
    read = read_tools(document(**operation))
    assert not read.tools
    assert reason in read.broken["a"].reason


def test_what_is_no_operation_and_what_is_no_path_are_named_by_their_place() -> None:
    read = read_tools({"openapi": "3.1.0", "paths": {"/a": 7, "/b": {"get": []}, "/c": {"x-note": 1, "summary": "C"}}})
    assert list(read.broken) == ["/a", "get /b"]
    assert not read.tools


@pytest.mark.parametrize(
    "source",
    [
        {"openapi": "2.0", "paths": {}},
        {"openapi": "4.0.0", "paths": {}},
        {"openapi": "3.1.0", "paths": []},
    ],
)
def test_a_document_of_no_known_edition_is_refused_whole(source: Any) -> None:
    with pytest.raises(SchemaError):
        read_tools(source)


def test_a_document_without_paths_has_no_tools_and_is_no_list() -> None:
    assert read_tools({"openapi": "3.1.0", "webhooks": {}}).tools == ()
    with pytest.raises(SchemaError):
        read_tools(DOCUMENT, envelope="mcp")


def test_two_operations_of_one_id_are_one_tool_and_one_that_is_named() -> None:
    source = document()
    source["paths"]["/b"] = source["paths"]["/a"]
    read = read_tools(source)
    assert ([tool.name for tool in read.tools], list(read.broken)) == (["a"], ["a (2)"])


def test_operations_are_sent_to_any_target_and_their_calls_come_back() -> None:
    box = Toolbox(DOCUMENT, "openai/strict")
    names = {entry["function"]["name"] for entry in box.wire}
    assert len(names) == len(TOOLS)
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") for name in names)
    conversion = box._request.conversions["get /books/{id}"]
    sent = json.dumps(conversion.spellings({"id_path": "a1"})[0])
    item = {"type": "function_call", "call_id": "1", "name": box._request.sent_as["get /books/{id}"], "arguments": sent}
    (call,) = box.calls([item])
    assert (call.name, call.answer.arguments) == ("get /books/{id}", {"id_path": "a1"})
    assert Toolbox(DOCUMENT).wire[0]["inputSchema"] == TOOLS["listBooks"].schema


def test_the_command_line_takes_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(Path(__file__).with_name("bookshop.json"))
    assert main(["audit", file, "--target", "llama.cpp", "--json"]) == 1  # three operations are broken
    report = json.loads(capsys.readouterr().out)
    assert [tool["tool"] for tool in report["tools"] if tool["verdict"] == "broken"] == list(READ.broken)
    assert main(["detect", file, "--json"]) == 1
    assert {row["dialect"] for row in json.loads(capsys.readouterr().out)["tools"]} == {"openapi-3.0"}


def test_reading_a_long_document_costs_no_more_than_its_length() -> None:
    schemas = {
        f"S{number}": {"type": "object", "properties": {"next": {"$ref": f"#/components/schemas/S{number + 1}"}}}
        for number in range(3000)
    }
    schemas["S3000"] = {"type": "integer"}
    source = document(requestBody={"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}})
    tool = only(source | {"components": {"schemas": schemas}})
    assert len(tool.schema["components"]["schemas"]) == 3001


def test_the_table_names_a_dialect_that_its_schema_address_tells() -> None:
    for edition in document_format().editions:
        assert detect({"$schema": edition.schema}).dialect == edition.dialect


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('key      = "openapi"', "", "document.key"),
        ('methods  = ["get",', "methods = [7,", "document.methods"),
        ("one_way = true", "one_way = 1", "edition.one_way"),
        ('version = "3.0."', "", "edition.version"),
        ("[document]", "[document", ""),
    ],
)
def test_a_bad_table_is_refused_with_its_field(old: str, new: str, field: str) -> None:
    from importlib import resources  # noqa: PLC0415 - for this test alone

    from toolglot.errors import RuleError  # noqa: PLC0415 - as above

    text = resources.files("toolglot.rules").joinpath("operations.toml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(RuleError) as refused:
        load_operations(text.replace(old, new, 1), "mine.toml")
    assert refused.value.field == field
