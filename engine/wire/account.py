"""The account of a conversion: every edit with its outcome, and what the check can't vouch for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from toolglot.errors import Path, pointer
from toolglot.json_values import Json
from toolglot.schemas.forms import Normal, Schema
from toolglot.schemas.trails import Trail, path_of
from toolglot.tables.keywords import says_nothing
from toolglot.tables.rows import Rule
from toolglot.wire.edited import Lost
from toolglot.wire.guards import Cause
from toolglot.wire.shapes import CONSTRAINTS


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """One edit of the report.

    Attributes:
        rule: the id of the rule that asked for it.
        place: where in the tool's own schema.
        outcome: `same` (means the same), `checked` (relaxed on the wire, enforced by the check), `encoded`
            (another shape on the wire, restored on the way back), `narrowed` (something legal can't be said) or
            `withheld` (the check can't vouch for it, so the constraint stays on the wire, in words, unless the target
            has no room for them: it takes no descriptions there, or what is too large for it became JSON text).
        keywords: the keywords that left the wire or are not enforced there.
        why: the rule's reason; for `withheld`, what the check can't vouch for.
    """

    rule: str
    at: Trail | None = field(repr=False)
    outcome: str
    keywords: tuple[str, ...]
    why: str

    @property
    def place(self) -> Path:
        """Where in the tool's own schema; made when asked for, as a deep schema has many long places."""
        return path_of(self.at)

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


class Account:
    """The edits so far, in the order they were made."""

    def __init__(self, normal: Normal) -> None:
        self._normal = normal
        self._unknown = frozenset([keyword for _, keyword in normal.unknown])
        self._added: list[tuple[Cause, Trail | None, str, Lost]] = []

    def add(self, cause: Cause, node: Schema, outcome: str, lost: Lost) -> None:
        """Adds an edit of a node."""
        self._added.append((cause, node.trail, outcome, lost))

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits of the report; made when asked for."""
        return tuple([self._edit(*added) for added in self._added])

    def _edit(self, cause: Cause, at: Trail | None, outcome: str, lost: Lost) -> Edit:
        keywords = tuple(dict.fromkeys([key for key, _ in lost]))
        return Edit(cause[0], at, outcome, keywords, self.doubt if outcome == "withheld" else cause[1])

    @property
    def outcomes(self) -> list[str]:
        """The outcome of each edit."""
        return [outcome for _, _, outcome, _ in self._added]

    def constrains(self, keyword: str, value: Json) -> bool:
        """Whether a keyword of this value decides what fits, in this dialect; one that nobody knows may."""
        if keyword == "format":
            return self._normal.asserts_formats
        return (keyword in CONSTRAINTS and not says_nothing(keyword, value)) or keyword in self._unknown

    @cached_property
    def doubt(self) -> str:
        """What the check can't vouch for in the schema; empty where it enforces all of it."""
        if not self._normal.unknown:
            return ""
        place, keyword = self._normal.unknown[0]
        return f"{self._normal.detection.dialect} has no keyword {keyword!r} (at {pointer(place)})"

    @property
    def relaxed(self) -> str:
        """The outcome of what leaves the wire: `checked`, or `withheld` where the check can't vouch for the schema."""
        return "withheld" if self.doubt else "checked"

    def outcome(self, rule: Rule, lost: Lost, *, coded: bool) -> str:
        """What became of the meaning: an edit that is allowed to lose or to encode, and did not, means the same."""
        if rule.keep in ("check", "note") and not lost:
            return "encoded" if coded else "same"
        if rule.keep == "encode" and not coded:
            return self.relaxed if lost else "same"
        found = _OUTCOMES[rule.keep]
        leaves = found == "checked" or (found == "encoded" and bool(lost))
        return "withheld" if leaves and self.doubt and rule.verb != "note" else found


_OUTCOMES = {"same": "same", "check": "checked", "note": "checked", "encode": "encoded", "narrowed": "narrowed"}
