"""The check of a whole schema: exact for every dialect and keyword, fast where a value is accepted.

    >>> from toolglot.calls.checker import checker
    >>> held = checker({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}})
    >>> held.accepts({"n": 3})
    True
    >>> held.problems({"n": 0})[0].path
    ('n',)

A value is first put to compiled tests (`lower`). Where they refuse it, or it is nested deeper than Python's stack, the
exact checker (`exact`) is asked for every problem.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from toolglot.cache import Cache, content_key
from toolglot.calls import faults
from toolglot.calls.accelerated import accelerated
from toolglot.calls.cases import Passes
from toolglot.calls.exact import Exact, Plans
from toolglot.calls.kinds import OutOfWork
from toolglot.calls.leaves import Match
from toolglot.calls.lower import Lowering
from toolglot.calls.rules import Rule, always
from toolglot.errors import CallError, Problem
from toolglot.json_values import Json
from toolglot.schemas.forms import Normal, Schema

# A fraction of a second of compiled tests. A call of the size that models send takes some hundreds.
WORK = 5_000_000
Judged: TypeAlias = "Callable[[Json], bool | tuple[Problem, ...]]"


class Checker:
    """Checks values by one schema, for as long as it is held; safe to share between threads.

    Attributes:
        accepts: `accepts(value) -> bool`, whether the schema admits the value. Never raises, and never writes to it.
        normal: the schema.
    """

    __slots__ = ("_finder", "_judged", "accepts", "normal")

    accepts: Callable[[Json], bool]

    def __init__(self, normal: Normal, *, formats: bool | None = None) -> None:
        """Compiles a schema.

        Args:
            normal: the schema.
            formats: whether `format` is checked; as the dialect says where it is not given.

        Raises:
            SchemaError: a pattern can't be read.
        """
        self.normal = normal
        asserted = normal.asserts_formats if formats is None else formats
        lowering = Lowering(normal, _matches(), _formats(asserted, normal.detection.dialect))
        rule = lowering.run()
        self._finder = _Finder(normal, lowering.match_of, lowering.format_of, lowering.rules)
        self._judged = _judge(rule, self._finder)
        quick = accelerated(normal, formats=asserted) if rule.check is not always else None
        self.accepts = _accepts(self._judged) if quick is None else _quicker(quick, _accepts(self._judged))

    @property
    def schemas(self) -> int:
        """How many schema objects the schema has, as far as its root reaches them."""
        return len(self._finder.rules)

    def admits(self, part: Schema, value: Json) -> bool:
        """Whether a part of the schema, such as a branch of a union, admits a value.

        What the root reaches was compiled with it; another part is compiled here each time.
        """
        at_part = replace(self.normal, root=part)
        rule = self._finder.rules.get(id(part))
        if rule is None:
            return checker_of(at_part).accepts(value)
        return _judge(rule, replace(self._finder, normal=at_part))(value) is True

    def problems(self, value: Json) -> tuple[Problem, ...]:
        """What is wrong with a value, at most 64 problems; nothing exactly when `accepts` says so.

        A value whose check would take too much work gets one problem with the rule `work-limit`.
        """
        found = self._judged(value)
        if isinstance(found, tuple):
            return found
        return () if found else self._finder.among_passing(value) or (faults.too_costly(OutOfWork()),)


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds the problems of a value.

    Attributes:
        normal: the schema.
        match_of: the function for a pattern.
        format_of: the function for a format.
        rules: the compiled subschemas, by the identity of their schema objects.
        plans: what the exact checker has worked out about schema objects.
    """

    normal: Normal
    match_of: Callable[[str, Schema, str], Match]
    format_of: Callable[[str], Match | None]
    rules: Mapping[int, Rule]
    plans: Plans = field(default_factory=dict)

    def exactly(self, value: Json, passes: Passes | None = None) -> tuple[Problem, ...]:
        """The problems by the exact checker alone, whatever the compiled tests say."""
        exact = Exact(self.normal, self.match_of, self.format_of, self.plans, passes)
        try:
            return faults.problems(exact.judge(value).faults)
        except OutOfWork as end:
            return (faults.too_costly(end),)

    def among_passing(self, value: Json) -> tuple[Problem, ...]:
        """The problems, where the compiled tests spare the exact checker the parts of the value that pass."""
        rules, work = self.rules, [WORK]

        def passes(schema: Schema, part: Json) -> bool:
            rule = rules[id(schema)]
            try:
                return work[0] >= 0 and (type(part) in rule.settled or rule.check(part, work))
            except RecursionError:
                work[0] = -1  # trying again at each level of a deep value would cost its square
                return False
            except (OutOfWork, CallError):
                return False

        return self.exactly(value, passes)


def _judge(rule: Rule, finder: _Finder) -> Judged:
    """Whether a value is admitted; where only the exact checker can tell, at once what it found."""
    settled, test = rule.settled, rule.check

    def judged(value: Json) -> bool | tuple[Problem, ...]:
        try:
            return type(value) in settled or test(value, [WORK])
        except RecursionError:
            return finder.exactly(value) or True
        except OutOfWork as end:
            return (faults.too_costly(end),)
        except CallError:
            return False  # a pattern would take too much work; the exact checker says where

    return judged


def _accepts(judged: Judged) -> Callable[[Json], bool]:
    return lambda value: judged(value) is True


def _quicker(quick: Callable[[Json], bool], own: Callable[[Json], bool]) -> Callable[[Json], bool]:
    def accepts(value: Json) -> bool:
        try:
            if quick(value):
                return True
        except Exception:  # noqa: BLE001 - whatever it can't read or convert, our own tests judge
            return own(value)
        return own(value)

    return accepts


def checker_of(normal: Normal, *, formats: bool | None = None) -> Checker:
    """The checker of a schema that is in the normal form already. Compiles it each time: hold the result.

    Raises:
        SchemaError: a pattern can't be read.
    """
    return Checker(normal, formats=formats)


def checker(
    schema: Json,
    *,
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    formats: bool | None = None,
) -> Checker:
    """The checker of a schema as its author wrote it; the same one for the same content.

    Args:
        schema: a JSON Schema of any dialect. It may be edited afterwards: the next call sees that.
        dialect: the id of its dialect; found out where it is not given.
        resources: other schemas by URI, for references to them. Nothing is ever fetched.
        formats: whether `format` is checked; as the dialect says where it is not given.

    Raises:
        SchemaError: the schema is broken, with the place and the reason.
    """
    key = content_key([schema, dialect, dict(resources) if resources else None, formats])

    def make() -> Checker:
        from toolglot.schemas.normal import normal_form  # noqa: PLC0415 - costs nothing where no schema is read

        return Checker(normal_form(schema, dialect=dialect, resources=resources), formats=formats)

    return make() if key is None else _CHECKERS.get(key, make)


def entry_size(key: bytes, held: Checker) -> int:
    """The bytes that a checker holds, with its key: an upper estimate, held by a test."""
    return 8_192 + 12 * len(key) + 3_000 * held.schemas


_CHECKERS: Cache[Checker] = Cache(entries=4_096, size=256 * 2**20, entry_size=entry_size)


def _matches() -> Callable[[str, Schema, str], Match]:
    """The functions for patterns, each made once; the pattern engine loads where a pattern is met."""
    made: dict[str, Match] = {}

    def match_of(pattern: str, schema: Schema, keyword: str) -> Match:
        if pattern not in made:
            from toolglot.schemas.patterns import PatternError, matcher  # noqa: PLC0415 - see above

            try:
                made[pattern] = matcher(pattern)
            except PatternError as error:
                place = (
                    (*schema.place, keyword, pattern) if keyword == "patternProperties" else (*schema.place, keyword)
                )
                raise error.placed(place, keyword) from None
        return made[pattern]

    return match_of


def _formats(asserted: bool, dialect: str) -> Callable[[str], Match | None]:
    """The functions for formats: none where formats are annotations; they load where a format is checked."""

    def format_of(name: str) -> Match | None:
        from toolglot.calls.formats import format_test  # noqa: PLC0415 - see above

        return format_test(name, dialect)

    return format_of if asserted else lambda _: None
