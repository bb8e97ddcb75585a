from __future__ import annotations

from importlib import resources

import pytest

from toolglot.errors import RuleError
from toolglot.results.labels import cut, label, size_words, units
from toolglot.results.media import decoded, observed_type, sniffed
from toolglot.results.table import FILE, read_references, references

TEXT = resources.files("toolglot.rules").joinpath(FILE).read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("[limit.records]\nis  = 2000", "[limit.records]\nis  = 0", "limit.records.is"),
        ("[limit.records]\nis  = 2000", "[limit.records]\nis  = true", "limit.records.is"),
        ("[limit.records]", "[limit.recordz]", "limit.recordz"),
        ('[field.digest]\nkeys   = ["digest"]', "[field.digest]\nkeys   = []", "field.digest.keys"),
        ('schema = \'{"enum": ["never", "ref"]}', 'schema = \'{"enum": [', "field.disposition.schema"),
        ('reads = "link"', 'reads = "lynk"', "block.resource_link.reads"),
        ('"0000-001F"', '"001F-0000"', "cleaning.controls.ranges"),
        ('"0000-001F"', '"x"', "cleaning.controls.ranges"),
        ('type  = "audio/wav"', 'type  = "AUDIO"', "sniff.0.type"),
        ('{ 0 = "RIFF", 8 = "WAVE" }', '{ x = "RIFF" }', "sniff.0.bytes"),
        ('"audio/wav"        = "wav"', '"audio/wav"        = "../wav"', "extensions.audio/wav"),
        ('"text": "<text>"}\'\nimage  = \'{"type": "image_url"', '"text": "x"}\'\nimage  = \'{"type": "image_url"', "parts.openai-chat.text"),  # noqa: E501 - one row
        ('claimed        = "{size} claimed"', 'claimed        = "{uri} claimed"', "wording.claimed"),
        ('claimed        = "{size} claimed"', 'claimed        = "{size claimed"', "wording.claimed"),
        ('claimed        = "{size} claimed"', 'claymed        = "{size} claimed"', "wording.claymed"),
        ("[refusals]\nmarked ", "[refusals]\nmarkt ", "refusals.markt"),
        ("seen = 2026-11-30", 'seen = "2026-11-30"', "seen"),
    ],
)  # fmt: skip
def test_a_bad_row_is_refused_with_its_field(old: str, new: str, field: str) -> None:
    assert TEXT.count(old) == 1
    with pytest.raises(RuleError) as error:
        read_references(TEXT.replace(old, new), "mine.toml")
    assert (error.value.file, error.value.field) == ("mine.toml", field)


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(RuleError):
        read_references("[", "mine.toml")


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"RIFF0000WAVE", "audio/wav"),
        (b"RIFF0000WEBP", "image/webp"),
        (b"RIFF0000XXXX", None),
        (b"RIFF", None),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"GIF88a", None),
        (b"0000ftypM4A ", "audio/mp4"),
        (b"0000ftypisom", "video/mp4"),
        (b"%PDF-1.7", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
        (b"PKmn", None),
        (b"", None),
    ],
)
def test_a_type_is_told_by_its_first_bytes(content: bytes, media_type: str | None) -> None:
    assert sniffed(content) == media_type


def test_the_header_speaks_where_the_bytes_are_silent() -> None:
    assert observed_type(b"%PDF-", "text/plain") == "application/pdf"
    assert observed_type(b"abc", "Text/CSV; charset=x") == "text/csv"
    assert observed_type(b"abc", "text/" + "x" * 200) == observed_type(b"abc", None) == "application/octet-stream"


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 B"), (1023, "1023 B"), (1024, "~1.0 KB"), (1 << 20, "~1.0 MB"), (5 << 30, "~5.0 GB")]
)
def test_sizes_in_words(count: int, words: str) -> None:
    assert size_words(count) == words
    assert len(size_words(2**53 - 1)) < 16


def test_labels_are_cut_between_characters() -> None:
    assert label("a" * 120) == "a" * 120
    assert label("a" * 121) == "a" * 119 + "…"
    assert label("\x00" * 10**6 + "a") == "…"
    assert cut("ae\u0301", 3) == "ae\u0301"
    assert cut("ae\u0301b", 3) == "a…"
    assert units("a😀") == 3


@pytest.mark.parametrize(
    ("data", "content"),
    [
        ("aGVsbG8=", b"hello"),
        ("aGVsbG8", b"hello"),
        ("aGVs\nbG8=", b"hello"),
        ("_-8=", b"\xff\xef"),
        ("a!", None),
        ("é", None),
    ],
)
def test_base64_is_read_in_its_usual_spellings(data: str, content: bytes | None) -> None:
    assert decoded(data) == content


def test_the_table_is_frozen() -> None:
    with pytest.raises(TypeError):
        references().limits["label"] = 1
