from __future__ import annotations

import threading
from dataclasses import replace
from random import Random
from string import ascii_letters
from typing import Any

import pytest

from toolglot.results.blocks import Claims
from toolglot.results.media import digest_of
from toolglot.results.registry import Event, Registry, Source, UnknownReferenceError
from toolglot.results.uris import key

URI = "https://files.example/a?x=1"
A, B, MODULE = Source("a"), Source("b"), Source("m", "module")


@pytest.fixture
def events() -> list[Event]:
    return []


@pytest.fixture
def registry(events: list[Event]) -> Registry:
    return Registry(log=events.append)


@pytest.mark.parametrize(
    "other",
    [
        "HTTPS://FILES.EXAMPLE/a?x=1",
        "https://files.example:443/a?x=1",
        "https://files.example./a?x=1",
        "https://files.example/b/../a?x=1",
        "https://files.example/./%61?x=%31",
        "https://files.example/a?x=1#part",
        " https://files.example/a?x=1\n",
        "https://fi\tles.example/a?x=1",
        "https:\\\\files.example\\a?x=1",
        "https:files.example/a?x=1",
        "https://\ufb01les.example/a?x=1",
        "https://\uff46iles.example/a?x=1",
    ],
)
def test_another_spelling_of_an_address_is_the_same_record(registry: Registry, other: str) -> None:
    marked = registry.mark(URI, Claims(), A)
    assert marked is not None
    assert registry.register(other, Claims(), B).id == marked.id
    assert registry.register(other, Claims(), B).is_marked


@pytest.mark.parametrize(
    "other",
    [
        "http://files.example/a?x=1",
        "https://files.example:444/a?x=1",
        "https://files.example/A?x=1",
        "https://files.example/a?x=2",
        "https://files.example/a%3Fx=1",
        "https://user@files.example/a?x=1",
    ],
)
def test_another_address_is_another_record(registry: Registry, other: str) -> None:
    registry.mark(URI, Claims(), A)
    assert not registry.register(other, Claims(), A).is_marked


def test_composed_and_decomposed_spellings_are_one() -> None:
    assert (
        key("https://a.example/caf\u00e9") == key("https://a.example/cafe\u0301") == key("https://a.example/caf%c3%a9")
    )
    assert key("https://caf\u00e9.example/") == key("https://xn--caf-dma.example")


def test_ids_are_stable_and_never_used_again(registry: Registry) -> None:
    ids = [registry.register(f"u:{turn}", Claims(), A).id for turn in range(2100)]
    assert registry.register("u:2099", Claims(), A).id == ids[-1]
    again = registry.register("u:0", Claims(), A).id
    assert len({*ids, again}) == 2101
    assert len(registry) == 2000


def test_records_go_by_order_of_registration_not_of_use(registry: Registry) -> None:
    first, second = (registry.register(uri, Claims(), A).id for uri in ("u:first", "u:second"))
    for turn in range(1998):
        registry.register(f"u:{turn}", Claims(), A)
    registry.register("u:first", Claims(), A)
    registry.get(first)
    registry.register("u:one-more", Claims(), A)
    with pytest.raises(UnknownReferenceError):
        registry.get(first)
    assert registry.get(second).uri == "u:second"


def test_an_unknown_and_an_evicted_id_give_the_same_error(registry: Registry) -> None:
    texts = set()
    gone = registry.register("u:gone", Claims(), A).id
    for turn in range(2000):
        registry.register(f"u:{turn}", Claims(), A)
    for reference in (gone, "ref_made_up", "", "\x00"):
        with pytest.raises(UnknownReferenceError) as error:
            registry.get(reference)
        texts.add(str(error.value))
    assert len(texts) == 1


def test_several_servers_bind_one_record_and_each_is_logged(registry: Registry, events: list[Event]) -> None:
    record = registry.register(URI, Claims(), A)
    for source in (B, A, B, MODULE):
        registry.register(URI, Claims(), source)
    assert registry.get(record.id).servers == ("a", "b")
    assert events == [Event("bound", record.id, "b")]


def test_nothing_clears_a_mark_while_the_record_lives(registry: Registry) -> None:
    registry.mark(URI, Claims(), A)
    for source in (A, B, MODULE):
        assert registry.register(URI, Claims(name="plain"), source).is_marked
    for turn in range(registry.bound // 2 + 1):  # marks alone, more than their half, push a mark out
        assert registry.current(URI).is_marked
        registry.mark(f"u:{turn}", Claims(), A)
    for turn in range(registry.bound):
        registry.register(f"v:{turn}", Claims(), A)
    assert registry.current(URI) is None
    assert not registry.register(URI, Claims(), A).is_marked


def test_the_first_mark_makes_a_record_bound_to_its_server(registry: Registry, events: list[Event]) -> None:
    record = registry.mark(URI, Claims(name="n"), A)
    assert (record.servers, record.is_marked, record.claims.name) == (("a",), True, "n")
    registry.mark(URI, Claims(), A)
    assert events == [Event("marked", record.id, "a")]


@pytest.mark.parametrize(
    ("uri", "source"), [(URI, MODULE), (URI, Source("s", "script")), ("u" * 4097, A), ("😀" * 2049, A)]
)
def test_hearsay_and_an_overlong_uri_mark_nothing(registry: Registry, uri: str, source: Source) -> None:
    assert registry.mark(uri, Claims(), source) is None
    assert len(registry) == 0


def test_the_mark_forgets_the_saved_copy_and_the_log_names_its_path(registry: Registry, events: list[Event]) -> None:
    record = registry.register(URI, Claims(), A)
    saved = replace(record, path="/kept/x.bin", size=3, type="text/plain", digest_verified=True)
    assert registry.settle(record, saved, withhold=True)
    assert registry.get(record.id).path == "/kept/x.bin"
    marked = registry.mark(URI, Claims(), B)
    assert (marked.path, marked.size, marked.type, marked.digest_verified) == (None, None, None, None)
    assert Event("forgotten", record.id, "b", "/kept/x.bin") in events
    assert not registry.settle(record, saved, withhold=True)


def test_what_a_module_says_never_replaces_what_a_server_said(registry: Registry) -> None:
    registry.register(URI, Claims(name="server's"), A)
    assert registry.register(URI, Claims(name="module's"), MODULE).claims.name == "server's"


def test_a_servers_first_word_replaces_a_modules(registry: Registry) -> None:
    first = registry.register("https://files.example:443/a?x=1", Claims(name="module's"), MODULE)
    assert first.servers == ()
    record = registry.register(URI, Claims(name="server's"), A)
    assert (record.id, record.claims.name, record.servers, record.uri) == (first.id, "server's", ("a",), URI)
    assert registry.register(URI, Claims(name="other's"), B).claims.name == "server's"


def test_no_address_is_in_the_repr_of_a_record_or_an_event(registry: Registry, events: list[Event]) -> None:
    record = registry.mark(URI, Claims(), A)
    assert "files.example" not in repr(record) + repr(events)


def test_the_log_holds_no_address_by_default(caplog: pytest.LogCaptureFixture) -> None:
    registry = Registry()
    with caplog.at_level("DEBUG"):
        registry.register(URI, Claims(), A)
        registry.mark(URI, Claims(), B)
    assert [entry.name for entry in caplog.records] == ["toolglot.results", "toolglot.results"]
    assert "files.example" not in caplog.text


def test_threads_agree_on_one_record(registry: Registry) -> None:
    ids: list[Any] = []

    def run() -> None:
        for turn in range(300):
            ids.append((turn, registry.register(f"u:{turn}", Claims(), A).id))
            registry.mark(f"u:{turn}", Claims(), B)

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(ids)) == len(registry) == 300
    assert all(registry.current(f"u:{turn}").is_marked for turn in range(300))


def test_what_is_remembered_goes_with_the_record_and_no_earlier() -> None:
    registry = Registry(bound=1, log=[].append)
    text = f"it was at {URI}"
    registry.mark(URI, Claims(), A, ["a payload of more than eight letters"], [b"digest"])
    assert registry.remembered(text)
    assert registry.remembered("now a payload of more than eight letters")
    registry.register("u:last", Claims(), A)
    assert registry.remembered(text) == []
    assert not registry._memory
    assert registry._memory._known == registry._memory._counts == registry._memory._digests == {}


def test_what_is_remembered_of_one_address_is_bounded(registry: Registry) -> None:
    for turn in range(500):
        registry.mark(URI, Claims(), A, [f"{turn:04d}" * 100], [b"%d" % turn])
    assert len(registry._memory._counts) <= 3 * registry._memory.room // 8


@pytest.mark.parametrize("wrong", [{"bound": 0}, {"bound": -1}, {"remembered_run": 0}])
def test_a_registry_that_could_hold_nothing_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        Registry(**wrong)  # type: ignore[arg-type] # each is a number


def test_no_number_of_other_records_makes_a_mark_forgotten(registry: Registry) -> None:
    marked = registry.mark("u:secret", Claims(), A)
    assert marked is not None
    for turn in range(3 * registry.bound):
        registry.register(f"u:{turn}", Claims(), A)
    assert len(registry) == registry.bound
    assert registry.get(marked.id).is_marked
    assert registry.register("u:secret", Claims(), A).is_marked


def test_marks_leave_half_of_the_room_to_others(events: list[Event]) -> None:
    registry = Registry(bound=10, log=events.append)
    for turn in range(30):
        registry.mark(f"u:secret-{turn}", Claims(), A)
    assert len(registry) == 10
    others = [registry.register(f"u:{turn}", Claims(), A) for turn in range(5)]
    assert [registry.get(record.id).uri for record in others] == [f"u:{turn}" for turn in range(5)]
    assert registry.register("u:secret-29", Claims(), A).is_marked
    assert not registry.register("u:secret-0", Claims(), A).is_marked


def text_of(seed: int, length: int) -> str:
    return "".join(Random(seed).choices(ascii_letters, k=length))


def test_a_quote_from_a_long_marked_payload_is_remembered(registry: Registry) -> None:
    payload = text_of(1, 8_000)
    registry.mark(URI, Claims(), A, [payload])
    for start in range(0, 7_900, 97):
        assert registry.remembered(f"so: {payload[start : start + 10]}.")


def test_what_is_remembered_of_all_addresses_is_bounded_and_each_has_its_least_number(registry: Registry) -> None:
    payloads = [text_of(seed, 20_000) for seed in range(100)]
    for turn, payload in enumerate(payloads):
        registry.mark(f"u:{turn}", Claims(), A, [payload])
    memory = registry._memory
    assert len(memory._counts) <= memory.room + 3 * memory.budget * len(payloads)
    assert all(registry.remembered(payload[:400]) for payload in payloads)


def test_a_payload_is_known_by_its_digest_however_much_of_it_is_remembered() -> None:
    registry = Registry(log=[].append)
    bodies = [text_of(seed, 100_000) for seed in range(5)]
    registry.mark(URI + "&" * 1000, Claims(), A, bodies, [digest_of("the payload")])
    assert registry.remembers("the payload")
