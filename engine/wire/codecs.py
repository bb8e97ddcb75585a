"""The ledger: how the wire's form of a value differs from the tool's own, and both ways across.

An object that is closed on the wire keeps the undeclared keys that the tool's schema admits in one property
of its own, the slot. The slot's name is declared nowhere else in the schema, so it tells the objects that
have one. The ledger is built once from the finished wire and keeps only the places that lead to a slot, so
that a schema without one costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

from toolglot.errors import CallError, Path, Problem
from toolglot.json_values import Json
from toolglot.schemas.forms import Schema

MAXIMUM_DEPTH = 300  # of a value; each level is a Python call
MAXIMUM_SPELLINGS = 64


@dataclass(slots=True, eq=False)
class Step:
    """What to do at one place of a value, and below it.

    Attributes:
        declared: for each kind of object that stands here with a slot, the properties beside the slot.
        properties: steps below, by property.
        others: the step for every other key of an object.
        positions: steps below, by position of an array.
        items: the step for every other item.
    """

    declared: tuple[frozenset[str], ...] = ()
    properties: dict[str, Step] = field(default_factory=dict)
    others: Step | None = None
    positions: dict[int, Step] = field(default_factory=dict)
    items: Step | None = None

    def below(self) -> Iterator[Step]:
        """Every step that this one leads to."""
        yield from self.properties.values()
        yield from self.positions.values()
        yield from (step for step in (self.others, self.items) if step is not None)

    def keep_only(self, wanted: set[Step]) -> None:
        """Forgets the steps below that lead nowhere."""
        self.properties = {name: step for name, step in self.properties.items() if step in wanted}
        self.positions = {index: step for index, step in self.positions.items() if step in wanted}
        self.others = self.others if self.others in wanted else None
        self.items = self.items if self.items in wanted else None


class Ledger:
    """Both ways between the tool's own form of a value and the wire's.

    Attributes:
        slot: the property that holds the undeclared keys of an object.
    """

    __slots__ = ("_root", "slot")

    def __init__(self, root: Step | None = None, slot: str = "") -> None:
        self._root, self.slot = root, slot

    @property
    def is_identity(self) -> bool:
        """Whether the wire has every value in the tool's own form."""
        return self._root is None

    def restore(self, value: Json) -> tuple[Json, tuple[Problem, ...]]:
        """The tool's own form of a call on the wire, and what in it is no spelling of anything.

        The value handed in is not written to. Parts that need no restoring are handed on as they are.
        """
        if self._root is None:
            return value, ()
        problems: list[Problem] = []
        return self._restore(self._root, value, (), problems), tuple(problems)

    def spellings(self, value: Json) -> Iterator[Json]:
        """The wire's forms of a value in the tool's own form, the plainest first, at most `MAXIMUM_SPELLINGS`.

        There is more than one where alternatives of the schema declare different properties; the wire
        schema admits at least one of them.
        """
        if self._root is None:
            yield value
        else:
            yield from islice(self._spell(self._root, value, 0), MAXIMUM_SPELLINGS)

    def _restore(self, step: Step, value: Json, path: Path, problems: list[Problem]) -> Json:
        if not isinstance(value, (dict, list)):
            return value
        if len(path) > MAXIMUM_DEPTH:
            raise CallError(path[:8], f"nested deeper than {MAXIMUM_DEPTH} levels")
        restored: Json = dict(value) if isinstance(value, dict) else list(value)
        for key, below, item in _below(step, value):
            restored[key] = self._restore(below, item, (*path, key), problems)
        if step.declared and isinstance(restored, dict) and self.slot in restored:
            self._unslot(step, restored, path, problems)
        return restored

    def _unslot(self, step: Step, restored: dict[str, Json], path: Path, problems: list[Problem]) -> None:
        """Moves the slot's keys beside the object's own; a slot that says a key twice is no spelling of anything."""
        extra = restored.pop(self.slot)
        if not isinstance(extra, dict):
            problems.append(Problem((*path, self.slot), "type", "slot", extra, "an object with the other keys"))
            return
        always_declared = frozenset.intersection(*step.declared)
        for key, item in extra.items():
            if key in restored or key in always_declared:
                where = (*path, self.slot, key)
                problems.append(Problem(where, "properties", "slot", item, f"{key!r} outside of {self.slot!r}"))
            else:
                restored[key] = item

    def _spell(self, step: Step | None, value: Json, depth: int) -> Iterator[Json]:
        if depth > MAXIMUM_DEPTH:
            raise CallError((), f"nested deeper than {MAXIMUM_DEPTH} levels")
        if step is None or not isinstance(value, (dict, list)):
            yield value
        elif isinstance(value, list):
            items = [self._spellings(step.positions.get(at, step.items), item, depth) for at, item in enumerate(value)]
            yield from (list(chosen) for chosen in product(*items))
        else:
            for declared in _kinds_of_object(step, value):
                yield from self._spell_object(step, value, declared, depth)

    def _spell_object(
        self, step: Step, value: dict[str, Json], declared: frozenset[str] | None, depth: int
    ) -> Iterator[Json]:
        """The spellings of an object with the keys that are not declared in the slot; None: with all keys beside it."""
        kept = {key: item for key, item in value.items() if declared is None or key in declared}
        extra = {key: item for key, item in value.items() if key not in kept}
        slot = step.properties.get(self.slot)
        below = [self._spellings(step.properties.get(key, step.others), item, depth) for key, item in kept.items()]
        inside = [self._spellings(slot.others if slot else None, item, depth) for item in extra.values()]
        for chosen in product(*below, *inside):
            spelled: dict[str, Json] = dict(zip(kept, chosen, strict=False))
            if extra:
                spelled[self.slot] = dict(zip(extra, chosen[len(kept) :], strict=True))
            yield spelled

    def _spellings(self, step: Step | None, value: Json, depth: int) -> list[Json]:
        return list(islice(self._spell(step, value, depth + 1), MAXIMUM_SPELLINGS))


def _kinds_of_object(step: Step, value: dict[str, Json]) -> list[frozenset[str] | None]:
    """The kinds of object that could hold the value, by what they declare, the one that declares most of it first."""
    if not step.declared:
        return [None]
    kinds: dict[tuple[str, ...], frozenset[str]] = {}
    for declared in step.declared:
        kinds.setdefault(tuple(key for key in value if key not in declared), declared)
    in_order: list[frozenset[str] | None] = [kinds[extra] for extra in sorted(kinds, key=len)]
    return in_order if () in kinds else [*in_order, None]


def _below(step: Step, value: Mapping[str, Json] | list[Json]) -> Iterator[tuple[Any, Step, Json]]:
    """The places below that a step leads to."""
    for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
        if isinstance(item, (dict, list)):
            below = (
                step.properties.get(key, step.others) if isinstance(key, str) else step.positions.get(key, step.items)
            )
            if below is not None:
                yield key, below, item


def ledger_of(root: Schema, definitions: Mapping[str, Schema], slot: str) -> Ledger:
    """The ledger of a finished wire; the slot's name tells the objects that have one."""
    builder = _Builder(definitions, slot)
    first = builder.step([root])
    builder.build()
    leading = builder.leading()
    for step in leading:
        step.keep_only(leading)
    return Ledger(first if first in leading else None, slot)


class _Builder:
    """Builds one step for each set of wire nodes that can stand at the same place of a value.

    Alternatives are read together, since a call does not say which of them it follows. The sets come from
    the schema's own nodes, so a recursive schema gives a cycle of steps and not an endless tree.
    """

    def __init__(self, definitions: Mapping[str, Schema], slot: str) -> None:
        self.definitions, self.slot = definitions, slot
        self.steps: dict[frozenset[int], Step] = {}
        self.waiting: list[tuple[Step, list[Schema]]] = []

    def step(self, nodes: list[Schema]) -> Step:
        shapes = self.shapes(nodes)
        key = frozenset(map(id, shapes))
        if key not in self.steps:
            self.steps[key] = Step()
            self.waiting.append((self.steps[key], shapes))
        return self.steps[key]

    def shapes(self, nodes: list[Schema]) -> list[Schema]:
        """The nodes that say something of an object or an array, behind references and alternatives."""
        found: dict[int, Schema] = {}
        seen: set[int] = set()
        stack = list(reversed(nodes))
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if "$ref" in node:
                stack.append(self.definitions[node["$ref"].rpartition("/")[2]])
            stack.extend(reversed([*node.get("anyOf", ()), *node.get("oneOf", ())]))
            if any(keyword in node for keyword in ("properties", "additionalProperties", "items", "prefixItems")):
                found[id(node)] = node
        return list(found.values())

    def build(self) -> None:
        while self.waiting:
            step, shapes = self.waiting.pop()
            objects = [node for node in shapes if "properties" in node or "additionalProperties" in node]
            slotted = [node for node in objects if self.slot in node.get("properties", ())]
            step.declared = tuple(frozenset(node["properties"]) - {self.slot} for node in slotted)
            others = [
                said for said in (node.get("additionalProperties") for node in objects) if isinstance(said, Schema)
            ]
            names = dict.fromkeys(name for node in objects for name in node.get("properties", ()))
            for name in names:
                declaring = [node["properties"][name] for node in objects if name in node.get("properties", ())]
                step.properties[name] = self.step(declaring + others)
            step.others = self.step(others) if others else None
            self._build_array(step, [node for node in shapes if "items" in node or "prefixItems" in node])

    def _build_array(self, step: Step, arrays: list[Schema]) -> None:
        items = [node["items"] for node in arrays if "items" in node]
        for index in range(max((len(node.get("prefixItems", ())) for node in arrays), default=0)):
            at_index = [node["prefixItems"][index] for node in arrays if index < len(node.get("prefixItems", ()))]
            step.positions[index] = self.step(at_index + items)
        step.items = self.step(items) if items else None

    def leading(self) -> set[Step]:
        """The steps that have a slot or lead to one."""
        above: dict[Step, list[Step]] = {}
        for step in self.steps.values():
            for below in step.below():
                above.setdefault(below, []).append(step)
        found: set[Step] = set()
        stack = [step for step in self.steps.values() if step.declared]
        while stack:
            step = stack.pop()
            if step not in found:
                found.add(step)
                stack.extend(above.get(step, ()))
        return found
