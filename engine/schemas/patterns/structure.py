r"""The structure of a pattern: from its text to a tree, in one pass over its tokens.

It is that of ECMA-262 (2024) under the `u` flag, with the leniency of its Annex B that schemas in the wild need, and
the few forms of Python's `re` that have one meaning only:

    disjunction  = alternative { "|" alternative }
    alternative  = { term }
    term         = atom [ quantifier ] | look-ahead [ quantifier ] | look-behind | assertion
    atom         = plain | dot | class | reference | escape | comment | opening disjunction ")"

A quantifier behind a look-ahead is Annex B, as are `{` where it starts no quantifier, `]` and `}` as characters. A
character class is one token here; its inside is a flat list and is read in `classes`. What a reference is bound to is
known once all groups are: until then it stands for the place of its own token.

Written by hand: a parser generator takes longer to build this parser than a process that meets one pattern takes for
everything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from toolglot.schemas.patterns import classes
from toolglot.schemas.patterns.classes import DOT, FlawError
from toolglot.schemas.patterns.flags import under_flags
from toolglot.schemas.patterns.nodes import (
    EMPTY,
    Assertion,
    Atomic,
    BackReference,
    CharSet,
    Group,
    Look,
    Node,
    Repeat,
    Text,
    alternation,
    sequence,
)

MANY = 10**9  # a count beyond this is the same as this: no text is as long

# The kinds of tokens; where two could match, the first does. A run of plain text stops before the character that a
# quantifier would take.
_TOKENS = {
    "assertion": r"[\^$]|\\[bBAZz]",
    "reference": r"\\[1-9][0-9]*|\\k<[^<>]*>|\(\?P=[^()]*\)",
    "ahead": r"\(\?[=!]",
    "behind": r"\(\?<[=!]",
    "atomic": r"\(\?>",
    "group": r"\(\?[ims]*:",
    "capture": r"\((?!\?)|\(\?P?<(?![0-9])[\w$]+>",
    "comment": r"\(\?#[^)]*\)",
    "quantifier": r"(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})[?+]?",
    "escape": (
        r"\\(?:u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}"
        r"|x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[^{}]*\}|0[0-7]{0,2}|[\s\S])"
    ),
    "plain": r"[^\\^$.*+?()\[{|]+(?![*+?{])|[^\\^$.*+?()\[|]",
    "dot": r"\.",
    "class": r"\[\^?(?:[^\]\\]|\\[\s\S])*\]",
    "or": r"\|",
    "closing": r"\)",
}
_ASSERTIONS = {"^": "start", "$": "end", "b": "edge", "B": "no edge", "A": "start", "Z": "end", "z": "end"}


class Token(NamedTuple):
    """A part of a pattern that has no parts."""

    kind: str
    text: str
    at: int


@cache
def _token() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{kind}>{form})" for kind, form in _TOKENS.items()))


def tokens(body: str) -> Iterator[Token]:
    """The tokens of a pattern; FlawError where none begins."""
    match, at = _token().match, 0
    while at < len(body):
        found = match(body, at)
        if found is None:
            raise _no_token(body, at)
        yield Token(found.lastgroup or "", found[0], at)
        at = found.end()


def structure(body: str) -> Node:
    """The tree of a pattern, references not bound yet; FlawError where it is none."""
    reader = _Reader()
    for token in tokens(body):
        reader.read(token)
    return reader.whole(len(body))


class _Reader:
    """Reads one token after the other; what is open waits on a stack of its own."""

    def __init__(self) -> None:
        # The groups that are open: what opened each, and the alternatives of what it stands in.
        self._open: list[tuple[Token, list[list[Node]]]] = []
        # The alternatives of the innermost one, of which the last still grows.
        self._alternatives: list[list[Node]] = [[]]
        self._may_repeat = False

    def read(self, token: Token) -> None:
        """Take one more token."""
        match token.kind:
            case "quantifier":
                self._repeat(token)
            case "or":
                self._alternatives.append([])
                self._may_repeat = False
            case "closing":
                self._close(token)
            case kind if kind in _OPENED:
                self._open.append((token, self._alternatives))
                self._alternatives, self._may_repeat = [[]], False
            case kind:
                self._alternatives[-1].append(_ATOMS[kind](token))
                self._may_repeat = kind != "assertion"

    def whole(self, end: int) -> Node:
        """The tree, once all tokens are read."""
        if self._open:
            raise FlawError("a group is not closed", end)
        return self._disjunction()

    def _disjunction(self) -> Node:
        return alternation([sequence(terms) for terms in self._alternatives])

    def _close(self, token: Token) -> None:
        if not self._open:
            raise FlawError("no group is open that this could close", token.at)
        inner = self._disjunction()
        opening, self._alternatives = self._open.pop()
        self._alternatives[-1].append(_OPENED[opening.kind](opening, inner))
        self._may_repeat = opening.kind != "behind"

    def _repeat(self, token: Token) -> None:
        if not self._may_repeat:
            raise FlawError(f"nothing that {token.text[0]!r} could repeat", token.at)
        terms = self._alternatives[-1]
        terms[-1] = _repeated(terms[-1], token)
        self._may_repeat = False


# --- What stands alone


def _assertion(token: Token) -> Node:
    return Assertion(_ASSERTIONS[token.text[-1]])  # type: ignore[arg-type]  # the table holds the kinds


def _escape(token: Token) -> Node:
    try:
        meant = classes.escaped(token.text)
    except FlawError as error:
        raise FlawError(error.flaw, token.at + error.offset) from None
    return meant if isinstance(meant, CharSet) else Text(chr(meant))


def _class(token: Token) -> Node:
    try:
        return classes.character_class(token.text)
    except FlawError as error:
        raise FlawError(error.flaw, token.at + error.offset) from None


_ATOMS: Mapping[str, Callable[[Token], Node]] = {
    "assertion": _assertion,
    "reference": lambda token: BackReference((token.at,)),
    "comment": lambda _: EMPTY,
    "escape": _escape,
    "plain": lambda token: Text(token.text),
    "dot": lambda _: DOT,
    "class": _class,
}


# --- What is around something


def _group(opening: Token, inner: Node) -> Node:
    flags = opening.text[2:-1]
    return under_flags(flags, inner) if flags else inner


def _capture(opening: Token, inner: Node) -> Node:
    _, named, name = opening.text.partition("<")
    return Group(inner, opening.at, name[:-1] if named else None)


def _look(opening: Token, inner: Node) -> Node:
    return Look(inner, behind=opening.kind == "behind", negative=opening.text[-1] == "!")


_OPENED: Mapping[str, Callable[[Token, Node], Node]] = {
    "group": _group,
    "capture": _capture,
    "atomic": lambda _, inner: Atomic(inner),
    "ahead": _look,
    "behind": _look,
}


def _repeated(item: Node, token: Token) -> Node:
    sign = token.text
    low, high = _counts(token)
    if len(sign) > 1 and sign[-1] == "+":
        return Atomic(Repeat(item, low, high))
    return Repeat(item, low, high, greedy=not (len(sign) > 1 and sign[-1] == "?"))


def _counts(token: Token) -> tuple[int, int | None]:
    sign = token.text
    match sign[0]:
        case "*":
            return 0, None
        case "+":
            return 1, None
        case "?":
            return 0, 1
    lowest, comma, highest = sign[1 : sign.index("}")].partition(",")
    low = count_of(lowest)
    high = count_of(highest) if highest else (None if comma else low)
    if high is not None and high < low:
        raise FlawError(f"the counts {{{lowest},{highest}}} are out of order", token.at)
    return low, high


def count_of(digits: str) -> int:
    """The number, cut at MANY."""
    return min(int(digits.lstrip("0")[:11] or "0"), MANY)


def _no_token(body: str, at: int) -> FlawError:
    """What is wrong with what stands here, where no token begins."""
    match body[at]:
        case "[":
            return FlawError("the class is not closed", at)
        case "\\":
            return FlawError("ends in a backslash", at)
        case _:
            return FlawError(f"unknown kind of group {body[at : at + 3]}", at)
