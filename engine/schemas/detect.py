"""Which dialect a schema is written in: by `$schema`, else by marks, else the default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from toolglot.errors import pointer
from toolglot.json_values import Json
from toolglot.schemas.forms import Detection
from toolglot.schemas.trails import Trail, path_of
from toolglot.schemas.walk import DEFAULT_LIMITS, Limits, held
from toolglot.tables.keywords import TYPES, Mark, any_holders, dialects, marks

# From this weight on a mark is a rule; below, a habit.
_RULE = 2

# The marks that a schema has, each with the trail of the first schema that has it.
Seen = Mapping[Mark, Trail | None]
# Whether a value has the form that a mark asks for.
Fits = Callable[[Json], bool]


def detect(schema: Json, *, default: str = "2020-12", limits: Limits = DEFAULT_LIMITS) -> Detection:
    """The dialect of a schema, what decided and how surely; never raises, whatever it is given."""
    return weighed(schema, declared_dialect(schema), _marks_in(schema, limits), default)


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


@lru_cache(maxsize=1)
def _addresses() -> Mapping[str, str]:
    return {address: row.id for row in dialects().values() for address in row.schema}


# --- Weighing the marks


def weighed(schema: Json, declared: str | None, seen: Seen, default: str) -> Detection:
    """The dialect that is declared, or else the one that explains most of the marks seen."""
    if declared is not None:
        against = tuple([_said(mark, trail) for mark, trail in seen.items() if declared not in mark.dialects])
        return Detection(declared, ("$schema",), "declared", against) if against else _declared(declared)
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    stranger = (f"$schema names no known dialect: {uri[:200]!r}",) if isinstance(uri, str) else ()
    if not seen:
        return Detection(default, (), "default", stranger)
    chosen = _chosen(frozenset(seen), default)
    for_it = tuple([_said(mark, trail) for mark, trail in seen.items() if chosen in mark.dialects])
    against = tuple([_said(mark, trail) for mark, trail in seen.items() if chosen not in mark.dialects])
    sure = not against and _only_one(frozenset(seen), chosen)
    return Detection(chosen, for_it, "marked" if sure else "likely", against + stranger)


@cache
def _declared(dialect: str) -> Detection:
    return Detection(dialect, ("$schema",), "declared")


@lru_cache(maxsize=1024)
def _chosen(seen: frozenset[Mark], default: str) -> str:
    """The dialect that explains most; the default, then the preferred one, where several do."""
    rows = dialects()
    weights = {name: sum(mark.weight for mark in seen if name in mark.dialects) for name in rows}
    most = max(weights.values())
    best = [name for name, weight in weights.items() if weight == most]
    return default if default in best else max(best, key=lambda name: rows[name].preference)


@lru_cache(maxsize=1024)
def _only_one(seen: frozenset[Mark], chosen: str) -> bool:
    """Whether marks that are rules, not habits, leave this dialect alone, or only those made upon it beside it."""
    rules = [mark for mark in seen if mark.weight >= _RULE]
    left = {
        name for name, row in dialects().items() if row.base != chosen and all(name in mark.dialects for mark in rules)
    }
    return left == {chosen}


def _said(mark: Mark, trail: Trail | None) -> str:
    return f"{mark.value} {mark.keyword} at {pointer(path_of(trail))}"


# --- Seeing them


@lru_cache(maxsize=1)
def _rows() -> Mapping[str, tuple[tuple[tuple[Mark, Fits], ...], str]]:
    """What a keyword means to the detector: its marks, each with the test of its value, and what it may hold."""
    holders = any_holders()
    names = {mark.keyword: None for mark in marks()} | dict.fromkeys(holders)
    return {
        name: (
            tuple((mark, _SHAPES[mark.value].fits) for mark in marks() if mark.keyword == name),
            holders.get(name, ""),
        )
        for name in names
    }


@lru_cache(maxsize=1)
def marks_by_type() -> Mapping[tuple[str, type], tuple[tuple[Mark, Fits], ...]]:
    """The marks that a keyword may be, each with the test of its value, by the keyword and the type of the value."""
    found: dict[tuple[str, type], tuple[tuple[Mark, Fits], ...]] = {}
    for mark in marks():
        shape = _SHAPES[mark.value]
        for kind in shape.types:
            found[mark.keyword, kind] = (*found.get((mark.keyword, kind), ()), (mark, shape.fits))
    return found


def _marks_in(schema: Json, limits: Limits) -> Seen:
    """Each mark that the schema has; a schema past the limits is read up to them."""
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
    return seen


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _upper_case(value: Json) -> bool:
    return isinstance(value, str) and value.isupper() and value.lower() in TYPES


def _any_or_schema(value: Json) -> bool:
    if isinstance(value, list):
        return any(isinstance(item, dict) or item == "any" for item in value)
    return bool(value == "any")


class Shape(NamedTuple):
    """A form of values: the JSON types that it is found in, and the test of a value."""

    types: tuple[type, ...]
    fits: Fits


_ANY = (str, int, float, bool, type(None), list, dict)
_SHAPES: Mapping[str, Shape] = {
    "any": Shape(_ANY, lambda _: True),
    "boolean": Shape((bool,), lambda value: isinstance(value, bool)),
    "number": Shape((int, float), _is_number),
    "text": Shape((str,), lambda value: isinstance(value, str)),
    "list": Shape((list,), lambda value: isinstance(value, (list, tuple))),
    "object": Shape((dict,), lambda value: isinstance(value, dict)),
    "upper-case": Shape((str,), _upper_case),
    "any-or-schema": Shape((str, list, dict), _any_or_schema),
    "null-or-list": Shape((str, list), lambda value: isinstance(value, (list, tuple)) or value == "null"),
    "fragment": Shape((str,), lambda value: isinstance(value, str) and value.startswith("#") and len(value) > 1),
    "component": Shape((str,), lambda value: isinstance(value, str) and value.startswith("#/components/schemas/")),
}
