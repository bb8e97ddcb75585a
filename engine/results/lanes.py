"""What each reader sees of a message: the model's text, a provider's content parts, history, a wake text, a script.

All of them are functions of a message and a registry. Reading a message registers its references and takes in its
marks, so that a lane never shows what another block, or another lane, would have kept back.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from toolglot.json_values import Json, fresh
from toolglot.results.labels import cut, sendable, size_words
from toolglot.results.masks import merged, replaced, spells_otherwise
from toolglot.results.media import decoded, is_textual, sniffed, text_of
from toolglot.results.message import Item, Message, Unit, read
from toolglot.results.nested import Never, Span
from toolglot.results.registry import Registry
from toolglot.results.stubs import Labels, Showing, kept_back, script_object, stub
from toolglot.results.table import Parts, references

Lane: TypeAlias = Literal["model", "content", "history", "wake", "script"]

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:(?:\\?/){2}[^\s\"'<>]+")
_DEEPEST_SHOWN = 100


def render(
    message: Message, registry: Registry, *, lane: Lane, parts: str = "", showing: Showing | None = None
) -> Json:
    """What a lane shows of a message: a text, or a list for `content` (a provider's parts) and `script`.

    Args:
        message: what arrived.
        registry: the host's records; the message's references and marks go into it.
        lane: who reads.
        parts: for `content`, the id of a row of content parts.
        showing: the host's policy.

    Raises:
        ValueError: there is no such lane, or there are no such parts.
    """
    if lane == "content":
        return content_parts(message, registry, parts, showing)
    if lane not in _LANES:
        raise ValueError(f"no lane {lane!r}: wanted one of {', '.join(get_args(Lane))}")
    return _LANES[lane](message, registry, showing)


def model_text(message: Message, registry: Registry, showing: Showing | None = None) -> str:
    """The message as one text for the model."""
    view = _View.of(message, registry, showing)
    return view.joined(view.lines())


def history_text(message: Message, registry: Registry, showing: Showing | None = None) -> str:
    """The message as it is stored for later turns: like the model's text, up to the policy's limit."""
    view = _View.of(message, registry, showing)
    text = view.joined(view.lines())
    limit = view.showing.text_limit
    return text if limit is None else cut(text, limit)


def wake_text(message: Message, registry: Registry, showing: Showing | None = None) -> str:
    """A bounded text that says what a push brought, with stubs in place of payloads."""
    view, limits, wording = _View.of(message, registry, showing), references().limits, references().wording
    if not view.unit.items:
        return view.joined([cut(line, limits["wake-text"]) for line in view.lines()])
    left, others, lines, untold = limits["wake-text"], 0, list[str](), 0
    for item in view.unit.items:
        if item.block.kind == "text" and item.verdict in {"shown", "beside"}:
            text = cut(view.text(item), left) if left > 1 else ""
            left -= len(text)
        else:
            others += 1
            text = view.line(item) if others <= limits["wake-parts"] else ""
            text = cut(text, limits["wake-text"])
        lines += [text] if text else []
        untold += not text
    lines += [wording["more"].format(count=untold)] if untold else []
    return view.joined(view.notices() + lines)


def content_parts(message: Message, registry: Registry, parts: str, showing: Showing | None = None) -> list[Json]:
    """The message as content parts of a provider's surface, images inline where nothing speaks against it.

    Raises:
        ValueError: the table has no such parts.
    """
    row = references().parts.get(parts)
    if row is None:
        raise ValueError(f"no content parts {parts!r}: wanted one of {', '.join(references().parts)}")
    view = _View.of(message, registry, showing)
    shown: list[Json] = []
    lines = view.notices() if view.unit.items else view.lines()
    for item in view.unit.items:
        image = _inline_image(item, row, registry)
        if image is None:
            lines.append(view.line(item))
            continue
        shown += [_filled(row.text, {"<text>": view.joined(lines)})] if lines else []
        shown.append(_filled(row.image, image))
        lines = []
    return [*shown, _filled(row.text, {"<text>": view.joined(lines)})] if lines else shown


def script_view(message: Message, registry: Registry, showing: Showing | None = None) -> list[Json]:
    """The message as values for a script whose output the model can see."""
    view = _View.of(message, registry, showing)
    objects = [{"type": "notice", "text": line} for line in view.notices()]
    objects += [_script_value(view, item) for item in view.unit.items]
    if view.unit.structured is not None:
        objects.append(view.structured_object())
    return objects


@dataclass(frozen=True, slots=True)
class _View:
    """A message as it was read, and what is needed to show it."""

    unit: Unit
    registry: Registry
    showing: Showing
    labels: Labels

    @classmethod
    def of(cls, message: Message, registry: Registry, showing: Showing | None) -> _View:
        unit = read(message, registry)
        return cls(unit, registry, showing or Showing(), Labels(unit, registry))

    def lines(self) -> list[str]:
        """Everything that is shown, one entry a block."""
        lines = [self.line(item) for item in self.unit.items]
        if not lines:
            lines = [self.nothing()] if self.unit.structured is None else [self.structured_text()]
        return self.notices() + lines

    def joined(self, lines: list[str]) -> str:
        """Lines as one text. What they spell together across their ends is kept out as well."""
        text = "\n".join(lines)
        if self.unit.mask and not self.unit.mask.is_blind:
            text = replaced(text, self.unit.mask.spans(text), references().wording["mask"])
        return sendable(text)

    def notices(self) -> list[str]:
        """What is said of the message as a whole."""
        return [references().wording["unreadable"]] if self.unit.findings.is_unreadable else []

    def nothing(self) -> str:
        """What is said of a message without anything in it."""
        return references().wording["failed" if self.unit.is_error else "empty"]

    def line(self, item: Item) -> str:
        """What is shown of one block. Every block is: none vanishes."""
        return _BY_KIND[item.block.kind](self, item)

    def text(self, item: Item) -> str:
        """A text block, without what must not be shown."""
        return self.shown_text(item.block.text or "")

    def shown_text(self, text: str) -> str:
        """A text without the parts that spell what is never to be shown, in whatever way."""
        wording, mask = references().wording, self.unit.mask
        if mask.is_blind:
            return wording["withheld-text"]
        spelled = self.unit.findings.spelled.get(text)
        nevers = spelled.nevers if spelled else ()
        if spelled:
            text = replaced(text, merged(spelled.spans), wording["mask"])
        if self.unit.findings.is_unreadable:
            text = _ADDRESS.sub(wording["address-mask"], text)
        text = replaced(text, self.secrets(text), wording["mask"])
        if self.has_secrets and spells_otherwise(text, self.secrets, self.unit.mask.size, long_spans=self.long_secrets):
            text = wording["withheld-text"]
        return "\n".join([text, *(line for never in nevers for line in self.nested(never))])

    @property
    def has_secrets(self) -> bool:
        """Whether anything must not be shown."""
        return bool(self.unit.mask) or self.registry.has_secrets

    def secrets(self, text: str) -> list[Span]:
        """The runs of a text that spell a secret of this message, or one remembered from earlier ones."""
        return self._with_remembered(text, self.unit.mask.spans(text))

    def long_secrets(self, text: str) -> list[Span]:
        """The same, but runs shorter than twice what counts as a part may be passed over: that is cheaper."""
        mask = self.unit.mask
        return self._with_remembered(text, mask.spans(text) if mask.glimpses(text) else [])

    def _with_remembered(self, text: str, found: list[Span]) -> list[Span]:
        earlier = self.registry.remembered(text)
        return merged(found + earlier) if earlier else found

    def nested(self, never: Never) -> Iterator[str]:
        """What stands for a payload that a text spells out."""
        for uri in never.uris:
            record = self.registry.current(uri) if self.unit.source.is_server else None
            yield self.stub(Item(never.block, "never", record))
        if not never.uris:
            yield kept_back(Item(never.block, "never"), self.labels)

    def stub(self, item: Item) -> str:
        return stub(item, self.labels, self.unit.source, self.showing)

    def payload(self, item: Item) -> str:
        """A reference, or inline content that is kept back."""
        if item.record is not None or item.verdict == "foreign":
            return self.stub(item)
        return kept_back(item, self.labels)

    def inline(self, item: Item) -> str:
        """Inline content in words."""
        if item.verdict != "shown":
            return kept_back(item, self.labels)
        media_type = self.labels.clean(item.block.claims.type) or item.block.type
        size = _size_words(item.block.data or "")
        return references().wording["image"].format(type=media_type, size=size)

    def embedded(self, item: Item) -> str:
        """Embedded content: its text, or a blob of a textual type decoded; any other body becomes a reference."""
        block = item.block
        if item.verdict != "shown":
            return self.payload(item)
        if block.text is not None:
            return self.shown_text(block.text)
        if block.data is None or not is_textual(block.claims.type):
            return self.payload(item)
        text = text_of(block.data, block.claims.type)
        if text is not None:
            return self.shown_text(text)
        size = _size_words(block.data)
        notice = references().wording["undecodable"].format(type=self.labels.clean(block.claims.type), size=size)
        return f"{notice} {self.payload(item)}"

    def invalid(self, item: Item) -> str:
        word = self.labels.clean(item.block.type)
        return references().wording["invalid"].format(type=word, reason=item.block.reason)

    def unknown(self, item: Item) -> str:
        """A block of a type that the table doesn't know: named, with what it says of itself."""
        if item.verdict in {"never", "foreign"}:
            return self.payload(item)
        claims = item.block.claims
        own = self.labels.own(item.block, None, item.verdict)
        name, media_type = self.labels.clean(claims.name, own).replace('"', "'"), self.labels.clean(claims.type, own)
        size = references().wording["claimed"].format(size=size_words(claims.size)) if claims.size is not None else ""
        about = ", ".join(filter(None, (f'"{name}"' if name else "", media_type, size)))
        word = self.labels.clean(item.block.type, own)
        return references().wording["unknown"].format(type=word, label=f": {about}" if about else "")

    def structured_text(self) -> str:
        """Structured content as JSON text."""
        if self.unit.is_governed:
            return references().wording["withheld-text"]
        text = _json_text(self.unit)
        return references().wording["too-deep"] if text is None else self.shown_text(text)

    def structured_object(self) -> dict[str, Json]:
        """Structured content for a script: as it is, or None with the reason."""
        text = _json_text(self.unit)
        if text is not None and self.structured_text() == text:
            value = fresh(self.unit.structured) if sendable(text) == text else json.loads(sendable(text))
            return {"type": "structured", "value": value, "reason": None}
        return {"type": "structured", "value": None, "reason": references().wording["withheld-text"]}


_BY_KIND: Mapping[str, Callable[[_View, Item], str]] = {
    "text": _View.text,
    "inline": _View.inline,
    "reference": _View.payload,
    "embedded": _View.embedded,
    "contradiction": _View.payload,
    "invalid": _View.invalid,
    "unknown": _View.unknown,
}
_LANES: Mapping[str, Callable[[Message, Registry, Showing | None], Json]] = {
    "model": model_text,
    "history": history_text,
    "wake": wake_text,
    "script": script_view,
}


def _json_text(unit: Unit) -> str | None:
    """The JSON text of structured content; None where it nests too deeply, or is no plain JSON."""
    if unit.findings.depth > _DEEPEST_SHOWN:
        return None
    try:
        return json.dumps(unit.structured, ensure_ascii=False)
    except (TypeError, ValueError):
        return None


def _size_words(data: str) -> str:
    """About how many bytes a base64 body holds, without decoding it."""
    return size_words(len(data.rstrip("=")) * 3 // 4)


def _inline_image(item: Item, row: Parts, registry: Registry) -> dict[str, str] | None:
    """The values of an image part, where the block is an image that may be shown and that the surface takes."""
    block = item.block
    if block.kind != "inline" or item.verdict != "shown" or block.data is None or registry.remembers(block.data):
        return None
    if len(block.data) * 3 // 4 > references().limits["inline-image-bytes"]:
        return None
    content = decoded(block.data)
    media_type = sniffed(content) if content else None
    if content is None or media_type not in row.images:
        return None
    return {"<type>": media_type or "", "<base64>": base64.b64encode(content).decode("ascii")}


def _filled(template: Json, values: Mapping[str, str]) -> Json:
    """A template of the table (a few levels deep) with its slots filled, as a value of its own."""
    if isinstance(template, dict):
        return {key: _filled(value, values) for key, value in template.items()}
    if isinstance(template, str) and "<" in template:
        return _SLOT.sub(lambda slot: values.get(slot[0], slot[0]), template)
    return template


_SLOT = re.compile(r"<(?:text|type|base64)>")


def _script_value(view: _View, item: Item) -> dict[str, Json]:
    """A script's view of one block."""
    block = item.block
    if item.record is not None or item.verdict == "foreign":
        shown = script_object(item, view.labels, view.unit.source, view.showing)
        return {**shown, **dict(_embedded_text(view, item))}
    if block.kind == "inline" and item.verdict == "shown":
        media_type = view.labels.clean(block.claims.type) or None
        return {"type": block.type, "mime_type": media_type, "data": sendable(block.data or ""), "reason": None}
    return {"type": "text" if block.kind == "text" else "notice", "text": sendable(view.line(item))}


def _embedded_text(view: _View, item: Item) -> Iterator[tuple[str, str]]:
    """The text of embedded content, where it is shown."""
    if item.block.kind == "embedded" and item.verdict == "shown":
        yield "text", sendable(view.embedded(item))
