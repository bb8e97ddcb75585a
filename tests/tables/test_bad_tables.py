"""One refused table per field: `bad/*.toml`, each of which says in its first line what is wrong where."""

import re
from pathlib import Path

import pytest

from toolglot.errors import RuleError
from toolglot.tables import sources
from toolglot.tables.loader import read_table
from toolglot.tables.ruleset import assemble

HERE = Path(__file__).parent
BAD = sorted((HERE / "bad").glob("*.toml"))


def alone(path):
    """The ruleset of the tables at a path and of no others."""
    return assemble([read_table(text, file) for file, text in sources.at_path(path)])


@pytest.mark.parametrize("path", BAD, ids=[path.stem for path in BAD])
def test_a_bad_table_is_refused_with_file_field_and_line(path):
    expected = re.match(r'# refused: field "(.*)", line (\d+)', path.read_text("utf-8"))
    with pytest.raises(RuleError) as caught:
        alone(path)
    error = caught.value
    assert (error.file, error.field, error.line) == (str(path), expected[1], int(expected[2]))
    assert error.reason


def test_the_table_that_the_bad_ones_are_made_from_loads():
    rules = alone(HERE / "good.toml")
    assert "demo-unique-items" in rules.rules
    assert "demo" in rules.targets


@pytest.mark.parametrize(
    ("name", "spelling"),
    [
        ("rule-unknown-field", "keep"),
        ("target-unknown-field", "title"),
        ("target-envelope-unknown", "openai-chat"),
        ("target-limit-unknown", "depth"),
        ("target-limit-otherwise", "demo"),
        ("rule-do-unknown-keyword", "uniqueItems"),
        ("rule-after", None),
        ("rule-at", "schema"),
        ("rule-for", "demo"),
        ("retire", "demo-unique-items"),
        ("rule-when-unknown-fact", "siblings-of-reference"),
    ],
)
def test_a_near_spelling_is_named(name, spelling):
    with pytest.raises(RuleError) as caught:
        alone(HERE / "bad" / f"{name}.toml")
    assert spelling is None or repr(spelling) in str(caught.value)


def test_a_mark_of_byte_order_is_no_part_of_a_table(tmp_path):
    file = tmp_path / "marked.toml"
    file.write_text((HERE / "good.toml").read_text("utf-8"), encoding="utf-8-sig")
    assert "demo" in alone(file).targets


def test_a_keyword_that_no_dialect_has_may_be_dropped_where_when_asks_for_it_in_quotes(tmp_path):
    file = tmp_path / "own.toml"
    text = (HERE / "good.toml").read_text("utf-8")
    file.write_text(
        text.replace('"uniqueItems is true"', "'has \"x-own\"'").replace('"uniqueItems" }', '"x-own" }'), "utf-8"
    )
    assert "demo-unique-items" in alone(file).rules


def test_a_broken_predicate_is_shown_with_a_caret_under_its_column():
    with pytest.raises(RuleError) as caught:
        alone(HERE / "bad" / "rule-when.toml")
    line, caret = caught.value.reason.split("\n")[-2:]
    assert line[caret.index("^") :].startswith("yes")


def test_an_id_is_never_silently_replaced(tmp_path):
    (tmp_path / "one.toml").write_text((HERE / "good.toml").read_text("utf-8"), "utf-8")
    (tmp_path / "two.toml").write_text((HERE / "good.toml").read_text("utf-8"), "utf-8")
    with pytest.raises(RuleError) as caught:
        alone(tmp_path)
    assert caught.value.field == "rule.demo-unique-items"
    assert "one.toml" in str(caught.value)
    assert "two.toml" in str(caught.value)


def test_a_path_without_a_table_is_refused(tmp_path):
    with pytest.raises(RuleError) as caught:
        alone(tmp_path / "missing.toml")
    assert caught.value.file.endswith("missing.toml")


def test_text_that_is_not_utf_8_is_refused(tmp_path):
    (tmp_path / "latin.toml").write_bytes("why = 'caf\xe9'".encode("latin-1"))
    with pytest.raises(RuleError):
        alone(tmp_path)


VALUES = [
    "",
    "3",
    "-1.5",
    "nan",
    "true",
    '"x"',
    "'{}'",
    "[]",
    "{}",
    '["x"]',
    "[[1]]",
    "{ a = 1 }",
    "2026-11-30",
    "12:00:00",
]


@pytest.mark.parametrize("value", VALUES)
def test_a_field_with_any_value_is_read_or_refused_in_its_own_name(value):
    lines = (HERE / "good.toml").read_text("utf-8").split("\n")
    for number, line in enumerate(lines):
        field, sign, _ = line.partition("=")
        if not sign or line.startswith("#"):
            continue
        changed = [*lines[:number], f"{field}= {value}" if value else "", *lines[number + 1 :]]
        error = refusal("\n".join(changed))
        assert error is None or error.field.rpartition(".")[2] in {field.strip(), "example", "keep", ""}, (line, error)
        assert error is None or error.line is not None


def refusal(text):
    try:
        assemble([read_table(text, "changed.toml")])
    except RuleError as error:
        return error
    return None
