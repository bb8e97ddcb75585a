"""What the command line prints of reports: which tools are taken as they are, what is done to the others, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from toolglot.cli_output import table
from toolglot.errors import short_pointer
from toolglot.wire.report import FROM_GRAVEST, VERDICTS, Report, ReportEntry, ToolReport

# With more targets than this the audit counts tools per target, instead of a column for each.
MOST_COLUMNS = 6
# Of more places than this an entry says how many there are; `--json` has them all.
FEW_PLACES = 3


def audit_text(reports: Sequence[Report]) -> str:
    """Tools by targets as a table; for one target, tables of what is done to each, where, and why."""
    if len(reports) > MOST_COLUMNS:
        return table([_counted(report) for report in reports])
    cells = {report.target: [_cell(tool) for tool in report.tools] for report in reports}
    names = [tool.tool for tool in reports[0].tools]
    tables = [table([{"tool": name, **{key: cells[key][row] for key in cells}} for row, name in enumerate(names)])]
    entries = reports[0].entries() if len(reports) == 1 else []
    if entries:
        tables += [table([_entry_row(entry) for entry in entries]), table(_why_rows(entries))]
    return "\n\n".join(tables)


def _entry_row(entry: ReportEntry) -> dict[str, Any]:
    shown = ", ".join(short_pointer(place, first=2, last=3) for place in entry.places[:FEW_PLACES])
    more = len(entry.places) - FEW_PLACES
    where = f"{shown} and {more} more" if more > 0 else shown
    return {"tool": entry.tool, "outcome": entry.outcome, "rule": entry.rule, "where": where}


def _why_rows(entries: Sequence[ReportEntry]) -> list[dict[str, Any]]:
    """Each rule with its reason, and how many tools and places it edits; the gravest outcome first."""
    alike: dict[tuple[str, str], list[ReportEntry]] = {}
    for entry in sorted(entries, key=lambda entry: FROM_GRAVEST.index(entry.outcome)):
        alike.setdefault((entry.rule or entry.tool, entry.why), []).append(entry)
    return [
        {
            "rule": rule,
            "tools": len({entry.tool for entry in group}),
            "places": sum([len(entry.places) for entry in group]),
            "why": why,
        }
        for (rule, why), group in alike.items()
    ]


def _counted(report: Report) -> dict[str, Any]:
    """How many tools have each verdict, as the row of a target."""
    found = Counter(tool.verdict for tool in report.tools)
    return {"target": report.target, **{verdict: found[verdict] or "" for verdict in VERDICTS}}


def _cell(tool: ToolReport) -> str:
    """What was done to a tool: how many entries have each outcome."""
    if tool.broken:
        return tool.verdict
    found = Counter(entry.outcome for entry in tool.entries)
    return ", ".join(f"{found[outcome]} {outcome}" for outcome in FROM_GRAVEST if found[outcome]) or tool.verdict
