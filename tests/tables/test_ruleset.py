"""How tables come together: who adds, who retires, what is inherited, and in which order rules run."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import toolglot.tables.ruleset
from toolglot.errors import RuleError
from toolglot.tables.loader import read_table
from toolglot.tables.rows import PLACES
from toolglot.tables.ruleset import Ruleset, assemble, default_rules, load_rules
from toolglot.tables.shelf import Shelf
from toolglot.tables.verbs import VERBS

TARGET = """
[target."{id}"]
title    = "A target"
envelope = "openai-chat"
why      = "For the test."
source   = ["https://example.org"]
seen     = 2026-11-30
{more}
"""

RULE = """
[rule.{id}]
at     = "schema"
when   = '{when}'
do     = {do}
keep   = "{keep}"
hazard = "rejects"
why    = "For the test."
source = ["https://example.org"]
seen   = 2026-11-30
proof  = "report"
{more}

[[rule.{id}.example]]
name  = "fires"
given = '{{"a": 1}}'
gives = '{{}}'

[[rule.{id}.example]]
name  = "a near miss"
given = '{{}}'
"""


def target(name, more=""):
    return TARGET.format(id=name, more=more)


def rule(name, when="has uniqueItems", do='{ drop = "uniqueItems" }', *, keep="check", more=""):
    return RULE.format(id=name, when=when, do=do, keep=keep, more=more)


def ruleset(*texts):
    return assemble([read_table(text, f"{number}.toml") for number, text in enumerate(texts)])


def ids(rules):
    return [rule.id for rule in rules]


# Who has which rules ------------------------------------------------------------------------------


def test_a_rule_holds_for_every_target_of_its_file_unless_it_names_some():
    rules = ruleset(
        target("a")
        + target("b/c")
        + rule("everywhere")
        + rule("b-only", "has not", '{drop = "not"}', more='for = "b/c"'),
        target("d"),
    )
    assert ids(rules.target("a").rules) == ["everywhere"]
    assert ids(rules.target("b/c").rules) == ["b-only", "everywhere"]
    assert ids(rules.target("d").rules) == []


def test_a_target_like_another_has_its_rules_without_the_ones_it_leaves_out():
    rules = ruleset(
        target("a") + rule("kept") + rule("left", "has not", '{drop = "not"}'),
        target("b", 'like = "a"\nwithout = ["left"]') + rule("own", "has if", '{drop = "if"}'),
        target("c", 'like = "b"'),
    )
    assert ids(rules.target("b").rules) == ["kept", "own"]
    assert ids(rules.target("c").rules) == ["kept", "own"]
    assert ids(rules.target("a").rules) == ["kept", "left"]


def test_a_target_can_leave_out_a_rule_of_its_own_file():
    rules = ruleset(target("a") + target("b", 'like = "a"\nwithout = ["left"]') + rule("left"))
    assert ids(rules.target("a").rules) == ["left"]
    assert ids(rules.target("b").rules) == []


def test_targets_like_each_other_in_a_circle_are_refused():
    with pytest.raises(RuleError) as caught:
        ruleset(target("a", 'like = "b"') + target("b", 'like = "a"'))
    assert caught.value.field in {"target.a.like", "target.b.like"}


def test_leaving_out_a_rule_that_is_not_inherited_is_refused():
    with pytest.raises(RuleError) as caught:
        ruleset(target("a"), target("b", 'like = "a"\nwithout = ["other"]'), target("c") + rule("other"))
    assert caught.value.field == "target.b.without"


def test_another_table_adds_a_target_and_retires_a_rule():
    first = target("a") + rule("old")
    second = 'retire = ["old"]\n' + target("b", 'like = "a"') + rule("new", more='for = ["a", "b"]')
    rules = ruleset(first, second)
    assert ids(rules.target("a").rules) == ["new"]
    assert ids(rules.target("b").rules) == ["new"]
    assert list(rules.retired) == ["old"]
    assert "old" not in rules.rules


def test_an_unknown_target_is_refused_with_a_near_spelling():
    with pytest.raises(RuleError, match=r"llama\.cpp"):
        ruleset(target("llama.cpp")).target("llamacpp")


def test_rules_of_no_target_are_found_by_their_place():
    text = rule("words", "has a", '{ say = "x" }', keep="note").replace('"schema"', '"value"')
    text = text.replace('hazard = "rejects"\n', "")
    rules = ruleset(text, target("a"))
    assert ids(rules.at("value")) == ["words"]
    assert ids(rules.at("schema")) == []
    assert rules.rules["words"].hazard is None


# Order --------------------------------------------------------------------------------------------


def test_rules_run_by_after_and_else_by_id_whatever_the_order_of_files_and_rows():
    parts = [
        target("t"),
        rule("a-last", "has if", '{drop = "if"}', more='after = ["z-first", "m-middle"]\nfor = "t"'),
        rule("m-middle", "has not", '{drop = "not"}', more='after = "z-first"\nfor = "t"'),
        rule("z-first", more='for = "t"'),
        rule("b-free", "has then", '{drop = "then"}', more='for = "t"'),
    ]
    expected = ["b-free", "z-first", "m-middle", "a-last"]
    assert ids(ruleset(*parts).target("t").rules) == expected
    assert ids(ruleset(*reversed(parts)).target("t").rules) == expected
    assert ids(ruleset("".join(parts)).target("t").rules) == expected


def test_two_rules_that_touch_one_keyword_are_an_error_naming_both():
    with pytest.raises(RuleError) as caught:
        ruleset(target("t") + rule("one"), rule("two", do='{ drop = ["uniqueItems", "not"] }', more='for = "t"'))
    assert caught.value.field == "rule.two.after"
    assert {"one", "uniqueItems"} <= set(caught.value.reason.replace(",", "").split())


def test_an_after_settles_two_rules_that_touch_one_keyword():
    rules = ruleset(target("t") + rule("one") + rule("two", more='after = "one"'))
    assert ids(rules.target("t").rules) == ["one", "two"]


def test_an_after_counts_through_a_retired_rule():
    chain = rule("b-one") + rule("link", more='after = "b-one"') + rule("a-two", more='after = "link"')
    rules = ruleset('retire = ["link"]\n' + target("t") + chain)
    assert ids(rules.target("t").rules) == ["b-one", "a-two"]


def test_rules_of_different_targets_may_touch_one_keyword():
    rules = ruleset(target("a") + rule("one"), target("b") + rule("two"))
    assert ids(rules.target("b").rules) == ["two"]


def test_a_note_touches_nothing():
    rules = ruleset(target("t") + rule("one") + rule("two", do='{ note = "uniqueItems" }', keep="note"))
    assert ids(rules.target("t").rules) == ["one", "two"]


# The index ----------------------------------------------------------------------------------------


def indexed():
    return ruleset(
        target("t")
        + rule("unique")
        + rule("negated", "has not or has if", '{ drop = "not" }')
        + rule("untyped", "not has type", '{ set = { type = "object" } }')
    ).target("t")


def test_a_node_has_the_candidates_that_its_keywords_and_its_type_admit():
    rules = indexed()
    assert ids(rules.candidates({"type": "string"})) == []
    assert ids(rules.candidates({"not": {}, "type": 1})) == ["negated"]
    assert ids(rules.candidates({"if": {}, "uniqueItems": 1})) == ["negated", "unique", "untyped"]
    assert rules.candidates({}) == rules.always


def test_what_a_strangers_nodes_leave_behind_is_bounded():
    many = "".join(rule(f"r{n}", f'has "k{n}"', f'{{ drop = "k{n}" }}') for n in range(12))
    rules = ruleset(target("t") + many).target("t")
    for pulled in range(2**12):
        node = {f"k{bit}": 1 for bit in range(12) if pulled >> bit & 1}
        assert len(rules.candidates(node)) == len(node)
    assert len(rules._chosen) <= 1000


# Rows ---------------------------------------------------------------------------------------------


def test_a_row_as_json_holds_what_its_table_says():
    rules = ruleset(target("t", "limits = { depth = 5 }") + rule("one", do='{ set = { type = ["object"] } }'))
    row = json.loads(json.dumps(rules.rules["one"].as_json()))
    assert row["do"] == {"set": {"type": ["object"]}}
    assert (row["id"], row["seen"], row["for"], row["line"]) == ("one", "2026-11-30", ["t"], 10)
    assert row["examples"][0] == {"name": "fires", "given": '{"a": 1}', "gives": "{}"}
    assert json.loads(json.dumps(rules.targets["t"].as_json()))["limits"] == {"depth": 5}


def test_rows_can_be_keys_and_their_options_cannot_be_written_to():
    rules = ruleset(target("t") + rule("one", do='{ set = { type = ["object"] } }'))
    assert {rules.rules["one"], rules.targets["t"]}
    with pytest.raises(TypeError):
        rules.rules["one"].options["type"] = 1
    assert rules.rules["one"].options["type"] == ("object",)


def test_an_example_fires_where_only_the_order_of_keys_differs_or_where_a_note_gives_anything():
    text = rule("order", "has required", '{ order = "required-first" }', keep="same")
    text = text.replace('{"a": 1}', '{"a": 1, "b": 2}').replace("'{}'", '\'{"b": 2, "a": 1}\'', 1)
    note = rule("note", do='{ note = "uniqueItems" }', keep="note").replace("gives = '{}'", "gives = '{\"a\": 1}'")
    rules = ruleset(target("t") + text + note)
    assert [example.fires for example in rules.rules["order"].examples] == [True, False]
    assert [example.fires for example in rules.rules["note"].examples] == [True, False]


def test_every_verb_says_where_it_acts_and_what_can_become_of_the_meaning():
    for name, verb in VERBS.items():
        assert verb.name == name
        assert verb.places <= {"root", "schema", "call", "value", "block"}
        assert verb.keeps <= {"same", "check", "encode", "note", "narrowed"}
        assert verb.meaning.endswith(".")
        assert (verb.inverse is not None) == ("encode" in verb.keeps)


@pytest.mark.parametrize(
    "do",
    [
        "{ cap = { keyword = 'maxLength' } }",
        "{ cap = { keyword = 'maxLength', at = true } }",
        "{ cap = { keyword = 'maxLength', at = 5, to = 6 } }",
        "{ tighten = ['minimum'] }",
        "{ tighten = ['minimum', 'minimum'] }",
        "{ merge = 'anyOf' }",
        "{ set = {} }",
        "{ set = { default = nan } }",
        "{ set = { default = 2026-11-30 } }",
        "{ drop = [] }",
        "{ drop = 'no keyword' }",
        "{}",
        "'drop'",
    ],
)
def test_a_verb_with_options_that_do_not_fit_it_is_refused(do):
    with pytest.raises(RuleError) as caught:
        ruleset(target("t") + rule("one", do=do))
    assert caught.value.field == "rule.one.do"


def test_a_table_nested_too_deep_to_read_is_refused():
    with pytest.raises(RuleError):
        read_table("retire = " + "[" * 5000 + "]" * 5000, "deep.toml")


# Sources ------------------------------------------------------------------------------------------


def test_a_folder_is_read_with_what_is_below_it(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "a.toml").write_text(target("folder-a"), "utf-8")
    (tmp_path / "below" / "b.toml").write_text(target("folder-b", 'like = "folder-a"'), "utf-8")
    (tmp_path / "README.md").write_text("no table", "utf-8")
    rules = load_rules(tmp_path, tmp_path / "a.toml")
    assert {"folder-a", "folder-b"} <= rules.targets.keys()
    assert set(default_rules().targets) <= rules.targets.keys()


def install(folder, module, value, tables):
    """A package with tables, as an installer would leave it."""
    package = folder / module
    package.mkdir()
    (package / "__init__.py").write_text("", "utf-8")
    for name, text in tables.items():
        (package / name).write_text(text, "utf-8")
    about = folder / f"{module}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[toolglot.rules]\nmine = {value}\n", "utf-8")


def test_an_installed_package_adds_tables_by_entry_point(tmp_path, monkeypatch):
    tables = {"mine.toml": target("installed-one"), "notes.txt": "no table"}
    install(tmp_path, "tables_of_a_stranger", "tables_of_a_stranger", tables)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(toolglot.tables.ruleset, "_DEFAULT", [])
    rules = load_rules()
    assert "installed-one" in rules.targets
    assert "tables_of_a_stranger/mine.toml" in rules.files
    assert "installed-one" not in load_rules(entry_points=False).targets
    sys.modules.pop("tables_of_a_stranger")


@pytest.mark.parametrize("program", ["no python", "raise RuntimeError('no licence')"])
def test_a_package_whose_module_fails_is_named(tmp_path, monkeypatch, program):
    install(tmp_path, "failing_tables", "failing_tables", {"__init__.py": program})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(toolglot.tables.ruleset, "_DEFAULT", [])
    with pytest.raises(RuleError) as caught:
        load_rules()
    assert "failing_tables" in caught.value.file


@pytest.mark.parametrize("value", ["no_such_module_here", "json:loads"])
def test_an_entry_point_that_names_no_module_with_tables_is_refused_by_name(tmp_path, monkeypatch, value):
    install(tmp_path, "tables_gone_wrong", value, {})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(toolglot.tables.ruleset, "_DEFAULT", [])
    with pytest.raises(RuleError) as caught:
        load_rules()
    assert "mine" in caught.value.file


def test_the_default_rules_are_read_once_by_however_many_threads(monkeypatch):
    monkeypatch.setattr(toolglot.tables.ruleset, "_DEFAULT", [])
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _number: default_rules(), range(16)))
    assert all(rules is found[0] for rules in found)


def test_every_shipped_target_has_its_rules_in_order():
    rules = load_rules(entry_points=False)
    for name in rules.targets:
        assert all(rule.targets for rule in rules.target(name).rules)


@pytest.mark.parametrize("name", sorted(load_rules(entry_points=False).targets))
def test_a_target_has_the_same_rules_whether_its_own_tables_are_read_or_all(name):
    everything, alone = load_rules(entry_points=False), load_rules(entry_points=False)
    assert everything.rules
    whole = toolglot.tables.ruleset._rows(everything._shelf.tables(), whole=True).arranged(name)
    assert alone.target(name).rules == whole.rules
    assert alone.target(name).target == whole.target


def test_one_target_reads_few_tables():
    rules = load_rules(entry_points=False)
    rules.target("llama.cpp")
    assert len(rules._shelf._read) < len(rules.files) / 2


@pytest.mark.parametrize("place", PLACES)
def test_a_place_has_the_same_rules_whether_some_tables_are_read_or_all(place):
    everything, alone = load_rules(entry_points=False), load_rules(entry_points=False)
    wanted = {rule.id for rule in everything.rules.values() if rule.at == place and not rule.targets}
    assert {rule.id for rule in alone.at(place)} == wanted


def test_a_target_has_all_that_other_tables_say_of_it():
    texts = {
        "a.toml": target("one") + rule("first", more='after = "second"'),
        "b.toml": target("two") + rule("second", more='for = ["two"]'),
        "c.toml": rule("third", "has pattern", '{ drop = "pattern" }', more='for = ["one"]'),
        "d.toml": 'retire = ["fourth"]\n',
        "e.toml": rule("fourth", "has format", '{ drop = "format" }', more='for = ["one"]'),
        "f.toml": target("three", 'like = "one"'),
    }
    for name, wanted in {"one": ["first", "third"], "two": ["second"], "three": ["first", "third"]}.items():
        for whole in (False, True):
            assert [each.id for each in Ruleset(Shelf(texts), whole=whole).target(name).rules] == wanted
