"""The keywords that ask subschemas about a value or its parts, as the exact checker reads them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence

from toolglot.calls.cases import ANY, ARRAY, OBJECT, Case, Judgement, Steps, Verdict
from toolglot.calls.order import target
from toolglot.json_values import Json


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


Apply = Callable[[Case], Steps]
# In the order of asking: unevaluated* come last, since they ask what the others evaluated.
APPLICATORS: Sequence[tuple[frozenset[str], frozenset[str], Apply]] = (
    (frozenset(("$ref",)), ANY, _reference),
    (frozenset(("properties", "patternProperties", "additionalProperties")), OBJECT, _members),
    (frozenset(("propertyNames",)), OBJECT, _property_names),
    (frozenset(("prefixItems", "items")), ARRAY, _items),
    (frozenset(("contains",)), ARRAY, _contains),
    (frozenset(("allOf",)), ANY, _all_of),
    (frozenset(("anyOf",)), ANY, _any_of),
    (frozenset(("oneOf",)), ANY, _one_of),
    (frozenset(("not",)), ANY, _not),
    (frozenset(("if",)), ANY, _conditional),
    (frozenset(("dependentSchemas",)), OBJECT, _dependent_schemas),
    (frozenset(("unevaluatedProperties",)), OBJECT, _unevaluated_properties),
    (frozenset(("unevaluatedItems",)), ARRAY, _unevaluated_items),
)
