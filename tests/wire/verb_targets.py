"""Targets made for tests: one per verb, and some that need all of them, as the hosted providers' strict surfaces do."""

import json

from toolglot.tables.loader import read_table
from toolglot.tables.ruleset import assemble

TARGET = """
[target."{0}"]
title = "a target made for tests"
envelope = "schema"
why = "tests"
source = ["tests"]
seen = 2026-11-30
"""
RULE = """
[rule.{name}]
at = "{at}"
when = {when}
do = {do}
keep = "{keep}"
hazard = "rejects"
after = {after}
why = "tests"
source = ["tests"]
seen = 2026-11-30
proof = "report"

[[rule.{name}.example]]
name = "fires"
given = '{{"title": "t"}}'
gives = '{{}}'

[[rule.{name}.example]]
name = "does not"
given = '{{}}'
"""

# (name, when, do, keep); each comes after those before it.
SETTLING = [
    ("all-of", "has allOf", '{ merge = "allOf" }', "check"),
    ("reference-siblings", "siblings-of-reference is true", '{ follow = "$ref" }', "check"),
    ("any-of-siblings", "siblings-of-any-of is true", '{ distribute = "anyOf" }', "check"),
    ("one-of-siblings", "siblings-of-one-of is true", '{ distribute = "oneOf" }', "check"),
    ("one-of", "has oneOf", '{ unmark-one-of = "oneOf" }', "check"),
    ("conditions", "has if", '{ drop = ["if", "then", "else"] }', "check"),
    ("negation", "has not and not never is true", '{ drop = "not" }', "check"),
    ("const", "has const", '{ one-value-enum = "const" }', "same"),
    ("enum-siblings", "siblings-of-enum is true", '{ filter = "enum" }', "check"),
    (
        "dependent",
        "has dependentSchemas or has dependentRequired",
        '{ drop = ["dependentSchemas", "dependentRequired"] }',
        "check",
    ),
    ("contains", "has contains", '{ drop = ["contains", "minContains", "maxContains"] }', "check"),
    (
        "unevaluated",
        "has unevaluatedProperties or has unevaluatedItems",
        '{ drop = ["unevaluatedProperties", "unevaluatedItems"] }',
        "check",
    ),
]
STRICT = [
    *SETTLING,
    ("root", 'root is true and not type is "object"', '{ wrap-root = "value" }', "encode"),
    ("recursion", "recursive is true", "{ inline = { depth = 2 } }", "encode"),
    ("any", "untyped is true and not has enum", '{ as-json-text = "value" }', "encode"),
    ("types", "typed-siblings is true", '{ split-types = "type" }', "same"),
    ("open", "open is true and property-count > 0", '{ slot = "additionalProperties" }', "encode"),
    ("map", 'map in ["any", "typed", "patterned"]', '{ entries = "additionalProperties" }', "encode"),
    ("tuple", "has prefixItems", '{ number-positions = "prefixItems" }', "encode"),
    ("untexts", 'has enum and not enum-types is ["string"]', '{ as-texts = "enum" }', "encode"),
    ("enum-type", "has enum and not has type", '{ name-type = "members" }', "same"),
    ("undeclared", "undeclared-required > 0", '{ declare = "required" }', "same"),
    ("optional", "optional-property-count > 0", '{ require-nullable = "any-of" }', "encode"),
    (
        "names",
        (
            'property-name-characters matches "[^a-zA-Z0-9_-]" or longest-property-name > 24'
            " or empty-property-name is true"
        ),
        "{ alias-names = { pattern = '^[a-zA-Z0-9_-]{1,24}$', longest = 24 } }",
        "encode",
    ),
    (
        "whole",
        'type is "integer" and (has exclusiveMinimum or has exclusiveMaximum)',
        '{ shift-bounds = "integer" }',
        "same",
    ),
    ("items", 'type is "array" and not has items', "{ set = { items = {} } }", "same"),
    (
        "rest",
        "not root is true or root is true",
        (
            '{ strip = ["type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "$ref",'
            ' "title", "description", "minItems", "maxItems", "minimum", "maximum", "pattern"] }'
        ),
        "check",
    ),
]
NULLABLE = [
    *SETTLING,
    ("root", 'root is true and not type is "object"', '{ wrap-root = "value" }', "encode"),
    ("inline", 'has "$ref"', "{ inline = { depth = 2 } }", "encode"),
    ("typed", "untyped is true and not has enum", '{ name-type = "any" }', "same"),
    (
        "untexts",
        'has enum and not enum-types is ["string"] and not enum-types is ["null", "string"]',
        '{ as-texts = "enum" }',
        "encode",
    ),
    ("tuple", "has prefixItems", '{ number-positions = "prefixItems" }', "encode"),
    ("nulls", "names-null is true", '{ nullable-mark = "nullable" }', "same"),
    ("types", "type-count > 1", '{ split-types = "type" }', "same"),
    ("open", "open is true and property-count > 0", '{ slot = "additionalProperties" }', "encode"),
    ("map", 'map in ["any", "typed", "patterned", "none"]', '{ entries = "additionalProperties" }', "encode"),
    ("deep", 'depth > 4 and (type is "object" or type is "array")', '{ as-json-text = "value" }', "encode"),
]
SINGLE = {
    "slot": [("open", "open is true and property-count > 0", '{ slot = "additionalProperties" }', "encode")],
    **{
        f"slot-{how}": [("open", "open is true and property-count > 0", f'{{ slot = "{how}" }}', "encode")]
        for how in ("text", "required-text")
    },
    "entries": [
        ("map", 'map in ["any", "typed", "patterned", "none"]', '{ entries = "additionalProperties" }', "encode")
    ],
    "entries-all": [
        ("map", 'type is "object" or type holds "object"', '{ entries = "additionalProperties" }', "encode")
    ],
    "number-positions": [("tuple", "has prefixItems", '{ number-positions = "prefixItems" }', "encode")],
    "as-texts": [
        ("texts", "has enum", '{ as-texts = "enum" }', "encode"),
        ("one-text", "has const", '{ as-texts = "const" }', "encode"),
    ],
    "alias-names": [
        (
            "names",
            "longest-property-name >= 0",
            "{ alias-names = { pattern = '^[a-z0-9_]{1,4}$', longest = 4 } }",
            "encode",
        )
    ],
    "wrap-root": [("wrapped", "root is true", '{ wrap-root = "value" }', "encode")],
    "inline": [("inlined", 'has "$ref"', "{ inline = { depth = 2 } }", "encode")],
    "as-json-text": [("texted", "depth is 1", '{ as-json-text = "value" }', "encode")],
    "split-types": [("split", "type-count > 1", '{ split-types = "type" }', "same")],
    "list-types": [("listed", "bare-branch-count > 1 and not has type", '{ list-types = "anyOf" }', "same")],
    "join-texts": [("joined", "text-branch-count > 1", '{ join-texts = "anyOf" }', "check")],
    "say-once": [("said", "has anyOf", '{ say-once = ["description", "title", "default"] }', "same")],
    "one-of": [("unmarked", "has oneOf", '{ unmark-one-of = "oneOf" }', "check")],
    "const": [("one-value", "has const", '{ one-value-enum = "const" }', "same")],
    "unpatterned": [("pattern", "has pattern", '{ drop = "pattern" }', "check")],
    **{
        f"require-{how}": [("optional", "optional-property-count > 0", f'{{ require-nullable = "{how}" }}', "encode")]
        for how in ("any-of", "type-list", "bare-type-list", "nullable")
    },
}
TARGETS = {"strict": STRICT, "nullable": NULLABLE, **SINGLE}


def rules(name):
    """The target of that name as `convert_normal` takes it."""
    text, before = TARGET.format(name), []
    for rule, when, do, keep in TARGETS[name]:
        text += RULE.format(
            name=f"t-{rule}", at="schema", when=json.dumps(when), do=do, keep=keep, after=json.dumps(before)
        )
        before = [*before, f"t-{rule}"]
    return assemble([read_table(text, name)]).target(name)
