"""Small questions about one node of the normal form, and the ways to make a changed one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from toolglot.errors import Path
from toolglot.json_values import Json, kind
from toolglot.schemas.forms import Schema
from toolglot.schemas.trails import Trail
from toolglot.tables.keywords import DIALECTS_OWN, constraints, keywords, vocabulary
from toolglot.wire.codecs import Codec

TYPES = ("array", "boolean", "null", "number", "object", "string")


class Wire(Schema):
    """A node whose values are not in the tool's own form on the wire.

    Attributes:
        codecs: what turns a value of the wire into the tool's form; the last one made comes first.
        absent: how null is to be said for a property that may be left out; empty where it may not.
        settled: `form` where it may not be said in another form, `node` where it has been edited already, `below` where
            all below it has too; else empty.
    """

    __slots__ = ("absent", "codecs", "settled")

    def __init__(  # what `Schema` does too, without a call of its own
        self,
        keywords: Mapping[str, Any] | None = None,
        trail: Trail | None = None,
        *,
        codecs: tuple[Codec, ...] = (),
        absent: str = "",
        settled: str = "",
    ) -> None:
        self.update(keywords or ())
        self.trail = trail
        self.codecs, self.absent, self.settled = codecs, absent, settled


def codecs_of(schema: Schema) -> tuple[Codec, ...]:
    """What turns a value of the wire at this node into the tool's form."""
    return schema.codecs if isinstance(schema, Wire) else ()


_HOLDERS = vocabulary("2020-12").holders
_ONE = frozenset(keyword for keyword, holds in _HOLDERS.items() if holds == "one")
_LIST = frozenset(keyword for keyword, holds in _HOLDERS.items() if holds == "list")
_MAP = frozenset(keyword for keyword, holds in _HOLDERS.items() if holds == "map")
HOLDING = frozenset(_HOLDERS)  # the keywords that hold subschemas
_CONTAINING = _LIST | _MAP
_LEADING = HOLDING | {"$ref"}
new = Schema.__new__
CONSTRAINTS = constraints()


def is_never(schema: Schema) -> bool:
    """Whether the schema is the one that nothing fits: `false`, read as `{"not": {}}`."""
    negated = schema.get("not")
    return negated is not None and not negated


def is_anything(schema: Schema) -> bool:
    """Whether everything fits: no keyword of the schema constrains."""
    return CONSTRAINTS.isdisjoint(schema)


def type_set(schema: Schema) -> tuple[str, ...]:
    """The types that the schema names; all of them where it names none."""
    named = schema.get("type", TYPES)
    return (named,) if isinstance(named, str) else tuple(named)


def admits_type(types: tuple[str, ...], name: str) -> bool:
    """Whether a value of the type `name` can be of one of the types; an integer is a number."""
    return name in types or (name == "integer" and "number" in types)


def has_bare_type(schema: Schema) -> bool:
    """Whether the schema names types, and nothing beside them says more of a value."""
    return siblings(schema) == ["type"] and DIALECTS_OWN.isdisjoint(schema)


_LISTABLE = frozenset(("string", "boolean", "integer", "null"))


def is_bare_branch(schema: Schema) -> bool:
    """Whether the schema is the name of a type of plain values and nothing else, as a list of types may hold."""
    named = schema.get("type")
    return len(schema) == 1 and isinstance(named, str) and named in _LISTABLE and not codecs_of(schema)


def siblings(schema: Schema, *beside: str) -> list[str]:
    """The constraining keywords that stand beside the given ones."""
    return [keyword for keyword in schema if keyword in CONSTRAINTS and keyword not in beside]


def like(schema: Schema, keywords: dict[str, Any]) -> Schema:
    """A node of these keywords in the place of another, with its codecs."""
    if isinstance(schema, Wire):
        codecs, absent, settled = schema.codecs, schema.absent, schema.settled
        return Wire(keywords, schema.trail, codecs=codecs, absent=absent, settled=settled)
    made = new(Schema)  # what `Schema` does, without a call of its own: no other line makes so many nodes
    made.update(keywords)
    made.trail = schema.trail
    return made


def with_keywords(schema: Schema, keywords: Mapping[str, Any]) -> Schema:
    """The node with these keywords set."""
    made = like(schema, schema)
    made.update(keywords)
    return made


def without(schema: Schema, *keywords: str) -> Schema:
    """The node without these keywords."""
    made = like(schema, schema)
    for keyword in keywords:
        made.pop(keyword, None)
    return made


def only(schema: Schema, *keywords: str) -> Schema:
    """The node with nothing but these keywords."""
    return Schema({key: value for key, value in schema.items() if key in keywords}, schema.trail)


@lru_cache(maxsize=1024)
def looked_at(keyword: str) -> frozenset[str]:
    """The types of the values that a keyword looks at; empty where it looks at all."""
    row = keywords().get(keyword)
    types = frozenset(row.types) if row is not None else frozenset[str]()
    return types | {"integer"} if "number" in types else types


def of_type(schema: Schema, name: str) -> Schema:
    """What the node says of values of one type: the type by its name, and the keywords that look at such values."""
    kept: dict[str, Any] = {}
    for keyword, value in schema.items():
        looks = looked_at(keyword)
        if keyword == "type":
            kept["type"] = name
        elif keyword not in CONSTRAINTS or (looks and name not in looks):
            continue
        elif keyword == "enum":
            kept["enum"] = [member for member in value if admits_type((name,), kind(member))]
        else:
            kept[keyword] = value
    return Schema({"type": name, **kept}, schema.trail)


def of_other_types(schema: Schema, name: str) -> Schema | None:
    """What the node says of values of its other types; None where it has no other."""
    others = [other for other in type_set(schema) if other != name and not (name == "number" and other == "integer")]
    if not others:
        return None
    kept = Schema({"type": others[0] if len(others) == 1 else others}, schema.trail)
    for keyword in siblings(schema, "type"):
        looks = looked_at(keyword)
        if not looks or any(other in looks for other in others):
            kept[keyword] = schema[keyword]
    if "enum" in kept:
        kept["enum"] = [member for member in kept["enum"] if admits_type(tuple(others), kind(member))]
        if not kept["enum"]:
            return None
    return kept


def schema_of(value: Json, trail: Trail | None) -> Schema:
    """A subschema that an option spells, as a node of the normal form."""
    if isinstance(value, bool):
        return Schema({} if value else {"not": Schema({}, trail)}, trail)
    return with_subschemas(value, trail)


def with_subschemas(spelled: dict[str, Any], trail: Trail | None) -> Schema:
    """Keywords with values as an option spells them, their subschemas as nodes."""
    node = Schema({}, trail)
    for keyword, value in spelled.items():
        if keyword in _ONE:
            node[keyword] = schema_of(value, trail)
        elif keyword in _LIST:
            node[keyword] = [schema_of(item, trail) for item in value]
        elif keyword in _MAP:
            node[keyword] = {name: schema_of(item, trail) for name, item in value.items()}
        else:
            node[keyword] = value
    return node


def is_leaf(schema: Schema) -> bool:
    """Whether nothing stands below a node, and it refers to nothing."""
    return _LEADING.isdisjoint(schema)


def below(schema: Schema) -> list[Schema]:
    """The subschemas of a node."""
    found: list[Schema] = []
    if HOLDING.isdisjoint(schema):
        return found
    for keyword, value in schema.items():
        if keyword in _MAP:
            found.extend(value.values())
        elif keyword in _ONE:
            found.append(value)
        elif keyword in _LIST:
            found.extend(value)
    return found


def nodes_of(root: Schema, definitions: Mapping[str, Schema]) -> list[Schema]:
    """Every node, each after the nodes above it."""
    found: list[Schema] = []
    stack = [root, *definitions.values()]
    while stack:
        node = stack.pop()
        found.append(node)
        stack += below(node)
    return found


def reference_of(node: Schema) -> str | None:
    """The name of the definition that a node refers to."""
    reference = node.get("$ref")
    return reference.removeprefix("#/$defs/") if reference is not None else None


def size(node: Schema, most: int = 2000) -> int:
    """How many keywords and names a schema holds, in and below it; a large one is not counted to its end."""
    count, stack = 0, [node]
    while stack and count < most:
        current = stack.pop()
        count += len(current)
        stack += below(current)
    return count


def children(schema: dict[str, Any]) -> Iterator[tuple[Any, Any, Schema]]:
    """Each subschema of a node as (the container it stands in, its key there, itself)."""
    for keyword, value in schema.items():
        if keyword in _ONE:
            yield schema, keyword, value
        elif keyword in _LIST:
            for index, item in enumerate(value):
                yield value, index, item
        elif keyword in _MAP:
            for name, item in value.items():
                yield value, name, item


# The keywords whose subschemas look at a part of the value, so that they stand one level deeper.
_PARTS = frozenset(
    (
        "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "items", "prefixItems",
        "unevaluatedItems", "contains",
    )
)  # fmt: skip


def parts_of_wire(node: dict[str, Any], depth: int, inner: int) -> list[tuple[dict[str, Any], int]]:
    """Each subschema of a plain schema that is no boolean, with `inner` where it looks at a part, else with `depth`."""
    found: list[tuple[dict[str, Any], int]] = []
    for keyword in HOLDING.intersection(node):
        value, level = node[keyword], inner if keyword in _PARTS else depth
        held = value.values() if keyword in _MAP else value if keyword in _LIST else (value,)
        found += [(item, level) for item in held if isinstance(item, dict)]
    return found


def groups(schema: Schema) -> Iterator[tuple[str, bool, Any, list[tuple[Any, Schema]]]]:
    """For each keyword with subschemas: itself, whether they look at a part, their container, and each with its key."""
    for keyword, value in schema.items():
        if keyword in _ONE:
            yield keyword, keyword in _PARTS, schema, [(keyword, value)]
        elif keyword in _LIST:
            yield keyword, keyword in _PARTS, value, list(enumerate(value))
        elif keyword in _MAP:
            yield keyword, keyword in _PARTS, value, list(value.items())


def own_containers(schema: Schema) -> Schema:
    """The node with containers of its own around its subschemas, so that they can be replaced in place."""
    made = like(schema, schema)
    own(made)
    return made


def own(node: dict[str, Any]) -> None:
    """Gives a node that was copied containers of its own around its subschemas."""
    for keyword in _CONTAINING.intersection(node):
        node[keyword] = node[keyword].copy()


def with_own_children(node: dict[str, Any]) -> list[dict[str, Any]]:
    """Gives a node that was copied subschemas of its own, plain ones; these are given back, but for booleans."""
    found: list[dict[str, Any]] = []
    for keyword in HOLDING.intersection(node):
        value = node[keyword]
        if keyword in _MAP:
            node[keyword] = {name: dict(item) if isinstance(item, dict) else item for name, item in value.items()}
            held: Iterable[Any] = node[keyword].values()
        elif keyword in _LIST:
            node[keyword] = held = [dict(item) if isinstance(item, dict) else item for item in value]
        else:
            node[keyword] = dict(value) if isinstance(value, dict) else value
            held = (node[keyword],)
        found += [item for item in held if isinstance(item, dict)]
    return found


def place_of(value: Json, default: Path) -> Path:
    """The place of a subschema in the source."""
    return value.place if isinstance(value, Schema) else default
