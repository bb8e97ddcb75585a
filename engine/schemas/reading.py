"""Reading one schema after another into the normal form; what each keyword becomes is in `readings`."""

from __future__ import annotations

from collections.abc import Mapping

from toolglot.errors import Path, SchemaError
from toolglot.json_values import Json
from toolglot.schemas.copying import copied
from toolglot.schemas.forms import Schema
from toolglot.schemas.naming import POINTER, ROOT, Names, plain_name
from toolglot.schemas.places import SchemaResource, Target
from toolglot.schemas.readings import RULES, hide_contains
from toolglot.schemas.resources import RECURSIVE, Library
from toolglot.schemas.trails import path_of, trail_of
from toolglot.schemas.walk import Limits
from toolglot.tables.keywords import asserts_nothing, keywords

# For each dynamic anchor that the way here has passed: the outermost resource that has it.
Way = tuple[tuple[str, SchemaResource], ...]
Key = tuple[object, ...]


class Reading:
    """One schema on its way into the normal form."""

    __slots__ = ("children", "depth", "out", "reader", "resource", "source", "trail", "way")

    def __init__(self, reader: Reader, source: Json, resource: SchemaResource, way: Way, out: Schema) -> None:
        self.reader = reader
        self.source = source
        self.resource = resource
        self.way = way
        self.trail = out.trail
        self.out = out
        self.children: list[Reading] = []

    def child(self, schema: Json, *steps: str | int) -> Schema:
        """The normal form of a subschema, filled in later."""
        out = Schema(None, trail_of(steps, self.trail))
        resource = self.reader.library.home(schema, self.resource)
        way = self.way if resource is self.resource else self.reader.entering(self.way, resource)
        self.children.append(Reading(self.reader, schema, resource, way, out))
        return out

    def inner(self, keywords: Mapping[str, Json]) -> Schema:
        """A schema that the source does not have, standing for a part of this one."""
        return Schema(keywords, self.trail)

    def put(self, keyword: str, value: Json) -> None:
        """Say this too: as the keyword itself if it is free, else in `allOf`."""
        if keyword not in self.out:
            self.out[keyword] = value
        elif keyword == "allOf":
            self.out["allOf"] += value
        else:
            self.put("allOf", [self.inner({keyword: value})])

    def refer(self, target: Target) -> None:
        """Let the value also fit what a reference names."""
        self.put("$ref", POINTER + self.reader.name_of(target, self.way))

    def resolved(self, keyword: str, reference: str) -> Target:
        """What a reference names, before anything dynamic."""
        return self.reader.library.resolve(reference, self.resource, self.trail, keyword)

    def copied(self, value: Json, *steps: str | int) -> Json:
        """Data as it is, sharing nothing with the source."""
        if isinstance(value, (str, int, float, type(None))):
            return value
        return copied(value, self.reader.limits, trail_of(steps, self.trail))


class Reader:
    """Everything that is known while one schema is read.

    Attributes:
        library: the documents.
        limits: how large the normal form may be.
        definitions: what references reach, by name.
        unknown: the keywords that neither the dialect nor any table knows, and those of other dialects that would act.
        unseen: the schemas whose `contains` was written before `unevaluatedItems` saw it.
        sees_items: whether there is an `unevaluatedItems`.
    """

    def __init__(self, library: Library, limits: Limits) -> None:
        self.library = library
        self.limits = limits
        self.definitions: dict[str, Schema] = {}
        self.unknown: dict[tuple[Path, str], None] = {}
        self.unseen: list[Schema] = []
        self.sees_items = False
        self._nodes = 0
        self._names: dict[Key, str] = {}
        self._free = Names()
        self._inline: dict[Key, Schema] = {}
        self._hoisted: dict[str, Schema] = {}
        self._waiting: list[Reading] = []
        self._root = Schema()

    def read(self) -> Schema:
        """The normal form of the library's schema; its definitions are in `definitions` then."""
        top = self.library.root
        way = self.entering((), top)
        self._root = Schema(None, top.trail)
        self._names[_key(top.contents, way)] = ROOT
        self._waiting.append(Reading(self, top.contents, top, way, self._root))
        # The list grows while it is read: what a reference reaches waits at its end.
        for waiting in self._waiting:
            self._read_down(waiting)
        if self.sees_items:
            for schema in self.unseen:
                hide_contains(schema)
        self._hoist()
        self._waiting = []  # they know the reader: without the circle, all this is gone as soon as it is read
        return self._root

    def _read_down(self, start: Reading) -> None:
        stack = [start]
        while stack:
            reading = stack.pop()
            self._nodes += 1
            if self._nodes > self.limits.nodes:
                raise SchemaError(
                    path_of(reading.trail), "", f"written out, larger than the limit of {self.limits.nodes} schemas"
                )
            self._read_one(reading)
            reading.children.reverse()
            stack += reading.children
            reading.children = []

    def _read_one(self, reading: Reading) -> None:
        source, out = reading.source, reading.out
        if source is False:
            out["not"] = reading.inner({})
        if not isinstance(source, dict) or self._is_elsewhere(reading):
            return
        how = reading.resource.vocabulary
        beside_ref = "$ref" in source and not how.reads_beside_ref
        for keyword, value in source.items():
            if beside_ref and keyword != "$ref" and not asserts_nothing(keyword):
                continue
            form = how.forms.get(keyword)
            if form is not None:
                RULES[form.reading](reading, keyword, value, form)
            else:
                self._read_stranger(reading, keyword, value)

    def _is_elsewhere(self, reading: Reading) -> bool:
        """Whether this very schema is a definition already, so that a reference to it is enough."""
        key = _key(reading.source, reading.way)
        name = self._names.get(key)
        if name is None:
            self._inline[key] = reading.out
            return False
        home = self._root if name == ROOT else self.definitions[name]
        if home is reading.out:
            return False
        reading.out["$ref"] = POINTER + name
        return True

    def _read_stranger(self, reading: Reading, keyword: str, value: Json) -> None:
        """Keep a word that is no keyword here; leave out one that is a keyword elsewhere and would act."""
        is_unknown, is_kept = stranger(keyword)
        if is_unknown:
            self.note(reading, keyword)
        if is_kept:
            reading.out[keyword] = reading.copied(value, keyword)

    def note(self, reading: Reading, keyword: str) -> None:
        """Remember a keyword that is not understood here."""
        self.unknown[(path_of(reading.trail), keyword)] = None

    # --- Names and ways

    def entering(self, way: Way, resource: SchemaResource) -> Way:
        """The way after it has entered a resource."""
        asked = self.library.asked
        if not asked:
            return way
        passed = {name for name, _ in way}
        names = sorted((resource.dynamic | ({RECURSIVE} if resource.recursive else set())) & asked - passed)
        return (*way, *((name, resource) for name in names))

    def name_of(self, target: Target, way: Way) -> str:
        """The name of the definition that a reference reaches; it is read later if it is a new one."""
        way = self.entering(way, target.resource)
        key = _key(target.schema, way)
        name = self._names.get(key)
        if name == ROOT:
            self.definitions[ROOT] = self._root
        if name is not None:
            return name
        name = self._names[key] = self._free.free(plain_name(target.trail, target.resource.uri))
        out = self.definitions[name] = Schema(None, target.trail)
        if key in self._inline:
            self._hoisted[name] = self._inline[key]
        else:
            self._waiting.append(Reading(self, target.schema, target.resource, way, out))
        return name

    def _hoist(self) -> None:
        """Move each schema that stands inside another and is referred to: it is written once, as a definition."""
        for name, inline in self._hoisted.items():
            self.definitions[name].update(inline)
            inline.clear()
            inline["$ref"] = POINTER + name


def stranger(keyword: str) -> tuple[bool, bool]:
    """Whether a word that is no keyword here is one that nobody knows, and whether it is kept."""
    row = keywords().get(keyword)
    kept = row is None or (
        row.annotation and all(form.reading == "keep" and form.holds == "none" for form in row.forms)
    )
    return not asserts_nothing(keyword), kept


def _key(schema: Json, way: Way) -> Key:
    """What tells one definition from another: the schema as an object of its document, and the way to it."""
    return (schema,) if isinstance(schema, bool) else (id(schema), way)
