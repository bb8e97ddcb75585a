"""Patterns: read as ECMA-262, run in linear time or under a bound on work, spelled for grammar engines.

What reads them is imported with the first pattern, since most schemas have none.
"""

# ruff: noqa: PLC0415 - that is what the functions here are for

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from toolglot.schemas.patterns.errors import PatternError, PatternTooCostly

if TYPE_CHECKING:
    from toolglot.schemas.patterns.nodes import Node

__all__ = ["PatternError", "PatternTooCostly", "is_ecma", "json_text_form", "matcher", "read", "slow", "unescaped_form"]


def matcher(pattern: str) -> Callable[[str], bool]:
    """A function that says whether a text has a match for the pattern, anywhere in it, as ECMA-262 reads it.

    PatternError where nobody can read the pattern. The function itself raises PatternTooCostly where
    the answer is not found within the bound on work, and nothing else.
    """
    from toolglot.schemas.patterns import matching

    return matching.matcher(pattern)


def read(pattern: str) -> Node:
    """The syntax tree of a pattern. PatternError where nobody can read it, or it is too long or too deep."""
    from toolglot.schemas.patterns import reading

    return reading.read(pattern)


def is_ecma(pattern: str) -> bool:
    """Whether the pattern can be read, and without the forms that only Python's `re` and its kin know."""
    from toolglot.schemas.patterns import reading

    return reading.is_ecma(pattern)


def slow(pattern: str) -> str | None:
    """Why a backtracking engine may stall on the pattern, in a few words; None if no reason is known."""
    from toolglot.schemas.patterns import slowness

    return slowness.slow(pattern)


@lru_cache(maxsize=512)
def json_text_form(pattern: str) -> str | None:
    """The pattern for the JSON text between the quotes; None where there is none, or it would be too large."""
    from toolglot.schemas.patterns import spelling

    return spelling.json_text_form(pattern)


def unescaped_form(pattern: str) -> str | None:
    """The pattern for a whole text that takes no escape; None where there is none. PatternError as `read`."""
    from toolglot.schemas.patterns import unescaped

    return unescaped.unescaped_form(pattern)
