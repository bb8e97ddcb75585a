"""What a pattern is read as: ECMA-262, the leniency on top of it, and what is refused."""

from __future__ import annotations

import pytest

from toolglot.errors import SchemaError
from toolglot.schemas.patterns import PatternError, is_ecma, matcher, read
from toolglot.schemas.patterns.nodes import Assertion, BackReference, CharSet, Group, Look, Repeat, Sequence, Text
from toolglot.schemas.patterns.properties import property_set
from toolglot.schemas.patterns.sets import any_case, complement, contains

MATCHES = [
    # ECMA-262, as it differs from Python's `re`
    (r"^\d$", "5", "\u0665"),
    (r"^\w$", "_", "é"),
    (r"^\s$", "\ufeff", "\x85"),
    (r"^\s$", "\u2003", "\x1c"),
    (r"a$", "a", "a\n"),
    (r"^.$", "\x85", "\r"),
    (r"^.$", "😀", "\u2028"),
    (r"^[^]$", "\n", ""),
    (r"^(?:[]|a)$", "a", "]"),
    (r"^a{,3}$", "a{,3}", "aa"),
    (r"^\cA\ca$", "\x01\x01", "cA"),
    (r"^\u{1F600}$", "😀", "u"),
    (r"^\ud83d\ude00$", "😀", "\ud83d"),
    (r"^[\u{1F600}-\u{1F64F}]$", "😃", "a"),
    (r"^(?<n>a|b)\k<n>$", "bb", "ab"),
    (r"^(?:(a)|b)\1$", "b", "a"),
    (r"^\p{Lu}\P{Lu}$", "Éé", "éÉ"),
    (r"^\p{Script=Greek}+$", "αβ", "ab"),
    (r"^[\p{L}\p{Nd}]+$", "é٣", "-"),
    (r"^\/\-\x41\0$", "/-A\x00", "-"),
    (r"^[\b]$", "\x08", "b"),
    (r"\B", "", "a"),
    (r"\B", "éé", "aéa"),
    (r"(?<=\$)\d+(?!\d|%)", "$5", "5%"),
    # Annex B
    (r"^[\w-.]+$", "a-.", "+"),
    (r"^]}{a$", "]}{a", "a"),
    (r"^\101\8$", "A8", "101"),
    (r"^(?=a)*b", "b", "c"),
    # Python and its kin
    (r"(?i)^straße$", "STRAßE", "strasse"),
    (r"^(?i)[^k]$", "l", "\u212a"),
    (r"(?s)^.$", "\n", ""),
    (r"(?m)^b$", "a\nb\nc", "ab"),
    (r"^(?i:A)b$", "ab", "aB"),
    (r"\Aa\Z", "a", "a\n"),
    (r"^(?P<n>a)(?P=n)$", "aa", "a"),
    (r"^(?#why)a$", "a", ""),
    (r"^(?>a*)b$", "aab", "a"),
    (r"^a?+ab$", "aab", "ab"),
]


@pytest.mark.parametrize(("pattern", "fits", "differs"), MATCHES)
def test_a_pattern_means_what_ecma_262_or_the_documented_leniency_says(pattern: str, fits: str, differs: str) -> None:
    assert matcher(pattern)(fits)
    assert not matcher(pattern)(differs)


REFUSED = [
    ("(a", 2),
    ("a)", 1),
    ("x[a", 1),
    ("a**", 2),
    ("+", 0),
    ("^*", 1),
    ("(?<=a)*", 6),
    ("ab\\", 2),
    ("x(?R)", 1),
    ("(?i)x(?R)", 5),
    ("x[z-a]", 2),
    ("xa{3,1}", 2),
    ("ab\\q", 2),
    ("a[\\q]", 2),
    ("a\\p{Nothing}", 1),
    ("a\\u{110000}", 1),
    (r"a\k<n>", 1),
    ("a\\c", 1),
    ("x\\q[", 1),  # the first of two flaws
    (r"(?i)\k<n>", 4),
    ("(?i)*", 4),
    ("^(?i)*", 5),
]


@pytest.mark.parametrize(("pattern", "position"), REFUSED)
def test_what_nobody_can_read_is_refused_with_its_position(pattern: str, position: int) -> None:
    with pytest.raises(PatternError) as caught:
        read(pattern)
    assert caught.value.position == position
    assert caught.value.pattern == pattern
    assert isinstance(caught.value, SchemaError)


def test_an_error_is_placed_in_a_schema_and_named_after_a_tool() -> None:
    with pytest.raises(PatternError) as caught:
        read("(")
    placed = caught.value.placed(("properties", "a", "pattern"), "pattern").of_tool("search")
    assert (placed.pointer, placed.tool, placed.position) == ("/properties/a/pattern", "search", 1)


def test_a_pattern_is_a_small_frozen_tree() -> None:
    assert read(r"^(?<n>ab|c)+?\d(?!x)\1") == Sequence(
        (
            Assertion("start"),
            Repeat(Group(read("ab|c"), 1, "n"), 1, None, greedy=False),
            CharSet(((0x30, 0x39),)),
            Look(Text("x"), behind=False, negative=True),
            BackReference((1,)),
        )
    )


def test_no_depth_or_length_overflows_the_stack() -> None:
    for pattern in ["(" * 5000 + ")" * 5000, "(?:a|" * 5000 + ")*" * 5000, "((a)*" * 300 + ")" * 300]:
        with pytest.raises(PatternError):
            read(pattern)
    with pytest.raises(PatternError):
        read("a" * 200_000)
    assert matcher("(" * 90 + "a" + ")*" * 90)("aaa")
    assert matcher("(?:" * 5000 + "a" + ")" * 5000)("a")  # such groups leave no trace in the tree


def test_only_what_ecma_has_counts_as_ecma() -> None:
    for pattern in [r"(?<n>a)\k<n>", "[]", "[^]", r"\cA", r"(?<=a+)b", r"a\-b", "a{,3}"]:
        assert is_ecma(pattern), pattern
    for pattern in [
        r"\a",
        r"a\Z",
        r"\Aa",
        "(?P<n>a)",
        "(?P<n>a)(?P=n)",
        "(?#a)",
        "(?i)a",
        "^(?i)a",
        "(?>a)",
        "a++",
        "(",
    ]:
        assert not is_ecma(pattern), pattern


def test_properties_come_by_their_short_and_long_names() -> None:
    assert property_set("L") == property_set("Letter") == property_set("gc=Letter")
    assert property_set("sc=Grek") == property_set("Script=Greek")
    assert property_set("Cn") == complement(property_set("Assigned"))
    assert contains(property_set("Uppercase"), ord("Ⓐ"))
    for unknown in ["letter", "Greek", "Script=Nd", "scx=Greek", "L=L", "", "gc=Greek", "Emoji"]:
        with pytest.raises(KeyError):
            property_set(unknown)


def test_the_other_cases_of_a_letter_are_those_of_simple_folding() -> None:
    assert any_case(((ord("k"), ord("k")),)) == ((0x4B, 0x4B), (0x6B, 0x6B), (0x212A, 0x212A))
    assert any_case(((0x30, 0x39),)) == ((0x30, 0x39),)
