"""The README says what happens: its sessions are run and their output compared."""

from __future__ import annotations

import doctest
import json
import shlex
from pathlib import Path

import pytest
from tests.readme import block, blocks

from toolglot.cli import main
from toolglot.tables.ruleset import load_rules

LOOSELY = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def test_the_python_sessions_of_the_readme_print_what_it_says() -> None:
    session = "\n".join(blocks("pycon"))
    found = doctest.DocTestParser().get_doctest(session, {}, "README", "README.md", 0)
    assert found.examples
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=LOOSELY, verbose=False)
    assert runner.run(found, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("session", blocks("console"), ids=lambda text: text.splitlines()[0])
def test_the_command_lines_of_the_readme_print_what_it_says(
    session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "tools.json").write_text(json.dumps(json.loads(block("tools.json"))), encoding="utf-8")
    (tmp_path / "house.toml").write_text(block("user-table"), encoding="utf-8")
    for step in session.split("$ ")[1:]:
        command, _, wanted = step.partition("\n")
        program, *words = shlex.split(command)
        assert program == "toolglot"
        main(words)
        printed = "".join(capsys.readouterr())
        assert doctest.OutputChecker().check_output(wanted, printed, LOOSELY), printed


def test_the_users_table_of_the_readme_loads(tmp_path: Path) -> None:
    table = tmp_path / "house.toml"
    table.write_text(block("user-table"), encoding="utf-8")
    assert len(load_rules(table).retired) == 1
