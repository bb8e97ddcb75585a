"""The text of a table as TOML."""

from __future__ import annotations

import re
import tomllib

from toolglot.errors import RuleError
from toolglot.json_values import Json


def parsed_toml(text: str, file: str) -> dict[str, Json]:
    """The parsed text.

    Raises:
        RuleError: it is no TOML; with the file, and the line where it is known.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))  # some editors write a mark of byte order
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError, as a number too long is
        line = re.search(r"at line (\d+)", str(error))
        raise RuleError(file, "", f"this is no TOML: {error}", line=int(line[1]) if line else None) from None
