"""Whether a value fits a schema of the table: the one place where this room asks the library's own check."""

from __future__ import annotations

from collections.abc import Callable

from toolglot.json_values import Json


def accepts(schema: Json) -> Callable[[Json], bool]:
    """A function that tells whether a value fits the schema."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - costs an import that few callers need

    validator = Draft202012Validator(schema)
    return lambda value: bool(validator.is_valid(value))
