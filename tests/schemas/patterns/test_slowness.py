"""Patterns that a backtracking engine may stall on."""

from __future__ import annotations

import pytest

from toolglot.schemas.patterns import slow

SLOW = [
    r"(a+)+$",
    r"(a|a)*$",
    r"^(\w+\s?)*$",
    r"(.*,)*$",
    r"^(a|[ab])*$",
    r"(x+x+)+y",
    r"^(([a-z])+.)+[A-Z]$",
    r"(a*){10}",
]
FINE = [r"^[a-z]+$", r"(a+b)+", r"(ab*)*", r"^(\d+,)*\d+$", r'"(?:[^"\\]|\\.)*"', r"^(.{10}){10}$", r"^(a|b)*$"]


@pytest.mark.parametrize("pattern", SLOW)
def test_a_loop_that_can_be_cut_in_many_ways_is_named(pattern: str) -> None:
    assert slow(pattern) is not None


@pytest.mark.parametrize("pattern", FINE)
def test_a_loop_with_one_way_to_cut_it_is_not(pattern: str) -> None:
    assert slow(pattern) is None
