"""Every row that the call side reads: its examples hold, and taking the row out breaks one of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolglot.calls.check import check, held_check
from toolglot.calls.lint import lint
from toolglot.calls.readings import allowed, nearly
from toolglot.schemas.domains import domain
from toolglot.tables.rows import Example, Rule, Table
from toolglot.tables.ruleset import Ruleset, load_rules
from toolglot.tables.shelf import Shelf

RULES = load_rules(entry_points=False)
FILES = ("roots", "nullable", "numbers", "domains", "readings", "aliases", "lints")
ROWS = [rule for rule in RULES.rules.values() if rule.file.rpartition("/")[2].removesuffix(".toml") in FILES]
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{number}")
    for rule in ROWS
    for number, example in enumerate(rule.examples)
]


def places(problems: Any) -> list[str]:
    return ["/" + "/".join(map(str, problem.path)) for problem in problems]


def outcome(rule: Rule, example: Example, rules: Ruleset) -> Any:
    """What comes out of an example, in the form in which the rows of its table say it."""
    given = json.loads(example.given)
    schema = json.loads(example.schema) if example.schema else None
    match rule.verb:
        case "withhold":
            (problem,) = check(schema, given, depth="keys", rules=rules)
            return list(problem.undeclared)
        case "suggest":
            (problem,) = check(schema, given, depth="keys", rules=rules)
            return problem.likely
        case "take" | "take-digits" | "bound":
            return places(check(schema, given, depth="values", rules=rules))
        case "noun" | "say":
            return domain(given, rules)
        case "parse" | "wrap" | "omit":
            return read(schema, given, rules)
        case "advise":
            return ["/".join(("", *map(str, each.path))) for each in lint(given, rules=rules) if each.rule == rule.id]
        case _:
            pytest.fail(f"no test knows the verb {rule.verb}")


def read(schema: Any, given: Any, rules: Ruleset) -> Any:
    held = held_check(schema, rules=rules)
    policy = [each.id for each in (*allowed(True, rules), *lossy(rules))]
    found = nearly(held, given, held.problems(given), policy, rules=rules)  # type: ignore[arg-type]
    return found.value if found else given


def lossy(rules: Ruleset) -> list[Rule]:
    return [rule for rule in rules.rules.values() if rule.verb in ("parse", "wrap", "omit") and rule.keep != "same"]


def without(rule: Rule) -> Ruleset:
    return Ruleset(Shelf.of([*RULES._shelf.tables(), Table("last.toml", retire=(rule.id,))]), whole=True)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_a_rows_example_gives_what_it_says(rule: Rule, example: Example) -> None:
    came = outcome(rule, example, RULES)
    if example.fires:
        assert came == json.loads(example.gives or "")
    else:
        assert came == outcome(rule, example, without(rule)), "a near miss that the row does change"


@pytest.mark.parametrize("rule", ROWS, ids=lambda rule: rule.id)
def test_taking_a_row_out_breaks_one_of_its_examples(rule: Rule) -> None:
    fewer = without(rule)
    assert any(outcome(rule, example, fewer) != outcome(rule, example, RULES) for example in rule.examples)


@pytest.mark.parametrize("name", FILES)
def test_every_table_of_the_call_side_has_rows(name: str) -> None:
    assert [rule for rule in ROWS if rule.file.endswith(f"/{name}.toml")]
