"""Near spellings, for hints in errors."""

from __future__ import annotations

from collections.abc import Iterable


def near(word: str, known: Iterable[str]) -> str | None:
    """A hint naming the known word that looks most like this one, or None."""
    from difflib import get_close_matches  # noqa: PLC0415 - wanted by errors alone

    lowered = {name.lower(): name for name in sorted(known)}
    found = get_close_matches(word.lower(), list(lowered), n=1, cutoff=0.6)
    return f"did you mean {lowered[found[0]]!r}?" if found else None
