"""What was done to each tool for a target, as fields: every edit with its tool, place, rule, outcome and reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from toolglot.errors import Path, SchemaError, pointer
from toolglot.json_values import Json
from toolglot.schemas.forms import Detection
from toolglot.wire.convert import Edit

OUTCOMES = ("same", "checked", "encoded", "narrowed", "withheld")
# The outcomes that a reader must know of, the gravest first; all others are an `edited` tool.
GRAVE = ("withheld", "narrowed")
FROM_GRAVEST = ("broken", *reversed(OUTCOMES))
VERDICTS = ("as is", "edited", "narrowed", "withheld", "broken")


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """What one rule did to one tool with one outcome, however often: what a person reads, edit by edit being too long.

    Attributes:
        tool: the tool's name.
        rule: the id of the rule; empty for a tool that is broken.
        outcome: one of OUTCOMES, or `broken`.
        places: where in the tool's own schema, in its order; each place once.
        why: the rule's reason, what the check can't vouch for, or what is broken.
    """

    tool: str
    rule: str
    outcome: str
    places: tuple[Path, ...]
    why: str


@dataclass(frozen=True, slots=True)
class ToolReport:
    """What was done to one tool.

    Attributes:
        tool: the tool's name.
        detection: how its schema was read, or None for a tool that is broken.
        edits: every edit, in the order of the schema.
        broken: why the tool is not sent, or None.
    """

    tool: str
    detection: Detection | None = None
    edits: tuple[Edit, ...] = ()
    broken: SchemaError | None = None

    @property
    def outcomes(self) -> Mapping[str, int]:
        """How many edits had each outcome, in the order of OUTCOMES."""
        found = Counter(edit.outcome for edit in self.edits)
        return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}

    @property
    def verdict(self) -> str:
        """`as is`, `edited`, `narrowed`, `withheld` or `broken`: the gravest that happened."""
        if self.broken:
            return "broken"
        return next((outcome for outcome in GRAVE if outcome in self.outcomes), "edited" if self.edits else "as is")

    @property
    def entries(self) -> tuple[ReportEntry, ...]:
        """The edits as a person reads them: one entry for a rule and its outcome, the gravest outcome first."""
        if self.broken:
            return (ReportEntry(self.tool, "", "broken", (self.broken.path,), self.broken.reason),)
        places: dict[tuple[str, str, str], dict[Path, None]] = {}
        for edit in self.edits:
            places.setdefault((edit.outcome, edit.rule, edit.why), {})[edit.place] = None
        entries = [ReportEntry(self.tool, rule, outcome, tuple(at), why) for (outcome, rule, why), at in places.items()]
        return tuple(sorted(entries, key=lambda entry: FROM_GRAVEST.index(entry.outcome)))

    def as_json(self) -> Json:
        """The whole of it as JSON, with each edit by itself."""
        detection = self.detection and {
            "dialect": self.detection.dialect,
            "certainty": self.detection.certainty,
            "marks": list(self.detection.marks),
            "conflicts": list(self.detection.conflicts),
        }
        return {
            "tool": self.tool,
            "verdict": self.verdict,
            "outcomes": dict(self.outcomes),
            "detection": detection,
            "edits": [edit.as_json() for edit in self.edits],
            "broken": self.broken and fault_as_json(self.broken),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What was done to a list of tools for one target.

    Attributes:
        target: the target's id.
        envelope: the id of the envelope that the tools are sent in.
        tools: one report per tool, in the order of the list; the broken ones are last.
    """

    target: str
    envelope: str
    tools: tuple[ToolReport, ...]

    def found(self, outcomes: Collection[str]) -> bool:
        """Whether any tool has one of these outcomes; `broken` counts as one."""
        return any("broken" in outcomes if tool.broken else set(outcomes) & set(tool.outcomes) for tool in self.tools)

    def rows(self) -> list[dict[str, str]]:
        """One row per edit, for a table: tool, place, outcome, rule and why."""
        rows = [
            {
                "tool": tool.tool,
                "place": pointer(edit.place),
                "outcome": edit.outcome,
                "rule": edit.rule,
                "why": edit.why,
            }
            for tool in self.tools
            for edit in tool.edits
        ]
        broken = [
            {
                "tool": tool.tool,
                "place": tool.broken.pointer,
                "outcome": "broken",
                "rule": "",
                "why": tool.broken.reason,
            }
            for tool in self.tools
            if tool.broken
        ]
        return rows + broken

    def entries(self) -> list[ReportEntry]:
        """What a person reads of it: see `ToolReport.entries`."""
        return [entry for tool in self.tools for entry in tool.entries]

    def as_json(self) -> Json:
        """The whole report as JSON, with each edit by itself."""
        return {"target": self.target, "envelope": self.envelope, "tools": [tool.as_json() for tool in self.tools]}


def fault_as_json(error: SchemaError) -> Json:
    """A broken schema's error as fields."""
    return {"place": error.pointer, "keyword": error.keyword, "reason": error.reason, "hint": error.hint}
