"""The keywords that look at a value alone, as the exact checker reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from toolglot.calls.cases import ANY, ARRAY, NUMBER, OBJECT, STRING, Case
from toolglot.calls.kinds import flat, is_multiple
from toolglot.json_values import Json


def _has_type(case: Case, wanted: str | Sequence[str]) -> bool:
    names = (wanted,) if isinstance(wanted, str) else wanted
    return case.kind in names or (case.kind == "integer" and "number" in names)


def _is_member(case: Case, members: Sequence[Json]) -> bool:
    key = case.key()
    return any(flat(member) == key for member in members)


def _has_format(case: Case, name: str) -> bool:
    match = case.exact.format_of(name) if isinstance(name, str) else None
    return match is None or case.ask_text(match, "format", case.value)


def _is_unique(case: Case, wanted: bool) -> bool:
    if not wanted:
        return True
    case.key()  # bounds the work of the line below
    return len({flat(item) for item in case.value}) == len(case.value)


def _required(case: Case, names: Sequence[str]) -> bool:
    for name in names:
        if name not in case.value:
            case.fault("required", step=name, detail=name)
    return True  # each missing key is a fault of its own, noted above


def _dependent_required(case: Case, dependents: Mapping[str, Sequence[str]]) -> bool:
    for name, wanted in dependents.items():
        for key in wanted if name in case.value else ():
            if key not in case.value:
                case.fault("dependentRequired", step=key, detail=name)
    return True  # as above


Holds = Callable[[Case, Json], bool]
# Each keyword with the kinds of values that it looks at.
ASSERTIONS: Sequence[tuple[str, frozenset[str], Holds]] = (
    ("type", ANY, _has_type),
    ("enum", ANY, _is_member),
    ("const", ANY, lambda case, member: _is_member(case, (member,))),
    ("minimum", NUMBER, lambda case, limit: case.value >= limit),
    ("maximum", NUMBER, lambda case, limit: case.value <= limit),
    ("exclusiveMinimum", NUMBER, lambda case, limit: case.value > limit),
    ("exclusiveMaximum", NUMBER, lambda case, limit: case.value < limit),
    ("multipleOf", NUMBER, lambda case, unit: is_multiple(case.value, unit)),
    ("minLength", STRING, lambda case, least: len(case.value) >= least),
    ("maxLength", STRING, lambda case, most: len(case.value) <= most),
    ("pattern", STRING, lambda case, pattern: case.match(pattern, "pattern", case.value)),
    ("format", STRING, _has_format),
    ("minItems", ARRAY, lambda case, least: len(case.value) >= least),
    ("maxItems", ARRAY, lambda case, most: len(case.value) <= most),
    ("uniqueItems", ARRAY, _is_unique),
    ("minProperties", OBJECT, lambda case, least: len(case.value) >= least),
    ("maxProperties", OBJECT, lambda case, most: len(case.value) <= most),
    ("required", OBJECT, _required),
    ("dependentRequired", OBJECT, _dependent_required),
)
