"""The shared conformance cases against real servers on the loopback, with and without `withhold`."""

from __future__ import annotations

import base64
import functools
import json
import re
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.results.loopback import Answer, Server
from tests.shared_data import shared

from toolglot.results.blocks import classify
from toolglot.results.fetcher import Fetched, Fetcher
from toolglot.results.lanes import render
from toolglot.results.message import Message, read
from toolglot.results.policy import Connection, FetchError, FetchPolicy
from toolglot.results.registry import Registry, Source, UnknownReferenceError
from toolglot.results.shapes import accepts
from toolglot.results.table import references

BOUND = 2048
TOKEN = "fixture-secret"  # noqa: S105 - the fixture's own, worth nothing
SERVER = Source("server-under-test")
LATER = "bulk-reference-vectors.dcbc692e.json"
UNCLEAN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Under the strict reading these are refused before anything is dialed: the host's tools could show the model what it
# saved, so the one safe copy of a payload marked `never` is none.
REFUSED = re.compile(r"(0[345]|1[0-6]|19)-")


def cases(file: str = LATER) -> list[dict[str, Any]]:
    return json.loads(shared("data", "rfc005", file).read_text("utf-8"))["cases"]


CASE_IDS = [
    *(
        "01-never",
        "02-inline-image",
        "02-inline-audio",
        "03-verified-never",
        "03-verified-ref",
        "04-claim-over-ceiling",
    ),
    *("05-digest-mismatch", "06-embedded-server-credential", "07-legacy-resource", "08-push-size-0"),
    *("08-push-size-9007199254740991", "09-signed-never", "09-signed-ref", "09-signed-ABSENT", "10-stream-ceiling"),
    *("11-file-refused", "12-cross-origin-redirect", "13-observed-mime", "14-path-label", "15-invalid-size--1"),
    *("15-invalid-size-3.5", "15-invalid-size-9007199254740992", "16-unparseable-expiry", "17-oversized-name"),
    *("17-oversized-mimeType", "18-label-controls", "18-label-device", "19-gzip-identity", "19-gzip-decoded-ceiling"),
    *("20-eviction-and-unknown", "schema-uri-4096", "schema-uri-4097", "schema-name-255", "schema-name-256"),
    *("schema-mimeType-255", "schema-mimeType-256", "schema-expiresAt-64", "schema-expiresAt-65"),
    *("schema-both-uri-and-data", "schema-unknown-property", "field-rule-name", "field-rule-mimeType"),
    *("field-rule-expiresAt",),
]


# The cases in which the first version of the file asks for less.
CHANGED = ["02-inline-image", "02-inline-audio", "03-verified-ref", "schema-both-uri-and-data"]


@functools.cache
def by_id(file: str) -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in cases(file)}


@dataclass
class Kept:
    """A store in memory."""

    saved: list[tuple[str, bytes, str]] = field(default_factory=list)

    def save(self, name: str, content: bytes, media_type: str) -> str:
        self.saved.append((name, content, media_type))
        return f"/kept/{name}"

    def remove(self, path: str) -> None:
        self.saved = [entry for entry in self.saved if f"/kept/{entry[0]}" != path]


def expanded(value: Any, origin: str, case: str) -> Any:
    if isinstance(value, dict):
        if "$repeat" in value:
            return value["$repeat"] * value["count"]
        return {key: expanded(item, origin, case) for key, item in value.items()}
    if isinstance(value, list):
        return [expanded(item, origin, case) for item in value]
    if isinstance(value, str):
        return value.replace("$ORIGIN", origin).replace("$CASE", urllib.parse.quote(case, safe="!'()*"))
    return value


def answer_of(case: dict[str, Any], trap: str) -> Answer:
    response = case.get("response", {})
    if "stream" in response:
        stream = response["stream"]
        chunk = b"x" * stream["chunkBytes"]
        return Answer(chunks=stream["chunks"], chunk=chunk, interval=stream["intervalMs"] / 1000)
    if response.get("redirect"):
        return Answer(302, headers={"Location": f"{trap}/target"})
    headers = {"Content-Type": response.get("contentType", "application/octet-stream")}
    body = base64.b64decode(response.get("bodyBase64", ""))
    return Answer.packed(body, **headers) if response.get("gzip") else Answer(200, body, headers)


class Host:
    """The host under test, on one case."""

    def __init__(self, case: dict[str, Any], server: Server, *, withhold: bool) -> None:
        self.case, self.server, self.store = case, server, Kept()
        self.registry = Registry(log=[].append)
        policy = FetchPolicy(
            schemes=frozenset({"http", "https"}), private=frozenset({server.origin}), withhold=withhold, seconds=5
        )
        connection = Connection(server.origin, f"Bearer {TOKEN}")
        self.fetcher = Fetcher(self.registry, self.store, connections={SERVER.name: connection}, policy=policy)
        self.message = Message(case["blocks"], SERVER)

    def view(self) -> list[str]:
        """One text for each lane; of lists, every string in them with nothing between."""
        lanes = [render(self.message, self.registry, lane=lane) for lane in ("model", "wake", "history", "script")]
        lanes += [render(self.message, self.registry, lane="content", parts=row) for row in references().parts]
        return ["".join(strings(lane)) for lane in lanes]

    def ids(self) -> list[str]:
        unit = read(self.message, self.registry)
        return [item.record.id for item in unit.items if item.record is not None and item.block.kind == "reference"]


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in strings(item)]


def emitter_accepts(block: Any) -> bool:
    row = references().blocks.get(block.get("type"))
    return row is not None and accepts(row.shape)(block)


@pytest.mark.parametrize("file", [LATER, "bulk-reference-vectors.json"])
def test_the_case_list_is_complete(file: str) -> None:
    assert [case["id"] for case in cases(file)] == CASE_IDS
    assert {case["rfc"] for case in cases(file)} == set(range(1, 21))


@pytest.mark.parametrize("case_id", CASE_IDS)
def test_a_strict_emitters_schema_accepts_what_the_case_says(case_id: str) -> None:
    case = expanded(by_id(LATER)[case_id], "http://127.0.0.1:1", case_id)
    assert [emitter_accepts(block) for block in case["blocks"]] == case["schemaValid"]
    if "legacySchemaValid" in case:
        legacy = json.loads(shared("data", "rfc005", "bulk-reference-legacy-schema.json").read_text("utf-8"))["schema"]
        assert accepts(legacy)(case["blocks"][0]) is case["legacySchemaValid"]
    if "knownEmbeddedCredential" in case:
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(case["blocks"][0]["uri"]).query)
        assert query["token"] == [case["knownEmbeddedCredential"]]
        assert case["emitterConformant"] is False


@pytest.mark.parametrize("withhold", [False, True], ids=["host-may-keep", "withhold"])
@pytest.mark.parametrize(
    ("file", "case_id"),
    [*((LATER, case_id) for case_id in CASE_IDS), *(("bulk-reference-vectors.json", case_id) for case_id in CHANGED)],
)
def test_the_host_does_what_the_case_says(file: str, case_id: str, withhold: bool) -> None:
    with Server() as server, Server() as trap:
        case = expanded(by_id(file)[case_id], server.origin, case_id)
        server.answer = answer_of(case, trap.origin)
        host = Host(case, server, withhold=withhold)
        with host.fetcher:
            OPERATIONS[case["operation"]](host, trap)


def rendered(host: Host, _: Server) -> None:
    seen(host, "before", host.view())
    classified(host)
    assert host.server.requests == []
    assert host.store.saved == []


def fetched(host: Host, trap: Server) -> None:
    case, expect = host.case, host.case["expect"]
    before, (reference,) = host.view(), host.ids()
    seen(host, "before", before)
    assert host.server.requests == []
    outcome = attempted(host, reference)
    time.sleep(0.03)
    after = host.view()
    seen(host, "after", after)
    record = host.registry.get(reference)
    if host.fetcher.policy.withhold and case["blocks"][0].get("disposition") == "never":
        assert outcome == "marked"
        assert (host.server.requests, trap.requests, host.store.saved, after) == ([], [], [], before)
        return
    if "ok" in expect:
        assert isinstance(outcome, Fetched) is expect["ok"]
    if "requests" in expect:
        assert len(host.server.requests) == expect["requests"]
    assert {authorization for _, authorization in host.server.requests} <= {f"Bearer {TOKEN}"}
    if isinstance(outcome, Fetched):
        ((_, content, _),) = host.store.saved
        assert outcome.size == record.size == len(content)
        assert outcome.path == record.path
        saved_as(host, outcome, record)
    else:
        assert (host.store.saved, record.path, record.size) == ([], None, None)
    if expect.get("abortStream"):
        assert host.server.was_cut_off
        assert 1 <= host.server.sent < case["response"]["stream"]["chunks"]
    if expect.get("redirectSafe"):
        assert len(host.server.requests) == 1
        assert len(trap.requests) <= 1
        assert all(authorization is None for _, authorization in trap.requests)
        assert trap.requests or not isinstance(outcome, Fetched)
    if expect.get("unchanged"):
        assert after == before


def attempted(host: Host, reference: str) -> Fetched | str:
    try:
        return host.fetcher.fetch(reference, max_bytes=host.case.get("maxBytes"))
    except FetchError as error:
        failure = error
    assert all(hidden not in str(failure) for hidden in host.case["expect"]["hidden"])
    return failure.code


def saved_as(host: Host, outcome: Fetched, record: Any) -> None:
    expect, ((name, content, media_type),) = host.case["expect"], host.store.saved
    if "decodedBase64" in expect:
        assert content == base64.b64decode(expect["decodedBase64"])
    if "savedMime" in expect:
        assert {media_type, outcome.type, record.type} == {expect["savedMime"]}
    if expect.get("digestVerified"):
        assert outcome.digest_verified is record.digest_verified is True
    if expect.get("storageFromId"):
        assert name.startswith(f"{outcome.id}.")
        assert "/" not in name
        assert "\\" not in name
        assert host.case["blocks"][0]["name"] not in name


def registered(host: Host, _: Server) -> None:
    block = classify(host.case["blocks"][0])
    registry = host.registry

    def register(uri: str) -> str:
        return registry.register(uri, block.claims, SERVER).id

    first = register(block.uri)
    assert register(block.uri) == first
    others = [register(f"{host.server.origin}/eviction/{turn}") for turn in range(host.case["registrations"])]
    assert len(registry) == registry.bound < host.case["registrations"]
    last = register(block.uri)
    assert registry.get(last).uri == block.uri
    assert len({first, *others, last}) == len(others) + 2
    for missing in (first, "ref_never_given"):
        with pytest.raises(UnknownReferenceError):
            registry.get(missing)
        answer = host.fetcher.answer(missing)
        assert answer["isError"] is True
        assert "unknown reference" in answer["content"][0]["text"].lower()


OPERATIONS = {"render": rendered, "fetch": fetched, "registry": registered}


def seen(host: Host, stage: str, texts: list[str]) -> None:
    """The visibility of one stage."""
    expect = host.case["expect"]
    hidden = expect["hidden"] + expect.get(stage, {}).get("hidden", [])
    keys = {**expect, **expect.get(stage, {})}
    ids = host.ids()
    if keys["stub"]:
        assert ids
    for text in texts:
        assert len(text) <= BOUND
        assert not [secret for secret in hidden if secret in text]
        assert not [wanted for wanted in keys.get("includes", ()) if wanted not in text]
        if keys["stub"]:
            assert all(reference in text for reference in ids)
        if keys.get("cleanLabel"):
            assert not UNCLEAN.search(text.replace("\n", ""))
        if "displayField" in keys and len(host.case["blocks"][0][keys["displayField"]]) > references().limits["label"]:
            assert references().wording["cut"] in text
        if "stubOrInlineBase64" in keys:
            assert any(reference in text for reference in ids)


def classified(host: Host) -> None:
    expect, block = host.case["expect"], classify(host.case["blocks"][0])
    if "kind" in expect:
        assert block.kind == expect["kind"]
    names = {"sizeBytes": "size", "mimeType": "type", "expiresAt": "expires"}
    for missing in expect.get("missingFields", ()):
        assert block.kind == "reference"
        assert getattr(block.claims, names.get(missing, missing)) is None
        assert names.get(missing, missing) in block.missing
        assert block.disposition == "never"


@pytest.mark.parametrize("case_id", [case_id for case_id in CASE_IDS if REFUSED.match(case_id)])
def test_withheld_cases_are_refused_without_a_request(case_id: str) -> None:
    with Server() as server:
        case = expanded(by_id(LATER)[case_id], server.origin, case_id)
        case["blocks"][0]["disposition"] = "never"
        host = Host(case, server, withhold=True)
        server.answer = answer_of(case, server.origin)
        with host.fetcher:
            (reference,) = host.ids()
            with pytest.raises(FetchError) as refusal:
                host.fetcher.fetch(reference)
            assert refusal.value.code == "marked"
            assert host.fetcher.answer(reference)["isError"] is True
        assert server.requests == []
        assert host.store.saved == []
        assert host.registry.get(reference).path is None
