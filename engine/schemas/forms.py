"""The one inner form of a schema: 2020-12 shaped, references plain and local, every position a schema object.

What holds in the normal form, and every later room relies on it:

* every subschema is a `Schema`: `true` is read as `{}`, `false` as `{"not": {}}`;
* `$ref` is always `#/$defs/<name>` with a name of `definitions`, a plain name of letters, digits, `_` and `-`;
  there is no `$id`, `$anchor`, `$schema`, `$dynamicRef`, `definitions` or `$defs` inside;
* siblings of `$ref` are there only if the dialect reads them;
* list-form `items`, `additionalItems`, `dependencies`, `nullable`, `extends`, `divisibleBy`, boolean
  `exclusiveMinimum`… are rewritten to what they mean in 2020-12;
* counts written as `2.0` are `2`; names in `required` appear once; a list of one type is that type;
* annotations and unknown keywords are kept as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolglot.errors import Path
from toolglot.schemas.trails import Trail, path_of


class Schema(dict[str, Any]):
    """A schema object of the normal form, which knows the place in the source that it came from."""

    __slots__ = ("trail",)

    trail: Trail | None

    def __init__(self, keywords: Mapping[str, Any] | None = None, trail: Trail | None = None) -> None:
        if keywords:
            self.update(keywords)
        self.trail = trail

    @property
    def place(self) -> Path:
        """The steps from the root of the source to this schema."""
        return path_of(self.trail)


@dataclass(frozen=True, slots=True)
class Detection:
    """Which dialect a schema is written in, and what decided.

    Attributes:
        dialect: the id of a row in `rules/dialects.toml`, such as `draft-07` or `2020-12`.
        marks: what decided, such as `$schema` or `boolean exclusiveMinimum at /properties/a`.
        certainty: `declared` (by `$schema`, or handed in), `marked` (by marks that only this dialect has),
            `likely` (marks that several share), or `default` (no mark at all).
        conflicts: marks that speak against it.
    """

    dialect: str
    marks: tuple[str, ...] = ()
    certainty: str = "default"
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Normal:
    """A schema in the normal form.

    Attributes:
        root: the schema itself.
        definitions: what `$ref` reaches, by plain name; only what is reached.
            A reference to the root is a reference to the definition `root`, which is then `root` itself.
        detection: how the source was read.
        asserts_formats: whether the dialect says that `format` is checked.
        integer_by_spelling: whether `1.0` is no integer (drafts 3 and 4).
        unknown: keywords that the dialect does not have and no table knows, each with its place.
    """

    root: Schema
    definitions: Mapping[str, Schema]
    detection: Detection
    asserts_formats: bool
    integer_by_spelling: bool
    unknown: tuple[tuple[Path, str], ...] = ()
