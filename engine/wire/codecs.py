"""The codecs: each is one way in which a value on the wire differs from the tool's own form, and both ways across.

A codec looks at one value, never below it: what is below has been restored before (and is spelled after).
`decode` gives the tool's form of a value of the wire; `encode` gives the wire's forms of a value of the tool.

What `decode` cannot read is either in the tool's own form already (`Unread`), or no spelling of anything
(`Unread` that is `broken`): a list of entries that says a key twice can't be meant any way.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite
from typing import ClassVar, Final

from toolglot.errors import Path
from toolglot.json_values import Json, equal, fresh, identity, json_text

LONGEST_JSON_TEXT = 1_000_000


class Absent:
    """Stands for a property that is left out."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


class Unread(Exception):  # noqa: N818 - no error: another reading may hold
    """The value is no spelling on the wire.

    Attributes:
        keyword: what of the wire it does not fit.
        wanted: what would be one.
        below: where it stands in the value.
        broken: whether it can't be in the tool's own form either.
    """

    def __init__(self, keyword: str, wanted: str, *, below: Path = (), broken: bool = False) -> None:
        self.keyword, self.wanted, self.below, self.broken = keyword, wanted, below, broken
        super().__init__(wanted)


class Codec(ABC):
    """Both ways across for one value.

    Attributes:
        moves_keys: whether it only moves keys and changes no value: what it makes reads one way, or not at all.
    """

    __slots__ = ()
    moves_keys: ClassVar[bool] = False

    @abstractmethod
    def decode(self, value: Json) -> Json:
        """The tool's form of a value of the wire, `ABSENT` for none; raises Unread."""

    @abstractmethod
    def encode(self, value: Json) -> Iterator[Json]:
        """The wire's forms of a value of the tool (`ABSENT` for none); none where the codec has no such form."""


@dataclass(frozen=True, slots=True)
class Slot(Codec):
    """The undeclared keys of an object stand in one property of their own."""

    moves_keys: ClassVar[bool] = True

    name: str
    declared: frozenset[str]

    def decode(self, value: Json) -> Json:
        """The keys of the slot beside the declared ones."""
        if not isinstance(value, dict) or self.name not in value:
            return value
        restored = dict(value)
        others = self._others(restored.pop(self.name))
        for key, item in others.items():
            if key in restored or key in self.declared:
                wanted = f"no key here that has its place outside of {self.name!r}"  # the key is a word of the call
                raise Unread("properties", wanted, below=(self.name, key), broken=True)
            restored[key] = item
        return restored

    def _others(self, said: Json) -> dict[str, Json]:
        """What the slot holds."""
        if not isinstance(said, dict):
            raise Unread("type", "an object with the other keys (`{}` for none)", below=(self.name,), broken=True)
        return said

    def encode(self, value: Json) -> Iterator[Json]:
        """The declared keys, and the others in the slot if there are any."""
        if not isinstance(value, dict):
            yield value
            return
        others = {key: item for key, item in value.items() if key not in self.declared}
        said = self._said(others)
        if said is ABSENT:
            yield value
            return
        kept: dict[str, Json] = {key: item for key, item in value.items() if key in self.declared}
        yield {**kept, self.name: said}

    def _said(self, others: dict[str, Json]) -> Json:
        """How the slot holds them, `ABSENT` for no slot."""
        return others or ABSENT


@dataclass(frozen=True, slots=True)
class TextSlot(Slot):
    """The undeclared keys of an object stand in one text of their own, as JSON.

    Attributes:
        required: whether the text is always there, empty where there are no such keys.
    """

    required: bool = False

    def _others(self, said: Json) -> dict[str, Json]:
        if said == "":
            return {}
        try:
            others = JsonText().decode(said)
        except Unread:
            others = None
        if not isinstance(others, dict):
            raise Unread(
                "type", "an object with the other keys, as JSON text (`{}` for none)", below=(self.name,), broken=True
            )
        return others

    def _said(self, others: dict[str, Json]) -> Json:
        if not others:
            return "" if self.required else ABSENT
        return _BEYOND.sub(_escaped, json_text(others))


_BEYOND = re.compile("[^\x00-\x7e]")  # some engines' texts can't hold all of these, and any may be an escape in JSON


def _escaped(letter: re.Match[str]) -> str:
    units = letter[0].encode("utf-16-be")
    return "".join([f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)])


@dataclass(frozen=True, slots=True)
class Entries(Codec):
    """An object is a list of its keys and values."""

    key: str = "key"
    value: str = "value"

    def decode(self, value: Json) -> Json:
        """The object; each key may be said once."""
        if not isinstance(value, list):
            raise Unread("type", f"a list of objects with {self.key!r} and {self.value!r}")
        restored: dict[str, Json] = {}
        for at, entry in enumerate(value):
            if not isinstance(entry, dict) or entry.keys() != {self.key, self.value}:
                raise Unread(
                    "required", f"an object with {self.key!r} and {self.value!r} alone", below=(at,), broken=True
                )
            key = entry[self.key]
            if not isinstance(key, str) or key in restored:
                raise Unread("uniqueItems", "a text, and each key once", below=(at, self.key), broken=True)
            restored[key] = entry[self.value]
        return restored

    def encode(self, value: Json) -> Iterator[Json]:
        """One entry per key."""
        if isinstance(value, dict):
            yield [{self.key: key, self.value: item} for key, item in value.items()]


@dataclass(frozen=True, slots=True)
class Positions(Codec):
    """A list is an object whose keys are the positions; items past the last one are a list of their own."""

    count: int
    rest: str | None = None

    def decode(self, value: Json) -> Json:
        """The list; no position may be left out before another."""
        if not isinstance(value, dict):
            raise Unread("type", "an object whose keys are the positions")
        names = [str(at) for at in range(self.count)]
        there = [name for name in names if name in value]
        rest = value.get(self.rest, []) if self.rest else []
        known = len(there) + (self.rest is not None and self.rest in value)
        if len(value) != known or not isinstance(rest, list):
            raise Unread("properties", "the positions alone, from '0'", broken=True)
        if there != names[: len(there)] or (rest and len(there) < self.count):
            raise Unread("required", "the positions without a gap, from '0'", broken=True)
        return [value[name] for name in there] + rest

    def encode(self, value: Json) -> Iterator[Json]:
        """One key per position."""
        if not isinstance(value, list) or (len(value) > self.count and self.rest is None):
            return
        spelled: dict[str, Json] = {str(at): item for at, item in enumerate(value[: self.count])}
        if self.rest is not None and len(value) > self.count:
            spelled[self.rest] = value[self.count :]
        yield spelled


@dataclass(frozen=True, slots=True)
class Texts(Codec):
    """Listed values are texts."""

    members: Mapping[str, Json] = field(hash=False)

    def decode(self, value: Json) -> Json:
        """The value that the text stands for."""
        if not isinstance(value, str) or value not in self.members:
            raise Unread("enum", "one of the listed texts")
        return fresh(self.members[value])

    def encode(self, value: Json) -> Iterator[Json]:
        """The text that stands for the value."""
        if value is ABSENT:
            return
        wanted = identity(value)
        yield from (text for text, member in self.members.items() if identity(member) == wanted)


@dataclass(frozen=True, slots=True)
class Aliases(Codec):
    """Properties have other names on the wire: by alias, their own.

    An undeclared key that reads like an alias is told apart by one more `_` at its end.
    """

    moves_keys: ClassVar[bool] = True

    names: Mapping[str, str] = field(hash=False)

    def decode(self, value: Json) -> Json:
        """The object by its own names; a property that came by both names is no spelling of anything."""
        if not isinstance(value, dict):
            return value
        restored: dict[str, Json] = {}
        for key, item in value.items():
            own = self.names[key] if key in self.names else key[:-1] if self._is_escaped(key) else key
            if own in restored or (own != key and own in value and key in self.names):
                raise Unread("properties", f"{key!r} and {own!r} are one property", below=(key,), broken=True)
            restored[own] = item
        return restored

    def encode(self, value: Json) -> Iterator[Json]:
        """The object by its aliases."""
        if not isinstance(value, dict):
            yield value
            return
        by_own = {own: alias for alias, own in self.names.items()}
        yield {
            by_own[key] if key in by_own else key + "_" if self._reads_like_one(key) else key: item
            for key, item in value.items()
        }

    def _reads_like_one(self, key: str) -> bool:
        return key.rstrip("_") in self._stems and any(_is_longer(key, alias) for alias in self.names)

    def _is_escaped(self, key: str) -> bool:
        return key.endswith("_") and key not in self.names and self._reads_like_one(key[:-1])

    @property
    def _stems(self) -> set[str]:
        return {alias.rstrip("_") for alias in self.names}


def _is_longer(key: str, alias: str) -> bool:
    return key.startswith(alias) and not key[len(alias) :].strip("_")


@dataclass(frozen=True, slots=True)
class Inside(Codec):
    """A value is the one property of an object."""

    name: str

    def decode(self, value: Json) -> Json:
        """The property's value."""
        if not isinstance(value, dict) or value.keys() != {self.name}:
            raise Unread("required", f"an object with {self.name!r} alone")
        return value[self.name]

    def encode(self, value: Json) -> Iterator[Json]:
        """The object around the value."""
        if value is not ABSENT:
            yield {self.name: value}


@dataclass(frozen=True, slots=True)
class JsonText(Codec):
    """A value is a text that holds its JSON."""

    def decode(self, value: Json) -> Json:
        """The value that the text spells."""
        if not isinstance(value, str):
            raise Unread("type", "a text that holds JSON")
        if len(value) > LONGEST_JSON_TEXT:
            raise Unread("maxLength", f"at most {LONGEST_JSON_TEXT} characters of JSON", broken=True)
        try:
            return _reader.decode(value)
        except (ValueError, RecursionError):
            raise Unread("type", "a text that holds JSON") from None

    def encode(self, value: Json) -> Iterator[Json]:
        """The value as JSON text."""
        if value is not ABSENT:
            yield json_text(value)


@dataclass(frozen=True, slots=True)
class NumberText(Codec):
    """A number is a text that holds its JSON."""

    def decode(self, value: Json) -> Json:
        """The number that the text spells."""
        read = JsonText().decode(value)
        if isinstance(read, bool) or not isinstance(read, (int, float)):
            raise Unread("type", "a text that holds a number")
        return read

    def encode(self, value: Json) -> Iterator[Json]:
        """The number as text: as JSON has it, without an exponent, and a whole one without a fraction."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return
        said = json_text(value)
        yield said
        if isinstance(value, float) and isfinite(value):
            # of a large one all digits, as the shortest are no more exact once there is no exponent
            plain = str(int(value)) if value.is_integer() else f"{Decimal(said):f}"
            if plain != said:
                yield plain


def _each_once(pairs: list[tuple[str, Json]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _refuse(_word: str) -> Json:
    raise ValueError


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError
    return number


# Made once: `json.loads` makes a reader at each call with hooks.
_reader = json.JSONDecoder(object_pairs_hook=_each_once, parse_constant=_refuse, parse_float=_finite)


@dataclass(frozen=True, slots=True)
class Left(Codec):
    """One value of the wire stands for a property that is left out, and for nothing else.

    Attributes:
        mark: the value.
        or_null: whether null stands for it too, though the wire does not say so: where null is no value of the tool's.
    """

    mark: Json = None
    or_null: bool = False

    def decode(self, value: Json) -> Json:
        """`ABSENT` for the mark, every other value as it is."""
        if value is None or self.mark is None:  # only null equals null
            return ABSENT if value is self.mark or self.or_null else value
        return ABSENT if equal(value, self.mark) else value

    def encode(self, value: Json) -> Iterator[Json]:
        """The mark for a property that is left out; a value that equals the mark has no form."""
        if value is ABSENT:
            yield self.mark
        elif not equal(value, self.mark):
            yield value


@dataclass(frozen=True, slots=True)
class OrNull(Codec):
    """Null is null, beside another codec: where a node says `nullable: true`."""

    codec: Codec

    def decode(self, value: Json) -> Json:
        """Null, or what the other codec reads."""
        return None if value is None else self.codec.decode(value)

    def encode(self, value: Json) -> Iterator[Json]:
        """Null, and what the other codec says: a list of texts has one that stands for null, if null is listed."""
        if value is None:
            yield None
        yield from self.codec.encode(value)
