"""What every test can ask for, and what the end of a run says about what was not asked."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from tests.oracle import engines
from tests.oracle.llama import Llama, missing


@pytest.fixture(scope="session")
def llama() -> Iterator[Llama]:
    """The real llama.cpp; the test is skipped, saying why, where it isn't there."""
    engine = Llama()
    yield engine
    engine.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what the engines made of the corpus, and what was not asked."""
    figures = _figures(terminalreporter)
    for line in figures:
        terminalreporter.write_line(line)
    reasons = [missing(), *map(engines.missing, engines.MODULES)]
    if figures and engines.WHOLE not in os.environ:
        reasons.append(f"the engines are asked about a part of the corpus: set {engines.WHOLE} for all of it")
    for reason in filter(None, reasons):
        terminalreporter.write_line(f"NOT TESTED: {reason}", yellow=True)


def _figures(terminalreporter: pytest.TerminalReporter) -> list[str]:
    """What tests recorded as the property `engine`, in whatever process they ran."""
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    return [str(said) for report in reports for name, said in report.user_properties if name == "engine"]
