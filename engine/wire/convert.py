"""schema → wire: the normal form and a target's rules give the wire, the ledger and the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

from toolglot.cache import Cache, content_key
from toolglot.errors import Problem
from toolglot.json_values import Copies, Json, copied
from toolglot.schemas.copying import copied_normal
from toolglot.schemas.forms import Detection, Normal, Schema
from toolglot.schemas.normal import normal_form
from toolglot.tables.limits import OF_SCHEMA
from toolglot.tables.rows import Target
from toolglot.tables.ruleset import Ruleset, default_rules
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.account import Edit
from toolglot.wire.finish import finished
from toolglot.wire.ledger import Accepts, Ledger, ledger_of
from toolglot.wire.limits import NO_PRESSURE, Measures, Over, Pressure, counted, over, pressures
from toolglot.wire.run import Run
from toolglot.wire.shapes import is_never
from toolglot.wire.sharing import shared
from toolglot.wire.writing import compact, respelled

__all__ = ["Conversion", "Edit", "convert", "convert_normal"]


class Conversion:
    """A schema on its way to one target and back.

    Attributes:
        target: the id of the target.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what one conversion has come to; made here alone
        self,
        row: Target,
        normal: Normal,
        run: Run,
        root: Schema,
        definitions: Mapping[str, Schema],
        verbs: frozenset[str],
    ) -> None:
        self.target, self._normal, self._account, self._size = row.id, normal, run.account, run.size
        self._limits, self._bounds = row.limits, run.bounds(definitions)
        self._root, self._definitions, self._is_coded = root, definitions, run.is_coded
        self._verbs = verbs
        self._copies: Copies | None = None
        self._asked = False

    @cached_property
    def _written(self) -> dict[str, Json]:
        """The wire as it is sent, which nobody else sees."""
        definitions = {"$defs": dict(self._definitions)} if self._definitions else {}
        written: dict[str, Json] = respelled({**self._root, **definitions}, self._verbs)
        return written

    @property
    def size(self) -> int:
        """About the bytes that it holds, whatever is asked of it later, but for the source's own texts."""
        return 8_192 + 1_000 * self._size + 1_000 * len(self._account.outcomes)

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """Every edit, in the order of the schema."""
        return self._account.edits

    @property
    def normal(self) -> Normal:
        """The schema's normal form, from which the check is made: a fresh one each time."""
        return copied_normal(self._normal)

    @property
    def wire(self) -> dict[str, Any]:
        """The wire schema: a fresh one each time, which the caller may change."""
        wire: dict[str, Any]
        if self._copies is not None:
            wire = self._copies.fresh()
            return wire
        wire = copied(self._written)
        if not self._asked:
            self._asked = True
            return wire
        self._copies = Copies(wire)  # what is asked for twice is asked for often
        return self.wire

    @cached_property
    def wire_json(self) -> str:
        """The wire schema as compact JSON text."""
        return compact(self._written)

    @cached_property
    def measures(self) -> Measures:
        """What the wire measures, by the names of limits."""
        return MappingProxyType({**self._counted, "schema-characters": len(self.wire_json)})

    @cached_property
    def over(self) -> tuple[Over, ...]:
        """The target's limits that the wire passes, whatever was given up."""
        named = OF_SCHEMA.keys() & self._limits.keys()
        if not named or all(name in self._bounds and self._bounds[name] <= self._limits[name] for name in named):
            return ()
        return over(self.measures if "schema-characters" in named else self._counted, self._limits)

    @cached_property
    def _counted(self) -> Measures:
        """The measures that can be told without the text."""
        return counted(self._written, few=self._limits.get("enum-characters-from", 0))

    @cached_property
    def _ledger(self) -> Ledger:
        """Both ways across, made when the first call asks for it."""
        return ledger_of(self._root, self._definitions) if self._is_coded else Ledger()

    @property
    def detection(self) -> Detection:
        """How the source was read."""
        return self._normal.detection

    @property
    def outcomes(self) -> dict[str, int]:
        """How many edits had each outcome."""
        counts: dict[str, int] = {}
        for outcome in self._account.outcomes:
            counts[outcome] = counts.get(outcome, 0) + 1
        return counts

    @property
    def is_encoded(self) -> bool:
        """Whether a call on the wire has to be restored."""
        return not self._ledger.is_identity

    def restore(self, value: Json, accepts: Accepts | None = None) -> tuple[Json, tuple[Problem, ...]]:
        """The tool's own form of a call on the wire, and what in it is no spelling of anything.

        The value is not written to. A value that needs no restoring is handed back as it is.

        Args:
            value: the call's arguments.
            accepts: the check of the tool's own schema; asked only where the call can be read in more than one way.
        """
        return self._ledger.restore(value, accepts)

    def restoring(self, accepts: Accepts) -> Callable[[Json], tuple[Json, tuple[Problem, ...]]] | None:
        """What `restore` does to a call, ready for many of them; None where there is nothing to restore."""
        return partial(self._ledger.restore, accepts=accepts) if self.is_encoded else None

    def spellings(self, value: Json) -> list[Json]:
        """The wire's forms of a value in the tool's own form; the wire schema admits at least one of them."""
        return list(self._ledger.spellings(value))


def convert(  # noqa: PLR0913 - what may be left out is by keyword
    schema: Json,
    target: str,
    *,
    rules: Ruleset | None = None,
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    describe: bool | str = True,
) -> Conversion:
    """The schema as the target takes it, with the report of every edit and the way back.

    Args:
        schema: a JSON Schema of any dialect; it is not written to.
        target: the id of a target, such as one that `toolglot targets` lists.
        rules: the tables in force; the shipped ones by default.
        dialect: the dialect to read the schema by; detected by default.
        resources: schemas that the schema refers to, by URI; nothing is ever fetched.
        describe: whether what leaves the wire is said in the descriptions, in a few words; `domains` says there
            the bounds of each parameter too, whether or not the wire keeps them.

    Raises:
        SchemaError: the schema is broken or past a limit.
        RuleError: there is no such target.
    """
    ruleset = rules or default_rules()
    target_rules = ruleset.target(target)

    def make() -> Conversion:
        normal = normal_form(schema, dialect=dialect, resources=resources)
        return convert_normal(normal, target_rules, describe=describe)

    # Tables of a caller's own have no content to compare.
    options = (target, dialect, describe, dict(resources) if resources else None)
    key = content_key((schema, options)) if ruleset is default_rules() else None
    return make() if key is None else _CONVERSIONS.get(key, make)


def entry_size(key: bytes, held: Conversion) -> int:
    """The bytes that a conversion holds, with its key: an upper estimate, held by a test."""
    return 48 * len(key) + held.size


_CONVERSIONS: Cache[Conversion] = Cache(entries=4_096, size=128 * 2**20, entry_size=entry_size)


def convert_normal(normal: Normal, rules: TargetRules, *, describe: bool | str = True) -> Conversion:
    """The same for a schema in the normal form."""
    made = _made(normal, rules, describe=describe)
    limits = rules.target.limits
    if not limits or not made.over:
        return made
    for pressure in pressures(made.over, made.measures, share=bool(limits.get("share"))):
        smaller = _made(normal, rules, describe=describe, pressure=pressure)
        if not smaller.over:
            return smaller
    return made


def _made(normal: Normal, rules: TargetRules, *, describe: bool | str, pressure: Pressure = NO_PRESSURE) -> Conversion:
    run = Run(normal, rules, describe=describe, pressure=pressure)
    root, definitions = run.whole()
    made = frozenset(run.synthesized.values())
    verbs = _root_verbs(rules, root, definitions)
    own = run.digest if "rename" in verbs else None
    if run.met_never:
        root, definitions = run.without_never(root, definitions, forbids="spell-never" in verbs)
        made = frozenset(run.synthesized.values())
    if pressure.share:
        definitions, made = shared(root, definitions), frozenset()
    definitions = finished(
        root,
        definitions,
        made=made,
        own=own,
        closed=run.closed,
    )
    return Conversion(rules.target, normal, run, root, definitions, verbs)


def _root_verbs(rules: TargetRules, root: Schema, definitions: Mapping[str, Schema]) -> frozenset[str]:
    """The verbs that a target asks for at the root of a wire, as the edits of its nodes leave it."""
    if not rules.of_root:
        return frozenset()
    node = {**root, "$defs": definitions} if definitions else root
    facts = {"wire": True, **{f"open-{name}": _is_open(root, keyword) for name, keyword in _OPENING.items()}}
    return frozenset([rule.verb for rule in rules.of_root if rule.when.test(node, facts)])


_OPENING = {
    "additional-properties": "additionalProperties",
    "unevaluated-properties": "unevaluatedProperties",
}


def _is_open(root: Schema, keyword: str) -> bool | None:
    return True if keyword in root and not is_never(root[keyword]) else None
