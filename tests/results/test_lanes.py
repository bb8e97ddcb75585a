from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from toolglot.results.blocks import Claims
from toolglot.results.lanes import render
from toolglot.results.message import Message, read
from toolglot.results.registry import Registry, Source
from toolglot.results.stubs import Showing
from toolglot.results.table import references

URI = "https://files.example/secret/abc123?sig=xyz"
SERVER, OTHER, MODULE, SCRIPT = Source("s"), Source("o"), Source("m", "module"), Source("p", "script")
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(60))).decode()
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
NEVER = {
    "type": "resource",
    "uri": URI,
    "name": "a.wav",
    "mimeType": "audio/wav",
    "sizeBytes": 12,
    "disposition": "never",
}
PLAIN = {key: value for key, value in NEVER.items() if key != "disposition"}
LANES = ("model", "history", "wake", "script", *(f"content {row}" for row in references().parts))


@pytest.fixture
def registry() -> Registry:
    return Registry(log=[].append)


def shown(content: Any, registry: Registry, lane: str, source: Source = SERVER, **policy: Any) -> str:
    name, _, parts = lane.partition(" ")
    value = render(Message(content, source), registry, lane=name, parts=parts, showing=Showing(**policy))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def hides(text: str, *secrets: str) -> bool:
    return not any(secret[at : at + 8] in text for secret in secrets for at in range(len(secret) - 7))


every_lane = pytest.mark.parametrize("lane", LANES)


@every_lane
def test_a_stub_stands_for_a_reference_and_shows_no_uri_by_default(registry: Registry, lane: str) -> None:
    text = shown([PLAIN], registry, lane)
    record = registry.current(URI)
    assert hides(text, URI)
    assert all(part in text for part in (record.id, "a.wav", "audio/wav", "12 B claimed", "server s"))


@every_lane
def test_policy_may_show_a_plain_uri_and_none_that_is_never(registry: Registry, lane: str) -> None:
    text = shown([PLAIN], registry, lane, shows_uri=bool)
    assert (URI in text) or lane == "script"
    text = shown([NEVER], registry, lane, shows_uri=bool)
    assert hides(text, URI)
    assert registry.current(URI).id in text
    assert hides(shown([PLAIN], registry, lane, OTHER, shows_uri=bool), URI)


@every_lane
def test_a_never_anywhere_governs_every_block_in_any_order(registry: Registry, lane: str) -> None:
    other = {"type": "resource_link", "uri": "https://else.example/plain-one", "name": "plain"}
    text = {"type": "text", "text": f"look at {URI} now"}
    embedded = {"type": "resource", "resource": {"uri": "demo://note-one", "text": "embedded words"}}
    for turn in permutations([IMAGE, other, text, NEVER, embedded]):
        seen = shown(list(turn), registry, lane, shows_uri=bool)
        assert hides(seen, URI, PNG, "https://else.example/plain-one", "embedded words")
        assert "look at " in seen
        assert seen.count("[ref_") >= 3
    assert not registry.current("https://else.example/plain-one").is_marked


@every_lane
def test_without_a_never_every_block_is_shown(registry: Registry, lane: str) -> None:
    embedded = {"type": "resource", "resource": {"uri": "demo://note-one", "text": "embedded words"}}
    seen = shown([IMAGE, {"type": "text", "text": f"look at {URI} now"}, embedded], registry, lane)
    assert URI in seen
    assert "embedded words" in seen
    assert (PNG in seen) is (lane == "script" or lane.startswith("content"))


@pytest.mark.parametrize("lane", [lane for lane in LANES if lane.startswith("content")])
def test_an_image_is_a_part_of_the_surfaces_own_shape(registry: Registry, lane: str) -> None:
    row = references().parts[lane.partition(" ")[2]]
    first, image, last = render(
        Message([{"type": "text", "text": "<type> {a}"}, IMAGE, {"type": "text", "text": "b"}], SERVER),
        registry,
        lane="content",
        parts=row.id,
    )
    assert first == json.loads(json.dumps(row.text).replace("<text>", "<type> {a}"))
    assert image == json.loads(json.dumps(row.image).replace("<type>", "image/png").replace("<base64>", PNG))
    assert last == json.loads(json.dumps(row.text).replace("<text>", "b"))


@pytest.mark.parametrize(
    "data",
    [
        base64.b64encode(b"<svg onload=x>").decode(),
        base64.b64encode(b"not an image at all").decode(),
        "!!! no base64",
        base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(6_000_000)).decode(),
    ],
    ids=["svg", "text", "no base64", "too large"],
)
def test_what_is_no_image_of_a_fit_size_is_described_in_words(registry: Registry, data: str) -> None:
    parts = render(Message([{**IMAGE, "data": data}], SERVER), registry, lane="content", parts="anthropic")
    assert [part["type"] for part in parts] == ["text"]
    assert data[:20] not in parts[0]["text"]


NESTED = [
    json.dumps([NEVER]),
    json.dumps({"a": {"b": [NEVER]}}),
    json.dumps([NEVER]).replace("/", "\\/"),
    "Result:\n```json\n" + json.dumps([NEVER], indent=2) + "\n```\nthat was it",
    "prose with a { and a \" and it's fine: " + json.dumps(NEVER),
    json.dumps(json.dumps(json.dumps([NEVER]))),
    json.dumps({"log": "got " + json.dumps({"inner": json.dumps(NEVER)})}),
    str([NEVER]),
    json.dumps([NEVER])[:-2],
    json.dumps([NEVER]).replace("never", "\\u006eever").replace("disposition", "d\\u0069sposition"),
    json.dumps({**NEVER, "when": 1})[:-1] + ', "disposition": "ref"}',
    json.dumps(NEVER)[:-1] + ', "uri": "https://else.example/other-one"}',
]


@every_lane
@pytest.mark.parametrize("text", NESTED)
def test_a_never_that_a_text_spells_out_marks_and_hides(registry: Registry, lane: str, text: str) -> None:
    seen = shown([{"type": "text", "text": text}, IMAGE], registry, lane)
    assert registry.current(URI).is_marked
    assert hides(seen, URI, PNG)
    assert registry.current(URI).id in seen


@pytest.mark.parametrize(
    "content",
    [
        {"content": [], "structuredContent": {"a": [{"b": NEVER}]}},
        {"content": [{"type": "resource", "resource": {"uri": "demo://x", "text": json.dumps(NEVER)}}]},
        {"content": [{"type": "tool_result", "content": [NEVER]}]},
        {"content": [NEVER], "isError": True},
        [{"type": "hologram", "uri": URI, "disposition": "never"}],
        [{"type": "resource", "resource": {"uri": URI, "text": "p"}, "disposition": "never"}],
        [{"type": "image", "data": PNG, "uri": URI, "mimeType": "image/png", "disposition": "never"}],
        [
            {
                "type": "resource",
                "resource": {
                    "uri": "demo://x",
                    "mimeType": "application/json; charset=utf-16",
                    "blob": base64.b64encode(json.dumps(NEVER).encode("utf-16")).decode(),
                },
            }
        ],
    ],
)
def test_the_mark_comes_from_any_content_of_the_servers_own(registry: Registry, content: Any) -> None:
    for lane in LANES:
        assert hides(shown(content, registry, lane), URI, PNG)
    assert registry.current(URI).is_marked
    assert registry.current(URI).servers == ("s",)


@pytest.mark.parametrize(
    "content",
    [
        [PLAIN],
        [{**PLAIN, "disposition": "ref"}],
        [{**PLAIN, "annotations": {"disposition": "never"}}],
        [{**NEVER, "uri": "u" * 4097}],
        [{"type": "image", "uri": "u" * 4097, "disposition": "never"}],
        [{"type": "text", "text": json.dumps({**NEVER, "uri": "u" * 4097})}],
        [{"type": "text", "text": json.dumps({**PLAIN, "note": "disposition, never"})}],
    ],
)
@every_lane
def test_what_is_no_never_governs_nothing(registry: Registry, lane: str, content: Any) -> None:
    text = shown([{"type": "text", "text": f"neighbour {PNG}"}, *content], registry, lane)
    assert f"neighbour {PNG}" in text
    assert not any(
        registry.get(item.record.id).is_marked for item in read(Message(content, SERVER), registry).items if item.record
    )


@every_lane
@pytest.mark.parametrize("source", [MODULE, SCRIPT])
def test_a_never_from_elsewhere_marks_nothing_but_keeps_the_payload_out(
    registry: Registry, lane: str, source: Source
) -> None:
    known = registry.register(URI, Claims(), OTHER)
    text = shown([NEVER, PLAIN, IMAGE], registry, lane, source)
    assert not registry.current(URI).is_marked
    assert hides(text, URI, PNG)
    assert known.id not in text
    assert "a.wav" in text
    assert "never to be shown" in text
    assert known.id in shown([PLAIN], registry, lane, source)


@every_lane
def test_a_later_plain_delivery_lifts_nothing(registry: Registry, lane: str) -> None:
    shown([NEVER], registry, lane)
    embedded = {"type": "resource", "resource": {"uri": URI.replace("https", "HTTPS"), "text": "words from inside"}}
    for source in (SERVER, OTHER, MODULE):
        text = shown([embedded, {**PLAIN, "name": URI}], registry, lane, source, shows_uri=bool)
        assert hides(text, URI, "words from inside")
        assert registry.current(URI).id in text


@every_lane
def test_a_payload_that_comes_again_without_its_address_is_known(registry: Registry, lane: str) -> None:
    shown([{**IMAGE, "uri": URI, "disposition": "never"}], registry, lane)
    wrapped = "\n".join(PNG[at : at + 20] for at in range(0, len(PNG), 20))
    for again in (PNG, wrapped):
        assert hides(shown([{**IMAGE, "data": again}], registry, lane, OTHER), PNG, wrapped)


@every_lane
def test_with_a_longer_run_a_marked_address_stays_out_of_later_texts_and_its_neighbours_stay_in(lane: str) -> None:
    registry = Registry(remembered_run=32, log=[].append)
    shown([NEVER], registry, lane)
    spellings = [URI, URI.replace("https:", "HTTPS:"), json.dumps(URI).replace("/", "\\/"), URI.replace("abc", "%61bc")]
    for spelling in spellings:
        seen = shown([{"type": "text", "text": f"it was at {spelling} once"}], registry, lane, OTHER)
        assert "/secret/abc123?sig=xyz" not in seen.replace("\\\\/", "/")
        assert "abc123" not in seen or "%61" in seen
    plain = "see https://files.example/docs and https://else.example/secret/other"
    assert plain in shown([{"type": "text", "text": plain}], registry, lane, OTHER)


def test_no_eight_characters_of_a_marked_address_are_shown_in_later_texts(registry: Registry) -> None:
    shown([NEVER], registry, "model")
    assert hides(shown([{"type": "text", "text": f"it was at {URI[:20]} or {URI[-12:]}"}], registry, "model"), URI)


SPELLINGS: dict[str, Callable[[str], str]] = {
    "percent": lambda text: "".join(f"%{octet:02x}" for octet in text.encode()),
    "percent twice": lambda text: "".join(f"%25{octet:02x}" for octet in text.encode()),
    "html": lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    "backslash": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "wide": lambda text: "".join(chr(ord(letter) + 0xFEE0) for letter in text),
    "zero width": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "spaced": " ".join,
    "wrapped": lambda text: "\n".join(text[at : at + 6] for at in range(0, len(text), 6)),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@every_lane
def test_an_address_that_is_spelled_otherwise_is_shown_in_no_text_and_in_no_label(spelling: str, lane: str) -> None:
    said = SPELLINGS[spelling](URI)
    other = {"type": "resource_link", "uri": "https://else.example/x"}
    places: list[tuple[Any, Source]] = [
        ([NEVER, {"type": "text", "text": f"it is at {said} now"}], SERVER),
        ([{**NEVER, "name": said}], SERVER),
        ([{**NEVER, "mimeType": said}], SERVER),
        ([NEVER, {**other, "name": said}], SERVER),
        ([NEVER, {"type": "hologram", "name": said}], SERVER),
        ([NEVER, {"type": said}], SERVER),
        ([NEVER], Source(said)),
        ({"structuredContent": {"of": [NEVER], "at": said}}, SERVER),
    ]
    for content, source in places:
        seen = references().cleaned.sub("", "".join(shown(content, Registry(log=[].append), lane, source).split()))
        assert hides(seen, references().cleaned.sub("", "".join(said.split())))
    registry = Registry(log=[].append)
    shown([NEVER], registry, lane)
    assert said[:16] not in shown([{**other, "name": said}], registry, lane, OTHER)


@every_lane
def test_words_that_make_a_hidden_one_when_they_stand_side_by_side_are_shown(registry: Registry, lane: str) -> None:
    secret = {"type": "resource", "resource": {"uri": URI, "text": "together"}, "disposition": "never"}
    assert "to get her home" in shown([secret, {"type": "text", "text": "to get her home"}], registry, lane)


@every_lane
def test_an_unknown_block_never_vanishes_and_never_hides_its_neighbours(registry: Registry, lane: str) -> None:
    blocks = [
        {"type": "text", "text": "first"},
        {"type": "hologram", "name": "h1", "mimeType": "x/y", "uri": "https://else.example/holo-gram"},
        {"no": "type"},
        7,
        None,
        {"type": "text", "text": "last"},
    ]
    text = shown(blocks, registry, lane)
    assert all(part in text for part in ("first", "hologram", "h1", "x/y", "last"))
    assert text.count("unknown type") == 4
    assert hides(text, "https://else.example/holo-gram")


@every_lane
def test_a_result_that_cannot_be_read_says_so(registry: Registry, lane: str) -> None:
    note = references().wording["unreadable"]
    odd = "type: resource, uri: https://files.example/yaml-one, disposition: never"
    text = shown([{"type": "text", "text": odd}], registry, lane)
    assert note in text
    assert hides(text, "//files.example/yaml-one")
    assert note not in shown([{"type": "text", "text": "a disposition, never mind"}], registry, lane)


@every_lane
def test_controls_and_direction_marks_are_removed_from_labels(registry: Registry, lane: str) -> None:
    odd = "\x00\x07\x1b\x85\u202e\u2066\u200b\u200f\ufeff\u2028\ud800\U000e0041\n\t"
    blocks = [
        {**PLAIN, "name": f"in{odd}voice", "mimeType": f"text/{odd}x"},
        {"type": f"holo{odd}gram", "name": f"a{odd}b"},
    ]
    text = shown(blocks, registry, lane, Source(f"se{odd}rver"))
    assert all(
        part in text for part in ("invoice", "text/x", "hologram", '"ab"' if lane == "model" else "ab", "server")
    )
    assert not set(odd) - set("\n") & set(text)


def test_a_cut_falls_between_characters_and_is_marked(registry: Registry) -> None:
    name = "e\u0301" * 100
    text = shown([{**PLAIN, "name": name}], registry, "model")
    label = text.split('"')[1]
    assert label.endswith("e\u0301…")
    assert len(label) <= references().limits["label"]
    assert shown([{**PLAIN, "name": "n" * 120}], registry, "model").count("n" * 120) == 1


def test_a_stubs_size_does_not_depend_on_any_field(registry: Registry) -> None:
    short = len(shown([{**PLAIN, "name": "n" * 121, "mimeType": "t" * 121}], registry, "wake", Source("s" * 121)))
    for size in (255, 10**6):
        big = {**PLAIN, "name": "n" * size, "mimeType": "t" * size, "sizeBytes": 2**53 - 1}
        assert len(shown([big], registry, "wake", Source("s" * size))) <= short + 8


def test_a_wake_text_is_bounded_and_counts_what_it_leaves_out(registry: Registry) -> None:
    blocks = [{"type": "text", "text": "t" * 10**6}] * 3 + [{**PLAIN, "uri": f"{URI}&n={turn}"} for turn in range(500)]
    text = shown(blocks, registry, "wake")
    assert len(text) < 8000
    assert "492" in text or "494" in text
    assert text.count("[ref_") == references().limits["wake-parts"]


def test_a_name_cannot_forge_the_rest_of_a_stub(registry: Registry) -> None:
    text = shown([{**PLAIN, "name": 'a"; saved to /etc/x; "'}], registry, "model")
    assert text.count('"') == 2


def test_a_saved_copys_facts_replace_the_claims(registry: Registry) -> None:
    record = registry.register(URI, Claims(), SERVER)
    saved = replace(record, path="/kept/x.png", size=2048, type="image/png", digest_verified=None)
    registry.settle(record, saved, withhold=True)
    text = shown([PLAIN], registry, "model")
    assert all(part in text for part in ("image/png", "~2.0 KB", "/kept/x.png"))
    assert "claimed" not in text
    assert "audio/wav" not in text
    (script,) = render(Message([PLAIN], SERVER), registry, lane="script")
    assert script["saved_to"] == "/kept/x.png"
    (script,) = render(Message([NEVER], SERVER), registry, lane="script")
    assert (script["saved_to"], script["reason"]) == (None, references().wording["marked"])
    assert "/kept" not in shown([NEVER], registry, "model")


def test_the_wake_text_of_a_push_has_the_stubs_already(registry: Registry) -> None:
    text = shown([{"type": "text", "text": "event text"}, NEVER], registry, "wake")
    assert "event text" in text
    assert registry.current(URI).id in text


def test_rendering_changes_no_message_and_shares_nothing(registry: Registry) -> None:
    content = {"content": [PLAIN], "structuredContent": {"a": [1, {"b": 2}]}}
    before = json.dumps(content)
    objects = render(Message(content, SERVER), registry, lane="script")
    objects[-1]["value"]["a"].append("mine")
    assert json.dumps(content) == before


@every_lane
def test_an_empty_result_reads_as_one(registry: Registry, lane: str) -> None:
    if lane != "script":
        assert references().wording["empty"] in shown({"content": []}, registry, lane)
        assert references().wording["failed"] in shown({"content": [], "isError": True}, registry, lane)


def test_what_two_texts_spell_together_is_kept_out(registry: Registry) -> None:
    never = {"type": "resource", "resource": {"uri": "demo://x", "text": "alpha\nbeta gamma"}, "disposition": "never"}
    blocks = [{"type": "text", "text": "an alpha"}, {"type": "text", "text": "beta it is"}, never]
    for lane in ("model", "history", "wake", "content anthropic"):
        assert hides(shown(blocks, registry, lane), "alpha\nbeta gamma")


def test_many_secrets_blind_the_mask_and_texts_are_withheld(registry: Registry) -> None:
    nevers = [{**NEVER, "uri": f"https://files.example/{turn}"} for turn in range(8300)]
    text = shown(
        [{"type": "text", "text": nevers[5]["uri"]}, {"type": "text", "text": json.dumps(nevers)}], registry, "model"
    )
    assert hides(text, nevers[5]["uri"])
    assert references().wording["withheld-text"] in text


@every_lane
@pytest.mark.parametrize("value", [10**5000, b"bytes", {1, 2}, float("nan"), "\ud800"], ids=list("abcde"))
def test_what_is_no_plain_json_still_renders(registry: Registry, lane: str, value: Any) -> None:
    for content in (
        {"content": [], "structuredContent": {"a": value}},
        [{**PLAIN, "sizeBytes": value}],
        [value],
        value,
    ):
        shown(content, registry, lane).encode("utf-8")


@every_lane
def test_depth_is_no_limit(registry: Registry, lane: str) -> None:
    deep: Any = NEVER
    for _ in range(50_000):
        deep = [{"a": deep}]
    for content in ({"content": [], "structuredContent": deep}, [{"type": "x", "content": deep}], deep):
        assert hides(shown(content, registry, lane), URI)
    assert registry.current(URI).is_marked


@every_lane
@pytest.mark.parametrize(
    "spelling",
    [
        URI.replace(":", "%3A").replace("/", "%2F").replace("?", "%3F"),
        "".join(f"&#{ord(letter)};" for letter in URI),
        "".join(f"\\u{ord(letter):04x}" for letter in URI),
        URI.upper(),
        URI.replace("://", "://FILES.").replace("FILES.files", "Files"),
    ],
)
def test_no_other_spelling_of_the_address_beside_it_is_shown(registry: Registry, lane: str, spelling: str) -> None:
    seen = shown([{"type": "text", "text": f"it is at {spelling} now"}, NEVER], registry, lane)
    assert hides(seen.lower(), spelling.lower(), URI)


class FromSDK:
    """An object of an SDK."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, **_how: Any) -> dict[str, Any]:
        return self.fields


@every_lane
def test_an_sdks_objects_are_messages_too_and_what_is_marked_in_them_is_kept_back(lane: str) -> None:
    text, wrapped = {"type": "text", "text": f"found at {URI}"}, FromSDK(**NEVER)
    for content in (FromSDK(content=[text, NEVER]), [FromSDK(**text), wrapped]):
        seen = shown(content, Registry(log=[].append), lane)
        assert "found at" in seen
        assert hides(seen, URI)


@pytest.mark.parametrize("lane", [lane for lane in LANES if lane != "script"])
def test_a_result_that_says_nothing_but_that_it_failed_has_failed(registry: Registry, lane: str) -> None:
    assert references().wording["failed"] in shown({"isError": True}, registry, lane)


def test_a_lane_or_parts_that_there_are_not_are_refused_by_name(registry: Registry) -> None:
    with pytest.raises(ValueError, match="model, content"):
        shown([], registry, "modell")
    for parts in ("content", "content openai"):
        with pytest.raises(ValueError, match=next(iter(references().parts))):
            shown([IMAGE], registry, parts)


@pytest.mark.parametrize("lane", ["model", "script"])
def test_a_long_list_of_links_makes_nothing_shown_that_was_marked(registry: Registry, lane: str) -> None:
    links = [{"type": "resource_link", "uri": f"https://else.example/{turn}", "name": "n"} for turn in range(2100)]
    shown([NEVER, *links], registry, lane)
    shown(links[::-1], registry, lane, OTHER)
    assert hides(shown([{"type": "text", "text": f"it was at {URI}"}, PLAIN], registry, lane, OTHER), URI)
