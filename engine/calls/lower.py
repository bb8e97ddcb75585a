"""Compiles a schema of the normal form to tests: plain Python functions that hold what they compare with.

Why no generated source: it was the plan to lower schemas to a subset that fastjsonschema turns into program text.
Measured side by side on 459 real tool calls, tests that are closures accept in 0.6 of the time of its functions (the
type alone settles most values by one set lookup) and compile in a hundredth of the time; and no text of a stranger's
schema can reach generated code where none is generated. So each keyword compiles exactly, and nothing is left over
for a slower checker but values nested deeper than Python's stack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from toolglot.calls import containers, leaves, unions
from toolglot.calls.leaves import Match
from toolglot.calls.marks import Assess, Evaluated, Parts, assess_of
from toolglot.calls.order import inner_first, target
from toolglot.calls.rules import Rule, Test, Tests, Work, always, every, narrow, never, of_each, spend
from toolglot.json_values import Json
from toolglot.schemas.forms import Normal, Schema

# A reference to something that costs more than this counts its work, so that references to references can't explode.
LARGE = 500
PASSES = Rule(of_each(always), 0)
FAILS = Rule(of_each(never), 0)


@dataclass(slots=True)
class Lowering:
    """What compiling one schema needs.

    Attributes:
        normal: the schema.
        match_of: the function for a `pattern`.
        format_of: the function for a `format`, or None where it checks nothing.
        rules: the compiled subschemas, by the identity of their schema objects.
        assess: the same, for schemas where it matters what has been evaluated.
    """

    normal: Normal
    match_of: Callable[[str, Schema, str], Match]
    format_of: Callable[[str], Match | None]
    rules: dict[int, Rule] = field(default_factory=dict)
    assess: dict[int, Assess] = field(default_factory=dict)
    tracks: bool = False

    def run(self) -> Rule:
        """Compiles all of it: the root's rule."""
        order = inner_first(self.normal)
        self.tracks = any("unevaluatedProperties" in schema or "unevaluatedItems" in schema for schema, _ in order)
        for schema, held in order:
            asked = _ASKED.intersection(schema)
            if self.tracks or asked - _TYPE:
                self.rules[id(schema)] = self._compiled(schema, held)
            else:
                self.rules[id(schema)] = _type_rule(_names(schema.get("type")), self.normal.integer_by_spelling)
        return self.rules[id(self.normal.root)]

    def _compiled(self, schema: Schema, held: Sequence[Schema]) -> Rule:
        tests = self._own(schema)
        own = Rule(_floats_guarded(dict(tests))) if self.tracks else PASSES
        for more in self._placed(schema):
            narrow(tests, more)
        _floats_guarded(tests)
        if self.tracks:
            assess = self.assess[id(schema)] = assess_of(self._parts(schema, own))
            tests |= _unevaluated(schema, assess)
        return Rule(tests, self._cost(schema, held))

    def _cost(self, schema: Schema, held: Sequence[Schema]) -> int:
        referred = target(self.normal, schema)
        below = sum([self.rules[id(child)].cost for child in held])
        return 1 + below + (self._referred(referred).cost if referred is not None else 0)

    # One schema object's own keywords ------------------------------------------------------------------------------

    def _own(self, schema: Schema) -> Tests:
        tests: Tests = dict(_type_tests(_names(schema.get("type")), self.normal.integer_by_spelling))
        asked = schema.keys()
        if not asked.isdisjoint(_OF_OBJECTS):
            narrow(tests, {dict: self._object(schema)})
        if not asked.isdisjoint(_OF_ARRAYS):
            narrow(tests, {list: self._array(schema)})
        if not asked.isdisjoint(_OF_TEXTS):
            narrow(tests, {str: self._text(schema)})
        if not asked.isdisjoint(_OF_NUMBERS):
            test = leaves.number_tests(schema)
            narrow(tests, {int: test, float: test})
        if "enum" in schema:
            narrow(tests, leaves.member_tests(schema["enum"]))
        if "const" in schema:
            narrow(tests, leaves.member_tests([schema["const"]]))
        return tests

    def _text(self, schema: Schema) -> Test:
        matches = []
        if "pattern" in schema:
            matches.append(self.match_of(schema["pattern"], schema, "pattern"))
        if "format" in schema and isinstance(schema["format"], str):
            match = self.format_of(schema["format"])
            matches += [] if match is None else [match]
        length = leaves.length_test(schema.get("minLength"), schema.get("maxLength"))
        return every([length, leaves.text_test(matches)])

    def _object(self, schema: Schema) -> Test:
        patterns = [
            (self.match_of(pattern, schema, "patternProperties"), self._rule(held))
            for pattern, held in schema.get("patternProperties", {}).items()
        ]
        properties = {name: self._rule(held) for name, held in schema.get("properties", {}).items()}
        return every(
            [
                leaves.length_test(schema.get("minProperties"), schema.get("maxProperties")),
                containers.object_test(
                    schema.get("required", ()), properties, patterns, self._at(schema, "additionalProperties")
                ),
                containers.names_test(self._at(schema, "propertyNames")),
                containers.dependents_test(schema.get("dependentRequired", {})),
            ]
        )

    def _array(self, schema: Schema) -> Test:
        prefix = [self._rule(held) for held in schema.get("prefixItems", ())]
        tests = [
            leaves.length_test(schema.get("minItems"), schema.get("maxItems")),
            containers.items_test(prefix, self._at(schema, "items")),
        ]
        if "contains" in schema:
            least, most = schema.get("minContains", 1), schema.get("maxContains")
            tests.append(containers.contains_test(self._at(schema, "contains"), least, most))
        if schema.get("uniqueItems") is True:
            tests.append(containers.unique)
        return every(tests)

    # Keywords that apply schemas to the same value -----------------------------------------------------------------

    def _placed(self, schema: Schema) -> list[Tests]:
        placed: list[Tests] = []
        referred = target(self.normal, schema)
        if referred is not None:
            placed.append(self._referred(referred).tests)
        for keyword, combine in _COMBINED.items():
            if keyword in schema:
                placed.append(combine([self._rule(held) for held in schema[keyword]]))
        if "not" in schema:
            placed.append(unions.none_of(self._at(schema, "not")))
        if "if" in schema:
            branches = (self._at(schema, keyword) for keyword in ("if", "then", "else"))
            placed.append(unions.conditional(*branches))
        for name, held in schema.get("dependentSchemas", {}).items():
            placed.append(of_each(always) | {dict: containers.when_present(name, self._rule(held).tests[dict])})
        return placed

    def _at(self, schema: Schema, keyword: str) -> Rule:
        return self._rule(schema[keyword]) if keyword in schema else PASSES

    def _rule(self, schema: Schema) -> Rule:
        return self.rules[id(schema)]

    def _referred(self, schema: Schema) -> Rule:
        """The rule of a definition: later, where it is part of a cycle, and counted, where it is large."""
        rule = self.rules.get(id(schema))
        if rule is not None and rule.cost <= LARGE:
            return rule
        rules, key = self.rules, id(schema)

        def later(value: Json, work: Work) -> bool:
            found = rules[key]
            spend(work, found.cost)
            return type(value) in found.settled or found.check(value, work)

        if rule is None:
            return Rule(of_each(later), 1)
        return Rule({kind: test if test in (always, never) else later for kind, test in rule.tests.items()}, 1)

    # What has been evaluated ---------------------------------------------------------------------------------------

    def _parts(self, schema: Schema, own: Rule) -> Parts:
        branch = None
        if "if" in schema:
            condition, then, other = (self._assess_at(schema, keyword) for keyword in ("if", "then", "else"))
            branch = (condition, then, other)
        referred = target(self.normal, schema)
        refers = [] if referred is None else [self._assess_referred(referred)]
        return Parts(
            own=own.check,
            evaluated=self._evaluated(schema),
            each=[*refers, *self._assess_all(schema, "allOf")],
            any=self._assess_all(schema, "anyOf"),
            one=self._assess_all(schema, "oneOf"),
            negated=self._rule(schema["not"]) if "not" in schema else None,
            branch=branch,
            dependents={name: self._assess(held) for name, held in schema.get("dependentSchemas", {}).items()},
            other_keys=self._rule(schema["unevaluatedProperties"]) if "unevaluatedProperties" in schema else None,
            other_items=self._rule(schema["unevaluatedItems"]) if "unevaluatedItems" in schema else None,
        )

    def _evaluated(self, schema: Schema) -> Evaluated:
        return Evaluated(
            names=frozenset(schema.get("properties", ())),
            patterns=[
                self.match_of(pattern, schema, "patternProperties") for pattern in schema.get("patternProperties", ())
            ],
            takes_others="additionalProperties" in schema,
            prefix=len(schema.get("prefixItems", ())),
            takes_rest="items" in schema,
            counted=self._rule(schema["contains"]) if "contains" in schema else None,
        )

    def _assess(self, schema: Schema) -> Assess:
        return self.assess[id(schema)]

    def _assess_all(self, schema: Schema, keyword: str) -> list[Assess]:
        return [self._assess(held) for held in schema.get(keyword, ())]

    def _assess_at(self, schema: Schema, keyword: str) -> Assess:
        return self._assess(schema[keyword]) if keyword in schema else _nothing

    def _assess_referred(self, schema: Schema) -> Assess:
        assess, rules, key = self.assess, self.rules, id(schema)

        def later(value: Json, work: Work) -> set[Json] | None:
            spend(work, rules[key].cost)
            return assess[key](value, work)

        return later


_COMBINED: Mapping[str, Callable[[list[Rule]], Tests]] = {
    "allOf": unions.all_of,
    "anyOf": unions.any_of,
    "oneOf": unions.one_of,
}


_TYPE = frozenset(("type",))
_OF_OBJECTS = frozenset(
    (
        "required",
        "properties",
        "patternProperties",
        "additionalProperties",
        "propertyNames",
        "dependentRequired",
        "minProperties",
        "maxProperties",
    )
)
_OF_ARRAYS = frozenset(("prefixItems", "items", "contains", "uniqueItems", "minItems", "maxItems"))
_OF_TEXTS = frozenset(("pattern", "format", "minLength", "maxLength"))
_OF_NUMBERS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"))
_OF_ALL = frozenset(("enum", "const", "$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"))
_ASKED = frozenset().union(_TYPE, _OF_OBJECTS, _OF_ARRAYS, _OF_TEXTS, _OF_NUMBERS, _OF_ALL)


def _names(written: Json) -> str | tuple[str, ...] | None:
    return tuple(written) if isinstance(written, (list, tuple)) else written


@lru_cache(maxsize=256)
def _type_tests(names: str | tuple[str, ...] | None, by_spelling: bool) -> Tests:
    return of_each(always) if names is None else leaves.type_tests(names, by_spelling=by_spelling)


@lru_cache(maxsize=256)
def _type_rule(names: str | tuple[str, ...] | None, by_spelling: bool) -> Rule:
    """The rule of a schema that asks for nothing but a type."""
    return Rule(_floats_guarded(dict(_type_tests(names, by_spelling))), 0)


def _floats_guarded(tests: Tests) -> Tests:
    if tests[float] is not tests[object]:
        tests[float] = leaves.finite_only(tests[float], tests[object])
    return tests


def _nothing(value: Json, work: Work) -> set[Json]:
    """Assesses the schema that asks for nothing."""
    del value, work
    return set()


def _unevaluated(schema: Schema, assess: Assess) -> Tests:
    def test(value: Json, work: Work) -> bool:
        return assess(value, work) is not None

    tests: Tests = {}
    if "unevaluatedProperties" in schema:
        tests[dict] = test
    if "unevaluatedItems" in schema:
        tests[list] = test
    return tests
