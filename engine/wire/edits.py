"""The verbs at work on a node of the normal form: each gives the changed node and what left the wire.

A verb is declared in a table of `tables/verbs.py` and implemented here under its name. It gets the node, its options
and the `Site` (what it may ask of the conversion that it is part of), never writes into the node, and says
what the wire no longer holds: these constraints are enforced by the check alone from here on.
"""

from __future__ import annotations

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.tables.keywords import says_nothing
from toolglot.tables.rows import thawed
from toolglot.wire import encodings, listed, number_ranges, patterns, respellings, text_branches, undeclared
from toolglot.wire.conjunction import Matches, conjunction, never
from toolglot.wire.edited import Edited, Lost, Site, Verb
from toolglot.wire.members import member_fits, undecided
from toolglot.wire.merging import distribute, follow, merge, with_shared_values
from toolglot.wire.shapes import Wire, is_never, only, siblings, size, type_set, with_keywords, with_subschemas, without
from toolglot.wire.writing import in_order


def _words(options: Json) -> tuple[str, ...]:
    return (options,) if isinstance(options, str) else tuple(options)


def drop(node: Schema, options: Json, _site: Site) -> Edited:
    """Takes the keywords off the node, and those that would say more without them."""
    gone = dict.fromkeys([key for key in _words(options) if key in node])
    for keyword in [key for key in _LEANING if key in gone and node[key]]:
        gone.update(dict.fromkeys(key for key in _LEANING[keyword] if key in node and not _is_harmless(node, key)))
    if "minContains" in gone and node["minContains"] == 0 and "contains" in node:
        gone["contains"] = None  # without it, one item would have to fit
    return Edited(without(node, *gone), tuple([(key, node[key]) for key in gone]))


def drop_idle(node: Schema, options: Json, _site: Site) -> Edited:
    """Takes those of the keywords off the node beside which every value fits."""
    idle = [key for key in _words(options) if key in node and says_nothing(key, node[key])]
    return Edited(without(node, *idle)) if idle else Edited(node)


# What means more than it did once the keyword before it is gone. `unevaluatedProperties` and its kin lean on many:
# where a node has lost anything, they leave at the end.
_LEANING = {
    "properties": ("additionalProperties",),
    "patternProperties": ("additionalProperties",),
    "prefixItems": ("items",),
}


def _is_harmless(node: Schema, keyword: str) -> bool:
    return isinstance(node[keyword], Schema) and not node[keyword]


def strip(node: Schema, options: Json, site: Site) -> Edited:
    """Takes every keyword off the node but these."""
    kept = frozenset(_words(options))
    others = [key for key in node if key not in kept]
    return drop(node, others, site) if others else Edited(node)


def put(node: Schema, options: Json, _site: Site) -> Edited:
    """Gives the keywords these values."""
    return Edited(with_keywords(node, with_subschemas(thawed(options), node.trail)))


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
        return Edited(never(node.trail))
    annotated[options] = kept if options == "enum" else kept[0]
    return Edited(annotated, tuple((key, node[key]) for key in undecided(beside, kept)))


def order_required(node: Schema, _options: Json, _site: Site) -> Edited:
    """The required properties before the others."""
    required = frozenset(node["required"])
    names = sorted(node["properties"], key=lambda name: name not in required)
    return Edited(with_keywords(node, {"properties": {name: node["properties"][name] for name in names}}))


def declare_required(node: Schema, _options: Json, site: Site) -> Edited:
    """The required properties declared, with what the schema says of undeclared keys."""
    return Edited(undeclared.declared(node, site))


def tighten(node: Schema, options: Json, _site: Site) -> Edited:
    """Of an inclusive and an exclusive bound, the one that says more."""
    inclusive, exclusive = options
    lower = inclusive == "minimum"
    exclusive_wins = node[exclusive] >= node[inclusive] if lower else node[exclusive] <= node[inclusive]
    return Edited(without(node, inclusive if exclusive_wins else exclusive))


def rewrite_pattern(node: Schema, options: Json, site: Site) -> Edited:
    """The pattern (or the patterns of names) in the form that the option names; taken off, or folded, without one."""
    return patterns.rewritten(node, options, site, otherwise=fold_patterns)


LONGEST_CHOICE = 8


def spread_tuple(node: Schema, options: Json, site: Site) -> Edited:
    """A tuple as a choice of tuples of fixed length, or else as a list of any of its items.

    The choice says each item once per length: where the wire would grow too large, it is a list.
    """
    positions, items = node["prefixItems"], node.get("items")
    closed = items is not None and is_never(items)
    least = node.get("minItems", 0)
    most = min(node.get("maxItems", len(positions)), len(positions)) if closed else node.get("maxItems")
    if options == "items" or most is None or most > LONGEST_CHOICE or least > most:
        return _any_of_its_items(node, positions, items)
    rest = items if items is not None else Schema({}, node.trail)
    filled = [*positions, *[rest] * (most - len(positions))]
    if not site.spend(_repeated(filled, least, most)):
        return _any_of_its_items(node, positions, items)
    branches = [_of_length(node, filled[:length]) for length in range(least, most + 1)]
    other_types = [name for name in type_set(node) if name != "array"]
    if other_types:
        beside = only(without(node, *_ARRAY_KEYWORDS), *siblings(node))
        branches.append(with_keywords(beside, {"type": other_types[0] if len(other_types) == 1 else other_types}))
    annotations = without(node, *siblings(node))
    if len(branches) == 1:
        return Edited(Schema({**branches[0], **annotations}, node.trail))
    return Edited(with_keywords(annotations, {"anyOf": branches}))


def _repeated(positions: list[Schema], least: int, most: int) -> int:
    """The keywords that a choice of so many to so many positions says more than once."""
    return sum(size(position) * (most - max(least, at + 1)) for at, position in enumerate(positions[:most]))


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
    longest = node.get("maxItems", len(positions) + 1)
    if items is None and longest > len(positions):
        return Edited(bare, lost)
    is_closed = items is None or is_never(items)
    said = [*positions[:longest], *(() if items is None or is_never(items) else (items,))]
    if is_closed:
        counts["maxItems"] = min(longest, len(positions))
    distinct: dict[str, Schema] = {}
    for one in said:
        distinct.setdefault(in_order(one), one)
    if not said:
        choice = never(node.trail)
    else:
        choice = said[0] if len(distinct) == 1 else Schema({"anyOf": list(distinct.values())}, node.trail)
    return Edited(with_keywords(bare, {**counts, "items": choice}), lost)


def fold_patterns(node: Schema, _options: Json, site: Site) -> Edited:
    """The keys of `patternProperties` as additional ones, whose values are of any of the patterns' schemas."""
    node = with_shared_values(node, site) if "properties" in node else node
    patterns = node["patternProperties"]
    folded = without(node, "patternProperties")
    if "properties" in node:
        folded["properties"] = {
            name: conjunction(
                [value, *(said for pattern, said in patterns.items() if site.matches(pattern, name))], value.trail
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
    folded["additionalProperties"] = choices[0] if len(choices) == 1 else Schema({"anyOf": choices}, node.trail)
    return Edited(folded, (("patternProperties", patterns),))


def shield(node: Schema, options: Json, _site: Site) -> Edited:
    """The root (or a reference, with its annotations outside) as the one branch of an `anyOf`, which means the same."""
    if options == "reference":
        annotations = without(node, "$ref", *siblings(node, "$ref"))
        inner = Schema({key: value for key, value in node.items() if key not in annotations}, node.trail)
        return Edited(with_keywords(annotations, {"anyOf": [inner]}))
    return Edited(Schema({"anyOf": [Wire(node, node.trail, settled="node")]}, node.trail))


VERBS: dict[str, Verb] = {
    "drop": drop,
    "drop-idle": drop_idle,
    "strip": strip,
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
    "lengths-as-pattern": patterns.lengths_as_pattern,
    "spread": spread_tuple,
    "fold": fold_patterns,
    "shield": shield,
    "slot": undeclared.slot_others,
    "require-nullable": encodings.require_nullable,
    "entries": encodings.entries,
    "number-positions": encodings.number_positions,
    "as-texts": listed.as_texts,
    "unescape": listed.unescape,
    "alias-names": encodings.alias_names,
    "wrap-root": encodings.wrap_root,
    "inline": encodings.inline,
    "as-json-text": encodings.as_json_text,
    "as-number-text": number_ranges.as_number_text,
    "list-range": number_ranges.list_range,
    "one-value-enum": respellings.one_value,
    "shift-bounds": respellings.shift_bounds,
    "split-types": respellings.split_types,
    "nullable-mark": respellings.mark_nullable,
    "name-type": respellings.name_types,
    "unmark-one-of": respellings.unmark_one_of,
    "sink": respellings.sink,
    "say-once": respellings.say_once,
    "list-types": respellings.list_types,
    "join-texts": text_branches.join_texts,
}

__all__ = ["VERBS", "Edited", "Lost", "Matches", "Site"]
