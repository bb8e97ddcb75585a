"""What to send instead, for the slips that are common enough to have a name."""

from __future__ import annotations

from toolglot.calls.arguments import parse_arguments
from toolglot.json_values import Json, kind
from toolglot.schemas.declarations import declared_types

LEAVE_OUT = "leave it out if it is not wanted"
WITHOUT_QUOTES = "send the value itself, not a text that holds it"
# A longer text is no slip of quoting that a hint would help with, and reading it costs time.
_LONGEST_READ = 10_000


def hint(declaration: Json, keyword: str, got: Json, *, optional: bool) -> str | None:
    """A hint about a value that does not fit its declaration, or None.

    Args:
        declaration: the schema of the place.
        keyword: the keyword that is broken.
        got: the value.
        optional: whether the key may be left out.
    """
    if optional and (got is None or got == ""):
        return LEAVE_OUT
    if keyword == "type" and isinstance(got, str) and 0 < len(got) <= _LONGEST_READ:
        wanted = declared_types(declaration).names
        read = parse_arguments(got)
        if read.form == "given" and "string" not in wanted and _is_of(read.value, wanted):
            return WITHOUT_QUOTES
    return None


def _is_of(value: Json, types: tuple[str, ...]) -> bool:
    found = kind(value)
    return found in types or (found == "integer" and "number" in types)
