"""The arguments of a call, as a model sent them: JSON text, bytes, an object, or nothing at all.

Text is read or refused, never repaired: text that is cut off, is no JSON, or names a key twice "did not
arrive whole", and the refusal says where. Nothing (`None`), an empty text, `{}` and `null` are four
different things, told apart by `Arguments.form`.

Numbers keep what was written as far as JSON's readers allow: integers are exact up to 4,300 digits, a
number with more digits than a double keeps is a `WrittenNumber`, a float that still knows its text, and
what no double can hold (`1e400`, `1e-400`, longer integers) is refused rather than read as another number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

from toolglot.errors import Path, Problem
from toolglot.json_values import Json

# Deeper than any tool's arguments, and far below the depth at which Python's own reader gives up.
DEEPEST = 512
# Reading a longer integer costs the square of its length; Python refuses from here on by itself.
LONGEST_INTEGER = 4300
# With up to this many characters a number has at most 15 digits, which a double always keeps.
SURELY_KEPT = 15

WHOLE = "one whole JSON object"
# What may stand around JSON; other white space, such as a no-break space, is no JSON.
_SPACE = " \t\r\n"


class WrittenNumber(float):
    """A float that knows the text it was written as, where that says more than the float does."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> Self:
        """The number that `text` spells."""
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override] # copies are made from the text
        return (self.text,)

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Arguments:
    """What came in as the arguments of a call.

    Attributes:
        value: the arguments; `{}` where none came, None where `null` came or the text could not be read.
        form: `absent` (nothing was handed over), `empty` (text without a character), `null`, `given`, or
            `broken` (see `problems`).
        problems: why the text could not be read; empty in every other case.
    """

    value: Json
    form: str
    problems: tuple[Problem, ...] = ()

    @property
    def came(self) -> bool:
        """Whether something stands there that is to be checked: neither absent, empty nor broken."""
        return self.form in ("given", "null")


def parse_arguments(arguments: Json) -> Arguments:
    """The arguments behind JSON text, bytes, a ready value or None.

    A ready value (an object, or whatever else a caller hands over) is passed on as it is, not copied.
    """
    if arguments is None:
        return Arguments({}, "absent")
    if isinstance(arguments, (bytes, bytearray)):
        try:
            arguments = arguments.decode("utf-8")
        except UnicodeDecodeError as error:
            return _broken(_Fault("text-not-unicode", f"byte {error.start} is no UTF-8 text"))
    if not isinstance(arguments, str):
        return Arguments(arguments, "given")
    text = arguments.removeprefix("\ufeff")
    if not text.strip(_SPACE):
        return Arguments({}, "empty")
    return _read(text)


@dataclass(frozen=True, slots=True)
class _Fault:
    """Stands in the place of a value that can't be read as it was written, until its path is known."""

    rule: str
    hint: str
    got: Json = None
    key: str | None = None


def _broken(fault: _Fault, path: Path = ()) -> Arguments:
    steps = path if fault.key is None else (*path, fault.key)
    return Arguments(None, "broken", (Problem(steps, "", fault.rule, fault.got, WHOLE, fault.hint),))


_TOO_DEEP = _Fault("text-too-deep", f"nested deeper than {DEEPEST} levels")


def _read(text: str) -> Arguments:
    reader = _Reader(text)
    try:
        value = reader.read()
        keys, depth = _measured(value)
        if keys != pairs(text):  # a key that stands twice, or what looks like a key inside a text
            value = reader.read(objects=reader.object)
    except json.JSONDecodeError as error:
        return _unread(text, error)
    except RecursionError:
        return _broken(_TOO_DEEP)
    if reader.faulty:
        return _placed(value)
    if depth > DEEPEST:
        return _broken(_TOO_DEEP)
    return Arguments(value, "null" if value is None else "given")


def is_kept(number: float, text: str) -> bool:
    """Whether a number is surely the one that its text spells; the plainest way to tell, which knows no exponents."""
    return repr(number) == text or (len(text) <= SURELY_KEPT and "e" not in text.lower())


def pairs(text: str) -> int:
    """At least as many as the text has keys: each is followed by a colon, and texts may hold what looks like one."""
    if any(space in text for space in _BEFORE_COLON):
        return len(_PAIR.findall(text))
    return text.count('":')


_BEFORE_COLON = (" :", "\t:", "\r:", "\n:")
_PAIR = re.compile(r'"[ \t\r\n]*:')


# A number with a fraction or an exponent. Its sign comes first, so that it is looked for as fast as a letter is.
_FRACTION = re.compile(r"[.eE](?<=[0-9].)")


def _needs_a_look(text: str) -> bool:
    """Whether there may be what Python's reader passes over in silence: such a number, and what is none."""
    return "NaN" in text or "Infinity" in text or _FRACTION.search(text) is not None


class _Reader:
    """Python's own reader, with what it would pass over in silence put aside as a `_Fault`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.faulty = False
        self.has_long_run = _has_long_run(text)

    def read(self, *, objects: Callable[[list[tuple[str, Json]]], Json] | None = None) -> Json:
        """The value behind the text; where `faulty` is set, a `_Fault` stands somewhere in it."""
        if objects is None and not self.has_long_run and not _needs_a_look(self.text):
            return json.loads(self.text)  # its reader is ready; one with hooks of our own is made each time
        return json.loads(
            self.text,
            object_pairs_hook=objects,
            parse_float=self.number,
            parse_int=self.integer if self.has_long_run else None,
            parse_constant=self.constant,
        )

    def object(self, pairs: list[tuple[str, Json]]) -> Json:
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        seen: set[str] = set()
        again = next(key for key, _value in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value] # add() is falsy
        return self.fault(_Fault("text-duplicate-key", "the key stands there twice", key=again))

    def integer(self, text: str) -> Json:
        return self.out_of_range(text) if len(text) > LONGEST_INTEGER else int(text)

    def number(self, text: str) -> Json:
        number = float(text)
        if is_kept(number, text):
            return number
        if number in (float("inf"), float("-inf")):
            return self.out_of_range(text)
        if Decimal(text) == Decimal(repr(number)):
            return number
        return WrittenNumber(text) if number else self.out_of_range(text)

    def out_of_range(self, text: str) -> _Fault:
        hint = "a number that can't be read without changing it"
        return self.fault(_Fault("text-number-out-of-range", hint, text[:40]))

    def constant(self, name: str) -> _Fault:
        return self.fault(_Fault("text-not-a-number", "NaN and Infinity are no JSON", name))

    def fault(self, fault: _Fault) -> _Fault:
        self.faulty = True
        return fault


def _has_long_run(text: str) -> bool:
    """Whether a run of digits stands in the text that is longer than an integer may be.

    Such a run covers one of the places that are looked at, so that most of the text is not.
    """
    for place in range(LONGEST_INTEGER, len(text), LONGEST_INTEGER):
        if text[place] in _DIGITS:
            before, after = text[place - LONGEST_INTEGER : place], text[place : place + LONGEST_INTEGER]
            run = len(before) - len(before.rstrip(_DIGITS)) + len(after) - len(after.lstrip(_DIGITS))
            if run > LONGEST_INTEGER:
                return True
    return False


_DIGITS = "0123456789"


@dataclass(frozen=True, slots=True)
class _Step:
    """One step down from a container, linked to the steps above it, so that a place costs the same at any depth."""

    step: str | int
    above: _Step | None

    def path(self) -> Path:
        steps: list[str | int] = []
        link: _Step | None = self
        while link is not None:
            steps.append(link.step)
            link = link.above
        return tuple(reversed(steps))


def _placed(value: Json) -> Arguments:
    """The refusal for a `_Fault` that stands somewhere in a value."""
    waiting: list[tuple[Json, _Step | None]] = [({"": value}, None)]
    while waiting:
        container, above = waiting.pop()
        steps = container.items() if type(container) is dict else enumerate(container)
        for step, item in [(step, item) for step, item in steps if type(item) in _NO_SCALAR]:
            if isinstance(item, _Fault):
                return _broken(item, _Step(step, above).path()[1:])
            waiting.append((item, _Step(step, above)))
    raise AssertionError("a fault was met, and none stands in the value")


_NO_SCALAR = frozenset({dict, list, _Fault})


def _measured(value: Json) -> tuple[int, int]:
    """How many keys a value has in all, and how deep it is nested, as far as it is no deeper than the limit.

    Level by level, without recursion; a container with nothing in it adds no depth.
    """
    level: list[Any] = [value] if isinstance(value, (dict, list)) else []
    keys = depth = 0
    while level and depth <= DEEPEST:
        depth += 1
        inner: list[Any] = []
        for container in level:
            items = container
            if type(container) is dict:
                keys += len(container)
                items = container.values()
            inner += [item for item in items if item and type(item) in _CONTAINERS]
        level = inner
    return keys, depth


_CONTAINERS = frozenset({dict, list})


# What may stand between the place of the reader's complaint and the end, in a text that was cut off there.
_CUT = re.compile(r"(?:\.\d*)?(?:[eE][+-]?)?|-|t|tr|tru|f|fa|fal|fals|n|nu|nul")


def _unread(text: str, error: json.JSONDecodeError) -> Arguments:
    """The refusal of a text that is no JSON: cut off where its end came too early, else wrong at a place."""
    whole = text.rstrip(_SPACE)
    in_escape = error.msg.startswith("Invalid \\u") and len(whole) - error.pos <= len("uXXXX")
    if in_escape or error.msg.startswith("Unterminated string") or _CUT.fullmatch(whole, error.pos):
        return _broken(_Fault("text-cut-off", f"the text ends too early, after {len(whole):,} characters"))
    line = text.count("\n", 0, error.pos) + 1
    column = error.pos - text.rfind("\n", 0, error.pos)
    reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
    hint = f"line {line}, column {column}: {reason}"
    return _broken(_Fault("text-not-json", hint, text[error.pos : error.pos + 20]))
