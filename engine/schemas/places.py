"""Places in documents: what the resolver of references walks through in place of bare JSON.

The `referencing` library resolves; a place tells it what a step leads to, and remembers how it was reached and in
which resource it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from toolglot.json_values import Json
from toolglot.schemas.trails import Trail
from toolglot.tables.keywords import Vocabulary

if TYPE_CHECKING:
    from referencing import Registry, Specification


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


Homes = dict[int, SchemaResource]


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference names: a schema, the resource that it stands in, and its place there."""

    schema: Json
    resource: SchemaResource
    trail: Trail | None


class Place:
    """A value in a document together with where it is: what the resolver walks through in place of bare JSON."""

    __slots__ = ("holds", "homes", "resource", "trail", "value")

    def __init__(self, value: Json, resource: SchemaResource, trail: Trail | None, holds: str, homes: Homes) -> None:
        self.value = value
        self.resource = resource
        self.trail = trail
        self.holds = holds
        self.homes = homes

    def __getitem__(self, step: str | int) -> Place:
        """The place one step further in; LookupError if there is none."""
        is_there = isinstance(self.value, dict) or (isinstance(self, ListPlace) and isinstance(step, int) and step >= 0)
        if not is_there:
            raise LookupError(step)
        value = self.value[step]
        holds = "data"
        if self.holds == "schema" and isinstance(self.value, dict):
            forms = self.resource.vocabulary
            beside = forms.holders_beside_ref if "$ref" in self.value else forms.holders
            holds = beside.get(str(step), "data")
            if holds == "one" or (holds == "one-or-list" and isinstance(value, dict)):
                holds = "schema"
        elif self.holds not in {"schema", "data"}:
            holds = "schema" if isinstance(value, (dict, bool)) else "data"
        resource = self.homes.get(id(value), self.resource) if holds == "schema" else self.resource
        return place_of(value, resource, (self.trail, step), holds, self.homes)


class ListPlace(Place):
    """A place where a list stands; the resolver asks whether a place is a `Sequence` to read a step as a number."""

    __slots__ = ()


Sequence.register(ListPlace)


def place_of(value: Json, resource: SchemaResource, trail: Trail | None, holds: str, homes: Homes) -> Place:
    """The place where this value stands; `holds` is "schema", "data", or what its keyword holds."""
    kind = ListPlace if isinstance(value, (list, tuple)) else Place
    return kind(value, resource, trail, holds, homes)


def registry_with(known: Registry[Place] | None, resources: Iterable[SchemaResource], homes: Homes) -> Registry[Place]:
    """The resolver's registry of what is known and of these resources; it fetches nothing.

    It has been through its resources already: a registry that has not would do so again at each reference.
    """
    from referencing import Registry  # noqa: PLC0415 - import cost, for references only

    specification = _specification()
    registry: Registry[Place] = Registry() if known is None else known
    return registry.with_resources(
        (each.uri, specification.create_resource(place_of(each.contents, each, each.trail, "schema", homes)))
        for each in resources
    ).crawl()


@lru_cache(maxsize=1)
def _specification() -> Specification[Place]:
    """How the resolver reads places: they know their identifiers, so that it never has to look for any."""
    from referencing import Anchor, Specification  # noqa: PLC0415 - import cost, for references only

    def anchors_in(specification: Specification[Place], root: Place) -> list[Anchor[Place]]:
        places = {
            name: place_of(each.schema, each.resource, each.trail, "schema", root.homes)
            for name, each in root.resource.anchors.items()
        }
        return [Anchor(name, specification.create_resource(place)) for name, place in places.items()]  # type: ignore[call-arg] # its stub hides the constructor

    return Specification(  # type: ignore[call-arg] # its stub hides the constructor
        name="toolglot",
        id_of=lambda _: None,
        subresources_of=lambda _: (),
        anchors_in=anchors_in,
        maybe_in_subresource=lambda segments, resolver, subresource: resolver,  # noqa: ARG005 - called by name
    )
