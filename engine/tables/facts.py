"""The computed facts that a predicate may ask for beside the keywords of a node.

A fact is declared here, so that a predicate can be checked and indexed at load, and computed by the room
that walks the nodes of its place. Its triggers are keywords of which a node has at least one wherever the
fact is present; a fact without triggers can be present on any node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Fact:
    """One computed fact: what it is called, where it can be asked for, and what it says."""

    name: str
    place: str
    triggers: frozenset[str]
    meaning: str


def _fact(place: str, name: str, triggers: str, meaning: str) -> tuple[str, Fact]:
    return name, Fact(name, place, frozenset(triggers.split()), meaning)


FACTS: Mapping[str, Fact] = dict(
    [
        _fact("schema", "root", "", "true of the root of the schema"),
        _fact(
            "schema",
            "idle-keyword-count",
            "minLength minItems minProperties uniqueItems pattern patternProperties propertyNames dependentRequired"
            " dependentSchemas",
            "how many of these keywords say nothing, such as `minLength: 0`",
        ),
        _fact("schema", "never", "not", "true of a schema that no value fits, such as `false`"),
        _fact("schema", "siblings-of-reference", "$ref", "true where keywords that constrain stand beside `$ref`"),
        _fact("schema", "siblings-of-any-of", "anyOf", "true where keywords that constrain stand beside `anyOf`"),
        _fact("schema", "siblings-of-one-of", "oneOf", "true where keywords that constrain stand beside `oneOf`"),
        _fact("schema", "siblings-of-enum", "enum", "true where keywords that constrain stand beside `enum`"),
        _fact("schema", "siblings-of-const", "const", "true where keywords that constrain stand beside `const`"),
        _fact("schema", "undeclared-required", "required", "how many required properties are not declared"),
        _fact("schema", "open", "properties", "true where `properties` stands and undeclared keys are admitted"),
        _fact("schema", "property-count", "properties", "how many properties are declared"),
        _fact("schema", "optional-property-count", "properties", "how many optional properties are declared"),
        _fact("schema", "required-is-late", "required", "true where a required property stands after an optional one"),
        _fact("schema", "empty-property-name", "properties", "true where a property is declared by the empty name"),
        _fact("schema", "lengths-contradict", "minLength", "true where `minLength` is above `maxLength`"),
        _fact("schema", "item-counts-contradict", "minItems", "true where `minItems` is above `maxItems`"),
        _fact(
            "schema",
            "bounds-contradict",
            "minimum exclusiveMinimum",
            "true where no whole number lies between the bounds",
        ),
        _fact(
            "schema",
            "integer-bound-digits",
            "minimum maximum exclusiveMinimum exclusiveMaximum",
            "the most digits of a bound, where the type names integers",
        ),
        _fact("schema", "tuple-form", "prefixItems", "`exact` for a tuple of one length, else `loose`"),
        _fact("schema", "items-never", "items", "true where no value fits `items`"),
        _fact(
            "schema",
            "item-form",
            "items",
            "what all items are: `text`, `number` without bounds, `object` with declared properties, or `other`",
        ),
        _fact("schema", "enum-size", "enum", "how many values are listed"),
        _fact(
            "schema",
            "narrowed-without-type",
            "properties patternProperties additionalProperties items prefixItems pattern minLength maxLength",
            "true where no type is named and a keyword speaks of values of one type only",
        ),
        _fact("schema", "depth", "", "how many objects and arrays the node stands in, along the first way to it"),
        _fact(
            "schema",
            "stands-in",
            "",
            "the keyword that holds the node, such as `properties`, `items`, `anyOf`, `$defs`; empty for the root",
        ),
        _fact(
            "schema",
            "untyped",
            "",
            "true where no `type` is named and none follows: no `$ref`, `anyOf`, `oneOf`, `allOf` either",
        ),
        _fact("schema", "type-count", "type", "how many types are named"),
        _fact(
            "schema",
            "typed-siblings",
            "type",
            "true where several types besides null are named and a keyword beside them looks at some of them only",
        ),
        _fact(
            "schema",
            "bare-type",
            "type",
            "true where types are named and no other keyword says more of a value; annotations may",
        ),
        _fact(
            "schema",
            "names-null",
            "type anyOf enum",
            "true where null is named: in a list of types, as a whole branch of `anyOf`, or in `enum`",
        ),
        _fact("schema", "recursive", "$ref", "true of a reference to a definition that leads back to itself"),
        _fact("schema", "annotated-reference", "$ref", "true where annotations stand beside `$ref`"),
        _fact("schema", "annotated-union", "anyOf", "true where annotations stand beside `anyOf`"),
        _fact(
            "schema",
            "map",
            "type",
            "of an object without declared properties: `any` or `typed` by its values, `patterned`, or `none` where it"
            " can only be empty",
        ),
        _fact(
            "schema",
            "other-keys",
            "type properties patternProperties additionalProperties",
            "of an object: `silent` on undeclared keys, `any`, `typed` or `none`",
        ),
        _fact(
            "schema",
            "property-name-characters",
            "properties required",
            "the characters of all property names, each once, in the order of code points",
        ),
        _fact("schema", "property-names", "properties required", "the names of all properties, each once"),
        _fact("schema", "longest-property-name", "properties required", "the most characters of a property name"),
        _fact(
            "schema",
            "pattern-is-plain",
            "pattern",
            "true where every engine for regular languages reads the pattern alike: no look-around, no `\\s`, no"
            " anchor in the middle",
        ),
        _fact(
            "schema", "name-patterns-are-plain", "patternProperties", "true where that holds of all patterns of names"
        ),
        _fact("schema", "pattern-count", "patternProperties", "how many patterns of names there are"),
        _fact(
            "schema",
            "name-patterns-are-apart",
            "patternProperties",
            "true where no name fits two patterns of names, as far as their beginnings show it",
        ),
        _fact(
            "schema",
            "declared-name-recurses",
            "patternProperties",
            "true where the name of a property fits a pattern of names whose schema refers to one that leads back to"
            " itself",
        ),
        _fact(
            "schema", "format-asserted", "format", "true where the dialect has this format and says that it is checked"
        ),
        _fact("schema", "any-of-recurses", "anyOf", "true where a branch is a reference that leads back to itself"),
        _fact(
            "schema",
            "bounds-cross",
            "minimum exclusiveMinimum",
            "true where no number at all lies between the bounds",
        ),
        _fact(
            "schema",
            "fractional-bounds",
            "minimum maximum exclusiveMinimum exclusiveMaximum",
            "true where the type is `integer` and a bound is no whole number",
        ),
        _fact(
            "schema",
            "whole-number-count",
            "minimum maximum exclusiveMinimum exclusiveMaximum",
            "how many whole numbers lie between the bounds, where the type is `integer` and both sides have one",
        ),
        _fact("schema", "enum-types", "enum", "the types of the listed values, each once, in alphabetical order"),
        _fact("schema", "const-type", "const", "the type of the one value"),
        _fact("schema", "enum-text-total", "enum", "how many characters the listed texts have together"),
        _fact("schema", "listed-characters", "enum const", "the characters of the texts that are listed, each once"),
        _fact("schema", "enum-longest-text", "enum", "how many characters the longest listed text has"),
        _fact(
            "schema",
            "branch-count",
            "anyOf oneOf allOf",
            "how many branches `anyOf`, `oneOf` and `allOf` have together",
        ),
        _fact(
            "schema",
            "bare-branch-count",
            "anyOf",
            "how many branches of `anyOf` are no more than the name of a type of plain values, a number aside",
        ),
        _fact(
            "schema",
            "text-branch-count",
            "anyOf",
            "how many branches of `anyOf`, and of unions within it, are texts that are neither listed nor of a pattern"
            " that can be said for a whole text without escapes",
        ),
        _fact("schema", "list-branch-count", "anyOf", "how many branches of `anyOf` can be a list"),
        _fact(
            "schema",
            "description-is-repeated",
            "anyOf oneOf",
            "true where a branch has the same description as the union itself",
        ),
        _fact(
            "schema",
            "title-repeats-name",
            "title",
            "true where the title of a property or definition is its name, whatever the signs and capitals",
        ),
        _fact("schema", "branches-overlap", "oneOf", "false where no value can fit two branches, else true"),
        _fact(
            "schema",
            "branches-mix-up",
            "anyOf",
            "true where one branch, said as text, as a list of entries or by positions, could be taken for another",
        ),
        _fact("schema", "branches-nest", "anyOf", "true where a branch, no reference, can be an object or a list"),
        _fact(
            "schema",
            "branches-only-require",
            "anyOf oneOf",
            "true where each branch of `anyOf` and `oneOf` says no more than which keys there have to be",
        ),
        _fact("schema", "tuple-length", "prefixItems", "how many positions are described one by one"),
        _fact("root", "wire", "", "true of the root of what is sent, whatever stands there"),
        _fact(
            "root",
            "open-additional-properties",
            "additionalProperties",
            "true where `additionalProperties` is true or a schema",
        ),
        _fact(
            "root",
            "open-unevaluated-properties",
            "unevaluatedProperties",
            "true where `unevaluatedProperties` is true or a schema",
        ),
        _fact(
            "value",
            "type-spelling",
            "",
            "whether a type is declared: `absent`, `readable`, or `unreadable` where JSON Schema has no such type",
        ),
        _fact(
            "value",
            "admits",
            "type anyOf oneOf",
            "the readable types that are declared, by `type` or by each branch of a union",
        ),
        _fact("value", "null-in-any-of", "anyOf", "true where a branch of `anyOf` names null"),
        _fact("value", "null-in-one-of", "oneOf", "true where a branch of `oneOf` names null"),
        _fact("value", "least", "minimum exclusiveMinimum", "the smallest number that is admitted"),
        _fact("value", "most", "maximum exclusiveMaximum", "the largest number that is admitted"),
        _fact("value", "above", "minimum exclusiveMinimum", "the number that all admitted ones are larger than"),
        _fact("value", "below", "maximum exclusiveMaximum", "the number that all admitted ones are smaller than"),
        _fact("value", "value-kind", "", "the type of the value that came, by its JSON Schema name"),
        _fact("value", "value-text", "", "the value that came, where it is text"),
        _fact("value", "optional", "", "true where the value stands under a key that may be left out"),
        _fact(
            "value",
            "parameter",
            "",
            "the name that the declaration stands under, in small letters with `_` between words",
        ),
        _fact("value", "required-undeclared", "required", "the names in `required` that are not declared beside it"),
        _fact(
            "value",
            "members-of-another-type",
            "enum const",
            "the members of `enum`, and `const`, that the declared type does not admit",
        ),
        _fact("value", "default-misfit", "default", "true where the default does not fit its own declaration"),
        _fact(
            "value",
            "slow-pattern",
            "pattern patternProperties",
            "why a pattern can be slow in an engine that tries one way after another",
        ),
        _fact("call", "missing", "", "a missing key, in small letters with `_` between words"),
    ]
)


@cache
def triggers_at(place: str) -> Mapping[str, frozenset[str]]:
    """The triggers of each fact that can be asked for at a place, by the fact's name."""
    return {fact.name: fact.triggers for fact in FACTS.values() if fact.place == place}
