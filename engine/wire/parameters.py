"""The domains of a tool's parameters in the words of a refusal, for descriptions that say them before the call."""

from __future__ import annotations

from toolglot.schemas.domains import domain
from toolglot.schemas.forms import Schema
from toolglot.wire.shapes import with_keywords

_BOUNDS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"))


def with_domains(root: Schema, source: Schema) -> Schema:
    """The edited root with each bounded number's domain at the end of its description.

    A bound that is kept as a keyword is said too: not every model reads keywords as well as words. Parameters
    that the wire has under another name or in another shape say what their own edits say.
    """
    properties = dict(root.get("properties", {}))
    for name, declared in source.get("properties", {}).items():
        if name in properties and not _BOUNDS.isdisjoint(declared):
            properties[name] = _with_words(properties[name], domain(dict(declared)))
    return with_keywords(root, {"properties": properties}) if properties else root


def _with_words(node: Schema, words: str) -> Schema:
    said = node.get("description", "")
    return node if words in said else with_keywords(node, {"description": f"{said} ({words})".strip()})
