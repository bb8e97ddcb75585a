"""Whether a value fits a schema of the table: the one place where this room asks the library's own check."""

from __future__ import annotations

from collections.abc import Callable

from toolglot.json_values import Json


def accepts(schema: Json) -> Callable[[Json], bool]:
    """A function that tells whether a value fits the schema."""
    from toolglot.calls.checker import checker  # noqa: PLC0415 - `import toolglot.results` need not pay for it

    return checker(schema).accepts
