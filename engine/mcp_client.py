"""The tools of a real MCP server, started over standard input and output through the official SDK.

Only the command line comes here: it starts a process, which the engine never does.
"""

from __future__ import annotations

import logging
import os
import shlex
import tempfile
from typing import TYPE_CHECKING, Any, TextIO

from toolglot.errors import ToolglotError
from toolglot.json_values import Json

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 60.0


class ServerError(ToolglotError):
    """An MCP server could not be started, or gave no list of tools: for the one who typed its command."""


def list_tools(command: str, *, seconds: float = SECONDS) -> list[Json]:
    """Every tool of the server that the command starts, all pages, as the protocol writes them.

    The server gets this process's environment, since that is where its credentials are, and is ended
    when the list is there.

    Raises:
        ServerError: no SDK, no such command, no answer in time, or an answer that is an error.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ServerError(f"the command of the MCP server can't be read: {error}") from error
    if not words:
        raise ServerError("the command of the MCP server is empty")
    try:
        import anyio  # noqa: PLC0415 - an extra: only who asks for a server pays for the SDK
        import mcp  # noqa: F401, PLC0415 - as anyio
    except ImportError as error:
        raise ServerError("talking to an MCP server needs its SDK (pip install 'toolglot[mcp]')") from error
    logging.getLogger("mcp").addHandler(logging.NullHandler())  # else its tracebacks go to the terminal
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            return anyio.run(_listed, words, seconds, log)
        except BaseException as error:  # the SDK wraps what went wrong in groups of its own
            cause = next(_causes(error))
            if isinstance(cause, (KeyboardInterrupt, SystemExit)):
                raise
            raise ServerError(f"{words[0]}: {_reason(cause, seconds)}{_last_words(log)}") from error


async def _listed(words: list[str], seconds: float, log: TextIO) -> list[Json]:
    import anyio  # noqa: PLC0415 - as above
    from mcp import ClientSession, StdioServerParameters, stdio_client  # noqa: PLC0415 - as above
    from mcp.types import PaginatedRequestParams  # noqa: PLC0415 - as above

    server = StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))
    tools: list[Json] = []
    with anyio.fail_after(seconds):
        async with stdio_client(server, errlog=log) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            cursor: str | None = None
            while True:
                params = PaginatedRequestParams(cursor=cursor) if cursor else None
                page: dict[str, Any] = (await session.list_tools(params=params)).model_dump(
                    mode="json", by_alias=True, exclude_none=True
                )
                tools += page["tools"]
                cursor = page.get("nextCursor")
                if not cursor:
                    return tools


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The errors inside groups of errors, the first one first."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _causes(inner)
    else:
        yield error


def _reason(cause: BaseException, seconds: float) -> str:
    if isinstance(cause, FileNotFoundError):
        return "no such command"
    if isinstance(cause, TimeoutError):
        return f"no list of tools within {seconds:g} s"
    return str(cause) or type(cause).__name__


def _last_words(log: TextIO) -> str:
    """What the server wrote last before it failed, on one line."""
    log.seek(0)
    lines = [line.strip() for line in log.read()[-2000:].splitlines() if line.strip()]
    return f" (it said: {lines[-1][:300]})" if lines else ""
