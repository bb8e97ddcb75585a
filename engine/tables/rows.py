"""The rows of the tables: rules with their examples, and targets. All frozen, none shares data with a caller."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from toolglot.errors import RuleError
from toolglot.json_values import Json
from toolglot.tables.predicates import Predicate

PLACES = ("root", "schema", "call", "value", "block")
KEEPS = ("same", "check", "encode", "note", "narrowed")
PROOFS = ("engine", "documented", "source", "report")
HAZARDS = ("rejects", "ignores", "misreads")


def frozen(value: Json) -> Json:
    """The same JSON value, read-only: lists as tuples, objects as read-only mappings."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple([frozen(item) for item in value])
    return value


def thawed(value: Json) -> Json:
    """A fresh copy of a frozen JSON value, in plain lists and dicts."""
    if isinstance(value, Mapping):
        return {key: thawed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [thawed(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class Example:
    """One example of a rule: what is given, and what the rule makes of it; each of them JSON text.

    Attributes:
        name: what the example shows.
        given: the input.
        gives: the outcome; None in a near miss, which the rule leaves as it is.
        schema: the tool's schema, for an example that is no schema itself.
        accepts: values that the check still accepts.
        rejects: values that the check still refuses.
        line: the line in the file.
    """

    name: str
    given: str
    gives: str | None = None
    schema: str | None = None
    accepts: tuple[str, ...] = ()
    rejects: tuple[str, ...] = ()
    fires: bool = False
    line: int | None = None

    def as_json(self) -> Json:
        """The example as it stands in its table."""
        texts = {"name": self.name, "given": self.given, "gives": self.gives, "schema": self.schema}
        lists = {"accepts": list(self.accepts), "rejects": list(self.rejects)}
        return {key: value for key, value in {**texts, **lists}.items() if value}


@dataclass(frozen=True, slots=True)
class Rule:
    """One hazard and one edit.

    Attributes:
        id: what the hazard is called.
        at: the place it looks at, one of PLACES.
        when: the predicate that tells the hazard.
        verb: the edit, declared in `verbs`.
        options: the verb's options, frozen (see `thawed`).
        touches: the keywords of the node that the edit reads or changes.
        keep: what becomes of the meaning, one of KEEPS.
        hazard: what the target does with the shape, one of HAZARDS; None for a rule of no target.
        targets: the ids of the targets that it holds for; empty for a rule of no target.
        after: the ids of rules that come first.
        file: the table it stands in.
        line: where in the table.
        lines: where the fields stand that other tables can prove wrong.
    """

    id: str
    at: str
    when: Predicate
    verb: str
    options: Json = field(hash=False)
    touches: frozenset[str]
    keep: str
    hazard: str | None
    targets: tuple[str, ...]
    after: tuple[str, ...]
    why: str
    source: tuple[str, ...]
    seen: date
    proof: str
    examples: tuple[Example, ...]
    file: str
    line: int | None
    lines: Mapping[str, int | None] = field(default_factory=dict, repr=False, compare=False)

    def as_json(self) -> Json:
        """The whole row as JSON, for a program that reads `explain` or `rules`."""
        return {
            "id": self.id,
            "at": self.at,
            "when": self.when.text,
            "do": {self.verb: thawed(self.options)},
            "keep": self.keep,
            "hazard": self.hazard,
            "for": list(self.targets),
            "after": list(self.after),
            "why": self.why,
            "source": list(self.source),
            "seen": self.seen.isoformat(),
            "proof": self.proof,
            "examples": [example.as_json() for example in self.examples],
            "file": self.file,
            "line": self.line,
        }


@dataclass(frozen=True, slots=True)
class Target:
    """One surface of one provider.

    Attributes:
        id: what the target is called, such as `provider` or `provider/surface`.
        title: its name in words.
        envelope: the id of the envelope that its tools are sent in.
        like: the target whose rules hold here too, or None.
        without: rules of `like` that do not hold here.
        dialect: the dialect that the finished wire is written in, by its id; 2020-12 where the row says none.
        limits: numbers that the target sets, by name, frozen.
        file: the table it stands in.
        line: where in the table.
        lines: where the fields stand that other tables can prove wrong.
    """

    id: str
    title: str
    envelope: str
    like: str | None
    without: tuple[str, ...]
    limits: Mapping[str, Json] = field(hash=False)
    why: str
    source: tuple[str, ...]
    seen: date
    file: str
    line: int | None
    lines: Mapping[str, int | None] = field(default_factory=dict, repr=False, compare=False)
    dialect: str = "2020-12"

    def as_json(self) -> Json:
        """The whole row as JSON, for a program that reads `targets`."""
        return {
            "id": self.id,
            "title": self.title,
            "envelope": self.envelope,
            "like": self.like,
            "without": list(self.without),
            "dialect": self.dialect,
            "limits": thawed(self.limits),
            "why": self.why,
            "source": list(self.source),
            "seen": self.seen.isoformat(),
            "file": self.file,
            "line": self.line,
        }


@dataclass(frozen=True, slots=True)
class Table:
    """What one file says: its rules, its targets, and the ids of rules that it retires."""

    file: str
    rules: tuple[Rule, ...] = ()
    targets: tuple[Target, ...] = ()
    retire: tuple[str, ...] = ()
    retire_line: int | None = None


def fault(row: Rule | Target, name: str, reason: str, hint: str | None = None) -> RuleError:
    """The error of a row's field, or of the row as a whole where the name is empty."""
    where = f"{'rule' if isinstance(row, Rule) else 'target'}.{row.id}"
    line = row.lines.get(name, row.line)
    return RuleError(row.file, f"{where}.{name}" if name else where, reason, line=line, hint=hint)


def read_json(text: str) -> Json:
    """The JSON value of a text; raises ValueError for a key that stands twice and for NaN or Infinity."""
    return _DECODER.decode(text)


def _without_twins(pairs: list[tuple[str, Json]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands twice")
    return found


def _refused(word: str) -> Json:
    raise ValueError(f"{word} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_twins, parse_constant=_refused)
