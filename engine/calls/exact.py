"""The exact checker: every problem of a value, at any depth, by a second and independent reading of the normal form.

The compiled tests answer yes or no and recurse with Python's stack. This one is an interpreter with a stack of its
own: each schema object is judged by a generator, which yields the judgements it needs and gets their verdicts. It is
asked only where the compiled tests refuse a value or run out of stack, and it is what they are proven against.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from toolglot.calls.kinds import OutOfWork, flat, is_multiple, json_type
from toolglot.calls.leaves import Match
from toolglot.calls.order import target
from toolglot.errors import CallError, Path
from toolglot.json_values import Json
from toolglot.schemas.forms import Normal, Schema

# Where in a value: the step and what is above it. A tuple of all steps would make deep values quadratic.
Place: TypeAlias = "tuple[Place, str | int] | None"


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken keyword: where, which, of which schema object, and what stood there."""

    place: Place
    keyword: str
    schema: Schema
    got: Json
    # What the keyword's own value does not say: a key's name, a count, the branches' faults.
    detail: Json = None

    def path(self) -> Path:
        """The steps from the root of the value."""
        return steps(self.place)


@dataclass(slots=True)
class Verdict:
    """What judging one value by one schema gave: its faults, and what was evaluated (keys or indices)."""

    faults: list[Fault] = field(default_factory=list)
    marks: set[Json] = field(default_factory=set)

    @property
    def passes(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


Passes: TypeAlias = Callable[[Schema, Json], bool]
Judgement: TypeAlias = "Generator[Judgement, Verdict, Verdict]"
Steps: TypeAlias = "Generator[Judgement, Verdict, None]"


def steps(place: Place) -> Path:
    """A place as a path."""
    found: list[str | int] = []
    while place is not None:
        place, step = place
        found.append(step)
    return tuple(reversed(found))


@dataclass(slots=True)
class Exact:
    """Judges one value by a schema of the normal form.

    Attributes:
        normal: the schema.
        match_of: the function for a `pattern`.
        format_of: the function for a `format`, or None where it checks nothing.
        plans: which keywords of a schema object matter for which kind of value; kept by the owner between values.
        passes: a quick test of parts of the value: what passes it is not judged. The reading is independent without.
        left: the work that is left; a schema object judged costs 8, and more for a long list or large object.
        most: how many faults are gathered before judging stops.
    """

    normal: Normal
    match_of: Callable[[str, Schema, str], Match]
    format_of: Callable[[str], Match | None]
    plans: Plans = field(default_factory=dict)
    passes: Passes | None = None
    left: int = 8 * 20_000
    most: int = 64

    def judge(self, value: Json) -> Verdict:
        """The verdict on the value.

        Raises:
            OutOfWork: judging it takes more work than is left.
        """
        stack = [self.judgement(self.normal.root, value, None)]
        verdict = Verdict()
        fresh = True
        while stack:
            try:
                asked = next(stack[-1]) if fresh else stack[-1].send(verdict)
            except StopIteration as end:
                stack.pop()
                verdict, fresh = end.value, False
                continue
            stack.append(asked)
            fresh = True
        return verdict

    def spend(self, cost: int) -> None:
        """Takes from the work that is left.

        Raises:
            OutOfWork: nothing is left.
        """
        self.left -= cost
        if self.left < 0:
            raise OutOfWork

    def judgement(self, schema: Schema, value: Json, place: Place) -> Judgement:
        """The judgement of one value by one schema object, to be driven by `judge`."""
        found = json_type(value, by_spelling=self.normal.integer_by_spelling)
        self.spend(8 + (len(value) >> 2) if found in _HOLDING else 8)
        plan = self.plans.get((id(schema), found)) or self._plan(schema, found)
        case = Case(self, schema, value, place, found, Verdict())
        for keyword, holds, wanted in plan.assertions:
            if not holds(case, wanted):
                case.fault(keyword)
        for apply in plan.applicators:
            yield from apply(case)
            if len(case.verdict.faults) >= self.most:
                break
        return case.verdict

    def _plan(self, schema: Schema, kind: str) -> Plan:
        plan = self.plans[id(schema), kind] = Plan(
            [
                (keyword, holds, schema[keyword])
                for keyword, applies, holds in _ASSERTIONS
                if keyword in schema and kind in applies
            ],
            [apply for keywords, applies, apply in _APPLICATORS if kind in applies and not keywords.isdisjoint(schema)],
        )
        return plan


@dataclass(frozen=True, slots=True)
class Plan:
    """What a schema object asks of values of one kind."""

    assertions: Sequence[tuple[str, Callable[[Case, Json], bool], Json]]
    applicators: Sequence[Callable[[Case], Steps]]


# By the identity of the schema object, which the normal form keeps alive, and the kind of value.
Plans: TypeAlias = dict[tuple[int, str], Plan]


@dataclass(slots=True)
class Case:
    """One value before one schema object, with the verdict as it grows."""

    exact: Exact
    schema: Schema
    value: Json
    place: Place
    kind: str
    verdict: Verdict

    def fault(self, keyword: str, *, step: str | int | None = None, got: Json = None, detail: Json = None) -> None:
        """Notes that a keyword is broken, by the value itself or by the part of it at `step`."""
        if step is None:
            place, found = self.place, self.value
        else:
            place, found = (self.place, step), got
        self.verdict.faults.append(Fault(place, keyword, self.schema, found, detail))

    def ask(self, schema: Schema) -> Judgement:
        """The judgement of the same value by a subschema."""
        return self.exact.judgement(schema, self.value, self.place)

    def judge_at(self, schema: Schema, step: str | int, value: Json) -> Generator[Judgement, Verdict, bool]:
        """Takes over what is wrong with a part of the value; whether nothing is."""
        passes = self.exact.passes
        if not schema or (passes is not None and passes(schema, value)):
            return True
        verdict = yield self.exact.judgement(schema, value, (self.place, step))
        self.verdict.faults += verdict.faults
        return verdict.passes

    def take(self, verdict: Verdict) -> None:
        """Adds what a subschema that has to hold for the same value said."""
        self.verdict.faults += verdict.faults
        if verdict.passes:
            self.verdict.marks |= verdict.marks

    def key(self) -> tuple[Hashable, ...]:
        """The value's key for comparisons."""
        key = flat(self.value)
        self.exact.spend(len(key) >> 1)
        return key

    @property
    def full(self) -> bool:
        """Whether enough faults are gathered."""
        return len(self.verdict.faults) >= self.exact.most

    def match(self, pattern: str, keyword: str, text: str) -> bool:
        """Whether a text matches a pattern of this schema object.

        Raises:
            OutOfWork: finding out takes too much work.
        """
        return self.ask_text(self.exact.match_of(pattern, self.schema, keyword), keyword, text)

    def ask_text(self, match: Match, keyword: str, text: str) -> bool:
        """As `match`, for any function of a text."""
        self.exact.spend(1 + (len(text) >> 6))
        try:
            return match(text)
        except CallError as error:
            raise OutOfWork(keyword, steps(self.place)) from error


_ANY = frozenset(("object", "array", "string", "integer", "number", "boolean", "null", ""))
_NUMBER = frozenset(("integer", "number"))
_STRING = frozenset(("string",))
_ARRAY = frozenset(("array",))
_OBJECT = frozenset(("object",))
_HOLDING = _ARRAY | _OBJECT


# Assertions: keywords that look at the value alone ------------------------------------------------------------------


def _has_type(case: Case, wanted: str | Sequence[str]) -> bool:
    names = (wanted,) if isinstance(wanted, str) else wanted
    return case.kind in names or (case.kind == "integer" and "number" in names)


def _is_member(case: Case, members: Sequence[Json]) -> bool:
    key = case.key()
    return any(flat(member) == key for member in members)


def _has_format(case: Case, name: str) -> bool:
    match = case.exact.format_of(name) if isinstance(name, str) else None
    return match is None or case.ask_text(match, "format", case.value)


def _is_unique(case: Case, wanted: bool) -> bool:
    if not wanted:
        return True
    case.key()  # bounds the work of the line below
    return len({flat(item) for item in case.value}) == len(case.value)


def _required(case: Case, names: Sequence[str]) -> bool:
    for name in names:
        if name not in case.value:
            case.fault("required", step=name, detail=name)
    return True  # each missing key is a fault of its own, noted above


def _dependent_required(case: Case, dependents: Mapping[str, Sequence[str]]) -> bool:
    for name, wanted in dependents.items():
        for key in wanted if name in case.value else ():
            if key not in case.value:
                case.fault("dependentRequired", step=key, detail=name)
    return True  # as above


_Holds = Callable[[Case, Json], bool]
_ASSERTIONS: Sequence[tuple[str, frozenset[str], _Holds]] = (
    ("type", _ANY, _has_type),
    ("enum", _ANY, _is_member),
    ("const", _ANY, lambda case, member: _is_member(case, (member,))),
    ("minimum", _NUMBER, lambda case, limit: case.value >= limit),
    ("maximum", _NUMBER, lambda case, limit: case.value <= limit),
    ("exclusiveMinimum", _NUMBER, lambda case, limit: case.value > limit),
    ("exclusiveMaximum", _NUMBER, lambda case, limit: case.value < limit),
    ("multipleOf", _NUMBER, lambda case, unit: is_multiple(case.value, unit)),
    ("minLength", _STRING, lambda case, least: len(case.value) >= least),
    ("maxLength", _STRING, lambda case, most: len(case.value) <= most),
    ("pattern", _STRING, lambda case, pattern: case.match(pattern, "pattern", case.value)),
    ("format", _STRING, _has_format),
    ("minItems", _ARRAY, lambda case, least: len(case.value) >= least),
    ("maxItems", _ARRAY, lambda case, most: len(case.value) <= most),
    ("uniqueItems", _ARRAY, _is_unique),
    ("minProperties", _OBJECT, lambda case, least: len(case.value) >= least),
    ("maxProperties", _OBJECT, lambda case, most: len(case.value) <= most),
    ("required", _OBJECT, _required),
    ("dependentRequired", _OBJECT, _dependent_required),
)


# Applicators: keywords that ask subschemas --------------------------------------------------------------------------


def _members(case: Case) -> Steps:
    schema, properties = case.schema, case.schema.get("properties", {})
    patterns = schema.get("patternProperties", {}).items()
    for name, item in case.value.items():
        step = _step(name)
        held = [properties[name]] if name in properties else []
        if isinstance(name, str):
            held += [found for pattern, found in patterns if case.match(pattern, "patternProperties", name)]
        others = schema.get("additionalProperties")
        if not held and others is not None:
            case.verdict.marks.add(name)
            if _is_never(others):
                case.fault("additionalProperties", step=step, got=item, detail=name)
            else:
                yield from case.judge_at(others, step, item)
        for found in held:
            case.verdict.marks.add(name)
            yield from case.judge_at(found, step, item)
        if case.full:
            return


def _step(name: Json) -> str:
    """A key as a step of a path; one that is no text is shown by its type, since it can be of any size."""
    return name if isinstance(name, str) else f"({type(name).__name__})"


def _property_names(case: Case) -> Steps:
    names = case.schema["propertyNames"]
    for name in case.value:
        step = _step(name)
        verdict = yield case.exact.judgement(names, name, (case.place, step))
        if not verdict.passes:
            case.fault("propertyNames", step=step, got=name, detail=verdict.faults[0])
        if case.full:
            return


def _items(case: Case) -> Steps:
    prefix, rest = case.schema.get("prefixItems", ()), case.schema.get("items")
    for index, item in enumerate(case.value):
        held = prefix[index] if index < len(prefix) else rest
        if held is None:
            return
        case.verdict.marks.add(index)
        yield from case.judge_at(held, index, item)
        if case.full:
            return


def _contains(case: Case) -> Steps:
    schema = case.schema
    matching = []
    for index, item in enumerate(case.value):
        if (yield case.exact.judgement(schema["contains"], item, (case.place, index))).passes:
            matching.append(index)
    case.verdict.marks.update(matching)
    if len(matching) < schema.get("minContains", 1):
        case.fault("minContains" if "minContains" in schema else "contains", detail=len(matching))
    if len(matching) > schema.get("maxContains", len(matching)):
        case.fault("maxContains", detail=len(matching))


def _reference(case: Case) -> Steps:
    referred = target(case.exact.normal, case.schema)
    if referred is not None:
        case.take((yield case.ask(referred)))


def _all_of(case: Case) -> Steps:
    for held in case.schema["allOf"]:
        case.take((yield case.ask(held)))


def _any_of(case: Case) -> Steps:
    verdicts = yield from _branches(case, "anyOf")
    if not any(verdict.passes for verdict in verdicts):
        case.fault("anyOf", detail=verdicts)


def _one_of(case: Case) -> Steps:
    verdicts = yield from _branches(case, "oneOf")
    if sum(verdict.passes for verdict in verdicts) != 1:
        case.fault("oneOf", detail=verdicts)


def _branches(case: Case, keyword: str) -> Generator[Judgement, Verdict, list[Verdict]]:
    verdicts = []
    for held in case.schema[keyword]:
        verdict = yield case.ask(held)
        verdicts.append(verdict)
        if verdict.passes:
            case.verdict.marks |= verdict.marks
    return verdicts


def _not(case: Case) -> Steps:
    if (yield case.ask(case.schema["not"])).passes:
        case.fault("not")


def _conditional(case: Case) -> Steps:
    verdict = yield case.ask(case.schema["if"])
    if verdict.passes:
        case.verdict.marks |= verdict.marks
    chosen = case.schema.get("then" if verdict.passes else "else")
    if chosen is not None:
        case.take((yield case.ask(chosen)))


def _dependent_schemas(case: Case) -> Steps:
    for name, held in case.schema["dependentSchemas"].items():
        if name in case.value:
            case.take((yield case.ask(held)))


def _unevaluated_properties(case: Case) -> Steps:
    yield from _unevaluated(case, "unevaluatedProperties", list(case.value.items()))


def _unevaluated_items(case: Case) -> Steps:
    yield from _unevaluated(case, "unevaluatedItems", list(enumerate(case.value)))


def _unevaluated(case: Case, keyword: str, parts: Sequence[tuple[Json, Json]]) -> Steps:
    held = case.schema[keyword]
    for key, item in parts:
        if key in case.verdict.marks:
            continue
        step = key if isinstance(case.value, (list, tuple)) else _step(key)
        if _is_never(held):
            case.fault(keyword, step=step, got=item, detail=key)
        else:
            yield from case.judge_at(held, step, item)
        if case.full:
            return
    case.verdict.marks.update(key for key, _ in parts)


def _is_never(schema: Mapping[str, Json]) -> bool:
    return len(schema) == 1 and schema.get("not") == {}


_Apply = Callable[[Case], Steps]
# In the order of asking: unevaluated* come last, since they ask what the others evaluated.
_APPLICATORS: Sequence[tuple[frozenset[str], frozenset[str], _Apply]] = (
    (frozenset(("$ref",)), _ANY, _reference),
    (frozenset(("properties", "patternProperties", "additionalProperties")), _OBJECT, _members),
    (frozenset(("propertyNames",)), _OBJECT, _property_names),
    (frozenset(("prefixItems", "items")), _ARRAY, _items),
    (frozenset(("contains",)), _ARRAY, _contains),
    (frozenset(("allOf",)), _ANY, _all_of),
    (frozenset(("anyOf",)), _ANY, _any_of),
    (frozenset(("oneOf",)), _ANY, _one_of),
    (frozenset(("not",)), _ANY, _not),
    (frozenset(("if",)), _ANY, _conditional),
    (frozenset(("dependentSchemas",)), _OBJECT, _dependent_schemas),
    (frozenset(("unevaluatedProperties",)), _OBJECT, _unevaluated_properties),
    (frozenset(("unevaluatedItems",)), _ARRAY, _unevaluated_items),
)
