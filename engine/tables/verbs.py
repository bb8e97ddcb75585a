"""The verbs: every kind of edit that a rule may ask for.

A verb is declared here, once, and implemented in the room that it acts in. To add one, add an entry to
`VERBS`: its name, where it acts, what its options look like, what may become of the meaning, which keywords
of the node it reads or changes (two rules that touch one keyword need an `after`), and the name of its
inverse on a call if a call has to be turned back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from toolglot.json_values import Json

Touch = Callable[[Json], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a verb's options look like: in words, and as a test."""

    wanted: str
    fits: Callable[[Json], bool]


@dataclass(frozen=True, slots=True)
class Verb:
    """One kind of edit.

    Attributes:
        name: the key in a rule's `do`.
        places: where it can act.
        options: the shape of its options.
        keeps: what may become of the meaning.
        touches: the keywords of the node that it reads or changes, given its options.
        inverse: the name of what turns a call back, or None where a call needs nothing.
        meaning: what it does, in one sentence.
    """

    name: str
    places: frozenset[str]
    options: Shape
    keeps: frozenset[str]
    touches: Touch
    inverse: str | None
    meaning: str


# Shapes of options --------------------------------------------------------------------------------

_KEYWORD = re.compile(r"\$?[A-Za-z][A-Za-z0-9-]*\Z")


def _is_keyword(value: Json) -> bool:
    return isinstance(value, str) and _KEYWORD.match(value) is not None


def _is_limit(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Json) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_keyword_list(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_keyword, value)) and len(set(value)) == len(value)


def word(*choices: str) -> Shape:
    """Options that are one of a few words."""
    return Shape(" or ".join(f'"{choice}"' for choice in choices), lambda value: value in choices)


def fields(wanted: str, **shapes: Callable[[Json], bool]) -> Shape:
    """Options that are a table of exactly these fields."""

    def fits(value: Json) -> bool:
        return (
            isinstance(value, dict)
            and value.keys() == shapes.keys()
            and all(is_right(value[name]) for name, is_right in shapes.items())
        )

    return Shape(wanted, fits)


KEYWORDS = Shape("a keyword or a list of keywords", lambda value: _is_keyword(value) or _is_keyword_list(value))
TEXT = Shape("a text", _is_text)
TEXTS = Shape("a list of texts", lambda value: isinstance(value, list) and bool(value) and all(map(_is_text, value)))
PAIR = Shape("a list of two keywords, the lower bound first", lambda value: _is_keyword_list(value) and len(value) == 2)
SETTINGS = Shape(
    "a table from keywords to values",
    lambda value: isinstance(value, dict) and bool(value) and all(map(_is_keyword, value)),
)


# What is touched ----------------------------------------------------------------------------------


def always(*keywords: str) -> Touch:
    """Touches these keywords, whatever the options."""
    touched = frozenset(keywords)
    return lambda _options: touched


def named(options: Json) -> frozenset[str]:
    """Touches the keywords that the options name: a word, a list, the keys of a table."""
    return frozenset({options} if isinstance(options, str) else options)


def field_keyword(options: Json) -> frozenset[str]:
    """Touches the keyword in the options' field `keyword`."""
    return frozenset({options["keyword"]})


# What runs when no other rule of a node fires any more.
LATE = frozenset({"strip"})


# The table ----------------------------------------------------------------------------------------


def _verb(  # noqa: PLR0913, PLR0917 - an entry of the table below has this many columns
    place: str, name: str, options: Shape, keeps: str, touches: Touch, meaning: str, inverse: str | None = None
) -> tuple[str, Verb]:
    return name, Verb(name, frozenset(place.split()), options, frozenset(keeps.split()), touches, inverse, meaning)


VERBS: Mapping[str, Verb] = dict(
    [
        _verb("schema", "drop", KEYWORDS, "same check narrowed", named, "Takes the keywords off the node."),
        _verb(
            "schema",
            "set",
            SETTINGS,
            "same check narrowed",
            named,
            "Gives the keywords these values; a subschema may be true or false.",
        ),
        _verb(
            "schema",
            "cap",
            fields("a table {keyword, at: a whole number}", keyword=_is_keyword, at=_is_limit),
            "same check narrowed",
            field_keyword,
            "Brings a bound down to the number.",
        ),
        _verb(
            "schema", "note", KEYWORDS, "note narrowed", always(), "Leaves the keywords as they are, and reports them."
        ),
        _verb(
            "schema",
            "merge",
            word("allOf"),
            "same check narrowed",
            always("allOf"),
            "Merges the branches into the node.",
        ),
        _verb(
            "schema",
            "distribute",
            word("anyOf", "oneOf"),
            "same check narrowed",
            named,
            "Merges the node's other keywords into each branch.",
        ),
        _verb(
            "schema",
            "follow",
            word("$ref"),
            "same check narrowed",
            named,
            "Merges what the reference means with its siblings.",
        ),
        _verb(
            "schema",
            "filter",
            word("enum", "const"),
            "same check",
            named,
            "Keeps the listed values that the siblings admit, and takes the siblings off.",
        ),
        _verb(
            "schema",
            "order",
            word("required-first"),
            "same",
            always("properties"),
            "Lists the required properties before the others.",
        ),
        _verb(
            "schema",
            "declare",
            word("required"),
            "same check narrowed",
            always("properties", "required"),
            "Declares the required properties that are not declared.",
        ),
        _verb(
            "schema", "tighten", PAIR, "same check narrowed", named, "Makes contradictory bounds say what they mean."
        ),
        _verb(
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
        _verb(
            "schema",
            "lengths-as-pattern",
            KEYWORDS,
            "same check narrowed",
            named,
            "Says the lengths (`minLength`, `maxLength`) as a pattern of that many characters of any kind; beside a"
            " pattern takes them off.",
        ),
        _verb(
            "schema",
            "spread",
            word("prefixItems", "items"),
            "same check narrowed",
            always("prefixItems", "items", "minItems", "maxItems"),
            "Says a tuple as a choice of tuples of fixed length, or as a list of any of its items; with the option"
            " `items`, always as a list.",
        ),
        _verb(
            "schema",
            "fold",
            word("patternProperties"),
            "same check narrowed",
            always("patternProperties", "additionalProperties"),
            "Says the keys of patterns as additional ones, with a value of any of the patterns' schemas.",
        ),
        _verb(
            "schema",
            "slot",
            word("additionalProperties", "text", "required-text"),
            "encode",
            always("properties", "additionalProperties"),
            "Closes the object and keeps the undeclared keys that it admits in one property of their own; with `text`,"
            " those that may be any as one text of JSON, which is there always, if empty, with `required-text`.",
            "unslot",
        ),
        _verb(
            "schema",
            "shield",
            word("root", "reference"),
            "same",
            always(),
            "Says the root (or a reference, with its annotations outside) as the one branch of an `anyOf`.",
        ),
        # Encodings, and other spellings of the same. Each wants the node's structure settled: let them come `after` the
        # rows that merge, follow and distribute.
        _verb(
            "schema",
            "require-nullable",
            word("any-of", "type-list", "bare-type-list", "nullable"),
            "encode narrowed",
            always("properties", "required"),
            "Requires each optional property, and takes null for an absent one; where null itself is legal, a value of"
            " another type stands for absent. The option is how null is said; a list of types is bare where no other"
            " keyword may stand beside it, and no truth value may be listed.",
            "absent",
        ),
        _verb(
            "schema",
            "entries",
            word("additionalProperties"),
            "encode narrowed",
            always("properties", "patternProperties", "additionalProperties", "propertyNames"),
            "Says an object as a list of {key, value}; beside declared properties, `slot` comes first.",
            "entries",
        ),
        _verb(
            "schema",
            "number-positions",
            word("prefixItems"),
            "encode narrowed",
            always("prefixItems", "items", "minItems", "maxItems"),
            "Says a tuple as an object whose keys are the positions; further items are a list under `rest`.",
            "positions",
        ),
        _verb(
            "schema",
            "as-texts",
            word("enum", "const"),
            "encode narrowed",
            named,
            "Says the listed values that are no texts as texts.",
            "texts",
        ),
        _verb(
            "schema",
            "unescape",
            word("enum", "const"),
            "encode narrowed",
            named,
            "Says the listed texts that JSON spells with a backslash with other signs in place of those.",
            "texts",
        ),
        _verb(
            "schema",
            "one-value-enum",
            word("const", "enum"),
            "same",
            always("const", "enum"),
            "Says `const` as an `enum` of one value; with the option `enum`, an `enum` of one value as `const`.",
        ),
        _verb(
            "schema",
            "shift-bounds",
            word("integer"),
            "same",
            always("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
            "Says the exclusive bounds of an integer as inclusive ones.",
        ),
        _verb(
            "schema",
            "alias-names",
            fields("a table {pattern: a text, longest: a whole number}", pattern=_is_text, longest=_is_limit),
            "encode narrowed",
            always("properties", "required"),
            "Gives the properties whose names are longer or do not match the pattern other names.",
            "aliases",
        ),
        _verb(
            "schema",
            "wrap-root",
            TEXT,
            "encode narrowed",
            always(),
            "Says the root as the one property of an object; the option is the property's name.",
            "unwrap",
        ),
        _verb(
            "schema",
            "inline",
            fields("a table {depth: a whole number}", depth=_is_limit),
            "encode same narrowed",
            always("$ref"),
            "Puts what the reference means in its place; a definition inside itself so many times, and one for which"
            " there is no room, becomes JSON text.",
            "json-text",
        ),
        _verb(
            "schema",
            "as-json-text",
            word("value"),
            "encode narrowed",
            always(),
            "Says any value as a text that holds its JSON.",
            "json-text",
        ),
        _verb(
            "schema",
            "as-number-text",
            word("type"),
            "encode narrowed",
            always("type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern"),
            "Says a number as a text that holds its JSON, of a pattern that holds its bounds as far as digits can.",
            "number-text",
        ),
        _verb(
            "schema",
            "list-range",
            word("integer"),
            "same",
            always("type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "enum"),
            "Says the bounds of an integer as the list of the whole numbers between them.",
        ),
        _verb(
            "schema",
            "split-types",
            word("type"),
            "same",
            named,
            "Says a list of types as an `anyOf`, each type with the keywords that look at it.",
        ),
        _verb(
            "schema",
            "nullable-mark",
            word("nullable"),
            "same",
            always("type", "anyOf", "enum"),
            "Says the type null (and a branch that is only null) as `nullable: true`.",
        ),
        _verb(
            "schema",
            "name-type",
            word("members", "any"),
            "same",
            always("type"),
            "Names the types of the listed values; with the option `any`, all types.",
        ),
        _verb(
            "schema",
            "unmark-one-of",
            word("oneOf"),
            "same check",
            always("oneOf", "anyOf"),
            "Says `oneOf` as `anyOf`; where the branches cannot overlap, this means the same.",
        ),
        _verb(
            "schema",
            "strip",
            KEYWORDS,
            "same check narrowed",
            always(),
            "Takes every keyword off the node but these; it runs when no other rule fires any more.",
        ),
        _verb(
            "schema",
            "sink",
            KEYWORDS,
            "same",
            named,
            "Moves annotations from beside an `anyOf` into its first branch that has none of them; `nullable` into the"
            " first that says a type.",
        ),
        # A row at the root looks at the root of the wire, as the edits of nodes leave it; its own is of the whole wire.
        _verb(
            "root",
            "rename",
            word("definitions"),
            "same",
            always("$defs"),
            "Gives the definitions names that belong to this schema alone.",
        ),
        # How the finished wire is written. These come last, whatever the order of rows.
        _verb(
            "root",
            "spell-types",
            word("upper-case"),
            "same",
            always("type"),
            "Writes the names of types in capital letters.",
        ),
        _verb(
            "root",
            "spell-bounds",
            word("boolean"),
            "same",
            always("exclusiveMinimum", "exclusiveMaximum"),
            "Writes an exclusive bound as `minimum` (or `maximum`) with `exclusiveMinimum: true` beside it.",
        ),
        _verb(
            "root",
            "spell-never",
            word("false"),
            "same",
            always("not"),
            "Writes `false` for each subschema that nothing fits.",
        ),
        _verb(
            "root",
            "spell-definitions",
            word("definitions"),
            "same",
            always("definitions"),
            "Writes `definitions` for `$defs`.",
        ),
        # What the checks of a call read. None of these changes anything, so none touches a keyword.
        _verb(
            "root",
            "withhold",
            word("undeclared-keys"),
            "check",
            always(),
            "Names no undeclared key beside a missing one, since the root can declare keys another way.",
        ),
        _verb("value", "take", word("null"), "check", always(), "Takes null for a value of the parameter."),
        _verb(
            "value",
            "take-digits",
            Shape("a whole number", _is_limit),
            "check",
            always(),
            "Takes text of that many digits or more for a number, and leaves it text.",
        ),
        _verb(
            "value",
            "bound",
            fields(
                'a table {keyword, side = "low" or "high", open: true or false}',
                keyword=_is_keyword,
                side=lambda value: value in ("low", "high"),
                open=lambda value: isinstance(value, bool),
            ),
            "check",
            always(),
            "Refuses a number beyond the keyword's; an open bound refuses that number too.",
        ),
        _verb(
            "value",
            "noun",
            fields("a table {type, as: a text}", type=_is_keyword, **{"as": _is_text}),
            "note",
            always(),
            "Says in words what values of a type are.",
        ),
        _verb("value", "say", TEXT, "note", always(), "Says in words what holds of the values; {name} is filled in."),
        _verb("value", "parse", word("json"), "same narrowed", always(), "Reads a text as the JSON value it spells."),
        _verb("value", "wrap", word("list"), "same narrowed", always(), "Reads a value as a list of this one."),
        _verb("value", "omit", word("key"), "same narrowed", always(), "Reads a key as left out."),
        _verb("value", "advise", TEXT, "note", always(), "Advises the tool's author; the text is the line to add."),
        _verb("call", "suggest", TEXTS, "note", always(), "Names that callers use for one and the same parameter."),
    ]
)
