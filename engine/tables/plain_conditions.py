"""Predicates that are written plainly, read without the parser, which costs more to make than all tables to read.

The language is what `predicate.lark` says. This reads a part of it, and gives None for everything else: for what is
no predicate, and for what is one and rare (a keyword that is called as a word of the language). The parser decides
on those; a test holds that the two never differ.
"""

from __future__ import annotations

import json
import re

from toolglot.json_values import Json
from toolglot.tables.conditions import Both, Claim, Condition, Either, Name, Not

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:"
    r'(?P<string>"(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[^"\\\x00-\x1f])*")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.]))"
    r"|(?P<compares><=|>=|<|>)"
    r"|(?P<word>\$?[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?![\w-]))"
    r"|(?P<mark>[()\[\]{},])"
    r")"
)
_BLANK = re.compile(r"[ \t\r\n]*\Z")
_RESERVED = frozenset(("and", "or", "not", "has", "is", "in", "holds", "matches", "true", "false", "null"))
_NAMES_AFTER_HAS = frozenset(("not", "true", "false", "null"))
_DEEPEST = 20


def plainly_read(text: str) -> Condition | None:
    """The condition that the text states, or None where the parser has to say."""
    try:
        reader = _Reader(text)
        condition = reader.either()
        reader.take("end")
    except _NotPlainError:
        return None
    return condition


class _NotPlainError(Exception):
    """The text is not of the part that is read here."""


_Token = tuple[str, str, int]


class _Reader:
    """Reads tokens from the left; nothing is taken back."""

    def __init__(self, text: str) -> None:
        self._tokens, self._next, self._depth = _tokens(text), 0, 0

    def take(self, kind: str) -> _Token:
        """The next token, which is of that kind: a group of the expression, or a word or mark itself."""
        token = self._tokens[self._next]
        if token[0] != kind:
            raise _NotPlainError
        self._next += 1
        return token

    def skips(self, kind: str) -> bool:
        """Whether the next token is of that kind; it is taken then."""
        found = self._tokens[self._next][0] == kind
        self._next += found
        return found

    def either(self) -> Condition:
        parts = [self._both()]
        while self.skips("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _both(self) -> Condition:
        parts = [self._one()]
        while self.skips("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _one(self) -> Condition:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _NotPlainError
        if self.skips("not"):
            condition: Condition = Not(self._one())
        elif self.skips("("):
            condition = self.either()
            self.take(")")
        else:
            condition = self._test()
        self._depth -= 1
        return condition

    def _test(self) -> Condition:
        if self.skips("has"):
            return Claim(self._name(also=_NAMES_AFTER_HAS), "has")
        name = self._name()
        if self.skips("is"):
            operator = "is not" if self.skips("not") else "is"
            return Claim(name, operator, self._literal())
        if self.skips("in"):
            return Claim(name, "in", self._array())
        if self.skips("holds"):
            return Claim(name, "holds", self._literal())
        if self.skips("matches"):
            return Claim(name, "matches", json.loads(self.take("string")[1]))
        return Claim(name, self.take("compares")[1], self._number())

    def _name(self, also: frozenset[str] = frozenset()) -> Name:
        kind, text, offset = self._tokens[self._next]
        if kind != "string" and kind not in also:
            self.take("word")
            return Name(text, offset=offset)
        self._next += 1
        return Name(json.loads(text), quoted=True, offset=offset) if kind == "string" else Name(text, offset=offset)

    def _literal(self) -> Json:
        return self._array() if self._tokens[self._next][0] == "[" else self._item()

    def _array(self) -> Json:
        self.take("[")
        items: list[Json] = []
        if not self.skips("]"):
            items.append(self._item())
            while self.skips(","):
                items.append(self._item())
            self.take("]")
        return items

    def _item(self) -> Json:
        kind, text, _ = self._tokens[self._next]
        if kind == "number":
            return self._number()
        if kind in ("string", "true", "false", "null"):
            self._next += 1
            return json.loads(text)
        self.take("{")
        self.take("}")
        return {}

    def _number(self) -> Json:
        value = json.loads(self.take("number")[1])
        if value in (float("inf"), float("-inf")):
            raise _NotPlainError
        return value


def _tokens(text: str) -> list[_Token]:
    """The tokens, each as (kind, text, offset), and one for the end."""
    found: list[_Token] = []
    at = 0
    while not _BLANK.match(text, at):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _NotPlainError
        kind = str(token.lastgroup)
        said = token[kind]
        is_itself = kind == "mark" or said in _RESERVED
        found.append((said if is_itself else kind, said, token.start(kind)))
        at = token.end()
    found.append(("end", "", at))
    return found
