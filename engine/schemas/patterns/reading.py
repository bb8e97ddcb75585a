r"""From the text of a pattern to its syntax tree.

The meaning is ECMA-262's under the `u` flag. Beyond it are read: the Annex B forms named in `structure` and
`classes`; and, because schemas written for Python hold them and no other reading makes sense, `(?P<n>...)`,
`(?P=n)`, `\A`, `\Z` and `\z` (the very ends), `(?>...)`, `a*+`, `(?#...)`, `(?i:...)`, and the flags `i`, `m`,
`s` for all of the pattern at its start. All else keeps ECMA's meaning in such a pattern too (`\d` is ASCII).
"""

from __future__ import annotations

import re
from collections.abc import Sequence as SequenceOf

from toolglot.schemas.patterns.classes import FlawError
from toolglot.schemas.patterns.errors import PatternError
from toolglot.schemas.patterns.flags import under_flags
from toolglot.schemas.patterns.nodes import (
    Alternation,
    Atomic,
    BackReference,
    CharSet,
    Group,
    Look,
    Node,
    Repeat,
    Text,
    fold,
    parts,
    rebuilt,
)
from toolglot.schemas.patterns.structure import Token, count_of, structure, tokens

LENGTH = 100_000  # characters of a pattern
DEPTH = 100  # groups within groups
SIZE = 20_000  # nodes of the tree; a long text is one, a class of many ranges several
SMALL = 4_000  # characters of a pattern that can't be over SIZE

_FLAGS = re.compile(r"\^?(\(\?([ims]+)\))")
SURROGATE = re.compile("[\ud800-\udfff]")
_REFERENCE = re.compile(r"\\(?:([1-9][0-9]*)|k<([^<>]*)>)|\(\?P=([^()]*)\)")
_NOT_ECMA = re.compile(r"\(\?(?:P|>|#)")


def read(pattern: str) -> Node:
    """The syntax tree of a pattern. PatternError where nobody can read it, or it is too long or too deep."""
    if len(pattern) > LENGTH:
        raise PatternError(pattern, LENGTH, f"longer than {LENGTH} characters")
    body = paired(pattern)
    flags = _FLAGS.match(body)
    if flags is None:
        tree = _read(pattern, body, (0, 0))
    else:
        start, end = flags.span(1)
        body = body[:start] + body[end:]
        tree = under_flags(flags[2], _read(pattern, body, (start, end)))
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
    return not any(map(_is_foreign, tokens(paired(pattern))))


def _is_foreign(token: Token) -> bool:
    """Whether only Python's `re` and its kin know this form."""
    match token:
        case Token("quantifier", text):
            return len(text) > 1 and text[-1] == "+"
        case Token("assertion" | "escape", text):
            return text[1:] in ("A", "Z", "z", "a")
        case Token("capture" | "reference" | "atomic" | "comment" | "group", text):
            return _NOT_ECMA.match(text) is not None
    return False


def paired(text: str) -> str:
    """The text with each pair of surrogates as the one code point that it stands for."""
    if text.isascii() or not SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _read(pattern: str, body: str, cut: tuple[int, int]) -> Node:
    """The tree of `body`, which is the pattern but for what was cut out of it."""
    try:
        tree = structure(body)
        node = _resolved(body, tree) if _REFERENCE.search(body) else tree
    except FlawError as error:
        start, end = cut
        offset = error.offset if error.offset < start else error.offset + end - start
        raise PatternError(pattern, offset, error.flaw) from None
    if body.count("(") > DEPTH and _depth(node) > DEPTH:
        raise PatternError(pattern, 0, f"groups nested more than {DEPTH} deep")
    return node


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
    if found is None:  # a reference's token is what the expression matches, as `structure` has it
        raise FlawError("a reference to no group", position)
    if found[1] is None:
        name = found[2] if found[2] is not None else found[3]
        meant = tuple(group.at for group in groups if group.name == name)
        if not meant:
            raise FlawError(f"no group is called {name!r}", position)
        return BackReference(meant, node.any_case)
    number = count_of(found[1])
    if number <= len(groups):
        return BackReference((groups[number - 1].at,), node.any_case)
    return Text(_octal(found[1]))


def _octal(digits: str) -> str:
    r"""Annex B: `\12` with fewer groups is a character by its octal number, and `\8` the digit itself."""
    found = re.match(r"[0-3][0-7]{0,2}|[4-7][0-7]?", digits)
    return digits if found is None else chr(int(found[0], 8)) + digits[found.end() :]
