from __future__ import annotations

import copy
from typing import Any

import pytest

from toolglot.results.blocks import classify
from toolglot.results.registry import Registry

URI = "https://files.example/a"
DIGEST = "sha256:" + "A" * 43


def resource(**fields: Any) -> dict[str, Any]:
    return {"type": "resource", "uri": URI, **fields}


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ({"type": "text", "text": "a"}, "text"),
        ({"type": "image", "data": "AA==", "mimeType": "image/png"}, "inline"),
        ({"type": "audio", "data": "AA==", "mimeType": "audio/wav"}, "inline"),
        ({"type": "image", "uri": URI}, "reference"),
        ({"type": "audio", "uri": URI}, "reference"),
        (resource(), "reference"),
        ({"type": "resource_link", "uri": URI, "name": "a"}, "reference"),
        ({"type": "resource", "resource": {"uri": URI, "text": "a"}}, "embedded"),
        ({"type": "resource", "resource": {"uri": URI, "blob": "AA=="}}, "embedded"),
        ({"type": "hologram", "uri": URI}, "unknown"),
        ({"uri": URI}, "unknown"),
        ({"type": 7}, "unknown"),
        ("text", "unknown"),
        (None, "unknown"),
        ([], "unknown"),
        ({"type": "text"}, "invalid"),
        ({"type": "text", "text": 7}, "invalid"),
        ({"type": "image"}, "invalid"),
        ({"type": "image", "data": 7}, "invalid"),
        ({"type": "resource"}, "invalid"),
        ({"type": "resource", "resource": {"text": "a"}}, "invalid"),
        ({"type": "resource_link", "name": "a"}, "invalid"),
    ],
)
def test_each_block_has_one_kind(block: Any, kind: str) -> None:
    assert classify(block).kind == kind


@pytest.mark.parametrize(
    ("key", "bad", "field"),
    [
        ("name", "n" * 256, "name"),
        ("name", 7, "name"),
        ("mimeType", "t" * 256, "type"),
        ("sizeBytes", -1, "size"),
        ("sizeBytes", 3.5, "size"),
        ("sizeBytes", 2**53, "size"),
        ("sizeBytes", True, "size"),
        ("sizeBytes", "12", "size"),
        ("digest", "sha256:short", "digest"),
        ("digest", DIGEST + "\n", "digest"),
        ("digest", "x" + DIGEST, "digest"),
        ("expiresAt", "2" * 65, "expires"),
        ("expiresAt", 7, "expires"),
    ],
)
def test_a_bad_optional_field_is_absent_and_block_and_disposition_stay(key: str, bad: Any, field: str) -> None:
    block = classify(resource(disposition="never", **{key: bad}))
    assert (block.kind, block.disposition, block.uri) == ("reference", "never", URI)
    assert getattr(block.claims, field) is None
    assert block.missing == (field,)


@pytest.mark.parametrize(
    ("key", "good", "field", "kept"),
    [
        ("name", "n" * 255, "name", "n" * 255),
        ("name", "😀" * 127, "name", "😀" * 127),
        ("mimeType", "t" * 255, "type", "t" * 255),
        ("sizeBytes", 0, "size", 0),
        ("sizeBytes", 2**53 - 1, "size", 2**53 - 1),
        ("sizeBytes", 12.0, "size", 12),
        ("digest", DIGEST, "digest", DIGEST),
        ("expiresAt", "2" * 64, "expires", "2" * 64),
    ],
)
def test_a_good_optional_field_is_kept(key: str, good: Any, field: str, kept: Any) -> None:
    block = classify(resource(**{key: good}))
    assert getattr(block.claims, field) == kept
    assert block.missing == ()


@pytest.mark.parametrize("bad", ["", None, 7, ["https://a"], "a" * 4097, "😀" * 2049])
@pytest.mark.parametrize("kind", ["resource", "image", "audio", "resource_link"])
def test_a_bad_uri_rejects_the_block_whole_and_its_never_governs_nothing(kind: str, bad: Any) -> None:
    block = classify({"type": kind, "uri": bad, "disposition": "never"})
    assert block.kind == "invalid"
    assert not block.is_never


@pytest.mark.parametrize("uri", ["a" * 4096, "😀" * 2048])
def test_a_uri_is_measured_in_utf_16_units(uri: str) -> None:
    assert classify({"type": "image", "uri": uri}).kind == "reference"


@pytest.mark.parametrize(
    "extra", [{"disposition": "never"}, {"disposition": "ref"}, {"disposition": 7}, {"uri": URI}, {"uri": 7}]
)
@pytest.mark.parametrize("kind", ["image", "audio"])
def test_inline_data_beside_a_disposition_or_a_uri_contradicts_itself(kind: str, extra: dict[str, Any]) -> None:
    block = classify({"type": kind, "data": "AA==", "mimeType": "image/png", **extra})
    assert block.kind == "contradiction"


def test_a_null_says_nothing() -> None:
    block = classify({"type": "image", "data": "AA==", "mimeType": "image/png", "disposition": None, "uri": None})
    assert block.kind == "inline"


@pytest.mark.parametrize("level", ["outer", "inner"])
def test_an_embedded_resource_is_never_wherever_it_says_so(level: str) -> None:
    inner: dict[str, Any] = {"uri": URI, "text": "a"}
    block: dict[str, Any] = {"type": "resource", "resource": inner}
    (block if level == "outer" else inner)["disposition"] = "never"
    assert classify(block).is_never
    other = "inner" if level == "outer" else "outer"
    (block if other == "outer" else inner)["disposition"] = "ref"
    assert classify(block).is_never


@pytest.mark.parametrize("word", ["NEVER", "Never", " never", "no", "", 0, True])
def test_another_disposition_is_none(word: Any) -> None:
    assert classify(resource(disposition=word)).disposition is None


def test_a_never_among_annotations_is_none() -> None:
    assert not classify(resource(annotations={"disposition": "never"})).is_never


def test_classifying_is_pure() -> None:
    block, registry = resource(disposition="never", extra={"a": [1]}), Registry()
    before = copy.deepcopy(block)
    classify(block)
    assert block == before
    assert len(registry) == 0


def test_no_secret_is_in_the_repr_of_a_block() -> None:
    shown = repr(classify({"type": "resource", "resource": {"uri": URI, "text": "payload"}, "disposition": "never"}))
    assert URI not in shown
    assert "payload" not in shown
