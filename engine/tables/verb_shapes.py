"""What the tables of verbs are written in: a verb, the shapes of its options, the keywords that it touches."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from toolglot.json_values import Json

Touch = Callable[[Json], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a verb's options look like: in words, and as a test."""

    wanted: str
    fits: Callable[[Json], bool]


@dataclass(frozen=True, slots=True)
class Verb:
    """One kind of edit.

    Attributes:
        name: the key in a rule's `do`.
        places: where it can act.
        options: the shape of its options.
        keeps: what may become of the meaning.
        touches: the keywords of the node that it reads or changes, given its options.
        inverse: the name of what turns a call back, or None where a call needs nothing.
        meaning: what it does, in one sentence.
    """

    name: str
    places: frozenset[str]
    options: Shape
    keeps: frozenset[str]
    touches: Touch
    inverse: str | None
    meaning: str


# Shapes of options --------------------------------------------------------------------------------

_KEYWORD = re.compile(r"\$?[A-Za-z][A-Za-z0-9-]*\Z")


def is_keyword(value: Json) -> bool:
    """Whether it could be a keyword's name."""
    return isinstance(value, str) and _KEYWORD.match(value) is not None


def is_limit(value: Json) -> bool:
    """Whether it is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: Json) -> bool:
    """Whether it is a text that says something."""
    return isinstance(value, str) and bool(value.strip())


def _is_keyword_list(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(map(is_keyword, value)) and len(set(value)) == len(value)


def word(*choices: str) -> Shape:
    """Options that are one of a few words."""
    return Shape(" or ".join(f'"{choice}"' for choice in choices), lambda value: value in choices)


def fields(wanted: str, **shapes: Callable[[Json], bool]) -> Shape:
    """Options that are a table of exactly these fields."""

    def fits(value: Json) -> bool:
        return (
            isinstance(value, dict)
            and value.keys() == shapes.keys()
            and all(is_right(value[name]) for name, is_right in shapes.items())
        )

    return Shape(wanted, fits)


KEYWORDS = Shape("a keyword or a list of keywords", lambda value: is_keyword(value) or _is_keyword_list(value))
TEXT = Shape("a text", is_text)
TEXTS = Shape("a list of texts", lambda value: isinstance(value, list) and bool(value) and all(map(is_text, value)))
PAIR = Shape("a list of two keywords, the lower bound first", lambda value: _is_keyword_list(value) and len(value) == 2)
SETTINGS = Shape(
    "a table from keywords to values",
    lambda value: isinstance(value, dict) and bool(value) and all(map(is_keyword, value)),
)


# What is touched ----------------------------------------------------------------------------------


def always(*keywords: str) -> Touch:
    """Touches these keywords, whatever the options."""
    touched = frozenset(keywords)
    return lambda _options: touched


def named(options: Json) -> frozenset[str]:
    """Touches the keywords that the options name: a word, a list, the keys of a table."""
    return frozenset({options} if isinstance(options, str) else options)


def field_keyword(options: Json) -> frozenset[str]:
    """Touches the keyword in the options' field `keyword`."""
    return frozenset({options["keyword"]})


def verb(  # noqa: PLR0913, PLR0917 - an entry of a table has this many columns
    place: str, name: str, options: Shape, keeps: str, touches: Touch, meaning: str, inverse: str | None = None
) -> tuple[str, Verb]:
    """An entry of a table of verbs; places and outcomes are each words with blanks between them."""
    return name, Verb(name, frozenset(place.split()), options, frozenset(keeps.split()), touches, inverse, meaning)
