"""The order that rules run in.

The order of rows and files means nothing: rules run in the order that `after` asks for, and by id where it
asks for nothing. `after` counts through rows in between, also through ones that a target does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import combinations

from toolglot.tables.rows import Rule, fault

Ancestors = Mapping[str, frozenset[str]]
"""For each rule's id, the ids of all rules that come before it."""


def ancestors(rules: Mapping[str, Rule]) -> Ancestors:
    """What comes before each rule; raises RuleError where rules come after each other in a circle."""
    sorter = TopologicalSorter({rule.id: rule.after for rule in rules.values()})
    try:
        order = list(sorter.static_order())
    except CycleError as error:
        circle = [str(name) for name in error.args[1]]
        rule = rules[circle[0]]
        reason = f"these rules come after each other in a circle: {', '.join(sorted(set(circle)))}"
        raise fault(rule, "after", reason) from None
    before: dict[str, frozenset[str]] = {}
    for name in order:
        before[name] = frozenset(rules[name].after).union(*[before[first] for first in rules[name].after])
    return before


def in_order(rules: Iterable[Rule], before: Ancestors) -> tuple[Rule, ...]:
    """The rules as they run: each after its ancestors, by id where nothing else decides."""
    members = {rule.id: rule for rule in rules}
    sorter = TopologicalSorter({name: before[name] & members.keys() for name in members})
    sorter.prepare()
    order: list[Rule] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order.extend(members[name] for name in ready)
        sorter.done(*ready)
    return tuple(order)


def refuse_contested(rules: Iterable[Rule], before: Ancestors, target: str) -> None:
    """Raises RuleError where two rules touch one keyword of a place and neither comes after the other.

    Whatever their predicates say: whether two predicates can hold of one node is a question that changes
    with every edit of either, and an `after` costs one line.
    """
    for first, second in combinations(sorted(rules, key=lambda rule: rule.id), 2):
        shared = first.touches & second.touches
        ordered = first.id in before[second.id] or second.id in before[first.id]
        if shared and first.at == second.at and not ordered:
            keywords = ", ".join(sorted(shared))
            reason = f"for {target}, this rule and {first.id} ({first.file}) both touch {keywords}"
            hint = f"say after = {first.id!r}, or the other way round"
            raise fault(second, "after", reason, hint)
