"""How tight a wire is beside other libraries': `python -m benchmarks.tightness [--part K/N] [TARGET ...]`.

For each schema of the corpus that a library gives an answer for, its illegal values are put to that answer and to our
wire, before any check of a call. Ours is put each form that the value has on the wire, and the value as it stands: it
refuses it where it refuses them all. jsonschema judges both, formats as annotations; a wire in a dialect of its own is
judged by our check.

A share says little where the answer of a library refuses what is legal, or would be refused itself, since a schema
that nothing fits is the tightest. So each is counted twice: over all schemas that the library answers, and over those
where its answer can be used: it takes each legal value as it stands, and without each property that may be left out
(which an answer that wants every property does not), and the target takes the answer, by the scanner of the tests.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.data import MISSING, corpus_records
from benchmarks.peers import TARGETS_OF_PEERS, answers_of_llm_abi, converters
from jsonschema import Draft202012Validator
from tabulate import tabulate
from tests.targets import hazards, hazards_second

from toolglot.calls.checker import checker
from toolglot.schemas.normal import normal_form
from toolglot.tables.ruleset import default_rules
from toolglot.wire.convert import Conversion, convert_normal
from toolglot.wire.writing import respelled

Accepts = Callable[[Any], bool]


@dataclass
class Count:
    """Illegal values, and how many of them the answer of a library and our wire refuse."""

    schemas: int = 0
    values: int = 0
    theirs: int = 0
    ours: int = 0

    def add(self, theirs: list[bool], ours: list[bool]) -> None:
        """Counts the illegal values of one schema, by whether each is refused."""
        self.schemas += 1
        self.values += len(theirs)
        self.theirs += sum(theirs)
        self.ours += sum(ours)

    def shares(self) -> list[str]:
        """The count as cells of a table."""
        whole = max(1, self.values)
        return [f"{self.schemas}", f"{self.values}", f"{self.ours / whole:.1%}", f"{self.theirs / whole:.1%}"]


@dataclass
class Record:
    """A schema of the corpus with our answer for one target."""

    schema: Any
    conversion: Conversion
    legal: list[Any]
    illegal: list[Any]

    def refused(self) -> list[bool]:
        """Whether our wire alone refuses each illegal value."""
        admits = judge(self.conversion.wire, self.conversion.target)
        return [not any(map(admits, [*self.conversion.spellings(value), value])) for value in self.illegal]


def records(target: str, part: int, parts: int) -> Iterator[Record]:
    """Part of the corpus on its way to a target, with values by the labels of the corpus."""
    rules = default_rules().target(target)
    for row in corpus_records()[part::parts]:
        values = {kept: [test["data"] for test in row["tests"] if test["valid"] is kept] for kept in (True, False)}
        accepts = checker(row["schema"], formats=False).accepts
        legal = values[True] + [less for value in values[True] for less in without_one(value) if accepts(less)]
        yield Record(row["schema"], convert_normal(normal_form(row["schema"]), rules), legal, values[False])


def without_one(value: Any) -> Iterator[Any]:
    """The value without each one of the properties in it, at any depth."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in below:
        if isinstance(value, dict):
            yield {name: kept for name, kept in value.items() if name != key}
        for less in without_one(part):
            copied = value.copy()
            copied[key] = less
            yield copied


def judge(wire: Any, target: str) -> Accepts:
    """What a finished schema of the target accepts."""
    dialect = default_rules().targets[target].dialect
    if dialect == "2020-12":
        return partial(_is_valid, Draft202012Validator(wire))
    return checker(wire, dialect=dialect, formats=False).accepts


def _is_valid(validator: Draft202012Validator, value: Any) -> bool:
    return validator.is_valid(value)


def counts(held: list[Record], answers: list[Any], target: str) -> tuple[Count, Count]:
    """All schemas that were answered, and those whose answer can be used."""
    answered, usable = Count(), Count()
    for record, answer in zip(held, answers, strict=True):
        accepted = _accepted(answer, target, record.illegal)
        if accepted is None:
            continue
        theirs, ours = [not accepts for accepts in accepted], record.refused()
        answered.add(theirs, ours)
        if all(_accepted(answer, target, record.legal) or ()) and is_taken(answer, target):
            usable.add(theirs, ours)
    return answered, usable


def _accepted(answer: Any, target: str, values: list[Any]) -> list[bool] | None:
    """Whether an answer accepts each value; None where it is no schema."""
    try:
        return list(map(judge(answer, target), values)) if isinstance(answer, dict) else None
    except Exception:  # noqa: BLE001 - whatever its reader raises, it can't be read
        return None


def is_taken(wire: Any, target: str) -> bool:
    """Whether the scanner of the tests finds nothing that the target would refuse or misread."""
    scanner = hazards if target in hazards.CHECKS else hazards_second
    if default_rules().targets[target].dialect == "gemini":  # which takes the names of types in either case
        wire = respelled(wire, frozenset(["spell-types"]))
    try:
        return not scanner.hazards(target, wire)
    except Exception:  # noqa: BLE001 - the scanner reads schemas alone, and this is none
        return False


def rows(target: str, part: int, parts: int) -> Iterator[list[str]]:
    """One row of the table for each library that knows the target."""
    held = list(records(target, part, parts))
    schemas = [record.schema for record in held]
    found = {name: list(map(partial(_answer, convert), schemas)) for name, convert in converters(target).items()}
    found["llm-abi"] = answers_of_llm_abi(target, schemas)
    for name, answers in found.items():
        if answers is not None:
            answered, usable = counts(held, answers, target)
            yield [target, name, *answered.shares(), *usable.shares()]


def _answer(convert: Callable[[Any], Any], schema: Any) -> Any:
    try:
        return convert(schema)
    except Exception:  # noqa: BLE001 - whatever it raises, it gave no answer
        return None


HEADERS = (
    "target", "beside", "answered", "illegal", "ours refuses", "theirs refuses",
    "usable", "illegal", "ours refuses", "theirs refuses",
)  # fmt: skip


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tightness", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", default=TARGETS_OF_PEERS)
    parser.add_argument("--part", default="0/1", metavar="K/N", help="every Nth schema, from the Kth")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    if not corpus_records():
        parser.error(MISSING)
    table = [row for target in options.targets for row in rows(target, part, parts)]
    print(tabulate(table, headers=HEADERS, disable_numparse=True))


if __name__ == "__main__":
    main()
