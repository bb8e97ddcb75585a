"""What lm-format-enforcer makes of a union, told from its source: its branches are followed on one stack of parsers.

Only a union that comes after a sign of its own, and has a list or an object among its own branches, gets a stack for
each branch. On one stack two open texts want an escaped sign each, and two lists an item each.
"""

from collections import Counter

import pytest
from tests.shared_data import corpus_part, mcp_tools

from toolglot.errors import SchemaError
from toolglot.wire.convert import convert

TARGET = "lm-format-enforcer"
PARTS = [pytest.param(12, id="some"), pytest.param(1, id="all", marks=pytest.mark.heavy)]


def parsers(node, definitions):
    """The parser of a node: its name, or a list for a union."""
    if "anyOf" in node:
        return [parsers(branch, definitions) for branch in node["anyOf"]]
    named = node.get("type")
    if "$ref" in node:
        return parsers(definitions[node["$ref"].rpartition("/")[2]], definitions)
    if isinstance(named, list):
        return [parsers({"type": name}, definitions) for name in named]
    if named == "string" and not {"enum", "const", "pattern"} & node.keys():
        return "text"
    return named if named in {"array", "object"} else "other"


def on_one_stack(parser):
    """What a union follows on one stack, flat."""
    return [name for part in parser for name in on_one_stack(part)] if isinstance(parser, list) else [parser]


def is_mixed_up(parser, *, at_root):
    """Whether two open texts or two lists share a stack."""
    if not isinstance(parser, list):
        return False
    if not at_root and {"array", "object"} & {part for part in parser if isinstance(part, str)}:
        return any(is_mixed_up(part, at_root=True) for part in parser)
    counts = Counter(on_one_stack(parser))
    return counts["text"] > 1 or counts["array"] > 1


def mixed_up(wire):
    """The unions of a wire that are mixed up."""
    found, definitions = [], wire.get("$defs", {})
    waiting = [(wire, True), *((node, None) for node in definitions.values())]
    while waiting:
        node, at_root = waiting.pop()
        # a branch is part of its union, and a definition is looked at where it is referred to
        if at_root is not None and is_mixed_up(parsers(node, definitions), at_root=at_root):
            found.append(node)
        waiting += [(branch, None) for branch in node.get("anyOf", ())]
        waiting += [(below, False) for below in node.get("properties", {}).values()]
        waiting += [(node["items"], False)] if "items" in node else []
    return found


def test_the_scanner_sees_what_is_mixed_up():
    text, short, null = {"type": "string"}, {"type": "string", "maxLength": 3}, {"type": "null"}
    part = {"type": "object", "properties": {"a": {"anyOf": [text, {"$ref": "#/$defs/t"}]}}}
    assert mixed_up({**part, "$defs": {"t": {"anyOf": [short, null]}}}) == [part["properties"]["a"]]
    assert mixed_up({"type": "object", "properties": {"a": {"anyOf": [text, short, part]}}, "$defs": {"t": null}}) == []
    assert mixed_up({"anyOf": [text, short, {"type": "object"}]})
    assert mixed_up({"type": "array", "items": {"anyOf": [{"anyOf": [text, short]}, {"type": "array"}]}})


@pytest.mark.parametrize("part", PARTS)
def test_no_union_of_real_schemas_is_mixed_up_on_the_wire(part):
    schemas = [*((row["name"], row["schema"]) for row in corpus_part(3, part))]
    schemas += [(tool["name"], tool["inputSchema"]) for tool in mcp_tools()[::part]]
    for name, schema in schemas:
        try:
            wire = convert(schema, TARGET).wire
        except SchemaError:
            continue
        assert mixed_up(wire) == [], name
