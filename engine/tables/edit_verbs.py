"""The verbs that say less on the wire, or the same in other words, of a value in the tool's own form."""

from __future__ import annotations

from collections.abc import Mapping

from toolglot.tables.verb_shapes import (
    KEYWORDS,
    PAIR,
    SETTINGS,
    Verb,
    always,
    field_keyword,
    fields,
    is_keyword,
    is_limit,
    named,
    verb,
    word,
)

EDITS: Mapping[str, Verb] = dict(
    [
        verb("schema", "drop", KEYWORDS, "same check narrowed", named, "Takes the keywords off the node."),
        verb(
            "schema",
            "drop-idle",
            KEYWORDS,
            "same",
            always(),
            "Takes those of the keywords off the node beside which every value fits, such as `minLength: 0`.",
        ),
        verb(
            "schema",
            "set",
            SETTINGS,
            "same check narrowed",
            named,
            "Gives the keywords these values; a subschema may be true or false.",
        ),
        verb(
            "schema",
            "cap",
            fields("a table {keyword, at: a whole number}", keyword=is_keyword, at=is_limit),
            "same check narrowed",
            field_keyword,
            "Brings a bound down to the number.",
        ),
        verb(
            "schema", "note", KEYWORDS, "note narrowed", always(), "Leaves the keywords as they are, and reports them."
        ),
        verb(
            "schema",
            "merge",
            word("allOf"),
            "same check narrowed",
            always("allOf"),
            "Merges the branches into the node.",
        ),
        verb(
            "schema",
            "distribute",
            word("anyOf", "oneOf"),
            "same check narrowed",
            named,
            "Merges the node's other keywords into each branch.",
        ),
        verb(
            "schema",
            "follow",
            word("$ref"),
            "same check narrowed",
            named,
            "Merges what the reference means with its siblings.",
        ),
        verb(
            "schema",
            "filter",
            word("enum", "const"),
            "same check",
            named,
            "Keeps the listed values that the siblings admit, and takes the siblings off.",
        ),
        verb(
            "schema",
            "order",
            word("required-first"),
            "same",
            always("properties"),
            "Lists the required properties before the others.",
        ),
        verb(
            "schema",
            "declare",
            word("required"),
            "same check narrowed",
            always("properties", "required"),
            "Declares the required properties that are not declared.",
        ),
        verb("schema", "tighten", PAIR, "same check narrowed", named, "Makes contradictory bounds say what they mean."),
        verb(
            "schema",
            "rewrite",
            fields(
                'a table {keyword = "pattern" or "patternProperties", as = "json-text" or "plain" or "unescaped"}',
                **{
                    "keyword": lambda value: value in ("pattern", "patternProperties"),
                    "as": lambda value: value in ("json-text", "plain", "unescaped"),
                },
            ),
            "same check narrowed",
            field_keyword,
            "Says the pattern in the subset that cannot leave a JSON string (`json-text`), that engines for regular"
            " languages read alike (`plain`), or for a whole text that has no escapes (`unescaped`); where there is no"
            " such form, takes it off, or folds `patternProperties`.",
        ),
        verb(
            "schema",
            "lengths-as-pattern",
            KEYWORDS,
            "same check narrowed",
            named,
            "Says the lengths (`minLength`, `maxLength`) as a pattern of that many characters of any kind; beside a"
            " pattern takes them off.",
        ),
        verb(
            "schema",
            "spread",
            word("prefixItems", "items"),
            "same check narrowed",
            always("prefixItems", "items", "minItems", "maxItems"),
            "Says a tuple as a choice of tuples of fixed length, or as a list of any of its items; with the option"
            " `items`, always as a list.",
        ),
        verb(
            "schema",
            "fold",
            word("patternProperties"),
            "same check narrowed",
            always("patternProperties", "additionalProperties"),
            "Says the keys of patterns as additional ones, with a value of any of the patterns' schemas.",
        ),
        verb(
            "schema",
            "slot",
            word("additionalProperties", "text", "required-text"),
            "encode",
            always("properties", "additionalProperties"),
            "Closes the object and keeps the undeclared keys that it admits in one property of their own; with `text`,"
            " those that may be any as one text of JSON, which is there always, if empty, with `required-text`.",
            "unslot",
        ),
        verb(
            "schema",
            "shield",
            word("root", "reference"),
            "same",
            always(),
            "Says the root (or a reference, with its annotations outside) as the one branch of an `anyOf`.",
        ),
    ]
)
