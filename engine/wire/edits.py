"""The verbs at work on a node of the normal form: each gives the changed node and what left the wire.

A verb is declared in `tables/verbs.py` and implemented here under its name. It gets the node, its options
and the `Site` (what it may ask of the conversion that it is part of), never writes into the node, and says
what the wire no longer holds: these constraints are enforced by the check alone from here on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.schemas.patterns import PatternError, json_text_form
from toolglot.tables.rows import thawed
from toolglot.wire.conjunction import Matches, conjunction, never
from toolglot.wire.members import member_fits, undecided
from toolglot.wire.merging import distribute, follow, merge
from toolglot.wire.shapes import is_never, only, siblings, type_set, with_keywords, without

Lost = tuple[tuple[str, Json], ...]


@dataclass(frozen=True, slots=True)
class Edited:
    """What a verb made of a node.

    Attributes:
        node: the changed node.
        lost: the constraints that the wire no longer holds, as (keyword, value).
        structural: whether the edit may be needed again on the outcome.
    """

    node: Schema
    lost: Lost = ()
    structural: bool = False


class Site(Protocol):
    """What a verb may ask of the conversion that it is part of."""

    root: bool

    @property
    def slot(self) -> str:
        """A property name that the schema declares nowhere."""

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern finds a match in a property's name."""

    def definition(self, reference: str) -> Schema:
        """What a `$ref` of the normal form refers to."""

    def define(self, members: list[Schema], like: str) -> Schema:
        """A reference to a definition that says all members; the same members give the same definition."""

    def spend(self, keywords: int) -> bool:
        """Whether the wire may grow by so many keywords still."""


Verb = Callable[[Schema, Json, Site], Edited]


def _words(options: Json) -> tuple[str, ...]:
    return (options,) if isinstance(options, str) else tuple(options)


def drop(node: Schema, options: Json, _site: Site) -> Edited:
    """Takes the keywords off the node."""
    gone = _words(options)
    return Edited(without(node, *gone), tuple((key, node[key]) for key in gone if key in node))


def put(node: Schema, options: Json, _site: Site) -> Edited:
    """Gives the keywords these values."""
    return Edited(with_keywords(node, thawed(options)))


def cap(node: Schema, options: Json, _site: Site) -> Edited:
    """Brings a bound down to the number."""
    keyword, most = options["keyword"], options["at"]
    if node[keyword] <= most:
        return Edited(node)
    return Edited(with_keywords(node, {keyword: most}), ((keyword, node[keyword]),))


def note(node: Schema, options: Json, _site: Site) -> Edited:
    """Leaves the keywords as they are, and reports them."""
    return Edited(node, tuple((key, node[key]) for key in _words(options) if key in node))


def merged(node: Schema, _options: Json, site: Site) -> Edited:
    """The branches of `allOf` and the node as one."""
    return Edited(*merge(node, site), structural=True)


def distributed(node: Schema, options: Json, site: Site) -> Edited:
    """The node's other keywords in each branch."""
    return Edited(*distribute(node, options, site), structural=True)


def followed(node: Schema, _options: Json, site: Site) -> Edited:
    """What the reference means and its siblings as one."""
    return Edited(*follow(node, site), structural=True)


def filter_members(node: Schema, options: Json, site: Site) -> Edited:
    """The listed values that the siblings admit, and no siblings; what cannot be decided here is left to the check."""
    members = node["enum"] if options == "enum" else [node["const"]]
    beside = siblings(node, options)
    rules = only(node, *beside)
    kept = [member for member in members if member_fits(member, rules, site.matches)]
    annotated = without(node, options, *beside)
    if not kept:
        return Edited(never(node.place))
    annotated[options] = kept if options == "enum" else kept[0]
    return Edited(annotated, tuple((key, node[key]) for key in undecided(beside, kept)))


def order_required(node: Schema, _options: Json, _site: Site) -> Edited:
    """The required properties before the others."""
    required = frozenset(node["required"])
    names = sorted(node["properties"], key=lambda name: name not in required)
    return Edited(with_keywords(node, {"properties": {name: node["properties"][name] for name in names}}))


def declare_required(node: Schema, _options: Json, site: Site) -> Edited:
    """The required properties declared, with what the schema says of undeclared keys."""
    properties = dict(node.get("properties", {}))
    for name in node["required"]:
        if name not in properties:
            said = [value for key, value in node.get("patternProperties", {}).items() if site.matches(key, name)]
            said = said or [node[key] for key in ("additionalProperties",) if key in node]
            properties[name] = conjunction(said, node.place)
    return Edited(with_keywords(node, {"properties": properties}))


def tighten(node: Schema, options: Json, _site: Site) -> Edited:
    """Of an inclusive and an exclusive bound, the one that says more."""
    inclusive, exclusive = options
    lower = inclusive == "minimum"
    exclusive_wins = node[exclusive] >= node[inclusive] if lower else node[exclusive] <= node[inclusive]
    return Edited(without(node, inclusive if exclusive_wins else exclusive))


def rewrite_pattern(node: Schema, _options: Json, _site: Site) -> Edited:
    """The pattern in the subset that cannot leave a JSON string; taken off where there is no equal form."""
    pattern = node["pattern"]
    try:
        form = json_text_form(pattern)
    except PatternError:
        form = None
    if form is None:
        return Edited(without(node, "pattern"), (("pattern", pattern),))
    return Edited(with_keywords(node, {"pattern": form}))


LONGEST_CHOICE = 8


def spread_tuple(node: Schema, _options: Json, _site: Site) -> Edited:
    """A tuple as a choice of tuples of fixed length, or else as a list of any of its items."""
    positions, items = node["prefixItems"], node.get("items")
    closed = items is not None and is_never(items)
    least = node.get("minItems", 0)
    most = min(node.get("maxItems", len(positions)), len(positions)) if closed else node.get("maxItems")
    if most is None or most > LONGEST_CHOICE or least > most:
        return _any_of_its_items(node, positions, items)
    rest = items if items is not None else Schema({}, node.place)
    filled = [*positions, *[rest] * (most - len(positions))]
    branches = [_of_length(node, filled[:length]) for length in range(least, most + 1)]
    other_types = [name for name in type_set(node) if name != "array"]
    if other_types:
        beside = only(without(node, *_ARRAY_KEYWORDS), *siblings(node))
        branches.append(with_keywords(beside, {"type": other_types[0] if len(other_types) == 1 else other_types}))
    annotations = without(node, *siblings(node))
    if len(branches) == 1:
        return Edited(Schema({**branches[0], **annotations}, node.place))
    return Edited(with_keywords(annotations, {"anyOf": branches}))


_ARRAY_KEYWORDS = ("prefixItems", "items", "minItems", "maxItems", "uniqueItems", "contains")


def _of_length(node: Schema, positions: list[Schema]) -> Schema:
    """The array with exactly these positions; an empty one is said by its count."""
    kept = only(without(node, "prefixItems", "items", "minItems", "maxItems"), *siblings(node))
    typed = with_keywords(kept, {"type": "array"})
    if not positions:
        return with_keywords(typed, {"maxItems": 0})
    count = len(positions)
    return with_keywords(typed, {"prefixItems": positions, "minItems": count, "maxItems": count})


def _any_of_its_items(node: Schema, positions: list[Schema], items: Schema | None) -> Edited:
    bare, counts = without(node, "prefixItems", "items"), {}
    lost: Lost = (("prefixItems", positions),)
    if items is None:
        return Edited(bare, lost)
    said = [*positions, *(() if is_never(items) else (items,))]
    if is_never(items):
        counts["maxItems"] = min(node.get("maxItems", len(positions)), len(positions))
    choice = said[0] if len(said) == 1 else Schema({"anyOf": said}, node.place)
    return Edited(with_keywords(bare, {**counts, "items": choice}), lost)


def fold_patterns(node: Schema, _options: Json, site: Site) -> Edited:
    """The keys of `patternProperties` as additional ones, whose values are of any of the patterns' schemas."""
    patterns = node["patternProperties"]
    folded = without(node, "patternProperties")
    if "properties" in node:
        folded["properties"] = {
            name: conjunction(
                [value, *(said for pattern, said in patterns.items() if site.matches(pattern, name))], value.place
            )
            for name, value in node["properties"].items()
        }
    others = node.get("additionalProperties")
    if others is None or not others:
        folded.pop("additionalProperties", None)
        return Edited(folded, (("patternProperties", patterns),))
    choices = [*patterns.values(), *(() if is_never(others) else (others,))]
    if not choices:
        return Edited(folded)
    folded["additionalProperties"] = choices[0] if len(choices) == 1 else Schema({"anyOf": choices}, node.place)
    return Edited(folded, (("patternProperties", patterns),))


def slot_others(node: Schema, _options: Json, site: Site) -> Edited:
    """The object closed, with the undeclared keys that it admits in one property of their own."""
    others = node.get("additionalProperties")
    slot = Schema({"type": "object"}, node.place)
    if others:
        slot["additionalProperties"] = others
    properties = {**node["properties"], site.slot: slot}
    return Edited(with_keywords(node, {"properties": properties, "additionalProperties": never(node.place)}))


def shield(node: Schema, _options: Json, _site: Site) -> Edited:
    """The root as the one branch of an `anyOf`, which means the same."""
    return Edited(Schema({"anyOf": [node]}, node.place))


VERBS: dict[str, Verb] = {
    "drop": drop,
    "set": put,
    "cap": cap,
    "note": note,
    "merge": merged,
    "distribute": distributed,
    "follow": followed,
    "filter": filter_members,
    "order": order_required,
    "declare": declare_required,
    "tighten": tighten,
    "rewrite": rewrite_pattern,
    "spread": spread_tuple,
    "fold": fold_patterns,
    "slot": slot_others,
    "shield": shield,
}

__all__ = ["VERBS", "Edited", "Lost", "Matches", "Site"]
