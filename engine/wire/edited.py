"""What verbs are made of: what one gives, and what it may ask of the conversion that it is part of."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import Codec

Lost = tuple[tuple[str, Json], ...]


class Edited(NamedTuple):
    """What a verb made of a node.

    Attributes:
        node: the changed node.
        lost: the constraints that the wire no longer holds, as (keyword, value).
        structural: whether the edit may be needed again on the outcome.
        codecs: what turns a value of the changed node into one of the node before, in the order they were made.
        encodes: whether values are said in another form below the node, whatever its own codecs.
        takes_codecs: whether the codecs that the node had before now stand below it.
        words: what the description has to say of the encoding, by its name in the table of words.
        outline: what fills the words in.
    """

    node: Schema
    lost: Lost = ()
    structural: bool = False
    codecs: tuple[Codec, ...] = ()
    encodes: bool = False
    takes_codecs: bool = False
    words: str = ""
    outline: str = ""


class Site(Protocol):
    """What a verb may ask of the conversion that it is part of."""

    root: bool
    describe: bool | str

    def slot(self, like: str) -> str:
        """The name of the property for undeclared keys: one that the schema declares nowhere, wherever it stands."""

    def words_of_slot(self, declared: int) -> str:
        """What the first text for undeclared keys says of itself, beside so many properties; empty where it may not."""

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern finds a match in a property's name."""

    def definition(self, reference: str) -> Schema:
        """What a `$ref` of the normal form refers to."""

    def define(self, members: list[Schema], like: str) -> Schema:
        """A reference to a definition that says all members; the same members give the same definition."""

    def spend(self, keywords: int) -> bool:
        """Whether the wire may grow by so many keywords still."""

    def afford(self, members: int) -> bool:
        """Whether so many more schemas may be merged."""

    def free_property(self, like: str) -> str:
        """A property name that the schema declares nowhere, the given one if it can be."""

    def aliases(self, pattern: str, longest: int) -> Callable[[str], str]:
        """Gives each property name of the schema the one name that fits the pattern, itself if it does."""

    def size_of(self, reference: str) -> int:
        """How many keywords and names a definition holds."""

    def times_inlined(self, reference: str) -> int:
        """How often a definition stands in its own place here and above already."""

    def inlining(self, reference: str) -> None:
        """Says that a definition is put in its place here."""

    def outline(self, node: Schema) -> str:
        """The shape of a node in few words, for a description."""

    def words(self, name: str, filled: str) -> str:
        """A text of the table of words, filled in."""


Verb = Callable[[Schema, Json, Site], Edited]
