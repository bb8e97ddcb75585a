"""The laws over the whole corpus, for every target: `python -m tests.corpus_laws [--part K/N] [TARGET ...]`.

What pytest asks of a part of the corpus is asked here of all of it, and counted: answers, hazards, legal values that
can be said and come back, illegal ones that are refused, and the bytes of every wire as one digest per target. It
takes some twenty minutes of one processor. With `--part 0/8` every eighth schema is read.

The judge of a wire is jsonschema-rs where that is installed and takes the wire, and the library's own check, which the
official suite holds, where it does not admit a legal value or where the wire is in a dialect of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tests.shared_data import corpus
from tests.targets import hazards, hazards_second

from toolglot.calls.checker import checker, checker_of
from toolglot.schemas.normal import normal_form
from toolglot.tables.ruleset import load_rules
from toolglot.wire.convert import Conversion, convert_normal

RULES = load_rules(entry_points=False)
TARGETS = sorted(RULES.targets)
SPELLING = {"rewrite", "lengths-as-pattern"}
OWN_PATTERNS = {target for target in TARGETS if SPELLING & {rule.verb for rule in RULES.target(target).rules}}
DIALECTS = {target: row.dialect for target, row in RULES.targets.items()}
SCANNERS: dict[str, Callable[[str, dict[str, Any]], list[str]]] = {
    **dict.fromkeys(hazards.CHECKS, hazards.hazards),
    **dict.fromkeys(hazards_second.CHECKS, hazards_second.hazards),
}
Accepts = Callable[[Any], bool]


def wire_check(wire: dict[str, Any], target: str) -> Accepts:
    """The check of a wire. Patterns in an engine's own reading are left out: tests that ask the engine judge them."""
    if target in OWN_PATTERNS:
        wire = json.loads(json.dumps(wire), object_hook=_without_pattern)
    return checker(wire, dialect=DIALECTS[target], formats=False).accepts


def written(conversion: Conversion) -> bytes:
    """The bytes of a wire, as one line."""
    return conversion.wire_json.encode("utf-8", "surrogatepass") + b"\n"


def _without_pattern(node: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in node.items() if key != "pattern" or not isinstance(value, str)}


@dataclass
class Tally:
    """What was seen of one target; a list names each case, so that it can be looked at."""

    schemas: int = 0
    legal: int = 0
    illegal: int = 0
    refused_by_wire: int = 0
    seconds: float = 0.0
    digest: Any = field(default_factory=hashlib.sha256)
    failed: list[str] = field(default_factory=list)
    hazardous: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    narrowed: list[str] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)
    misread: list[str] = field(default_factory=list)
    labelled_otherwise: list[str] = field(default_factory=list)
    read_otherwise: int = 0

    @property
    def faults(self) -> list[str]:
        """Every case that breaks a law."""
        lists = (self.failed, self.hazardous, self.broken, self.unsaid, self.misread)
        return [fault for cases in lists for fault in cases]


class Judge:
    """Answers for the wires of one schema: targets that send the same wire are judged by the same check."""

    def __init__(self) -> None:
        self._exact: dict[tuple[str, str, bool], Accepts] = {}
        self._fast: dict[str, Accepts | None] = {}

    def exactly(self, conversion: Conversion) -> Accepts:
        """The library's own check of a wire."""
        target = conversion.target
        key = (conversion.wire_json, DIALECTS[target], target in OWN_PATTERNS)
        if key not in self._exact:
            self._exact[key] = wire_check(conversion.wire, target)
        return self._exact[key]

    def accepts(self, conversion: Conversion) -> Accepts:
        """The other implementation's check of a wire, or the library's own where there is none."""
        target = conversion.target
        if DIALECTS[target] != "2020-12" or target in OWN_PATTERNS:
            return self.exactly(conversion)
        text = conversion.wire_json
        if text not in self._fast:
            self._fast[text] = _other_check(text)
        return self._fast[text] or self.exactly(conversion)


def _other_check(text: str) -> Accepts | None:
    try:
        other = importlib.import_module("jsonschema_rs")
        accepts: Accepts = other.Draft202012Validator(text, validate_formats=False).is_valid
    except (ImportError, ValueError):  # not installed; or a pattern, or a number, that it does not take
        return None
    return accepts


def is_valid_schema(wire: dict[str, Any]) -> bool:
    """Whether the metaschema of 2020-12 takes a wire, where there is something to ask."""
    try:
        other = importlib.import_module("jsonschema_rs")
    except ImportError:
        return True
    return bool(other.meta.is_valid({"$schema": "https://json-schema.org/draft/2020-12/schema", **wire}))


def judge(row: dict[str, Any], targets: list[str], tallies: dict[str, Tally]) -> None:
    """Puts one record of the corpus to the laws, for each target."""
    normal = normal_form(row["schema"])
    checks = checker_of(normal, formats=False).accepts, checker_of(normal, formats=True).accepts
    wires = Judge()
    for target in targets:
        start = time.process_time()
        tally = tallies[target]
        tally.schemas += 1
        try:
            Case(row, convert_normal(normal, RULES.target(target)), checks, wires, tally).judge()
        except Exception as error:  # noqa: BLE001 - no exception at all is what is asked
            tally.failed.append(f"{row['name']}: {type(error).__name__}: {str(error)[:200]}")
        tally.seconds += time.process_time() - start


@dataclass
class Case:
    """One record of the corpus on its way to one target.

    Attributes:
        checks: what the tool's own schema accepts, formats as annotations and as assertions.
    """

    row: dict[str, Any]
    conversion: Conversion
    checks: tuple[Accepts, Accepts]
    wires: Judge
    tally: Tally

    def judge(self) -> None:
        """Counts what holds, and names what does not."""
        conversion, tally, name = self.conversion, self.tally, self.row["name"]
        target, wire = conversion.target, conversion.wire
        tally.digest.update(written(conversion))
        if target in SCANNERS:
            tally.hazardous.extend(f"{name}: {fault}" for fault in SCANNERS[target](target, wire))
        if DIALECTS[target] == "2020-12" and not is_valid_schema(wire):
            tally.broken.append(name)
        for number, test in enumerate(self.row["tests"]):
            self._judge_value(f"{name}#{number}", test["data"], is_legal=test["valid"])

    def _judge_value(self, name: str, value: Any, *, is_legal: bool) -> None:
        loose, strict = self.checks
        if loose(value):
            self.tally.legal += 1
            self._judge_legal(name, value)
        if not strict(value):
            self.tally.illegal += 1
            self._judge_illegal(value)
        if strict(value) is not is_legal:  # a format, mostly, that the schema's own dialect does not have
            self.tally.labelled_otherwise.append(name)

    def _judge_legal(self, name: str, value: Any) -> None:
        conversion, tally, loose = self.conversion, self.tally, self.checks[0]
        forms = conversion.spellings(value)
        admitted = list(filter(self.wires.accepts(conversion), forms))
        if not admitted:
            admitted = list(filter(self.wires.exactly(conversion), forms))
        if not admitted:
            (tally.narrowed if "narrowed" in conversion.outcomes else tally.unsaid).append(name)
            return
        back = [conversion.restore(form, loose) for form in admitted]
        if (value, ()) not in back or not all(problems or read == value for read, problems in back):
            tally.misread.append(name)

    def _judge_illegal(self, value: Any) -> None:
        """The wire alone refuses an illegal value if it refuses each form that it has, and the value as it stands.

        A form may be that of a legal value too: where null is said for what is left out, an illegal null is.
        """
        conversion, strict = self.conversion, self.checks[1]
        forms = conversion.spellings(value)
        read = [conversion.restore(form, strict) for form in forms]
        self.tally.read_otherwise += any(not problems and strict(reading) for reading, problems in read)
        admits = self.wires.accepts(conversion)
        self.tally.refused_by_wire += not any(map(admits, [*forms, value]))


def read(targets: list[str], part: int = 0, parts: int = 1) -> dict[str, Tally]:
    """What was seen of each target, over a part of the corpus."""
    tallies = {target: Tally() for target in targets}
    for row in islice(corpus(), part, None, parts):
        judge(row, targets, tallies)
    return tallies


def lines(tallies: dict[str, Tally]) -> Iterator[str]:
    """The figures of each target, and each case that breaks a law."""
    for target, tally in tallies.items():
        yield (
            f"{target:24} {tally.schemas} schemas, {len(tally.failed)} without an answer, "
            f"{len(tally.broken)} broken, {len(tally.hazardous)} hazards; {tally.legal} legal values: "
            f"{len(tally.narrowed)} narrowed, {len(tally.unsaid)} unsaid, {len(tally.misread)} misread; "
            f"{tally.illegal} illegal: {len(tally.labelled_otherwise)} labelled otherwise, "
            f"{tally.read_otherwise} spelled as a legal one, "
            f"{tally.refused_by_wire / max(1, tally.illegal):.1%} refused by the wire alone; "
            f"{tally.seconds:.0f} s; wires {tally.digest.hexdigest()[:12]}"
        )
        yield from (f"    {kind}: {case}" for kind in _LISTED for case in getattr(tally, kind))


_LISTED = ("failed", "broken", "hazardous", "narrowed", "unsaid", "misread")


def main() -> int:
    """The exit code: 1 where a law is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus_laws", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", default=TARGETS)
    parser.add_argument("--part", default="0/1", metavar="K/N", help="every Nth schema, from the Kth")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    tallies = read(options.targets, part, parts)
    sys.stdout.write("\n".join(lines(tallies)) + "\n")
    return 1 if any(tally.faults for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
