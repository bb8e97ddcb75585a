"""A document that describes requests, read as operations: what each is called, takes and gives.

Which fields count, and how arguments are named, is said in `rules/operations.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import unquote

from toolglot.errors import Path, SchemaError
from toolglot.json_values import Json, kind
from toolglot.schemas.excerpts import Excerpt, pointed, steps_of
from toolglot.tables.keywords import vocabulary
from toolglot.tables.operations import Edition, document_format
from toolglot.wire.operation_parameters import (
    BODY,
    Parameter,
    Part,
    argument_names,
    content_of,
    is_json,
    refuse_unfilled,
)

_HOME = ("components", "schemas")
_MOST_STEPS = 32


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation, whose arguments are one object.

    Attributes:
        name: the operation's id; its method and path where it has none.
        description: what it does, or None.
        schema: the schema of its arguments, which stands without the document.
        output_schema: the schema of what it answers, or None.
        request: what a program needs to make the request: `method`, `path`, `parameters` (by the argument's name: its
            `name`, where it goes as `in`, and how it is written) and `body`, the media type, where there is one.
    """

    name: str
    description: str | None
    schema: Json
    output_schema: Json
    request: Mapping[str, Json]


def is_document(source: Json) -> bool:
    """Whether something is a document of the format, of any edition."""
    return isinstance(source, dict) and isinstance(source.get(document_format().key), str)


def read_operations(document: Mapping[str, Json]) -> Iterator[tuple[Path, Operation | SchemaError]]:
    """Each operation of a document, in its order, with its place; one that is broken costs itself alone.

    Raises:
        SchemaError: the document is of no known edition, or its paths are no object.
    """
    reader = _Reader(document, _edition(document))
    paths = document.get("paths", {})
    if not isinstance(paths, dict):
        raise SchemaError(("paths",), "paths", f"wanted an object, got {kind(paths)}")
    for path in paths:
        yield from reader.below(path)


def _edition(document: Mapping[str, Json]) -> Edition:
    rows = document_format()
    version = document[rows.key]
    for edition in rows.editions:
        if version.startswith(edition.version):
            return edition
    known = ", ".join(edition.version + "x" for edition in rows.editions)
    raise SchemaError((rows.key,), rows.key, f"wanted one of the versions {known}; got {version[:40]!r}")


class _Reader:
    """Reads operations out of one document."""

    def __init__(self, document: Mapping[str, Json], edition: Edition) -> None:
        self._document, self._edition = document, edition
        declared = document.get(edition.named_by) if edition.named_by else None
        self._schema = declared if isinstance(declared, str) else edition.schema
        self._how = vocabulary(edition.dialect)

    def below(self, path: str) -> Iterator[tuple[Path, Operation | SchemaError]]:
        """The operations of one path."""
        place: Path = ("paths", path)
        try:
            item, place = self._found(pointed(self._document, place), place)
        except SchemaError as error:
            yield place, error.of_tool(path)
            return
        for method in document_format().methods:
            if method in item:
                yield (*place, method), self._read(path, method, item, place)

    def _read(self, path: str, method: str, item: Mapping[str, Json], place: Path) -> Operation | SchemaError:
        found = item[method]
        name = found.get("operationId") if isinstance(found, dict) else None
        name = name if isinstance(name, str) and name else f"{method} {path}"
        at: Path = (*place, method)
        try:
            entry = self._object(found, at)
            parameters = {**self._parameters(item, place), **self._parameters(entry, at)}
            refuse_unfilled(path, parameters, at)
            return self._operation(name, {"method": method, "path": path}, entry, at, list(parameters.values()))
        except SchemaError as error:
            return error.of_tool(name)

    def _operation(
        self, name: str, request: dict[str, Json], entry: Mapping[str, Json], at: Path, parameters: list[Parameter]
    ) -> Operation:
        media, body = self._body(entry, at)
        names = argument_names(parameters, has_body=body is not None)
        parts = {argument: each.part() for argument, each in zip(names, parameters, strict=True)}
        request["parameters"] = {argument: each.written() for argument, each in zip(names, parameters, strict=True)}
        if body is not None:
            parts[BODY], request[BODY] = body, media
        said = [text for text in (entry.get("summary"), entry.get("description")) if isinstance(text, str) and text]
        description = "\n\n".join(dict.fromkeys(said))
        return Operation(name, description or None, self._arguments(parts), self._output(entry, at), request)

    # Schemas

    def _arguments(self, parts: Mapping[str, Part]) -> Json:
        """One object of all arguments."""
        excerpt = self._excerpt("readOnly")
        properties = {
            name: _described(excerpt.take(part.schema, part.path), part.description) for name, part in parts.items()
        }
        whole: dict[str, Json] = {"$schema": self._schema, "type": "object", "properties": properties}
        required = [name for name, part in parts.items() if part.is_required]
        if required:
            whole["required"] = required
        # An argument that is declared nowhere has no place in the request.
        whole["additionalProperties"] = False
        return whole | _components(excerpt)

    def _output(self, entry: Mapping[str, Json], place: Path) -> Json:
        """The schema of what comes back where all goes well, or None."""
        responses = entry.get("responses")
        codes = list(responses) if isinstance(responses, dict) else []
        choice = (code for wanted in document_format().responses for code in codes if fnmatchcase(str(code), wanted))
        code = next(choice, None)
        if code is None or not isinstance(responses, dict):
            return None
        response, path = self._found(responses[code], (*place, "responses", code))
        media, schema = content_of(response)
        if media is None or not is_json(media) or not isinstance(schema, (dict, bool)):
            return None
        excerpt = self._excerpt("writeOnly")
        taken = excerpt.take(schema, (*path, "content", media, "schema"))
        taken = taken if isinstance(taken, dict) and "$ref" not in taken else {"allOf": [taken]}
        return {"$schema": self._schema, **taken, **_components(excerpt)}

    def _excerpt(self, one_way: str) -> Excerpt:
        return Excerpt(self._document, self._how, _HOME, _optional(one_way) if self._edition.one_way else None)

    # Parameters and the body

    def _parameters(self, holder: Mapping[str, Json], place: Path) -> dict[tuple[str, str], Parameter]:
        """The parameters that a path or an operation declares, by name and place."""
        entries = holder.get("parameters", [])
        if not isinstance(entries, list):
            raise SchemaError((*place, "parameters"), "parameters", f"wanted a list, got {kind(entries)}")
        rows = document_format()
        found: dict[tuple[str, str], Parameter] = {}
        for index, entry in enumerate(entries):
            parameter, where = self._found(entry, (*place, "parameters", index))
            name, lies = parameter.get("name"), parameter.get("in")
            if not isinstance(name, str) or lies not in rows.places:
                wanted = f"a parameter with a name, in one of {', '.join(rows.places)}"
                raise SchemaError(where, "in", f"wanted {wanted}; got {name!r} in {lies!r}")
            if lies != "header" or name.lower() not in rows.ignored_headers:
                found[name, str(lies)] = Parameter(parameter, where, name, str(lies))
        return found

    def _body(self, entry: Mapping[str, Json], place: Path) -> tuple[str | None, Part | None]:
        """The media type of the body and what it is; None where there is none."""
        if entry.get("requestBody") is None:
            return None, None
        body, path = self._found(entry["requestBody"], (*place, "requestBody"))
        media, schema = content_of(body)
        if media is None:
            raise SchemaError((*path, "content"), "content", "wanted a media type, nothing is there")
        where = (*path, "content", media, "schema")
        return media, Part(
            {} if schema is None else schema, where, body.get("description"), body.get("required") is True
        )

    # References between the document's own objects

    def _found(self, value: Json, path: Path) -> tuple[Mapping[str, Json], Path]:
        """An object of the document, or the one that it refers to, and where that stands."""
        for _ in range(_MOST_STEPS):
            entry = self._object(value, path)
            reference = entry.get("$ref")
            if not isinstance(reference, str):
                return entry, path
            if not reference.startswith("#/"):
                raise SchemaError(path, "$ref", f"{reference[:200]!r} is not in this document; nothing is fetched")
            path = steps_of(unquote(reference[1:]))
            value = pointed(self._document, path)
        raise SchemaError(path, "$ref", "these references lead from one to the next without an end")

    def _object(self, value: Json, path: Path) -> Mapping[str, Json]:
        if not isinstance(value, dict):
            raise SchemaError(path, "", f"wanted an object, got {'nothing' if value is None else kind(value)}")
        return value


def _described(schema: Json, description: Json) -> Json:
    """The schema with what is said of the argument, which counts more than what is said of its type."""
    if not isinstance(description, str) or not description or not isinstance(schema, dict):
        return schema
    return (
        {"description": description, "allOf": [schema]} if "$ref" in schema else {**schema, "description": description}
    )


def _components(excerpt: Excerpt) -> dict[str, Json]:
    definitions = excerpt.definitions()
    return {_HOME[0]: {_HOME[1]: definitions}} if definitions else {}


def _optional(one_way: str) -> Callable[[dict[str, Json]], None]:
    """An edit of schemas: properties with this mark, which go the other way alone, are not required."""

    def edit(schema: dict[str, Json]) -> None:
        required, properties = schema.get("required"), schema.get("properties")
        if not isinstance(required, list) or not isinstance(properties, dict):
            return
        marked = {name for name, each in properties.items() if isinstance(each, dict) and each.get(one_way) is True}
        left = [name for name in required if not isinstance(name, str) or name not in marked]
        if left:
            schema["required"] = left
        elif required:
            del schema["required"]

    return edit
