"""One conversion at work: each node is edited, from the root down, and then what is below it waits its turn.

At a node the target's rules are tried in their order until none fires. A definition is visited when a reference
to it is met, so that what nobody refers to never reaches the wire. Nothing here recurses.
"""

from __future__ import annotations

from typing import Any

from toolglot.schemas.forms import Normal, Schema
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.describe import in_words, verbatim
from toolglot.wire.edited import Lost
from toolglot.wire.editing import Done, Editor, said
from toolglot.wire.edits import drop
from toolglot.wire.ground import Spot
from toolglot.wire.guards import UNEVALUATED, Guarding, guards_of
from toolglot.wire.limits import NO_PRESSURE, Pressure
from toolglot.wire.parameters import with_domains
from toolglot.wire.shapes import Wire, groups, is_leaf, is_never, like, own_containers
from toolglot.wire.tags import UNIONS, can_mix, changed, tagged, tags

MOST_ROUNDS = 4
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
        self.size = 0
        self._guarding = Guarding()
        self._unions: list[tuple[Schema, Spot]] = []

    # The pass

    def whole(self) -> tuple[Schema, dict[str, Schema]]:
        """The root and the definitions that it leads to, each edited."""
        out: dict[str, Schema] = {}
        holder: dict[str, Schema] = {}
        waiting: list[_Waiting] = [(holder, "root", self.normal.root, self.spot)]
        self._pass(waiting, out, self.spot)
        self._take_off_broken()
        if self._may_mix and self._unions:
            self._tell_apart(holder["root"], waiting, out)
        root = holder["root"]
        if self.describe == "domains":
            root = with_domains(root, self.normal.root)
            self.closed.extend([root, *root.get("properties", {}).values()])
        return root, out

    def _pass(self, waiting: list[_Waiting], out: dict[str, Schema], first: Spot | None) -> None:
        """Edits everything that waits, and what is below it."""
        while waiting:
            container, key, source, spot = waiting.pop()
            self.spot, self.root = spot, spot is first
            settled = source.settled if isinstance(source, Wire) else ""
            if settled == "below":
                container[key] = source
                self._keep_in_mind(source)
                continue
            node = source if settled == "node" else self.edited(source)
            if isinstance(node, Wire):
                self._may_mix = self._may_mix or can_mix(node.codecs, spot)
            self.size += len(node)
            if is_leaf(node):
                container[key] = like(node, node)
                continue
            node = container[key] = own_containers(node)
            self._keep_in_mind(node)
            if "anyOf" in node or "oneOf" in node:
                self._unions.append((node, spot))
            if "$ref" in node:
                self._refer(node, waiting, out)
            self._wait(node, waiting)

    def _keep_in_mind(self, node: Schema) -> None:
        """Notes what is to be looked at once all nodes are edited, so that the rest is not looked at again."""
        if "additionalProperties" in node:
            self.closed.append(node)
        if "not" in node and is_never(node):
            self.met_never = True

    def _refer(self, node: Schema, waiting: list[_Waiting], out: dict[str, Schema]) -> None:
        """Puts the definition that a node refers to in the line, at the first reference to it."""
        spot, name = self.spot, node["$ref"].rpartition("/")[2]
        self._met.setdefault(spot.place, set()).add(name)
        self._guarding.refers(spot.place, spot.guards, name)
        if name not in out:
            out[name] = node  # a placeholder until its turn, so that it waits only once
            waiting.append((out, name, self.definitions[name], Spot(spot.depth, "$defs", place=name)))

    def _tell_apart(self, root: Schema, waiting: list[_Waiting], out: dict[str, Schema]) -> None:
        """Puts a name around branches that would read like others on the wire, though they mean another value."""
        unions, self._unions = self._unions, []

        def definition(reference: str) -> Schema:
            return out[reference.rpartition("/")[2]]

        for _ in range(MOST_ROUNDS):  # a name within a union can make it read like a branch beside it
            changes = changed(root, out)
            for node, spot in unions:
                for keyword in ("anyOf", "oneOf"):
                    branches = node.get(keyword, ())
                    for at, name in tags(branches, changes, definition):
                        here = Spot(spot.depth, keyword, (), spot.guards, spot.place, spot.in_branch)
                        waiting.append((branches, at, tagged(branches[at], name), here))
            if not waiting:
                break
            self._pass(waiting, out, None)

    def _wait(self, node: Schema, waiting: list[_Waiting]) -> None:
        """Puts what is below a node in the line, so that the first comes first."""
        spot = self.spot
        in_branch = spot.in_branch or spot.keyword in UNIONS
        line: list[_Waiting] = []
        for keyword, is_part, container, held in groups(node):
            if container is node and _says_nothing_fits(keyword, node[keyword]):
                continue
            guards = guards_of(node, keyword, spot.guards)
            here = Spot(spot.depth + is_part, keyword, spot.inlined, guards, spot.place, in_branch)
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
            if self.account.doubt:
                node.update(said(node, verbatim(lost)))
            elif self.describe:
                node.update(said(node, in_words(lost, node.get("description", ""))))


def _says_nothing_fits(keyword: str, child: Schema) -> bool:
    """Whether the keyword closes its node: an edit of what stands under it would open it again."""
    return child.get("not") == {} if keyword == "additionalProperties" else keyword == "not" and not child
