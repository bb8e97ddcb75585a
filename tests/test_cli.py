"""The command line: what it prints, what it exits with, and how it says what is wrong."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toolglot.cli import main

TOOLS = {
    "tools": [
        {
            "name": "search",
            "description": "Finds things.",
            "inputSchema": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "limit": {"type": "integer", "minimum": 1, "multipleOf": 5}},
                "required": ["text"],
            },
        },
        {"name": "now", "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False}},
    ]
}
BROKEN = {"name": "bad", "inputSchema": {"type": "object", "properties": {"a": {"type": "strin"}}}}
TABLE = """
[target."mine"]
title    = "My own server"
envelope = "openai-chat"
why      = "A test."
source   = ["a test"]
seen     = 2026-11-30
"""


@pytest.fixture
def tools(tmp_path: Path) -> str:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(TOOLS), encoding="utf-8")
    return str(file)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({"tools": [*TOOLS["tools"], BROKEN]}), encoding="utf-8")
    return str(file)


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_audit_says_per_tool_what_is_done_and_why(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", tools, "--target", "llama.cpp"]) == 0
    table = capsys.readouterr().out
    assert "search" in table
    assert "now" in table
    assert "checked" in table
    code, report = run_json(capsys, "audit", tools, "--target", "llama.cpp")
    assert code == 0
    assert report["target"] == "llama.cpp"
    edits = {tool["tool"]: tool["edits"] for tool in report["tools"]}
    assert "/properties/limit" in {edit["place"] for edit in edits["search"]}
    assert all(edit["why"] and edit["outcome"] for edit in edits["search"])


def test_audit_says_once_of_a_tool_what_is_true_of_many_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    names = [f"count{number}" for number in range(5)]
    properties = {"text": {"type": "string", "pattern": "^a$"}} | {name: {"type": "integer"} for name in names}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{"name": "count", "inputSchema": schema}]), encoding="utf-8")
    _, report = run_json(capsys, "audit", str(file), "--target", "llama.cpp")
    edits = [edit for edit in report["tools"][0]["edits"] if edit["outcome"] == "narrowed"]
    assert [edit["place"] for edit in edits] == [f"/properties/{name}" for name in names]
    assert main(["audit", str(file), "--target", "llama.cpp"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["count", "1", "narrowed,", "1", "same"]
    narrowed = [at for at, line in enumerate(lines) if line.startswith("count") and " narrowed " in line][-1]
    shown = " ".join(lines[narrowed : narrowed + 3])
    assert all(f"/properties/{name}" in shown for name in names[:3])
    assert "and 2 more" in shown
    assert "same" in next(line for line in lines[narrowed + 1 :] if line.startswith("count"))  # the gravest is first
    assert [line.split()[1:3] for line in lines if line.startswith(edits[0]["rule"])] == [["1", "5"]]


def test_a_place_deep_in_a_schema_is_shown_by_its_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    schema: dict[str, Any] = {"type": "object", "properties": {"last": {"type": "integer"}}}
    for _ in range(30):
        schema = {"type": "object", "properties": {"middle": schema}}
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{"name": "deep", "inputSchema": schema}]), encoding="utf-8")
    main(["audit", str(file), "--target", "llama.cpp"])
    out = capsys.readouterr().out
    assert "/properties/middle/…/middle/properties/last" in out
    assert max(map(len, out.splitlines())) <= 120


def test_what_a_stranger_wrote_is_shown_without_what_a_terminal_obeys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {"name": "no\x1b[2J", "inputSchema": {"type": "object", "properties": {"b\x9b31m": {"type": "strin"}}}}
    schema = {"type": "object", "properties": {"a\x1b[2J": {"type": "integer", "multipleOf": 5}}}
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{"name": "find\x1b[31m", "inputSchema": schema}, bad]), encoding="utf-8")
    call = ["--tool", "find\x1b[31m", "--arguments", json.dumps({"a\x1b[2J": 7, "\x9b31m": 1})]
    main(["audit", str(file), "--target", "llama.cpp"])
    main(["convert", str(file), "--target", "llama.cpp"])
    main(["lint", str(file)])
    main(["check", str(file), *call])
    for words in (["audit", str(file), "--target", "llama.cpp"], ["lint", str(file)], ["check", str(file), *call]):
        main([*words, "--json"])
    printed = "".join(capsys.readouterr())
    assert {letter for letter in printed if not letter.isprintable()} == {"\n"}


def test_json_escapes_what_a_terminal_obeys_and_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "a\x9b2J\u202e\u2028\x7f\U000e0041 \u00e9\u4f60"
    schema = {"type": "object", "properties": {name: {"type": "integer"}}}
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{"name": "find", "inputSchema": schema}]), encoding="utf-8")
    main(["convert", str(file), "--target", "mcp"])
    out = capsys.readouterr().out
    assert "\u00e9\u4f60" in out
    assert next(iter(json.loads(out)[0]["inputSchema"]["properties"])) == name


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_file_may_be_in_any_encoding_that_json_is_in(encoding: str, tmp_path: Path) -> None:
    file, call = tmp_path / "tools.json", tmp_path / "call.json"
    file.write_text(json.dumps(TOOLS), encoding=encoding)
    call.write_text('{"text": "\u00e9"}', encoding=encoding)
    assert main(["check", str(file), "--tool", "search", "--call", str(call)]) == 0


def command_line(words: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "toolglot.cli", *words], stderr=subprocess.PIPE, check=False, **options
    )


def test_a_terminal_that_has_not_every_letter_gets_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{"name": "a", "description": "\u00e9\u4f60", "inputSchema": {"type": "object"}}]))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    told = [["audit", str(file), "--target", "mcp"], ["convert", str(file), "--target", "mcp"]]
    table, wire = (command_line(words, stdout=subprocess.PIPE, env=environment) for words in told)
    assert (table.returncode, table.stderr, wire.returncode, wire.stderr) == (0, b"", 0, b"")
    assert json.loads(wire.stdout)[0]["description"] == "\u00e9\u4f60"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="NOT TESTED: no device here that is always full")
@pytest.mark.parametrize("words", [["targets"], ["rules", "--json"]])
def test_an_output_that_cannot_be_written_is_one_line_and_exit_code_2(words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = command_line(words, stdout=full)
    assert (ended.returncode, ended.stderr.count(b"\n")) == (2, 1)


def test_no_output_at_all_is_no_fault() -> None:
    words = [sys.executable, "-m", "toolglot.cli", "rules", "--json"]
    ended = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *words], stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_audit_without_a_target_compares_all_of_them(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, reports = run_json(capsys, "audit", tools)
    _, targets = run_json(capsys, "targets")
    assert code == 0
    assert isinstance(reports, list) or len(targets) == 1
    assert main(["audit", tools]) == 0


def test_audit_of_many_targets_counts_the_tools_of_each(
    tools: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "many.toml"
    table.write_text("".join(TABLE.replace("mine", f"mine{number}") for number in range(7)), encoding="utf-8")
    assert main(["audit", tools, "--rules", str(table)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["mine3", "2"] in lines


def test_audit_exits_with_1_for_what_it_is_told_to_find(
    tools: str, bad: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", tools, "--target", "llama.cpp", "--fail-on", "checked,withheld"]) == 1
    assert main(["audit", tools, "--target", "llama.cpp", "--fail-on", "withheld"]) == 0
    assert main(["audit", bad, "--target", "llama.cpp"]) == 1
    capsys.readouterr()
    _, report = run_json(capsys, "audit", bad, "--target", "llama.cpp")
    assert [tool["verdict"] for tool in report["tools"] if tool["tool"] == "bad"] == ["broken"]
    assert report["tools"][-1]["broken"]["place"].startswith("/properties/a")


def test_convert_prints_the_request_in_the_targets_envelope(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", tools, "--target", "llama.cpp"]) == 0
    wire = json.loads(capsys.readouterr().out)
    assert [entry["function"]["name"] for entry in wire] == ["search", "now"]
    code, whole = run_json(capsys, "convert", tools, "--target", "llama.cpp")
    assert (code, whole["wire"]) == (0, wire)
    assert whole["report"]["target"] == "llama.cpp"


def test_convert_leaves_a_broken_tool_out_and_says_so(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", bad, "--target", "llama.cpp"]) == 1
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 2
    assert err.count("\n") == 1
    assert "bad" in err
    assert "/properties/a" in err


def test_check_tells_a_call_that_fits_from_one_that_does_not(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", tools, "--tool", "search", "--arguments"]
    assert main([*words, '{"text": "x", "limit": 10}']) == 0
    capsys.readouterr()
    assert main([*words, '{"text": "x", "limit": 7}']) == 1
    assert "limit" in capsys.readouterr().out
    code, answer = run_json(capsys, *words, '{"limit": 0}')
    assert code == 1
    assert answer["fits"] is False
    assert {(problem["place"], problem["keyword"]) for problem in answer["problems"]} >= {("/limit", "minimum")}
    assert main([*words, '{"limit": 5}', "--depth", "keys"]) == 1
    assert main([*words, '{"text": 5}', "--depth", "keys"]) == 0


def test_check_takes_a_bare_schema_and_the_call_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema, call = tmp_path / "schema.json", tmp_path / "call.json"
    schema.write_text('{"type": "integer"}', encoding="utf-8")
    call.write_text("5", encoding="utf-8")
    assert main(["check", str(schema), "--call", str(call)]) == 0
    call.write_text('"5"', encoding="utf-8")
    assert main(["check", str(schema), "--call", str(call)]) == 1
    capsys.readouterr()


def test_check_reads_each_call_of_a_providers_answer(
    tools: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = tmp_path / "message.json"
    calls = [
        {"id": "a", "type": "function", "function": {"name": "now", "arguments": "{}"}},
        {"id": "b", "type": "function", "function": {"name": "search", "arguments": '{"text": "x", "limit": 7}'}},
        {"id": "\u001b[2J", "type": "function", "function": {"name": "no\nsuch", "arguments": "{}"}},
    ]
    message.write_text(json.dumps({"choices": [{"message": {"tool_calls": calls}}]}), encoding="utf-8")
    assert main(["check", tools, "--message", str(message)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "now (a): fits"
    assert lines[1].startswith("search (b): Nothing was done")
    assert any(line.startswith("no?such (?[2J): ") for line in lines)
    code, rows = run_json(capsys, "check", tools, "--message", str(message))
    assert code == 1
    assert [(row["id"], row["tool"], row["fits"]) for row in rows[:2]] == [("a", "now", True), ("b", "search", False)]
    assert rows[1]["place"] == "/choices/0/message/tool_calls/1"
    assert rows[1]["problems"][0]["place"] == "/limit"


def test_check_reads_a_call_as_the_target_spells_it(
    tools: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = tmp_path / "message.json"
    sent = {"type": "tool_use", "id": "a", "name": "search", "input": {"text": "x", "limit": None, "other_keys": None}}
    message.write_text(json.dumps({"role": "assistant", "content": [sent]}), encoding="utf-8")
    assert main(["check", tools, "--message", str(message), "--target", "openai/strict"]) == 0
    assert main(["check", tools, "--message", str(message)]) == 1
    message.write_text(json.dumps({"role": "assistant", "content": [{"type": "text", "text": "x"}]}), encoding="utf-8")
    capsys.readouterr()
    assert main(["check", tools, "--message", str(message)]) == 0
    assert capsys.readouterr().out == "no calls\n"


def test_a_deep_schema_is_printed_all_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema: dict[str, Any] = {"type": "integer", "maximum": 5}
    for _ in range(200):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"], "additionalProperties": False}
    file = tmp_path / "deep.json"
    file.write_text(json.dumps([{"name": "deep", "inputSchema": schema}]), encoding="utf-8")
    assert main(["convert", str(file), "--target", "llama.cpp"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["function"]["parameters"] == schema


def test_detect_names_the_dialect_and_what_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "schema.json"
    file.write_text('{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}', encoding="utf-8")
    code, found = run_json(capsys, "detect", str(file))
    assert code == 0
    assert (found["tools"][0]["dialect"], found["tools"][0]["certainty"]) == ("draft-07", "declared")
    assert main(["detect", str(file)]) == 0
    assert "draft-07" in capsys.readouterr().out


def test_lint_names_the_place_and_the_line_to_add(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tools.json"
    schema = {"type": "object", "properties": {"limit": {"type": "integer"}, "text": {"type": "string"}}}
    file.write_text(json.dumps([{"name": "search", "inputSchema": schema}, BROKEN]), encoding="utf-8")
    code, found = run_json(capsys, "lint", str(file))
    assert code == 1
    assert [(each["tool"], each["place"]) for each in found["findings"]] == [("search", "/properties/limit")]
    assert all(each["rule"] and each["why"] and each["line"] for each in found["findings"])
    assert [each["tool"] for each in found["broken"]] == ["bad"]
    assert main(["lint", str(file)]) == 1
    assert found["findings"][0]["rule"] in capsys.readouterr().out
    file.write_text(json.dumps([TOOLS["tools"][1]]), encoding="utf-8")
    assert main(["lint", str(file)]) == 0


def test_tools_come_from_standard_input_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(TOOLS)))
    code, found = run_json(capsys, "detect", "-")
    assert (code, len(found["tools"])) == (0, 2)


def test_explain_rules_and_targets_show_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    _, targets = run_json(capsys, "targets")
    assert "llama.cpp" in {target["id"] for target in targets}
    _, rules = run_json(capsys, "rules", "--target", "llama.cpp")
    assert rules
    assert all("llama.cpp" in rule["for"] for rule in rules)
    _, rule = run_json(capsys, "explain", rules[0]["id"])
    assert rule == rules[0]
    for words in (["targets"], ["rules"], ["explain", rules[0]["id"]], ["explain", "llama.cpp"]):
        assert main(words) == 0
    assert rules[0]["why"].split()[0] in capsys.readouterr().out


def test_explain_knows_what_a_report_names_in_the_place_of_a_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = {name: {"enum": [f"{name}{number}" for number in range(400)]} for name in "abc"}
    path = tmp_path / "tools.json"
    tool = {"name": "lists", "inputSchema": {"type": "object", "properties": {**lists, "no": False}}}
    path.write_text(json.dumps([tool]), encoding="utf-8")
    _, report = run_json(capsys, "audit", str(path), "--target", "openai/strict", "--target", "gemini/parameters")
    named = {edit["rule"] for each in report for tool in each["tools"] for edit in tool["edits"]}
    assert {"nothing-fits", "limits.enum-members"} <= named
    rows = {cause: run_json(capsys, "explain", cause)[1] for cause in named}
    assert all(row["id"] == cause and row["why"] for cause, row in rows.items())
    assert rows["limits.enum-members"]["limits"]["openai/strict"] == 1000
    assert main(["explain", "limits.enum-members"]) == 0
    assert "openai/strict" in capsys.readouterr().out


def test_a_table_of_ones_own_adds_a_target(tools: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "mine.toml"
    table.write_text(TABLE, encoding="utf-8")
    code, report = run_json(capsys, "audit", tools, "--target", "mine", "--rules", str(table))
    assert (code, report["target"], report["envelope"]) == (0, "mine", "openai-chat")
    assert {tool["verdict"] for tool in report["tools"]} == {"as is"}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["audit", "no-such-file.json"], "no-such-file.json"),
        (["audit", "{text}"], "{text}:1:1"),
        (["audit", "{other}"], "mcp"),
        (["audit", "{tools}", "--target", "lama.cpp"], "llama.cpp"),
        (["audit", "{tools}", "--rules", "no-such-folder"], "no-such-folder"),
        (["audit", "{tools}", "--mcp", "x"], "--mcp"),
        (["audit", "--mcp", "no-such-command"], "no-such-command"),
        (["explain", "no-such-rule"], "no-such-rule"),
        (["check", "{tools}", "--tool", "now"], "--arguments"),
        (["check", "{tools}", "--arguments", "{}"], "search, now"),
        (["check", "{tools}", "--arguments", "{}", "--message", "{other}"], "--message"),
        (["check", "{tools}", "--message", "{other}"], "an object with a"),
        (["check", "--message", "-"], "standard input"),
        (["check", "-", "--call", "-", "--tool", "now"], "standard input"),
        (["audit", "{tools}", "--dialect", "draft-9"], "2020-12"),
        (["rules", "--target", "lama.cpp"], "llama.cpp"),
        (["explain", "lama.cpp"], "llama.cpp"),
        (["explain", "multiple-of-is-ignord"], "multiple-of-is-ignored"),
        (["convert", "{tools}"], "--target"),
        (["audt"], "audit"),
        ([], "COMMAND"),
    ],
)
def test_bad_input_is_one_line_on_standard_error_and_exit_code_2(
    words: list[str], named: str, tools: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"tools": tools, "text": str(tmp_path / "text.json"), "other": str(tmp_path / "other.json")}
    Path(files["text"]).write_text("no JSON", encoding="utf-8")
    Path(files["other"]).write_text('{"a": 1}', encoding="utf-8")

    def filled(text: str) -> str:
        for key, value in files.items():
            text = text.replace("{" + key + "}", value)
        return text

    assert main([filled(word) for word in words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert filled(named) in err


def test_an_unknown_outcome_is_refused(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", tools, "--fail-on", "wrong"]) == 2
    assert "withheld" in capsys.readouterr().err
