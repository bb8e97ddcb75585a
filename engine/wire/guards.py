"""What an edit below a keyword does to the keyword: `not`, `if`, `oneOf` and their kin don't follow their parts.

Relaxing what stands under `not` tightens the whole, and so it is under `if`, `contains` and `oneOf`, and with what
`unevaluatedProperties` has to know of its neighbours. And wherever several schemas look at one value, a part that
is said in another form no longer looks at the same value as its neighbours. So each such keyword is a guard of
what stands below it: where an edit below breaks it, the keyword leaves the wire and the check keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.wire.shapes import CONSTRAINTS

# Broken by an encoding below: several schemas look at one value.
_SHARED = frozenset(
    ("allOf", "then", "else", "dependentSchemas", "propertyNames", "not", "if", "contains", "unevaluatedProperties",
     "unevaluatedItems")
)  # fmt: skip
# What stands under these is a part of the value; an encoding there is seen by the keywords beside.
_PARTS = frozenset(("properties", "additionalProperties", "patternProperties", "items", "prefixItems"))
_BESIDE_PARTS = frozenset(
    ("allOf", "anyOf", "oneOf", "if", "dependentSchemas", "not", "contains", "patternProperties", "enum", "const",
     "unevaluatedProperties", "unevaluatedItems")
)  # fmt: skip
_KEYS_ALONE = frozenset(("required", "type", "minProperties", "maxProperties", "dependentRequired"))
# Broken by any loss below too: more that fits below is not more that fits here.
_EXACT = frozenset(("not", "if", "contains", "oneOf"))
_UNIONS = frozenset(("anyOf", "oneOf"))
_IN_PLACE = frozenset(("$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"))
# What asked for an edit: a rule's id and its reason.
Cause = tuple[str, str]

UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")


@dataclass(slots=True, eq=False)
class Guard:
    """A keyword at a node that an edit below can break.

    Attributes:
        exact: whether any loss below breaks it.
        coded: whether an encoding below does.
        source: the keyword's value before anything below was edited.
        broken: what broke it.
    """

    node: Schema
    keyword: str
    exact: bool
    coded: bool
    source: Json
    broken: Cause | None = None


def guards_of(node: Schema, keyword: str, above: tuple[Guard, ...]) -> tuple[Guard, ...]:
    """The guards of what stands under a keyword of a node."""
    if keyword in _PARTS:
        if _BESIDE_PARTS.isdisjoint(node):
            return above
        made = [
            Guard(node, beside, exact=False, coded=True, source=_copied(node[beside]))
            for beside in node
            if beside in _BESIDE_PARTS and beside != keyword and _looks_below(beside, node[beside])
        ]
        if keyword == "patternProperties":
            made.append(Guard(node, keyword, exact=False, coded=True, source=_copied(node[keyword])))
        return (*above, *made) if made else above
    coded = keyword in _SHARED or (keyword in _UNIONS and any(key in node for key in _PARTS))
    exact = keyword in _EXACT
    made = []
    if coded or exact:
        guarded = "if" if keyword in ("then", "else") else keyword
        made.append(Guard(node, guarded, exact, coded, _copied(node.get(guarded))))
    if keyword in _IN_PLACE:
        made += [
            Guard(node, scope, exact=True, coded=True, source=node[scope]) for scope in UNEVALUATED if scope in node
        ]
    return (*above, *made) if made else above


def _looks_below(keyword: str, value: Json) -> bool:
    """Whether a keyword looks at what stands in the value, and not only at which keys there are."""
    if keyword not in ("anyOf", "oneOf", "allOf"):
        return True
    return any(key not in _KEYS_ALONE and key in CONSTRAINTS for branch in value for key in branch)


def _copied(value: Json) -> Json:
    """The value of a keyword, with a container of its own around its subschemas."""
    if isinstance(value, Schema) or not isinstance(value, (dict, list)):
        return value
    return dict(value) if isinstance(value, dict) else list(value)


@dataclass(slots=True)
class _Place:
    """What was done inside one definition (or inside the root)."""

    lossy: Cause | None = None
    coded: Cause | None = None
    leads_to: dict[str, None] = field(default_factory=dict)


class Guarding:
    """All guards of one conversion, and what has been done to what they guard."""

    def __init__(self) -> None:
        self._places: dict[str, _Place] = {}
        self._references: list[tuple[tuple[Guard, ...], str]] = []
        self._guards: dict[int, Guard] = {}
        self.has_edits = False

    def refers(self, place: str, guards: tuple[Guard, ...], name: str) -> None:
        """Says that a reference to a definition stands at a place, below some guards."""
        self._places.setdefault(place, _Place()).leads_to[name] = None
        if guards:
            self._references.append((guards, name))

    def edited(self, place: str, guards: tuple[Guard, ...], cause: Cause, *, coded: bool) -> None:
        """Says that an edit has lost something at a place, or said it in another form."""
        self.has_edits = True
        known = self._places.get(place) or self._places.setdefault(place, _Place())
        known.lossy = known.lossy or cause
        if coded:
            known.coded = known.coded or cause
        self._break(guards, cause, coded=coded)

    def _break(self, guards: Iterable[Guard], cause: Cause, *, coded: bool) -> None:
        for guard in guards:
            if guard.exact or (coded and guard.coded):
                guard.broken = guard.broken or cause
                self._guards[id(guard)] = guard

    def broken(self) -> Iterator[Guard]:
        """The guards that no longer hold, the outer ones first."""
        if self._references and self.has_edits:
            self._spread()
            for guards, name in self._references:
                place = self._places.get(name)
                if place is not None and place.lossy is not None:
                    self._break(guards, place.lossy, coded=False)
                if place is not None and place.coded is not None:
                    self._break(guards, place.coded, coded=True)
        yield from self._guards.values()

    def _spread(self) -> None:
        """What was done in a definition was done in all that lead to it."""
        above: dict[str, list[str]] = {}
        for name, place in self._places.items():
            for below in place.leads_to:
                above.setdefault(below, []).append(name)
        for kind in ("lossy", "coded"):
            waiting = [name for name, place in self._places.items() if getattr(place, kind) is not None]
            while waiting:
                name = waiting.pop()
                for upper in above.get(name, ()):
                    if getattr(self._places[upper], kind) is None:
                        setattr(self._places[upper], kind, getattr(self._places[name], kind))
                        waiting.append(upper)
