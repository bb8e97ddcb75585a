"""The verbs that say a value in another form, and those that say the same in another spelling."""

from __future__ import annotations

from collections.abc import Mapping

from toolglot.tables.verb_shapes import KEYWORDS, TEXT, Verb, always, fields, is_limit, is_text, named, verb, word

# Each wants the node's structure settled: let them come `after` the rows that merge, follow and distribute.
ENCODINGS: Mapping[str, Verb] = dict(
    [
        verb(
            "schema",
            "require-nullable",
            word("any-of", "type-list", "bare-type-list", "nullable"),
            "encode narrowed",
            always("properties", "required"),
            "Requires each optional property, and takes null for an absent one; where null itself is legal, a value of"
            " another type stands for absent. The option is how null is said; a list of types is bare where no other"
            " keyword may stand beside it, and no truth value may be listed. Where null would be a branch of a union, a"
            " list of texts has the text `null` instead.",
            "absent",
        ),
        verb(
            "schema",
            "entries",
            word("additionalProperties"),
            "encode narrowed",
            always("properties", "patternProperties", "additionalProperties", "propertyNames"),
            "Says an object as a list of {key, value}; beside declared properties, `slot` comes first.",
            "entries",
        ),
        verb(
            "schema",
            "number-positions",
            word("prefixItems"),
            "encode narrowed",
            always("prefixItems", "items", "minItems", "maxItems"),
            "Says a tuple as an object whose keys are the positions; further items are a list under `rest`.",
            "positions",
        ),
        verb(
            "schema",
            "as-texts",
            word("enum", "const"),
            "encode narrowed",
            named,
            "Says the listed values that are no texts as texts.",
            "texts",
        ),
        verb(
            "schema",
            "unescape",
            word("enum", "const"),
            "encode narrowed",
            named,
            "Says the listed texts that JSON spells with a backslash with other signs in place of those.",
            "texts",
        ),
        verb(
            "schema",
            "one-value-enum",
            word("const", "enum"),
            "same",
            always("const", "enum"),
            "Says `const` as an `enum` of one value; with the option `enum`, an `enum` of one value as `const`.",
        ),
        verb(
            "schema",
            "shift-bounds",
            word("integer"),
            "same",
            always("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
            "Says the exclusive bounds of an integer as inclusive ones.",
        ),
        verb(
            "schema",
            "alias-names",
            fields("a table {pattern: a text, longest: a whole number}", pattern=is_text, longest=is_limit),
            "encode narrowed",
            always("properties", "required"),
            "Gives the properties whose names are longer or do not match the pattern other names.",
            "aliases",
        ),
        verb(
            "schema",
            "wrap-root",
            TEXT,
            "encode narrowed",
            always(),
            "Says the root as the one property of an object; the option is the property's name.",
            "unwrap",
        ),
        verb(
            "schema",
            "inline",
            fields("a table {depth: a whole number}", depth=is_limit),
            "encode same narrowed",
            always("$ref"),
            "Puts what the reference means in its place; a definition inside itself so many times, and one for which"
            " there is no room, becomes JSON text.",
            "json-text",
        ),
        verb(
            "schema",
            "as-json-text",
            word("value"),
            "encode narrowed",
            always(),
            "Says any value as a text that holds its JSON.",
            "json-text",
        ),
        verb(
            "schema",
            "as-number-text",
            word("type"),
            "encode narrowed",
            always("type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern"),
            "Says a number as a text that holds its JSON, of a pattern that holds its bounds as far as digits can.",
            "number-text",
        ),
        verb(
            "schema",
            "list-range",
            word("integer"),
            "same",
            always("type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "enum"),
            "Says the bounds of an integer as the list of the whole numbers between them.",
        ),
        verb(
            "schema",
            "split-types",
            word("type"),
            "same",
            named,
            "Says a list of types as an `anyOf`, each type with the keywords that look at it.",
        ),
        verb(
            "schema",
            "list-types",
            word("anyOf"),
            "same",
            always("anyOf", "type"),
            "Says a union of bare types as a list of them; of a larger union, its bare types as one branch.",
        ),
        verb(
            "schema",
            "join-texts",
            word("anyOf"),
            "same check",
            always("anyOf"),
            "Says the open texts of a union (not listed, nor of a pattern with a form for a whole text) as one, that"
            " admits what any of them does; texts of unions within it count too.",
        ),
        verb(
            "schema",
            "nullable-mark",
            word("nullable"),
            "same",
            always("type", "anyOf", "enum"),
            "Says the type null (and a branch that is only null) as `nullable: true`.",
        ),
        verb(
            "schema",
            "name-type",
            word("members", "any"),
            "same",
            always("type"),
            "Names the types of the listed values; with the option `any`, all types.",
        ),
        verb(
            "schema",
            "unmark-one-of",
            word("oneOf"),
            "same check",
            always("oneOf", "anyOf"),
            "Says `oneOf` as `anyOf`; where the branches cannot overlap, this means the same.",
        ),
        verb(
            "schema",
            "strip",
            KEYWORDS,
            "same check narrowed",
            always(),
            "Takes every keyword off the node but these; it runs when no other rule fires any more.",
        ),
        verb(
            "schema",
            "sink",
            KEYWORDS,
            "same",
            named,
            "Moves annotations from beside an `anyOf` into its first branch that has none of them; `nullable` into the"
            " first that says a type.",
        ),
        verb(
            "schema",
            "say-once",
            KEYWORDS,
            "same",
            always(),
            "Takes annotations off the branches of a union where the union says the same of itself.",
        ),
    ]
)

# A row at the root looks at the root of the wire, as the edits of nodes leave it; its own edit is of the whole wire.
# How it is written comes last, whatever the order of rows.
OF_THE_WHOLE: Mapping[str, Verb] = dict(
    [
        verb(
            "root",
            "rename",
            word("definitions"),
            "same",
            always("$defs"),
            "Gives the definitions names that belong to this schema alone.",
        ),
        verb(
            "root",
            "spell-types",
            word("upper-case"),
            "same",
            always("type"),
            "Writes the names of types in capital letters.",
        ),
        verb(
            "root",
            "spell-bounds",
            word("boolean"),
            "same",
            always("exclusiveMinimum", "exclusiveMaximum"),
            "Writes an exclusive bound as `minimum` (or `maximum`) with `exclusiveMinimum: true` beside it.",
        ),
        verb(
            "root",
            "spell-never",
            word("false"),
            "same",
            always("not"),
            "Writes `false` for each subschema that nothing fits.",
        ),
        verb(
            "root",
            "spell-definitions",
            word("definitions"),
            "same",
            always("definitions"),
            "Writes `definitions` for `$defs`.",
        ),
    ]
)
