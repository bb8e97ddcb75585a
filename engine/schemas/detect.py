"""Which dialect a schema is written in: by `$schema`, else by marks, else the default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from toolglot.errors import Path, pointer
from toolglot.json_values import Json
from toolglot.schemas.forms import Detection
from toolglot.schemas.trails import Trail, path_of
from toolglot.schemas.walk import DEFAULT_LIMITS, Limits, held
from toolglot.tables.keywords import TYPES, Mark, any_holders, dialects, marks

# A report is for people: of each mark it names the first places only.
_PLACES = 3


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


@lru_cache(maxsize=1)
def _addresses() -> Mapping[str, str]:
    return {address: row.id for row in dialects().values() for address in row.schema}


def _weighed(schema: Json, seen: list[tuple[Mark, str]], default: str) -> Detection:
    """The dialect that explains most; the default, then the preferred one, where several do."""
    stranger = ()
    if isinstance(schema, dict) and "$schema" in schema:
        stranger = (f"$schema names no known dialect: {str(schema['$schema'])[:200]!r}",)
    if not seen:
        return Detection(default, (), "default", stranger)
    weights = {name: sum(mark.weight for mark, _ in seen if name in mark.dialects) for name in dialects()}
    most = max(weights.values())
    best = [name for name, weight in weights.items() if weight == most]
    rows = dialects()
    chosen = default if default in best else max(best, key=lambda name: rows[name].preference)
    for_it = tuple(text for mark, text in seen if chosen in mark.dialects)
    against = tuple(text for mark, text in seen if chosen not in mark.dialects)
    sure = len(best) == 1 and not against
    return Detection(chosen, for_it, "marked" if sure else "likely", against + stranger)


@lru_cache(maxsize=1)
def _marks_by_keyword() -> Mapping[str, tuple[Mark, ...]]:
    found: dict[str, tuple[Mark, ...]] = {}
    for mark in marks():
        found[mark.keyword] = (*found.get(mark.keyword, ()), mark)
    return found


def _marks_in(schema: Json, limits: Limits) -> list[tuple[Mark, str]]:
    """Each mark that the schema has, once, with its first place; a schema past the limits is read up to them."""
    by_keyword, holders = _marks_by_keyword(), any_holders()
    seen: dict[Mark, Path] = {}
    stack: list[tuple[Json, Trail | None, int]] = [(schema, None, 1)]
    count = 0
    while stack and count < limits.nodes:
        node, trail, depth = stack.pop()
        if not isinstance(node, dict) or depth > limits.depth:
            continue
        count += 1
        children: list[tuple[Json, Trail | None, int]] = []
        for keyword, value in node.items():
            for mark in by_keyword.get(keyword, ()) if isinstance(keyword, str) else ():
                if mark not in seen and _SHAPES[mark.value](value):
                    seen[mark] = path_of(trail)
            holds = holders.get(keyword) if isinstance(keyword, str) else None
            if holds is not None:
                for _, step, child in held(keyword, holds, value):
                    below = Trail(trail, keyword)
                    children.append((child, below if step is None else Trail(below, step), depth + 1))
        stack += reversed(children)
    return [(mark, f"{mark.value} {mark.keyword} at {pointer(path)}") for mark, path in seen.items()]


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
