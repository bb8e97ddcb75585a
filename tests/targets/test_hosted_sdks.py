"""The official SDKs' own helpers as judges: what they would still change in a strict wire is a fault of ours.

They are private or may move, so each test says what it asked. Offline; the extra `sdks` installs them.
"""

import copy

import pytest
from tests.shared_data import corpus, mcp_tools

from toolglot.wire.convert import convert

pytestmark = pytest.mark.heavy


def schemas():
    return [tool["inputSchema"] for tool in mcp_tools()] + [row["schema"] for row in corpus()]


@pytest.mark.parametrize("target", ["openai/strict", "azure/strict"])
def test_the_openai_helper_finds_nothing_to_make_strict(target):
    library = pytest.importorskip("openai.lib._pydantic", reason="NOT TESTED: openai is not installed (extra: sdks)")
    for schema in schemas():
        wire = convert(schema, target).wire
        given = copy.deepcopy(wire)
        assert in_one_order(library._ensure_strict_json_schema(given, path=(), root=given)) == in_one_order(wire)


def test_the_anthropic_helper_finds_nothing_to_take_off():
    anthropic = pytest.importorskip("anthropic", reason="NOT TESTED: anthropic is not installed (extra: sdks)")
    for schema in schemas():
        shown = as_the_helper_reads_it(convert(schema, "anthropic/strict").wire)
        assert anthropic.transform_schema(copy.deepcopy(shown)) == shown


def in_one_order(node):
    """The wire with its `required` sorted: the helper lists the properties in their own order."""
    if isinstance(node, list):
        return [in_one_order(item) for item in node]
    if not isinstance(node, dict):
        return node
    ordered = {key: in_one_order(value) for key, value in node.items()}
    required = ordered.get("required")
    return {**ordered, "required": sorted(required)} if isinstance(required, list) else ordered


def as_the_helper_reads_it(node):
    """The wire without what the documents take and the helper does not know: lists of types, patterns, defaults."""
    if isinstance(node, list):
        return [as_the_helper_reads_it(item) for item in node]
    if not isinstance(node, dict):
        return node
    read = {key: value for key, value in node.items() if key not in {"pattern", "default", "examples"}}
    if read.get("type") == "object":
        read.setdefault("properties", {})
    if "enum" in read or "const" in read:
        read.pop("type", None)
    if isinstance(read.get("type"), list):
        read["anyOf"] = [{"type": name} for name in read.pop("type")]
    for key in ("items", "anyOf"):
        if key in read:
            read[key] = as_the_helper_reads_it(read[key])
    for key in ("properties", "$defs"):
        if key in read:
            read[key] = {name: as_the_helper_reads_it(below) for name, below in read[key].items()}
    return read
