"""Masks: what spells a secret is found, and what is passed over for speed can spell none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolglot.results.masks import Mask, Memory, covered


@given(
    st.text(alphabet="abC \n\u00a0é", max_size=60),
    st.lists(st.text(alphabet="abcé", min_size=3, max_size=3), max_size=5),
    st.integers(0, 4),
)
def test_short_words_are_passed_over_only_where_no_piece_of_a_secret_fits_in(
    text: str, pieces: list[str], margin: int
) -> None:
    known = dict.fromkeys(pieces, margin)
    assert covered(text, known, 3, spaced=False) == covered(text, known, 3)


@given(st.text(alphabet="ab c", max_size=60), st.text(alphabet="ab c", max_size=30))
def test_a_mask_that_glimpses_nothing_finds_no_long_run(text: str, secret: str) -> None:
    mask = Mask((), (secret,), 4, 100)
    if not mask.glimpses(text):
        assert all(end - start < 2 * mask.size for start, end in mask.spans(text))


@pytest.mark.parametrize("secret", ["a word beside another one", "https://files.example/000000012"])
def test_a_secret_is_found_with_and_without_spaces_in_it(secret: str) -> None:
    text = f"so: {secret} ok"
    for spans in (Mask((), (secret,), 8, 100).spans(text), _remembering(secret).spans(text)):
        assert spans == [(4, 4 + len(secret))]


def _remembering(secret: str) -> Memory:
    memory = Memory(8, 8, 100, 1000)
    memory.keep("k", "x", (secret,), ())
    return memory
