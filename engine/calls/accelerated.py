"""The one seam to `jsonschema-rs` (extra `fast`): where it is installed, it may say yes before our own tests do.

Only its yes counts. A no, an exception, or a schema outside the constructs below goes on to our own tests, so that
the answer is the same with and without it. Its yes is used where it is proven to imply ours:

* the schema has no recursion (a deep value overflows its stack, and the process with it), no pattern, no format, no
  `multipleOf`, no comparison of lists, objects or fractions;
* every keyword acts in one direction: no `not`, `oneOf`, `if` or `maxContains`, by which a value that it knows less
  of (a tuple, a number beyond 64 bits) could pass for that reason;
* a keyword for one type stands beside `type`, so that values of types that it does not know are refused;
* where a number is compared with a bound or a listed value, `number` is asked for by itself: an integer of more digits
  than Python writes out is to it below any maximum and equal to 0; of the types that are named alone, `integer` only.

The tests hold this against the official suite, the corpus, and generated schemas and values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from toolglot.calls.order import LISTS, MAPS, ONE, target
from toolglot.json_values import Json
from toolglot.schemas.forms import Normal, Schema

# Its own compiler recurses, and references are written out: deeper and larger schemas keep to our tests.
_DEEPEST = 40
_LARGEST = 2_000
_SAFE = 2**53
_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
_BOUNDS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"))
_NUMBERS = frozenset(
    (
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        *_BOUNDS,
    )
)
_TYPED = _NUMBERS | {"properties", "additionalProperties", "items", "prefixItems", "required"}
_FREE = frozenset(("type", "enum", "const", "anyOf", "allOf", "$ref"))
_UNEQUAL = frozenset((*ONE, *LISTS, *MAPS, "pattern", "multipleOf", "dependentRequired")) - _TYPED - _FREE


class _Unequal(Exception):  # noqa: N818 - the end of a translation, not a fault
    """The schema holds something that is not proven equal."""


def accelerated(normal: Normal, *, formats: bool) -> Callable[[Json], bool] | None:
    """The quick test whose yes implies ours, or None where there is none."""
    make = _library()
    if make is None or normal.integer_by_spelling:
        return None
    try:
        document = _Plain(normal, formats).schema(normal.root, _DEEPEST)
        test: Callable[[Json], bool] = make(document).is_valid
    except (_Unequal, ValueError):  # the library can't read a text of it, such as half a surrogate pair
        return None
    return test


@cache
def _library() -> Callable[[Json], Any] | None:
    """The library's validators, looked for once: looking for what is not there reads folders each time."""
    try:
        from jsonschema_rs import Draft202012Validator  # noqa: PLC0415 - optional: the extra `fast`
    except ImportError:
        return None
    return cast("Callable[[Json], Any]", Draft202012Validator)


class _Plain:
    """Writes a schema as a plain document, its references written out, of what is proven equal and nothing else."""

    def __init__(self, normal: Normal, formats: bool) -> None:
        self.normal = normal
        self.unequal = _UNEQUAL | {"format"} if formats else _UNEQUAL
        self.left = _LARGEST

    def schema(self, schema: Schema, deepest: int) -> Json:
        """One schema object.

        Raises:
            _Unequal: it can't be written so.
        """
        self.left -= 1
        if len(schema) == 1 and schema.get("not") == {}:
            return False
        if min(self.left, deepest) < 0 or self.unequal.intersection(schema) or schema.get("uniqueItems") is True:
            raise _Unequal
        written = {key: self.value(key, schema[key], deepest - 1) for key in schema if key in _TYPED or key in _FREE}
        if _TYPED.intersection(written) and "type" not in written:
            raise _Unequal
        types = _listed(written.get("type", _TYPES))
        if types != ["number"] and (_BOUNDS.intersection(written) or _lists_integers(written)):
            numbers = dict.fromkeys("number" if name == "integer" else name for name in types)
            written["allOf"] = [*written.get("allOf", []), {"anyOf": [{"type": name} for name in numbers]}]
        referred = target(self.normal, schema)
        if referred is not None:
            del written["$ref"]
            written["allOf"] = [*written.get("allOf", []), self.schema(referred, deepest - 1)]
        return written

    def value(self, keyword: str, value: Json, deepest: int) -> Json:
        """The value of a keyword."""
        if isinstance(value, Schema):
            return self.schema(value, deepest)
        if keyword in LISTS:
            return [self.schema(held, deepest) for held in value]
        if keyword in MAPS:
            return {name: self.schema(held, deepest) for name, held in value.items()}
        compared = value if keyword == "enum" else (value,) if keyword in _NUMBERS or keyword == "const" else ()
        if not all(map(_is_simple, compared)):
            raise _Unequal
        return value


def _listed(types: Json) -> list[str]:
    return [types] if isinstance(types, str) else list(types)


def _lists_integers(schema: dict[str, Json]) -> bool:
    return any(type(value) is int for value in (*schema.get("enum", ()), schema.get("const")))


def _is_simple(value: Json) -> bool:
    """Whether comparing with a value is the same for both: texts, null, and integers that a double holds."""
    if isinstance(value, int):
        return -_SAFE < value < _SAFE
    return value is None or isinstance(value, str)
