"""One conversion at work: each node is edited, from the root down, and then what is below it waits its turn.

At a node the target's rules are tried in their order until none fires. A definition is visited when a reference
to it is met, so that what nobody refers to never reaches the wire. Nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from toolglot.schemas.forms import Normal, Schema
from toolglot.tables.limits import LIMITS
from toolglot.tables.rows import Rule
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.account import Account
from toolglot.wire.codecs import Codec
from toolglot.wire.describe import filled, in_words, told, verbatim
from toolglot.wire.edited import Edited, Lost
from toolglot.wire.edits import VERBS, drop
from toolglot.wire.encodings import as_json_text, left_out
from toolglot.wire.facts import NodeFacts
from toolglot.wire.ground import Ground, Spot
from toolglot.wire.guards import UNEVALUATED, Cause, Guarding, guards_of
from toolglot.wire.limits import NO_PRESSURE, Pressure
from toolglot.wire.parameters import with_domains
from toolglot.wire.respellings import name_types
from toolglot.wire.shapes import Wire, groups, is_leaf, is_never, like, own_containers, type_set, with_keywords
from toolglot.wire.tags import UNIONS, can_mix, changed, tagged, tags

MOST_EDITS_OF_A_NODE = 200
MOST_ROUNDS = 4
# The container that a node is put into, its key there, the node before its edits, and where it stands.
_Waiting = tuple[Any, Any, Schema, Spot]


class Run(Ground):
    """One conversion, from the root of a schema to its last definition.

    Attributes:
        account: every edit so far.
        is_coded: whether any value has another form on the wire.
        size: how many keywords the edited nodes have.
        closed: the nodes that say something of undeclared keys.
        met_never: whether there was a node that nothing fits, but for those that close another one.
    """

    def __init__(
        self, normal: Normal, rules: TargetRules, *, describe: bool | str, pressure: Pressure = NO_PRESSURE
    ) -> None:
        super().__init__(normal, describe=describe)
        self.rules, self.pressure = rules, pressure
        self.account = Account(normal)
        self.is_coded = self.met_never = self._may_mix = False
        self.closed: list[Schema] = []
        self.size = 0
        self._guarding = Guarding()
        self._losses: list[Cause] = []  # of the node at hand
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
            node = source if settled == "node" else self._edited(source)
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

    def _edited(self, source: Schema) -> Schema:
        """The node with every edit that its rules ask for."""
        rule = self._rule_for(source, ())
        if rule is None and self.pressure is NO_PRESSURE and not isinstance(source, Wire):
            return source
        node, done, codecs, absent = source, set[str](), list[Codec](), ""
        if isinstance(source, Wire):
            node, codecs, absent = Schema(source, source.trail), list(source.codecs), source.absent
            if source.settled == "form":
                done.update(row.id for row in self.rules.rules if row.keep == "encode")
                rule = self._rule_for(source, done)
        self._losses.clear()
        for _ in range(MOST_EDITS_OF_A_NODE):
            if rule is not None:
                edited = VERBS[rule.verb](node, rule.options, self)
                if not edited.structural:
                    done.add(rule.id)
                node = self._reported(rule, node, edited)
            elif self.pressure is not NO_PRESSURE and "limit" not in done and self._is_pressed(node):
                done.add("limit")
                edited = self._pressed(node)
                node = edited.node
            elif absent:
                here = Wire(node, node.trail, codecs=tuple(codecs)) if codecs else node
                edited, absent = left_out(here, absent, self), ""
                node = edited.node
            else:
                break
            if edited.takes_codecs:
                codecs.clear()
            codecs.extend(edited.codecs)
            rule = self._rule_for(node, done)
        if self._losses and any(keyword in node for keyword in UNEVALUATED):
            node = self._without_unevaluated(self._losses[0], node)
        return Wire(node, node.trail, codecs=tuple(codecs)) if codecs else node

    def _rule_for(self, node: Schema, done: Container[str]) -> Rule | None:
        """The first rule that asks for an edit of the node, of those that are not done."""
        candidates = self.rules.candidates(node, root=self.root)
        if candidates:
            facts = NodeFacts(node, self, root=self.root)
            for rule in candidates:
                if rule.id not in done and rule.when.test(node, facts):
                    return rule
        return None

    # Limits

    def _is_pressed(self, node: Schema) -> bool:
        """Whether a limit asks that what the node says is given up."""
        pressure = self.pressure
        if pressure.enum is not None and len(node.get("enum", ())) >= pressure.enum:
            return True
        return pressure.depth is not None and self.depth >= pressure.depth and not self.root and _is_large(node)

    def _pressed(self, node: Schema) -> Edited:
        """The node without its list of values, or as JSON text."""
        listed = "enum" in node and self.pressure.enum is not None and len(node["enum"]) >= self.pressure.enum
        if listed:
            edited = drop(name_types(node, "members", self).node, "enum", self)
        else:
            edited = as_json_text(node, "value", self)
        coded = not listed
        self.is_coded = self.is_coded or coded
        outcome = "encoded" if coded else self.account.relaxed
        limit = self.pressure.for_enum if listed else self.pressure.for_depth
        cause = f"limits.{limit}", f"the target limits {LIMITS[limit]}"
        self.account.add(cause, node, outcome, edited.lost)
        self._guarding.edited(self.spot.place, self.spot.guards, cause, coded=coded)
        self._losses.append(cause)
        if outcome == "withheld":
            said = verbatim(edited.lost)
        else:
            said = self._described(edited, edited.lost) if self.describe else ""
        return edited._replace(node=_said(edited.node, said))

    # The report

    def _reported(self, rule: Rule, before: Schema, edited: Edited) -> Schema:
        """The edited node, with its report and what its description has to say."""
        if edited.node is before and not edited.lost:
            return before  # nothing was edited
        # a row that keeps the same meaning loses nothing that counts, whatever leaves the node
        gone = () if rule.keep == "same" else edited.lost
        lost = tuple((key, value) for key, value in gone if self.account.is_constraint(key))
        coded = bool(edited.codecs) or edited.encodes
        outcome = self.account.outcome(rule, lost, coded=coded)
        cause = rule.id, rule.why
        self.account.add(cause, before, outcome, lost)
        if rule.verb == "note":
            return edited.node
        if lost or coded:
            self.is_coded = self.is_coded or coded
            self._guarding.edited(self.spot.place, self.spot.guards, cause, coded=coded)
            self._losses.append(cause)
        node = edited.node
        if rule.verb == "strip" and "description" not in rule.options:
            return node  # where no words may stand either
        if outcome == "withheld":
            return _said(node, verbatim(lost))
        return _said(node, self._described(edited, lost)) if self.describe else node

    def _described(self, edited: Edited, lost: Lost) -> str:
        if not edited.words:
            all_lost = len(lost) == len(edited.lost)
            said = lost if all_lost else (*lost, *told(edited.lost, lost))
            return in_words(said, edited.node.get("description", ""))
        return filled(edited.words, edited.outline)

    def _without_unevaluated(self, cause: Cause, node: Schema) -> Schema:
        """The node without the keywords that look at what others have looked at, since these have changed."""
        edited = drop(node, list(UNEVALUATED), self)
        if all(isinstance(value, Schema) and not value for _, value in edited.lost):
            return node
        self.account.add(cause, node, self.account.relaxed, edited.lost)
        return edited.node

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
                node.update(_said(node, verbatim(lost)))
            elif self.describe:
                node.update(_said(node, in_words(lost, node.get("description", ""))))


def _says_nothing_fits(keyword: str, child: Schema) -> bool:
    """Whether the keyword closes its node: an edit of what stands under it would open it again."""
    return child.get("not") == {} if keyword == "additionalProperties" else keyword == "not" and not child


def _is_large(node: Schema) -> bool:
    """Whether a node holds others."""
    named = type_set(node) if "type" in node else ()
    return (
        "object" in named
        or "array" in named
        or any(key in node for key in ("$ref", "anyOf", "oneOf", "properties", "items"))
    )


def _said(node: Schema, words: str) -> Schema:
    """The node with words at the end of its description."""
    if not words:
        return node
    described = f"{node['description']} ({words})" if node.get("description") else words
    return with_keywords(node, {"description": described})
