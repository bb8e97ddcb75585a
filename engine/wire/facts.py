"""The computed facts of a node, that predicates of rules at `schema` ask for.

Each is declared in `tables/facts.py` with the keywords that can make it present, and computed here from the
node alone (and whether it is the root), so that the same node always gets the same edits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from toolglot.json_values import Json, kind
from toolglot.schemas.forms import Schema
from toolglot.schemas.patterns import PatternError
from toolglot.schemas.patterns.plain import is_plain
from toolglot.tables.facts import FACTS as DECLARED
from toolglot.tables.keywords import says_nothing
from toolglot.wire.kinds import kinds, mixed_up, overlap
from toolglot.wire.number_ranges import count_whole_numbers
from toolglot.wire.pattern_facts import are_apart, declared_name_recurses
from toolglot.wire.shapes import (
    CONSTRAINTS,
    admits_type,
    has_bare_type,
    is_anything,
    is_bare_branch,
    is_never,
    looked_at,
    siblings,
    type_set,
)
from toolglot.wire.text_branches import text_branch_count

_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


class Standing(Protocol):
    """Where a node stands, and what may be asked of the schema that it is part of."""

    @property
    def depth(self) -> int:
        """How many objects and arrays it stands in."""

    @property
    def keyword(self) -> str:
        """The keyword that holds it; empty for the root."""

    def checks_format(self, name: str) -> bool:
        """Whether the dialect has a format of the name and says that it is checked."""

    def is_recursive(self, reference: str) -> bool:
        """Whether a definition leads back to itself."""

    def definition(self, reference: str) -> Schema:
        """What a `$ref` refers to."""

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern finds a match in a property's name."""


class NodeFacts:
    """The facts of one node, each computed when asked for."""

    __slots__ = ("_known", "node", "standing")

    def __init__(self, node: Schema, standing: Standing, *, root: bool) -> None:
        self.node, self.standing = node, standing
        self._known: dict[str, Json] = {"root": root}

    def get(self, name: str, default: Json = None) -> Json:
        """The fact's value, or `default` where the fact is not present on this node."""
        if name in self._known:
            value = self._known[name]
        else:
            of_node = FACTS.get(name)
            value = of_node(self.node) if of_node else STANDING_FACTS[name](self.node, self.standing)
            self._known[name] = value
        return default if value is None else value


def _siblings_of(keyword: str) -> Callable[[Schema], Json]:
    def some_beside(node: Schema) -> Json:
        return bool(siblings(node, keyword)) if keyword in node else None

    return some_beside


def _undeclared_required(node: Schema) -> Json:
    declared = node.get("properties", ())
    return len([name for name in node.get("required", ()) if name not in declared])


def _is_open(node: Schema) -> Json:
    """Whether undeclared keys are admitted beside declared ones."""
    if "properties" not in node:
        return None
    others = node.get("additionalProperties")
    return others is None or not is_never(others)


def _optional_count(node: Schema) -> Json:
    required = node.get("required", ())
    properties = node.get("properties", {})
    return len(properties.keys() - required) if required else len(properties)


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


def _is_plain(patterns: Iterable[str]) -> Json:
    """Whether all engines for regular languages read the patterns alike."""
    try:
        return all(map(is_plain, patterns))
    except PatternError:
        return False


def _bounds_cross(node: Schema) -> Json:
    """Whether no number lies between the bounds."""
    for lower, upper, touch in (
        ("minimum", "maximum", False),
        ("minimum", "exclusiveMaximum", True),
        ("exclusiveMinimum", "maximum", True),
        ("exclusiveMinimum", "exclusiveMaximum", True),
    ):
        if lower in node and upper in node and (node[lower] > node[upper] or (touch and node[lower] == node[upper])):
            return True
    return False


def _fractional_bounds(node: Schema) -> Json:
    """Whether a bound of an integer is no whole number."""
    return node.get("type") == "integer" and any(node[key] % 1 != 0 for key in _BOUNDS if key in node)


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


def _item_form(node: Schema) -> Json:
    """What all items are, where it is one plain thing."""
    items = node.get("items")
    if items is None:
        return None
    named = None if "enum" in items or "const" in items else items.get("type")
    if named == "object":
        return "object" if items.get("properties") else "other"
    if named in ("integer", "number"):
        return "other" if any(key in items for key in _BOUNDS) else "number"
    return "text" if named == "string" else "other"


def _narrowed_without_type(node: Schema) -> Json:
    """Whether an untyped node has keywords that speak of one type only, as most authors mean it."""
    if "type" in node or any(keyword in node for keyword in ("$ref", "anyOf", "oneOf", "allOf", "enum", "const")):
        return None
    shaping = ("properties", "patternProperties", "items", "prefixItems", "pattern", "minLength", "maxLength")
    if any(keyword in node for keyword in shaping):
        return True
    others = node.get("additionalProperties")
    return others is not None and not is_anything(others)


# Types, and what says them ---------------------------------------------------------------------------------------

_TYPING = frozenset(("type", "$ref", "anyOf", "oneOf", "allOf"))


def _untyped(node: Schema) -> Json:
    return _TYPING.isdisjoint(node) and not is_never(node)


def _type_count(node: Schema) -> Json:
    return len(type_set(node)) if "type" in node else None


def _typed_siblings(node: Schema) -> Json:
    if "type" not in node:
        return None
    names = [name for name in type_set(node) if name != "null"]
    if len(names) < 2:
        return False
    return any(
        looks and not all(name in looks for name in names)
        for looks in (looked_at(key) for key in siblings(node, "type"))
    )


def _names_null(node: Schema) -> Json:
    if "null" in type_set(node) and "type" in node and node["type"] != "null":
        return True
    if any(branch.get("type") == "null" for branch in node.get("anyOf", ())):
        return True
    return any(member is None for member in node.get("enum", ()))


def _listed_characters(node: Schema) -> Json:
    listed = [*node.get("enum", ()), *((node["const"],) if "const" in node else ())]
    return "".join(sorted(set("".join(member for member in listed if isinstance(member, str)))))


def _types_of(members: list[Json]) -> list[str]:
    return ["string"] if set(map(type, members)) == {str} else sorted(set(map(kind, members)))


def _enum_texts(node: Schema) -> list[int]:
    return [len(member) for member in node.get("enum", ()) if isinstance(member, str)]


# Objects ---------------------------------------------------------------------------------------------------------


def _map(node: Schema) -> Json:
    if "type" not in node or "object" not in type_set(node) or node.get("properties"):
        return None
    if node.get("patternProperties"):
        return "patterned"
    others = node.get("additionalProperties")
    if others is None:
        return "any"
    return "none" if is_never(others) else "any" if is_anything(others) else "typed"


def _other_keys(node: Schema) -> Json:
    is_object = "object" in type_set(node) if "type" in node else any(key in node for key in _OBJECT_KEYWORDS)
    if not is_object:
        return None
    others = node.get("additionalProperties")
    if others is None:
        return "silent"
    return "none" if is_never(others) else "any" if is_anything(others) else "typed"


_OBJECT_KEYWORDS = ("properties", "patternProperties", "additionalProperties")


def _names(node: Schema) -> dict[str, None]:
    return dict.fromkeys((*node.get("properties", ()), *node.get("required", ())))


def _name_characters(node: Schema) -> Json:
    return "".join(sorted(frozenset[str]().union(*node.get("properties", ()), *node.get("required", ()))))


def _branches(node: Schema) -> Json:
    return sum(len(node.get(keyword, ())) for keyword in ("anyOf", "oneOf", "allOf"))


_OF_KEYS = frozenset(("type", "required", "not", "minProperties", "maxProperties", "dependentRequired"))


def _branches_only_require(node: Schema) -> Json:
    """Whether each alternative says only which keys there have to be, beside the type object."""
    branches = [*node.get("anyOf", ()), *node.get("oneOf", ())]
    named = [*branches, *(branch["not"] for branch in branches if "not" in branch)]
    return bool(branches) and all(
        _OF_KEYS.issuperset(siblings(part)) and part.get("type", "object") == "object" for part in named
    )


def _description_is_repeated(node: Schema) -> Json:
    """Whether a branch describes itself in the words of its union."""
    said = node.get("description")
    return said is not None and any(
        branch.get("description") == said for keyword in ("anyOf", "oneOf") for branch in node.get(keyword, ())
    )


def _annotated(keyword: str) -> Callable[[Schema], Json]:
    def beside(node: Schema) -> Json:
        return any(key not in CONSTRAINTS for key in node) if keyword in node else None

    return beside


_IDLE = DECLARED["idle-keyword-count"].triggers

FACTS: dict[str, Callable[[Schema], Json]] = {
    "idle-keyword-count": lambda node: sum(says_nothing(key, node[key]) for key in _IDLE.intersection(node)),
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
    "bounds-cross": _bounds_cross,
    "fractional-bounds": _fractional_bounds,
    "whole-number-count": count_whole_numbers,
    "pattern-is-plain": lambda node: _is_plain([node["pattern"]]) if "pattern" in node else None,
    "name-patterns-are-plain": lambda node: (
        _is_plain(node["patternProperties"]) if "patternProperties" in node else None
    ),
    "pattern-count": lambda node: len(node["patternProperties"]) if "patternProperties" in node else None,
    "name-patterns-are-apart": are_apart,
    "integer-bound-digits": _integer_bound_digits,
    "tuple-form": _tuple_form,
    "item-form": _item_form,
    "enum-size": lambda node: len(node["enum"]) if "enum" in node else None,
    "narrowed-without-type": _narrowed_without_type,
    "items-never": lambda node: is_never(node["items"]) if "items" in node else None,
    "untyped": _untyped,
    "type-count": _type_count,
    "typed-siblings": _typed_siblings,
    "bare-type": lambda node: has_bare_type(node) if "type" in node else None,
    "names-null": _names_null,
    "annotated-reference": _annotated("$ref"),
    "annotated-union": _annotated("anyOf"),
    "map": _map,
    "other-keys": _other_keys,
    "property-name-characters": _name_characters,
    "property-names": lambda node: list(_names(node)),
    "longest-property-name": lambda node: max(
        map(len, (*node.get("properties", ()), *node.get("required", ()))), default=0
    ),
    "enum-types": lambda node: _types_of(node["enum"]) if "enum" in node else None,
    "const-type": lambda node: kind(node["const"]) if "const" in node else None,
    "listed-characters": _listed_characters,
    "enum-text-total": lambda node: sum(_enum_texts(node)),
    "enum-longest-text": lambda node: max(_enum_texts(node), default=0),
    "branch-count": _branches,
    "branches-only-require": _branches_only_require,
    "bare-branch-count": lambda node: sum(map(is_bare_branch, node.get("anyOf", ()))),
    "description-is-repeated": _description_is_repeated,
    "tuple-length": lambda node: len(node["prefixItems"]) if "prefixItems" in node else None,
}


def _title_repeats_name(node: Schema, standing: Standing) -> Json:
    """Whether the title is the name that the node stands under, as generators write it."""
    above, name = node.trail or (None, 0)
    if above is None or not isinstance(name, str) or not isinstance(node.get("title"), str):
        return False
    if _letters(node["title"]) != _letters(name) or not _letters(name):
        return False
    # a definition may also stand where it is used, and its name is not seen there
    return above[1] == "properties" or (above[1] in ("$defs", "definitions") and standing.keyword == "$defs")


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _branches_nest(node: Schema, standing: Standing) -> Json:
    if "anyOf" not in node:
        return None
    direct = [branch for branch in node["anyOf"] if "$ref" not in branch]  # a definition is edited where it stands
    return any(not kinds(branch, standing.definition).isdisjoint(("object", "array")) for branch in direct)


STANDING_FACTS: dict[str, Callable[[Schema, Standing], Json]] = {
    "depth": lambda _node, standing: standing.depth,
    "format-asserted": lambda node, standing: standing.checks_format(node["format"]) if "format" in node else None,
    "any-of-recurses": lambda node, standing: (
        any("$ref" in branch and standing.is_recursive(branch["$ref"]) for branch in node["anyOf"])
        if "anyOf" in node
        else None
    ),
    "declared-name-recurses": declared_name_recurses,
    "stands-in": lambda _node, standing: standing.keyword,
    "title-repeats-name": _title_repeats_name,
    "recursive": lambda node, standing: standing.is_recursive(node["$ref"]) if "$ref" in node else None,
    "branches-nest": _branches_nest,
    "list-branch-count": lambda node, standing: (
        sum("array" in kinds(branch, standing.definition) for branch in node["anyOf"]) if "anyOf" in node else None
    ),
    "text-branch-count": lambda node, standing: (
        text_branch_count(node["anyOf"], standing.definition) if "anyOf" in node else None
    ),
    "branches-mix-up": lambda node, standing: mixed_up(node["anyOf"], standing.definition) if "anyOf" in node else None,
    "branches-overlap": lambda node, standing: overlap(node["oneOf"], standing.definition) if "oneOf" in node else None,
}
