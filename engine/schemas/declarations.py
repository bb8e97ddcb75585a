"""A parameter's declaration as it stands in the source, read leniently: what can't be read is passed over.

The exact reading is the normal form's. This one serves the shallow checks, the words for a domain and the
lint, which look at one declaration without its surroundings: nothing is resolved, nothing is ever thrown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from toolglot.json_values import Json

TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
Spelling = Literal["absent", "readable", "unreadable"]

# The edges of the whole numbers that a double keeps: written by generators that mean "no bound".
SAFE = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Types:
    """The types that a declaration names.

    Attributes:
        spelling: `absent` where none is named, `unreadable` where one is named that JSON Schema does not
            have (`any`, `STRING`, a misspelling), else `readable`.
        names: the readable types, in the order of TYPES.
    """

    spelling: Spelling
    names: tuple[str, ...] = ()


ABSENT = Types("absent")


def own_types(declaration: Json) -> Types:
    """The types of the keyword `type` alone; a `type` of another shape than a name or names is passed over."""
    named = declaration.get("type") if isinstance(declaration, dict) else None
    names = [named] if isinstance(named, str) else named
    if not isinstance(names, (list, tuple)) or not names or not all(isinstance(name, str) for name in names):
        return ABSENT
    spelling: Spelling = "readable" if all(name in TYPES for name in names) else "unreadable"
    return Types(spelling, tuple([name for name in TYPES if name in names]))


def declared_types(declaration: Json) -> Types:
    """The types of `type`, or else those that the branches of a union name, where each branch names some."""
    own = own_types(declaration)
    if own.spelling != "absent":
        return own
    found = [_united(options) for options in unions(declaration)]
    return next((types for types in found if types.spelling != "absent"), ABSENT)


def unions(declaration: Json) -> Iterator[list[Json]]:
    """The branches of `anyOf` and of `oneOf`, where they are lists with something in them."""
    for keyword in ("anyOf", "oneOf"):
        yield from filter(None, [branches(declaration, keyword)])


def branches(declaration: Json, keyword: str) -> list[Json]:
    """The branches under one keyword; none where it is no list."""
    found = declaration.get(keyword) if isinstance(declaration, dict) else None
    return list(found) if isinstance(found, (list, tuple)) else []


def _united(options: list[Json]) -> Types:
    types = [own_types(option) for option in options]
    if any(each.spelling == "absent" for each in types):
        return ABSENT
    spelling: Spelling = "unreadable" if any(each.spelling == "unreadable" for each in types) else "readable"
    names = {name for each in types for name in each.names}
    return Types(spelling, tuple([name for name in TYPES if name in names]))


def number(declaration: Mapping[str, Json], keyword: str) -> int | float | None:
    """The number under a keyword, or None; a boolean is no number."""
    found = declaration.get(keyword)
    return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a declared number: inclusive ones in `least` and `most`, others in `above` and `below`."""

    least: int | float | None = None
    most: int | float | None = None
    above: int | float | None = None
    below: int | float | None = None


def bounds(declaration: Mapping[str, Json]) -> Bounds:
    """The bounds as a reader understands them: whole numbers get inclusive ones, the edges of `SAFE` are none."""
    whole = "number" not in declared_types(declaration).names and "integer" in declared_types(declaration).names
    least, most = number(declaration, "minimum"), number(declaration, "maximum")
    above, below = number(declaration, "exclusiveMinimum"), number(declaration, "exclusiveMaximum")
    if declaration.get("exclusiveMinimum") is True:
        least, above = None, least
    if declaration.get("exclusiveMaximum") is True:
        most, below = None, most
    if above is not None and (least is not None or (whole and _is_whole(above))):
        least, above = _tighter(least, above, whole=whole)
    if below is not None and (most is not None or (whole and _is_whole(below))):
        flipped, open_end = _tighter(None if most is None else -most, -below, whole=whole)
        most, below = _negated(flipped), _negated(open_end)
    return Bounds(*[None if _is_edge(bound) else bound for bound in (least, most, above, below)])


def _tighter(least: float | None, above: float, *, whole: bool) -> tuple[int | float | None, int | float | None]:
    """The stronger of an inclusive and an exclusive lower bound; for whole numbers as an inclusive one."""
    if whole and _is_whole(above):
        following = int(above) + 1
        return (following if least is None or following > least else least), None
    return (least, None) if least is not None and least > above else (None, above)


def _negated(bound: float | None) -> int | float | None:
    return None if bound is None else -bound


def _is_whole(bound: float) -> bool:
    return isinstance(bound, int) or bound.is_integer()


def _is_edge(bound: float | None) -> bool:
    return bound is not None and abs(bound) >= SAFE


def facts(declaration: Json) -> dict[str, Json]:
    """The computed facts of a declaration, for the predicates of rows at the place `value`.

    A fact that is not there is absent or None.
    """
    types = declared_types(declaration)
    found: dict[str, Json] = {
        "type-spelling": types.spelling,
        "admits": types.names if types.spelling == "readable" else (),
    }
    if not isinstance(declaration, dict):
        return found
    limits = bounds(_the_one_branch(declaration))
    found |= {"least": limits.least, "most": limits.most, "above": limits.above, "below": limits.below}
    for keyword, name in (("anyOf", "null-in-any-of"), ("oneOf", "null-in-one-of")):
        found[name] = True if any(map(_names_null, branches(declaration, keyword))) else None
    return found


def _the_one_branch(declaration: dict[str, Json]) -> dict[str, Json]:
    """The branch that says what is admitted beside null, where a union is no more than that; else the whole."""
    if own_types(declaration).spelling != "absent":
        return declaration
    options = next(unions(declaration), [])
    said = [option for option in options if isinstance(option, dict) and own_types(option).names != ("null",)]
    return said[0] if len(said) == 1 and len(options) == 2 else declaration


def _names_null(branch: Json) -> bool:
    """Whether a branch says that it admits null, as a type, a value or OpenAPI's mark."""
    if not isinstance(branch, dict):
        return False
    types = own_types(branch)
    listed = branch.get("enum")
    return (
        "null" in types.names
        or branch.get("nullable") is True
        or (types.spelling != "readable" and isinstance(listed, (list, tuple)) and None in listed)
        or (types.spelling != "readable" and "const" in branch and branch["const"] is None)
    )
