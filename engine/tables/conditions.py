"""What a predicate says: its conditions, as `parse` reads them from text.

The grammar stands in `predicate.lark`; this module turns its tree into frozen conditions and its errors
into a sentence with a caret. What a condition *does* is made in `predicates`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from toolglot.json_values import Json
from toolglot.tables import shipped

if TYPE_CHECKING:
    from lark import Lark, Token

# Long enough for any rule that a reader can still follow; short enough that nesting cannot overflow a stack.
LONGEST = 1_000


class PredicateError(ValueError):
    """A predicate can't be read.

    Attributes:
        text: the predicate.
        offset: where in the text, counted from 0.
        reason: what was found and what was wanted.
        hint: what may have been meant, where that is known.
    """

    def __init__(self, text: str, offset: int, reason: str, *, hint: str | None = None) -> None:
        self.text, self.offset, self.reason, self.hint = text, offset, reason, hint
        super().__init__(f"{reason} ({hint})" if hint else reason)

    @property
    def column(self) -> int:
        """The column in its line of the text, counted from 1."""
        return self.offset - (self.text.rfind("\n", 0, self.offset) + 1) + 1

    def drawn(self) -> str:
        """The sentence, and below it the line of the text with a caret under the column."""
        line = self.text[self.offset - self.column + 1 :].split("\n", 1)[0]
        return f"{self}\n    {line}\n    {' ' * (self.column - 1)}^"


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a predicate; a quoted one is a keyword and never a fact."""

    text: str
    quoted: bool = field(default=False)
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim about one name: `has`, `is`, `is not`, `in`, `holds`, `matches`, `<`, `<=`, `>` or `>=`."""

    name: Name
    operator: str
    literal: Json = None


@dataclass(frozen=True, slots=True)
class Not:
    """True where its part is not."""

    part: Condition


@dataclass(frozen=True, slots=True)
class Both:
    """True where each part is."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """True where at least one part is."""

    parts: tuple[Condition, ...]


Condition: TypeAlias = Claim | Not | Both | Either


def parse(text: str) -> Condition:
    """The condition that the text states; raises PredicateError with the column where it can't be read."""
    from toolglot.tables.plain_conditions import plainly_read  # noqa: PLC0415 - made of the conditions above

    if len(text) > LONGEST:
        raise PredicateError(text[:LONGEST], LONGEST, f"a predicate is at most {LONGEST} characters long")
    return plainly_read(text) or _parsed(text)


def _parsed(text: str) -> Condition:
    """The condition, by the grammar."""
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415 - lark is slow to import

    try:
        return _parser().parse(text)  # type: ignore[return-value] # the transformer makes conditions of the tree
    except UnexpectedInput as error:
        raise _explained(text, error) from None
    except _BadLiteralError as error:
        raise PredicateError(text, error.offset, error.reason) from None


class _BadLiteralError(ValueError):
    """A literal that the grammar lets through and JSON does not."""

    def __init__(self, offset: int, reason: str) -> None:
        self.offset, self.reason = offset, reason
        super().__init__(reason)


@cache
def _parser() -> Lark:
    """The parser, made at the first predicate."""
    from lark import Lark, Transformer  # noqa: PLC0415 - lark is slow to import

    class Conditions(Transformer["Token", Condition]):
        """Makes conditions while the text is parsed, so that no tree is walked."""

        def either(self, parts: list[Condition]) -> Condition:
            return Either(tuple(parts))

        def both(self, parts: list[Condition]) -> Condition:
            return Both(tuple(parts))

        def negation(self, parts: list[Condition]) -> Condition:
            return Not(parts[0])

        def has(self, parts: list[Name]) -> Condition:
            return Claim(parts[0], "has")

        def equals(self, parts: list[Json]) -> Condition:
            return Claim(parts[0], "is", parts[1])

        def differs(self, parts: list[Json]) -> Condition:
            return Claim(parts[0], "is not", parts[1])

        def among(self, parts: list[Json]) -> Condition:
            return Claim(parts[0], "in", parts[1])

        def holds(self, parts: list[Json]) -> Condition:
            return Claim(parts[0], "holds", parts[1])

        def matches(self, parts: list[Json]) -> Condition:
            return Claim(parts[0], "matches", _value(parts[1]))

        def compares(self, parts: list[Json]) -> Condition:
            return Claim(parts[0], str(parts[1]), _value(parts[2]))

        def name(self, parts: list[Token]) -> Name:
            token = parts[0]
            quoted = token.type == "STRING"
            return Name(_value(token) if quoted else str(token), quoted, token.start_pos or 0)

        def array(self, parts: list[Json]) -> Json:
            return parts

        def empty(self, _parts: list[Json]) -> Json:
            return {}

        def scalar(self, parts: list[Token]) -> Json:
            return _value(parts[0])

    grammar = shipped.text("predicate.lark", "toolglot.tables")
    return Lark(grammar, parser="lalr", transformer=Conditions())


def _value(token: Token) -> Json:
    """The JSON value that a literal's token spells."""
    value = json.loads(token)
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise _BadLiteralError(token.start_pos or 0, f"{token} is past the largest number")
    return value


# How the grammar's terminals are called in a message; the ones left out are told by their neighbours.
_WORDS = {
    "NAME": "a name",
    "STRING": "a text in double quotes",
    "NUMBER": "a number",
    "COMPARISON": "a comparison",
    "LSQB": "a list",
    "LBRACE": '"{}"',
    "LPAR": '"("',
    "RPAR": '")"',
    "RSQB": '"]"',
    "RBRACE": '"}"',
    "COMMA": '","',
    "$END": "the end",
}


def _explained(text: str, error: Exception) -> PredicateError:
    """The same error with the column, what was found and what was wanted."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken  # noqa: PLC0415 - lark is slow to import

    offset, found, wanted = len(text.rstrip()), "the end", set[str]()
    if isinstance(error, UnexpectedCharacters):
        offset, wanted = error.pos_in_stream or 0, set(error.allowed or ())
        found = f'"{text[offset : offset + 12].split(maxsplit=1)[0]}"'
    elif isinstance(error, UnexpectedToken):
        wanted = set(error.accepts or error.expected)
        if error.token.type != "$END":
            offset, found = error.token.start_pos or 0, f'"{error.token}"'
    words = sorted(_WORDS.get(terminal) or f'"{terminal.strip("_").lower()}"' for terminal in wanted)
    return PredicateError(text, offset, f"got {found}, wanted {', '.join(words)}")
