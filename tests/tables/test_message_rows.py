"""A bad row of the table of messages is refused with its field; every shipped row is complete."""

from __future__ import annotations

import pytest

from toolglot.errors import RuleError
from toolglot.tables.envelopes import envelopes
from toolglot.tables.messages import load_messages, message_forms

GOOD = """
[message.mine]
title = "Mine"
at = [["calls", "*"]]
call = { name = "<name>", spec = "<arguments>" }
reply = { text = "<content>" }
why = "It is so."
source = ["x"]
seen = 2026-11-30
proof = "documented"

[[message.mine.example]]
name = "a call"
given = '{"calls": [{"name": "a", "spec": {}}]}'
calls = '[{"id": null, "name": "a", "arguments": {}}]'

[[message.mine.example]]
name = "no call"
given = '{"calls": []}'
calls = '[]'
"""


def test_a_good_row_loads() -> None:
    row = load_messages(GOOD, "mine.toml")["mine"]
    assert (row.id, row.at, row.every, row.failed) == ("mine", (("calls", "*"),), False, {"text": "<content>"})


def test_a_row_like_another_has_its_fields_and_examples_of_its_own() -> None:
    more = '\n[message.ours]\nlike = "mine"\nevery = true\n'
    with pytest.raises(RuleError) as refused:
        load_messages(GOOD + more, "mine.toml")
    assert refused.value.field == "message.ours.example"
    examples = GOOD[GOOD.index("[[message") :].replace("mine", "ours")
    row = load_messages(GOOD + more + examples, "mine.toml")["ours"]
    assert (row.title, row.every) == ("Mine", True)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('title = "Mine"', "", "message.mine.title"),
        ('at = [["calls", "*"]]', 'at = ["calls"]', "message.mine.at"),
        ('at = [["calls", "*"]]', "at = [[1]]", "message.mine.at"),
        ('at = [["calls", "*"]]', "at = []", "message.mine.at"),
        ('spec = "<arguments>"', "spec = 1", "message.mine.call"),
        ('{ name = "<name>", spec = "<arguments>" }', '"<name>"', "message.mine.call"),
        ('{ text = "<content>" }', '"<content>"', "message.mine.reply"),
        ('why = "It is so."', "", "message.mine.why"),
        ('why = "It is so."', 'why = "It is so."\nevery = 1', "message.mine.every"),
        ("seen = 2026-11-30", "seem = 2026-11-30", "message.mine.seem"),
        ("seen = 2026-11-30", 'seen = 2026-11-30\nlike = "no-row"', "message.mine.like"),
        ('proof = "documented"', 'proof = "hearsay"', "message.mine.proof"),
        ("calls = '[]'", "calls = '[1]'", "message.mine.example"),
        ("calls = '[]'", "calls = '['", "message.mine.example.calls"),
        ("given = '{\"calls\": []}'", "", "message.mine.example.given"),
        ("[message.mine]", "[message.mine", ""),
    ],
)
def test_a_bad_row_is_refused_with_its_field(old: str, new: str, field: str) -> None:
    assert old in GOOD
    with pytest.raises(RuleError) as refused:
        load_messages(GOOD.replace(old, new), "mine.toml")
    assert (refused.value.file, refused.value.field) == ("mine.toml", field)


def test_the_form_that_an_envelope_names_is_there() -> None:
    named = {row.id: row.calls for row in envelopes().values() if row.calls}
    assert set(named.values()) <= message_forms().keys()
    assert set(envelopes()) - set(named) == {"schema", "openai-response-format"}
