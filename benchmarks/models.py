"""Tools as typed dictionaries, where these can say their schemas: what pydantic and msgspec read calls with."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

Reader = Callable[[str], object]
_SCALARS: dict[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}
# Whatever else stands in a schema, these types do not say; a description asks for nothing.
_SAID = {"type", "properties", "required", "items", "enum", "description", "title", "default", "additionalProperties"}


def readers(schema: dict[str, Any]) -> dict[str, Reader]:
    """What reads the text of a call into plain data, by the name of the library; none for a schema they can't say."""
    found: dict[str, Reader] = {}
    for name, make in (("pydantic", _pydantic), ("msgspec", _msgspec)):
        try:
            found[name] = make(schema)
        except (ImportError, _NotSaidError):
            continue
    return found


class _NotSaidError(Exception):
    """The schema asks for more than the types of Python say."""


def _pydantic(schema: dict[str, Any]) -> Reader:
    pydantic = importlib.import_module("pydantic")
    return partial(pydantic.TypeAdapter(_type(schema)).validate_json, strict=True)


def _msgspec(schema: dict[str, Any]) -> Reader:
    msgspec = importlib.import_module("msgspec")
    reader: Reader = msgspec.json.Decoder(_type(schema)).decode
    return reader


def _type(schema: Any) -> Any:
    if not isinstance(schema, dict) or not schema.keys() <= _SAID:
        raise _NotSaidError
    if "enum" in schema and all(isinstance(member, str) for member in schema["enum"]):
        return Literal[tuple(schema["enum"])]
    kind = schema.get("type")
    if kind == "array":
        return list[_type(schema["items"])] if "items" in schema else list  # type: ignore[misc] # made at run time
    if kind == "object":
        return _object(schema)
    if kind not in _SCALARS:
        raise _NotSaidError
    return _SCALARS[kind]


def _object(schema: dict[str, Any]) -> Any:
    typing = importlib.import_module("typing_extensions")  # pydantic takes no typing.TypedDict before Python 3.12
    required, other = schema.get("required", ()), schema.get("additionalProperties", True)
    keys = {
        name: _type(below) if name in required else typing.NotRequired[_type(below)]
        for name, below in schema.get("properties", {}).items()
    }
    if isinstance(other, dict) or not keys.keys() >= set(required):
        raise _NotSaidError
    return typing.TypedDict("Call", keys)
