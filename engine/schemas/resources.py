"""The documents that references run in: who is named how, and what a reference names.

The walker finds identifiers and anchors in each dialect's own way and checks the keywords' values on the way;
the `referencing` library resolves. Nothing is ever fetched: there are the schema itself, the documents
that the caller hands in, and the published metaschemas, which are installed as data.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag

from toolglot.errors import SchemaError
from toolglot.json_values import Json
from toolglot.schemas.addresses import joined
from toolglot.schemas.copying import copied
from toolglot.schemas.detect import dialect_of
from toolglot.schemas.places import Homes, Place, SchemaResource, Target, registry_with
from toolglot.schemas.trails import Trail, path_of
from toolglot.schemas.values import checks, schema_fault
from toolglot.schemas.walk import Limits, Node, walk_with
from toolglot.tables.keywords import Vocabulary, vocabulary

if TYPE_CHECKING:
    from referencing import Registry

# A recursive reference asks for no name; no anchor can be called this.
RECURSIVE = "#"

# A metaschema is written in another, and so on: the published ones need one step.
_METASCHEMA_STEPS = 8


class _SharedError(Exception):
    """One object stands at two places of a schema, which then have to be told apart by copies."""


class Library:
    """The documents of one schema, indexed as they are needed."""

    def __init__(
        self, schema: Json, how: Vocabulary, documents: Mapping[str, Json], limits: Limits, base: str = ""
    ) -> None:
        self.limits = limits
        self._documents = {uri.removesuffix("#"): document for uri, document in documents.items()}
        self._resources: dict[str, SchemaResource] = {}
        self._homes: Homes = {}
        self._indexed: set[int] = set()
        # The dynamic anchors that some dynamic reference asks for.
        self.asked: set[str] = set()
        self._twice: set[str] = set()
        self._resolved: dict[tuple[int, str], Target] = {}
        self._registry: Registry[Place] | None = None
        # Resources that the registry does not know yet.
        self._fresh: list[SchemaResource] = []
        # What the schema holds itself comes first: a document that was handed in never takes a name from it.
        self._is_loading = False
        try:
            self.root = self._index_document(schema, base, how)
        except _SharedError:
            self._resources, self._homes, self._indexed, self._twice, self._fresh = {}, {}, set(), set(), []
            self.root = self._index_document(copied(schema, limits), base, how)
        self._is_loading = True

    def home(self, schema: Json, around: SchemaResource) -> SchemaResource:
        """The resource that a schema stands in, given that of the schema around it."""
        return self._homes.get(id(schema), around) if self._homes else around

    # --- Indexing

    def _index_document(self, document: Json, uri: str, how: Vocabulary) -> SchemaResource:
        resource = self._noted(SchemaResource(uri, how, document, None))
        self._index(document, resource, None)
        return self._homes[id(document)]

    def _index(self, schema: Json, around: SchemaResource, trail: Trail | None) -> None:
        """Note the identifiers and anchors from here on down, and check the values of keywords."""
        for _ in walk_with(schema, around, self._enter, self.limits, trail):
            pass

    def _noted(self, resource: SchemaResource) -> SchemaResource:
        """The resource, known by its name unless another one has that name already."""
        self._homes[id(resource.contents)] = resource
        if self._resources.setdefault(resource.uri, resource) is resource:
            self._fresh.append(resource)
        return resource

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
        beside_ref = "$ref" in schema and not around.vocabulary.reads_beside_ref
        if not isinstance(identifier, str) or beside_ref:
            return around
        try:
            uri, fragment = joined(around.uri, identifier)
        except ValueError as error:
            raise SchemaError(node.path, keyword, f"wanted an address: {error}") from error
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
            self._named_twice(uri, around, node.trail, around.vocabulary.dialect.identifier)
        how = self.vocabulary_of(schema, around.vocabulary) if "$schema" in schema else around.vocabulary
        return self._noted(SchemaResource(uri, how, schema, node.trail))

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
            self._named_twice(f"{target.resource.uri}#{name}", target.resource, target.trail, keyword)

    def _named_twice(self, uri: str, resource: SchemaResource, trail: Trail | None, keyword: str) -> None:
        """Refuse a second schema of this name, at once or when a reference asks for it."""
        if resource.vocabulary.dialect.twice_named == "refused":
            raise SchemaError(path_of(trail), keyword, f"{uri[:200]!r} names two schemas")
        self._twice.add(uri)

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
            uri, fragment = joined(base.uri, reference)
            if uri not in self._resources:
                self._load(uri, base)
            if {uri, f"{uri}#{fragment}"} & self._twice:
                raise SchemaError(path_of(trail), keyword, f"{reference[:200]!r} names two schemas")
            place = self._lookup(reference, base.uri)
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
        from jsonschema_specifications import (  # type: ignore[import-untyped] # noqa: PLC0415 - untyped; import cost
            REGISTRY,
        )

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
        try:
            self._index_document(document, uri, how)
        except SchemaError as error:
            raise SchemaError(error.path, error.keyword, f"in the document {uri[:200]!r}: {error.reason}") from error

    def _lookup(self, reference: str, base: str) -> Place:
        if self._registry is None or self._fresh:
            self._registry = registry_with(self._registry, self._fresh, self._homes)
            self._fresh = []
        return self._registry.resolver(base).lookup(reference).contents


def check(schema: Mapping[str, Json], how: Vocabulary, trail: Trail | None) -> None:
    """Refuse a schema in which a keyword that is read has a value that its dialect does not allow."""
    wanted = checks(how)
    if not how.reads_beside_ref and "$ref" in schema:
        schema = {"$ref": schema["$ref"]}
    for keyword, value in schema.items():
        test = wanted.get(keyword)
        if test is not None:
            wrong = test(value)
            if wrong is not None:
                raise SchemaError(path_of(trail), keyword, wrong)
        elif not isinstance(keyword, str):
            raise SchemaError(path_of(trail), "", f"wanted a keyword as text, got a {type(keyword).__name__}")


def _vocabularies(declared: Mapping[str, Json]) -> frozenset[str]:
    """The vocabularies of a metaschema by their short names."""
    names = {"core"}
    for uri in declared:
        name = uri.rsplit("/", 1)[-1]
        if "json-schema.org/draft/" in uri and "/vocab/" in uri:
            names.add("format" if name.startswith("format-") else name)
            names.add(name)
    return frozenset(names)
