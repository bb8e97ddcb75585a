"""The rows of one table, from its TOML text; a bad row is refused with file, line, field and reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from toolglot.json_values import Json
from toolglot.tables.facts import triggers_at
from toolglot.tables.keywords import dialects, keywords
from toolglot.tables.limits import LIMITS, limit_fault
from toolglot.tables.predicates import Predicate, PredicateError, compile_predicate
from toolglot.tables.reading import ID, TARGET_ID, Lines, Row, found
from toolglot.tables.rows import HAZARDS, KEEPS, PLACES, PROOFS, Example, Rule, Table, Target, frozen
from toolglot.tables.spelling import near
from toolglot.tables.toml import parsed_toml
from toolglot.tables.verbs import VERBS, Verb

_TOP_FIELDS = ("rule", "target", "retire")
_RULE_FIELDS = (
    "at",
    "when",
    "do",
    "keep",
    "hazard",
    "for",
    "after",
    "why",
    "source",
    "seen",
    "proof",
    "example",
)
_EXAMPLE_FIELDS = ("name", "given", "gives", "schema", "accepts", "rejects")
_TARGET_FIELDS = ("title", "envelope", "like", "without", "dialect", "limits", "why", "source", "seen")


def read_table(text: str, file: str) -> Table:
    """The rules, targets and retired ids of a TOML text; raises RuleError for the first thing that is wrong."""
    lines = Lines(text)
    top = Row(file, "", parsed_toml(text, file), lines, None)
    top.know(_TOP_FIELDS)
    targets = tuple([_target(row) for row in _rows(top, "target", TARGET_ID)])
    ids = tuple([target.id for target in targets])
    rules = tuple([_rule(row, ids) for row in _rows(top, "rule", ID)])
    return Table(file, rules, targets, top.texts("retire"), lines.field(None, "retire"))


def _rows(top: Row, kind: str, spelling: re.Pattern[str]) -> list[Row]:
    """The rows of one kind, each under an id of the right spelling."""
    tables = top.table.get(kind, {})
    if not isinstance(tables, dict):
        top.refuse(kind, f"wanted tables [{kind}.ID], got {found(tables)}")
    rows = []
    for name, table in tables.items():
        row = Row(top.file, f"{kind}.{name}", table, top.lines, top.lines.header(f"{kind}.{name}"))
        if not isinstance(table, dict):
            row.refuse("", f"wanted a table, got {found(table)}")
        if not spelling.match(name):
            row.refuse("", f"{name!r} is no id: wanted small letters and digits, with single dashes between words")
        rows.append(row)
    return rows


# Targets ------------------------------------------------------------------------------------------


def _target(row: Row) -> Target:
    """One target."""
    row.know(_TARGET_FIELDS)
    like, without = row.optional("like"), row.texts("without")
    if without and like is None:
        row.refuse("without", "there is no `like` whose rules it could leave out")
    return Target(
        id=row.name.removeprefix("target."),
        title=row.text("title"),
        envelope=row.text("envelope"),
        like=like,
        without=without,
        limits=_limits(row),
        why=row.text("why"),
        source=row.texts("source", required=True),
        seen=row.day("seen"),
        file=row.file,
        line=row.line,
        lines=row.field_lines("envelope", "like", "without", "limits"),
        dialect=row.choice("dialect", tuple(dialects())) if "dialect" in row.table else "2020-12",
    )


def _limits(row: Row) -> Mapping[str, Json]:
    """The limits of a target, by their declared names."""
    limits = row.table.get("limits", {})
    if not isinstance(limits, dict):
        row.refuse("limits", f"wanted a table, got {found(limits)}")
    for name, limit in limits.items():
        if name not in LIMITS:
            row.refuse("limits", f"no limit {name!r}", near(name, LIMITS))
        reason = limit_fault(name, limit)
        if reason is not None:
            row.refuse("limits", f"{name}: {reason}, got {found(limit)}")
    frozen_limits: Mapping[str, Json] = frozen(limits)
    return frozen_limits


# Rules --------------------------------------------------------------------------------------------


def _rule(row: Row, ids: tuple[str, ...]) -> Rule:
    """One rule; it holds for the targets it names, else for those of its file."""
    row.know(_RULE_FIELDS)
    at = row.choice("at", PLACES)
    verb, options = _edit(row, at)
    targets = row.texts("for", required="for" in row.table) or ids
    return Rule(
        id=row.name.removeprefix("rule."),
        at=at,
        when=_predicate(row, at),
        verb=verb.name,
        options=frozen(options),
        touches=verb.touches(options),
        keep=_keep(row, verb),
        hazard=row.choice("hazard", HAZARDS) if targets or "hazard" in row.table else None,
        targets=targets,
        after=row.texts("after"),
        why=row.text("why"),
        source=row.texts("source", required=True),
        seen=row.day("seen"),
        proof=row.choice("proof", PROOFS),
        examples=_examples(row),
        file=row.file,
        line=row.line,
        lines=row.field_lines("for", "after"),
    )


def _predicate(row: Row, at: str) -> Predicate:
    """The compiled `when`."""
    text = row.text("when")
    known = frozenset(keywords()) if at == "schema" else None
    try:
        return compile_predicate(text, facts=triggers_at(at), keywords=known)
    except PredicateError as error:
        row.refuse("when", error.drawn())


def _edit(row: Row, at: str) -> tuple[Verb, Json]:
    """The verb of `do` and its options, which fit it."""
    edit = row.table.get("do")
    if not isinstance(edit, dict) or len(edit) != 1:
        got = " and ".join(edit) if isinstance(edit, dict) and edit else found(edit)
        row.refuse("do", f"wanted a table of exactly one verb, got {got}")
    name, options = next(iter(edit.items()))
    verb = VERBS.get(name)
    if verb is None:
        row.refuse("do", f"no verb {name!r}", near(name, VERBS))
    if at not in verb.places:
        row.refuse("do", f'{name} does not act at = "{at}", it acts at {" and ".join(sorted(verb.places))}')
    if not _is_json(options):
        row.refuse("do", f"{name} wanted JSON values, got a date, or a number that is none")
    if not verb.options.fits(options):
        row.refuse("do", f"{name} wanted {verb.options.wanted}, got {found(options)}")
    if at == "schema":
        _know_touched(row, verb.touches(options))
    return verb, options


def _know_touched(row: Row, names: Iterable[str]) -> None:
    """Refuses a keyword that no dialect has, unless `when` asks for it in quotes."""
    for name in sorted(names):
        if name not in keywords() and f'"{name}"' not in row.text("when"):
            row.refuse("do", f"no keyword {name!r}", near(name, keywords()))


def _is_json(value: Json) -> bool:
    """Whether a TOML value is a JSON value too: no date, no `nan`, no `inf`."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


def _keep(row: Row, verb: Verb) -> str:
    """What becomes of the meaning: one of those that the verb can keep."""
    keep = row.choice("keep", KEEPS)
    if keep not in verb.keeps:
        row.refuse("keep", f"{verb.name} can keep {' or '.join(sorted(verb.keeps))}, not {keep}")
    return keep


# Examples -----------------------------------------------------------------------------------------


def _examples(row: Row) -> tuple[Example, ...]:
    """The examples: at least one that fires and one near miss."""
    examples = [_example(each, row) for each in row.examples()]
    if not any(example.fires for example in examples):
        row.refuse(
            "example", "no example fires: wanted one with `gives`, other than its `given` unless the verb is note"
        )
    if all(example.fires for example in examples):
        row.refuse("example", "no near miss: wanted an example without `gives`")
    return tuple(examples)


def _example(row: Row, rule: Row) -> Example:
    """One example; it fires if it gives something else than it was given, or gives anything where the verb is note."""
    row.know(_EXAMPLE_FIELDS)
    if "given" not in row.table:
        row.refuse("given", "wanted a text, got nothing")
    given, gives = row.text("given"), row.optional("gives")
    before, after = row.check_json("given", given), None if gives is None else row.check_json("gives", gives)
    # The order of keys counts, since an edit may be about it.
    differs = gives is not None and json.dumps(before) != json.dumps(after)
    return Example(
        name=row.text("name"),
        given=given,
        gives=gives,
        schema=row.json("schema"),
        accepts=row.jsons("accepts"),
        rejects=row.jsons("rejects"),
        fires=differs or (gives is not None and "note" in rule.table.get("do", ())),
        line=row.line,
    )
