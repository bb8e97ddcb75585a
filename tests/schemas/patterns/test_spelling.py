"""Forms for engines that apply a pattern to the JSON text between the quotes."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from tests.oracle.llama import Llama
from tests.schemas.patterns.naive import TEXTS, patterns
from tests.schemas.patterns.test_matching import _patterns, _texts
from tests.shared_data import corpus

from toolglot.schemas.patterns import matcher
from toolglot.schemas.patterns.spelling import json_text_form

FORMS = {
    "^$": "^$",
    "^abc$": "^abc$",
    r"^\d{3}-\w+$": "^[0-9]{3}-[0-9A-Z_a-z]+$",
    '^"$': r"^\\\"$".replace('\\"', '"'),
    r"^\\$": r"^\\\\$",
    r"^\n$": r"^\\n$",
    "^\x01$": r"^\\u0001$",
    "^(a|b)$": "^[a-b]$",
    "^(a|)$": "^(?:a)?$",
    "^(a*)*$": "^(?:a+)*$",
    r"^\.+$": "^[.]+$",
    "^é+$": r"^[\u00E9]+$",
    "^a{2,5}$": "^a{2,5}$",
}


@pytest.mark.parametrize(("pattern", "form"), FORMS.items())
def test_a_form_is_anchored_and_plain(pattern: str, form: str) -> None:
    assert json_text_form(pattern) == form


NONE = [
    "^(?!a).*$",
    r"^(a)\1$",
    r"\bfoo\b",
    "a^b",
    "^(a$|b)c$",
    "^a{0,1999}$",
    "^a{5000}$",
    "[]",
    r"^\ud800$",
    "^(?>a)$",
    "(?m)^a$",
    "^" + "(a?b?c?" * 40 + ")*" * 40 + "$",
    "^" + r"\p{L}a" * 40 + "$",
]


@pytest.mark.parametrize("pattern", NONE)
def test_what_has_no_equal_form_or_too_large_a_one_has_none(pattern: str) -> None:
    assert json_text_form(pattern) is None


def test_the_bounds_can_be_set() -> None:
    assert json_text_form("^a{3000}$", count=3000) == "^a{3000}$"
    assert json_text_form("^abcdef$", length=5) is None


def spelled(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@settings(max_examples=100, deadline=None)
@given(patterns(), TEXTS)
def test_a_form_fits_exactly_the_spellings_of_the_strings_that_match(pattern: str, text: str) -> None:
    form = json_text_form(pattern)
    if form is not None:
        assert matcher(form)(spelled(text)[1:-1]) is matcher(pattern)(text)


def test_nearly_all_real_patterns_have_a_form_and_it_agrees_on_real_texts() -> None:
    forms: dict[str, str | None] = {}
    for record in corpus():
        texts: list[str] | None = None
        for pattern in set(_patterns(record["schema"])) - forms.keys():
            texts = list(_texts([test["data"] for test in record["tests"]]))[:100] if texts is None else texts
            form = forms[pattern] = json_text_form(pattern)
            if form is not None:
                ours, theirs = matcher(pattern), matcher(form)
                assert [text for text in texts if ours(text) is not theirs(spelled(text)[1:-1])] == []
    assert sum(form is not None for form in forms.values()) >= 0.98 * len(forms)


ODD = [
    "",
    "a",
    "ab",
    'a"b',
    "\\",
    '"',
    "\n",
    "\x00",
    "\x1f",
    "\x7f",
    "é",
    "😀😀",
    "\u2028",
    ",x,",
    "[",
    "^",
    "-",
    "]",
    "1",
]
TRAPS = [
    "",
    "^a|b$",
    r"(^|,)x($|,)",
    "^(a?b*){2,5}$",
    r"^(ab\.){2}-?$",
    r"^a\.?b\.*$",
    '^[\\^"-]+é|ü$',
    r"^x\x7f+\^$",
    "^a{0,1998}$",
    "^(?:a{0,1998}b)*$",
    "^(?:a{0,1500}b{0,1500})?$",
    "^(?:[a-z]{1,100}-){1,100}$",
    "^(?:(a?){50}b?c?d?)+$",
]


def _differences(llama: Llama, pattern: str, texts: list[str]) -> list[Any]:
    """Where the engine, given the form of a pattern, does not do what the pattern says."""
    form, wanted = json_text_form(pattern), matcher(pattern)
    if form is None:
        return []
    answer = llama.ask({"type": "string", "pattern": form}, texts=[spelled(text) for text in texts], samples=4).answer
    if not answer["ok"] or answer.get("warning"):
        return [(pattern, form, answer)]
    wrong = [(pattern, text) for text, fits in zip(texts, answer["texts"], strict=True) if fits is not wanted(text)]
    return wrong + [(pattern, text) for text in answer["samples"] if not wanted(json.loads(text))]


def test_the_real_engine_does_what_the_pattern_says(llama: Llama) -> None:
    assert [problem for pattern in TRAPS for problem in _differences(llama, pattern, ODD)] == []


@settings(max_examples=100, deadline=None)
@given(patterns())
def test_the_real_engine_takes_any_form(llama: Llama, pattern: str) -> None:
    assert _differences(llama, pattern, ODD) == []


@pytest.mark.heavy
@settings(max_examples=5000, deadline=None)
@given(patterns(), TEXTS)
def test_a_form_fits_exactly_the_spellings_on_many(pattern: str, text: str) -> None:
    form = json_text_form(pattern)
    if form is not None:
        assert matcher(form)(spelled(text)[1:-1]) is matcher(pattern)(text)


@pytest.mark.heavy
def test_the_real_engine_agrees_on_every_real_pattern(llama: Llama) -> None:
    choose = random.Random(3)
    found: set[str] = set()
    texts: set[str] = set()
    for record in corpus():
        found.update(_patterns(record["schema"]))
        texts.update(text for text in _texts([test["data"] for test in record["tests"]]) if len(text) < 80)
    every = sorted(texts)
    for pattern in sorted(found):
        some = choose.sample(every, 400)
        fitting = [text for text in some if matcher(pattern)(text)][:8]
        assert _differences(llama, pattern, ODD + some[:12] + fitting) == []
