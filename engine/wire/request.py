"""schema → wire for a whole list of tools: everything that one request to one target needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from toolglot.errors import SchemaError
from toolglot.json_values import Json, Snapshot, json_text
from toolglot.tables.rows import Target
from toolglot.tables.ruleset import Ruleset
from toolglot.wire.convert import Conversion, convert
from toolglot.wire.envelopes import Tool, ToolList, write_tools
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
    """

    target: Target | None
    source: str
    names: tuple[str, ...]
    broken: Mapping[str, SchemaError]
    conversions: Mapping[str, Conversion]
    _tools: Mapping[str, Snapshot] = field(repr=False)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def tool(self, name: str) -> Tool:
        """A tool as its author wrote it, by name; fresh."""
        schema, description, output_schema, extra = self._tools[name].fresh()
        return Tool(name, schema, description, output_schema, extra)

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
        sent = [ToolReport(name, each.detection, each.edits) for name, each in self.conversions.items()]
        broken = [ToolReport(name, broken=error) for name, error in self.broken.items()]
        target = self.target
        return Report(target.id if target else "", target.envelope if target else self.source, (*sent, *broken))

    @cached_property
    def _wire(self) -> Snapshot:
        tools = [self.tool(name) for name in self.names]
        if self.target is None:
            return Snapshot(write_tools([(tool, tool.schema) for tool in tools], self.source))
        pairs = [(tool, self.conversions[tool.name].wire) for tool in tools]
        return Snapshot(write_tools(pairs, self.target.envelope))


def request(  # noqa: PLR0913 - everything but the tools and the target has a default and is named at the call
    tools: ToolList,
    target: str | None,
    rules: Ruleset,
    *,
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    describe: bool = True,
) -> Request:
    """The request for some tools; a tool that is broken is left out and named.

    Raises:
        RuleError: there is no such target.
    """
    row = rules.target(target).target if target else None
    conversions: dict[str, Conversion] = {}
    held: dict[str, Snapshot] = {}
    broken = dict(tools.broken)
    for tool in tools.tools:
        try:
            if row:
                conversions[tool.name] = convert(
                    tool.schema, row.id, rules=rules, dialect=dialect, resources=resources, describe=describe
                )
        except SchemaError as error:
            broken[tool.name] = error.of_tool(tool.name)
            continue
        held[tool.name] = Snapshot((tool.schema, tool.description, tool.output_schema, dict(tool.extra)))
    return Request(
        row,
        tools.envelope,
        tuple(held),
        MappingProxyType(broken),
        MappingProxyType(conversions),
        MappingProxyType(held),
    )
