"""The verbs that the checks of a call read, and the lint."""

from __future__ import annotations

from collections.abc import Mapping

from toolglot.tables.verb_shapes import (
    TEXT,
    TEXTS,
    Shape,
    Verb,
    always,
    fields,
    is_keyword,
    is_limit,
    is_text,
    verb,
    word,
)

# None of these changes anything, so none touches a keyword.
OF_CALLS: Mapping[str, Verb] = dict(
    [
        verb(
            "root",
            "withhold",
            word("undeclared-keys"),
            "check",
            always(),
            "Names no undeclared key beside a missing one, since the root can declare keys another way.",
        ),
        verb("value", "take", word("null"), "check", always(), "Takes null for a value of the parameter."),
        verb(
            "value",
            "take-digits",
            Shape("a whole number", is_limit),
            "check",
            always(),
            "Takes text of that many digits or more for a number, and leaves it text.",
        ),
        verb(
            "value",
            "bound",
            fields(
                'a table {keyword, side = "low" or "high", open: true or false}',
                keyword=is_keyword,
                side=lambda value: value in ("low", "high"),
                open=lambda value: isinstance(value, bool),
            ),
            "check",
            always(),
            "Refuses a number beyond the keyword's; an open bound refuses that number too.",
        ),
        verb(
            "value",
            "noun",
            fields("a table {type, as: a text}", type=is_keyword, **{"as": is_text}),
            "note",
            always(),
            "Says in words what values of a type are.",
        ),
        verb("value", "say", TEXT, "note", always(), "Says in words what holds of the values; {name} is filled in."),
        verb("value", "parse", word("json"), "same narrowed", always(), "Reads a text as the JSON value it spells."),
        verb("value", "wrap", word("list"), "same narrowed", always(), "Reads a value as a list of this one."),
        verb("value", "omit", word("key"), "same narrowed", always(), "Reads a key as left out."),
        verb("value", "advise", TEXT, "note", always(), "Advises the tool's author; the text is the line to add."),
        verb("call", "suggest", TEXTS, "note", always(), "Names that callers use for one and the same parameter."),
    ]
)
