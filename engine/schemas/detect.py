"""Which dialect a schema is written in: by `$schema`, else by marks, else the default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from toolglot.errors import pointer
from toolglot.json_values import Json
from toolglot.schemas.forms import Detection
from toolglot.schemas.trails import Trail, path_of
from toolglot.schemas.walk import DEFAULT_LIMITS, Limits, held
from toolglot.tables.keywords import TYPES, Mark, any_holders, dialects, marks

# From this weight on a mark is a rule; below, a habit.
_RULE = 2


def detect(schema: Json, *, default: str = "2020-12", limits: Limits = DEFAULT_LIMITS) -> Detection:
    """The dialect of a schema, what decided and how surely; never raises, whatever it is given."""
    declared = declared_dialect(schema)
    seen = _marks_in(schema, limits)
    if declared is not None:
        against = tuple(text for mark, text in seen if declared not in mark.dialects)
        return Detection(declared, ("$schema",), "declared", against)
    return _weighed(schema, seen, default)


def declared_dialect(schema: Json) -> str | None:
    """The dialect that `$schema` names, if it is one that the table knows."""
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    return dialect_of(uri) if isinstance(uri, str) else None


def dialect_of(uri: str) -> str | None:
    """The dialect with this `$schema` address; http and https, with and without `#`, are alike."""
    bare = uri.strip().removesuffix("#").removesuffix("/")
    for scheme in ("https://", "http://"):
        bare = bare.removeprefix(scheme)
    return _addresses().get(bare)


def _only_one(seen: set[Mark], chosen: str) -> bool:
    """Whether marks that are rules, not habits, leave this dialect alone, or only those made upon it beside it."""
    left = {
        name for name, row in dialects().items() if row.base != chosen and all(name in mark.dialects for mark in seen)
    }
    return left == {chosen}


@lru_cache(maxsize=1)
def _addresses() -> Mapping[str, str]:
    return {address: row.id for row in dialects().values() for address in row.schema}


def _weighed(schema: Json, seen: list[tuple[Mark, str]], default: str) -> Detection:
    """The dialect that explains most; the default, then the preferred one, where several do."""
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    stranger = (f"$schema names no known dialect: {declared[:200]!r}",) if isinstance(declared, str) else ()
    if not seen:
        return Detection(default, (), "default", stranger)
    weights = {name: sum(mark.weight for mark, _ in seen if name in mark.dialects) for name in dialects()}
    most = max(weights.values())
    best = [name for name, weight in weights.items() if weight == most]
    rows = dialects()
    chosen = default if default in best else max(best, key=lambda name: rows[name].preference)
    for_it = tuple(text for mark, text in seen if chosen in mark.dialects)
    against = tuple(text for mark, text in seen if chosen not in mark.dialects)
    sure = not against and _only_one({mark for mark, _ in seen if mark.weight >= _RULE}, chosen)
    return Detection(chosen, for_it, "marked" if sure else "likely", against + stranger)


# What a keyword means to the detector: its marks, each with the test of its value, and what it may hold.
_Row = tuple[tuple[tuple[Mark, Callable[[Json], bool]], ...], str]


@lru_cache(maxsize=1)
def _rows() -> Mapping[str, _Row]:
    holders = any_holders()
    names = {mark.keyword: None for mark in marks()} | dict.fromkeys(holders)
    return {
        name: (
            tuple((mark, _SHAPES[mark.value]) for mark in marks() if mark.keyword == name),
            holders.get(name, ""),
        )
        for name in names
    }


def _marks_in(schema: Json, limits: Limits) -> list[tuple[Mark, str]]:
    """Each mark that the schema has, once, with its first place; a schema past the limits is read up to them."""
    rows = _rows()
    seen: dict[Mark, Trail | None] = {}
    stack: list[tuple[Json, Trail | None, int]] = [(schema, None, 1)]
    count = 0
    while stack and count < limits.nodes:
        node, trail, depth = stack.pop()
        count += 1
        if not isinstance(node, dict) or depth > limits.depth:
            continue
        first_child = len(stack)
        for keyword, value in node.items():
            row = rows.get(keyword)
            if row is None:
                continue
            for mark, fits in row[0]:
                if mark not in seen and fits(value):
                    seen[mark] = trail
            if row[1]:
                stack += [
                    (child, (trail, name) if step is None else ((trail, name), step), depth + 1)
                    for name, step, child in held(keyword, row[1], value)
                ]
        stack[first_child:] = reversed(stack[first_child:])
    return [(mark, f"{mark.value} {mark.keyword} at {pointer(path_of(trail))}") for mark, trail in seen.items()]


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _upper_case(value: Json) -> bool:
    return isinstance(value, str) and value.isupper() and value.lower() in TYPES


def _any_or_schema(value: Json) -> bool:
    if isinstance(value, list):
        return any(isinstance(item, dict) or item == "any" for item in value)
    return bool(value == "any")


_SHAPES: Mapping[str, Callable[[Json], bool]] = {
    "any": lambda _: True,
    "boolean": lambda value: isinstance(value, bool),
    "number": _is_number,
    "text": lambda value: isinstance(value, str),
    "list": lambda value: isinstance(value, (list, tuple)),
    "object": lambda value: isinstance(value, dict),
    "upper-case": _upper_case,
    "any-or-schema": _any_or_schema,
    "null-or-list": lambda value: isinstance(value, (list, tuple)) or value == "null",
    "fragment": lambda value: isinstance(value, str) and value.startswith("#") and len(value) > 1,
    "component": lambda value: isinstance(value, str) and value.startswith("#/components/schemas/"),
}
