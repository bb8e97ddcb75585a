"""Which rule holds for a keyword of a plain schema, by the type of its value; made from the keyword table.

What a keyword means is said elsewhere and only asked here: `values` say whether a value is right, `readings` what is
made of one that holds no schemas. What is added is which keywords stay as they are, and which only hold what is below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from sys import intern

from toolglot.schemas.detect import marks_by_type
from toolglot.schemas.places import SchemaResource
from toolglot.schemas.plain_rules import (
    NotPlainError,
    Rule,
    beside_if,
    boolean_below,
    but_names,
    data,
    definitions,
    dropped,
    identifier,
    kept,
    leaf,
    left,
    list_below,
    map_below,
    marked,
    one_below,
    reference,
    stranger_beside_ref,
    stranger_word,
    unread,
)
from toolglot.schemas.values import checks, is_right, plain_types
from toolglot.tables.keywords import TYPES, Form, Vocabulary, any_holders, asserts_nothing, keywords

_CONTAINERS = (dict, list)
_KINDS = (str, int, float, bool, type(None), *_CONTAINERS)
# The readings that need no more than the keyword, its value and its neighbours.
_LEAVES = frozenset(
    ["keep", "drop", "types", "count", "names", "map-of-names", "flagged-bound", "divisible", "format", "with-contains"]
)
# The readings that keep one schema as one, a map as a map and a list as a list.
_STRUCTURES = frozenset(["keep", "items", "with-if", "unevaluated-items", "unseen-contains"])
# These two only keep where the other one is in no schema.
_ENTANGLED = frozenset(["unevaluated-items", "unseen-contains"])


class ByType(dict[type, dict[str, Rule]]):
    """The rule for each keyword, by the type of its value; beside it stands the one for words that are no keyword."""

    def __init__(self, rule: Callable[[str, type], Rule]) -> None:
        for kind in _KINDS:
            # A text that is interned is found without a lock, by whichever thread.
            self[kind] = {intern(name): _marking(name, kind, rule(name, kind)) for name in keywords()}

    def __missing__(self, kind: type) -> dict[str, Rule]:
        raise NotPlainError(kind)


@dataclass(frozen=True, slots=True, eq=False)
class PlainRules:
    """The rules of one dialect.

    Attributes:
        alone: those for a schema without `$ref`.
        beside_ref: those for one with it.
        type_rule: the rule for a text as `type`, where there are any of `type_names`.
        type_names: the texts that it does nothing with.
        resource: stands for the resource that the schema is, where only the dialect is asked for.
    """

    alone: tuple[ByType, Rule]
    beside_ref: tuple[ByType, Rule]
    type_rule: Rule | None
    type_names: frozenset[str]
    resource: SchemaResource


@lru_cache(maxsize=256)
def plain_rules(how: Vocabulary) -> PlainRules:
    """The rules of a dialect."""
    alone = (ByType(partial(_rule, how)), stranger_word)
    beside_ref = alone if how.reads_beside_ref else (ByType(partial(_rule_beside_ref, how)), stranger_beside_ref)
    marks = marks_by_type().get(("type", str), ())
    names = frozenset(name for name in _types(how) if not any(fits(name) for _, fits in marks))
    resource = SchemaResource("", how, None, None)
    return PlainRules(alone, beside_ref, alone[0][str]["type"] if names else None, names, resource)


def _types(how: Vocabulary) -> frozenset[str]:
    """The texts that are right as a type and are read as they are, whatever stands beside them."""
    form = how.forms.get("type")
    if form is None or form.reading != "types" or "nullable" in how.forms:
        return frozenset()
    return frozenset(name for name in TYPES if not checks(how)["type"](name))


# --- Which rule


def _marking(name: str, kind: type, rule: Rule) -> Rule:
    """The rule, noting the marks of its keyword first."""
    marks = marks_by_type().get((name, kind))
    return marked(marks, rule) if marks and rule is not left else rule


def _rule(how: Vocabulary, name: str, kind: type) -> Rule:
    form = how.forms.get(name)
    if form is None:
        return left if kind in _CONTAINERS and name in any_holders() else stranger_word
    if form.holds != "none":
        return _structure(how, form, kind)
    if form.reading == "reference":
        return reference if kind is str else left
    if name == how.dialect.identifier:
        return identifier if kind is str else left
    if form.reading == "keep" and kind in plain_types(form):
        return data if kind in _CONTAINERS else kept
    if form.reading not in _LEAVES or form.value == "anchor":
        return left
    rule = leaf(form, is_right(form, how.dialect))
    return but_names(_types(how), rule) if form.reading == "types" and kind is str else rule


def _rule_beside_ref(how: Vocabulary, name: str, kind: type) -> Rule:
    """The rule where a dialect reads nothing beside `$ref` but annotations, and does not check them."""
    form = how.forms.get(name)
    if name == "$ref":
        return _rule(how, name, kind)
    if not asserts_nothing(name):
        return left if kind in _CONTAINERS and name in any_holders() else dropped
    if form is None or form.holds != "none":
        return _rule(how, name, kind)
    if form.reading == "drop":
        return dropped
    if form.reading != "keep":
        return left
    return data if kind in _CONTAINERS else kept


def _structure(how: Vocabulary, form: Form, kind: type) -> Rule:
    """The rule for a keyword that holds schemas."""
    if form.reading == "drop":
        return definitions if form.holds == "map" and kind is dict else left
    if kind is bool and not (form.boolean or how.dialect.boolean_schemas):
        return left
    if form.reading == "additional-items":  # says something beside a list of `items` only, and that is left
        return unread if kind in (dict, bool) else left
    entangled = form.reading in _ENTANGLED and {each.reading for each in how.forms.values()} >= _ENTANGLED
    if form.reading not in _STRUCTURES or entangled:
        return left
    rule = _HOLDERS.get((form.holds, kind), left)
    return beside_if(rule) if form.reading == "with-if" else rule


_HOLDERS: Mapping[tuple[str, type], Rule] = {
    ("one", dict): one_below,
    ("one", bool): boolean_below,
    ("one-or-list", dict): one_below,
    ("one-or-list", bool): boolean_below,
    ("map", dict): map_below,
    ("list", list): list_below,
}
