"""Whether the value of a keyword is one that its dialect allows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import NamedTuple

from toolglot.json_values import Json
from toolglot.tables.keywords import TYPES, Dialect, Form, Vocabulary

# How much of a value a message shows.
_SHOWN = 60
_TEXT = frozenset((str,))
_ANCHOR = re.compile(r"[A-Za-z_][-A-Za-z0-9._:]*")


# What is wrong with a value, in words; None if nothing is. The subschemas that it holds are not looked into.
Check = Callable[[Json], str | None]


@lru_cache(maxsize=256)
def checks(vocabulary: Vocabulary) -> Mapping[str, Check]:
    """For each keyword of a vocabulary, what is wrong with a value of it."""
    return {name: _check(form, vocabulary.dialect) for name, form in vocabulary.forms.items() if _is_checked(form)}


def _is_checked(form: Form) -> bool:
    return form.holds != "none" or form.value != "any"


def _check(form: Form, dialect: Dialect) -> Check:
    if form.holds == "none":
        return partial(_VALUES[form.value], dialect)
    return partial(_HOLDERS[form.holds], form, dialect)


def schema_fault(schema: Json, dialect: Dialect, *, boolean: bool = False) -> str | None:
    """Why this can't stand where a schema is wanted."""
    if isinstance(schema, dict):
        return None
    if isinstance(schema, bool):
        return None if boolean or dialect.boolean_schemas else f"{dialect.title} has no boolean schemas"
    return f"wanted a schema, got {_name(schema)}"


def _name(value: Json) -> str:
    """A short picture of a value, for a message."""
    if isinstance(value, (dict, list, tuple)):
        return ("an empty " if not value else "a ") + ("object" if isinstance(value, dict) else "list")
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= _SHOWN else f'"{value[:_SHOWN]}..."'
    if isinstance(value, (float, type(None), bool)) or (isinstance(value, int) and value.bit_length() <= _SHOWN):
        return repr(value)
    return f"{'an' if isinstance(value, int) else 'a value of type'} {type(value).__name__}"


def _is_list(value: Json) -> bool:
    return isinstance(value, (list, tuple))


def _is_number(value: Json) -> bool:
    if isinstance(value, float):
        return not math.isnan(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: Json) -> bool:
    return _is_number(value) and value >= 0 and (isinstance(value, int) or value.is_integer())


def _is_names(value: Json) -> bool:
    # Bare texts are told at once; a text of the caller's own type takes a closer look.
    return isinstance(value, (list, tuple)) and (
        _TEXT.issuperset(map(type, value)) or all(isinstance(item, str) for item in value)
    )


def _types(dialect: Dialect, value: Json) -> str | None:
    if not _is_list(value):
        return _type(dialect, value)
    if not value:
        return "wanted a type name or a list of them, got an empty list"
    return next((wrong for item in value if (wrong := _type(dialect, item))), None)


def _type(dialect: Dialect, value: Json) -> str | None:
    if isinstance(value, str):
        name = value.lower() if dialect.type_names == "any-case" else value
        if name in TYPES or (dialect.type_names == "any-case" and name == "type_unspecified"):
            return None
        return f'"{value[:60]}" is no type; the types are {", ".join(sorted(TYPES))}'
    return f"wanted a type name, got {_name(value)}"


def _is_text_count(value: Json) -> bool:
    return _is_count(value) or (isinstance(value, str) and value.isascii() and value.isdigit())


class _Kind(NamedTuple):
    """A kind of values: what is wanted, whether a value fits, and the types of which every value does."""

    wanted: str
    fits: Callable[[Json], bool]
    plain: tuple[type, ...] = ()


_KINDS: Mapping[str, _Kind] = {
    "text": _Kind("a text", lambda value: isinstance(value, str), (str,)),
    "reference": _Kind("a reference as text", lambda value: isinstance(value, str), (str,)),
    "anchor": _Kind(
        "a plain name (letters, digits, _ - .)", lambda value: isinstance(value, str) and bool(_ANCHOR.fullmatch(value))
    ),
    "flag": _Kind("true or false", lambda value: isinstance(value, bool), (bool,)),
    "number": _Kind("a number", _is_number, (int,)),
    "positive-number": _Kind("a number above 0", lambda value: _is_number(value) and value > 0),
    "count": _Kind("a whole number, 0 or more", _is_count),
    "count-or-text": _Kind("a whole number, 0 or more", _is_text_count),
    "list": _Kind("a list", _is_list, (list,)),
    "choices": _Kind("a list with at least one value", lambda value: _is_list(value) and bool(value)),
    "names": _Kind("a list of names", _is_names),
    "some-names": _Kind("a list of at least one name", lambda value: _is_names(value) and bool(value)),
    "map-of-names": _Kind(
        "an object of lists of names", lambda value: isinstance(value, dict) and all(map(_is_names, value.values()))
    ),
    "switches": _Kind(
        "an object of true and false",
        lambda value: isinstance(value, dict) and all(isinstance(item, bool) for item in value.values()),
    ),
}


def plain_types(form: Form) -> tuple[type, ...]:
    """The types of which every value is right for a keyword that holds no schemas."""
    if form.value == "any":
        return (str, int, float, bool, type(None), list, dict)
    kind = _KINDS.get(form.value)
    return kind.plain if kind else ()


def is_right(form: Form, dialect: Dialect) -> Callable[[Json], bool]:
    """Whether a value is right for a keyword that holds no schemas."""
    kind = _KINDS.get(form.value)
    if kind is not None:
        return kind.fits
    check = _VALUES.get(form.value)
    return lambda value: check is None or check(dialect, value) is None


def _wanted(kind: _Kind) -> Callable[[Dialect, Json], str | None]:
    def check(_: Dialect, value: Json) -> str | None:
        return None if kind.fits(value) else f"wanted {kind.wanted}, got {_name(value)}"

    return check


_VALUES: Mapping[str, Callable[[Dialect, Json], str | None]] = {
    **{name: _wanted(kind) for name, kind in _KINDS.items()},
    "type": _type,
    "types": _types,
}


def _schema(form: Form, dialect: Dialect, value: Json) -> str | None:
    return schema_fault(value, dialect, boolean=form.boolean)


def _schemas(form: Form, dialect: Dialect, value: Json) -> str | None:
    if not _is_list(value) or not (value or form.empty):
        return f"wanted a list of schemas, got {_name(value)}"
    return next((wrong for item in value if (wrong := schema_fault(item, dialect))), None)


def _schema_or_schemas(form: Form, dialect: Dialect, value: Json) -> str | None:
    return _schemas(form, dialect, value) if _is_list(value) else _schema(form, dialect, value)


def _map(_: Form, dialect: Dialect, value: Json) -> str | None:
    if not isinstance(value, dict):
        return f"wanted an object of schemas, got {_name(value)}"
    return next((wrong for item in value.values() if (wrong := schema_fault(item, dialect))), None)


def _map_or_names(form: Form, dialect: Dialect, value: Json) -> str | None:
    if not isinstance(value, dict):
        return f"wanted an object, got {_name(value)}"
    for item in value.values():
        single = isinstance(item, str) and form.value == "text"
        if not _is_names(item) and not single and (wrong := schema_fault(item, dialect)):
            return wrong
    return None


def _names_or_schemas(_: Form, __: Dialect, value: Json) -> str | None:
    if isinstance(value, str):
        return None
    if not _is_list(value):
        return f"wanted a type name or a list, got {_name(value)}"
    wrong = [item for item in value if not isinstance(item, (str, dict))]
    return f"wanted a type name or a schema, got {_name(wrong[0])}" if wrong else None


_HOLDERS: Mapping[str, Callable[[Form, Dialect, Json], str | None]] = {
    "one": _schema,
    "list": _schemas,
    "map": _map,
    "one-or-list": _schema_or_schemas,
    "map-or-names": _map_or_names,
    "names-or-schemas": _names_or_schemas,
}
