"""The verbs that say a value in another form, each with the codec that turns a call back.

An encoding keeps the keywords whose meaning it carries over; every other constraint of the node looks at the
tool's own form, so it leaves the wire and is enforced by the check alone. `default` and `examples` leave too:
they are values in the tool's own form, and would teach the model the wrong one.
"""

from __future__ import annotations

from toolglot.json_values import Json, json_text
from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import Aliases, Codec, Entries, Inside, JsonText, Left, NumberText, OrNull, Positions
from toolglot.wire.conjunction import conjunction, never
from toolglot.wire.edited import Edited, Lost, Site
from toolglot.wire.kinds import kinds
from toolglot.wire.merging import follow
from toolglot.wire.respellings import listing_null
from toolglot.wire.shapes import (
    CONSTRAINTS,
    Wire,
    codecs_of,
    has_bare_type,
    is_anything,
    is_never,
    new,
    of_other_types,
    of_type,
    siblings,
    type_set,
    with_keywords,
    without,
)
from toolglot.wire.undeclared import OWN_FORM, declared, keys_looked_at
from toolglot.wire.writing import in_order

# What looks at the same value as its neighbours: it would refuse a null that they take.
_IN_PLACE = frozenset(("$ref", "anyOf", "oneOf", "allOf", "not", "if", "const"))


def own_annotations(node: Schema) -> Schema:
    """The node's annotations that hold no value in the tool's own form."""
    kept = {key: value for key, value in node.items() if key not in CONSTRAINTS and key not in OWN_FORM}
    return Schema(kept, node.trail)


def lost_beside(node: Schema, *kept: str) -> Lost:
    """The constraints of a node beside those that are kept."""
    return tuple((key, node[key]) for key in siblings(node, *kept))


def or_null(node: Schema, codec: Codec) -> tuple[Codec, ...]:
    """The codec; null passes it by where the node may be null by the keyword that other dialects have."""
    return (OrNull(codec),) if node.get("nullable") is True else (codec,)


def _beside_rest(node: Schema, name: str, encoded: Wire, lost: Lost, words: str) -> Edited:
    """The encoded node; beside what the node says of its other types, if it has others."""
    rest = of_other_types(node, name)
    if rest is None:
        made = Schema({**encoded, **own_annotations(node)}, node.trail)
        return Edited(made, lost, structural=True, codecs=codecs_of(encoded), words=words)
    union = with_keywords(own_annotations(node), {"anyOf": [encoded, rest]})
    return Edited(union, lost, structural=True, encodes=True, words=words)


# Objects --------------------------------------------------------------------------------------------------------


def entries(node: Schema, _options: Json, _site: Site) -> Edited:
    """The object as a list of keys and values."""
    part = of_type(node, "object")
    properties, patterns = part.get("properties", {}), part.get("patternProperties", {})
    others = part.get("additionalProperties")
    said = [*properties.values(), *patterns.values()]
    if others is None or not is_never(others):
        said.append(Schema({}, node.trail) if others is None else others)
    value = said[0] if len(said) == 1 else _choice(said, node)
    key = Schema({"type": "string"}, node.trail)
    if "propertyNames" in part:
        key = conjunction((key, part["propertyNames"]), node.trail)
    elif len(patterns) == 1 and not properties and others is not None and is_never(others):
        key["pattern"] = next(iter(patterns))
    entry = Wire(
        {
            "type": "object",
            "properties": {"key": key, "value": value},
            "required": ["key", "value"],
            "additionalProperties": never(node.trail),
        },
        node.trail,
        settled="form",
    )
    counts = {"minProperties": "minItems", "maxProperties": "maxItems"}
    kept = {counts[keyword]: part[keyword] for keyword in counts if keyword in part}
    exact = ["type", "propertyNames", *counts, *(() if properties else ("additionalProperties",))]
    encoded = Wire({"type": "array", "items": entry, **kept}, node.trail, codecs=or_null(node, Entries()))
    return _beside_rest(node, "object", encoded, lost_beside(part, *exact), "entries")


def _choice(said: list[Schema], node: Schema) -> Schema:
    if not said:
        return never(node.trail)
    if any(is_anything(one) for one in said):
        return Schema({}, node.trail)
    distinct = list({in_order(one): one for one in said}.values())
    return distinct[0] if len(distinct) == 1 else Schema({"anyOf": distinct}, node.trail)


def require_nullable(node: Schema, options: Json, site: Site) -> Edited:
    """Every property required; one that may be left out says so itself once it is edited (see `left_out`)."""
    node = declared(node, site)
    required = frozenset(node.get("required", ()))
    properties = {
        name: child if name in required else _optional(child, options) for name, child in node["properties"].items()
    }
    gone = [keyword for keyword in keys_looked_at(node) if keyword != "patternProperties"]
    patterns = node.get("patternProperties", ())
    if any(site.matches(pattern, name) for pattern in patterns for name in properties if name not in required):
        gone += [keyword for keyword in ("patternProperties", "additionalProperties") if keyword in node]
    bare = without(node, *gone) if gone else node
    changed = with_keywords(bare, {"properties": properties, "required": list(properties)})
    return Edited(changed, tuple((keyword, node[keyword]) for keyword in gone), encodes=len(required) < len(properties))


def _optional(child: Schema, how: str) -> Wire:
    """The child of a property that may be left out."""
    made = new(Wire)  # what `Wire` does, without a call of its own: there is one for nearly each property
    made.update(child)
    made.trail, made.codecs, made.absent, made.settled = child.trail, codecs_of(child), how, ""
    return made


def left_out(node: Schema, how: str, site: Site) -> Edited:
    """The node of a property that may be left out, with the value that stands for that.

    It is null, unless null is legal itself; then a value of a kind that is not. Where all kinds are legal, what
    is there stands inside an object, and null for what is not.
    """
    legal = kinds(node, site.definition)
    if any(keyword in node for keyword in ("$ref", "anyOf", "oneOf")):
        legal |= {"array", "object", "string"} if legal else legal  # what is below may yet be said in one of these
    if "null" not in legal:
        return _nullable(node, how)
    for name, mark in (("string", "left out"), ("boolean", False), ("number", 0)):
        if name not in legal and (name, how) != ("boolean", "bare-type-list"):
            typed = "integer" if name == "number" else name
            marked = {"type": typed, "enum": [mark], **({} if name == "string" else {"description": "left out"})}
            return _with_branch(node, Wire(marked, node.trail, codecs=(Left(mark),), settled="node"))
    inside = {
        "type": "object",
        "properties": {"value": Wire(node, node.trail, codecs=codecs_of(node), settled="node")},
        "required": ["value"],
        "additionalProperties": never(node.trail),
    }
    made = Wire(inside, node.trail, codecs=(Inside("value"),), settled="node")
    return Edited(Schema({"anyOf": [made, _null(node)]}, node.trail), encodes=True, takes_codecs=True)


def _null(node: Schema) -> Wire:
    return Wire({"type": "null"}, node.trail, codecs=_LEFT_OUT, settled="node")


_LEFT_OUT = (Left(),)
_WORD_LEFT_OUT = (Left("null", or_null=True),)


def _nullable(node: Schema, how: str) -> Edited:
    if how == "nullable" and _IN_PLACE.isdisjoint(node):
        listed = {"enum": [*node["enum"], None]} if "enum" in node else {}
        return Edited(Schema({**node, **listed, "nullable": True}, node.trail), codecs=_LEFT_OUT)
    plain = "type" in node and _IN_PLACE.isdisjoint(node)
    if plain and (how == "type-list" or (how == "bare-type-list" and has_bare_type(node))):
        changed: dict[str, Json] = {"type": list(dict.fromkeys((*type_set(node), "null")))}
        if "enum" in node:
            changed["enum"] = [*node["enum"], None]
        return Edited(Schema({**node, **changed}, node.trail), codecs=_LEFT_OUT)
    if how in ("any-of", "bare-type-list") and _lists_texts(node) and "null" not in node["enum"]:
        return Edited(Schema({**node, "enum": [*node["enum"], "null"]}, node.trail), codecs=_WORD_LEFT_OUT)
    if how == "bare-type-list" and _is_number_text(node):
        pattern = f"^({node['pattern'][1:-1]}|null)$"
        return Edited(Schema({**node, "pattern": pattern}, node.trail), codecs=_WORD_LEFT_OUT)
    return _with_branch(node, _null(node))


def _is_number_text(node: Schema) -> bool:
    """Whether the node is a number as a text of a pattern, which no word fits."""
    return "pattern" in node and any(isinstance(codec, NumberText) for codec in codecs_of(node))


def _lists_texts(node: Schema) -> bool:
    """Whether the node lists texts, and nothing else stands there that a text more would not fit."""
    if siblings(node, "enum", "type") or "string" not in type_set(node):
        return False
    return all(isinstance(member, str) for member in node.get("enum", (None,)))


def _with_branch(node: Schema, branch: Wire) -> Edited:
    """A union of the node and one more branch; a union that stands alone takes it in."""
    if "anyOf" in node and not siblings(node, "anyOf") and not codecs_of(node):
        return Edited(with_keywords(node, {"anyOf": [*node["anyOf"], branch]}), encodes=True, takes_codecs=True)
    annotations = Schema({key: value for key, value in node.items() if key not in CONSTRAINTS}, node.trail)
    inner = Wire(without(node, *annotations), node.trail, codecs=codecs_of(node), settled="node")
    return Edited(with_keywords(annotations, {"anyOf": [inner, branch]}), encodes=True, takes_codecs=True)


def alias_names(node: Schema, options: Json, site: Site) -> Edited:
    """The object with other names for the properties whose names the target does not take."""
    aliases = site.aliases(options["pattern"], options["longest"])
    names = [*node.get("properties", ()), *node.get("required", ())]
    used = {name: aliases(name) for name in names}
    used = {name: alias for name, alias in used.items() if alias != name}
    if not used:
        return Edited(node)
    changed = Schema(node, node.trail)
    if "properties" in node:
        changed["properties"] = {
            used.get(name, name): _named(child, name, site) if name in used else child
            for name, child in node["properties"].items()
        }
    if "required" in node:
        changed["required"] = [used.get(name, name) for name in node["required"]]
    gone = [keyword for keyword in keys_looked_at(node) if keyword not in ("minProperties", "maxProperties")]
    if "patternProperties" in gone and node.get("additionalProperties"):
        gone.append("additionalProperties")
    lost = tuple((keyword, node[keyword]) for keyword in gone)
    return Edited(without(changed, *gone), lost, codecs=(Aliases({alias: name for name, alias in used.items()}),))


def _named(child: Schema, name: str, site: Site) -> Schema:
    """The property's schema with the name that the tool has for it, in its description."""
    if not site.describe:
        return child
    said = f"({site.words('alias-names', json_text(name))})"
    described = {"description": f"{child['description']} {said}" if child.get("description") else said}
    if isinstance(child, Wire):
        return Wire({**child, **described}, child.trail, codecs=child.codecs, absent=child.absent)
    return with_keywords(child, described)


# Lists ----------------------------------------------------------------------------------------------------------


def number_positions(node: Schema, _options: Json, _site: Site) -> Edited:
    """A tuple as an object whose keys are the positions."""
    part = of_type(node, "array")
    positions: list[Schema] = part["prefixItems"]
    least, most, items = part.get("minItems", 0), part.get("maxItems"), part.get("items")
    count = len(positions) if most is None else min(len(positions), most)
    properties: dict[str, Schema] = {str(at): position for at, position in enumerate(positions[:count])}
    required = [str(at) for at in range(min(least, count))]
    more = not (items is not None and is_never(items)) and (most is None or most > count)
    if more:
        rest = Schema({"type": "array", "items": Schema({}, node.trail) if items is None else items}, node.trail)
        if least > count:
            rest["minItems"] = least - count
            required.append("rest")
        if most is not None:
            rest["maxItems"] = most - count
        properties["rest"] = rest
    encoded = Wire(
        {"type": "object", "properties": properties},
        node.trail,
        codecs=or_null(node, Positions(count, "rest" if more else None)),
    )
    if required:
        encoded["required"] = required
    encoded["additionalProperties"] = never(node.trail)
    return _beside_rest(
        node, "array", encoded, lost_beside(part, "type", "prefixItems", "items", "minItems", "maxItems"), "positions"
    )


# Values ---------------------------------------------------------------------------------------------------------


def wrap_root(node: Schema, options: Json, site: Site) -> Edited:
    """The root as the one property of an object."""
    name = site.free_property(options)
    wrapped = Schema(
        {"type": "object", "properties": {name: node}, "required": [name], "additionalProperties": never(node.trail)},
        node.trail,
    )
    return Edited(wrapped, codecs=(Inside(name),))


def as_json_text(node: Schema, _options: Json, site: Site) -> Edited:
    """Any value as the text of its JSON."""
    if any(isinstance(codec, Left) for branch in node.get("anyOf", ()) for codec in codecs_of(branch)):
        return Edited(node)  # what is left out has no JSON
    return with_own_codec(node, Schema({"type": "string"}, node.trail), JsonText(), site)


def with_own_codec(node: Schema, said: Schema, codec: Codec, site: Site, *, words: str = "json-text") -> Edited:
    """The node as a text in place of its own type, which leaves every constraint to the check."""
    made = Schema({**said, **own_annotations(node)}, node.trail)
    return Edited(made, lost_beside(node), codecs=or_null(node, codec), words=words, outline=site.outline(node))


def inline(node: Schema, options: Json, site: Site) -> Edited:
    """What a reference means in its place; JSON text where that would not end, or would grow too large."""
    reference = node["$ref"]
    size = site.size_of(reference)
    if site.times_inlined(reference) >= max(1, options["depth"]) or not site.spend(size):
        return as_json_text(node, None, site)
    site.inlining(reference)
    if siblings(node, "$ref"):
        return Edited(*follow(node, site), structural=True)
    meant = site.definition(reference)
    if node.get("nullable") is True:
        meant = listing_null(meant)
    return Edited(Schema({**meant, **without(node, "$ref")}, node.trail), structural=True)
