"""Every `never` that a message shows, at any depth: in its values, and in objects that its texts spell out.

A text is read leniently. Objects are found wherever a `{` stands, in JSON or in the notation of a Python value,
whole or cut off at the end; strings inside them are read again, since text often quotes JSON in JSON. What
looks like a `never` and couldn't be read so makes the message unreadable, and then nothing of it is fetched.
The work is bounded by a count of values and tokens; a message past the bound is unreadable too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from toolglot.json_values import Json
from toolglot.results.blocks import Block, classify
from toolglot.results.media import decoded, digest_of, is_textual, text_of
from toolglot.results.table import references

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Never:
    """One `never` that holds: the addresses it marks, the texts that would spell its payload, and its label."""

    block: Block
    uris: tuple[str, ...] = field(default=(), repr=False)
    payloads: tuple[str, ...] = field(default=(), repr=False)
    digests: tuple[bytes, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Spelled:
    """What one text spells out: the parts of it that do, and each `never` in them."""

    spans: tuple[Span, ...]
    nevers: tuple[Never, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found of `never` in a message.

    Attributes:
        nevers: those that hold, in the order in which they were met.
        spelled: for each text that spells some, what it spells.
        is_unreadable: whether something that looks like a `never` couldn't be read, or there was too much.
        depth: how deep the values nest.
    """

    nevers: tuple[Never, ...] = ()
    spelled: Mapping[str, Spelled] = field(default_factory=dict, repr=False)
    is_unreadable: bool = False
    depth: int = 0


def search(value: Json) -> Findings:
    """Every `never` in a JSON value and in the texts in it."""
    return _Search().run(value)


def unfolded(text: str) -> str:
    """A text with its backslash escapes undone, until there are none or eight rounds are done."""
    for _ in range(8):
        if "\\" not in text:
            break
        plain = _ESCAPE.sub(_unescaped, text)
        if plain == text:
            break
        text = plain
    return text


_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U0([0-9a-fA-F]{7})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_HIDDEN = re.compile(r"\\+(?:u00|U000000|x)")
_MARKER = re.compile(r"disposition[\"'`\s]{0,8}[:=]>?[\"'`\s]{0,8}never(?![A-Za-z0-9_-])")
_STRINGS = {
    '"': re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"?', re.DOTALL),
    "'": re.compile(r"'([^'\\]*(?:\\.[^'\\]*)*)'?", re.DOTALL),
}
_TOKEN = re.compile(r"[{}\[\],:\"']|[^\s{}\[\],:\"']+")
_OPENERS = frozenset("{[,:")
_DEEPEST = 200_000


class _TooMuchError(Exception):
    """The bound on the work is reached."""


class _Search:
    """One pass over a message; `left` is what remains of the bound."""

    def __init__(self) -> None:
        self.left = references().limits["read-nodes"]
        self.nevers: list[Never] = []
        self.spelled: dict[str, Spelled] = {}
        self.is_unreadable = False
        self.depth = 0

    def run(self, value: Json) -> Findings:
        try:
            self._walk(value)
        except _TooMuchError:
            self.is_unreadable = True
        return Findings(tuple(self.nevers), MappingProxyType(self.spelled), self.is_unreadable, self.depth)

    def _walk(self, value: Json) -> None:
        """Values and the texts among them, without recursion, level by level."""
        level: list[Json] = [value]
        while level:
            below: list[Json] = []
            self._spend(len(level))
            for item in level:
                if isinstance(item, str):
                    self._text(item)
                elif isinstance(item, dict):
                    if "disposition" in item or "resource" in item:
                        self._object(item)
                    below += item.values()
                    if "blob" in item:
                        below += _blob_texts(item)
                elif isinstance(item, (list, tuple)):
                    below += item
                elif item is not None and not isinstance(item, (bool, int, float)):
                    self.is_unreadable = True
            level = below
            self.depth += bool(below)

    def _object(self, item: Mapping[str, Json], uris: tuple[str, ...] = ()) -> bool:
        """Notes the `never` of an object; True where there is one, whether or not it holds."""
        block, inner = None, item.get("resource")
        says = item.get("disposition") == "never"
        if says or (isinstance(inner, dict) and inner.get("disposition") == "never"):
            block = classify(item)
        if block is not None and block.is_never:
            addresses = dict.fromkeys((block.uri, classify({**item, "type": "resource_link"}).uri, *uris))
            valid = tuple(uri for uri in addresses if uri)
            self.nevers.append(Never(block, valid, tuple(_payloads(item)), tuple(_digests(item))))
        return says

    def _text(self, text: str) -> None:
        """Notes every `never` that a text spells out."""
        if text in self.spelled or not _may_spell(text):
            return
        before = len(self.nevers)
        spans, seen = self._scan(text)
        plain = unfolded(text)
        expected = len(_MARKER.findall(plain))
        if seen < expected and plain != text:
            more, again = self._scan(plain)
            spans, seen = ([(0, len(text))], again) if more else (spans, max(seen, again))
        if seen < expected:
            self.is_unreadable = True
        if spans:
            self.spelled[text] = Spelled(tuple(spans), tuple(self.nevers[before:]))

    def _scan(self, text: str) -> tuple[list[Span], int]:
        """The spans of a text that spell a `never` that holds, and how many were seen at all."""
        spans: list[Span] = []
        seen = 0
        queue: list[tuple[str, Span | None]] = [(text, None)]
        while queue:
            part, outer = queue.pop()
            for found in self._frames(part):
                span = outer or found.span
                if found.text is not None:
                    queue.append((found.text, span))
                    continue
                before = len(self.nevers)
                seen += self._object(found.fields, found.uris)
                if len(self.nevers) > before:
                    spans.append(span)
        return spans, seen

    def _frames(self, text: str) -> Iterator[_Frame]:
        """Each object that a text spells, innermost first, and each string in one that may spell another."""
        open_frames: list[_Frame] = []
        position, previous = text.find("{"), ","
        while position >= 0 and (token := _TOKEN.search(text, position)):
            self._spend(1)
            word, start, position = token[0], token.start(), token.end()
            if word in _STRINGS and (previous in _OPENERS or text[start - 1] == "("):
                string = _STRINGS[word].match(text, start)
                position = string.end() if string else position
                value = (
                    _ESCAPE.sub(_unescaped, string[1]) if string and "\\" in string[1] else string[1] if string else ""
                )
                open_frames[-1].say(_joined(value))
                if _may_spell(value):
                    yield _Frame((start, position), text=value)
            elif word == "{":
                if len(open_frames) >= _DEEPEST:
                    raise _TooMuchError
                open_frames.append(_Frame((start, start)))
            elif word in "}],":
                frame = open_frames[-1]
                frame.settle()
                if word == "}":
                    yield _closed(open_frames, position)
            elif word == ":":
                open_frames[-1].name()
            elif word != "[":
                open_frames[-1].say(word)
            previous = word if word not in _STRINGS else "s"
            if not open_frames:
                position = text.find("{", position)
        while open_frames:
            open_frames[-1].settle()
            yield _closed(open_frames, len(text))

    def _spend(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise _TooMuchError


class _Frame:
    """An object being read from a text, or a string found in one."""

    __slots__ = ("fields", "key", "last", "span", "text", "uris")

    def __init__(self, span: Span, text: str | None = None) -> None:
        self.span, self.text = span, text
        self.fields: dict[str, Json] = {}
        self.uris: tuple[str, ...] = ()
        self.key: str | None = None
        self.last: Json = None

    def say(self, value: Json) -> None:
        self.last = value

    def name(self) -> None:
        """What was said last is a key; in notations without commas it may end a field before."""
        self.key, self.last = (self.last if isinstance(self.last, str) else None), None

    def settle(self) -> None:
        """Ends a field. Of a key that stands twice, a `never` stays and every uri counts."""
        key, value = self.key, self.last
        self.key = self.last = None
        if key is None:
            return
        if key == "uri" and isinstance(value, str):
            self.uris += (classify({"type": "resource_link", "uri": value}).uri or "",)
        if not (key == "disposition" and self.fields.get(key) == "never"):
            self.fields[key] = value


def _closed(open_frames: list[_Frame], end: int) -> _Frame:
    """Ends the innermost object, and hands it to the one around it."""
    frame = open_frames.pop()
    frame.span = (frame.span[0], end)
    if open_frames:
        open_frames[-1].say(frame.fields)
    return frame


def _may_spell(text: str) -> bool:
    """A quick look: whether a text could hold an object with a `never`."""
    if "disposition" in text and "never" in text:
        return True
    return "\\" in text and "{" in text and _HIDDEN.search(text) is not None


def _unescaped(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits is None:
        return _SIMPLE.get(match[4], match[4])
    code = int(digits, 16)
    return chr(code) if code < 0x110000 else "\ufffd"


def _joined(text: str) -> str:
    """The text with the halves of surrogate pairs put together."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _blob_texts(item: Mapping[str, Json]) -> Iterator[str]:
    """The text of an object's base64 body, where its type says that it is text."""
    blob, media_type = item.get("blob"), item.get("mimeType")
    if isinstance(blob, str) and isinstance(media_type, str) and is_textual(media_type):
        text = text_of(blob, media_type)
        if text is not None:
            yield text


def _bodies(item: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Each field of an object, or of the resource embedded in it, that holds content."""
    for holder in (item, item.get("resource")):
        if isinstance(holder, dict):
            yield from ((key, holder[key]) for key in ("text", "data", "blob") if isinstance(holder.get(key), str))


def _payloads(item: Mapping[str, Json]) -> Iterator[str]:
    """The texts by which an object's own content could be shown: as sent, and decoded."""
    for key, body in _bodies(item):
        yield body
        content = decoded(body) if key != "text" else None
        if content:
            yield content.decode("utf-8", "ignore")
            yield content.decode("latin-1")
    for holder in (item, item.get("resource")):
        if isinstance(holder, dict):
            yield from _blob_texts(holder)


def _digests(item: Mapping[str, Json]) -> Iterator[bytes]:
    """The digests of an object's own content, by which it is known when it comes again without its address."""
    for _, body in _bodies(item):
        yield digest_of(body)
