"""The rules in force: every table read together, frozen, and arranged for each target.

Any table may retire a rule by its id; no table may define an id that another has. A target has the rules
that name it (`for`, else the targets of their file) and, with `like`, those of another target `without` a few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from types import MappingProxyType
from typing import TypeVar

from toolglot.errors import RuleError
from toolglot.tables import sources
from toolglot.tables.loader import read_table
from toolglot.tables.ordering import Ancestors, ancestors, in_order, refuse_contested
from toolglot.tables.rows import Rule, Table, Target, fault
from toolglot.tables.spelling import near
from toolglot.tables.target_rules import TargetRules, arranged

__all__ = ["Ruleset", "TargetRules", "assemble", "default_rules", "load_rules"]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Ruleset:
    """All rules and targets in force; compared by identity, so that it can be a cache's key.

    Attributes:
        rules: the rules by id, without the retired ones.
        targets: the targets by id.
        retired: the retired rules by id.
        files: the tables that were read.
    """

    rules: Mapping[str, Rule]
    targets: Mapping[str, Target]
    retired: Mapping[str, Rule]
    files: tuple[str, ...]
    _before: Ancestors = field(repr=False)
    _arranged: dict[str, TargetRules] = field(default_factory=dict, repr=False)

    def target(self, name: str) -> TargetRules:
        """The rules of a target; raises RuleError for an unknown one."""
        known = self._arranged.get(name)
        if known is None:
            if name not in self.targets:
                raise RuleError("", "target", f"no target {name!r}", hint=near(name, self.targets))
            rules = in_order(_members(self, name), self._before)
            refuse_contested(rules, self._before, name)
            known = self._arranged.setdefault(name, arranged(self.targets[name], rules))
        return known

    def at(self, place: str) -> tuple[Rule, ...]:
        """The rules of a place that belong to no target, in the order they run."""
        members = [rule for rule in self.rules.values() if rule.at == place and not rule.targets]
        return in_order(members, self._before)


def _members(ruleset: Ruleset, name: str) -> list[Rule]:
    """The rules of a target: its own, and those of the target it is like, as far as they hold here."""
    members: dict[str, Rule] = {}
    left_out: set[str] = set()
    current: str | None = name
    while current is not None:
        left_out.update(ruleset.targets[current].without)
        own = [rule for rule in ruleset.rules.values() if current in rule.targets and rule.id not in left_out]
        members.update({rule.id: rule for rule in own})
        current = ruleset.targets[current].like
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
    with _DEFAULT_LOCK:
        if not _DEFAULT:
            _DEFAULT.append(_loaded((), entry_points=True))
        return _DEFAULT[0]


_DEFAULT: list[Ruleset] = []
# Reentrant: an installed package may ask for the rules while it is imported for its tables.
_DEFAULT_LOCK = RLock()


def _loaded(paths: Iterable[str | Path], *, entry_points: bool) -> Ruleset:
    """The ruleset of all sources, each file once."""
    texts = dict(sources.shipped())
    if entry_points:
        texts.update(sources.installed())
    for path in paths:
        texts.update(sources.at_path(path))
    return assemble([read_table(text, file) for file, text in texts.items()])


def assemble(tables: Iterable[Table]) -> Ruleset:
    """The ruleset of some tables; raises RuleError where they do not fit together."""
    tables = sorted(tables, key=lambda table: table.file)
    rules = _once([rule for table in tables for rule in table.rules], "rule")
    targets = _once([target for table in tables for target in table.targets], "target")
    _refuse_dangling(rules, targets)
    retired = _retired(tables, rules)
    ruleset = Ruleset(
        rules=MappingProxyType({name: rule for name, rule in rules.items() if name not in retired}),
        targets=MappingProxyType(targets),
        retired=MappingProxyType({name: rule for name, rule in rules.items() if name in retired}),
        files=tuple([table.file for table in tables]),
        _before=ancestors(rules),
    )
    for name in targets:
        ruleset.target(name)
    return ruleset


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


def _retired(tables: Iterable[Table], rules: Mapping[str, Rule]) -> frozenset[str]:
    """The ids that the tables retire; an unknown one is refused."""
    for table in tables:
        for name in table.retire:
            if name not in rules:
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
