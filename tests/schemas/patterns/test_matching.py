"""The matcher: the official suite, real patterns, every way a pattern can be run, and a bound on each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from tests.schemas.patterns.naive import TEXTS, finds, patterns
from tests.shared_data import corpus, shared

from toolglot.errors import CallError
from toolglot.schemas.patterns import PatternTooCostly, matcher, read
from toolglot.schemas.patterns.bounded import STEPS, bounded_matcher, steps_taken
from toolglot.schemas.patterns.matching import CACHED_MEMORY, _cache, tree_matcher

SUITE = ["pattern.json", "patternProperties.json", "optional/ecmascript-regex.json", "optional/non-bmp-regex.json"]


def test_the_official_suite_agrees_on_every_pattern() -> None:
    count = 0
    for folder in sorted(shared("data", "json-schema-test-suite", "tests").iterdir()):
        for file in (folder / name for name in SUITE if (folder / name).exists()):
            for case in json.loads(file.read_text(encoding="utf-8")):
                for test in case["tests"]:
                    verdict = _verdict(case["schema"], test["data"])
                    if verdict is not None:
                        count += 1
                        assert verdict is test["valid"], (file, case["schema"], test)
    assert count > 400


def _verdict(schema: dict[str, Any], value: Any) -> bool | None:
    """The answer where patterns alone decide it."""
    if "pattern" in schema:
        return not isinstance(value, str) or matcher(schema["pattern"])(value)
    if schema.get("additionalProperties") is False and isinstance(value, dict):
        return all(any(matcher(pattern)(key) for pattern in schema["patternProperties"]) for key in value)
    return None


def test_real_patterns_give_the_same_verdict_as_pythons_on_real_texts() -> None:
    pairs = 0
    for record in corpus():
        found = set(_patterns(record["schema"]))
        texts = set(_texts([test["data"] for test in record["tests"]])) if found else set()
        for pattern in found:
            ours, theirs = matcher(pattern), re.compile(pattern)
            pairs += len(texts)
            assert [text for text in texts if ours(text) is not bool(theirs.search(text))] == []
    assert pairs > 30_000


def _patterns(schema: Any) -> Iterator[str]:
    pending = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            if isinstance(node.get("pattern"), str):
                yield node["pattern"]
            if isinstance(node.get("patternProperties"), dict):
                yield from node["patternProperties"]
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)


def _texts(value: Any) -> Iterator[str]:
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            yield from node
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)


def _agrees(pattern: str, text: str) -> None:
    tree = read(pattern)
    expected = finds(tree, text)
    assert tree_matcher(pattern, tree)[0](text) is expected
    assert bounded_matcher(pattern, tree)(text) is expected


@settings(max_examples=100, deadline=None)
@given(patterns(looks=True), TEXTS)
def test_every_way_to_run_a_pattern_agrees_with_the_naive_one(pattern: str, text: str) -> None:
    _agrees(pattern, text)


@pytest.mark.heavy
@settings(max_examples=5000, deadline=None)
@given(patterns(looks=True), TEXTS)
def test_every_way_to_run_a_pattern_agrees_with_the_naive_one_on_many(pattern: str, text: str) -> None:
    _agrees(pattern, text)


@settings(max_examples=100, deadline=None)
@given(patterns(), TEXTS)
def test_the_automaton_agrees_with_pythons_engine_where_the_languages_do(pattern: str, text: str) -> None:
    plain = text.replace("\u2028", "")
    python = re.compile(pattern.replace("$", r"\Z"), re.ASCII)
    assert matcher(pattern)(plain) is bool(python.search(plain))


def test_a_lone_surrogate_is_a_character_of_its_own() -> None:
    lone = "a\ud800"
    assert matcher("^a.$")(lone)
    assert matcher("^a[^b]$")(lone)
    assert matcher(r"^a\ud800$")(lone)
    assert matcher(r"^a[\ud800-\udbff]$")(lone)
    assert not matcher("^a[^\ud800]$")(lone)
    assert not matcher("^a\U0010ffff$")(lone)
    assert not matcher(r"^\w+$")(lone)
    assert matcher("^(?=a).$|^a.$")(lone)
    assert matcher("^😀$")("\ud83d\ude00")  # a pair that was never joined


def test_what_no_automaton_does_is_still_answered() -> None:
    assert matcher(r"^(?!.*://)(?=.{1,255}$)((.{1,63}\.){1,127}(?![0-9]*$)[a-z0-9-]+\.?)$")("example.com")
    assert not matcher(r"^(?!.*://)(?=.{1,255}$)((.{1,63}\.){1,127}(?![0-9]*$)[a-z0-9-]+\.?)$")("example.123")
    assert matcher(r"^(['\"])[^'\"]*\1$")("'a'")
    assert not matcher(r"^(['\"])[^'\"]*\1$")("'a\"")
    assert matcher("^a{5000}$")("a" * 5000)
    assert not matcher("^a{5000}$")("a" * 5001)
    assert matcher("^(a{100}){100}$")("a" * 10_000)
    assert not matcher("^(a{100}){100}$")("a" * 10_001)
    assert matcher("^.*(?<!b)$")("abc")
    assert not matcher("^.*(?<!c)$")("abc")


CATASTROPHIC = [
    r"(a+)+$",
    r"(a|a)*$",
    r"(a|aa)+$",
    r"(.*a){20}$",
    r"(x+x+)+y",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(a*)*b",
    r"(a?){30}a{30}",
    r"^(\w+\s?)*$",
    r"([a-zA-Z]+)*$",
    r"(?:a?){1000}a{1000}",
    r"(a+)+(?!b)$",
    r"^(?!(a+)+$).*",
    r"(?=(a+))a*b\1",
    r"(\w*)\1\1$",
    r"(a*)*\1b",
    r"(?<=(a+)+)b",
    r"(?:(?=a)a|a)*b",
    r"(?:a(?=.*b))*c",
    r"((a{0,1000}){0,1000}){0,1000}b",
    r"(a{0,100000}b?)*c",
    r"a.{0,1000}a.{0,1000}a.{0,1000}c",
    r".{0,1000}" * 20 + "c",
    r"(?>a+)+b",
    r"x*" * 500 + "y",
    "(?=" * 40 + "a" + ")" * 40 + "b",
    r"(?:(?:(?:a{1,30}){1,30}){1,30}){1,30}(?=c)",
    r"\p{L}{0,900}!",
]
LONG = ["a" * 65_536, "a" * 65_535 + "!", "ab" * 32_768, "é😀 1" * 16_384, "1" * 65_536, "a" * 65_535 + "\ud800"]


@pytest.mark.heavy
@pytest.mark.parametrize("pattern", CATASTROPHIC)
def test_no_pattern_and_no_text_takes_more_steps_than_the_bound(pattern: str) -> None:
    tree = read(pattern)
    for text in LONG:
        with suppress(PatternTooCostly):
            assert matcher(pattern)(text) in (True, False)
        with suppress(PatternTooCostly):
            assert steps_taken(tree, text) <= STEPS


def test_a_refusal_for_cost_names_the_pattern_and_the_length() -> None:
    text = "".join(map(str, range(15_000))) + "!"
    with pytest.raises(PatternTooCostly) as caught:
        matcher(r"(\d{3,})\1\1!$")(text)
    assert caught.value.pattern == r"(\d{3,})\1\1!$"
    assert caught.value.length == len(text)
    assert isinstance(caught.value, CallError)


def test_without_back_references_the_work_grows_with_the_text_alone() -> None:
    tree = read(r"(?:(?=a)a|a)*b")
    small, large = steps_taken(tree, "a" * 500), steps_taken(tree, "a" * 5000)
    assert large < small * 11


def test_one_matcher_serves_many_threads() -> None:
    texts = ["a" * size for size in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(matcher("^(?=a*$)(aa)*$"), texts))
    assert found == [size % 2 == 0 for size in range(200)]


def test_the_cache_holds_equal_patterns_once_and_drops_old_ones() -> None:
    assert matcher("^same$") is matcher("^same$")
    for number in range(1200):
        matcher(f"^one-of-many-{number}$")
    assert _cache._memory <= CACHED_MEMORY
    assert len(_cache._kept) <= CACHED_MEMORY >> 20
