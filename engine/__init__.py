"""Tool schemas to any provider, calls checked against the tool's own schema, results kept honest.

The public names. Each is imported when it is first used, so that `import toolglot` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolglot.answers import Answer, Call
    from toolglot.calls.arguments import parse_arguments
    from toolglot.calls.check import check
    from toolglot.calls.checker import Checker, checker
    from toolglot.calls.lint import Finding, lint
    from toolglot.calls.output import check_output
    from toolglot.calls.refusals import Wording, refusal
    from toolglot.errors import CallError, MessageError, Problem, RuleError, SchemaError, ToolglotError
    from toolglot.results.fetcher import Fetcher
    from toolglot.results.lanes import render
    from toolglot.results.message import Message
    from toolglot.results.registry import Registry, Source
    from toolglot.schemas.detect import detect
    from toolglot.schemas.forms import Detection
    from toolglot.tables.ruleset import Ruleset, load_rules
    from toolglot.toolbox import Toolbox
    from toolglot.wire.convert import Conversion, Edit, convert
    from toolglot.wire.envelopes import Tool, ToolList, read_tools, write_tools
    from toolglot.wire.report import Report, ReportEntry, ToolReport

__version__ = "0.1.0"

_HOMES = {
    "answers": ("Answer", "Call"),
    "calls.arguments": ("parse_arguments",),
    "calls.check": ("check",),
    "calls.checker": ("Checker", "checker"),
    "calls.lint": ("Finding", "lint"),
    "calls.output": ("check_output",),
    "calls.refusals": ("Wording", "refusal"),
    "errors": ("CallError", "MessageError", "Problem", "RuleError", "SchemaError", "ToolglotError"),
    "results.fetcher": ("Fetcher",),
    "results.lanes": ("render",),
    "results.message": ("Message",),
    "results.registry": ("Registry", "Source"),
    "schemas.detect": ("detect",),
    "schemas.forms": ("Detection",),
    "tables.ruleset": ("Ruleset", "load_rules"),
    "toolbox": ("Toolbox",),
    "wire.convert": ("Conversion", "Edit", "convert"),
    "wire.envelopes": ("Tool", "ToolList", "read_tools", "write_tools"),
    "wire.report": ("Report", "ReportEntry", "ToolReport"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "Call",
    "CallError",
    "Checker",
    "Conversion",
    "Detection",
    "Edit",
    "Fetcher",
    "Finding",
    "Message",
    "MessageError",
    "Problem",
    "Registry",
    "Report",
    "ReportEntry",
    "RuleError",
    "Ruleset",
    "SchemaError",
    "Source",
    "Tool",
    "ToolList",
    "ToolReport",
    "Toolbox",
    "ToolglotError",
    "Wording",
    "check",
    "check_output",
    "checker",
    "convert",
    "detect",
    "lint",
    "load_rules",
    "parse_arguments",
    "read_tools",
    "refusal",
    "render",
    "write_tools",
]


def __getattr__(name: str) -> object:
    """The public name, imported at its first use."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
