"""JSON values: copies that share nothing, and text, at any depth."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolglot.json_values import Copies, Snapshot, equal, fresh, identity, json_text, kind

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


class Named(dict[str, Any]):
    """A dict of a caller's own."""


def deep(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = {"a": value, "b": "é"} if level % 2 else [value, None]
    return value


@given(VALUES)
def test_a_copy_is_equal_and_its_text_reads_back(value: Any) -> None:
    assert fresh(value) == value
    assert Snapshot(value).fresh() == value
    assert json.loads(json_text(value)) == value


@pytest.mark.parametrize("make", [fresh, lambda value: Snapshot(value).fresh()])
@pytest.mark.parametrize("source", [{"a": [{"b": 1}]}, Named(a=[Named(b=1)])])
def test_editing_a_copy_changes_nothing_else(make: Any, source: Any) -> None:
    copy = make(source)
    copy["a"][0]["b"] = 2
    copy["a"].append(3)
    assert source == {"a": [{"b": 1}]}


def test_a_snapshot_does_not_see_later_edits_and_gives_each_its_own() -> None:
    source = {"a": [1]}
    held = Snapshot(source)
    source["a"].append(2)
    held.fresh()["a"].append(3)
    assert held.fresh() == {"a": [1]}


@given(VALUES)
def test_every_copy_says_the_same_as_the_value(value: Any) -> None:
    held = Copies(value)
    assert json_text(held.fresh()) == json_text(value)
    assert json_text(held.fresh()) == json_text(value)


def test_copies_keep_apart_what_python_calls_equal_and_share_nothing_with_each_other_or_within() -> None:
    alike = [{"a": 1}, {"a": True}, {"a": 1.0}, {"a": 0.0}, {"a": -0.0}, [1], [True], {}, []]
    value = [*alike, {"a": "x", "b": "y"}, {"b": "y", "a": "x"}, {"a": "x", "b": "y"}]
    held = Copies(value)
    assert json_text(held.fresh()) == json_text(value)
    first = held.fresh()
    first[-1]["a"] = "edited"
    assert first[-3] == {"a": "x", "b": "y"}
    assert json_text(held.fresh()) == json_text(value)


def test_what_is_one_object_in_a_value_is_one_in_each_copy() -> None:
    leaf, holder = {"a": "x"}, {"b": [1]}
    copy = Copies([leaf, leaf, holder, {"c": holder}]).fresh()
    assert copy[0] is copy[1]
    assert copy[2] is copy[3]["c"]
    assert copy[0] is not leaf
    assert copy[2]["b"] is not holder["b"]


@pytest.mark.parametrize("levels", [900, 20_000])
def test_depth_is_no_obstacle(levels: int) -> None:
    value = deep(levels)
    for copy in (fresh(value), Snapshot(value).fresh(), Copies(value).fresh()):
        assert json_text(copy).count("[") == levels // 2
    assert json_text(value).startswith('{"a":[{"a":')


def test_half_a_surrogate_pair_is_written_as_an_escape() -> None:
    assert json_text({"\ud800é": "\udfff"}) == '{"\\ud800é":"\\udfff"}'
    json_text("\ud800").encode()


def test_a_text_is_the_same_by_either_way() -> None:
    value = {"a": [1, 2.5, True, None, 'x"\\\n'], "é": {}, "b": [], "c": [[], {}]}
    wrapped: Any = value
    for _ in range(3000):
        wrapped = [wrapped]
    assert json_text(wrapped).strip("[]") == json_text(value).strip("[]")


def test_true_is_not_one_and_one_point_zero_is() -> None:
    assert not equal(True, 1)
    assert equal([1, {"a": 1.0}], [1.0, {"a": 1}])
    assert identity([1, {"a": 1.0}]) == identity([1.0, {"a": 1}])
    assert identity(True) != identity(1)
    assert [kind(value) for value in (True, 1, 1.0, 1.5, "", None, [], (), {})] == [
        "boolean",
        "integer",
        "integer",
        "number",
        "string",
        "null",
        "array",
        "array",
        "object",
    ]
