"""The documents that references run in: who is named how, and what a reference names.

The walker finds identifiers and anchors in each dialect's own way and checks the keywords' values on the way;
the `referencing` library resolves. Nothing is ever fetched: there are the schema itself, the documents
that the caller hands in, and the published metaschemas, which are installed as data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urljoin

from toolglot.errors import SchemaError
from toolglot.json_values import Json
from toolglot.schemas.copying import copied
from toolglot.schemas.detect import dialect_of
from toolglot.schemas.trails import Trail, path_of
from toolglot.schemas.values import fault, schema_fault
from toolglot.schemas.walk import Limits, Node, walk_with
from toolglot.tables.keywords import Vocabulary, vocabulary

if TYPE_CHECKING:
    from referencing import Registry, Resolver, Specification

# A recursive reference asks for no name; no anchor can be called this.
RECURSIVE = "#"

# A metaschema is written in another, and so on: the published ones need one step.
_METASCHEMA_STEPS = 8


class _SharedError(Exception):
    """One object stands at two places of a schema, which then have to be told apart by copies."""


@dataclass(eq=False, slots=True)
class SchemaResource:
    """A schema with a name of its own, or the root of a document.

    Attributes:
        uri: its absolute name, the base of references inside it.
        vocabulary: how it is read.
        anchors: the places that plain names stand for.
        dynamic: the names of `anchors` that a dynamic reference may find.
        recursive: whether a recursive reference may go further out.
    """

    uri: str
    vocabulary: Vocabulary
    contents: Json
    trail: Trail | None
    anchors: dict[str, Target] = field(default_factory=dict)
    dynamic: set[str] = field(default_factory=set)
    recursive: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference names: a schema, the resource that it stands in, and its place there."""

    schema: Json
    resource: SchemaResource
    trail: Trail | None


class Library:
    """The documents of one schema, indexed as they are needed."""

    def __init__(
        self, schema: Json, how: Vocabulary, documents: Mapping[str, Json], limits: Limits, base: str = ""
    ) -> None:
        self.limits = limits
        self._documents = {uri.removesuffix("#"): document for uri, document in documents.items()}
        self._resources: dict[str, SchemaResource] = {}
        self._homes: dict[int, SchemaResource] = {}
        self._indexed: set[int] = set()
        # The dynamic anchors that some dynamic reference asks for.
        self.asked: set[str] = set()
        self._resolved: dict[tuple[int, str], Target] = {}
        self._registry: Registry[Place] | None = None
        # What the schema holds itself comes first: a document that was handed in never takes a name from it.
        self._is_loading = False
        try:
            self.root = self._index_document(schema, base, how)
        except _SharedError:
            self._resources, self._homes, self._indexed = {}, {}, set()
            self.root = self._index_document(copied(schema, limits), base, how)
        self._is_loading = True

    def home(self, schema: Json, around: SchemaResource) -> SchemaResource:
        """The resource that a schema stands in, given that of the schema around it."""
        return self._homes.get(id(schema), around) if self._homes else around

    # --- Indexing

    def _index_document(self, document: Json, uri: str, how: Vocabulary) -> SchemaResource:
        resource = SchemaResource(uri, how, document, None)
        self._resources.setdefault(uri, resource)
        self._homes[id(document)] = resource
        self._index(document, resource, None)
        return self._homes[id(document)]

    def _index(self, schema: Json, around: SchemaResource, trail: Trail | None) -> None:
        """Note the identifiers and anchors from here on down, and check the values of keywords."""
        for _ in walk_with(schema, around, self._enter, self.limits, trail):
            pass
        self._registry = None

    def _enter(self, node: Node[SchemaResource]) -> Vocabulary:
        schema, resource = node.schema, node.state
        if isinstance(schema, dict):
            if id(schema) in self._indexed and not self._is_loading:
                raise _SharedError
            self._indexed.add(id(schema))
            how = resource.vocabulary
            if how.dialect.identifier in schema:
                resource = self._named(node)
                how = resource.vocabulary
            check(schema, how, node.trail)
            if how.dialect.anchors == "keyword":
                self._note_anchors(schema, resource, node.trail)
                self._note_asked(schema, how)
            node.state = resource
            return how
        boolean = resource.vocabulary.forms[node.keyword].boolean if node.keyword else False
        if wrong := schema_fault(schema, resource.vocabulary.dialect, boolean=boolean):
            raise SchemaError(node.path, node.keyword, wrong)
        return resource.vocabulary

    def _named(self, node: Node[SchemaResource]) -> SchemaResource:
        """The resource of a schema that carries an identifier: a new one, unless it is but an anchor."""
        schema, around = node.schema, node.state
        keyword = around.vocabulary.dialect.identifier
        identifier = schema[keyword]
        beside_ref = "$ref" in schema and around.vocabulary.dialect.ref_siblings == "ignored"
        if not isinstance(identifier, str) or beside_ref:
            return around
        try:
            uri, fragment = urldefrag(urljoin(around.uri, identifier) if not identifier.startswith("#") else around.uri + identifier)
        except ValueError as error:
            raise SchemaError(node.path, keyword, f"no address: {error}") from error
        if fragment and around.vocabulary.dialect.anchors == "keyword":
            raise SchemaError(node.path, keyword, "has a fragment, which only `$anchor` may name")
        resource = around if uri == around.uri else self._new_resource(node, uri)
        if fragment and not fragment.startswith("/"):
            self._note_anchor(fragment, Target(schema, resource, node.trail), keyword)
        return resource

    def _new_resource(self, node: Node[SchemaResource], uri: str) -> SchemaResource:
        around, schema = node.state, node.schema
        known = self._resources.get(uri)
        if known is not None and known.contents is not schema and not self._is_loading:
            raise SchemaError(node.path, around.vocabulary.dialect.identifier, f"{uri!r} names two schemas")
        how = self.vocabulary_of(schema, around.vocabulary) if "$schema" in schema else around.vocabulary
        resource = SchemaResource(uri, how, schema, node.trail)
        self._resources.setdefault(uri, resource)
        self._homes[id(schema)] = resource
        return resource

    def _note_anchors(self, schema: Mapping[str, Json], resource: SchemaResource, trail: Trail | None) -> None:
        for keyword in ("$anchor", "$dynamicAnchor"):
            if keyword in schema and keyword in resource.vocabulary.forms:
                self._note_anchor(schema[keyword], Target(schema, resource, trail), keyword)
                if keyword == "$dynamicAnchor":
                    resource.dynamic.add(schema[keyword])
        if schema.get("$recursiveAnchor") is True and schema is resource.contents:
            resource.recursive = "$recursiveAnchor" in resource.vocabulary.forms

    def _note_asked(self, schema: Mapping[str, Json], how: Vocabulary) -> None:
        if "$dynamicRef" in schema and "$dynamicRef" in how.forms:
            self.asked.add(unquote(urldefrag(schema["$dynamicRef"])[1]))
        if "$recursiveRef" in schema and "$recursiveRef" in how.forms:
            self.asked.add(RECURSIVE)

    def _note_anchor(self, name: str, target: Target, keyword: str) -> None:
        known = target.resource.anchors.setdefault(name, target)
        if known.schema is not target.schema:
            raise SchemaError(path_of(target.trail), keyword, f"{name!r} names two schemas")

    def vocabulary_of(self, schema: Mapping[str, Json], default: Vocabulary) -> Vocabulary:
        """How a resource is read: by its `$schema`, which may name a metaschema that was handed in."""
        uri = schema.get("$schema")
        if not isinstance(uri, str):
            return default
        return self.declared(uri) or default

    def declared(self, uri: str) -> Vocabulary | None:
        """How schemas are read that name this metaschema; None if nobody knows it."""
        names: frozenset[str] | None = None
        for _ in range(_METASCHEMA_STEPS):
            dialect = dialect_of(uri)
            if dialect is not None:
                return vocabulary(dialect, names)
            metaschema = self._documents.get(uri.removesuffix("#"))
            if not isinstance(metaschema, dict) or not isinstance(metaschema.get("$schema"), str):
                return None
            if names is None and isinstance(metaschema.get("$vocabulary"), dict):
                names = _vocabularies(metaschema["$vocabulary"])
            uri = metaschema["$schema"]
        return None

    # --- Resolving

    def resolve(self, reference: str, base: SchemaResource, trail: Trail | None, keyword: str) -> Target:
        """What a reference names.

        Raises:
            SchemaError: it names nothing here, or something that is no schema.
        """
        key = (id(base), reference)
        if key not in self._resolved:
            self._resolved[key] = self._resolve(reference, base, trail, keyword)
        return self._resolved[key]

    def _resolve(self, reference: str, base: SchemaResource, trail: Trail | None, keyword: str) -> Target:
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 - import cost, for references only

        try:
            uri = base.uri if reference.startswith("#") else urldefrag(urljoin(base.uri, reference))[0]
            if uri not in self._resources:
                self._load(uri, base)
            place = self._resolver(base.uri).lookup(reference).contents
        except (Unresolvable, ValueError) as error:
            reason = f"{reference[:200]!r} names nothing in this schema; nothing is fetched"
            raise SchemaError(path_of(trail), keyword, reason) from error
        if not isinstance(place.value, (dict, bool)):
            raise SchemaError(path_of(trail), keyword, f"{reference[:200]!r} names something that is no schema")
        if place.holds != "schema":
            self._index_found(place)
        return Target(place.value, self.home(place.value, place.resource), place.trail)

    def _index_found(self, place: Place) -> None:
        """Index a schema where none is looked for, such as below an unknown keyword, once a reference leads there."""
        if id(place.value) not in self._indexed:
            self._indexed.add(id(place.value))
            self._index(place.value, place.resource, place.trail)

    def _load(self, uri: str, base: SchemaResource) -> None:
        """Index the document with this address; all that were handed in, if none of them is it."""
        if uri in self._documents:
            self._index_handed_in(uri, base)
            return
        from jsonschema_specifications import REGISTRY  # noqa: PLC0415 - import cost, paid by schemas that need it

        metaschema = REGISTRY.get(uri)
        if metaschema is not None:
            self._index_as(metaschema.contents, uri, base)
            return
        for other in self._documents:
            if other not in self._resources:
                self._index_handed_in(other, base)

    def _index_handed_in(self, uri: str, base: SchemaResource) -> None:
        document = self._documents[uri]
        if isinstance(document, (dict, bool)):
            self._index_as(copied(document, self.limits), uri, base)

    def _index_as(self, document: Json, uri: str, base: SchemaResource) -> None:
        how = base.vocabulary
        if isinstance(document, dict):
            how = self.vocabulary_of(document, how)
        self._index_document(document, uri, how)

    def _resolver(self, base: str) -> Resolver[Place]:
        if self._registry is None:
            from referencing import Registry, Resource  # noqa: PLC0415 - import cost, paid by schemas with references

            specification = _specification()
            empty: Registry[Place] = Registry()
            self._registry = empty.with_resources(
                (uri, Resource(_place(each.contents, each, each.trail, "schema", self), specification))
                for uri, each in self._resources.items()
            )
        return self._registry.resolver(base)


def check(schema: Mapping[str, Json], how: Vocabulary, trail: Trail | None) -> None:
    """Refuse a schema in which a keyword that is read has a value that its dialect does not allow."""
    forms, dialect = how.forms, how.dialect
    if "$ref" in schema and dialect.ref_siblings == "ignored" and "$ref" in forms:
        schema = {"$ref": schema["$ref"]}
    for keyword, value in schema.items():
        form = forms.get(keyword)
        if form is not None:
            wrong = fault(value, form, dialect)
            if wrong is not None:
                raise SchemaError(path_of(trail), keyword, wrong)
        elif not isinstance(keyword, str):
            raise SchemaError(path_of(trail), "", f"wanted a keyword as text, got {keyword!r}")


def _vocabularies(declared: Mapping[str, Json]) -> frozenset[str]:
    """The vocabularies of a metaschema by their short names."""
    names = {"core"}
    for uri in declared:
        name = uri.rsplit("/", 1)[-1]
        if "json-schema.org/draft/" in uri and "/vocab/" in uri:
            names.add("format" if name.startswith("format-") else name)
            names.add(name)
    return frozenset(names)


class Place:
    """A value in a document together with where it is: what the resolver walks through in place of bare JSON."""

    __slots__ = ("holds", "library", "resource", "trail", "value")

    def __init__(self, value: Json, resource: SchemaResource, trail: Trail | None, holds: str, library: Library) -> None:
        self.value = value
        self.resource = resource
        self.trail = trail
        self.holds = holds
        self.library = library

    def __getitem__(self, step: str | int) -> Place:
        """The place one step further in; LookupError if there is none."""
        if isinstance(self.value, dict):
            value = self.value[step]
        elif isinstance(self.value, (list, tuple)) and isinstance(step, int) and step >= 0:
            value = self.value[step]
        else:
            raise LookupError(step)
        holds = "data"
        if self.holds == "schema" and isinstance(self.value, dict):
            forms = self.resource.vocabulary
            beside = forms.holders_beside_ref if "$ref" in self.value else forms.holders
            holds = beside.get(str(step), "data")
            if holds == "one" or (holds == "one-or-list" and isinstance(value, dict)):
                holds = "schema"
        elif self.holds not in {"schema", "data"}:
            holds = "schema" if isinstance(value, (dict, bool)) else "data"
        resource = self.library.home(value, self.resource) if holds == "schema" else self.resource
        return _place(value, resource, Trail(self.trail, step), holds, self.library)


class ListPlace(Place):
    """A place where a list stands; the resolver asks whether a place is a `Sequence` to read a step as a number."""

    __slots__ = ()


Sequence.register(ListPlace)


def _place(value: Json, resource: SchemaResource, trail: Trail | None, holds: str, library: Library) -> Place:
    kind = ListPlace if isinstance(value, (list, tuple)) else Place
    return kind(value, resource, trail, holds, library)


@lru_cache(maxsize=1)
def _specification() -> Specification[Place]:
    """How the resolver reads places: they know their identifiers, so that it never has to look for any."""
    from referencing import Anchor, Resource, Specification  # noqa: PLC0415 - import cost, paid by schemas with references

    def anchors_in(specification: Specification[Place], root: Place) -> list[Anchor[Place]]:
        return [
            Anchor(name, Resource(_place(each.schema, each.resource, each.trail, "schema", root.library), specification))
            for name, each in root.resource.anchors.items()
        ]

    return Specification(
        name="toolglot",
        id_of=lambda _: None,
        subresources_of=lambda _: (),
        anchors_in=anchors_in,
        maybe_in_subresource=lambda segments, resolver, subresource: resolver,  # noqa: ARG005 - called by these names
    )
