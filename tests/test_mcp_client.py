"""Tools from a server that speaks MCP over standard input and output."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from toolglot.cli import main
from toolglot.mcp_client import ServerError, list_tools

# The least server that there can be: it answers the handshake and lists its tools in two pages.
SERVER = """
import json, os, sys
schema = {"type": "object", "properties": {"a": {"default": None, "type": ["string", "null"]}}}
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = {}
    if message["method"] == "initialize":
        version = message["params"]["protocolVersion"]
        about = {"name": "x", "version": "1"}
        result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
    if message["method"] == "tools/list":
        cursor = (message.get("params") or {}).get("cursor")
        name = os.environ["NAME_OF_TOOL"] if cursor else "first"
        result = {"tools": [{"name": name, "inputSchema": schema}]}
        if not cursor:
            result["nextCursor"] = "more"
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
    monkeypatch.setenv("NAME_OF_TOOL", "second")
    file = tmp_path / "server.py"
    file.write_text(SERVER, encoding="utf-8")
    return f"'{sys.executable}' '{file}'"


def test_every_page_is_read_and_the_server_has_its_environment(server: str) -> None:
    tools = list_tools(server, seconds=30)
    assert [tool["name"] for tool in tools] == ["first", "second"]
    assert tools[0]["inputSchema"]["properties"]["a"]["default"] is None


def test_audit_takes_the_tools_of_a_server(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--mcp", server, "--target", "llama.cpp", "--json"]) == 0
    report: Any = json.loads(capsys.readouterr().out)
    assert [tool["tool"] for tool in report["tools"]] == ["first", "second"]


@pytest.mark.parametrize("program", ["import sys; sys.exit('no licence')", "print('hello')"])
def test_a_server_that_ends_is_named_with_its_last_words(program: str, server: str) -> None:
    del server
    with pytest.raises(ServerError) as refused:
        list_tools(f'"{sys.executable}" -c "{program}"', seconds=30)
    assert ("no licence" in str(refused.value)) == ("licence" in program)


def test_a_server_that_speaks_something_else_is_told_of_in_one_line(
    server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    del server
    assert main(["audit", "--mcp", f'"{sys.executable}" -c "print(1); print(2)"']) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_server_that_says_nothing_is_not_waited_for(server: str) -> None:
    del server
    with pytest.raises(ServerError) as refused:
        list_tools(f'"{sys.executable}" -c "import time; time.sleep(60)"', seconds=0.5)
    assert "0.5 s" in str(refused.value)


@pytest.mark.parametrize("command", ["", "  ", "'open", "no-such-command-anywhere"])
def test_a_command_that_can_not_be_run_is_refused(command: str, server: str) -> None:
    del server
    with pytest.raises(ServerError):
        list_tools(command)
