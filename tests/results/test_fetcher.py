from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import ipaddress
import sys
import threading
import tracemalloc
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.results.loopback import Answer, Server
from tests.results.steps import Kept, Script, Stream, resolver

from toolglot.results.blocks import Claims
from toolglot.results.fetcher import Fetcher
from toolglot.results.message import Message, read
from toolglot.results.policy import Connection, FetchError, FetchPolicy, is_expired, is_public
from toolglot.results.registry import Registry, Source, UnknownReferenceError
from toolglot.results.storage import FolderStore
from toolglot.results.transfer import resolved

ORIGIN = "https://files.example"
SERVER = Source("s")
NOW = datetime(2026, 11, 30, tzinfo=UTC)


class Bench:
    def __init__(
        self, script: Script | None = None, *addresses: str, resolve: Any = None, origin: str = ORIGIN, **policy: Any
    ) -> None:
        self.registry, self.store, self.script = Registry(log=[].append), Kept(), script or Script()
        self.fetcher = Fetcher(
            self.registry,
            self.store,
            connections={
                "s": Connection(origin, "Bearer secret-token"),
                "o": Connection("https://else.example", "Bearer other"),
            },
            policy=FetchPolicy(**policy),
            transport=self.script,
            resolve=resolve or resolver(*addresses),
            now=lambda: NOW,
        )

    def fetch(
        self, uri: str = f"{ORIGIN}/a", source: Source = SERVER, max_bytes: int | None = None, **claims: Any
    ) -> Any:
        record = self.registry.register(uri, Claims(**claims), source)
        with self.fetcher:
            return self.fetcher.fetch(record.id, max_bytes=max_bytes)

    def code(self, *args: Any, **more: Any) -> str:
        with pytest.raises(FetchError) as error:
            self.fetch(*args, **more)
        assert (error.value.__cause__, error.value.__context__) == (None, None)
        assert "example" not in str(error.value)
        assert self.store.saved == {}
        return error.value.code


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("http://files.example/a", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("ftp://files.example/a", "scheme"),
        ("data:text/plain,a", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("demo://note", "scheme"),
        ("aaaa", "malformed"),
        ("//files.example/a", "malformed"),
        ("https://files.example\\@else.test/a", "malformed"),
        ("https://files.example/a b", "malformed"),
        ("https://files.example/a\r\nHost: b", "malformed"),
        ("https://[::1/a", "malformed"),
        ("https:///a", "malformed"),
        ("https://user:pass@files.example/a", "credentials"),
        ("https://files.example@else.test/a", "credentials"),
        ("https://else.test/a", "origin"),
        ("https://files.example:8443/a", "origin"),
        ("https://files.example.else.test/a", "origin"),
        ("https://else.example/a", "origin"),
    ],
)
def test_an_address_outside_policy_is_refused_without_a_request(uri: str, code: str) -> None:
    bench = Bench()
    assert bench.code(uri) == code
    assert bench.script.requests == []


@pytest.mark.parametrize("uri", ["https://files.example/a", "HTTPS://FILES.EXAMPLE:443/a#x"])
def test_the_dialed_origin_is_allowed_in_any_spelling(uri: str) -> None:
    assert Bench().fetch(uri).size == 7


@pytest.mark.parametrize("policy", [{"origins": frozenset({"https://third.example"})}, {"any_origin": True}])
def test_policy_may_allow_other_origins(policy: dict[str, Any]) -> None:
    bench = Bench(**policy)
    assert bench.fetch("https://third.example/a").size == 7
    assert "authorization" not in bench.script.requests[0].headers


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0",
        "fc00::1", "fd00::1", "fec0::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
    ],
)  # fmt: skip
def test_a_name_that_leads_to_a_special_address_is_refused(address: str) -> None:
    for answers in ((address,), ("93.184.216.34", address), (address, "93.184.216.34")):
        bench = Bench(None, *answers)
        assert bench.code() == "private"
        assert bench.script.requests == []
    allowed = Bench(None, address, private=frozenset({ORIGIN}))
    assert allowed.fetch().size == 7


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"],
)
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "host", ["0x7f000001", "2130706433", "127.1", "0177.0.0.1", "[::ffff:7f00:1]", "[::1]", "localhost", "127.0.0.1"]
)
def test_every_spelling_of_the_loopback_is_refused_by_the_systems_own_resolver(host: str) -> None:
    bench = Bench(resolve=resolved, any_origin=True)
    assert bench.code(f"https://{host}/a") in {"private", "network", "malformed"}
    assert bench.script.requests == []


def test_the_connection_goes_to_the_checked_address_whatever_the_name_says_next() -> None:
    answers = iter([("93.184.216.34",), ("127.0.0.1",), ("127.0.0.1",)])

    async def resolve(host: str, port: int) -> Sequence[str]:
        del host, port
        return next(answers)

    bench = Bench(resolve=resolve)
    bench.fetch()
    (request,) = bench.script.requests
    assert request.url.host == "93.184.216.34"
    assert request.headers["host"] == "files.example"
    assert request.extensions["sni_hostname"] == "files.example"


def test_a_name_without_an_address_is_a_network_failure() -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        raise OSError(f"no such name: {host}:{port}")

    assert Bench(resolve=resolve).code() == "network"


class Hops(Script):
    """Answers each request by its host and path."""

    def __init__(self, hops: dict[str, str]) -> None:
        super().__init__()
        self.hops = hops

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        target = self.hops.get(f"{request.headers['host']}{request.url.path}")
        if target is None:
            return httpx.Response(200, stream=Stream(self))
        return httpx.Response(302, headers={"Location": target})


def test_the_credential_goes_to_the_dialed_origin_and_to_no_other_hop() -> None:
    script = Hops(
        {"files.example/a": "/b", "files.example/b": "https://third.example/c", "third.example/c": f"{ORIGIN}/d"}
    )
    bench = Bench(script, any_origin=True)
    bench.fetch()
    sent = [(request.headers["host"], request.headers.get("authorization")) for request in script.requests]
    assert sent == [
        ("files.example", "Bearer secret-token"),
        ("files.example", "Bearer secret-token"),
        ("third.example", None),
        ("files.example", None),  # the other origin chose this address, so it is not asked for in the connection's name
    ]


def test_the_credential_is_not_used_for_an_address_that_only_another_server_delivered() -> None:
    bench = Bench(any_origin=True)
    bench.fetch(source=Source("o"))
    assert "authorization" not in bench.script.requests[0].headers


def test_the_credential_is_in_no_repr() -> None:
    assert "secret-token" not in repr(Connection(ORIGIN, "Bearer secret-token"))


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("https://else.test/b", "origin"),
        ("http://files.example/b", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("//else.test/b", "origin"),
        ("https://user@files.example/b", "credentials"),
        ("", "status"),
        ("https://[bad", "origin"),
    ],
)
def test_a_redirect_is_checked_like_an_address(target: str, code: str) -> None:
    script = Hops({"files.example/a": target})
    assert Bench(script, schemes=frozenset({"http", "https"})).code() == code
    assert len(script.requests) == 1


def test_a_redirect_to_a_private_host_is_refused() -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        del port
        return ("169.254.169.254",) if host == "inner.example" else ("93.184.216.34",)

    script = Hops({"files.example/a": "https://inner.example/latest/meta-data"})
    assert Bench(script, resolve=resolve, any_origin=True).code() == "private"
    assert len(script.requests) == 1


def test_redirects_are_bounded() -> None:
    assert Bench(Hops({"files.example/a": "/a"})).code() == "redirects"
    script = Hops({"files.example/a": "/b"})
    assert Bench(script, redirects=0).code() == "redirects"
    assert Bench(Hops({"files.example/a": "/b", "files.example/b": "/c"}), redirects=2).fetch().size == 7


@pytest.mark.parametrize("status", [201, 204, 206, 304, 401, 404, 500])
def test_another_status_is_a_refusal(status: int) -> None:
    assert Bench(Script(status=status)).code() == "status"


def test_the_ceiling_ends_the_stream_where_it_is_passed() -> None:
    seen: list[int] = []
    bench = Bench(Script([b"x" * 32] * 64, at_chunk=seen.append))
    assert bench.code(max_bytes=64) == "ceiling"
    assert seen == [0, 1, 2]
    assert Bench(Script([b"x" * 32] * 2)).fetch(max_bytes=64).size == 64


def test_a_claim_over_the_ceiling_is_refused_without_a_request_and_a_false_claim_changes_nothing() -> None:
    bench = Bench()
    assert bench.code(max_bytes=64, size=65) == "claim"
    assert bench.script.requests == []
    assert Bench().fetch(size=1).size == 7


def packed(content: bytes) -> list[bytes]:
    whole = gzip.compress(content)
    return [whole[at : at + 7000] for at in range(0, len(whole), 7000)]


def test_a_gzip_bomb_ends_at_the_ceiling() -> None:
    bomb = packed(bytes(100 << 20))
    headers = {"content-encoding": "gzip"}
    tracemalloc.start()
    assert Bench(Script(bomb, headers=headers)).code(max_bytes=1 << 20) == "ceiling"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20


def test_a_coding_is_undone_and_counted_decoded() -> None:
    headers = {"content-encoding": "gzip"}
    content = b"RIFF0000WAVE" + b"x" * 200_000
    digest = "sha256:" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    bench = Bench(Script(packed(content), headers=headers))
    fetched = bench.fetch(digest=digest, max_bytes=len(content))
    assert (fetched.size, fetched.type, fetched.digest_verified) == (len(content), "audio/wav", True)
    assert Bench(Script(packed(content), headers=headers)).code(max_bytes=len(content) - 1) == "ceiling"
    members = gzip.compress(b"one") + gzip.compress(b"two")
    assert Bench(Script([members], headers=headers)).fetch().size == 6


@pytest.mark.parametrize(
    ("chunks", "coding"),
    [
        ([*packed(b"x" * 99999)[:-1], b""], "gzip"),
        ([gzip.compress(b"x")[:-3]], "gzip"),
        ([b"no gzip at all"], "gzip"),
        ([zlib.compress(b"x")], "deflate"),
        ([b"x"], "br"),
        ([b"x"], "gzip, gzip"),
    ],
)
def test_a_coding_that_is_broken_or_unknown_is_refused(chunks: list[bytes], coding: str) -> None:
    assert Bench(Script(chunks, headers={"content-encoding": coding})).code() == "coding"


def test_a_digest_that_does_not_match_is_never_presented() -> None:
    assert Bench().code(digest="sha256:" + "A" * 43) == "digest"
    assert Bench().fetch().digest_verified is None


@pytest.mark.parametrize(
    ("expires", "expired"),
    [
        (None, False), ("2026-11-30T00:00:01Z", False), ("2026-11-30T01:00:00+00:30", False), ("2027-01-01", False),
        ("2026-11-30T00:00:00Z", True), ("2026-11-29T23:59:59", True), ("not-a-date", True), ("", True),
        ("9" * 60, True),
        ("2026-13-01", True),
    ],
)  # fmt: skip
def test_an_expiry_that_passed_or_does_not_parse_is_expired(expires: str | None, expired: bool) -> None:
    assert is_expired(expires, NOW) is expired
    bench = Bench()
    if expired:
        assert bench.code(expires=expires) == "expired"
        assert bench.script.requests == []
    else:
        assert bench.fetch(expires=expires).size == 7


def test_the_observed_type_names_the_file_and_no_label_does() -> None:
    script = Script([b"\x89PNG\r\n\x1a\n...."], headers={"content-type": "text/html; charset=x"})
    fetched = Bench(script).fetch(name="../../.ssh/authorized_keys", type="audio/wav")
    assert (fetched.type, fetched.path) == ("image/png", f"/kept/{fetched.id}.png")
    script = Script([b"plain"], headers={"content-type": "Text/Plain; charset=utf-8"})
    assert Bench(script).fetch(type="audio/wav").type == "text/plain"
    script = Script([b"plain"], headers={"content-type": "../../evil"})
    assert Bench(script).fetch(type="audio/wav").path.endswith(".bin")


def test_one_flight_serves_everyone_who_waits() -> None:
    bench, gate = Bench(), threading.Event()
    bench.script.before = lambda: gate.wait(5) and None
    record = bench.registry.register(f"{ORIGIN}/a", Claims(), SERVER)
    with bench.fetcher:
        waiters = [bench.fetcher.submit(record.id) for _ in range(5)]
        small = bench.fetcher.submit(record.id, max_bytes=3)
        gate.set()
        assert len({waiter.result(5) for waiter in waiters}) == 1
        assert small.exception(5).code == "ceiling"
        assert bench.fetcher.fetch(record.id).size == 7
    assert len(bench.script.requests) == bench.store.calls == 1


def test_a_caller_with_a_loop_waits_without_blocking_it() -> None:
    bench = Bench()
    record = bench.registry.register(f"{ORIGIN}/a", Claims(), SERVER)

    async def run() -> list[Any]:
        return await asyncio.gather(*(bench.fetcher.fetch_async(record.id) for _ in range(3)))

    with bench.fetcher:
        assert {fetched.size for fetched in asyncio.run(run())} == {7}
    assert len(bench.script.requests) == 1


def test_a_caller_who_gives_up_ends_no_one_elses_flight() -> None:
    bench, gate = Bench(), threading.Event()
    bench.script.before = lambda: gate.wait(5) and None
    record = bench.registry.register(f"{ORIGIN}/a", Claims(), SERVER)

    async def run() -> Any:
        first, second = (asyncio.ensure_future(bench.fetcher.fetch_async(record.id)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        gate.set()
        return await second

    with bench.fetcher:
        assert asyncio.run(run()).size == 7


def test_a_fetch_that_takes_too_long_ends() -> None:
    never = asyncio.Event()
    bench = Bench(Script(at_chunk=lambda _turn: never.wait()), seconds=0.01)
    assert bench.code() == "time"


def test_a_store_that_fails_fails_the_fetch_alone() -> None:
    bench = Bench()
    bench.store.fails = True
    assert bench.code() == "storage"
    assert bench.registry.current(f"{ORIGIN}/a").path is None


def test_a_closed_fetcher_refuses() -> None:
    bench = Bench()
    bench.fetch()
    record = bench.registry.register(f"{ORIGIN}/b", Claims(), SERVER)
    with pytest.raises(FetchError) as error:
        bench.fetcher.fetch(record.id)
    assert error.value.code == "closed"


def test_closing_wakes_those_who_wait() -> None:
    never, begun = asyncio.Event(), threading.Event()

    def hold(turn: int) -> Any:
        del turn
        begun.set()
        return never.wait()

    bench = Bench(Script(at_chunk=hold))
    record = bench.registry.register(f"{ORIGIN}/a", Claims(), SERVER)
    waiter = bench.fetcher.submit(record.id)
    assert begun.wait(5)
    bench.fetcher.close()
    assert waiter.exception(5).code == "closed"


def eager(content: Any, **policy: Any) -> tuple[dict[str, Any], Bench]:
    bench = Bench(**policy)
    with bench.fetcher:
        unit = read(Message(content, SERVER), bench.registry)
        begun = bench.fetcher.prefetch(unit)
        return {key: value if isinstance(value, Exception) else value.result(5) for key, value in begun.items()}, bench


def block(path: str, **fields: Any) -> dict[str, Any]:
    return {"type": "resource", "uri": f"{ORIGIN}/{path}", **fields}


def test_nothing_is_fetched_on_receipt_without_an_envelope() -> None:
    assert eager([block("a", sizeBytes=5)])[0] == {}


def test_the_envelope_admits_small_claims_alone() -> None:
    blocks = [
        block("a", sizeBytes=7),
        block("b", sizeBytes=101),
        block("c"),
        {"type": "image", "data": "AA==", "mimeType": "x/y"},
    ]
    begun, bench = eager(blocks, eager_bytes=100)
    assert [fetched.size for fetched in begun.values()] == [7]
    assert len(bench.script.requests) == 1


@pytest.mark.parametrize(
    "extra",
    [
        block("n", disposition="never"),
        {"type": "text", "text": "{'uri': 'https://x.example/y', 'disposition': 'never'}"},
        {"type": "text", "text": "disposition: never"},
    ],
)
def test_a_governed_or_unreadable_message_fetches_nothing_by_itself(extra: dict[str, Any]) -> None:
    begun, bench = eager([block("a", sizeBytes=7), extra], eager_bytes=100)
    assert begun == {}
    assert bench.script.requests == []


def test_expiry_stays_per_block() -> None:
    begun, bench = eager(
        [
            block("a", sizeBytes=7, expiresAt="2020-01-01"),
            block("b", sizeBytes=7),
            block("b", sizeBytes=7, expiresAt="nonsense"),
        ],
        eager_bytes=100,
    )
    assert [fetched.id for fetched in begun.values()] == [bench.registry.current(f"{ORIGIN}/b").id]
    assert [request.url.path for request in bench.script.requests] == ["/b"]


def test_the_models_own_tool_answers_with_a_stub_or_a_refusal() -> None:
    bench = Bench()
    record = bench.registry.register(f"{ORIGIN}/a", Claims(name="a.txt"), SERVER)
    with bench.fetcher:
        answer = bench.fetcher.answer(record.id)
        assert answer["isError"] is False
        assert record.id in answer["content"][0]["text"]
        assert f"/kept/{record.id}.bin" in answer["content"][0]["text"]
        assert ORIGIN not in answer["content"][0]["text"]
        assert asyncio.run(bench.fetcher.answer_async("ref_none"))["isError"] is True


def test_a_folder_keeps_whole_files_of_its_own_names(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "kept")
    path = store.save("ref_1.bin", b"abc", "x/y")
    assert Path(path).read_bytes() == b"abc"
    assert Path(path).stat().st_mode & 0o077 == 0
    for name in ("../x.bin", "a/b.bin", ".bin", "ref_1", "REF.bin", "ref_1.bin\n"):
        with pytest.raises(ValueError, match="own"):
            store.save(name, b"", "x/y")
    store.remove(path)
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_file_that_cannot_be_finished_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_handle: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        FolderStore(tmp_path).save("ref_1.bin", b"abc", "x/y")
    assert list(tmp_path.iterdir()) == []


def test_a_real_redirect_to_a_second_origin_carries_no_credential(tmp_path: Path) -> None:
    with Server() as first, Server(Answer(body=b"moved here")) as second:
        first.answer = Answer(302, headers={"Location": f"{second.origin}/target"})
        registry = Registry()
        policy = FetchPolicy(
            schemes=frozenset({"http"}),
            origins=frozenset({second.origin}),
            private=frozenset({first.origin, second.origin}),
        )
        connections = {"s": Connection(first.origin, "Bearer t")}
        with Fetcher(registry, FolderStore(tmp_path), connections=connections, policy=policy) as fetcher:
            fetched = fetcher.fetch(registry.register(f"{first.origin}/a", Claims(), SERVER).id)
        assert Path(fetched.path).read_bytes() == b"moved here"
        assert first.requests == [("/a", "Bearer t")]
        assert second.requests == [("/target", None)]


def test_a_real_private_server_is_not_reached_without_policy(tmp_path: Path) -> None:
    with Server(Answer(body=b"inner")) as server:
        registry = Registry()
        policy = FetchPolicy(schemes=frozenset({"http"}))
        with (
            Fetcher(
                registry, FolderStore(tmp_path), connections={"s": Connection(server.origin)}, policy=policy
            ) as fetcher,
            pytest.raises(FetchError) as error,
        ):
            fetcher.fetch(registry.register(f"{server.origin}/a", Claims(), SERVER).id)
        assert error.value.code == "private"
        assert server.requests == []


@pytest.mark.parametrize("host", ["xn--", "xn--a", "①②⑦.0.0.1", "xn--\u00e4"])
def test_a_host_that_is_no_name_is_refused_and_its_address_is_in_no_log(
    host: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert Bench(any_origin=True).code(f"https://{host}/") == "malformed"
    assert caplog.records == []


def test_what_is_no_text_is_no_reference() -> None:
    bench = Bench()
    for said in (None, 5, [], {"id": 1}, b"ref"):
        with pytest.raises(UnknownReferenceError):
            bench.fetcher.fetch(said)  # type: ignore[arg-type] # a model may say anything
        assert bench.fetcher.answer(said)["isError"] is True  # type: ignore[arg-type] # as above


def test_without_httpx_there_is_no_fetcher_that_takes_every_server_for_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(ImportError, match="fetch"):
        Bench()
