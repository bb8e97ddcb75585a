"""A message read as one unit: its blocks, each `never` in it, and what that leaves of every block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolglot.json_values import Json, plain
from toolglot.results.blocks import Block, classify
from toolglot.results.masks import Mask
from toolglot.results.nested import Findings, search
from toolglot.results.registry import Record, Registry, Source
from toolglot.results.table import references
from toolglot.results.uris import key

Verdict: TypeAlias = Literal["shown", "never", "beside", "foreign", "contradiction"]
"""Why a block's payload may or may not be shown: nothing against it; marked; in a message with something marked;
said to be `never` by a source that can't mark; contradicting itself."""


@dataclass(frozen=True, slots=True)
class Message:
    """What arrived: a list of content blocks, or a tool result that holds one, and who it is from.

    Attributes:
        content: the JSON value, unchanged: a result object, a list of blocks, one block or a text; an SDK's objects
            are taken too, where they can be dumped as JSON (`model_dump`).
        source: who said it.
    """

    content: Json = field(repr=False)
    source: Source


@dataclass(frozen=True, slots=True)
class Item:
    """One block of a message, its record where it has one, and what is to become of it."""

    block: Block
    verdict: Verdict
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """A message that has been read, registered and, where a server said so, marked."""

    source: Source
    items: tuple[Item, ...]
    findings: Findings
    mask: Mask = field(repr=False)
    structured: Json = field(default=None, repr=False)
    is_error: bool = False
    secret_uris: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def is_governed(self) -> bool:
        """Whether a `never` anywhere in the message governs all of it."""
        return bool(self.findings.nevers)


def read(message: Message, registry: Registry) -> Unit:
    """The unit that a message is. Marks come first, so that the order of its blocks makes no difference."""
    content = plain(message.content)
    findings = search(content)
    for never in findings.nevers:
        for uri in never.uris:
            registry.mark(uri, never.block.claims, message.source, never.payloads, never.digests)
    limits = references().limits
    secret_uris = frozenset(uri for never in findings.nevers for uri in never.uris)
    mask = Mask(
        secret_uris,
        (text for never in findings.nevers for text in never.payloads),
        limits["masked-run"],
        limits["mask-windows"],
    )
    blocks, structured = _blocks(content)
    nevers = frozenset() if message.source.is_server else frozenset(map(key, secret_uris))
    is_error = isinstance(content, dict) and content.get("isError") is True
    items = tuple([_item(block, message.source, registry, nevers, governed=bool(findings.nevers)) for block in blocks])
    return Unit(message.source, items, findings, mask, structured, is_error, secret_uris)


_RESULT_FIELDS = frozenset({"content", "structuredContent", "isError"})


def _blocks(content: Json) -> tuple[Sequence[Block], Json]:
    """The blocks of a message, and the structured content beside them."""
    if isinstance(content, str):
        return [Block("text", "text", text=content)], None
    if isinstance(content, dict) and "type" not in content and not _RESULT_FIELDS.isdisjoint(content):
        inner = content.get("content", [])
        blocks, _ = _blocks(inner) if not isinstance(inner, dict) else ([classify(inner)], None)
        return blocks, content.get("structuredContent")
    if isinstance(content, (list, tuple)):
        return [Block("text", "text", text=item) if isinstance(item, str) else classify(item) for item in content], None
    return [classify(content)], None


def _item(block: Block, source: Source, registry: Registry, nevers: frozenset[str], *, governed: bool) -> Item:
    """A block with its record and verdict."""
    verdict = _verdict(block, governed=governed)
    if verdict != "never" and any(registry.remembers(body) for body in (block.data, _whole_text(block)) if body):
        verdict = "never"
    if block.uri is None or block.kind == "invalid" or (block.kind == "unknown" and not block.is_never):
        return Item(block, verdict)
    if not source.is_server and key(block.uri) in nevers:
        return Item(block, "foreign")
    record = registry.register(block.uri, block.claims, source)
    return Item(block, "never" if record.is_marked else verdict, record)


def _whole_text(block: Block) -> str | None:
    """The text that is a block's payload; of a plain text block, pieces are looked for instead."""
    return None if block.kind == "text" else block.text


def _verdict(block: Block, *, governed: bool) -> Verdict:
    """What a block without a marked record is to become."""
    if block.is_never:
        return "never"
    if block.kind == "contradiction":
        return "contradiction"
    return "beside" if governed else "shown"
