"""Schemas of any size, one for each way in which a schema can grow: what ten times as large a one costs is measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def _deep(size: int) -> dict[str, Any]:
    return nested(size // 3)  # three keywords a level


def _wide(size: int) -> dict[str, Any]:
    return {"properties": {f"p{at}": {"type": "string", "enum": ["a", "b"]} for at in range(size)}}


def _bounded(size: int) -> dict[str, Any]:
    return {"properties": {f"p{at}": {"type": "integer", "minimum": at} for at in range(size)}}


def _listed(size: int) -> dict[str, Any]:
    return {"enum": [f"member {at}" for at in range(10 * size)]}


def _exclusive(size: int) -> dict[str, Any]:
    return {"oneOf": [{"properties": {"k": {"const": at}}, "required": ["k"]} for at in range(size)]}


def _referring(size: int) -> dict[str, Any]:
    return {"anyOf": [{"$ref": f"#/$defs/d{at}"} for at in range(size)], "$defs": {f"d{at}": {} for at in range(size)}}


def _referring_in_place(size: int) -> dict[str, Any]:
    names = [f"p{at}" for at in range(size)]
    return {"allOf": [{"$ref": f"#/properties/{name}"} for name in names], "properties": {name: {} for name in names}}


def _chained(size: int) -> dict[str, Any]:
    defs = {f"d{at}": {"properties": {"x": {"$ref": f"#/$defs/d{at + 1}"}}} for at in range(size)}
    return {"$defs": {**defs, f"d{size}": {}}, "$ref": "#/$defs/d0"}


def _named(size: int) -> dict[str, Any]:
    schemas = [{"$id": f"i{at}", "$anchor": "x"} for at in range(size)]
    return {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": schemas}}}


def _anchored(size: int) -> dict[str, Any]:
    defs = {f"d{at}": {"$anchor": f"a{at}"} for at in range(size)}
    return {"anyOf": [{"$ref": f"#a{at}"} for at in range(size)], "$defs": defs}


def _strange(size: int) -> dict[str, Any]:
    places = {f"d{at}": {"$id": f"i{at}", "allOf": [{}]} for at in range(size)}
    return {"anyOf": [{"$ref": f"#/own/d{at}"} for at in range(size)], "own": places}


GROWING: dict[str, Callable[[int], dict[str, Any]]] = {
    "levels": _deep,
    "properties": _wide,
    "properties with bounds": _bounded,
    "listed values": _listed,
    "exclusive branches": _exclusive,
    "references to definitions": _referring,
    "references to properties": _referring_in_place,
    "references in a chain": _chained,
    "names": _named,
    "anchors": _anchored,
    "schemas in strange places": _strange,
}
