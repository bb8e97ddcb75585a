"""Of what is `never` no eight characters in a row are shown, over generated messages, registries and histories."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.results.steps import Kept, Script, resolver

from toolglot.errors import ToolglotError
from toolglot.results.fetcher import Fetcher
from toolglot.results.lanes import render
from toolglot.results.message import Message, read
from toolglot.results.policy import FetchPolicy
from toolglot.results.registry import Registry, Source
from toolglot.results.stubs import Showing
from toolglot.results.table import references

LANES = [
    ("model", ""),
    ("history", ""),
    ("wake", ""),
    ("script", ""),
    *(("content", row) for row in references().parts),
]
SOURCES = [Source("s"), Source("o"), Source("m", "module"), Source("p", "script")]
# Letters that the library's own sentences hold no eight of in a row.
LETTERS = "qxzjkvwQXZ0123456789-_~%/é\u0308😀"
TOKENS = st.text(LETTERS, min_size=12, max_size=40)
URIS = st.builds(
    lambda scheme, host, path: f"{scheme}://{host}.qxz/{path}",
    st.sampled_from(["https", "http", "demo"]),
    st.text("qxzjkv", min_size=8, max_size=12),
    TOKENS,
)


@dataclass
class World:
    """What one generated history may speak of."""

    uris: list[str]
    payloads: list[str]
    steps: list[tuple[Source, list[Any]]] = field(default_factory=list)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    world = World(
        draw(st.lists(URIS, min_size=1, max_size=3, unique=True)),
        draw(st.lists(TOKENS, min_size=1, max_size=2, unique=True)),
    )
    for _ in range(draw(st.integers(1, 4))):
        blocks = draw(st.lists(block(world), min_size=1, max_size=4))
        world.steps.append((draw(st.sampled_from(SOURCES)), blocks))
    return world


def spoken(world: World) -> st.SearchStrategy[str]:
    """A text that quotes an address or a payload, whole or in part, in one of its spellings."""

    @st.composite
    def text(draw: st.DrawFn) -> str:
        secret = draw(st.sampled_from(world.uris + world.payloads))
        start = draw(st.integers(0, len(secret) - 1))
        part = secret[start : start + draw(st.integers(1, len(secret)))]
        way = draw(st.sampled_from(["plain", "json", "upper", "base64", "whole"]))
        said = {
            "plain": part,
            "whole": secret,
            "json": json.dumps(part).replace("/", "\\/"),
            "upper": part.upper(),
            "base64": base64.b64encode(secret.encode()).decode(),
        }[way]
        return draw(st.sampled_from(["", "so: ", "\n"])) + said + draw(st.sampled_from(["", " ok", "\u200b"]))

    return text()


def block(world: World) -> st.SearchStrategy[Any]:
    """A block, or something like one, about the world's addresses and payloads."""
    uris, payloads = st.sampled_from(world.uris), st.sampled_from(world.payloads)
    said = spoken(world)
    disposition = st.sampled_from([{}, {}, {"disposition": "never"}, {"disposition": "ref"}, {"disposition": "no"}])
    labels = st.fixed_dictionaries({}, optional={"name": said, "mimeType": said, "sizeBytes": st.integers(-1, 10**17)})
    image = payloads.map(lambda text: base64.b64encode(b"\x89PNG\r\n\x1a\n" + text.encode()).decode())
    reference = st.builds(
        lambda kind, uri, more, how: {"type": kind, **more, **how, "uri": uri},
        st.sampled_from(["resource", "image", "audio", "resource_link", "hologram"]),
        uris,
        labels,
        disposition,
    )
    embedded = st.builds(
        lambda uri, text, more, how: {"type": "resource", "resource": {"uri": uri, **more, "text": text}, **how},
        uris,
        payloads,
        labels,
        disposition,
    )
    blob = st.builds(
        lambda uri, text, kind, how: {
            "type": "resource",
            "resource": {"uri": uri, "mimeType": kind, "blob": base64.b64encode(text.encode()).decode()},
            **how,
        },
        uris,
        payloads,
        st.sampled_from(["text/plain", "x/y"]),
        disposition,
    )
    inline = st.builds(
        lambda data, more, how: {"type": "image", "data": data, "mimeType": "image/png", **more, **how},
        image,
        st.one_of(st.just({}), uris.map(lambda uri: {"uri": uri})),
        disposition,
    )
    rejected = st.builds(lambda uri: {"type": "resource", "uri": uri * 200, "disposition": "never"}, uris)
    text = said.map(lambda words: {"type": "text", "text": words})
    plain = st.one_of(reference, embedded, blob, inline, rejected, text)
    nested = st.builds(
        lambda inner, how: {"type": "text", "text": how(inner)},
        st.lists(plain, min_size=1, max_size=2),
        st.sampled_from(
            [
                json.dumps,
                str,
                lambda value: json.dumps({"a": json.dumps(value)}),
                lambda value: "see\n" + json.dumps(value, indent=1),
            ]
        ),
    )
    odd = st.builds(
        lambda inner, word: {"type": word, "content": inner, "name": word}, st.lists(plain, max_size=2), said
    )
    return st.one_of(plain, plain, nested, odd)


def shown_strings(value: Any) -> Iterator[str]:
    """Every text of an output, numbers too, each by itself."""
    if isinstance(value, dict):
        for item in value.values():
            yield from shown_strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from shown_strings(item)
    elif value is not None:
        yield str(value)


def windows(secret: str) -> set[str]:
    return {secret[at : at + 8] for at in range(len(secret) - 7)}


def told(message: Message, registry: Registry) -> Iterator[str]:
    """Everything that the model could read of a message, and of the tool by which it asks for references."""
    showing = Showing(shows_uri=bool)
    for lane, parts in LANES:
        yield from shown_strings(render(message, registry, lane=lane, parts=parts, showing=showing))
    policy = FetchPolicy(schemes=frozenset({"http", "https"}), any_origin=True)
    unit = read(message, registry)
    with Fetcher(registry, Kept(), policy=policy, transport=Script([b"other"]), resolve=resolver()) as fetcher:
        for item in unit.items:
            if item.record is not None and item.record.is_marked:
                yield from shown_strings(fetcher.answer(item.record.id, showing))
                try:
                    fetcher.submit(item.record)
                except ToolglotError as error:
                    yield f"{error} {error!r} {error.__cause__} {error.__context__}"


def secrets_of(unit: Any) -> set[str]:
    """The windows of everything that a unit's own `never` speaks of."""
    found: set[str] = set()
    for never in unit.findings.nevers:
        for text in (*never.uris, *never.payloads):
            found |= windows(text)
    return found


def holds(world: World, run: int) -> None:
    registry = Registry(remembered_run=run, log=[].append)
    earlier: set[str] = set()
    for source, blocks in world.steps:
        message = Message(blocks, source)
        unit = read(message, registry)
        hidden = secrets_of(unit) | (earlier if run == 8 else set())
        for uri in world.uris:
            record = registry.current(uri)
            if record is not None and record.is_marked and all(block.get("uri") == uri for block in blocks):
                hidden |= windows(uri)
        if source.is_server:
            for never in unit.findings.nevers:
                if never.uris:
                    earlier |= windows("\0".join((*never.uris, *never.payloads)))
        # A later picture's bytes are no text: they are withheld where they are an earlier payload, not where eight
        # of them happen to be alike (every other file has a row of zeros).
        pictures = {block.get("data") for block in blocks} - {None}
        for text in told(message, registry):
            is_picture = text.removeprefix("data:image/png;base64,") in pictures
            unseen = secrets_of(unit) if is_picture else hidden
            found = [window for window in unseen if window in text]
            assert not found, (found[:3], text)


@pytest.mark.parametrize("run", [8, 32])
def test_no_part_of_what_is_never_is_shown(run: int) -> None:
    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(worlds())
    def check(world: World) -> None:
        holds(world, run)

    check()


@pytest.mark.heavy
@pytest.mark.parametrize("run", [8, 32])
def test_no_part_of_what_is_never_is_shown_over_many_histories(run: int) -> None:
    @settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
    @given(worlds())
    def check(world: World) -> None:
        holds(world, run)

    check()
