"""What the shape of a node decides of its facts, before the node is looked into.

The shape is which keywords the node has, which types it names and whether it is the root. Real schemas have a few
dozen shapes, so what is foreseen of one is kept (see `target_rules`), and most rules never look at most nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from toolglot.json_values import Json
from toolglot.tables.keywords import constraints

UNSEEN = object()  # the fact depends on more than the shape


class Shape(NamedTuple):
    """The shape of a node.

    Attributes:
        present: the keywords that it has, of those that are asked for.
        named: the value of `type`, a list as a tuple; None where there is none.
        root: whether it is the root; None where that is not known.
    """

    present: frozenset[str]
    named: Json = None
    root: bool | None = None

    @property
    def types(self) -> tuple[str, ...] | None:
        """The types that are named; None where none are, or where they can't be read."""
        named = self.named
        return named if isinstance(named, tuple) else (named,) if isinstance(named, str) else None


Foresight = Callable[[Shape], Json]

_TYPING = frozenset(("type", "$ref", "anyOf", "oneOf", "allOf"))
_OBJECT_KEYWORDS = frozenset(("properties", "patternProperties", "additionalProperties"))
_SHAPING = frozenset(
    ("properties", "patternProperties", "items", "prefixItems", "pattern", "minLength", "maxLength")
)  # fmt: skip


def _root(shape: Shape) -> Json:
    return UNSEEN if shape.root is None else shape.root


def _untyped(shape: Shape) -> Json:
    if not _TYPING.isdisjoint(shape.present):
        return False
    return UNSEEN if "not" in shape.present else True


def _type_count(shape: Shape) -> Json:
    return UNSEEN if shape.types is None else len(shape.types)


def _typed_siblings(shape: Shape) -> Json:
    types = shape.types
    return UNSEEN if types is None or sum(name != "null" for name in types) > 1 else False


def _names_null(shape: Shape) -> Json:
    if shape.types is not None and "null" in shape.types and shape.named != "null":
        return True
    return UNSEEN if shape.types is None or not shape.present.isdisjoint(("anyOf", "enum")) else False


def _map(shape: Shape) -> Json:
    if shape.types is None or ("object" in shape.types and not _OBJECT_KEYWORDS.isdisjoint(shape.present)):
        return UNSEEN
    return "any" if "object" in shape.types else None


def _other_keys(shape: Shape) -> Json:
    if "type" in shape.present and shape.types is None:
        return UNSEEN
    if shape.types is not None and "object" not in shape.types:
        return None
    return UNSEEN if "additionalProperties" in shape.present else "silent"


def _narrowed_without_type(shape: Shape) -> Json:
    if not shape.present.isdisjoint((*_TYPING, "enum", "const")):
        return None
    return UNSEEN if _SHAPING.isdisjoint(shape.present) else True


def _open(shape: Shape) -> Json:
    return UNSEEN if "additionalProperties" in shape.present else True


def _integer_bound_digits(shape: Shape) -> Json:
    return None if shape.types is not None and {"integer", "number"}.isdisjoint(shape.types) else UNSEEN


def _fractional_bounds(shape: Shape) -> Json:
    return UNSEEN if shape.named == "integer" else False


def _siblings_of(keyword: str) -> tuple[frozenset[str], Foresight]:
    constraining = constraints() - {keyword}

    def some_beside(shape: Shape) -> Json:
        return not constraining.isdisjoint(shape.present)

    return constraining, some_beside


def _described(shape: Shape) -> Json:
    return UNSEEN if "description" in shape.present else False


def _both(lower: str, upper: str) -> Foresight:
    def contradicts(shape: Shape) -> Json:
        return UNSEEN if lower in shape.present and upper in shape.present else None

    return contradicts


def _both_bounds(otherwise: Json) -> Foresight:
    def contradicts(shape: Shape) -> Json:
        lower = not shape.present.isdisjoint(("minimum", "exclusiveMinimum"))
        upper = not shape.present.isdisjoint(("maximum", "exclusiveMaximum"))
        return UNSEEN if lower and upper else otherwise

    return contradicts


# For each fact: the keywords whose presence is looked at beside its triggers, and what the shape decides.
FORESIGHTS: dict[str, tuple[frozenset[str], Foresight]] = {
    "root": (frozenset(), _root),
    "siblings-of-reference": _siblings_of("$ref"),
    "siblings-of-any-of": _siblings_of("anyOf"),
    "siblings-of-one-of": _siblings_of("oneOf"),
    "siblings-of-enum": _siblings_of("enum"),
    "siblings-of-const": _siblings_of("const"),
    "untyped": (frozenset(("not", *_TYPING)), _untyped),
    "type-count": (frozenset(), _type_count),
    "typed-siblings": (frozenset(), _typed_siblings),
    "names-null": (frozenset(), _names_null),
    "map": (_OBJECT_KEYWORDS, _map),
    "other-keys": (frozenset(), _other_keys),
    "narrowed-without-type": (frozenset(("enum", "const", *_TYPING)), _narrowed_without_type),
    "open": (frozenset(("additionalProperties",)), _open),
    "integer-bound-digits": (frozenset(("type",)), _integer_bound_digits),
    "fractional-bounds": (frozenset(("type",)), _fractional_bounds),
    "description-is-repeated": (frozenset(("description",)), _described),
    "lengths-contradict": (frozenset(("maxLength",)), _both("minLength", "maxLength")),
    "item-counts-contradict": (frozenset(("maxItems",)), _both("minItems", "maxItems")),
    "bounds-contradict": (frozenset(("maximum", "exclusiveMaximum")), _both_bounds(None)),
    "bounds-cross": (frozenset(("maximum", "exclusiveMaximum")), _both_bounds(False)),
}
