r"""From the text of a pattern to its syntax tree.

The meaning is ECMA-262's under the `u` flag. Beyond it are read: the Annex B forms named in pattern.lark and
classes.py; and, because schemas written for Python hold them and no other reading makes sense, `(?P<n>...)`,
`(?P=n)`, `\A`, `\Z` and `\z` (the very ends), `(?>...)`, `a*+`, `(?#...)`, `(?i:...)`, and the flags `i`, `m`,
`s` for all of the pattern at its start. All else keeps ECMA's meaning in such a pattern too (`\d` is ASCII).
"""

from __future__ import annotations

import re
from collections.abc import Sequence as SequenceOf
from functools import lru_cache
from importlib.resources import files
from typing import Any

from toolglot.schemas.patterns import classes
from toolglot.schemas.patterns.classes import ANY, DOT, FlawError
from toolglot.schemas.patterns.errors import PatternError
from toolglot.schemas.patterns.nodes import (
    EMPTY,
    Alternation,
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
    fold,
    parts,
    rebuilt,
    sequence,
)
from toolglot.schemas.patterns.sets import any_case, complement

LENGTH = 100_000  # characters of a pattern
DEPTH = 100  # groups within groups
SIZE = 20_000  # nodes of the tree; a long text is one, a class of many ranges several
SMALL = 4_000  # characters of a pattern that can't be over SIZE
MANY = 10**9  # a count beyond this is the same as this: no text is as long

_FLAGS = re.compile(r"\^?(\(\?([ims]+)\))")
SURROGATE = re.compile("[\ud800-\udfff]")
_REFERENCE = re.compile(r"\\(?:([1-9][0-9]*)|k<([^<>]*)>)|\(\?P=([^()]*)\)")
_NOT_ECMA = re.compile(r"\(\?(?:P|>|#)")
_ASSERTIONS = {"^": "start", "$": "end", "b": "edge", "B": "no edge", "A": "start", "Z": "end", "z": "end"}
_LINES = {"start": "line start", "end": "line end"}


def read(pattern: str) -> Node:
    """The syntax tree of a pattern. PatternError where nobody can read it, or it is too long or too deep."""
    if len(pattern) > LENGTH:
        raise PatternError(pattern, LENGTH, f"longer than {LENGTH} characters")
    body = paired(pattern)
    flags = _FLAGS.match(body)
    if flags is None:
        tree = _read(pattern, body, 0)
    else:
        body = body[: flags.start(1)] + body[flags.end(1) :]
        tree = _under(flags[2], _read(pattern, body, len(flags[1])))
    if len(body) > SMALL and _size(tree) > SIZE:
        raise PatternError(pattern, len(pattern), f"too many classes, groups and counts: over {SIZE}")
    return tree


def is_ecma(pattern: str) -> bool:
    """Whether the pattern can be read, and without the forms that only Python's `re` and its kin know."""
    try:
        read(pattern)
    except PatternError:
        return False
    if _FLAGS.match(pattern):
        return False
    for token in _parser().lex(paired(pattern)):
        if token.type == "QUANTIFIER" and len(token) > 1 and token[-1] == "+":
            return False
        if token.type in ("ASSERTION", "ESCAPE") and token[1:] in ("A", "Z", "z", "a"):
            return False
        if _NOT_ECMA.match(token) and token.type in ("CAPTURE", "REFERENCE", "ATOMIC", "COMMENT", "GROUP"):
            return False
    return True


def paired(text: str) -> str:
    """The text with each pair of surrogates as the one code point that it stands for."""
    if text.isascii() or not SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _read(pattern: str, body: str, shift: int) -> Node:
    """The tree of `body`; `shift` characters of flags were cut out before what follows a leading `^`."""
    try:
        tree: Any = _parser().parse(body)
        node: Node = _resolved(body, tree) if _REFERENCE.search(body) else tree
    except FlawError as error:
        raise PatternError(pattern, error.offset + (shift if error.offset else 0), error.flaw) from None
    except Exception as error:
        flaw = _syntax_flaw(error, body)
        if flaw is None:
            raise
        raise PatternError(pattern, flaw.offset + shift, flaw.flaw) from None
    if body.count("(") > DEPTH and _depth(node) > DEPTH:
        raise PatternError(pattern, 0, f"groups nested more than {DEPTH} deep")
    return node


def _syntax_flaw(error: Exception, body: str) -> FlawError | None:
    """What an error of the parser says, in our words; None if it is no such error."""
    from lark.exceptions import UnexpectedInput, UnexpectedToken  # noqa: PLC0415 (loaded with the parser)

    if not isinstance(error, UnexpectedInput):
        return None
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return FlawError("a group is not closed", len(body))
    position = error.pos_in_stream or 0
    found = body[position : position + 3]
    match found[:1]:
        case "[":
            return FlawError("the class is not closed", position)
        case "\\":
            return FlawError("ends in a backslash", position)
        case "(":
            return FlawError(f"unknown kind of group {found}", position)
        case ")":
            return FlawError("no group is open that this could close", position)
        case _:
            return FlawError(f"nothing that {found[:1]!r} could repeat", position)


@lru_cache(maxsize=1)
def _parser() -> Any:
    """The parser, built with the first pattern (lark.Lark; not typed here, to load lark only then)."""
    from lark import Lark  # noqa: PLC0415 (about 30 ms that `import toolglot` should not pay)

    grammar = files("toolglot.schemas.patterns").joinpath("pattern.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", transformer=_Builder(), maybe_placeholders=False)


class _Builder:
    """What lark calls for each rule, innermost first: the tree is built while parsing, without recursion."""

    def start(self, below: list[Node]) -> Node:
        return below[0]

    def disjunction(self, below: list[Node]) -> Node:
        return alternation(below)

    def alternative(self, below: list[Node]) -> Node:
        return sequence(below)

    def group(self, below: list[Any]) -> Node:
        opening, inner = below[0], below[1]
        return _under(opening[2:-1], inner) if len(opening) > 3 else inner

    def capture(self, below: list[Any]) -> Node:
        opening, inner = below[0], below[1]
        name = opening[opening.index("<") + 1 : -1] if len(opening) > 1 else None
        return Group(inner, opening.start_pos, name)

    def atomic(self, below: list[Any]) -> Node:
        return Atomic(below[-2] if below[-1] == ")" else below[-1])

    def look(self, below: list[Any]) -> Node:
        opening, inner = below[0], below[1]
        return Look(inner, behind="<" in opening, negative="!" in opening)

    def repeat(self, below: list[Any]) -> Node:
        item, sign = below
        low, high = _counts(sign)
        if sign[-1] == "+" and len(sign) > 1:
            return Atomic(Repeat(item, low, high))
        return Repeat(item, low, high, greedy=not (sign[-1] == "?" and len(sign) > 1))

    def assertion(self, below: list[Any]) -> Node:
        return Assertion(_ASSERTIONS[below[0][-1]])  # type: ignore[arg-type]  # the table holds the kinds

    def plain(self, below: list[Any]) -> Node:
        return Text(str(below[0]))

    def dot(self, below: list[Any]) -> Node:  # noqa: ARG002 (lark hands every rule its children)
        return DOT

    def comment(self, below: list[Any]) -> Node:  # noqa: ARG002 (as dot)
        return EMPTY

    def reference(self, below: list[Any]) -> Node:
        return BackReference((below[0].start_pos,))

    def escape(self, below: list[Any]) -> Node:
        token = below[0]
        try:
            meant = classes.escaped(token)
        except FlawError as error:
            raise FlawError(error.flaw, token.start_pos + error.offset) from None
        return meant if isinstance(meant, CharSet) else Text(chr(meant))

    def character_class(self, below: list[Any]) -> Node:
        token = below[0]
        try:
            return classes.character_class(token)
        except FlawError as error:
            raise FlawError(error.flaw, token.start_pos + error.offset) from None


def _counts(sign: Any) -> tuple[int, int | None]:
    match sign[0]:
        case "*":
            return 0, None
        case "+":
            return 1, None
        case "?":
            return 0, 1
    lowest, comma, highest = sign[1 : sign.index("}")].partition(",")
    low = _count(lowest)
    high = _count(highest) if highest else (None if comma else low)
    if high is not None and high < low:
        raise FlawError(f"the counts {{{lowest},{highest}}} are out of order", sign.start_pos)
    return low, high


def _count(digits: str) -> int:
    return min(int(digits.lstrip("0")[:11] or "0"), MANY)


def _under(flags: str, tree: Node) -> Node:
    """The tree under the flags `i`, `m`, `s`."""

    def combine(node: Node, below: SequenceOf[Node]) -> Node:
        match node:
            case Text(text) if "i" in flags:
                return sequence([_in_any_case(letter) for letter in text])
            case CharSet() if node is DOT:
                return ANY if "s" in flags else DOT
            case CharSet(ranges, negated) if "i" in flags:
                folded = complement(any_case(complement(ranges))) if negated else any_case(ranges)
                return CharSet(folded, negated)
            case BackReference(groups) if "i" in flags:
                return BackReference(groups, any_case=True)
            case Assertion(kind) if "m" in flags:
                return Assertion(_LINES.get(kind, kind))  # type: ignore[arg-type]  # the table holds the kinds
            case _:
                return rebuilt(node, below)

    return fold(tree, combine)


def _in_any_case(letter: str) -> Node:
    ranges = any_case(((ord(letter), ord(letter)),))
    return CharSet(ranges) if len(ranges) > 1 or ranges[0][0] != ranges[0][1] else Text(letter)


def _size(tree: Node) -> int:
    """How many nodes the tree has, a set counted by its ranges."""
    size, pending = 0, [tree]
    while pending:
        node = pending.pop()
        size += 1 + (len(node.ranges) // 25 if isinstance(node, CharSet) else 0)
        pending.extend(parts(node))
    return size


def _depth(tree: Node) -> int:
    """How many groups stand within each other at the deepest place."""

    def combine(node: Node, below: SequenceOf[int]) -> int:
        own = isinstance(node, (Group, Look, Atomic, Alternation, Repeat))
        return max(below, default=0) + own

    return fold(tree, combine) // 2


def _resolved(body: str, tree: Node) -> Node:
    """The tree with each back-reference bound to its groups (they were read as the place of their own token)."""
    groups: list[Group] = []
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Group):
            groups.append(node)
        pending.extend(parts(node))
    groups.sort(key=lambda group: group.at)

    def combine(node: Node, below: SequenceOf[Node]) -> Node:
        if isinstance(node, BackReference):
            return _bound(body, node, groups)
        return rebuilt(node, below)

    return fold(tree, combine)


def _bound(body: str, node: BackReference, groups: list[Group]) -> Node:
    position = node.groups[0]
    found = _REFERENCE.match(body, position)
    if found is None:  # a reference's token is what the expression matches, as pattern.lark has it
        raise FlawError("a reference to no group", position)
    if found[1] is None:
        name = found[2] if found[2] is not None else found[3]
        meant = tuple(group.at for group in groups if group.name == name)
        if not meant:
            raise FlawError(f"no group is called {name!r}", position)
        return BackReference(meant, node.any_case)
    number = _count(found[1])
    if number <= len(groups):
        return BackReference((groups[number - 1].at,), node.any_case)
    return Text(_octal(found[1]))


def _octal(digits: str) -> str:
    r"""Annex B: `\12` with fewer groups is a character by its octal number, and `\8` the digit itself."""
    found = re.match(r"[0-3][0-7]{0,2}|[4-7][0-7]?", digits)
    return digits if found is None else chr(int(found[0], 8)) + digits[found.end() :]
