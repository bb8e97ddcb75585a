"""The rules of one target, indexed by the keywords that trigger them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolglot.json_values import Json
from toolglot.tables.foresight import Shape
from toolglot.tables.rows import Rule, Target
from toolglot.tables.verbs import LATE

# Real schemas have a few dozen combinations of triggers on one node; a stranger's must not fill memory.
_REMEMBERED = 1_000
_Key = tuple[frozenset[str], Json, bool, bool]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class TargetRules:
    """The rules of one target in the order they run; compared by identity, so that it can be a cache's key.

    Attributes:
        target: the target.
        rules: its rules, of every place.
        triggers: the keywords of which a node has one wherever a rule at "schema" fires, the always-rules aside.
        always: the rules at "schema" that can fire on any node.
        of_root: the rules at "root", which look at the wire as a whole.
    """

    target: Target
    rules: tuple[Rule, ...]
    triggers: frozenset[str]
    always: tuple[Rule, ...]
    of_root: tuple[Rule, ...]
    _schema_rules: tuple[Rule, ...] = field(repr=False)
    _asks: frozenset[str] = field(repr=False)
    _chosen: dict[_Key, tuple[Rule, ...]] = field(default_factory=dict, repr=False)

    def at(self, place: str) -> tuple[Rule, ...]:
        """The rules of a place, in the order they run."""
        return tuple([rule for rule in self.rules if rule.at == place])

    def candidates(self, node: Mapping[str, Json], *, root: bool = False) -> tuple[Rule, ...]:
        """The rules at "schema" that could edit a node, in the order they run.

        Which these are depends on the shape of the node alone, and is remembered.
        """
        named = node.get("type")
        present = self._asks.intersection(node)
        # The last says whether the node has keywords that nobody asks for.
        key = present, tuple(named) if isinstance(named, list) else named, root, len(present) < len(node)
        try:  # not `get`, see `Cache`
            return self._chosen[key]
        except KeyError:
            return self._choose(key)

    def _choose(self, key: _Key) -> tuple[Rule, ...]:
        """The rules that could edit nodes of a shape."""
        shape, others = Shape(*key[:3]), key[3]
        chosen = tuple(
            [
                rule
                for rule in self._schema_rules
                if rule.when.foresees(shape) is not False
                and not (rule.verb == "strip" and not others and shape.present.issubset(_words(rule.options)))
            ]
        )
        if len(self._chosen) >= _REMEMBERED:
            self._chosen.clear()  # so that a stranger's shapes do not keep out those that come again
        self._chosen[key] = chosen
        return chosen


def _words(options: Json) -> tuple[str, ...]:
    return (options,) if isinstance(options, str) else tuple(options)


def arranged(target: Target, rules: tuple[Rule, ...]) -> TargetRules:
    """A target's rules, indexed."""
    of_schema = [rule for rule in rules if rule.at == "schema"]
    schema_rules = tuple(sorted(of_schema, key=lambda rule: rule.verb in LATE))
    triggers = frozenset[str]().union(*[rule.when.triggers or () for rule in schema_rules])
    always = tuple([rule for rule in schema_rules if rule.when.triggers is None])
    asks = frozenset[str]().union(*[rule.when.asks for rule in schema_rules])
    kept = [_words(rule.options) for rule in schema_rules if rule.verb == "strip"]
    of_root = tuple([rule for rule in rules if rule.at == "root"])
    return TargetRules(target, rules, triggers, always, of_root, schema_rules, asks.union({"type"}, *kept))
