"""Objects that admit keys that they do not declare: closed, with those keys in one property of their own."""

from __future__ import annotations

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import Codec, Slot, TextSlot
from toolglot.wire.conjunction import conjunction, never
from toolglot.wire.edited import Edited, Site
from toolglot.wire.merging import with_shared_values
from toolglot.wire.shapes import Wire, with_keywords, without

# Values in the tool's own form: beside another form they would teach the model the wrong one.
OWN_FORM = ("default", "examples", "example")
# What looks at the keys of an object: once keys have moved, these mean something else.
KEY_KEYWORDS = (
    "patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
    "unevaluatedProperties", "enum", "const", "not", "if", "then", "else", "allOf", "anyOf", "oneOf",
)  # fmt: skip


_KEY_KEYWORDS = frozenset(KEY_KEYWORDS)


def keys_looked_at(node: Schema) -> list[str]:
    """What of a node looks at its keys."""
    return [] if _KEY_KEYWORDS.isdisjoint(node) else [keyword for keyword in KEY_KEYWORDS if keyword in node]


def declared(node: Schema, site: Site) -> Schema:
    """The node with its required properties declared, by what it says of undeclared keys."""
    said_of = node.get("properties", ())
    missing = [name for name in node.get("required", ()) if name not in said_of]
    if not missing:
        return node
    node, properties = with_shared_values(node, site), dict(said_of)
    for name in missing:
        said = [value for key, value in node.get("patternProperties", {}).items() if site.matches(key, name)]
        said = said or [node[key] for key in ("additionalProperties",) if key in node]
        properties[name] = conjunction(said, node.trail)
    return with_keywords(node, {"properties": properties})


def slot_others(node: Schema, options: Json, site: Site) -> Edited:
    """The object closed, with the undeclared keys that it admits in one property of their own."""
    node = declared(node, site)
    others = node.get("additionalProperties")
    gone = keys_looked_at(node)
    said: dict[str, Json] = {
        keyword: node[keyword] for keyword in ("patternProperties", "propertyNames") if keyword in gone
    }
    closed = without(node, *gone, *OWN_FORM) if gone else node
    lost = tuple((keyword, node[keyword]) for keyword in gone)
    if options != "additionalProperties" and not others and not said:
        changed, codec = _with_text_slot(closed, site, required=options == "required-text")
        return Edited(changed, lost, codecs=(codec,))
    slot = Schema({"type": "object", **said, **({"additionalProperties": others} if others else {})}, node.trail)
    name = site.slot("other_keys")
    return Edited(_closed(closed, name, slot), lost, codecs=(Slot(name, _names(node)),))


def _with_text_slot(node: Schema, site: Site, *, required: bool) -> tuple[Schema, Codec]:
    """The object with its undeclared keys in one text: of keys that may be any, more than JSON can't be said.

    The name is short and the words are few: a tool that declares two properties would else be twice as long.
    """
    name, names = site.slot("etc"), _names(node)
    words = site.words_of_slot(len(names))
    slot = Wire({"type": "string"}, node.trail, settled="node")
    if words:
        slot["description"] = words
    changed = _closed(node, name, slot)
    if required:
        changed["required"] = [*node.get("required", ()), name]
    return changed, TextSlot(name, names, required)


def _closed(node: Schema, name: str, slot: Schema) -> Schema:
    return with_keywords(
        node, {"properties": {**node.get("properties", {}), name: slot}, "additionalProperties": never(node.trail)}
    )


def _names(node: Schema) -> frozenset[str]:
    return frozenset(node.get("properties", ()))
