"""schema → wire: the normal form and a target's rules give the wire, the ledger and the report.

One pass from the root down, without recursion: at each node the target's rules are tried in their order
until none fires; then its subschemas wait their turn. A definition is visited when a reference to it is
met, so that what nobody refers to never reaches the wire.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from toolglot.errors import Path, Problem, pointer
from toolglot.json_values import Json
from toolglot.schemas.forms import Detection, Normal, Schema
from toolglot.schemas.normal import normal_form
from toolglot.schemas.patterns import PatternError, matcher
from toolglot.tables.rows import Rule
from toolglot.tables.ruleset import Ruleset, default_rules
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.codecs import Ledger, ledger_of
from toolglot.wire.describe import in_words, verbatim
from toolglot.wire.edits import VERBS, Edited, Lost
from toolglot.wire.facts import NodeFacts
from toolglot.wire.finish import finished
from toolglot.wire.shapes import children, own_containers, with_keywords

MOST_EDITS_OF_A_NODE = 200


@dataclass(frozen=True, slots=True)
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
    place: Path
    outcome: str
    keywords: tuple[str, ...]
    why: str

    def as_json(self) -> Json:
        """The edit as JSON, its place as a JSON pointer."""
        return {
            "rule": self.rule,
            "place": pointer(self.place),
            "outcome": self.outcome,
            "keywords": list(self.keywords),
            "why": self.why,
        }


class Conversion:
    """A schema on its way to one target and back.

    Attributes:
        target: the id of the target.
        edits: every edit, in the order of the schema.
        normal: the schema's normal form, from which the check is made.
    """

    def __init__(self, target: str, normal: Normal, wire_text: str, edits: tuple[Edit, ...], ledger: Ledger) -> None:
        self.target, self.normal, self.edits = target, normal, edits
        self._wire_text, self._ledger = wire_text, ledger

    @property
    def wire(self) -> dict[str, Any]:
        """The wire schema: a fresh one each time, which the caller may change."""
        wire: dict[str, Any] = json.loads(self._wire_text)
        return wire

    @property
    def wire_json(self) -> str:
        """The wire schema as compact JSON text."""
        return self._wire_text

    @property
    def detection(self) -> Detection:
        """How the source was read."""
        return self.normal.detection

    @property
    def outcomes(self) -> dict[str, int]:
        """How many edits had each outcome."""
        counts: dict[str, int] = {}
        for edit in self.edits:
            counts[edit.outcome] = counts.get(edit.outcome, 0) + 1
        return counts

    @property
    def is_encoded(self) -> bool:
        """Whether a call on the wire has to be restored."""
        return not self._ledger.is_identity

    def restore(self, value: Json) -> tuple[Json, tuple[Problem, ...]]:
        """The tool's own form of a call on the wire, and what in it is no spelling of anything.

        The value is not written to. A value that needs no restoring is handed back as it is.
        """
        return self._ledger.restore(value)

    def spellings(self, value: Json) -> list[Json]:
        """The wire's forms of a value in the tool's own form; the wire schema admits at least one of them."""
        return list(self._ledger.spellings(value))


def convert(  # noqa: PLR0913 - what may be left out is by keyword
    schema: Json,
    target: str,
    *,
    rules: Ruleset | None = None,
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    describe: bool = True,
) -> Conversion:
    """The schema as the target takes it, with the report of every edit and the way back.

    Args:
        schema: a JSON Schema of any dialect; it is not written to.
        target: the id of a target, such as one that `toolglot targets` lists.
        rules: the tables in force; the shipped ones by default.
        dialect: the dialect to read the schema by; detected by default.
        resources: schemas that the schema refers to, by URI; nothing is ever fetched.
        describe: whether what leaves the wire is said in the descriptions, in a few words.

    Raises:
        SchemaError: the schema is broken or past a limit.
        RuleError: there is no such target.
    """
    target_rules = (rules or default_rules()).target(target)
    return convert_normal(normal_form(schema, dialect=dialect, resources=resources), target_rules, describe=describe)


def convert_normal(normal: Normal, rules: TargetRules, *, describe: bool = True) -> Conversion:
    """The same for a schema in the normal form."""
    run = _Run(normal, rules, describe=describe)
    root, definitions = run.whole()
    rename = any(rule.verb == "rename" for rule in rules.at("root"))
    wire, used = finished(root, definitions, synthesized=run.synthesized, own=run.digest if rename else None)
    text = json.dumps(wire, ensure_ascii=False, separators=(",", ":"))
    return Conversion(rules.target.id, normal, text, tuple(run.edits), ledger_of(root, used, run.slot))


@dataclass
class _Run:
    """One conversion at work; it is the `Site` that the verbs ask."""

    normal: Normal
    rules: TargetRules
    describe: bool
    edits: list[Edit] = field(default_factory=list)
    definitions: dict[str, Schema] = field(default_factory=dict)
    synthesized: dict[str, str] = field(default_factory=dict)
    root: bool = False
    _room: int = 0
    _slot: str = ""

    # What a verb may ask

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern finds a match in a property's name; one that can't be read matches nothing."""
        try:
            return matcher(pattern)(name)
        except PatternError:
            return False

    def definition(self, reference: str) -> Schema:
        """What a reference refers to."""
        return self.definitions[reference.rpartition("/")[2]]

    def define(self, members: list[Schema], like: str) -> Schema:
        """A reference to a definition that says all members; the same members give the same definition."""
        text = "\n".join(sorted(json.dumps(member, sort_keys=True) for member in members))
        name = self.synthesized.get(text)
        if name is None:
            name = self._free_name(like)
            self.synthesized[text] = name
            body = members[0] if len(members) == 1 else Schema({"allOf": members}, members[0].place)
            self.definitions[name] = body
        return Schema({"$ref": f"#/$defs/{name}"}, members[0].place)

    def _free_name(self, like: str) -> str:
        plain = "".join(letter for letter in like if letter.isascii() and letter.isalnum()) or "part"
        number = 2
        while f"{plain}{number}" in self.definitions:
            number += 1
        return f"{plain}{number}"

    def spend(self, keywords: int) -> bool:
        """Whether the wire may grow by so many keywords still."""
        if keywords > self._room:
            return False
        self._room -= keywords
        return True

    @property
    def slot(self) -> str:
        """A property name that the schema declares nowhere."""
        if not self._slot:
            taken = _property_names(self.normal)
            self._slot = "other_keys"
            while self._slot in taken:
                self._slot += "_"
        return self._slot

    # The pass

    def whole(self) -> tuple[Schema, dict[str, Schema]]:
        """The root and the definitions that it leads to, each edited."""
        self.definitions.update(self.normal.definitions)
        self._room = 400 + 2 * _count(self.normal)
        out: dict[str, Schema] = {}
        holder: dict[str, Schema] = {}
        waiting: list[tuple[Any, Any, Schema, bool]] = [(holder, "root", self.normal.root, True)]
        while waiting:
            container, key, source, is_root = waiting.pop()
            node = own_containers(self._edited(source, is_root=is_root))
            container[key] = node
            reference = node.get("$ref")
            if reference is not None:
                name = reference.rpartition("/")[2]
                if name not in out:
                    out[name] = node  # a placeholder until its turn, so that it waits only once
                    waiting.append((out, name, self.definitions[name], False))
            below = [(inside, at, child, False) for inside, at, child in children(node) if not _is_false(at, child)]
            waiting.extend(reversed(below))
        return holder["root"], out

    def _edited(self, source: Schema, *, is_root: bool) -> Schema:
        """The node with every edit that its rules ask for."""
        node, done = source, set[str]()
        for _ in range(MOST_EDITS_OF_A_NODE):
            self.root = is_root
            facts = NodeFacts(node, root=is_root)
            rule = next(
                (rule for rule in self.rules.candidates(node) if rule.id not in done and rule.when.test(node, facts)),
                None,
            )
            if rule is None:
                break
            edited = VERBS[rule.verb](node, rule.options, self)
            if not edited.structural:
                done.add(rule.id)
            node = self._reported(rule, node, edited)
        return node

    def _reported(self, rule: Rule, before: Schema, edited: Edited) -> Schema:
        """The edited node, with its report and what its description has to say."""
        lost = tuple((key, value) for key, value in edited.lost if self._is_constraint(key))
        outcome = _outcome(rule, lost)
        if outcome == "checked" and rule.verb != "note" and self.doubt:
            outcome = "withheld"
        keywords = tuple(dict.fromkeys(key for key, _ in lost))
        self.edits.append(
            Edit(rule.id, before.place, outcome, keywords, self.doubt if outcome == "withheld" else rule.why)
        )
        if outcome == "withheld":
            return _said(edited.node, verbatim(lost))
        if self.describe and rule.verb != "note" and lost:
            return _said(edited.node, in_words(lost))
        return edited.node

    def _is_constraint(self, keyword: str) -> bool:
        return keyword != "format" or self.normal.asserts_formats

    @cached_property
    def doubt(self) -> str:
        """What the check can't vouch for in the schema; empty where it enforces all of it."""
        if not self.normal.unknown:
            return ""
        place, keyword = self.normal.unknown[0]
        return f"{self.normal.detection.dialect} has no keyword {keyword!r} (at {pointer(place)})"

    def digest(self) -> str:
        """A few letters that belong to this schema alone, whatever stands beside it in a request."""
        whole = json.dumps([self.normal.root, dict(self.normal.definitions)])
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]


_OUTCOMES = {"same": "same", "check": "checked", "note": "checked", "encode": "encoded", "narrowed": "narrowed"}


def _outcome(rule: Rule, lost: Lost) -> str:
    """What became of the meaning: an edit that is allowed to lose and lost nothing means the same."""
    return "same" if rule.keep in ("check", "note") and not lost else _OUTCOMES[rule.keep]


def _said(node: Schema, words: str) -> Schema:
    """The node with words at the end of its description."""
    described = f"{node['description']} ({words})" if node.get("description") else f"({words})"
    return with_keywords(node, {"description": described})


def _is_false(key: Any, child: Schema) -> bool:
    """Whether a subschema stands for `false` where even targets without boolean schemas take one."""
    return key == "additionalProperties" and child.get("not") == {}


def _property_names(normal: Normal) -> set[str]:
    names: set[str] = set()
    for node in _nodes(normal):
        names.update(node.get("properties", ()))
        names.update(node.get("required", ()))
    return names


def _nodes(normal: Normal) -> list[Schema]:
    found: list[Schema] = []
    stack = [normal.root, *(value for name, value in normal.definitions.items() if value is not normal.root)]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(child for _, _, child in children(node))
    return found


def _count(normal: Normal) -> int:
    return sum(len(node) for node in _nodes(normal))
