r"""A pattern that engines for regular languages read as ECMA-262 does: nothing in it that they read in their own way.

Such engines (Rust's regex and its kin, which grammar engines are built on) know the syntax, but give `\s` and `\W`
other characters, refuse look-around and anchors in the middle, and read a few signs in a class as operators. A
pattern that stays clear of all this is left as its author wrote it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from toolglot.schemas.patterns import read

LENGTH = 4_000  # characters of a form

_ESCAPE = r"\\(?:[dwtnrf]|[^\w\s])"
_CLASS = rf"\[\^?(?:{_ESCAPE}|[^\\\[\]&~-]|-(?!-))+\]"
_ITEM = rf"(?:[^\\^$.|?*+()\[\]{{}}\s]|[ .]|{_ESCAPE}|{_CLASS}|\))"
_COUNT = r"(?:[?*+]|\{\d{1,4}(?:,\d{0,4})?\})\??"
_COMMON = re.compile(rf"\^?(?:{_ITEM}(?:{_COUNT})?|\((?:\?:)?|\|)*\$?")


@lru_cache(maxsize=512)
def is_plain(pattern: str) -> bool:
    """Whether there is nothing in the pattern that such engines read in their own way; raises PatternError."""
    read(pattern)
    return _COMMON.fullmatch(pattern) is not None


@lru_cache(maxsize=512)
def plain_form(pattern: str) -> str | None:
    """The pattern with the same meaning in every such engine; as it is where it has that already.

    None for look-around, back-references, anchors in the middle, and a form that would be too large. PatternError
    where nobody can read it.
    """
    from toolglot.schemas.patterns.printing import printed  # noqa: PLC0415 - for patterns that are not plain
    from toolglot.schemas.patterns.whole import productive, whole  # noqa: PLC0415 - as above

    if is_plain(pattern):
        return pattern
    fitted = whole(read(pattern))
    tree_of_all = None if fitted is None else productive(fitted, LENGTH)
    form = None if tree_of_all is None else printed(tree_of_all)
    return None if form is None or len(form) + 2 > LENGTH else f"^{form}$"
