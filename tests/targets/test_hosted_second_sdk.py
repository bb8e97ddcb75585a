"""The official package's own `Schema` type, which forbids unknown fields, takes every wire of its message."""

import pytest
from tests.shared_data import corpus, mcp_tools

from toolglot.wire.convert import convert

types = pytest.importorskip(
    "google.genai.types", reason="the official package google-genai is not installed: NOT TESTED against its types"
)
MESSAGES = ("gemini/parameters", "gemini/response-schema", "vertex")


def refused(schemas, target):
    faults = {}
    for name, schema in schemas:
        wire = convert(schema, target).wire
        try:
            types.Schema.model_validate(wire)  # it forbids fields that it does not have
        except ValueError as error:
            faults[name] = str(error)
    return faults


@pytest.mark.parametrize("target", MESSAGES)
def test_every_tool_of_the_mcp_lists_is_a_schema_of_the_official_package(target):
    assert refused(((tool["name"], tool["inputSchema"]) for tool in mcp_tools()), target) == {}


@pytest.mark.heavy
@pytest.mark.parametrize("target", MESSAGES)
def test_every_schema_of_the_corpus_is_one_too(target):
    assert refused(((row["name"], row["schema"]) for row in corpus()), target) == {}
