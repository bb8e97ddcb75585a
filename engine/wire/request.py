"""schema → wire for a whole list of tools: everything that one request to one target needs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from types import MappingProxyType

from toolglot.cache import content_key
from toolglot.errors import SchemaError
from toolglot.json_values import Json, Snapshot, json_text
from toolglot.tables.limits import OF_REQUEST
from toolglot.tables.rows import Target
from toolglot.tables.ruleset import Ruleset
from toolglot.wire.aliases import Alias
from toolglot.wire.causes import of_limit
from toolglot.wire.convert import Conversion, Edit, convert
from toolglot.wire.envelopes import Tool, ToolList, write_tools
from toolglot.wire.limits import Over, left_over
from toolglot.wire.report import Report, ToolReport


@dataclass(frozen=True)
class Request:
    """A list of tools as one target takes it. Safe to share: what it hands out is fresh or frozen.

    Attributes:
        target: the target, or None where nothing was converted.
        source: the id of the envelope that the tools came in.
        names: the tools that are sent, in the order they came.
        broken: the tools that are not, each with the place and the reason.
        conversions: each tool's schema on its way there and back; empty without a target.
        sent_as: the names that tools have in the request, where the target does not take their own.
        otherwise: the target whose form a tool takes that does not fit into this one, by tool.
    """

    target: Target | None
    source: str
    names: tuple[str, ...]
    broken: Mapping[str, SchemaError]
    conversions: Mapping[str, Conversion]
    _tools: Mapping[str, Snapshot] = field(repr=False)
    sent_as: Mapping[str, str] = field(default_factory=dict)
    otherwise: Mapping[str, tuple[Target, Over]] = field(default_factory=dict)
    _contents: dict[str, bytes | None] = field(default_factory=dict, repr=False, compare=False)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def called(self, name: str) -> str:
        """The tool's own name, where a call comes by the name that it has in the request."""
        return self._own_names.get(name, name)

    @cached_property
    def _own_names(self) -> Mapping[str, str]:
        return {alias: name for name, alias in self.sent_as.items()}

    def tool(self, name: str) -> Tool:
        """A tool as its author wrote it, by name; fresh."""
        schema, description, output_schema, extra = self._tools[name].fresh()
        return Tool(name, schema, description, output_schema, extra)

    def content(self, name: str) -> bytes | None:
        """The bytes that stand for a tool's own schema, see `content_key`; made once."""
        if name not in self._contents:
            self._contents[name] = content_key(self.tool(name).schema)
        return self._contents[name]

    def wire(self) -> list[Json]:
        """What goes into the request; fresh."""
        entries: list[Json] = self._wire.fresh()
        return entries

    @cached_property
    def wire_json(self) -> bytes:
        """The same as JSON text in UTF-8, without spaces."""
        return json_text(self.wire()).encode()

    @cached_property
    def report(self) -> Report:
        """Every edit, and every broken tool."""
        sent = [
            ToolReport(name, each.detection, (*self._of_tool(name), *each.edits))
            for name, each in self.conversions.items()
        ]
        broken = [ToolReport(name, broken=error) for name, error in self.broken.items()]
        target = self.target
        return Report(target.id if target else "", target.envelope if target else self.source, (*sent, *broken))

    def _of_tool(self, name: str) -> Iterator[Edit]:
        """What was done to a tool as a whole."""
        if name in self.sent_as:
            why = f"the target does not take the name; it is called {self.sent_as[name]!r} in the request"
            yield Edit(of_limit("tool-name-pattern")[0], None, "encoded", (), why)
        if name in self.otherwise:
            row, passed = self.otherwise[name]
            yield Edit(
                of_limit(passed.limit)[0], None, "same", (), f"{passed.reason}: the tool is sent as for {row.id}"
            )

    @cached_property
    def _wire(self) -> Snapshot:
        if self.target is None:
            tools = [self.tool(name) for name in self.names]
            return Snapshot(write_tools([(tool, tool.schema) for tool in tools], self.source))
        entries: list[Json] = []
        for envelope, names in groupby(self.names, self._envelope_of):
            entries += write_tools([self._written(name) for name in names], envelope)
        return Snapshot(entries)

    def _envelope_of(self, name: str) -> str:
        row = self.otherwise[name][0] if name in self.otherwise else self.target
        return row.envelope if row else self.source

    def _written(self, name: str) -> tuple[Tool, Json]:
        tool = self.tool(name)
        return replace(tool, name=self.sent_as.get(name, name)), self.conversions[name].wire


def request(  # noqa: PLR0913 - everything but the tools and the target has a default and is named at the call
    tools: ToolList,
    target: str | None,
    rules: Ruleset,
    *,
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    describe: bool | str = True,
) -> Request:
    """The request for some tools; a tool that is broken is left out and named.

    Raises:
        RuleError: there is no such target.
    """
    row = rules.target(target).target if target else None
    conversions: dict[str, Conversion] = {}
    held: dict[str, Snapshot] = {}
    broken = dict(tools.broken)

    def converted(schema: Json, to: Target) -> Conversion:
        return convert(schema, to.id, rules=rules, dialect=dialect, resources=resources, describe=describe)

    for tool in tools.tools:
        try:
            if row:
                conversions[tool.name] = converted(tool.schema, row)
        except SchemaError as error:
            broken[tool.name] = error.of_tool(tool.name)
            continue
        held[tool.name] = Snapshot((tool.schema, tool.description, tool.output_schema, dict(tool.extra)))
    otherwise: dict[str, tuple[Target, Over]] = {}
    if row and row.limits:
        passed = unfit(conversions, row)
        other = rules.target(row.limits["otherwise"]).target if passed and "otherwise" in row.limits else None
        instead = {name: converted(held[name].fresh()[0], other) for name in passed} if other else {}
        gone = _left_out(conversions, instead, passed, other)
        for name, over in gone.items():
            broken[name] = SchemaError((), over.limit, over.reason, tool=name)
            del conversions[name], held[name]
        otherwise = {name: (other, passed[name]) for name in instead if name not in gone} if other else {}
        conversions |= {name: instead[name] for name in otherwise}
    return Request(
        row,
        tools.envelope,
        tuple(held),
        MappingProxyType(broken),
        MappingProxyType(conversions),
        MappingProxyType(held),
        MappingProxyType(_names(held, row)),
        MappingProxyType(otherwise),
    )


def unfit(conversions: Mapping[str, Conversion], row: Target) -> dict[str, Over]:
    """The tools that do not fit, each with the limit that it passes: alone, or beside those before it."""
    found = {name: each.over[0] for name, each in conversions.items() if each.over}
    if any(name in row.limits for name in OF_REQUEST):
        found |= left_over({name: each for name, each in conversions.items() if name not in found}, row.limits)
    return found


def _left_out(
    conversions: Mapping[str, Conversion],
    instead: Mapping[str, Conversion],
    passed: Mapping[str, Over],
    other: Target | None,
) -> Mapping[str, Over]:
    """The tools that fit in neither form. What the other form limits in a request counts for the tools of both."""
    if other is None:
        return passed
    gone = {name: passed[name] for name, each in instead.items() if each.over}
    sent = {name: instead.get(name, each) for name, each in conversions.items() if name not in gone}
    if any(name in other.limits for name in OF_REQUEST):
        gone |= left_over(sent, other.limits)
    return gone


def _names(tools: Iterable[str], row: Target | None) -> dict[str, str]:
    """Other names for the tools whose names the target does not take."""
    limits = row.limits if row else {}
    if "tool-name-pattern" not in limits and "tool-name-longest" not in limits:
        return {}
    names = tuple(tools)
    alias = Alias(limits.get("tool-name-pattern", ""), limits.get("tool-name-longest", sys.maxsize), names)
    return {name: alias(name) for name in names if alias(name) != name}
