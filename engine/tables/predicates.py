"""Predicates: a rule's `when`, compiled once to a Python function.

The function is built only from what the parser read: literals by `repr` or as constants, names as keys
that are looked up, never as identifiers. Equality is JSON's, with types; numbers compare only with
numbers. **A test on an absent keyword or fact is false, whatever the test**: `is not` too.

A fact is computed by the room that asks (see `facts`); it is absent where it is None, and it must be
absent on a node that has none of its trigger keywords.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from toolglot.json_values import Json, equal
from toolglot.tables.conditions import Both, Claim, Condition, Name, Not, PredicateError, parse
from toolglot.tables.foresight import FORESIGHTS, UNSEEN, Shape
from toolglot.tables.spelling import near

__all__ = ["Facts", "Predicate", "PredicateError", "compile_predicate"]


class Facts(Protocol):
    """What a node's computed facts are asked through."""

    def get(self, name: str, /) -> Json:
        """The fact's value, None where it is absent."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A compiled `when`.

    Attributes:
        text: as the rule's author wrote it.
        triggers: keywords of which the node must have at least one for the predicate to be true;
            None where it can be true of any node (`not has type`).
        source: the test as a Python expression, and the names in it.
        asks: the keywords whose presence its answer depends on.
        foresees: the answer for every node of a shape, by those of its keywords that are in `asks`; None where the
            shape does not decide it.
        test: whether it holds of a node and the node's facts; made of `source` when it is first asked for, as most
            rules of a target foresee their answer for every node that they meet.
    """

    text: str
    triggers: frozenset[str] | None
    source: tuple[str, dict[str, Json]] = field(compare=False, repr=False)
    asks: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    foresees: Callable[[Shape], bool | None] = field(default=lambda _shape: None, compare=False, repr=False)
    test: Callable[[Mapping[str, Json], Facts], bool] = field(init=False, compare=False, repr=False)

    def __getattr__(self, name: str) -> Callable[[Mapping[str, Json], Facts], bool]:
        if name != "test":
            raise AttributeError(name)
        test = eval(*self.source)  # noqa: S307 - made of literals by repr and of names from this module
        object.__setattr__(self, "test", test)
        return test  # type: ignore[no-any-return] # the expression is a function of these parameters


def compile_predicate(
    text: str, *, facts: Mapping[str, frozenset[str]], keywords: frozenset[str] | None = None
) -> Predicate:
    """The compiled predicate; raises PredicateError for a text that can't be read and for an unknown name.

    Args:
        text: the predicate.
        facts: each computed fact's trigger keywords; a fact without any can be true of any node.
        keywords: the known keywords, where a name outside them is to be refused. A quoted name is always taken.
    """
    condition = parse(text)
    for claim in _claims(condition):
        _refuse_unknown(text, claim.name, facts, keywords)
    constants: list[Json] = []
    expression = "lambda node, facts: " + _source(condition, _Scope(text, facts, constants))
    names = {**_HELPERS, **{f"c{index}": constant for index, constant in enumerate(constants)}}
    asks = frozenset[str]().union(*[_asked(claim.name, facts) for claim in _claims(condition)])
    foresees = partial(_foreseen, condition, facts)
    return Predicate(text, _triggers(condition, facts, wanted=True), (expression, names), asks, foresees)


def _claims(condition: Condition) -> Iterable[Claim]:
    """Each claim in the condition."""
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Claim):
            yield part
        else:
            waiting.extend((part.part,) if isinstance(part, Not) else part.parts)


def _refuse_unknown(
    text: str, name: Name, facts: Mapping[str, frozenset[str]], keywords: frozenset[str] | None
) -> None:
    """Raises where a name is neither a fact nor a keyword that may be asked for."""
    if name.quoted or name.text in facts:
        return
    if "-" in name.text:
        raise PredicateError(text, name.offset, f"no fact {name.text!r}", hint=near(name.text, facts))
    if keywords is not None and name.text not in keywords:
        raise PredicateError(
            text, name.offset, f"no keyword or fact {name.text!r}", hint=near(name.text, {*keywords, *facts})
        )


# Compiling ----------------------------------------------------------------------------------------

_ABSENT = object()


@dataclass(frozen=True, slots=True)
class _Scope:
    """What a predicate's source is made in: which names are facts, and the constants found so far."""

    text: str
    facts: Mapping[str, frozenset[str]]
    constants: list[Json]

    def is_fact(self, name: Name) -> bool:
        return not name.quoted and name.text in self.facts

    def constant(self, value: Json) -> str:
        self.constants.append(value)
        return f"c{len(self.constants) - 1}"


def _source(condition: Condition, scope: _Scope) -> str:
    """The Python expression that computes the condition from `node` and `facts`."""
    if isinstance(condition, Claim):
        return _claim_source(condition, scope)
    if isinstance(condition, Not):
        return f"not {_source(condition.part, scope)}"
    word = " and " if isinstance(condition, Both) else " or "
    cheapest_first = sorted(condition.parts, key=lambda part: _price(part, scope))
    return f"({word.join(_source(part, scope) for part in cheapest_first)})"


def _price(condition: Condition, scope: _Scope) -> int:
    """What it costs to ask, roughly; the order of parts changes no answer, since none has an effect."""
    if isinstance(condition, Claim):
        of_fact = 20 * (scope.is_fact(condition.name) and condition.name.text not in _AT_HAND)
        return of_fact + _PRICES.get(condition.operator, 4)
    return (
        _price(condition.part, scope) if isinstance(condition, Not) else sum(_price(p, scope) for p in condition.parts)
    )


_PRICES = {"has": 1, "is": 2}
_AT_HAND = frozenset(("root", "depth", "stands-in"))  # the facts that are known before the node is looked into


def _claim_source(claim: Claim, scope: _Scope) -> str:
    """The Python expression of one claim, always safe behind `not`."""
    key, literal = repr(claim.name.text), claim.literal
    is_fact = scope.is_fact(claim.name)
    if claim.operator == "has":
        return f"(facts.get({key}) is not None)" if is_fact else f"({key} in node)"
    value = f"facts.get({key})" if is_fact else f"node.get({key}, ABSENT)"
    if claim.operator in _COMPARISONS:
        return f"(type(value := {value}) in NUMBERS and value {claim.operator} {literal!r})"
    if claim.operator == "is" and isinstance(literal, (str, bool)):
        return f"({value} {'==' if isinstance(literal, str) else 'is'} {literal!r})"
    if claim.operator == "is" and literal is None and not is_fact:
        return f"({value} is None)"
    if claim.operator in ("in", "is", "holds") and _is_texts(literal):
        return f"{_OF_TEXTS[claim.operator]}({value}, {scope.constant(_texts(claim))})"
    if claim.operator == "matches":
        literal = _regular_expression(claim, scope)
    if is_fact:  # an absent one is None, and no null that one could ask for
        value = f"present({value})"
    return f"{_FUNCTIONS[claim.operator]}({value}, {scope.constant(literal)})"


def _is_texts(literal: Json) -> bool:
    """Whether a literal is a text, or a list of texts: what most rules ask for, and Python compares as JSON does."""
    return isinstance(literal, str) or (isinstance(literal, list) and all(isinstance(each, str) for each in literal))


def _texts(claim: Claim) -> Json:
    return frozenset(claim.literal) if claim.operator == "in" else claim.literal


def _regular_expression(claim: Claim, scope: _Scope) -> Callable[[str], object]:
    """The search of a regular expression, in time linear in the text searched."""
    import re2  # noqa: PLC0415 - most rules match nothing, and pay nothing for it

    options = re2.Options()
    options.log_errors = False
    try:
        search: Callable[[str], object] = re2.compile(claim.literal, options).search
    except (re2.error, UnicodeEncodeError) as error:
        reason = f"{claim.literal!r} is no regular expression: {error}"
        raise PredicateError(scope.text, claim.name.offset, reason) from None
    return re.compile(claim.literal).search if _ONE_CHARACTER.fullmatch(claim.literal) else search


# A class of ASCII characters, of which one is looked for: linear in every engine, and sooner begun in Python's own.
_ONE_CHARACTER = re.compile(r"\^?\[\^?(?:[A-Za-z0-9_.](?:-[A-Za-z0-9])?)+-?\]")


def _present(value: Json) -> Json:
    """A fact's value; None stands for an absent one."""
    return _ABSENT if value is None else value


def _differs(value: Json, literal: Json) -> bool:
    return value is not _ABSENT and not equal(value, literal)


def _among(value: Json, literals: list[Json]) -> bool:
    return any(equal(value, literal) for literal in literals)


def _among_texts(value: Json, texts: frozenset[str]) -> bool:
    return isinstance(value, str) and value in texts


def _holds(value: Json, literal: Json) -> bool:
    return isinstance(value, (list, tuple)) and any(equal(item, literal) for item in value)


def _equals_texts(value: Json, texts: list[str]) -> bool:
    return value == texts if isinstance(value, list) else equal(value, texts)


def _holds_text(value: Json, text: str) -> bool:
    return isinstance(value, (list, tuple)) and text in value


def _matches(value: Json, search: Callable[[str], object]) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return search(value) is not None
    except UnicodeEncodeError:  # half a surrogate pair is no character, and matches like an unknown one
        return search(value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")) is not None


def _comparison(compare: Callable[[float, float], bool]) -> Callable[[Json, float], bool]:
    """The comparison, false of everything but numbers."""

    def compares(value: Json, limit: float) -> bool:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and compare(value, limit)

    return compares


_COMPARISONS = frozenset(("<", "<=", ">", ">="))
_OF_TEXTS = {"in": "among_texts", "is": "equals_texts", "holds": "holds_text"}
_FUNCTIONS = {"is": "equal", "is not": "differs", "in": "among", "holds": "holds", "matches": "matches"}
_TESTS: Mapping[str, Callable[[Json, Json], bool]] = {
    "is": equal,
    "is not": _differs,
    "in": _among,
    "holds": _holds,
    "<": _comparison(operator.lt),
    "<=": _comparison(operator.le),
    ">": _comparison(operator.gt),
    ">=": _comparison(operator.ge),
}
_HELPERS = {
    "__builtins__": {},
    "ABSENT": _ABSENT,
    "NUMBERS": frozenset((int, float)),
    "type": type,
    "present": _present,
    "among_texts": _among_texts,
    "equals_texts": _equals_texts,
    "holds_text": _holds_text,
    "matches": _matches,
    **{name: _TESTS[operator] for operator, name in _FUNCTIONS.items() if operator in _TESTS},
}


# Foresight ----------------------------------------------------------------------------------------


def _asked(name: Name, facts: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The keywords whose presence decides about a claim on a name, or may."""
    triggers = _triggers_of(name, facts)
    if name.quoted or name.text not in facts or name.text not in FORESIGHTS:
        return triggers
    return triggers | FORESIGHTS[name.text][0]


def _triggers_of(name: Name, facts: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The keywords of which there has to be one for a name to be present; none where it can be on any node."""
    return frozenset({name.text}) if name.quoted else facts.get(name.text, frozenset({name.text}))


def _foreseen(condition: Condition, facts: Mapping[str, frozenset[str]], shape: Shape) -> bool | None:
    """What a condition comes out as on every node of a shape; None where it depends on more."""
    if isinstance(condition, Claim):
        return _claim_foreseen(condition, facts, shape)
    if isinstance(condition, Not):
        inner = _foreseen(condition.part, facts, shape)
        return None if inner is None else not inner
    parts = [_foreseen(part, facts, shape) for part in condition.parts]
    decides = not isinstance(condition, Both)  # one true part decides `or`, one false part `and`
    if decides in parts:
        return decides
    return None if None in parts else not decides


def _claim_foreseen(claim: Claim, facts: Mapping[str, frozenset[str]], shape: Shape) -> bool | None:
    name = claim.name
    triggers = _triggers_of(name, facts)
    if triggers and triggers.isdisjoint(shape.present):
        return False  # a test on what is absent
    if not name.quoted and name.text in facts:
        value = FORESIGHTS[name.text][1](shape) if name.text in FORESIGHTS else UNSEEN
        value = _present(value)
    else:
        named = shape.named if name.text == "type" else None
        value = UNSEEN if named is None else list(named) if isinstance(named, tuple) else named
        if claim.operator == "has":
            return True
    if value is UNSEEN or claim.operator == "matches":
        return None
    return value is not _ABSENT if claim.operator == "has" else bool(_TESTS[claim.operator](value, claim.literal))


# Triggers -----------------------------------------------------------------------------------------

# Half of all nodes have one of these: where a rule leaves a choice, another keyword is the better trigger.
_COMMON = frozenset({"type", "properties", "required", "items", "description"})


def _triggers(condition: Condition, facts: Mapping[str, frozenset[str]], *, wanted: bool) -> frozenset[str] | None:
    """Keywords of which one must be there for the condition to come out as wanted; None if it can without any."""
    if isinstance(condition, Not):
        return _triggers(condition.part, facts, wanted=not wanted)
    if isinstance(condition, Claim):
        if not wanted:
            return None
        return _triggers_of(condition.name, facts) or None
    sets = [_triggers(part, facts, wanted=wanted) for part in condition.parts]
    known = [keywords for keywords in sets if keywords is not None]
    if isinstance(condition, Both) is wanted:  # every part must come out so: any one of them tells
        return min(known, key=_cost, default=None)
    return frozenset[str]().union(*known) if len(known) == len(sets) else None


def _cost(keywords: frozenset[str]) -> tuple[int, int, list[str]]:
    """How often such a trigger would be pulled, roughly."""
    return len(keywords & _COMMON), len(keywords), sorted(keywords)
