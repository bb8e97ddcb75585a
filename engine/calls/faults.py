"""Faults of the exact checker as problems: the nearest branch of a union speaks, nothing is said twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from toolglot.calls.cases import Fault, Verdict
from toolglot.calls.kinds import OutOfWork
from toolglot.errors import Problem
from toolglot.json_values import Json
from toolglot.schemas.shown import number_text, quoted, shown

RULE = "schema"


def too_costly(end: OutOfWork) -> Problem:
    """The problem of a value whose check takes more work than is allowed: it counts as refused."""
    hint = "send less, or less nested" if not end.keyword else "send a shorter text"
    return Problem(end.path, end.keyword, "work-limit", None, "a value that can be checked with bounded work", hint)


def problems(faults: Sequence[Fault]) -> tuple[Problem, ...]:
    """The faults as problems, in order, each place and keyword once."""
    found: dict[tuple[object, ...], Problem] = {}
    for fault in _spoken(faults):
        path = fault.path()
        found.setdefault((path, fault.keyword, id(fault.schema)), _problem(fault, path))
    return tuple(found.values())


def _problem(fault: Fault, path: tuple[str | int, ...]) -> Problem:
    return Problem(path, fault.keyword, RULE, fault.got, wanted(fault))


def _spoken(faults: Sequence[Fault]) -> Iterator[Fault]:
    """Each fault, with those of unions replaced by the nearest branch's where one is near."""
    waiting = list(reversed(faults))
    while waiting:
        fault = waiting.pop()
        nearest = _nearest(fault) if fault.keyword in ("anyOf", "oneOf") else None
        if nearest is None:
            yield fault
        else:
            waiting.extend(reversed(nearest.faults))


def _nearest(fault: Fault) -> Verdict | None:
    """The branch that was probably meant: the right type, the right constants, then the fewest faults."""
    verdicts: Sequence[Verdict] = fault.detail
    if not verdicts or any(verdict.passes for verdict in verdicts):
        return None
    near = [verdict for verdict in verdicts if not any(_is_of_other_kind(fault, inner) for inner in verdict.faults)]
    return min(near, key=_distance, default=None)


def _is_of_other_kind(union: Fault, fault: Fault) -> bool:
    return fault.place is union.place and fault.keyword in ("type", "const", "enum", "not")


def _distance(verdict: Verdict) -> tuple[int, int]:
    constants = sum(fault.keyword in ("const", "enum") for fault in verdict.faults)
    return constants, len(verdict.faults)


# Words --------------------------------------------------------------------------------------------------------------

_TYPE_WORDS = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
_SAYINGS = {
    "minimum": "a number, {0} or more",
    "maximum": "a number, {0} or less",
    "exclusiveMinimum": "a number above {0}",
    "exclusiveMaximum": "a number below {0}",
    "multipleOf": "a multiple of {0}",
    "minLength": "a text of {0} or more characters",
    "maxLength": "a text of at most {0} characters",
    "minItems": "a list of {0} or more items",
    "maxItems": "a list of at most {0} items",
    "minProperties": "an object of {0} or more keys",
    "maxProperties": "an object of at most {0} keys",
    "minContains": "a list in which {0} or more items are of the wanted form",
    "maxContains": "a list in which at most {0} items are of the wanted form",
    "contains": "a list in which an item is of the wanted form",
    "uniqueItems": "a list in which no item comes twice",
    "additionalProperties": "no key of this name",
    "unevaluatedProperties": "no key of this name",
    "unevaluatedItems": "no item here",
    "required": "a value for this key",
    "not": "a value of another form",
}


def wanted(fault: Fault) -> str:
    """What would have been right, in a few words."""
    limit = fault.schema.get(fault.keyword)
    if fault.keyword in _SAYINGS:
        return _SAYINGS[fault.keyword].format(number_text(limit) if isinstance(limit, (int, float)) else "")
    word = _WORDS.get(fault.keyword)
    return word(fault, limit) if word else "a value that fits the schema"


def _types(_: Fault, limit: Json) -> str:
    names = [limit] if isinstance(limit, str) else limit
    return alternatives([_TYPE_WORDS.get(name, name) for name in names])


def _members(_: Fault, limit: Json) -> str:
    told = [shown(member, 40) for member in limit[:12]]
    return alternatives([*told, f"{len(limit) - 12} others"] if len(limit) > 12 else told)


def _branches(fault: Fault, limit: Json) -> str:
    fitting = sum(verdict.passes for verdict in fault.detail)
    if fitting:
        return f"a value that fits exactly one of {len(limit)} forms; it fits {fitting}"
    told = [_form(branch) for branch in limit]
    return alternatives(list(dict.fromkeys(told))[:8])


def _form(schema: Mapping[str, Json]) -> str:
    if "type" in schema:
        return alternatives([_TYPE_WORDS.get(name, name) for name in _listed(schema["type"])])
    if "const" in schema:
        return shown(schema["const"], 40)
    return _members_of(schema["enum"]) if "enum" in schema else "another form"


def _members_of(members: Sequence[Json]) -> str:
    return alternatives([shown(member, 40) for member in members[:8]])


def _listed(names: Json) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def _name(fault: Fault, _: Json) -> str:
    inner: Fault = fault.detail
    return f"a key that is {wanted(inner)}"


def alternatives(words: Sequence[str]) -> str:
    """Words joined as alternatives: `a, b or c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"


_WORDS: Mapping[str, Callable[[Fault, Json], str]] = {
    "type": _types,
    "enum": _members,
    "const": lambda _, limit: shown(limit, 80),
    "anyOf": _branches,
    "oneOf": _branches,
    "pattern": lambda _, limit: f"a text that matches {quoted(limit, 80)}",
    "format": lambda _, limit: f"a text of the format {quoted(limit, 40)}",
    "propertyNames": _name,
    "dependentRequired": lambda fault, _: f"a value for this key, since {quoted(fault.detail, 40)} is given",
}
