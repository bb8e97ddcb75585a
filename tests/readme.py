"""The README's blocks of code, for the tests that run them."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"


def block(name: str) -> str:
    """The text of the block below the comment `<!-- name -->`."""
    found = re.search(
        rf"^<!-- {re.escape(name)} -->\n```\w+\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert found, f"the README has no block {name}"
    return found[1]


def blocks(language: str) -> list[str]:
    """The texts of all blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
