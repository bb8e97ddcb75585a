"""Functions that say whether a text has a match for a pattern, each with a bound on its work.

Most patterns go to re2 as they are: linear time, whatever the text. What re2 has no form for is first taken
apart where that changes nothing: `^(?=a)(?!b)c` is three questions to re2, and `c(?<!b)$` is two. The rest goes to
the bounded matcher. A lone surrogate in a text is a code point of its own to ECMA-262, and nothing that UTF-8
could hold: U+10FFFF stands for it where the pattern tells neither from the other, else the bounded matcher tries
the text. re2's time is linear in the text and, at worst, in the size of its program too, so a long text for a
program of many thousand instructions goes to the bounded matcher as well.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from collections.abc import Sequence as SequenceOf
from functools import lru_cache
from threading import Lock
from typing import Any, TypeAlias

from toolglot.schemas.patterns.nodes import (
    EMPTY,
    Assertion,
    Atomic,
    BackReference,
    CharSet,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
    fold,
    has,
    rebuilt,
    sequence,
)
from toolglot.schemas.patterns.printing import printed, weight
from toolglot.schemas.patterns.reading import SURROGATE, paired, read
from toolglot.schemas.patterns.sets import EVERYTHING, SURROGATES, contains, intersection

Matcher: TypeAlias = Callable[[str], bool]

MISSING = [(-1, -1)]
FEW = 20  # rounds that the looser pattern still counts
LIKE_SURROGATES = "\U0010ffff"
# Instructions times bytes that re2 may be asked for. Measured at 1.6 ns each at worst: below a second.
WORK = 400_000_000
# Instructions beyond which compiling alone takes too long (about 0.25 s here).
LARGEST = 60_000
# The memory that re2 may use for its states, by the program's size; and what the cache holds of it in all.
SMALL_MEMORY, LARGE_MEMORY, CACHED_MEMORY = 1 << 20, 8 << 20, 512 << 20


def matcher(pattern: str) -> Matcher:
    """A function that says whether a text has a match for the pattern, anywhere in it, as ECMA-262 reads it.

    PatternError where nobody can read the pattern. The function itself raises PatternTooCostly where
    the answer is not found within the bound on work, and nothing else.
    """
    return _cache.get(pattern)


def tree_matcher(pattern: str, tree: Node) -> tuple[Matcher, int]:
    """The function for a tree that was read already, and the memory it may come to use."""
    questions = _questions(tree)
    found = [(_automaton(pattern, question), wanted) for question, wanted in questions]
    known = [(one, wanted) for one, wanted in found if one is not None]
    if len(known) < len(found):
        return _trying(pattern, tree), SMALL_MEMORY
    memory = sum(one[1] for one, _ in known)
    if len(known) == 1 and known[0][1]:
        return known[0][0][0], memory
    return _all([(one[0], wanted) for one, wanted in known]), memory


def _all(questions: list[tuple[Matcher, bool]]) -> Matcher:
    def accepts(text: str) -> bool:
        return all(question(text) is wanted for question, wanted in questions)

    return accepts


def _questions(tree: Node) -> list[tuple[Node, bool]]:
    """Trees, and the answer that each must give, which together are the same as the tree.

    A look-ahead at the text's start, or a look-behind at its end, is a question of its own: the place is the
    same for all ways to match the rest. Not so with back-references, which may reach across.
    """
    if not has(tree, Look) or has(tree, BackReference):
        return [(tree, True)]
    items: list[Node] = list(tree.items) if isinstance(tree, Sequence) else [tree]
    first = _taken(items, Assertion("start"), behind=False)
    items.reverse()
    last = _taken(items, Assertion("end"), behind=True)
    items.reverse()
    rest = sequence(items)
    result = [(sequence([Assertion("start"), look.item]), not look.negative) for look in first]
    result += [(sequence([look.item, Assertion("end")]), not look.negative) for look in last]
    return [*result, (rest, True)] if rest != EMPTY else result


def _taken(items: list[Node], edge: Assertion, *, behind: bool) -> list[Look]:
    """The looks at this end of the items, taken out of them; the end's own assertion stays."""
    size = 0
    while size < len(items) and (items[size] == edge or _looks(items[size], behind)):
        size += 1
    head = items[:size]
    if edge not in head:
        return []
    items[:size] = [edge]
    return [item for item in head if isinstance(item, Look)]


def _looks(item: Node, behind: bool) -> bool:
    return isinstance(item, Look) and item.behind is behind


def _automaton(pattern: str, tree: Node) -> tuple[Matcher, int] | None:
    """The function that asks re2, and the memory it may come to use; None where re2 can't do it."""
    heavy = weight(tree)
    form = printed(tree) if heavy <= LARGEST else None
    if form is None:
        return None
    memory = SMALL_MEMORY if heavy < 1000 else LARGE_MEMORY
    compiled = _compiled(form, memory)
    if compiled is None:
        return None
    return _asking(pattern, tree, compiled, max(heavy, compiled.ProgramSize())), memory


def _compiled(form: str, memory: int) -> Any:
    """The expression of re2, or None where it is too large for re2 after all."""
    from re2 import Options, _re2  # noqa: PLC0415 (a native library, loaded with the first pattern that needs it)

    options = Options()
    options.log_errors, options.never_capture, options.max_mem = False, True, memory
    compiled = _re2.RE2(form.encode(), options)
    return compiled if compiled.ok() else None


def _trying(pattern: str, tree: Node) -> Matcher:
    """The bounded matcher, asked only for texts that a looser pattern, which re2 does run, has a match in."""
    from toolglot.schemas.patterns.bounded import bounded_matcher  # noqa: PLC0415 (loaded for the few that need it)

    bounded = bounded_matcher(pattern, tree)
    looser = fold(tree, _loosened)
    form = printed(looser) if weight(looser) <= LARGEST else None
    compiled = None if form is None else _compiled(form, SMALL_MEMORY)
    if compiled is None:
        return bounded
    match, anywhere, longest = compiled.Match, _unanchored(), WORK // compiled.ProgramSize()

    def accepts(text: str) -> bool:
        data = text.encode("utf-8", "replace")
        if len(data) <= longest and SURROGATE.search(text) is None and match(anywhere, data, 0, len(data)) == MISSING:
            return False
        return bounded(text)

    return accepts


def _loosened(node: Node, below: SequenceOf[Node]) -> Node:
    """The node without what re2 has no form for, and without large counts: it matches whatever the node matches."""
    match node:
        case Look() | Assertion("no edge"):
            return EMPTY
        case BackReference():
            return Repeat(CharSet(EVERYTHING), 0, None)
        case Atomic():
            return below[0]
        case Repeat(_, low, high) if (high or low) > FEW:
            return Repeat(below[0], min(low, 1), None)
        case _:
            return rebuilt(node, below)


def _asking(pattern: str, tree: Node, compiled: Any, heavy: int) -> Matcher:
    # The binding's own `search` works out positions in the str, which nobody here asks for: half of its time.
    match, anywhere, longest = compiled.Match, _unanchored(), WORK // heavy

    @lru_cache(maxsize=1)
    def otherwise() -> Matcher:
        return _trying(pattern, tree)

    @lru_cache(maxsize=1)
    def alike() -> bool:
        return _alike(tree)

    def accepts(text: str) -> bool:
        try:
            data = text.encode()
        except UnicodeEncodeError:
            if not alike():
                return otherwise()(text)
            data = SURROGATE.sub(LIKE_SURROGATES, paired(text)).encode()
        if len(data) > longest:
            return otherwise()(text)
        return bool(match(anywhere, data, 0, len(data)) != MISSING)

    return accepts


def _alike(tree: Node) -> bool:
    """Whether the tree tells no surrogate from the character that can stand for it in UTF-8."""

    def combine(node: Node, below: SequenceOf[bool]) -> bool:
        match node:
            case Text(text):
                return not SURROGATE.search(text) and LIKE_SURROGATES not in text
            case CharSet(ranges):
                common = intersection(ranges, SURROGATES)
                return common == (SURROGATES if contains(ranges, ord(LIKE_SURROGATES)) else ())
            case _:
                return all(below)

    return fold(tree, combine)


def _unanchored() -> Any:
    from re2 import _re2  # noqa: PLC0415 (as above)

    return _re2.RE2.Anchor.UNANCHORED


class _Cache:
    """Matchers by pattern, the least recently used ones dropped when their memory would be too much."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, tuple[Matcher, int]] = OrderedDict()
        self._memory = 0

    def get(self, pattern: str) -> Matcher:
        with self._lock:
            if pattern in self._kept:
                self._kept.move_to_end(pattern)
                return self._kept[pattern][0]
        made = tree_matcher(pattern, read(pattern))
        with self._lock:
            if pattern not in self._kept:
                self._kept[pattern] = made
                self._memory += made[1]
            while self._memory > CACHED_MEMORY:
                self._memory -= self._kept.popitem(last=False)[1][1]
        return made[0]


_cache = _Cache()
