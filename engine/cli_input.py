"""What the command line reads: tools, calls and messages from files, standard input or a server."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path as File

from toolglot.errors import SchemaError, ToolglotError
from toolglot.json_values import Json
from toolglot.wire.envelopes import Tool, ToolList, read_tools

SCHEMA_KEYWORDS = frozenset(
    {"type", "properties", "$ref", "$schema", "anyOf", "oneOf", "allOf", "enum", "items", "const"}
)


class InputError(ToolglotError):
    """What was typed, or a file that was named, can't be used: for the one at the command line."""


def tools_of(options: argparse.Namespace) -> ToolList:
    """The tools that the words name: from a server, a file or standard input; a bare schema is one tool."""
    if options.mcp is not None:
        if options.source:
            raise InputError(f"tools come from {options.source} or from --mcp, not from both")
        from toolglot.mcp_client import list_tools  # noqa: PLC0415 - only who asks for a server pays for it

        return read_tools(list_tools(options.mcp), envelope="mcp")
    if options.source is None and sys.stdin.isatty():
        raise InputError("which tools? a FILE, standard input, or --mcp 'COMMAND ARGS'")
    source = json_of(options.source or "-")
    try:
        return read_tools(source, envelope=options.envelope)
    except SchemaError:
        if options.envelope or not _is_schema(source):
            raise
        return ToolList("", (Tool("schema", source),), {})


def _is_schema(source: Json) -> bool:
    return isinstance(source, bool) or (isinstance(source, dict) and bool(SCHEMA_KEYWORDS & source.keys()))


def text_of(name: str) -> str:
    """What stands in a file, or on standard input where the name is `-`; in UTF-8, 16 or 32, as JSON may be."""
    try:
        octets = _standard_input() if name == "-" else File(name).read_bytes()
        return octets if isinstance(octets, str) else octets.decode(json.detect_encoding(octets))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name}: {getattr(error, 'strerror', None) or error}") from error


def _standard_input() -> bytes | str:
    buffer = getattr(sys.stdin, "buffer", None)  # a program that calls `main` may have put text there
    return sys.stdin.read() if buffer is None else buffer.read()


def json_of(name: str) -> Json:
    """The JSON in a file, or on standard input where the name is `-`."""
    text = text_of(name)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{name}: no JSON that can be read: {error}") from error
