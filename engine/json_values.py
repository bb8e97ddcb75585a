"""JSON values: their type, and equality with JSON's types (`True` is not `1`; `1.0` is)."""

from __future__ import annotations

import json
import marshal
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

# Deep recursion in type aliases costs readers more than it gives: `Json` says what is meant.
Json: TypeAlias = Any


def identity(value: Json) -> Hashable:
    """A hashable key, equal for two values exactly when they are equal as JSON.

    Numbers compare by value (`1` and `1.0` are one), booleans only with booleans, objects without
    regard to the order of their keys.
    """
    if isinstance(value, (dict, list, tuple)):
        return _flat(value)
    if isinstance(value, bool):
        return ("boolean", value)
    hashable: Hashable = value
    return hashable


def _flat(value: Json) -> Hashable:
    """The key of a list or an object. Flat, since Python hashes and compares what is nested by recursion."""
    found: list[Hashable] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            names = sorted(item, key=str)
            found += ("object", tuple(names))
            waiting.extend(item[name] for name in names)
        elif isinstance(item, (list, tuple)):
            found += ("array", len(item))
            waiting.extend(item)
        else:
            found += ("value", identity(item))
    return tuple(found)


def equal(left: Json, right: Json) -> bool:
    """Whether two values are equal as JSON, however deep they are."""
    try:
        return _equal(left, right)
    except RecursionError:
        return _equal_by_level(left, right)


def _equal(left: Json, right: Json) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(_equal(value, right[key]) for key, value in left.items())
        )
    if isinstance(left, (list, tuple)):
        return isinstance(right, (list, tuple)) and len(left) == len(right) and all(map(_equal, left, right))
    if isinstance(right, (dict, list, tuple)):
        return False
    return bool(left == right)


def _equal_by_level(left: Json, right: Json) -> bool:
    """The same with a stack of its own."""
    waiting = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            waiting += [(value, other[key]) for key, value in one.items()]
        elif isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
            if len(one) != len(other):
                return False
            waiting += list(zip(one, other, strict=True))
        elif isinstance(one, (dict, list, tuple)) or isinstance(other, (dict, list, tuple)) or not _equal(one, other):
            return False
    return True


def kind(value: Json) -> str:
    """The JSON Schema type name of a value; a number without a fraction is an `integer`."""
    if isinstance(value, str):  # by far the most
        return "string"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, (list, tuple)):
        return "array"
    return type(value).__name__


def plain(source: Json) -> Json:
    """JSON of what was handed in: an SDK's object, or a list of them, dumped."""
    if isinstance(source, (list, tuple)):
        return [_plain_object(item) for item in source]
    return _plain_object(source)


def _plain_object(item: Json) -> Json:
    dump = getattr(item, "model_dump", None)
    return dump(mode="json", by_alias=True, exclude_none=True) if dump else item


def fresh(value: Json) -> Json:
    """A copy that shares no list and no object with the value; a tuple may become a list.

    Works at any depth: nothing here recurses in Python.
    """
    try:
        return marshal.loads(marshal.dumps(value))  # noqa: S302 - reads only what the same line wrote
    except ValueError:  # nested past marshal's own limit, or a type of the caller's own
        return copied(value)


def copied(value: Json) -> Json:
    """The same for types of a caller's own too: those that are objects and lists become plain ones."""
    holder: list[Json] = [value]
    waiting: list[Any] = [holder]
    while waiting:
        made = waiting.pop()
        for key, item in made.items() if type(made) is dict else enumerate(made):
            if type(item) is str:  # by far the most
                continue
            if isinstance(item, dict):
                made[key] = inner = dict(item)
                waiting.append(inner)
            elif isinstance(item, (list, tuple)):
                made[key] = items = list(item)
                waiting.append(items)
    return holder[0]


def json_text(value: Json) -> str:
    """The value as compact JSON text, at any depth; half a surrogate pair is written as an escape.

    Raises:
        TypeError: something in the value is no JSON.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        text = "".join(_written(value))
    return text if text.isascii() else _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


# Made once: `json.dumps` makes an encoder at each call with options.
_encode = json.JSONEncoder(ensure_ascii=False).encode
_SURROGATE = re.compile("[\ud800-\udfff]")


def _written(value: Json) -> Iterator[str]:
    """The pieces of the text; what is open waits on a stack of its own."""
    pending: list[Json | _Said] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, _Said):
            yield item
        elif isinstance(item, dict):
            pending += [_Said("}"), *reversed(list(_members(item))), _Said("{")]
        elif isinstance(item, (list, tuple)):
            pending += [_Said("]"), *reversed(list(_separated(item))), _Said("[")]
        else:
            yield _encode(item)


class _Said(str):
    """Text that is written already."""

    __slots__ = ()


def _members(item: dict[str, Json]) -> Iterator[Json | _Said]:
    comma = ""
    for key, value in item.items():
        yield _Said(f"{comma}{_encode(key)}:")
        yield value
        comma = ","


def _separated(items: Sequence[Json]) -> Iterator[Json | _Said]:
    for index, value in enumerate(items):
        if index:
            yield _Said(",")
        yield value


class Snapshot:
    """A JSON value as it was when this was made: nobody's later edit reaches it, and each copy is a fresh one."""

    __slots__ = ("_asked", "_copies", "_kept", "_written")

    def __init__(self, value: Json) -> None:
        self._kept: Json = None
        self._written: bytes | None = None
        self._copies: Copies | None = None
        self._asked = False
        try:
            self._written = marshal.dumps(value)
        except ValueError:  # as in `fresh`
            self._kept = copied(value)

    def fresh(self) -> Json:
        """A copy that is the caller's own."""
        if self._copies is not None:
            return self._copies.fresh()
        held = self._written
        value = copied(self._kept) if held is None else marshal.loads(held)  # noqa: S302 - only what `__init__` wrote
        if self._asked:  # what is asked for twice is asked for often
            self._copies = Copies(value)
            return self._copies.fresh()
        self._asked = True
        return value


class Copies:
    """Makes copies of a JSON value, faster than anything that reads or walks it.

    Each object and list is kept with nothing below it. A copy is one of each, put together; texts and numbers, which
    nobody can change, are shared. What is one object in the value is one in each copy. Most have nothing below them
    and stand at one place: they are copied right into it, and the others are looked up by their number.
    """

    __slots__ = ("_copiers", "_ends", "_links", "_value")

    def __init__(self, value: Json) -> None:
        self._value = value
        parts, links = _taken_apart(value)
        copiers = _copiers(parts)
        places = Counter(below for _, _, below in links)
        holding = {number for number, _, _ in links}
        numbered = [number for number in range(len(parts)) if number in holding or places[number] != 1]
        at = {number: index for index, number in enumerate(numbered)}
        self._copiers = [copiers[number] for number in numbered]
        self._links = [(at[number], key, at[below]) for number, key, below in links if below in at]
        self._ends = [(at[number], key, copiers[below]) for number, key, below in links if below not in at]

    def fresh(self) -> Json:
        """A copy that is the caller's own."""
        made = [copied() for copied in self._copiers]
        for number, key, below in self._links:
            made[number][key] = made[below]
        for number, key, copied in self._ends:
            made[number][key] = copied()
        return made[0] if made else self._value


def _taken_apart(value: Json) -> tuple[list[Json], list[tuple[int, Json, int]]]:
    """Each object and list of a value with nothing below it, and the links: holder, key and held, by number.

    Equal texts are one object, keys too.
    """
    parts: list[Json] = []
    links: list[tuple[int, Json, int]] = []
    texts: dict[str, str] = {}
    numbers = {id(value): 0}
    found: list[Json] = [value] if isinstance(value, (dict, list, tuple)) else []

    def alone(item: Json) -> Json:
        return texts.setdefault(item, item) if type(item) is str else item

    for number, item in enumerate(found):  # grows while it is walked
        part: Json = {alone(key): None for key in item} if isinstance(item, dict) else [None] * len(item)
        parts.append(part)
        for key, below in zip(part, item.values(), strict=True) if isinstance(item, dict) else enumerate(item):
            if not isinstance(below, (dict, list, tuple)):
                part[key] = alone(below)
                continue
            if id(below) not in numbers:
                numbers[id(below)] = len(found)
                found.append(below)
            links.append((number, key, numbers[id(below)]))
    return parts, links


def _copiers(parts: list[Json]) -> list[Callable[[], Json]]:
    """What makes a copy of each part. Parts of the same members are copied from one: what is small is near at hand."""
    known: dict[Hashable, Callable[[], Json]] = {}
    found = []
    for part in parts:
        members = chain.from_iterable(part.items()) if isinstance(part, dict) else part
        found.append(known.setdefault((type(part), *map(id, members)), part.copy))
    return found
