"""One conversion at work: each node is edited, from the root down, and then what is below it waits its turn.

At a node the target's rules are tried in their order until none fires. A definition is visited when a reference
to it is met, so that what nobody refers to never reaches the wire. Nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from toolglot.schemas.forms import Normal, Schema
from toolglot.tables.limits import OF_SCHEMA
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.causes import NOTHING_FITS
from toolglot.wire.conjunction import never
from toolglot.wire.edited import Edited, Lost
from toolglot.wire.editing import Done, Editor
from toolglot.wire.edits import drop
from toolglot.wire.ground import Spot
from toolglot.wire.guards import UNEVALUATED, Guarding, guards_of
from toolglot.wire.impossible import is_nothing, misses_a_key, take_out
from toolglot.wire.limits import COUNTABLE, NO_PRESSURE, Measures, Pressure, at_most
from toolglot.wire.parameters import with_domains
from toolglot.wire.shapes import Wire, codecs_of, groups, is_leaf, like, nodes_of, own_containers
from toolglot.wire.tags import UNIONS, Changes, can_mix, moves_more, tagged, tags
from toolglot.wire.writing import shortly

MOST_ROUNDS = 4
MOST_KEYS_SAID = 100  # characters
NOTABLE = COUNTABLE | {"additionalProperties", "not", "enum"}
# The container that a node is put into, its key there, the node before its edits, and where it stands.
_Waiting = tuple[Any, Any, Schema, Spot]


class Run(Editor):
    """One conversion, from the root of a schema to its last definition.

    Attributes:
        is_coded: whether any value has another form on the wire.
        size: how many keywords the edited nodes have.
        closed: the nodes that say something of undeclared keys.
        met_never: whether there was a node that nothing fits, but for those that close another one.
    """

    def __init__(
        self, normal: Normal, rules: TargetRules, *, describe: bool | str, pressure: Pressure = NO_PRESSURE
    ) -> None:
        super().__init__(normal, rules, describe=describe, pressure=pressure)
        self.is_coded = self.met_never = self._may_mix = False
        self.closed: list[Schema] = []
        self.size = self._deepest = 0
        self._countable: list[Schema] = []
        self._guarding = Guarding()
        self._unions: list[tuple[Schema, Spot]] = []
        self._coded: list[tuple[Schema, Spot]] = []
        self._references: list[tuple[Schema, Spot, str]] = []
        self._settled: frozenset[int] = frozenset()  # the ids of nodes that stay as they are
        self._before: Mapping[str, Schema] = {}  # the definitions as an earlier pass left them

    # The pass

    def whole(self) -> tuple[Schema, dict[str, Schema]]:
        """The root and the definitions that it leads to, each edited."""
        out: dict[str, Schema] = {}
        holder: dict[str, Schema] = {}
        waiting: list[_Waiting] = [(holder, "root", self.normal.root, self.spot)]
        self._pass(waiting, out, self.spot)
        self._take_off_broken()
        if self._may_mix and self._unions:
            self._tell_apart(waiting, out)
        root = holder["root"]
        if self.describe == "domains":
            root = with_domains(root, self.normal.root)
            self.closed.extend([root, *root.get("properties", {}).values()])
        return root, out

    def without_never(
        self, root: Schema, definitions: dict[str, Schema], *, forbids: bool
    ) -> tuple[Schema, dict[str, Schema]]:
        """The root and the definitions without what nothing fits.

        What has lost a part is edited once more: a list that has no items any more may not stand like that either.

        Args:
            root: the root, edited.
            definitions: the definitions, edited.
            forbids: whether the wire can say that a key may not be.
        """
        root = own_containers(root)
        for _ in range(MOST_ROUNDS):
            taken = take_out(root, definitions, forbids=forbids)
            for node, lost in taken.relaxed:
                self.account.add(NOTHING_FITS, node, self.account.relaxed, lost)
                told = Edited(node, lost) if self.account.doubt else _said_of(node, lost)
                node.update(self.described(told, lost))
            if not taken.changed:
                break
            self._settled = frozenset([id(node) for node in taken.nodes if id(node) not in taken.changed])
            root, definitions = self._again(root, definitions)
        self.closed = nodes_of(root, definitions)
        return root, definitions

    def _again(self, root: Schema, definitions: dict[str, Schema]) -> tuple[Schema, dict[str, Schema]]:
        """The root and the definitions with every node edited that is not settled."""
        self.closed, self._countable, self._unions, self._coded, self._references = [], [], [], [], []
        self._guarding, self._before, self._deepest = Guarding(), definitions, 0
        out: dict[str, Schema] = {}
        holder: dict[str, Schema] = {}
        first = Spot()
        waiting: list[_Waiting] = [(holder, "root", root, first)]
        self._pass(waiting, out, first)
        self._take_off_broken()
        if self._may_mix and self._unions:
            self._tell_apart(waiting, out)
        return holder["root"], out

    def _pass(self, waiting: list[_Waiting], out: dict[str, Schema], first: Spot | None) -> None:
        """Edits everything that waits, and what is below it."""
        while waiting:
            container, key, source, spot = waiting.pop()
            self.spot, self.root = spot, spot is first
            settled = source.settled if isinstance(source, Wire) else ""
            if settled == "below" and not self._settled:
                container[key] = source
                self._keep_in_mind(source, spot)
                continue
            if "enum" in source and not source["enum"]:
                source = like(source, never(source.trail))
            is_settled = id(source) in self._settled if self._settled else settled == "node"
            node = source if is_settled else self.edited(source)
            self.size += len(node)
            is_last = is_leaf(node)
            # A leaf is never written to, so that it may be the source's own.
            node = container[key] = node if is_last else own_containers(node)
            self._keep_in_mind(node, spot)
            if not is_last:
                if "$ref" in node:
                    self._refer(node, waiting, out)
                self._wait(node, waiting)

    def bounds(self, definitions: Collection[str]) -> Measures:
        """Bounds of what the wire with these definitions measures; none where they are not known."""
        limits = self.rules.target.limits
        if self.pressure is not NO_PRESSURE or self.synthesized or OF_SCHEMA.keys().isdisjoint(limits):
            return {}
        return at_most(self._countable, definitions, self._deepest + 1, few=limits.get("enum-characters-from", 0))

    def _keep_in_mind(self, node: Schema, spot: Spot) -> None:
        """Notes what is to be looked at once all nodes are edited, so that the rest is not looked at again."""
        self._deepest = max(self._deepest, spot.depth)
        if node.__class__ is Wire and moves_more(codecs_of(node)):
            self._coded.append((node, spot))
            self._may_mix = self._may_mix or can_mix(codecs_of(node), spot)
        if NOTABLE.isdisjoint(node):
            return
        if "additionalProperties" in node:
            self.closed.append(node)
            self.met_never = self.met_never or misses_a_key(node)
        if ("not" in node or "enum" in node) and is_nothing(node):
            self.met_never = True
        if "anyOf" in node or "oneOf" in node:
            self._unions.append((node, spot))
        self._countable.append(node)

    def _refer(self, node: Schema, waiting: list[_Waiting], out: dict[str, Schema]) -> None:
        """Puts the definition that a node refers to in the line, at the first reference to it."""
        spot, name = self.spot, node["$ref"].rpartition("/")[2]
        self._met.setdefault(spot.place, set()).add(name)
        self._guarding.refers(spot.place, spot.guards, name)
        self._references.append((node, spot, name))
        if name not in out:
            out[name] = node  # a placeholder until its turn, so that it waits only once
            source = self._before[name] if name in self._before else self.definitions[name]
            waiting.append((out, name, source, Spot(spot.depth, "$defs", place=name)))

    def _tell_apart(self, waiting: list[_Waiting], out: dict[str, Schema]) -> None:
        """Puts a name around branches that would read like others on the wire, though they mean another value."""
        unions, self._unions = self._unions, []
        changes = Changes()

        def definition(reference: str) -> Schema:
            return out[reference.rpartition("/")[2]]

        for _ in range(MOST_ROUNDS):  # a name within a union can make it read like a branch beside it
            self._take_in(changes)
            for node, spot in unions:
                if node not in changes:
                    continue
                for keyword in ("anyOf", "oneOf"):
                    branches = node.get(keyword, ())
                    for at, name in tags(branches, changes, definition):
                        here = Spot(spot.depth, keyword, (), spot.guards, spot.place, spot.in_branch, (node, spot))
                        waiting.append((branches, at, tagged(branches[at], name), here))
            if not waiting:
                break
            self._deepest += 1
            self._pass(waiting, out, None)

    def _take_in(self, changes: Changes) -> None:
        """Tells which nodes have another form, of those that came since it was asked for the last time."""
        for node, spot, name in self._references:
            changes.refers(node, spot, name)
        for node, spot in self._coded:
            changes.says_otherwise(node, spot)
        self._references.clear()
        self._coded.clear()

    def _wait(self, node: Schema, waiting: list[_Waiting]) -> None:
        """Puts what is below a node in the line, so that the first comes first."""
        spot = self.spot
        in_branch = spot.in_branch or spot.keyword in UNIONS
        line: list[_Waiting] = []
        for keyword, is_part, container, held in groups(node):
            if container is node and _says_nothing_fits(keyword, node[keyword]):
                continue
            guards = guards_of(node, keyword, spot.guards)
            here = Spot(spot.depth + is_part, keyword, spot.inlined, guards, spot.place, in_branch, (node, spot))
            line += [(container, key, child, here) for key, child in held]
        line.reverse()
        waiting += line

    def tell(self, node: Schema, done: Done) -> None:
        """Adds the edit to the report, and breaks what stands above and relies on the node."""
        cause, outcome, lost, breaks, coded = done
        self.account.add(cause, node, outcome, lost)
        if breaks:
            self.is_coded = self.is_coded or coded
            self._guarding.edited(self.spot.place, self.spot.guards, cause, coded=coded)

    def _take_off_broken(self) -> None:
        """Takes off the keywords that an edit below has given another meaning."""
        for guard in self._guarding.broken():
            node, keyword, cause = guard.node, guard.keyword, guard.broken
            if keyword not in node or cause is None:
                continue
            lost: Lost = ((keyword, guard.source),)
            if keyword == "oneOf" and "anyOf" not in node and not guard.coded:
                node["anyOf"] = node.pop("oneOf")
            else:
                kept = drop(node, [keyword, *UNEVALUATED], self)
                lost += tuple(pair for pair in kept.lost if pair[0] != keyword)
                node.clear()
                node.update(kept.node)
            outcome = self.account.relaxed
            self.account.add(cause, node, outcome, lost)
            node.update(self.described(Edited(node, lost), lost))


def _says_nothing_fits(keyword: str, child: Schema) -> bool:
    """Whether the keyword closes its node: an edit of what stands under it would open it again."""
    return child.get("not") == {} if keyword == "additionalProperties" else keyword == "not" and not child


def _said_of(node: Schema, lost: Lost) -> Edited:
    """The node that lost what nothing fits, with the words for it: keys that may not be are said by their names."""
    keys = [key for keyword, value in lost if keyword == "properties" for key in value]
    return Edited(node, lost, words="keys-that-may-not-be" if keys else "", outline=shortly(keys, MOST_KEYS_SAID))
