"""The computed facts of a node, that predicates of rules at `schema` and `root` ask for.

Each is declared in `tables/facts.py` with the keywords that can make it present, and computed here from the
node alone (and whether it is the root), so that the same node always gets the same edits.
"""

from __future__ import annotations

from collections.abc import Callable

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.wire.shapes import admits_type, is_anything, is_never, siblings, type_set

_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


class NodeFacts:
    """The facts of one node, each computed when asked for."""

    __slots__ = ("node", "root")

    def __init__(self, node: Schema, *, root: bool) -> None:
        self.node, self.root = node, root

    def get(self, name: str, default: Json = None) -> Json:
        """The fact's value, or `default` where the fact is not present on this node."""
        if name == "root":
            return self.root
        value = FACTS[name](self.node)
        return default if value is None else value


def _siblings_of(keyword: str) -> Callable[[Schema], Json]:
    def some_beside(node: Schema) -> Json:
        return bool(siblings(node, keyword)) if keyword in node else None

    return some_beside


def _undeclared_required(node: Schema) -> Json:
    declared = node.get("properties", {})
    return sum(name not in declared for name in node.get("required", ()))


def _is_open(node: Schema) -> Json:
    """Whether undeclared keys are admitted beside declared ones."""
    if "properties" not in node:
        return None
    others = node.get("additionalProperties")
    return others is None or not is_never(others)


def _optional_count(node: Schema) -> Json:
    required = frozenset(node.get("required", ()))
    return sum(name not in required for name in node.get("properties", ()))


def _required_is_late(node: Schema) -> Json:
    """Whether a required property stands after an optional one."""
    required = frozenset(node.get("required", ()))
    seen_optional = False
    for name in node.get("properties", ()):
        if name not in required:
            seen_optional = True
        elif seen_optional:
            return True
    return False


def _contradiction(lower: str, upper: str) -> Callable[[Schema], Json]:
    def contradicts(node: Schema) -> Json:
        return bool(node[lower] > node[upper]) if lower in node and upper in node else None

    return contradicts


def _bounds_contradict(node: Schema) -> Json:
    """Whether no integer lies between the bounds."""
    lowest = [node[key] for key in ("minimum", "exclusiveMinimum") if key in node]
    highest = [node[key] for key in ("maximum", "exclusiveMaximum") if key in node]
    if not lowest or not highest:
        return None
    lower = max(_inward(node.get("minimum"), 1), _inward(node.get("exclusiveMinimum"), 1, past=True))
    upper = min(-_inward(node.get("maximum"), -1), -_inward(node.get("exclusiveMaximum"), -1, past=True))
    return bool(lower > upper)


def _inward(bound: float | None, sign: int, *, past: bool = False) -> float:
    """The first whole number at a bound (`past`: beyond it), looking upward; `sign` -1 looks downward, negated."""
    if bound is None:
        return float("-inf")
    value = sign * bound
    whole = int(value) if value == int(value) else (int(value) + 1 if value > 0 else int(value))
    return whole + 1 if past and whole == value else whole


def _integer_bound_digits(node: Schema) -> Json:
    """The most digits of a bound on a node that admits integers by name."""
    if not admits_type(type_set(node), "integer") or "type" not in node:
        return None
    digits = [len(str(abs(int(node[key])))) for key in _BOUNDS if key in node and abs(node[key]) != float("inf")]
    return max(digits, default=None)


def _tuple_form(node: Schema) -> Json:
    """How a tuple can be said: `exact` (one length), else `loose`."""
    if "prefixItems" not in node:
        return None
    length = len(node["prefixItems"])
    closed = ("items" in node and is_never(node["items"])) or node.get("maxItems", length + 1) <= length
    return "exact" if closed and node.get("minItems", 0) == length else "loose"


def _narrowed_without_type(node: Schema) -> Json:
    """Whether an untyped node has keywords that speak of one type only, as most authors mean it."""
    if "type" in node or any(keyword in node for keyword in ("$ref", "anyOf", "oneOf", "allOf", "enum", "const")):
        return None
    shaping = ("properties", "patternProperties", "items", "prefixItems", "pattern", "minLength", "maxLength")
    if any(keyword in node for keyword in shaping):
        return True
    others = node.get("additionalProperties")
    return others is not None and not is_anything(others)


FACTS: dict[str, Callable[[Schema], Json]] = {
    "never": lambda node: is_never(node) or None,
    "siblings-of-reference": _siblings_of("$ref"),
    "siblings-of-any-of": _siblings_of("anyOf"),
    "siblings-of-one-of": _siblings_of("oneOf"),
    "siblings-of-enum": _siblings_of("enum"),
    "siblings-of-const": _siblings_of("const"),
    "undeclared-required": _undeclared_required,
    "open": _is_open,
    "property-count": lambda node: len(node.get("properties", ())),
    "optional-property-count": _optional_count,
    "required-is-late": _required_is_late,
    "empty-property-name": lambda node: "" in node.get("properties", ()),
    "lengths-contradict": _contradiction("minLength", "maxLength"),
    "item-counts-contradict": _contradiction("minItems", "maxItems"),
    "bounds-contradict": _bounds_contradict,
    "integer-bound-digits": _integer_bound_digits,
    "tuple-form": _tuple_form,
    "enum-size": lambda node: len(node["enum"]) if "enum" in node else None,
    "narrowed-without-type": _narrowed_without_type,
    "items-never": lambda node: is_never(node["items"]) if "items" in node else None,
}
