"""The form of a pattern for texts that take no escape: of the same meaning, in simple signs, or none."""

import re

import pytest

from toolglot.schemas.patterns import matcher, unescaped_form

TEXTS = [
    "",
    "a",
    "ab",
    "on",
    "off",
    "onoff",
    "x-1",
    "2024-01-31",
    "a b",
    "é",
    "10.0.0.1",
    "/a/1",
    "[",
    "^",
    "\x7f",
    "zip",
]


@pytest.mark.parametrize(
    "pattern",
    ["^on$|^off$", r"^\d{4}-\d\d-\d\d$", r"^(\d{1,3}\.){3}\d{1,3}$", "^[a-z ]*$", r"^\/\w+\/\d$", "^é?$", r"^[\[\]^-]$",
     r'^[^"\\\x00-\x1f]$', r"^[\x7f]$", "^(?:a|b)+?$", "^$"],
)  # fmt: skip
def test_a_form_means_the_same(pattern):
    form = unescaped_form(pattern)
    assert form is not None
    assert [re.fullmatch(form, text) is not None for text in TEXTS] == [matcher(pattern)(text) for text in TEXTS]


@pytest.mark.parametrize(
    "pattern", ["a", "^https://", r"^\s+$", '^"$', r"^\\$", "^.$", r"^\p{L}$", "^(?!a)b$", "^(a{99}b){99}$"]
)
def test_what_would_need_an_escape_or_is_too_large_has_none(pattern):
    assert unescaped_form(pattern) is None
