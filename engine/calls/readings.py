"""Near misses that a policy may accept, such as `"5"` for an integer: each one a row, each use reported.

A reading is tried only after the exact check refused the call, only at the places that it refused, and counts
only if the whole call then passes. A value that fits a branch of a union as it is, or that stands where its own
type is admitted, is left alone. Nothing that the caller gave is written to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolglot.calls.arguments import parse_arguments
from toolglot.calls.check import Whole
from toolglot.calls.checker import Checker
from toolglot.calls.places import Said, required_at, said_at
from toolglot.calls.rows import call_rows
from toolglot.errors import Path, Problem
from toolglot.json_values import Json, kind
from toolglot.schemas import declarations
from toolglot.tables.rows import Rule
from toolglot.tables.ruleset import Ruleset

# A text read as an object can hold near misses of its own; a few rounds are more than any model needs.
_ROUNDS = 4
LOSSLESS = "lossless"

Policy = bool | Collection[str]
"""False for none, True or `lossless` for every row that keeps the meaning, or the ids of rows."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading that was used.

    Attributes:
        path: where in the arguments.
        rule: the id of its row.
        got: what came.
        read: what it was read as; None for a key that was read as left out (then `omitted` is True).
        omitted: whether the key was read as left out.
    """

    path: Path
    rule: str
    got: Json
    read: Json
    omitted: bool = False


@dataclass(frozen=True, slots=True)
class Nearly:
    """A call that passes once it is read so."""

    value: Json
    readings: tuple[Reading, ...]


def allowed(policy: Policy, rules: Ruleset | None = None) -> tuple[Rule, ...]:
    """The rows that a policy allows.

    Raises:
        ValueError: the policy names a row that is no reading.
    """
    rows = call_rows(rules).readings
    if policy is False:
        return ()
    named = {LOSSLESS} if policy is True else set(policy)
    unknown = named - {row.id for row in rows} - {LOSSLESS}
    if unknown:
        raise ValueError(f"no reading is called {', '.join(sorted(unknown))}")
    return tuple(row for row in rows if row.id in named or (LOSSLESS in named and row.keep == "same"))


def nearly(
    held: Whole, value: Json, problems: Sequence[Problem], policy: Policy, *, rules: Ruleset | None = None
) -> Nearly | None:
    """The call as it passes with the allowed readings, or None where it does not.

    Args:
        held: the check that refused the call.
        value: the arguments.
        problems: what it found.
        policy: which readings are allowed.
        rules: the tables; the shipped ones by default.
    """
    rows = allowed(policy, rules)
    used: list[Reading] = []
    left: Sequence[Problem] = problems
    for _round in range(_ROUNDS if rows else 0):
        told = {reading.path for reading in used}
        places = dict.fromkeys(problem.path for problem in left if problem.path not in told)
        found = [reading for path in places for reading in _reading(held, value, path, rows)]
        if not found:
            return None
        for reading in found:
            value = _applied(value, reading)
        used += found
        left = held.problems(value)
        if not left:
            return Nearly(value, tuple(used))
    return None


def _reading(held: Whole, value: Json, path: Path, rows: Iterable[Rule]) -> list[Reading]:
    """The reading of what stands at a place, as a list of one; empty where there is none, or two ways to read it."""
    found = _value_at(value, path)
    if found is None:
        return []
    got = found[0]
    own = _own(path, held.aliases)
    said = said_at(held.exact.normal, own)
    if _fits_a_branch(held.exact, said, got):
        return []
    facts = _facts(held.exact, own, said, got)
    chosen = [row for row in rows if row.when.test({}, facts)]
    if len({row.verb for row in chosen}) != 1:
        return []
    reading = _READS[chosen[0].verb](path, chosen[0], got)
    return [] if reading is None else [reading]


def _own(path: Path, aliases: Mapping[str, str]) -> Path:
    """The place in the tool's own names."""
    first = path[0] if path else None
    return (aliases.get(first, first), *path[1:]) if isinstance(first, str) else path


def _facts(held: Checker, path: Path, said: Sequence[Said], got: Json) -> dict[str, Json]:
    """The facts of a place and of the value that stands there."""
    optional = bool(path) and isinstance(path[-1], str) and path[-1] not in required_at(held.normal, path[:-1])
    return {
        "admits": tuple(name for name in declarations.TYPES if any(name in _admitted(each) for each in said)),
        "value-kind": kind(got),
        "value-text": got if isinstance(got, str) else None,
        "optional": True if optional else None,
    }


def _admitted(said: Said) -> Collection[str]:
    types = declarations.own_types(said.schema)
    if types.spelling == "readable":
        return types.names
    values = (
        said.schema["enum"] if "enum" in said.schema else [said.schema[key] for key in ("const",) if key in said.schema]
    )
    return {kind(value) for value in values}


def _fits_a_branch(held: Checker, said: Iterable[Said], got: Json) -> bool:
    """Whether a branch of a union admits the value as it is."""
    return any(held.admits(each.schema, got) for each in said if each.in_union)


# What the verbs do ----------------------------------------------------------------------------------


def _parsed(path: Path, row: Rule, got: Json) -> Reading | None:
    read = parse_arguments(got)
    return None if read.problems or read.form != "given" else Reading(path, row.id, got, read.value)


def _wrapped(path: Path, row: Rule, got: Json) -> Reading:
    return Reading(path, row.id, got, [got])


def _omitted(path: Path, row: Rule, got: Json) -> Reading:
    return Reading(path, row.id, got, None, omitted=True)


_READS: dict[str, Callable[[Path, Rule, Json], Reading | None]] = {
    "parse": _parsed,
    "wrap": _wrapped,
    "omit": _omitted,
}


def _value_at(value: Json, path: Path) -> tuple[Json] | None:
    """What stands at a path, as a tuple of one; None where nothing does, as for a missing key."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return (value,)


def _applied(value: Json, reading: Reading) -> Json:
    """A copy of the value with one place read anew; what lies beside the path is shared."""
    if not reading.path:
        return reading.read
    top = _copied(value)
    inner = top
    for step in reading.path[:-1]:
        inner[step] = _copied(inner[step])
        inner = inner[step]
    if reading.omitted:
        del inner[reading.path[-1]]
    else:
        inner[reading.path[-1]] = reading.read
    return top


def _copied(value: Json) -> Json:
    return dict(value) if isinstance(value, dict) else list(value)
