"""The predicate language: what it says, what it refuses, and what triggers it."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolglot.json_values import equal
from toolglot.tables.conditions import LONGEST, Both, Claim, Either, Name, Not, parse
from toolglot.tables.foresight import Shape
from toolglot.tables.predicates import PredicateError, compile_predicate

FACTS = {
    "root": frozenset(),
    "siblings-of-reference": frozenset({"$ref"}),
    "property-count": frozenset({"properties"}),
}
NO_FACTS = {}


def holds(text, node, facts=NO_FACTS):
    return compile_predicate(text, facts=FACTS).test(node, facts)


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("has type", {"type": None}),
        ("type is null", {"type": None}),
        ("uniqueItems is true", {"uniqueItems": True}),
        ("maxLength is 5", {"maxLength": 5.0}),
        ("maxLength is 5.0e0", {"maxLength": 5}),
        ("minimum is -1.5", {"minimum": -1.5}),
        ('type is "object"', {"type": "object"}),
        (r'title is "a\u0041\n\"\\"', {"title": 'aA\n"\\'}),
        ("properties is {}", {"properties": {}}),
        ("enum is []", {"enum": []}),
        ('type is ["a", null]', {"type": ["a", None]}),
        ("maxLength is not 5", {"maxLength": "5"}),
        ("const is not false", {"const": 0}),
        ('type in ["object", "array"]', {"type": "array"}),
        ("const in [{}, 1]", {"const": {}}),
        ('type holds "null"', {"type": ["string", "null"]}),
        ('pattern matches "^a"', {"pattern": "abc"}),
        ('pattern matches "b"', {"pattern": "abc"}),
        ('pattern matches "^.$"', {"pattern": "\ud800"}),
        ("maxLength > 2000", {"maxLength": 2001}),
        ("maxLength >= 2000", {"maxLength": 2000}),
        ("minimum < -1", {"minimum": -1.5}),
        ("minimum <= 1e3", {"minimum": 1000}),
        ("has not", {"not": {}}),
        ('"not" is {}', {"not": {}}),
        ('"x-order" > 1', {"x-order": 2}),
        ("not has type", {}),
        ("not not has type", {"type": 1}),
        ("has a or has b and has c", {"a": 1}),
        ("nothing is 3", {"nothing": 3}),
        ("has $ref and (has a or has b)", {"$ref": 1, "b": 1}),
    ],
)
def test_a_predicate_holds(text, node):
    assert holds(text, node) is True


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("has type", {}),
        ("a is 0", {"a": False}),
        ("a is 1", {"a": True}),
        ("a is true", {"a": 1}),
        ("a is null", {}),
        ("a is {}", {}),
        ("a is not 1", {}),
        ("a is not 1", {"a": 1.0}),
        ('a in ["x"]', {"a": ["x"]}),
        ("a in [1]", {"a": True}),
        ('a holds "x"', {"a": "x"}),
        ("a holds 1", {"a": [True]}),
        ('a matches "1"', {"a": 1}),
        ("a > 0", {"a": True}),
        ("a > 0", {"a": "1"}),
        ("a <= 0", {}),
        ("(has a or has b) and has c", {"a": 1}),
    ],
)
def test_a_predicate_does_not_hold(text, node):
    assert holds(text, node) is False


def test_a_fact_is_looked_up_by_name_and_is_absent_where_it_is_none():
    assert holds("property-count > 3", {}, {"property-count": 4})
    assert holds("root is true", {"root": False}, {"root": True})
    assert not holds("property-count is null", {}, {"property-count": None})
    assert not holds("property-count is not 3", {}, {})
    assert not holds("has root", {"root": 1}, {})
    assert holds('has "root"', {"root": 1}, {})


def test_no_text_of_a_predicate_is_executed():
    hostile = "__import__('os').abort()"
    assert holds(f"{json.dumps(hostile)} is {json.dumps(hostile)}", {hostile: hostile})
    assert holds(r'a is "\"] or 1/0 #"', {"a": '"] or 1/0 #'})


@pytest.mark.parametrize(
    ("text", "triggers"),
    [
        ("has a", {"a"}),
        ("not has a", None),
        ("a is not 1", {"a"}),
        ("has a and has b", {"a"}),
        ("has type and has zzz", {"zzz"}),
        ("has a or has b", {"a", "b"}),
        ("has a or not has b", None),
        ("has a and not has b", {"a"}),
        ("not (not has a or has b)", {"a"}),
        ("not (not has a and not has b)", {"a", "b"}),
        ("siblings-of-reference is true", {"$ref"}),
        ("root is true", None),
        ("root is true and property-count > 1", {"properties"}),
        ('"root" is true', {"root"}),
    ],
)
def test_triggers_are_keywords_without_which_it_cannot_be_true(text, triggers):
    assert compile_predicate(text, facts=FACTS).triggers == triggers


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("has", 4),
        ("uniqueItems is", 15),
        ("a is yes", 6),
        ("a is nottrue", 6),
        ("a is 01", 6),
        ("a is 1e999", 6),
        ("a is 'x'", 6),
        (r'a is "\q"', 6),
        ('a > "1"', 5),
        ("(has a", 7),
        ("has a has b", 7),
        ("a = 3", 3),
        ("has a\n  and and", 7),
        ('has a and b matches "("', 11),
        ("has a and no-such-fact is true", 11),
        ("has unheard", 5),
        ('a is {"b": 1}', 7),
        ("a is [[1]]", 7),
    ],
)
def test_a_broken_predicate_is_refused_at_its_column(text, column):
    with pytest.raises(PredicateError) as caught:
        compile_predicate(text, facts=FACTS, keywords=frozenset("ab"))
    assert caught.value.column == column
    assert caught.value.drawn().split("\n")[-1] == " " * (column + 3) + "^"


def test_a_predicate_too_long_to_read_is_refused():
    with pytest.raises(PredicateError):
        parse("not " * LONGEST + "has a")


@pytest.mark.parametrize("nest", ["not {}", "not ({})", "has b or (has c and {})", "has b and (not ({}))"])
def test_the_deepest_predicate_of_the_longest_text_compiles(nest):
    text = "has a"
    while len(nest.format(text)) <= LONGEST:
        text = nest.format(text)
    assert holds(text, {"a": 1, "b": 1, "c": 1}) in {True, False}


# Properties ---------------------------------------------------------------------------------------

WORDS = ["type", "$ref", "not", "maxLength", "x-order", "is", "enum", 'a"b']
KEYS = st.sampled_from(WORDS)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.0, -0.5, 1.0, 2.5e3]),
    st.sampled_from(["", "a", "é\n", "\ud800", "type", "1"]),
)
LITERALS = st.one_of(SCALARS, st.just({}), st.lists(SCALARS, max_size=3))
NAMES = st.builds(lambda key: Name(key, quoted=True), KEYS) | st.sampled_from(
    [Name("type"), Name("$ref"), Name("maxLength"), Name("root"), Name("property-count")]
)
PATTERNS = st.sampled_from(["", "a", "^a$", "[0-9]", "é"])
TESTS = st.one_of(
    st.builds(Claim, NAMES, st.just("has")),
    st.builds(Claim, NAMES, st.sampled_from(["is", "is not", "holds"]), LITERALS),
    st.builds(Claim, NAMES, st.just("in"), st.lists(SCALARS, max_size=3)),
    st.builds(Claim, NAMES, st.just("matches"), PATTERNS),
    st.builds(Claim, NAMES, st.sampled_from(["<", "<=", ">", ">="]), st.integers(-3, 3) | st.just(0.5)),
)
CONDITIONS = st.recursive(
    TESTS,
    lambda parts: st.one_of(
        st.builds(Not, parts),
        st.builds(lambda found: Both(tuple(found)), st.lists(parts, min_size=2, max_size=3)),
        st.builds(lambda found: Either(tuple(found)), st.lists(parts, min_size=2, max_size=3)),
    ),
    max_leaves=6,
)
NODES = st.dictionaries(KEYS, LITERALS, max_size=5)
FACT_VALUES = st.fixed_dictionaries({}, optional={"root": st.booleans(), "property-count": st.integers(0, 3)})


def printed(condition):
    """The text of a condition, with every group in parentheses."""
    if isinstance(condition, Not):
        return f"not ({printed(condition.part)})"
    if isinstance(condition, (Both, Either)):
        word = " and " if isinstance(condition, Both) else " or "
        return word.join(f"({printed(part)})" for part in condition.parts)
    name = json.dumps(condition.name.text) if condition.name.quoted else condition.name.text
    if condition.operator == "has":
        return f"has {name}"
    return f"{name} {condition.operator} {json.dumps(condition.literal)}"


def naive(condition, node, facts):
    """What a condition means, said once more and plainly."""
    if isinstance(condition, Not):
        return not naive(condition.part, node, facts)
    if isinstance(condition, Both):
        return all(naive(part, node, facts) for part in condition.parts)
    if isinstance(condition, Either):
        return any(naive(part, node, facts) for part in condition.parts)
    name, literal = condition.name, condition.literal
    place = facts if name.text in FACTS and not name.quoted else node
    if name.text not in place:
        return False
    return naive_test(condition.operator, place[name.text], literal)


def naive_test(operator, value, literal):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return {
        "has": lambda: True,
        "is": lambda: equal(value, literal),
        "is not": lambda: not equal(value, literal),
        "in": lambda: any(equal(value, item) for item in literal),
        "holds": lambda: isinstance(value, list) and any(equal(item, literal) for item in value),
        "matches": lambda: isinstance(value, str) and search(literal, value),
        "<": lambda: is_number and value < literal,
        "<=": lambda: is_number and value <= literal,
        ">": lambda: is_number and value > literal,
        ">=": lambda: is_number and value >= literal,
    }[operator]()


def search(pattern, text):
    return re.search(pattern, text) is not None


@given(CONDITIONS)
def test_what_is_printed_parses_back(condition):
    assert parse(printed(condition)) == condition


@given(CONDITIONS, NODES, FACT_VALUES)
def test_a_compiled_predicate_agrees_with_a_naive_evaluator(condition, node, facts):
    predicate = compile_predicate(printed(condition), facts=FACTS)
    assert predicate.test(node, facts) is naive(condition, node, facts)


@given(CONDITIONS, NODES, FACT_VALUES)
def test_a_node_without_a_trigger_never_fires(condition, node, facts):
    predicate = compile_predicate(printed(condition), facts=FACTS)
    if "properties" not in node:
        facts = {name: value for name, value in facts.items() if name != "property-count"}
    if predicate.triggers is not None and predicate.triggers.isdisjoint(node):
        assert predicate.test(node, facts) is False


@given(st.text(alphabet='abis notrue()[]{}"$-<>=1.,\\\n', max_size=40))
def test_any_text_is_a_predicate_or_refused(text):
    error = refusal(text)
    if error is not None:
        assert 0 <= error.offset <= len(text)
        assert error.drawn().endswith("^")


def refusal(text):
    try:
        compile_predicate(text, facts=FACTS)
    except PredicateError as error:
        return error
    return None


@pytest.mark.parametrize(
    "text",
    [
        "has a and not has b",
        'type is "object" and property-count > 1',
        'not type in ["object", "array"] or has a',
        "root is true or has b",
        'type is not "object"',
        'not siblings-of-reference is true and type holds "null"',
        'type in ["null", 1] or type is ["null"]',
        "type < 2 or has root",
    ],
)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "a": st.none(),
            "b": st.booleans(),
            "$ref": st.just("#"),
            "properties": st.just({}),
            "type": st.sampled_from(["object", "array", "null", ["object", "null"], ["null"], 1]),
        },
    ),
    st.booleans(),
)
def test_what_is_foreseen_comes_true(text, node, root):
    predicate = compile_predicate(text, facts=FACTS)
    named = node.get("type")
    shape = Shape(predicate.asks.intersection(node), tuple(named) if isinstance(named, list) else named, root)
    foreseen = predicate.foresees(shape)
    facts = {"root": root}
    if "properties" in node:
        facts["property-count"] = 2 * root
    if "$ref" in node:
        facts["siblings-of-reference"] = not {"type", "properties"}.isdisjoint(node)
    assert foreseen in (None, predicate.test(node, facts))
