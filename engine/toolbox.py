"""The three borders for one list of tools: what is sent, what was changed, and the calls that come back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from toolglot.calls.arguments import parse_arguments
from toolglot.calls.check import Whole, held_check
from toolglot.calls.depths import Held
from toolglot.calls.readings import Nearly, Policy, Reading, allowed, nearly
from toolglot.calls.refusals import refusal
from toolglot.calls.roots import Aliases
from toolglot.errors import Problem, SchemaError
from toolglot.json_values import Json
from toolglot.tables.ruleset import Ruleset, default_rules
from toolglot.tables.spelling import near
from toolglot.wire.convert import Conversion, convert
from toolglot.wire.envelopes import Tool, ToolList, read_tools, write_tools
from toolglot.wire.report import Report, ToolReport

NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a call.

    Attributes:
        arguments: what the tool gets, in its own form; None where the call is refused.
        problems: everything that is wrong with the call; empty where it fits.
        refusal: the text for the model, or None where the call fits.
        readings: each near miss that was read as the schema wants it; empty unless the toolbox allows readings.
    """

    arguments: Json
    problems: tuple[Problem, ...] = ()
    refusal: str | None = None
    readings: tuple[Reading, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether the call may run."""
        return not self.problems


class Toolbox:
    """A list of tools, held for one target.

    Made once per list: the schemas are converted here, and nothing is compiled before a tool's first call.
    Safe to use from several threads.

    Attributes:
        tools: the tools that are sent, in the order they came.
        broken: the tools that are not sent, by name, each with the place and the reason.
        source: the id of the envelope that the tools came in.
    """

    def __init__(  # noqa: PLR0913 - everything but the tools has a default and is named at the call
        self,
        tools: Json | ToolList,
        target: str | None = None,
        *,
        rules: Ruleset | None = None,
        describe: bool = True,
        depth: str | Mapping[str, str] = "schema",
        dialect: str | None = None,
        resources: Mapping[str, Json] | None = None,
        envelope: str | None = None,
        formats: bool | None = None,
        integers: str = "strict",
        aliases: Mapping[str, Aliases] | None = None,
        readings: Policy = False,
    ) -> None:
        """Reads and converts the tools.

        Args:
            tools: the list in any known envelope, or what `read_tools` gave.
            target: the id of a row of the tables; without one nothing is converted, and calls are checked.
            rules: the tables, as `load_rules` gives them; the shipped ones by default.
            describe: whether descriptions say in a few words what leaves the wire.
            depth: how deep `read` looks (`keys`, `values` or `schema`), for all tools or by tool's name.
            dialect: how the schemas are written, where it is not to be detected.
            resources: other schemas that references may reach, by address; nothing is ever fetched.
            envelope: the envelope of `tools`, where it is not to be detected.
            formats: whether `format` is checked; as the dialect says where it is not given.
            integers: `number` to read the type `integer` as `number` at depth `values`.
            aliases: other names of parameters, by tool's name.
            readings: near misses that are accepted at depth `schema`: none, `True` for those that keep the
                meaning, or the ids of rows.

        Raises:
            SchemaError: `tools` is no list of tools at all. One bad tool raises nothing, see `broken`.
            RuleError: there is no such target.
            ValueError: there is no such reading.
        """
        allowed(readings, rules)
        read = tools if isinstance(tools, ToolList) else read_tools(tools, envelope=envelope)
        self.source = read.envelope
        self._rules = rules or default_rules()
        self._target = self._rules.target(target).target if target else None
        self._dialect, self._resources, self._formats = dialect, resources, formats
        self._depth, self._integers, self._aliases, self._readings = depth, integers, aliases or {}, readings
        self._checks: dict[tuple[str, str], Held] = {}
        broken = dict(read.broken)
        self._conversions: dict[str, Conversion] = {}
        held: dict[str, Tool] = {}
        for tool in read.tools:
            try:
                if target:
                    self._conversions[tool.name] = convert(
                        tool.schema, target, rules=self._rules, dialect=dialect, resources=resources, describe=describe
                    )
                held[tool.name] = tool
            except SchemaError as error:
                broken[tool.name] = error.of_tool(tool.name)
        self._held = MappingProxyType(held)
        self.tools = tuple(held.values())
        self.broken: Mapping[str, SchemaError] = MappingProxyType(broken)

    @property
    def wire(self) -> list[Json]:
        """What goes into the request, in the target's own envelope; fresh at each access."""
        if self._target is None:
            return write_tools([(tool, tool.schema) for tool in self.tools], self.source)
        pairs = [(tool, self._conversions[tool.name].wire) for tool in self.tools]
        return write_tools(pairs, self._target.envelope)

    @cached_property
    def wire_json(self) -> bytes:
        """`wire` as JSON text in UTF-8, without spaces, made once."""
        try:
            return json.dumps(self.wire, ensure_ascii=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:  # half a surrogate pair can only be sent as an escape
            return json.dumps(self.wire, separators=(",", ":")).encode()

    @property
    def report(self) -> Report:
        """Every edit, and every broken tool; made when asked for."""
        tools = [
            ToolReport(name, conversion.detection, conversion.edits) for name, conversion in self._conversions.items()
        ]
        tools += [ToolReport(name, broken=error) for name, error in self.broken.items()]
        target = self._target
        return Report(target.id if target else "", target.envelope if target else self.source, tuple(tools))

    def read(self, name: str, arguments: Json = None, *, depth: str | None = None) -> Answer:
        """The call in the tool's own form, or everything that is wrong with it and the refusal for the model.

        Args:
            name: the tool that is called.
            arguments: an object, the JSON text as the model sent it, or None where none came.
            depth: how deep to look, where it is not what the toolbox says.
        """
        tool = self._held.get(name)
        if tool is None:
            return self._refused(name, (self._no_such_tool(name),))
        parsed = parse_arguments(arguments)
        if parsed.problems:
            return self._refused(name, parsed.problems)
        value, problems = self._restored(name, parsed.value)
        if problems:
            return self._refused(name, problems)
        held = self._held_check(tool, depth or self._depth_of(name))
        if held.accepts(value):
            return Answer(value)
        problems = held.problems(value)
        near_enough = self._nearly(held, value, problems)
        if near_enough:
            return Answer(near_enough.value, readings=near_enough.readings)
        return self._refused(name, problems)

    def _restored(self, name: str, value: Json) -> tuple[Json, tuple[Problem, ...]]:
        conversion = self._conversions.get(name)
        return conversion.restore(value) if conversion else (value, ())

    def _depth_of(self, name: str) -> str:
        return self._depth if isinstance(self._depth, str) else self._depth.get(name, "schema")

    def _held_check(self, tool: Tool, depth: str) -> Held:
        held = self._checks.get((tool.name, depth))
        if held is None:
            held = self._checks[tool.name, depth] = held_check(
                tool.schema,
                depth=depth,
                dialect=self._dialect,
                resources=self._resources,
                formats=self._formats,
                integers=self._integers,
                aliases=self._aliases.get(tool.name),
                rules=self._rules,
            )
        return held

    def _nearly(self, held: Held, value: Json, problems: tuple[Problem, ...]) -> Nearly | None:
        if self._readings is False or not isinstance(held, Whole):
            return None
        return nearly(held.exact, value, problems, self._readings, rules=self._rules)

    def _no_such_tool(self, name: str) -> Problem:
        hint = near(name, self._held)
        if name in self.broken:
            return Problem((), "name", "broken-tool", name, "a tool that can be called", self.broken[name].reason)
        known = ", ".join(list(self._held)[:NAMES_SHOWN]) or "none"
        return Problem((), "name", "unknown-tool", name, f"one of the tools {known}", hint)

    @staticmethod
    def _refused(name: str, problems: tuple[Problem, ...]) -> Answer:
        return Answer(None, problems, refusal(problems, tool=name))
