"""A bad row of the table of envelopes is refused with its field."""

from __future__ import annotations

import pytest

from toolglot.errors import RuleError
from toolglot.tables.envelopes import load_envelopes

GOOD = """
[envelope.mine]
title = "Mine"
tool = { name = "<name>", description = "<description>", spec = "<schema>" }
why = "It is so."
source = ["x"]
seen = 2026-11-30
"""


def test_a_good_row_loads() -> None:
    row = load_envelopes(GOOD, "mine.toml")["mine"]
    assert (row.id, row.strict, row.absent) == ("mine", None, None)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('title = "Mine"', "", "envelope.mine.title"),
        ('title = "Mine"', "title = 3", "envelope.mine.title"),
        ('spec = "<schema>"', "spec = 1", "envelope.mine.tool"),
        ('{ name = "<name>", description = "<description>", spec = "<schema>" }', '"<name>"', "envelope.mine.tool"),
        ('why = "It is so."', "", "envelope.mine.why"),
        ("seen = 2026-11-30", "seem = 2026-11-30", "envelope.mine.seem"),
        ("seen = 2026-11-30", 'seen = 2026-11-30\nlike = "no-row"', "envelope.mine.like"),
        ("[envelope.mine]", "[envelope.mine", ""),
    ],
)
def test_a_bad_row_is_refused_with_its_field(old: str, new: str, field: str) -> None:
    with pytest.raises(RuleError) as refused:
        load_envelopes(GOOD.replace(old, new), "mine.toml")
    assert (refused.value.file, refused.value.field) == ("mine.toml", field)
