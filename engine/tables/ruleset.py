"""The rules in force: every table read together, frozen, and arranged for each target.

Any table may retire a rule by its id; no table may define an id that another has. A target has the rules
that name it (`for`, else the targets of their file) and, with `like`, those of another target `without` a few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from types import MappingProxyType
from typing import TypeVar

from toolglot.errors import RuleError
from toolglot.tables import sources
from toolglot.tables.envelopes import envelopes
from toolglot.tables.ordering import Ancestors, ancestors, in_order, refuse_contested
from toolglot.tables.rows import Rule, Table, Target, fault
from toolglot.tables.shelf import Shelf, is_closed
from toolglot.tables.spelling import near
from toolglot.tables.target_rules import TargetRules, arranged

__all__ = ["Ruleset", "TargetRules", "assemble", "default_rules", "load_rules"]


class Ruleset:
    """All rules and targets in force; compared by identity, so that it can be a cache's key.

    What stands in many files is read as far as it is asked for: a target needs the files that name it, and everything
    else all files at once.
    """

    def __init__(self, shelf: Shelf, *, whole: bool) -> None:
        """Reads nothing yet.

        Args:
            shelf: the tables.
            whole: whether a target needs all files, as it does where one table may retire the rule of another.
        """
        self._shelf, self._is_whole = shelf, whole
        self._arranged: dict[str, TargetRules] = {}

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The rules by id, without the retired ones."""
        return self._all.rules

    @property
    def targets(self) -> Mapping[str, Target]:
        """The targets by id."""
        return self._all.targets

    @property
    def retired(self) -> Mapping[str, Rule]:
        """The retired rules by id."""
        return self._all.retired

    @property
    def before(self) -> Ancestors:
        """What runs before each rule."""
        return self._all.before

    @property
    def files(self) -> tuple[str, ...]:
        """The tables that were read."""
        return self._shelf.files

    def target(self, name: str) -> TargetRules:
        """The rules of a target; raises RuleError for an unknown one."""
        known = self._arranged.get(name)
        if known is None:
            rows = self._rows_of(name)
            if name not in rows.targets:
                raise RuleError(
                    "",
                    "target",
                    f"no target {name!r}",
                    hint=near(name, rows.targets) or "`toolglot targets` lists them",
                )
            known = self._arranged.setdefault(name, rows.arranged(name))
        return known

    def at(self, place: str) -> tuple[Rule, ...]:
        """The rules of a place that belong to no target, in the order they run."""
        tables = None if self._is_whole else self._shelf.naming(place)
        rows = self._all if tables is None or not is_closed(tables) else _rows(tables, whole=False)
        members = [rule for rule in rows.rules.values() if rule.at == place and not rule.targets]
        return in_order(members, rows.before)

    def _rows_of(self, name: str) -> Rows:
        """Rows enough for a target: those of the files that name it or a target that it is like."""
        if self._is_whole or (tables := self._shelf.of_target(name)) is None or not is_closed(tables):
            return self._all
        return _rows(tables, whole=False)

    @cached_property
    def _all(self) -> Rows:
        """All rows, which fit together."""
        return _rows(self._shelf.tables(), whole=True)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of some tables, in force and by id, with what comes before each rule."""

    rules: Mapping[str, Rule]
    targets: Mapping[str, Target]
    retired: Mapping[str, Rule]
    before: Ancestors

    def arranged(self, name: str) -> TargetRules:
        """The rules of a target; raises RuleError where two of them touch one keyword in no order."""
        rules = in_order(self._members(name), self.before)
        refuse_contested(rules, self.before, name)
        return arranged(self.targets[name], rules)

    def _members(self, name: str) -> list[Rule]:
        """The rules of a target: its own, and those of the target it is like, as far as they hold here."""
        members: dict[str, Rule] = {}
        left_out: set[str] = set()
        current: str | None = name
        while current is not None:
            left_out.update(self.targets[current].without)
            own = [rule for rule in self.rules.values() if current in rule.targets and rule.id not in left_out]
            members.update({rule.id: rule for rule in own})
            current = self.targets[current].like
        return list(members.values())


# Loading ------------------------------------------------------------------------------------------


def load_rules(*paths: str | Path, entry_points: bool = True) -> Ruleset:
    """The shipped rules, with those of installed packages and of the paths.

    Args:
        paths: TOML files, or folders with TOML files in and below them.
        entry_points: whether packages in the entry point group `toolglot.rules` take part.

    Raises:
        RuleError: a table is wrong; the error names file, line, field and reason.
    """
    if entry_points and not paths:
        return default_rules()
    return _loaded(paths, entry_points=entry_points)


def default_rules() -> Ruleset:
    """The shipped rules and those of installed packages, read once."""
    if _DEFAULT:  # every conversion and every check of a schema asks: threads must not wait for one another here
        return _DEFAULT[0]
    with _DEFAULT_LOCK:
        if not _DEFAULT:
            _DEFAULT.append(_loaded((), entry_points=True))
        return _DEFAULT[0]


_DEFAULT: list[Ruleset] = []
# Reentrant: an installed package may ask for the rules while it is imported for its tables.
_DEFAULT_LOCK = RLock()


def _loaded(paths: Iterable[str | Path], *, entry_points: bool) -> Ruleset:
    """The ruleset of all sources, each file once; what strangers wrote is read and checked at once."""
    shipped = dict(sources.shipped())
    others = dict(sources.installed()) if entry_points else {}
    for path in paths:
        others.update(sources.at_path(path))
    ruleset = Ruleset(Shelf({**shipped, **others}), whole=bool(others))
    return ruleset if not others else checked(ruleset)


def assemble(tables: Iterable[Table]) -> Ruleset:
    """The ruleset of some tables; raises RuleError where they do not fit together."""
    return checked(Ruleset(Shelf.of(tables), whole=True))


def checked(ruleset: Ruleset) -> Ruleset:
    """The same ruleset, read whole; raises RuleError for the first thing that is wrong."""
    for name in ruleset.targets:
        ruleset.target(name)
    return ruleset


def _rows(tables: list[Table], *, whole: bool) -> Rows:
    """The rows of some tables; where these are all there are, a row that names what nothing is called is refused."""
    rules = _once([rule for table in tables for rule in table.rules], "rule")
    targets = _once([target for table in tables for target in table.targets], "target")
    if whole:
        _refuse_dangling(rules, targets)
    retired = _retired(tables, rules, whole=whole)
    return Rows(
        rules=MappingProxyType({name: rule for name, rule in rules.items() if name not in retired}),
        targets=MappingProxyType(targets),
        retired=MappingProxyType({name: rule for name, rule in rules.items() if name in retired}),
        before=ancestors(rules),
    )


_Row = TypeVar("_Row", Rule, Target)


def _once(rows: Iterable[_Row], kind: str) -> dict[str, _Row]:
    """The rows by id, sorted; an id that stands twice is refused."""
    found: dict[str, _Row] = {}
    for row in rows:
        first = found.setdefault(row.id, row)
        if first is not row:
            reason = f"the id is taken by {first.file}:{first.line}, and a {kind} can't be replaced"
            raise fault(row, "", reason, "give this one an id of its own; a rule can be retired by its id")
    return dict(sorted(found.items()))


def _retired(tables: Iterable[Table], rules: Mapping[str, Rule], *, whole: bool) -> frozenset[str]:
    """The ids that the tables retire; an unknown one is refused."""
    for table in tables:
        for name in table.retire:
            if whole and name not in rules:
                raise RuleError(
                    table.file, "retire", f"no rule {name!r}", line=table.retire_line, hint=near(name, rules)
                )
    return frozenset(name for table in tables for name in table.retire)


def _refuse_dangling(rules: Mapping[str, Rule], targets: Mapping[str, Target]) -> None:
    """Raises RuleError where a row names a rule or a target that does not exist, or is like itself."""
    for rule in rules.values():
        _refuse_unknown(rule, "for", rule.targets, targets)
        _refuse_unknown(rule, "after", rule.after, rules)
    for target in targets.values():
        _refuse_unknown(target, "like", [target.like] if target.like else [], targets)
        _refuse_unknown(target, "without", target.without, rules)
        _refuse_unknown(target, "envelope", [target.envelope], envelopes())
        _refuse_unknown(
            target, "limits", [target.limits[key] for key in ("otherwise",) if key in target.limits], targets
        )
    for target in targets.values():
        models = _models(target, targets)
        inherited = [rule.id for rule in rules.values() if not models.isdisjoint(rule.targets)]
        _refuse_unknown(target, "without", target.without, inherited)


def _models(target: Target, targets: Mapping[str, Target]) -> set[str]:
    """The targets that a target is like, near and far; a circle is refused."""
    models: set[str] = set()
    current = target.like
    while current is not None:
        if current in models or current == target.id:
            raise fault(target, "like", f"this target is like {target.like!r}, which comes back in a circle", None)
        models.add(current)
        current = targets[current].like
    return models


def _refuse_unknown(row: Rule | Target, where: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raises RuleError for a name that a field mentions and nothing has."""
    existing = set(known)
    for name in names:
        if name not in existing:
            raise fault(row, where, f"nothing is called {name!r} here", near(name, existing))
