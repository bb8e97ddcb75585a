"""What every test can ask for, and what the end of a run says about what was not asked."""

from __future__ import annotations

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
    reasons = [missing(), *map(engines.missing, engines.MODULES)]
    for reason in filter(None, reasons):
        terminalreporter.write_line(f"NOT TESTED: {reason}", yellow=True)
