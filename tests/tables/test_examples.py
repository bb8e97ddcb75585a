"""Every example of every shipped row at "schema": alone (with what it says it comes after), and with all rows on."""

import json

import pytest

from toolglot.tables.ruleset import load_rules
from toolglot.tables.target_rules import arranged

RULES = load_rules(entry_points=False)
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{example.name.replace(' ', '-')}")
    for rule in RULES.rules.values()
    if rule.at == "schema"
    for example in rule.examples
]


def converted(text, rules):
    from toolglot.schemas.normal import normal_form  # noqa: PLC0415 - a fault of the wire fails its tests, not all of these
    from toolglot.wire.convert import convert_normal  # noqa: PLC0415 - as above

    return convert_normal(normal_form(json.loads(text), dialect="2020-12"), rules, describe=False)


def holders(rule):
    """The targets that have the rule, of their own or of one that they are like."""
    return [name for name in RULES.targets if rule in RULES.target(name).rules]


def fired(conversion):
    return {edit.rule for edit in conversion.edits}


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_alone_a_rule_gives_what_its_example_says(rule, example):
    target = RULES.target(holders(rule)[0])
    first = RULES.before[rule.id]
    alone = arranged(target.target, tuple(other for other in target.rules if other is rule or other.id in first))
    conversion = converted(example.given, alone)
    expected = example.given if example.gives is None else example.gives
    assert json.dumps(conversion.wire) == json.dumps(json.loads(expected))
    assert (rule.id in fired(conversion)) == example.fires


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_with_all_rows_on_a_rule_still_fires_only_where_its_example_says(rule, example):
    for target in holders(rule):
        conversion = converted(example.given, RULES.target(target))
        assert (rule.id in fired(conversion)) == example.fires, target


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_with_all_rows_on_the_check_says_of_each_value_what_the_example_says(rule, example):
    from toolglot.calls.checker import checker  # noqa: PLC0415 - as above

    check = checker(json.loads(example.given), dialect="2020-12")
    assert [text for text in example.accepts if not check.accepts(json.loads(text))] == []
    assert [text for text in example.rejects if check.accepts(json.loads(text))] == []
    for target in holders(rule):
        conversion = converted(example.given, RULES.target(target))
        wire = checker(conversion.wire, dialect=RULES.targets[target].dialect)
        for text in example.accepts:
            spellings = conversion.spellings(json.loads(text))
            sayable = [spelling for spelling in spellings if wire.accepts(spelling)]
            assert sayable or "narrowed" in conversion.outcomes, (target, text)
            assert all(conversion.restore(spelling) == (json.loads(text), ()) for spelling in sayable)
