"""The computed facts that a predicate may ask for beside the keywords of a node.

A fact is declared here, so that a predicate can be checked and indexed at load, and computed by the room
that walks the nodes of its place. Its triggers are keywords of which a node has at least one wherever the
fact is present; a fact without triggers can be present on any node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Fact:
    """One computed fact: what it is called, where it can be asked for, and what it says."""

    name: str
    place: str
    triggers: frozenset[str]
    meaning: str


def _fact(place: str, name: str, triggers: str, meaning: str) -> tuple[str, Fact]:
    return name, Fact(name, place, frozenset(triggers.split()), meaning)


FACTS: Mapping[str, Fact] = dict(
    [
        _fact("schema", "root", "", "true of the root of the schema"),
        _fact("schema", "never", "not", "true of a schema that no value fits, such as `false`"),
        _fact("schema", "siblings-of-reference", "$ref", "true where keywords that constrain stand beside `$ref`"),
        _fact("schema", "siblings-of-any-of", "anyOf", "true where keywords that constrain stand beside `anyOf`"),
        _fact("schema", "siblings-of-one-of", "oneOf", "true where keywords that constrain stand beside `oneOf`"),
        _fact("schema", "siblings-of-enum", "enum", "true where keywords that constrain stand beside `enum`"),
        _fact("schema", "property-count", "properties", "how many properties are declared"),
        _fact("schema", "property-name-characters", "properties", "how many characters the property names have in all"),
        _fact(
            "schema",
            "property-name-specials",
            "properties",
            "the characters in property names that are no letter, digit, `_` or `-`, each once",
        ),
        _fact("schema", "undeclared-required", "required", "how many required properties are not declared"),
        _fact("schema", "pattern-form", "pattern", "how the pattern can be said elsewhere, in one word"),
    ]
)


@cache
def triggers_at(place: str) -> Mapping[str, frozenset[str]]:
    """The triggers of each fact that can be asked for at a place, by the fact's name."""
    return {fact.name: fact.triggers for fact in FACTS.values() if fact.place == place}
