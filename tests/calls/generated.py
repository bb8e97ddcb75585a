"""Generated schemas (2020-12) and values that have a chance to fit them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "c", "a-b", "A", "", "\n", "é"])
PATTERNS = st.sampled_from(["^a", "b$", "^[a-c]+$", "", "."])
TYPES = st.sampled_from(["object", "array", "string", "number", "integer", "boolean", "null"])
COUNTS = st.integers(0, 3)
NUMBERS = st.one_of(st.integers(-4, 4), st.sampled_from([0.5, -1.5, 2.0, 1e3, 2**53, 10**20]))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, st.sampled_from(["", "a", "ab", "abc", "c", "é", "\n"]))
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=8,
)


def _some(most: int, keywords: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects of a few of the keywords: far fewer draws than asking for each whether it is there."""
    pairs = st.one_of([st.tuples(st.just(name), values) for name, values in keywords.items()])
    return st.lists(pairs, min_size=1, max_size=most).map(dict)


NAME_LISTS = st.lists(NAMES, max_size=2, unique=True)
LEAVES = {
    "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
    "minimum": NUMBERS,
    "exclusiveMaximum": NUMBERS,
    "multipleOf": st.sampled_from([1, 2, 0.5, 0.1, 3]),
    "minLength": COUNTS,
    "maxLength": COUNTS,
    "pattern": PATTERNS,
    "minItems": COUNTS,
    "maxItems": COUNTS,
    "uniqueItems": st.booleans(),
    "minProperties": COUNTS,
    "maxProperties": COUNTS,
    "required": NAME_LISTS,
    "dependentRequired": st.dictionaries(NAMES, NAME_LISTS, max_size=2),
    "enum": st.lists(VALUES, min_size=1, max_size=3),
    "const": VALUES,
    "$ref": st.sampled_from(["#", "#/$defs/d", "#/$defs/e"]),
}
SIMPLE = st.one_of(st.booleans(), TYPES.map(lambda name: {"type": name}), _some(2, LEAVES))


def _held(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    by_name = st.dictionaries(NAMES, inner, max_size=3)
    return _some(
        4,
        LEAVES
        | {
            "properties": by_name,
            "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
            "additionalProperties": inner,
            "propertyNames": inner,
            "prefixItems": several,
            "items": inner,
            "contains": inner,
            "minContains": COUNTS,
            "maxContains": COUNTS,
            "allOf": several,
            "anyOf": several,
            "oneOf": several,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "dependentSchemas": by_name,
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
        },
    )


SUBSCHEMAS = st.recursive(SIMPLE, _held, max_leaves=6)


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:
    """A root schema, with the definitions that its references name."""
    root = draw(SUBSCHEMAS)
    body = root if isinstance(root, dict) else {"allOf": [root]}
    return {**body, "$defs": {"d": draw(SUBSCHEMAS), "e": draw(SUBSCHEMAS)}}
