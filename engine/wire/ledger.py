"""The ledger: how the wire's form of a value differs from the tool's own, and both ways across.

It is made from the finished wire: each node that an encoding made carries its codecs, and a step (`steps`) says what
to do with a value at that node and below it. Steps that lead to no codec cost nothing.

A union does not say which of its branches a value follows. The branches that the value fits are read; where two
readings differ, the check of the tool's own schema decides, and where it can't, the call is no spelling of
anything. A call is first read as a spelling of the wire throughout. Where that fails, it may be in the tool's own
form already, as a whole or in parts: not where a property that only the wire has stands in it, since then a model that
wrote `none` there would have said so of a key that the tool never had.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import islice, product
from typing import Any

from toolglot.errors import Path, Problem
from toolglot.json_values import Json, equal, identity
from toolglot.schemas.forms import Schema
from toolglot.unwound import Call, unwound
from toolglot.wire.codecs import ABSENT, Codec, Left, Unread
from toolglot.wire.fitting import DEEPEST, Fitting, Plain
from toolglot.wire.steps import Step, first_step, is_wrapped
from toolglot.wire.straight import straight

MAXIMUM_DEPTH = DEEPEST  # levels of a value that can be restored
MAXIMUM_READINGS = 64
MAXIMUM_SPELLINGS = 64
# The rule of the problem of a call whose readings are all refused.
MISFIT = "no-reading-fits"

Accepts = Callable[[Json], bool]


class Ledger:
    """Both ways between the tool's own form of a value and the wire's. Safe to use from several threads."""

    __slots__ = ("_definitions", "_glances", "_root")

    def __init__(self, root: Step | None = None, definitions: Mapping[str, Schema] | None = None) -> None:
        self._root, self._definitions = root, definitions or {}
        self._glances: dict[int, Plain] = {}

    @property
    def is_identity(self) -> bool:
        """Whether the wire has every value in the tool's own form."""
        return self._root is None

    def restore(self, value: Json, accepts: Accepts | None = None) -> tuple[Json, tuple[Problem, ...]]:
        """The tool's own form of a call on the wire, and what in it is no spelling of anything.

        The value handed in is not written to. Parts that need no restoring are handed on as they are. Where there are
        several readings and none fits, the first comes with a problem (`MISFIT`), so that what is wrong can be told.

        Args:
            value: the call's arguments.
            accepts: the check of the tool's own schema, which is asked where there is more than one reading.
        """
        if self._root is None:
            return value, ()
        restored = straight(self._root, value, self._fitting() if self._root.forks else None)
        if restored is not ABSENT:
            return restored, ()
        fitting = self._fitting()
        spelled = _Reading(fitting, strict=True)
        readings = spelled.readings(self._root, value)
        is_of_wire = spelled.is_broken or is_wrapped(self._root, value)
        if not readings and accepts is not None and not is_of_wire and accepts(value):
            return value, ()
        if not readings:
            readings = _Reading(fitting, strict=False).readings(self._root, value)
        if not readings:
            return value, (spelled.problem or _no_spelling(value),)
        if len(readings) == 1:
            return readings[0], ()
        accepted = [reading for reading in readings if accepts(reading)] if accepts else []
        if len(accepted) == 1:
            return accepted[0], ()
        if accepts and not accepted:
            return readings[0], (_misfit(value),)
        return value, (_ambiguous(value, len(accepted) or len(readings)),)

    def _fitting(self) -> Fitting:
        return Fitting(self._definitions, self._glances)

    def spellings(self, value: Json) -> Iterator[Json]:
        """The wire's forms of a value in the tool's own form, the plainest first, at most `MAXIMUM_SPELLINGS`.

        There is more than one where several branches of a union could hold the value; the wire schema admits at
        least one of them.
        """
        root = self._root
        if root is None:
            yield value
            return
        spelling = _Spelling(self._fitting())
        forms = unwound(spelling.spellings(root, value, 0))
        # A form that reads another way too is left out where there is one that does not.
        clear = [form for form in forms if self._reads_as(form, value)]
        yield from clear if any(spelling.fitting.fits(root.node, form) for form in clear) else forms

    def _reads_as(self, form: Json, value: Json) -> bool:
        restored, problems = self.restore(form)
        return not problems and equal(restored, value)


def _no_spelling(value: Json) -> Problem:
    return Problem((), "anyOf", "restore", value, "one of the forms that the schema describes")


def _misfit(value: Json) -> Problem:
    return Problem((), "anyOf", MISFIT, value, "one of the forms that the schema describes")


def _ambiguous(value: Json, count: int) -> Problem:
    return Problem((), "anyOf", "restore", value, f"a form that can be read in one way, not in {count}")


# From the wire --------------------------------------------------------------------------------------------------


class _TooDeep(Exception):  # noqa: N818 - it ends a reading, and is told as a problem
    """The value is nested deeper than can be restored."""


class _Reading:
    """One attempt to read a call; it remembers what it has read, so that no place is read twice.

    Attributes:
        problem: the first thing that is no spelling.
        is_broken: whether something has the form that only the wire has, and is no spelling in it.
    """

    def __init__(self, fitting: Fitting, *, strict: bool) -> None:
        self.fitting, self.strict = fitting, strict
        self.problem: Problem | None = None
        self.is_broken = False
        self._known: dict[tuple[int, int], tuple[Json, list[Json]]] = {}
        self._keys = _Keys()

    def readings(self, root: Step, value: Json) -> list[Json]:
        """The readings of a call that differ, none of them `ABSENT`."""
        try:
            return [reading for reading in unwound(self._read(root, value, ())) if reading is not ABSENT]
        except _TooDeep:
            self.problem = Problem((), "type", "restore", value, f"at most {MAXIMUM_DEPTH} levels")
            return []

    def _read(self, step: Step, value: Json, path: Path) -> Call[list[Json]]:
        if not step.leads:
            return [value]
        if len(path) > MAXIMUM_DEPTH:
            raise _TooDeep
        if step.branches_lead:
            readings: list[Json] = yield self._read_branches(step, value, path)
        elif isinstance(value, (dict, list)):
            readings = yield self._read_below(step, value, path)
        else:
            readings = [value]
        for codec in step.codecs:
            readings = self._decoded(codec, readings, path)
        return readings

    def _read_branches(self, step: Step, value: Json, path: Path) -> Call[list[Json]]:
        """What the branches that the value fits make of it."""
        if value is None and step.node.get("nullable") is True:
            return [value]
        if "$ref" in step.node and len(step.branches) == 1:
            meant: list[Json] = yield self._read(step.branches[0], value, path)
            return meant
        key = (id(step), id(value))
        known = self._known.get(key)
        if known is not None:
            return known[1]
        fitting = [branch for branch in step.branches if self.fitting.fits(branch.node, value, len(path))]
        if not fitting and not self.strict:
            fitting = list(step.branches)
        if not fitting:
            self._note(Problem(path, "anyOf", "restore", value, "one of the forms that the schema describes"))
        # A slot is declared nowhere in the tool's schema: where a branch has it, it is no key of an open object.
        slotted = [branch for branch in fitting if isinstance(value, dict) and not branch.slots.isdisjoint(value)]
        distinct = _Distinct(self._keys)
        for branch in slotted or fitting:
            for reading in (yield self._read(branch, value, path)):
                distinct.add(reading)
        if not distinct.found and not self.strict:
            distinct.add(value)
        self._known[key] = (value, distinct.found)
        return distinct.found

    def _read_below(self, step: Step, value: dict[str, Json] | list[Json], path: Path) -> Call[list[Json]]:
        """The value with what its parts are read as; more than one where a part has several readings."""
        restored: Any = dict(value) if isinstance(value, dict) else list(value)
        open_keys: list[tuple[Any, list[Json]]] = []
        for key, item in list(value.items()) if isinstance(value, dict) else enumerate(value):
            below = step.at(key)
            if below is None:
                continue
            readings: list[Json] = yield self._read(below, item, (*path, key))
            if not readings:
                self.is_broken = self.is_broken or key in step.slots
                return []
            if len(readings) > 1:
                open_keys.append((key, readings))
            else:
                _put(restored, key, readings[0])
        return [restored] if not open_keys else _combined(restored, open_keys)

    def _decoded(self, codec: Codec, readings: list[Json], path: Path) -> list[Json]:
        distinct = _Distinct(self._keys)
        for reading in readings:
            if reading is ABSENT:
                distinct.add(reading)
                continue
            try:
                distinct.add(codec.decode(reading))
            except Unread as unread:
                got = _found_at(reading, unread.below)
                self._note(Problem((*path, *unread.below), unread.keyword, "restore", got, unread.wanted))
                self.is_broken = self.is_broken or unread.broken
                if not self.strict and not unread.broken:
                    distinct.add(reading)
        return distinct.found

    def _note(self, problem: Problem) -> None:
        if self.problem is None:
            self.problem = problem


def _found_at(value: Any, below: Path) -> Json:
    """What stands at a place below a value; the last that there is, where a part of it is a text."""
    for key in below:
        if not isinstance(value, dict) or key not in value:
            break
        value = value[key]
    return value


def _put(restored: Any, key: Any, item: Json) -> None:
    """Puts a part in its place; a property that is read as left out is taken out."""
    if item is not ABSENT:
        restored[key] = item
    elif isinstance(restored, dict):
        del restored[key]


def _combined(restored: Any, open_keys: list[tuple[Any, list[Json]]]) -> list[Json]:
    found: list[Json] = []
    for chosen in islice(product(*[readings for _, readings in open_keys]), MAXIMUM_READINGS):
        one = dict(restored) if isinstance(restored, dict) else list(restored)
        for (key, _), item in zip(open_keys, chosen, strict=True):
            _put(one, key, item)
        found.append(one)
    return found


class _Keys:
    """What tells readings apart as JSON. The same one passes through many unions, and is looked through once."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[Json, Hashable]] = {}

    def of(self, reading: Json) -> Hashable:
        """The key of a reading."""
        if reading is ABSENT or not isinstance(reading, (dict, list)):
            return reading if reading is ABSENT else identity(reading)
        known = self._known.get(id(reading))
        if known is None:  # held with its reading, so that no other gets its address
            known = self._known[id(reading)] = (reading, identity(reading))
        return known[1]


class _Distinct:
    """Readings that differ, in the order they were found."""

    __slots__ = ("_keys", "_seen", "found")

    def __init__(self, keys: _Keys) -> None:
        self.found: list[Json] = []
        self._keys, self._seen = keys, set[Hashable]()

    def add(self, reading: Json) -> None:
        """Adds a reading, unless there is one like it or there are enough."""
        if not self.found:  # most often it stays the only one, and needs no key
            self.found.append(reading)
            return
        if len(self.found) >= MAXIMUM_READINGS or reading is self.found[-1]:
            return
        if not self._seen:
            self._seen.add(self._keys.of(self.found[0]))
        key = self._keys.of(reading)
        if key not in self._seen:
            self._seen.add(key)
            self.found.append(reading)


# To the wire ----------------------------------------------------------------------------------------------------


def _encoded(codec: Codec, given: Json) -> Iterable[Json]:
    """The forms of a value; what is left out passes by every codec but the one that marks it."""
    return (given,) if given is ABSENT and not isinstance(codec, Left) else codec.encode(given)


class _Spelling:
    """One attempt to spell a value; it remembers what it has spelled."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting = fitting
        self._known: dict[tuple[int, int], tuple[Json, list[Json]]] = {}

    def spellings(self, step: Step, value: Json, depth: int) -> Call[list[Json]]:
        """The forms of a value at a step, the plainest first; none of a value deeper than can be restored."""
        if not step.leads:
            return [] if value is ABSENT else [value]
        if depth > MAXIMUM_DEPTH:
            return []
        forms = [value]
        for codec in reversed(step.codecs):
            forms = [form for given in forms for form in islice(_encoded(codec, given), MAXIMUM_SPELLINGS)]
        found: list[Json] = []
        for form in forms[:MAXIMUM_SPELLINGS]:
            found += yield self._below(step, form, depth)
        return found[:MAXIMUM_SPELLINGS]

    def _below(self, step: Step, value: Json, depth: int) -> Call[list[Json]]:
        found: list[Json] = [] if value is ABSENT else [value]
        if step.branches_lead:
            found = yield self._in_branches(step, value, depth)
        elif isinstance(value, dict):
            found = yield self._object(step, value, depth)
        elif isinstance(value, list):
            found = yield self._list(step, value, depth)
        return found

    def _in_branches(self, step: Step, value: Json, depth: int) -> Call[list[Json]]:
        """The forms that fit their branch; all of them where none does."""
        key = (id(step), id(value))
        known = self._known.get(key)
        if known is not None:
            return known[1]
        fit: list[Json] = [value] if value is None and step.node.get("nullable") is True else []
        others: list[Json] = []
        for branch in step.branches:
            forms: list[Json] = yield self.spellings(branch, value, depth)
            for form in forms:
                (fit if self.fitting.fits(branch.node, form, depth) else others).append(form)
        chosen = fit or others
        chosen.sort(key=lambda form: form is not value)
        del chosen[MAXIMUM_SPELLINGS:]
        self._known[key] = (value, chosen)
        return chosen

    def _object(self, step: Step, value: dict[str, Json], depth: int) -> Call[list[Json]]:
        parts: dict[str, list[Json]] = {}
        for key, item in value.items():
            parts[key] = yield self._part(step, key, item, depth)
        for key, below in step.properties.items():
            if key not in value and below.leads:
                marks = yield self._part(step, key, ABSENT, depth)
                if marks:
                    parts[key] = marks
        chosen = islice(product(*parts.values()), MAXIMUM_SPELLINGS)
        return [dict(zip(parts, forms, strict=True)) for forms in chosen]

    def _list(self, step: Step, value: list[Json], depth: int) -> Call[list[Json]]:
        parts: list[list[Json]] = []
        for at, item in enumerate(value):
            parts += [(yield self._part(step, at, item, depth))]
        return [list(forms) for forms in islice(product(*parts), MAXIMUM_SPELLINGS)]

    def _part(self, step: Step, key: str | int, item: Json, depth: int) -> Call[list[Json]]:
        below = step.at(key)
        found: list[Json] = [item]
        if below is not None:
            found = yield self.spellings(below, item, depth + 1)
        return found


# Making it ------------------------------------------------------------------------------------------------------


def ledger_of(root: Schema, definitions: Mapping[str, Schema]) -> Ledger:
    """The ledger of a finished wire."""
    first = first_step(root, definitions)
    return Ledger(first if first.leads else None, definitions)
