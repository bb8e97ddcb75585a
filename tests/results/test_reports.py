"""What people reported of tool results in other programs, as cases of our own."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from tests.shared_data import shared

from toolglot.results.lanes import render
from toolglot.results.message import Message, read
from toolglot.results.registry import Registry, Source
from toolglot.results.table import references

# Each case: the blocks; what the model's text must hold, in this order; what it must not hold.
CASES: dict[str, tuple[list[Any], list[str], list[str]]] = {
    "a link alone is no empty result": (
        [{"type": "resource_link", "uri": "demo://ledger/7", "name": "ledger-7", "mimeType": "text/csv", "size": 2048}],
        ["ledger-7", "text/csv", "~2.0 KB claimed"],
        ["demo://", references().wording["empty"]],
    ),
    "a block that cannot be shown leaves its neighbours": (
        [
            {"type": "text", "text": "page body"},
            {"type": "hologram", "name": "asset", "mimeType": "model/x"},
            {"type": "resource_link", "uri": "demo://asset/1", "name": "asset"},
            {"type": "text", "text": "footer"},
        ],
        ["page body", "hologram", "asset", "model/x", "asset", "footer"],
        [],
    ),
    "text sent as a blob is text": (
        [{"type": "resource", "resource": {"uri": "demo://note", "mimeType": "text/plain", "blob": "aGVsbG8="}}],
        ["hello"],
        ["aGVsbG8="],
    ),
    "a blob's charset is heeded": (
        [
            {
                "type": "resource",
                "resource": {
                    "uri": "demo://note",
                    "mimeType": "text/plain; charset=ISO-8859-1",
                    "blob": base64.b64encode("caf\u00e9".encode("latin-1")).decode(),
                },
            }
        ],
        ["caf\u00e9"],
        [],
    ),
    "json by its suffix is text": (
        [
            {
                "type": "resource",
                "resource": {"uri": "demo://n", "mimeType": "application/problem+json", "blob": "eyJhIjoxfQ=="},
            }
        ],
        ['{"a":1}'],
        [],
    ),
    "a text blob that cannot be decoded says so": (
        [
            {
                "type": "resource",
                "resource": {"uri": "demo://note", "name": "n", "mimeType": "text/plain", "blob": "/////w=="},
            }
        ],
        ["text/plain", "4 B", "decoded", "ref_"],
        ["/////w=="],
    ),
    "a text blob of an unknown charset says so": (
        [
            {
                "type": "resource",
                "resource": {"uri": "demo://note", "mimeType": "text/plain;charset=zip", "blob": "aGVsbG8="},
            }
        ],
        ["decoded"],
        ["hello"],
    ),
    "a binary blob becomes a reference": (
        [
            {
                "type": "resource",
                "resource": {"uri": "demo://x", "name": "x", "mimeType": "application/zip", "blob": "UEsDBA=="},
            }
        ],
        ["ref_", '"x"', "application/zip"],
        ["UEsDBA=="],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_reported_results_read_right(name: str) -> None:
    blocks, present, absent = CASES[name]
    text = render(Message({"content": blocks}, Source("s")), Registry(), lane="model")
    at = 0
    for part in present:
        assert part in text[at:]
        at = text.index(part, at)
    assert not [part for part in absent if part in text]


@pytest.mark.parametrize("lane", ["model", "history", "wake", "script", "content"])
def test_every_reported_result_leaves_something_to_read_on_every_lane(lane: str) -> None:
    reports = json.loads(shared("cases", "reports-open.json").read_text("utf-8"))
    results = [report["result"] for report in reports if report["theme"] == "tool-result"]
    assert results
    for result in results:
        registry = Registry(log=[].append)
        shown = render(Message(result, Source("s")), registry, lane=lane, parts="openai-responses")
        assert shown or (lane == "script" and not result["content"])
        told = json.dumps(shown)
        for block in result["content"]:
            assert block.get("text", "") in told
            assert block.get("name", "") in told
        uris = [block["uri"] for block in result["content"] if "uri" in block]
        records = [item.record.uri for item in read(Message(result, Source("s")), registry).items if item.record]
        assert set(uris) <= set(records)
