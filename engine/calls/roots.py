"""What the root of a tool's schema declares, read leniently: the required keys, the declared ones, their aliases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolglot.calls.rows import CallRows, holding
from toolglot.json_values import Json

# Another name under which callers send a parameter: a list of names beside the parameter's declaration.
ALIASES = "x-aliases"

Aliases = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True, slots=True)
class Root:
    """What a root declares.

    Attributes:
        required: the keys that need a value, each once.
        properties: the declarations by key.
        aliases: the parameter that each alias stands for.
        is_closed: whether no other way to declare keys is there, so that a stray key is worth naming.
    """

    required: tuple[str, ...]
    properties: Mapping[str, Json]
    aliases: Mapping[str, str]
    is_closed: bool

    def key_of(self, name: str) -> str:
        """The parameter that a caller's name stands for: itself, unless it is an alias."""
        return name if name in self.properties else self.aliases.get(name, name)


def read_root(schema: Json, rows: CallRows, aliases: Aliases | None = None) -> Root:
    """What the root of a schema declares; what can't be read in it declares nothing."""
    node = schema if isinstance(schema, dict) else {}
    properties = node.get("properties")
    declared = properties if isinstance(properties, dict) else {}
    facts = {
        "open-additional-properties": _opens(node, "additionalProperties"),
        "open-unevaluated-properties": _opens(node, "unevaluatedProperties"),
    }
    return Root(
        required=tuple(dict.fromkeys(_names(node.get("required")))),
        properties={key: declaration for key, declaration in declared.items() if isinstance(key, str)},
        aliases=dict(_aliases(declared, node.get(ALIASES), aliases)),
        is_closed=not holding(rows.withhold, node, facts),
    )


def alias_names(given: Json) -> frozenset[str]:
    """The aliases in a list of them, in a name alone, or in a table of either by parameter."""
    listed = given.values() if isinstance(given, Mapping) else (given,)
    return frozenset(name for names in listed for name in _listed(names))


def _listed(found: Json) -> list[str]:
    """The names in a list, or a name alone."""
    return [found] if isinstance(found, str) else _names(found)


def _opens(node: Mapping[str, Json], keyword: str) -> bool | None:
    found = node.get(keyword)
    return True if found is True or isinstance(found, dict) else None


def _names(found: Json) -> list[str]:
    """The names in a list; what is no name is passed over."""
    return [name for name in found if isinstance(name, str)] if isinstance(found, (list, tuple)) else []


def _aliases(declared: Mapping[str, Json], at_root: Json, given: Aliases | None) -> Iterator[tuple[str, str]]:
    """Each alias with its parameter, from the declarations, the root and the caller's table; the last one wins."""
    tables = [
        {key: declaration.get(ALIASES) for key, declaration in declared.items() if isinstance(declaration, dict)},
        at_root,
        given,
    ]
    for table in tables:
        for key, names in table.items() if isinstance(table, Mapping) else ():
            for name in _listed(names):
                if name not in declared:
                    yield name, key
