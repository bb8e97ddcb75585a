"""Patterns: read as ECMA-262, run in linear time or under a bound on work, spelled for grammar engines."""

from toolglot.schemas.patterns.errors import PatternError, PatternTooCostly
from toolglot.schemas.patterns.matching import matcher
from toolglot.schemas.patterns.reading import is_ecma, read
from toolglot.schemas.patterns.slowness import slow
from toolglot.schemas.patterns.spelling import json_text_form

__all__ = ["PatternError", "PatternTooCostly", "is_ecma", "json_text_form", "matcher", "read", "slow"]
