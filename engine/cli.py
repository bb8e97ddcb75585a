"""The command line: `toolglot audit | convert | check | detect | lint | explain | rules | targets`.

Exit codes: 0 fine; 1 something was found (by `--fail-on`, a call that is refused, a tool that is broken);
2 the command line, a file, a table or a server is at fault, said in one line on standard error.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from toolglot import __version__
from toolglot.answers import Answer
from toolglot.calls.lint import lint
from toolglot.cli_input import InputError, json_of, text_of, tools_of
from toolglot.cli_output import harmless, print_json, printable, progress, table
from toolglot.cli_report import audit_text
from toolglot.cli_tables import row_of, row_text, rules_text, targets_text
from toolglot.errors import SchemaError, ToolglotError, pointer
from toolglot.json_values import Json
from toolglot.schemas.detect import detect
from toolglot.tables.ruleset import default_rules, load_rules
from toolglot.toolbox import Toolbox
from toolglot.wire.envelopes import ToolList
from toolglot.wire.report import OUTCOMES, fault_as_json

if TYPE_CHECKING:
    from toolglot.tables.ruleset import Ruleset

FINE, FOUND, BAD_INPUT = 0, 1, 2
FAIL_ON = (*OUTCOMES, "broken")


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of one command, whose words are `arguments` (those of the process by default)."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may not have every letter
    try:
        parsed = _parser().parse_args(arguments)
        code = int(parsed.run(parsed))
        print(end="", flush=True)  # there may be no output at all
    except ToolglotError as error:
        print("toolglot:", harmless(" ".join(str(error).split())), file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # the reader of a pipe, such as `head`, has seen enough
        sys.stdout = None
        return FINE
    except OSError as error:  # what can't be read is an InputError by now
        sys.stdout = None
        print("toolglot: the output can't be written:", error.strerror or error, file=sys.stderr)
        return BAD_INPUT
    return code


# The words ----------------------------------------------------------------------------------------------------


class _Words(argparse.ArgumentParser):
    """Says what is wrong with the words in one line, as of all other input."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see `{self.prog} --help`)")


def _parser() -> argparse.ArgumentParser:
    parser = _Words(
        prog="toolglot",
        description="Tool schemas to any provider, and calls checked against the tool's own schema.",
        epilog="Exit codes: 0 fine, 1 something was found, 2 bad input.",
    )
    parser.add_argument("--version", action="version", version=f"toolglot {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="print the whole report as JSON")
    shared.add_argument("--rules", action="append", default=[], metavar="PATH", help="a table of your own (repeatable)")
    source = argparse.ArgumentParser(add_help=False)
    source.add_argument("source", nargs="?", metavar="FILE", help="tools in any known envelope; `-` is standard input")
    source.add_argument("--mcp", metavar="COMMAND", help="start this MCP server and take its tools")
    source.add_argument("--envelope", metavar="ID", help="the envelope of FILE, where it is not to be detected")
    source.add_argument("--dialect", metavar="ID", help="how the schemas are written, where it is not to be detected")
    wire = argparse.ArgumentParser(add_help=False)
    wire.add_argument("--no-describe", action="store_true", help="say nothing in descriptions of what leaves the wire")
    fail = argparse.ArgumentParser(add_help=False)
    fail.add_argument("--fail-on", metavar="LIST", type=_outcomes, default=("broken",), help=_FAIL_HELP)
    _add(commands, "audit", _audit, [source, wire, fail, shared]).add_argument(
        "--target", action="append", metavar="ID", help="a target (repeatable; all of them by default)"
    )
    _add(commands, "convert", _convert, [source, wire, fail, shared]).add_argument(
        "--target", required=True, metavar="ID"
    )
    check = _add(commands, "check", _check, [source, shared])
    check.add_argument("--tool", metavar="NAME", help="the tool that is called, where there are several")
    check.add_argument("--arguments", metavar="JSON", help="the arguments, as the model sent them")
    check.add_argument("--call", metavar="FILE", help="a file that holds the arguments; `-` is standard input")
    check.add_argument("--message", metavar="FILE", help="a provider's answer, whose calls are all read; `-` as above")
    check.add_argument("--target", metavar="ID", help="the target that the tools were sent to, to read what it sends")
    check.add_argument("--depth", choices=("keys", "values", "schema"), default="schema", help="how deep to look")
    _add(commands, "detect", _detect, [source, shared])
    _add(commands, "lint", _lint, [source, shared])
    _add(commands, "explain", _explain, [shared]).add_argument(
        "id", metavar="ID", help="what a report names, or a target"
    )
    _add(commands, "rules", _rules, [shared]).add_argument("--target", metavar="ID", help="only those of this target")
    _add(commands, "targets", _targets, [shared])
    return parser


_FAIL_HELP = f"exit with 1 where one of these is found, by commas; of {', '.join(FAIL_ON)} (default: broken)"
_HELP = {
    "audit": "which tools a target takes as they are, and what is done to the others",
    "convert": "the tools in the target's envelope, ready for a request",
    "check": "whether a call, or each call of a provider's answer, fits the tool's own schema",
    "detect": "which dialect each schema is written in",
    "lint": "domains that a schema leaves open and slips in it, each with the line to add; exits with 1 for any",
    "explain": "one rule or target in full, or what a report names in the place of a rule",
    "rules": "every rule",
    "targets": "every target",
}


def _add(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], parents: list[argparse.ArgumentParser]
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, parents=parents, help=_HELP[name], description=_HELP[name]
    )
    parser.set_defaults(run=run)
    return parser


def _outcomes(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    for word in words:
        if word not in FAIL_ON:
            raise argparse.ArgumentTypeError(f"no outcome is called {word!r}; known: {', '.join(FAIL_ON)}")
    return words


# The commands -------------------------------------------------------------------------------------------------


def _audit(options: argparse.Namespace) -> int:
    rules = _ruleset(options)
    targets = options.target or list(rules.targets)
    tools = tools_of(options)
    reports = [_toolbox(tools, target, rules, options).report for target in progress(targets, "target")]
    if options.json:
        print_json([report.as_json() for report in reports] if len(reports) > 1 else reports[0].as_json())
    else:
        print(audit_text(reports))
    return FOUND if any(report.found(options.fail_on) for report in reports) else FINE


def _convert(options: argparse.Namespace) -> int:
    box = _toolbox(tools_of(options), options.target, _ruleset(options), options)
    print_json({"wire": box.wire, "report": box.report.as_json()} if options.json else box.wire)
    _say(box.broken.values())
    return FOUND if box.report.found(options.fail_on) else FINE


def _check(options: argparse.Namespace) -> int:
    given = [each for each in (options.arguments, options.call, options.message) if each is not None]
    if len(given) != 1:
        raise InputError("check needs the call: one of --arguments JSON, --call FILE and --message FILE")
    if "-" in (options.call, options.message) and options.mcp is None and options.source in (None, "-"):
        raise InputError("standard input can't be both the tools and the call: name a FILE for the tools")
    tools = tools_of(options)
    box = _toolbox(tools, options.target, _ruleset(options), options)
    if options.message is not None:
        return _check_message(box, json_of(options.message), options)
    text = options.arguments if options.call is None else text_of(options.call)
    name = options.tool or _only(tools)
    answer = box.read(name, text, depth=options.depth)
    if options.json:
        print_json({"tool": name, **_answer_as_json(answer)})
    else:
        print(harmless(answer.refusal or "fits"))
    return FINE if answer.fits else FOUND


def _check_message(box: Toolbox, message: Json, options: argparse.Namespace) -> int:
    """Says of each call of a message whether it fits."""
    calls = box.calls(message, depth=options.depth)
    if options.json:
        rows = [{"id": call.id, "place": pointer(call.path), "tool": call.name} for call in calls]
        print_json([row | _answer_as_json(call.answer) for row, call in zip(rows, calls, strict=True)])
        return FINE if all(call.answer.fits for call in calls) else FOUND
    for call in calls:
        named = f"{call.name or 'no tool'} ({pointer(call.path) if call.id is None else call.id})"
        print(f"{printable(named)}: {harmless(call.answer.refusal or 'fits')}")
    if not calls:
        print("no calls")
    return FINE if all(call.answer.fits for call in calls) else FOUND


def _answer_as_json(answer: Answer) -> dict[str, Json]:
    problems = [{**_fields(problem), "place": pointer(problem.path)} for problem in answer.problems]
    return {"fits": answer.fits, "problems": problems, "refusal": answer.refusal}


def _only(tools: ToolList) -> str:
    if len(tools.tools) != 1:
        names = ", ".join(tool.name for tool in tools.tools)
        raise InputError(f"check needs --tool NAME; there are {names or 'no tools'}")
    return tools.tools[0].name


def _fields(problem: Any) -> dict[str, Json]:
    return {name: getattr(problem, name) for name in ("keyword", "rule", "got", "wanted", "hint")}


def _detect(options: argparse.Namespace) -> int:
    tools = tools_of(options)
    found = [(tool.name, detect(tool.schema)) for tool in tools.tools]
    rows = [
        {
            "tool": name,
            "dialect": detection.dialect,
            "certainty": detection.certainty,
            "marks": list(detection.marks),
            "conflicts": list(detection.conflicts),
        }
        for name, detection in found
    ]
    faults = [{"tool": name, **fault_as_json(error)} for name, error in tools.broken.items()]
    if options.json:
        print_json({"tools": rows, "broken": faults})
    else:
        print(
            table([{**row, "marks": "; ".join(row["marks"]), "conflicts": "; ".join(row["conflicts"])} for row in rows])
        )
        _say(tools.broken.values())
    return FOUND if faults else FINE


def _lint(options: argparse.Namespace) -> int:
    tools, rules = tools_of(options), _ruleset(options)
    broken = dict(tools.broken)
    rows: list[dict[str, Json]] = []
    for tool in tools.tools:
        try:
            findings = lint(tool.schema, dialect=options.dialect, rules=rules)
        except SchemaError as error:
            broken[tool.name] = error.of_tool(tool.name)
            continue
        rows += [{"tool": tool.name, **finding.as_json()} for finding in findings]
    if options.json:
        print_json(
            {"findings": rows, "broken": [{"tool": name, **fault_as_json(fault)} for name, fault in broken.items()]}
        )
    else:
        print(table([{key: row[key] for key in ("tool", "place", "rule", "line")} for row in rows]))
        if rows:
            whys = {row["rule"]: row["why"] for row in rows}
            print("\n" + table([{"rule": rule, "why": why} for rule, why in whys.items()]))
        _say(broken.values())
    return FOUND if rows or broken else FINE


def _say(faults: Iterable[SchemaError]) -> None:
    """The faults of tools, a line each."""
    for fault in faults:
        print("toolglot:", harmless(str(fault)), file=sys.stderr)


def _explain(options: argparse.Namespace) -> int:
    row = row_of(_ruleset(options), options.id)
    print_json(row) if options.json else print(row_text(row))
    return FINE


def _rules(options: argparse.Namespace) -> int:
    rules = _ruleset(options)
    rows = [rule.as_json() for rule in rules.rules.values()]
    if options.target is not None:
        rules.target(options.target)  # an unknown one is an error
        rows = [row for row in rows if options.target in row["for"]]
    print_json(rows) if options.json else print(rules_text(rows))
    return FINE


def _targets(options: argparse.Namespace) -> int:
    rows = [target.as_json() for target in _ruleset(options).targets.values()]
    print_json(rows) if options.json else print(targets_text(rows))
    return FINE


# What comes in ------------------------------------------------------------------------------------------------


def _ruleset(options: argparse.Namespace) -> Ruleset:
    return load_rules(*options.rules) if options.rules else default_rules()


def _toolbox(tools: ToolList, target: str | None, rules: Ruleset, options: argparse.Namespace) -> Toolbox:
    describe = not getattr(options, "no_describe", False)
    return Toolbox(tools, target=target, rules=rules, describe=describe, dialect=options.dialect)


if __name__ == "__main__":
    sys.exit(main())
