"""One node edited: the target's rules are tried in their order until none fires, and each edit is told.

What an edit means for the rest of the schema is not decided here: `tell` says it to whoever runs the edits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container
from typing import NamedTuple

from toolglot.schemas.forms import Normal, Schema
from toolglot.tables.keywords import says_nothing
from toolglot.tables.rows import Rule
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.account import Account
from toolglot.wire.causes import of_limit
from toolglot.wire.codecs import Codec
from toolglot.wire.describe import filled, in_words, told, verbatim
from toolglot.wire.edited import Edited, Lost
from toolglot.wire.edits import VERBS, drop
from toolglot.wire.encodings import as_json_text, left_out
from toolglot.wire.facts import NodeFacts
from toolglot.wire.ground import Ground
from toolglot.wire.guards import UNEVALUATED, Cause
from toolglot.wire.limits import NO_PRESSURE, Pressure
from toolglot.wire.respellings import name_types
from toolglot.wire.shapes import Wire, type_set, with_keywords

MOST_EDITS_OF_A_NODE = 200


class Done(NamedTuple):
    """An edit that was done.

    Attributes:
        cause: what asked for it.
        outcome: what became of the meaning.
        lost: the constraints that the wire no longer holds.
        breaks: whether less of the node is on the wire, or in another form, which those above may rely on.
        coded: whether it is the form.
    """

    cause: Cause
    outcome: str
    lost: Lost
    breaks: bool
    coded: bool


class Editor(Ground, ABC):
    """Edits single nodes of a schema.

    Attributes:
        rules: those of the target.
        pressure: what is given up so that the schema fits the target's limits.
        account: every edit so far.
    """

    def __init__(
        self, normal: Normal, rules: TargetRules, *, describe: bool | str, pressure: Pressure = NO_PRESSURE
    ) -> None:
        super().__init__(normal, describe=describe)
        self.rules, self.pressure = rules, pressure
        self.account = Account(normal)
        self._losses: list[Cause] = []  # of the node at hand

    @abstractmethod
    def tell(self, node: Schema, done: Done) -> None:
        """Called for each edit, with the node before it."""

    def edited(self, source: Schema) -> Schema:
        """The node with every edit that its rules ask for; the node itself where none does."""
        rule = self._rule_for(source, ())
        if rule is None and self.pressure is NO_PRESSURE and not isinstance(source, Wire):
            return source
        node, absent = source, ""
        done: set[str] = set()
        codecs: list[Codec] = []
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
        outcome = "withheld" if edited.lost and self.account.doubt else "encoded" if coded else "checked"
        limit = self.pressure.for_enum if listed else self.pressure.for_depth
        cause = of_limit(limit)
        self.tell(node, Done(cause, outcome, edited.lost, True, coded))
        self._losses.append(cause)
        # What became JSON text because it is too large is not said beside it once more.
        return edited._replace(node=self.described(edited, () if coded else edited.lost))

    # The report

    def _reported(self, rule: Rule, before: Schema, edited: Edited) -> Schema:
        """The edited node, with its report and what its description has to say."""
        if edited.node is before and all(says_nothing(*pair) for pair in edited.lost):
            return before  # nothing was edited
        # a row that keeps the same meaning loses nothing that counts, whatever leaves the node
        gone = () if rule.keep == "same" else edited.lost
        lost = tuple([(key, value) for key, value in gone if self.account.constrains(key, value)]) if gone else gone
        coded = bool(edited.codecs) or edited.encodes
        outcome = self.account.outcome(rule, lost, coded=coded)
        cause, is_note = (rule.id, rule.why), rule.verb == "note"
        breaks = not is_note and bool(lost or coded)
        self.tell(before, Done(cause, outcome, lost, breaks, coded))
        if breaks:
            self._losses.append(cause)
        if is_note or (rule.verb == "strip" and "description" not in rule.options):
            return edited.node  # where no words may stand either
        return self.described(edited, lost)

    def described(self, edited: Edited, lost: Lost) -> Schema:
        """The edited node with what its description has to say of the edit; always, where the check can't vouch."""
        if not lost or not self.account.doubt:
            return _said(edited.node, _words(edited, lost)) if self.describe else edited.node
        form = filled(edited.words, edited.outline) if edited.words and self.describe else ""
        return _said(_said(edited.node, form), verbatim(lost))

    def _without_unevaluated(self, cause: Cause, node: Schema) -> Schema:
        """The node without the keywords that look at what others have looked at, since these have changed."""
        edited = drop(node, list(UNEVALUATED), self)
        if all(isinstance(value, Schema) and not value for _, value in edited.lost):
            return node
        self.tell(node, Done(cause, self.account.relaxed, edited.lost, False, False))
        return self.described(edited, edited.lost)


def _words(edited: Edited, lost: Lost) -> str:
    """What the description has to say of an edit."""
    if edited.words:
        return filled(edited.words, edited.outline)
    if len(lost) != len(edited.lost):
        lost = (*lost, *told(edited.lost, lost))
    return in_words(lost, edited.node.get("description", "")) if lost else ""


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
