"""One conversion at work: each node is edited, from the root down, and then what is below it waits its turn.

At a node the target's rules are tried in their order until none fires. A definition is visited when a reference
to it is met, so that what nobody refers to never reaches the wire. Nothing here recurses.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from toolglot.errors import Path, pointer
from toolglot.json_values import Json
from toolglot.schemas.forms import Normal, Schema
from toolglot.schemas.trails import Trail, path_of
from toolglot.tables.formats import has_format
from toolglot.tables.limits import LIMITS
from toolglot.tables.rows import Rule
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.codecs import Codec
from toolglot.wire.describe import filled, in_words, outline, told, verbatim
from toolglot.wire.edited import Edited, Lost
from toolglot.wire.edits import VERBS, drop
from toolglot.wire.encodings import Alias, as_json_text, left_out, size
from toolglot.wire.facts import NodeFacts
from toolglot.wire.fitting import matches
from toolglot.wire.guards import UNEVALUATED, Cause, Guard, Guarding, guards_of
from toolglot.wire.limits import NO_PRESSURE, Pressure
from toolglot.wire.parameters import with_domains
from toolglot.wire.respellings import name_types
from toolglot.wire.shapes import ANNOTATIONS, Wire, children, groups, own_containers, type_set, with_keywords
from toolglot.wire.tags import changed, tagged, tags
from toolglot.wire.writing import compact

MOST_EDITS_OF_A_NODE = 200
MOST_ROUNDS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """One edit of the report.

    Attributes:
        rule: the id of the rule that asked for it.
        place: where in the tool's own schema.
        outcome: `same` (means the same), `checked` (relaxed on the wire, enforced by the check), `encoded`
            (another shape on the wire, restored on the way back), `narrowed` (something legal can't be said) or
            `withheld` (the check can't vouch for it, so the constraint stays on the wire, in words).
        keywords: the keywords that left the wire or are not enforced there.
        why: the rule's reason; for `withheld`, what the check can't vouch for.
    """

    rule: str
    at: Path | Trail | None = field(repr=False)
    outcome: str
    keywords: tuple[str, ...]
    why: str

    @property
    def place(self) -> Path:
        """Where in the tool's own schema; made when asked for, as a deep schema has many long places."""
        return self.at if isinstance(self.at, tuple) else path_of(self.at)

    def _fields(self) -> tuple[object, ...]:
        return self.rule, self.place, self.outcome, self.keywords, self.why

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edit) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def as_json(self) -> Json:
        """The edit as JSON, its place as a JSON pointer."""
        return {
            "rule": self.rule,
            "place": pointer(self.place),
            "outcome": self.outcome,
            "keywords": list(self.keywords),
            "why": self.why,
        }


class _Spot:
    """Where nodes stand that are held by one keyword of one node.

    Attributes:
        depth: how many objects and arrays they stand in.
        keyword: the keyword that holds them.
        inlined: the definitions that stand in their own place above, innermost last.
        guards: what an edit here can break.
        place: the definition that they are part of; empty for the root.
    """

    __slots__ = ("depth", "guards", "inlined", "keyword", "place")

    def __init__(
        self, depth: int, keyword: str, inlined: tuple[str, ...], guards: tuple[Guard, ...], place: str
    ) -> None:
        self.depth, self.keyword, self.inlined, self.guards, self.place = depth, keyword, inlined, guards, place


class Run:
    """One conversion; it is the `Site` that the verbs ask, and knows where the node at hand stands.

    Attributes:
        edits: every edit so far.
        definitions: the definitions as they are read, and those that edits have made.
        synthesized: the names of those, by what they say.
        is_coded: whether any value has another form on the wire.
    """

    def __init__(
        self, normal: Normal, rules: TargetRules, *, describe: bool | str, pressure: Pressure = NO_PRESSURE
    ) -> None:
        self.normal, self.rules, self.describe, self.pressure = normal, rules, describe, pressure
        self.edits: list[Edit] = []
        self.definitions: dict[str, Schema] = dict(normal.definitions)
        self.synthesized: dict[str, str] = {}
        self.is_coded = False
        self.root = False
        self._spot = _Spot(0, "", (), (), "")
        self._guarding = Guarding()
        self._room: int | None = None
        self._recursive: dict[str, bool] = {}
        self._made: set[str] = set()
        self._met: dict[str, set[str]] = {}
        self._sizes: dict[str, int] = {}
        self._aliases: dict[tuple[str, int], Alias] = {}
        self._names: set[str] | None = None
        self._slot = ""
        self._losses: list[Cause] = []  # of the node at hand
        self._unions: list[tuple[Schema, _Spot]] = []

    # Where the node at hand stands

    @property
    def depth(self) -> int:
        """How many objects and arrays the node stands in."""
        return self._spot.depth

    @property
    def keyword(self) -> str:
        """The keyword that holds the node; empty for the root."""
        return self._spot.keyword

    # What a verb may ask

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern finds a match in a property's name."""
        return matches(pattern, name)

    def definition(self, reference: str) -> Schema:
        """What a reference refers to."""
        return self.definitions[reference.rpartition("/")[2]]

    def define(self, members: list[Schema], like: str) -> Schema:
        """A reference to a definition that says all members; the same members give the same definition."""
        text = "\n".join(sorted(_sorted_text(member) for member in members))
        name = self.synthesized.get(text)
        if name is None:
            name = self._free_name(like)
            self.synthesized[text] = name
            self._made.add(name)
            body = members[0] if len(members) == 1 else Schema({"allOf": members}, members[0].trail)
            self.definitions[name] = body
        return Schema({"$ref": f"#/$defs/{name}"}, members[0].trail)

    def _free_name(self, like: str) -> str:
        plain = "".join(letter for letter in like if letter.isascii() and letter.isalnum()) or "part"
        number = 2
        while f"{plain}{number}" in self.definitions:
            number += 1
        return f"{plain}{number}"

    def spend(self, keywords: int) -> bool:
        """Whether the wire may grow by so many keywords still."""
        if self._room is None:
            self._room = 400 + 2 * sum(len(node) for node in _nodes(self.normal))
        if keywords > self._room:
            return False
        self._room -= keywords
        return True

    @property
    def slot(self) -> str:
        """A property name that the schema declares nowhere."""
        if not self._slot:
            self._slot = self.free_property("other_keys")
        return self._slot

    def free_property(self, like: str) -> str:
        """A property name that the schema declares nowhere, the given one if it can be."""
        taken = self._taken()
        while like in taken:
            like += "_"
        taken.add(like)
        return like

    def _taken(self) -> set[str]:
        if self._names is None:
            self._names = _property_names(self.normal)
        return self._names

    def aliases(self, pattern: str, longest: int) -> Callable[[str], str]:
        """Gives each property name the one name that fits the pattern, itself if it does."""
        known = self._aliases.get((pattern, longest))
        if known is None:
            known = self._aliases[pattern, longest] = Alias(pattern, longest, self._taken())
        return known

    def size_of(self, reference: str) -> int:
        """How many keywords and names a definition holds."""
        known = self._sizes.get(reference)
        if known is None:
            known = self._sizes[reference] = size(self.definition(reference))
        return known

    def times_inlined(self, reference: str) -> int:
        """How often a definition stands in its own place here and above already."""
        return self._spot.inlined.count(reference)

    def inlining(self, reference: str) -> None:
        """Says that a definition is put in its place here."""
        spot = self._spot
        self._spot = _Spot(spot.depth, spot.keyword, (*spot.inlined, reference), spot.guards, spot.place)

    def checks_format(self, name: str) -> bool:
        """Whether the dialect has a format of the name and says that it is checked."""
        return self.normal.asserts_formats and has_format(self.normal.detection.dialect, name)

    def is_recursive(self, reference: str) -> bool:
        """Whether a definition leads back to itself."""
        known = self._recursive.get(reference)
        if known is None:
            known = self._recursive[reference] = self._leads_back(reference)
        return known or self._leads_here(reference.rpartition("/")[2])

    def _leads_here(self, name: str) -> bool:
        """Whether a definition that edits have made leads to the one at hand, by the references met so far."""
        if name not in self._made:
            return False
        seen: set[str] = set()
        stack = [name]
        while stack:
            current = stack.pop()
            if current == self._spot.place:
                return True
            if current not in seen:
                seen.add(current)
                stack.extend(self._met.get(current, ()))
        return False

    def _leads_back(self, reference: str) -> bool:
        seen: set[str] = set()
        stack = [self.definition(reference)]
        while stack:
            node = stack.pop()
            met = node.get("$ref")
            if met == reference:
                return True
            if met is not None and met not in seen:
                seen.add(met)
                stack.append(self.definition(met))
            stack.extend(child for _, _, child in children(node))
        return False

    def outline(self, node: Schema) -> str:
        """The shape of a node in few words, for a description."""
        return outline(node, self.definition) if self.describe else ""

    def words(self, name: str, value: str) -> str:
        """A text of the table of words, filled in."""
        return filled(name, value)

    # The pass

    def whole(self) -> tuple[Schema, dict[str, Schema]]:
        """The root and the definitions that it leads to, each edited."""
        out: dict[str, Schema] = {}
        holder: dict[str, Schema] = {}
        waiting: list[tuple[Any, Any, Schema, _Spot]] = [(holder, "root", self.normal.root, self._spot)]
        self._pass(waiting, out, self._spot)
        self._take_off_broken()
        if self.is_coded and self._unions:
            self._tell_apart(holder["root"], waiting, out)
        root = holder["root"]
        return with_domains(root, self.normal.root) if self.describe == "domains" else root, out

    def _pass(self, waiting: list[tuple[Any, Any, Schema, _Spot]], out: dict[str, Schema], first: _Spot | None) -> None:
        """Edits everything that waits, and what is below it."""
        while waiting:
            container, key, source, spot = waiting.pop()
            self._spot, self.root = spot, spot is first
            settled = source.settled if isinstance(source, Wire) else ""
            if settled == "below":
                container[key] = source
                continue
            node = own_containers(source if settled == "node" else self._edited(source))
            container[key] = node
            if "anyOf" in node or "oneOf" in node:
                self._unions.append((node, spot))
            reference = node.get("$ref")
            if reference is not None:
                name = reference.rpartition("/")[2]
                self._met.setdefault(spot.place, set()).add(name)
                self._guarding.refers(spot.place, spot.guards, name)
                if name not in out:
                    out[name] = node  # a placeholder until its turn, so that it waits only once
                    waiting.append((out, name, self.definitions[name], _Spot(spot.depth, "$defs", (), (), name)))
            self._wait(node, waiting)

    def _tell_apart(self, root: Schema, waiting: list[tuple[Any, Any, Schema, _Spot]], out: dict[str, Schema]) -> None:
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
                        here = _Spot(spot.depth, keyword, (), spot.guards, spot.place)
                        waiting.append((branches, at, tagged(branches[at], name), here))
            if not waiting:
                break
            self._pass(waiting, out, None)

    def _wait(self, node: Schema, waiting: list[tuple[Any, Any, Schema, _Spot]]) -> None:
        """Puts what is below a node in the line, so that the first comes first."""
        spot, at = self._spot, len(waiting)
        for keyword, is_part, container, below in groups(node):
            guards = guards_of(node, keyword, spot.guards)
            here = _Spot(spot.depth + is_part, keyword, spot.inlined, guards, spot.place)
            for key, child in below:
                if container is not node or not _says_nothing_fits(key, child):
                    waiting.append((container, key, child, here))
        if len(waiting) - at > 1:
            waiting[at:] = waiting[: at - 1 if at else None : -1]

    def _edited(self, source: Schema) -> Schema:
        """The node with every edit that its rules ask for."""
        node, done, codecs, absent = source, set[str](), list[Codec](), ""
        if isinstance(source, Wire):
            node, codecs, absent = Schema(source, source.trail), list(source.codecs), source.absent
            if source.settled == "form":
                done.update(rule.id for rule in self.rules.rules if rule.keep == "encode")
        self._losses.clear()
        for _ in range(MOST_EDITS_OF_A_NODE):
            facts = NodeFacts(node, self, root=self.root)
            rule = None
            for candidate in self.rules.candidates(node):
                if candidate.id not in done and candidate.when.test(node, facts):
                    rule = candidate
                    break
            if rule is not None:
                edited = VERBS[rule.verb](node, rule.options, self)
                if not edited.structural:
                    done.add(rule.id)
                node = self._reported(rule, node, edited)
            elif self._is_pressed(node) and "limit" not in done:
                done.add("limit")
                edited = self._pressed(node)
                node = edited.node
            elif absent:
                edited, absent = (
                    left_out(Wire(node, node.trail, codecs=tuple(codecs), settled="node"), absent, self),
                    "",
                )
                node = Schema(edited.node, edited.node.trail)
            else:
                break
            if edited.takes_codecs:
                codecs.clear()
            codecs.extend(edited.codecs)
        if self._losses and any(keyword in node for keyword in UNEVALUATED):
            node = self._without_unevaluated(self._losses[0], node)
        return Wire(node, node.trail, codecs=tuple(codecs)) if codecs else node

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
        outcome = "encoded" if coded else "withheld" if self.doubt else "checked"
        limit = self.pressure.for_enum if listed else self.pressure.for_depth
        cause = f"limits.{limit}", f"the target limits {LIMITS[limit]}"
        self._add_edit(cause, node, outcome, edited.lost)
        self._guarding.edited(self._spot.place, self._spot.guards, cause, coded=coded)
        self._losses.append(cause)
        if outcome == "withheld":
            said = verbatim(edited.lost)
        else:
            said = self._described(edited, edited.lost) if self.describe else ""
        return replace(edited, node=_said(edited.node, said))

    # The report

    def _reported(self, rule: Rule, before: Schema, edited: Edited) -> Schema:
        """The edited node, with its report and what its description has to say."""
        if edited.node is before and not edited.lost:
            return before  # nothing was edited
        # a row that keeps the same meaning loses nothing that counts, whatever leaves the node
        gone = () if rule.keep == "same" else edited.lost
        lost = tuple((key, value) for key, value in gone if self._is_constraint(key))
        coded = bool(edited.codecs) or edited.encodes
        outcome = _outcome(rule, lost, coded=coded)
        if outcome == "checked" and rule.verb != "note" and self.doubt:
            outcome = "withheld"
        cause = rule.id, rule.why
        self._add_edit(cause, before, outcome, lost)
        if rule.verb == "note":
            return edited.node
        if lost or coded:
            self.is_coded = self.is_coded or coded
            self._guarding.edited(self._spot.place, self._spot.guards, cause, coded=coded)
            self._losses.append(cause)
        node = edited.node
        if rule.verb == "strip" and "description" not in rule.options:
            return node  # where no words may stand either
        if outcome == "withheld":
            return _said(node, verbatim(lost))
        return _said(node, self._described(edited, lost)) if self.describe else node

    def _described(self, edited: Edited, lost: Lost) -> str:
        if not edited.words:
            return in_words((*lost, *told(edited.lost, lost)))
        return filled(edited.words, edited.outline)

    def _add_edit(self, cause: Cause, node: Schema, outcome: str, lost: Lost) -> None:
        keywords = tuple(dict.fromkeys(key for key, _ in lost))
        why = self.doubt if outcome == "withheld" else cause[1]
        self.edits.append(Edit(cause[0], node.trail, outcome, keywords, why))

    def _without_unevaluated(self, cause: Cause, node: Schema) -> Schema:
        """The node without the keywords that look at what others have looked at, since these have changed."""
        edited = drop(node, list(UNEVALUATED), self)
        if all(isinstance(value, Schema) and not value for _, value in edited.lost):
            return node
        self._add_edit(cause, node, "withheld" if self.doubt else "checked", edited.lost)
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
            outcome = "withheld" if self.doubt else "checked"
            self._add_edit(cause, node, outcome, lost)
            if self.doubt:
                node.update(_said(node, verbatim(lost)))
            elif self.describe:
                node.update(_said(node, in_words(lost)))

    def _is_constraint(self, keyword: str) -> bool:
        if keyword == "format":
            return self.normal.asserts_formats
        return keyword not in ANNOTATIONS or any(keyword == unknown for _, unknown in self.normal.unknown)

    @cached_property
    def doubt(self) -> str:
        """What the check can't vouch for in the schema; empty where it enforces all of it."""
        if not self.normal.unknown:
            return ""
        place, keyword = self.normal.unknown[0]
        return f"{self.normal.detection.dialect} has no keyword {keyword!r} (at {pointer(place)})"

    def digest(self) -> str:
        """A few letters that belong to this schema alone, whatever stands beside it in a request."""
        whole = compact([self.normal.root, dict(self.normal.definitions)])
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]


_OUTCOMES = {"same": "same", "check": "checked", "note": "checked", "encode": "encoded", "narrowed": "narrowed"}


def _is_large(node: Schema) -> bool:
    """Whether a node holds others."""
    named = type_set(node) if "type" in node else ()
    return (
        "object" in named
        or "array" in named
        or any(key in node for key in ("$ref", "anyOf", "oneOf", "properties", "items"))
    )


def _outcome(rule: Rule, lost: Lost, *, coded: bool) -> str:
    """What became of the meaning: an edit that is allowed to lose or to encode, and did not, means the same."""
    if rule.keep in ("check", "note") and not lost:
        return "encoded" if coded else "same"
    if rule.keep == "encode" and not coded:
        return "checked" if lost else "same"
    return _OUTCOMES[rule.keep]


def _says_nothing_fits(keyword: str, child: Schema) -> bool:
    """Whether the keyword closes its node: an edit of what stands under it would open it again."""
    return child.get("not") == {} if keyword == "additionalProperties" else keyword == "not" and not child


def _said(node: Schema, words: str) -> Schema:
    """The node with words at the end of its description."""
    if not words:
        return node
    described = f"{node['description']} ({words})" if node.get("description") else f"({words})"
    return with_keywords(node, {"description": described})


def _sorted_text(schema: Schema) -> str:
    try:
        return json.dumps(schema, sort_keys=True)
    except RecursionError:
        return compact(schema)


def _property_names(normal: Normal) -> set[str]:
    names: set[str] = set()
    for node in _nodes(normal):
        names.update(node.get("properties", ()))
        names.update(node.get("required", ()))
    return names


def _nodes(normal: Normal) -> list[Schema]:
    found: list[Schema] = []
    stack = [normal.root, *(value for value in normal.definitions.values() if value is not normal.root)]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(child for _, _, child in children(node))
    return found
