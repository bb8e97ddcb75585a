"""The steps of a finished wire: what to do with a value at each node, on its way there and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import Codec, Inside, Slot
from toolglot.wire.fitting import matches
from toolglot.wire.shapes import codecs_of


@dataclass(slots=True, eq=False)
class Step:
    """What to do with a value at one node of the wire, and below it.

    Attributes:
        node: the node.
        codecs: its own, the last one made first.
        branches: the alternatives; for a reference, what it means.
        properties: the steps below, by property.
        others: the step for other keys; keys that match one of `patterns` are none of them.
        positions: the steps below, by position.
        items: the step for every other item.
        leads: whether there is a codec here or below.
        branches_lead: whether there is one in the alternatives.
        slots: the slots of the objects that can stand here.
        leading: the properties that lead to a codec.
        is_declared: whether no other key does.
        is_last: whether its own codecs are all that a value here needs.
        forks: at the root: whether some value has to be put to the branches of a union.
        needs: the keys without which no object stands here.
    """

    node: Schema
    codecs: tuple[Codec, ...] = ()
    branches: tuple[Step, ...] = ()
    properties: dict[str, Step] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    others: Step | None = None
    positions: tuple[Step, ...] = ()
    items: Step | None = None
    leads: bool = False
    branches_lead: bool = False
    slots: frozenset[str] = frozenset()
    leading: tuple[tuple[str, Step], ...] = ()
    is_declared: bool = True
    is_last: bool = False
    forks: bool = False
    needs: frozenset[str] = frozenset()

    @property
    def is_reference(self) -> bool:
        """Whether its one branch is what a reference means."""
        return "$ref" in self.node and len(self.branches) == 1

    def below(self) -> Iterator[Step]:
        """Every step that this one leads to."""
        yield from self.branches
        yield from self.properties.values()
        yield from self.positions
        yield from (step for step in (self.others, self.items) if step is not None)

    def at(self, key: str | int) -> Step | None:
        """The step below for a key or a position, if it leads to a codec."""
        step: Step | None
        if isinstance(key, int):
            step = self.positions[key] if key < len(self.positions) else self.items
        else:
            step = self.properties.get(key)
            if step is None and not any(matches(pattern, key) for pattern in self.patterns):
                step = self.others
        return step if step is not None and step.leads else None


def is_wrapped(root: Step, value: Json) -> bool:
    """Whether a call is the one property around the root that only the wire has: no call in the tool's own form."""
    names = {codec.name for codec in root.codecs if isinstance(codec, Inside)}
    return isinstance(value, dict) and bool(value) and value.keys() <= names


def first_step(root: Schema, definitions: Mapping[str, Schema]) -> Step:
    """The step at the root of a wire, which leads to all others."""
    steps = _steps(root, definitions)
    _mark_leading(steps)
    steps[0].forks = any(step.branches_lead and not step.is_reference for step in steps)
    return steps[0]


def _steps(root: Schema, definitions: Mapping[str, Schema]) -> list[Step]:
    """One step per node of the wire that a value can stand at, the root's first."""
    steps: dict[int, Step] = {}
    waiting: list[Step] = []

    def step(node: Schema) -> Step:
        known = steps.get(id(node))
        if known is None:
            known = steps[id(node)] = Step(node, tuple(reversed(codecs_of(node))))
            waiting.append(known)
        return known

    step(root)
    while waiting:
        one = waiting.pop()
        node = one.node
        alternatives = [*node.get("anyOf", ()), *node.get("oneOf", ())]
        if "$ref" in node:
            alternatives.append(definitions[node["$ref"].rpartition("/")[2]])
        one.needs = frozenset(node.get("required", ()))
        one.branches = tuple([step(branch) for branch in alternatives])
        one.properties = {name: step(below) for name, below in node.get("properties", {}).items()}
        one.patterns = tuple(node.get("patternProperties", ()))
        one.others = _one(node.get("additionalProperties"), step)
        one.positions = tuple([step(below) for below in node.get("prefixItems", ())])
        one.items = _one(node.get("items"), step)
    return list(steps.values())


def _one(node: Schema | bool | None, step: Callable[[Schema], Step]) -> Step | None:
    return step(node) if isinstance(node, Schema) else None


def _mark_leading(steps: list[Step]) -> None:
    """Marks the steps with a codec and those that lead to one."""
    above: dict[Step, list[Step]] = {}
    for step in steps:
        for below in step.below():
            above.setdefault(below, []).append(step)
    stack = [step for step in steps if step.codecs]
    while stack:
        step = stack.pop()
        if not step.leads:
            step.leads = True
            stack.extend(above.get(step, ()))
    for step in steps:
        step.branches_lead = any(branch.leads for branch in step.branches)
        step.leading = tuple([(name, below) for name, below in step.properties.items() if below.leads])
        step.is_declared = step.others is None or not step.others.leads
        step.is_last = not any(below.leads for below in step.below())
        _mark_slots(step, frozenset(codec.name for codec in step.codecs if isinstance(codec, Slot)), above)


def _mark_slots(step: Step, slots: frozenset[str], above: Mapping[Step, list[Step]]) -> None:
    """Tells the steps that have this one among their alternatives which slots it has."""
    stack = [step] if slots else []
    while stack:
        one = stack.pop()
        if not slots <= one.slots:
            one.slots |= slots
            stack.extend(upper for upper in above.get(one, ()) if one in upper.branches)
