"""The formats: the official suite with its expected outcomes, and what the suite does not ask."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from tests.shared_data import shared

from toolglot.calls.formats import format_test

DIALECTS = {
    "draft3": "draft-03",
    "draft4": "draft-04",
    "draft6": "draft-06",
    "draft7": "draft-07",
    "draft2019-09": "2019-09",
    "draft2020-12": "2020-12",
}
RATCHET = Path(__file__).with_name("formats_ratchet.toml")


def test_the_official_suite_fails_exactly_where_the_ratchet_says() -> None:
    expected = tomllib.loads(RATCHET.read_text(encoding="utf-8"))["failure"]
    assert all(row["reason"] for row in expected)
    failures, count = [], 0
    for folder, dialect in DIALECTS.items():
        for file in sorted(
            shared("data", "json-schema-test-suite", "tests", folder, "optional", "format").glob("*.json")
        ):
            for case in json.loads(file.read_text(encoding="utf-8")):
                fits = format_test(case["schema"]["format"], dialect)
                for test in case["tests"]:
                    count += 1
                    if (fits is None or fits(test["data"])) is not test["valid"]:
                        failures.append((dialect, case["schema"]["format"], test["description"]))
    assert failures == [(row["dialect"], row["format"], row["test"]) for row in expected]
    assert count > 2800
    assert len(failures) <= 0.02 * count


def test_a_format_is_known_from_the_dialect_that_brought_it() -> None:
    assert format_test("uuid", "draft-07") is None
    assert format_test("uuid", "2019-09") is not None
    assert format_test("host-name", "draft-03") is not None
    assert format_test("host-name", "draft-04") is None
    assert format_test("date", "draft-04") is None
    assert format_test("date", "openapi-3.0") is not None
    assert format_test("uuid", "openapi-3.1") is format_test("uuid", "2020-12")
    assert format_test("nonsense") is None
    assert format_test("uuid", "a dialect of somebody's own") is not None


def test_the_time_of_draft_03_has_no_zone() -> None:
    old, new = format_test("time", "draft-03"), format_test("time", "draft-07")
    assert old is not None
    assert new is not None
    assert [old("08:30:06"), new("08:30:06"), old("08:30:06Z"), new("08:30:06Z")] == [True, False, False, True]


def test_a_value_that_is_no_text_fits_every_format() -> None:
    for name in ["date", "regex", "idn-hostname", "email"]:
        fits = format_test(name)
        assert fits is not None
        assert all(fits(value) for value in [None, 1, 1.5, True, [], {}])


CASES = [
    ("email", "a" * 64 + "@example.com", True),
    ("email", "a" * 65 + "@example.com", False),
    ("idn-email", "é" * 33 + "@example.com", False),
    ("idn-email", "\ud800@example.com", False),
    ("idn-hostname", "\ud800.com", False),
    ("idn-hostname", "Example.COM", True),
    ("hostname", "a" * 63 + "." + "b" * 63 + "." + "c" * 63 + "." + "d" * 61, True),
    ("hostname", "a" * 63 + "." + "b" * 63 + "." + "c" * 63 + "." + "d" * 62, False),
    ("relative-json-pointer", "0+1/a", True),
    ("relative-json-pointer", "0+0/a", False),
    ("date", "0000-02-29", True),
    ("date", "1900-02-29", False),
    ("ipv6", "1:2:3:4:5:6:7::", True),
    ("ipv6", "::1:2:3:4:5:6:7:8", False),
    ("uri", "http://[v1.x:y]/", True),
    ("uri", "a:", True),
    ("uri-reference", "a%2", False),
    ("iri", "http://例え.テスト/\ue000", False),
    ("iri", "http://例え.テスト/?\ue000", True),
    ("uri-template", "{=a}", True),
    ("regex", "(?<a>b)\\k<a>", True),
    ("regex", "(?<=a)*", False),
]


@pytest.mark.parametrize(("name", "text", "fits"), CASES)
def test_what_the_suite_does_not_ask(name: str, text: str, fits: bool) -> None:
    test = format_test(name)
    assert test is not None
    assert test(text) is fits


def test_a_long_text_is_no_trouble() -> None:
    for name in [
        "uri",
        "iri",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "uri-template",
        "date-time",
        "json-pointer",
    ]:
        test = format_test(name)
        assert test is not None
        for text in ["a" * 65_536, "a." * 32_768, "a:" + "/%41" * 16_000, "@" * 65_536]:
            assert test(text) in (True, False)
