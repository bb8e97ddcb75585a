"""Any dialect into the normal form that `forms` promises: `normal_form(schema)`.

A plain schema is read in one pass (`plain`). For any other, one pass finds names and checks keyword values
(`resources`); a second one, over what is reached from the root, writes the normal form (`reading`). All keep stacks of
their own, and all are linear.

References are resolved while reading. A dynamic reference depends on the way that led to it: each definition is
read once per way that matters, where a way is the outermost resource for each dynamic anchor that is asked for. So
the result has plain references only and means exactly the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from toolglot.errors import SchemaError
from toolglot.json_values import Json
from toolglot.schemas.detect import detect
from toolglot.schemas.forms import Detection, Normal, Schema
from toolglot.schemas.loops import refuse_loops
from toolglot.schemas.plain import Told, plain_normal
from toolglot.schemas.reading import Reader
from toolglot.schemas.resources import Library
from toolglot.schemas.values import schema_fault
from toolglot.schemas.walk import DEFAULT_LIMITS, Limits
from toolglot.tables.keywords import dialects, vocabulary

_NO_DOCUMENTS: Mapping[str, Json] = MappingProxyType({})


def normal_form(
    schema: Json,
    *,
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Normal:
    """The schema in the one inner form, sharing nothing with the input.

    Args:
        schema: the schema, in any dialect.
        dialect: the dialect's id; left out, it is detected.
        resources: documents that references may lead to, by their address; nothing is ever fetched.
        limits: how deep and large the schema, and its normal form, may be.

    Raises:
        SchemaError: the schema is broken or past the limits.
    """
    documents = resources or _NO_DOCUMENTS
    know_dialect(dialect)
    if not isinstance(schema, (dict, bool)):
        raise SchemaError((), "", schema_fault(schema, dialects()["2020-12"]) or "")
    how = told(schema, dialect, documents, limits)
    return plain_normal(schema, how, limits) or any_normal(schema, how, documents, limits)


def know_dialect(dialect: str | None) -> None:
    """Nothing; raises SchemaError where a dialect is named that there is not."""
    if dialect is not None and dialect not in dialects():
        raise SchemaError((), "$schema", f"no dialect {dialect!r}", hint="one of " + ", ".join(sorted(dialects())))


def any_normal(schema: Json, how: Told | None, documents: Mapping[str, Json], limits: Limits) -> Normal:
    """The normal form of any schema, plain or not; how it is read is detected where nothing is told.

    Raises:
        SchemaError: the schema is broken or past the limits.
    """
    base, detection = how or _detected(schema, limits)
    library = Library(schema, base, documents, limits)
    root, reader = _read(library, limits)
    refuse_loops(root, reader.definitions)
    row = library.root.vocabulary.dialect
    return Normal(
        root=root,
        definitions=MappingProxyType(reader.definitions),
        detection=detection,
        asserts_formats=library.root.vocabulary.asserts_formats,
        integer_by_spelling=row.integer_by_spelling,
        unknown=tuple(reader.unknown),
    )


def _read(library: Library, limits: Limits) -> tuple[Schema, Reader]:
    """The normal form, read with every dynamic anchor known that is asked for in any document that it leads to."""
    while True:
        asked = len(library.asked)
        reader = Reader(library, limits)
        root = reader.read()
        if len(library.asked) == asked:
            return root, reader


def told(schema: Json, dialect: str | None, documents: Mapping[str, Json], limits: Limits) -> Told | None:
    """How the schema is read, where the caller says so; None where it has to be detected."""
    if dialect is not None:
        return vocabulary(dialect), Detection(dialect, ("handed in",), "declared")
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if isinstance(declared, str) and documents:
        how = Library({}, vocabulary("2020-12"), documents, limits).declared(declared)
        if how is not None:
            return how, Detection(how.dialect.id, ("$schema",), "declared")
    return None


def _detected(schema: Json, limits: Limits) -> Told:
    detection = detect(schema, limits=limits)
    return vocabulary(detection.dialect), detection
