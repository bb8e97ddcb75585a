"""The one walker: every schema position of a schema, and nothing else.

Made from the keyword table, so it tells a property named `enum` from the keyword, and a schema from data
inside `default`, `const`, `enum` or `examples`. It keeps a stack of its own and its limits stop
what is too deep or too large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from toolglot.errors import Path, SchemaError
from toolglot.json_values import Json
from toolglot.schemas.trails import Trail, path_of
from toolglot.tables.keywords import Vocabulary

State = TypeVar("State")
# A subschema below one schema: its keyword, its step below the keyword where there is one, itself.
Below = tuple[str, str | int | None, Json]


@dataclass(frozen=True, slots=True)
class Limits:
    """How deep and how large a schema may be.

    Attributes:
        depth: how many schemas, or containers of data, stand inside each other.
        nodes: how many schemas and containers of data there are in all.
    """

    depth: int = 2_000
    nodes: int = 200_000


DEFAULT_LIMITS = Limits()


class Node(Generic[State]):
    """One schema position: the schema, where it stands, and what the walk carries along."""

    __slots__ = ("depth", "keyword", "schema", "state", "trail")

    def __init__(self, schema: Json, trail: Trail | None, keyword: str, depth: int, state: State) -> None:
        self.schema = schema
        self.trail = trail
        self.keyword = keyword
        self.depth = depth
        self.state = state

    @property
    def path(self) -> Path:
        """The steps from the root."""
        return path_of(self.trail)


def walk(schema: Json, vocabulary: Vocabulary, limits: Limits = DEFAULT_LIMITS) -> Iterator[Node[Vocabulary]]:
    """Every schema position in the order of the text, outer ones first.

    A position may hold anything: `node.schema` is a schema only if it is an object or, in most dialects, a boolean.

    Raises:
        SchemaError: the schema is deeper or larger than `limits`.
    """
    yield from walk_with(schema, vocabulary, lambda node: node.state, limits)


def walk_with(
    schema: Json,
    state: State,
    enter: Callable[[Node[State]], Vocabulary],
    limits: Limits = DEFAULT_LIMITS,
    trail: Trail | None = None,
) -> Iterator[Node[State]]:
    """As `walk`, carrying a state along: `enter` sees each node first, may change its state, and says how to read."""
    stack = [Node(schema, trail, "", 1, state)]
    count = 0
    while stack:
        node = stack.pop()
        count += 1
        if count > limits.nodes or node.depth > limits.depth:
            raise _past(limits, node.depth > limits.depth, node.trail)
        vocabulary = enter(node)
        yield node
        if isinstance(node.schema, dict):
            children = [
                Node(child, _step(node.trail, keyword, step), keyword, node.depth + 1, node.state)
                for keyword, step, child in subschemas(node.schema, vocabulary)
            ]
            children.reverse()
            stack += children


def _step(trail: Trail | None, keyword: str, step: str | int | None) -> Trail:
    return (trail, keyword) if step is None else ((trail, keyword), step)


def _past(limits: Limits, deep: bool, trail: Trail | None) -> SchemaError:
    if deep:
        return SchemaError(path_of(trail), "", f"nested deeper than the limit of {limits.depth} levels")
    return SchemaError(path_of(trail), "", f"larger than the limit of {limits.nodes} schemas")


def subschemas(schema: Mapping[str, Json], vocabulary: Vocabulary) -> Iterator[Below]:
    """Each subschema right below a schema, in the order of the text."""
    holders = vocabulary.holders_beside_ref if "$ref" in schema else vocabulary.holders
    for keyword, value in schema.items():
        holds = holders.get(keyword)
        if holds is not None:
            yield from held(keyword, holds, value)


def held(keyword: str, holds: str, value: Json) -> Iterator[Below]:
    """Each subschema in the value of a keyword that holds subschemas."""
    if holds == "one":
        yield keyword, None, value
    elif holds == "map":
        if isinstance(value, dict):
            for name, child in value.items():
                yield keyword, name, child
    elif holds == "map-or-names":
        if isinstance(value, dict):
            for name, child in value.items():
                if not isinstance(child, (str, list, tuple)):
                    yield keyword, name, child
    elif isinstance(value, (list, tuple)):
        for position, child in enumerate(value):
            if holds != "names-or-schemas" or not isinstance(child, str):
                yield keyword, position, child
    elif holds == "one-or-list":
        yield keyword, None, value
