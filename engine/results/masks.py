"""Keeping a secret text out of shown text: no run of its characters past a given length stays.

A mask holds windows, the pieces of one length of each secret. A shown text is read window by window, and every run
that is covered by hits is replaced. A secret with more windows than its budget is sampled evenly: then runs
longer by the sampling step are found. ASCII letters compare without case.
"""

from __future__ import annotations

import html
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from urllib.parse import unquote

from toolglot.results.media import decoded
from toolglot.results.nested import Span, unfolded
from toolglot.results.table import references
from toolglot.results.uris import remainder, spellings

_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def small(text: str) -> str:
    """The text with small ASCII letters, of the same length."""
    return text.lower() if text.isascii() else text.translate(_SMALL)


_SPACE = re.compile(r"\s")


@cache
def _unbroken_runs(size: int) -> re.Pattern[str]:
    return re.compile(rf"\S{{{size},}}")


def covered(text: str, known: Mapping[str, int], size: int, *, spaced: bool = True) -> list[Span]:
    """The runs of a text that are made of known windows, each widened by its window's margin.

    Args:
        text: what is looked through.
        known: the windows, each with its margin.
        size: how long they are.
        spaced: whether a window may hold white space; where none does, short words are passed over.
    """
    folded, spans, end = small(text), list[Span](), len(text)
    words = [(0, end)] if spaced else [word.span() for word in _unbroken_runs(size).finditer(folded)]
    for begin, stop in words:
        for start in range(begin, stop - size + 1):
            margin = known.get(folded[start : start + size])
            if margin is not None:
                first, last = max(0, start - margin), min(end, start + size + margin)
                if spans and first <= spans[-1][1]:
                    spans[-1] = (min(spans[-1][0], first), last)
                else:
                    spans.append((first, last))
    return spans


def replaced(text: str, spans: Iterable[Span], by: str) -> str:
    """The text with each span replaced."""
    parts, end = [], 0
    for start, stop in spans:
        parts += [text[end:start], by]
        end = stop
    return "".join([*parts, text[end:]])


def windows(secret: str, size: int, budget: int) -> Iterator[tuple[str, int]]:
    """Pieces of `size` characters of a secret, at most `budget`, each with the margin that sampling leaves."""
    text = small(secret)
    count = len(text) - size + 1
    step = max(1, -(-count // max(1, budget)))
    return ((text[start : start + size], step - 1) for start in range(0, count, step))


def shared_budget(secrets: Iterable[str], budget: int) -> Iterator[tuple[str, int]]:
    """Each secret with its share of a budget of windows: short ones take what they need, long ones share the rest."""
    ordered = sorted(secrets, key=len)
    for turn, secret in enumerate(ordered):
        share = max(1, budget // (len(ordered) - turn))
        budget -= min(share, len(secret))
        yield secret, share


class Mask:
    """What one message must not show: the addresses and payloads of each `never` in it.

    A secret that is shorter than the run is too short to be told from other text. With more secrets than windows
    the mask is blind: it can't tell what is shown, and no text is shown beside them.
    """

    def __init__(self, uris: Iterable[str], payloads: Iterable[str], size: int, budget: int) -> None:
        self.size = size
        addresses = list(uris)
        self.is_blind = len(addresses) * 16 > budget
        texts = () if self.is_blind else dict.fromkeys([text for uri in addresses for text in spellings(uri)])
        secrets = dict.fromkeys([*texts, *(text for text in payloads if text)])
        self._known = {
            piece: margin
            for secret, share in shared_budget(secrets, budget)
            for piece, margin in windows(secret, size, share)
        }
        self._is_sampled = any(self._known.values())
        self._is_spaced = any(map(_SPACE.search, secrets))

    def __bool__(self) -> bool:
        return self.is_blind or bool(self._known)

    def glimpses(self, text: str) -> bool:
        """Whether a text may spell a run twice as long as a piece. All pieces of one are known, so few are tried."""
        if self.is_blind or self._is_sampled:
            return True
        folded, known, size = small(text), self._known, self.size
        return any(folded[start : start + size] in known for start in range(0, len(text) - size + 1, size))

    def spans(self, text: str) -> list[Span]:
        """The runs of a text that spell part of a secret."""
        if self.is_blind:
            return [(0, len(text))] if text else []
        return covered(text, self._known, self.size, spaced=self._is_spaced) if self._known else []


class Memory:
    """What later messages must not show: for each marked address, pieces of it and of its payload.

    Pieces are `run` characters long. A longer run than the one within a message leaves out an address's origin, which
    other addresses share; a secret shorter than the run counts whole. Of a long secret pieces are taken evenly: as many
    as an eighth of the room that is left, and never fewer than the budget.
    """

    def __init__(self, run: int, whole: int, budget: int, room: int) -> None:
        self.run, self.whole, self.budget, self.room = run, whole, budget, room
        self._known: dict[int, dict[str, int]] = {}
        self._spaced: set[int] = set()  # the lengths of pieces that may hold white space
        self._digests: dict[bytes, int] = {}
        self._counts: dict[str, int] = {}
        self._pieces: dict[str, dict[str | bytes, None]] = {}

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def knows(self, digest: bytes) -> bool:
        """Whether a payload of this digest is remembered."""
        return digest in self._digests

    def keep(self, key: str, uri: str, payloads: Iterable[str], digests: Iterable[bytes]) -> None:
        """Remembers a marked address under its key, up to its share."""
        is_new = key not in self._pieces
        pieces = self._pieces.setdefault(key, {})
        share = max(self.budget, (self.room - len(self._counts)) // 8)
        for digest in digests:  # first: a payload is known by it as a whole
            if digest not in pieces and len(pieces) < 3 * share:
                self._digests[digest] = self._digests.get(digest, 0) + 1
                pieces[digest] = None
        for secret in (*map(self._telling, spellings(uri) if is_new else ()), *payloads):
            self._add(pieces, secret, share)

    def drop(self, key: str) -> None:
        """Forgets an address whose record is gone."""
        for piece in self._pieces.pop(key, ()):
            if isinstance(piece, bytes):
                self._digests[piece] -= 1
                if not self._digests[piece]:
                    del self._digests[piece]
                continue
            self._counts[piece] -= 1
            if not self._counts[piece]:
                del self._counts[piece]
                known = self._known[len(piece)]
                del known[piece]
                if not known:
                    del self._known[len(piece)]
                    self._spaced.discard(len(piece))

    def spans(self, text: str) -> list[Span]:
        """The runs of a text that spell part of what is remembered."""
        found = [
            span
            for size, known in self._known.items()
            for span in covered(text, known, size, spaced=size in self._spaced)
        ]
        return merged(found) if found else found

    def _telling(self, uri: str) -> str:
        """The part of an address that tells it from its neighbours."""
        if self.run <= self.whole:
            return uri
        return uri[-max(len(remainder(uri)), self.run) :]

    def _add(self, pieces: dict[str | bytes, None], secret: str, share: int) -> None:
        size = min(self.run, len(secret))
        if size < self.whole or len(pieces) >= 3 * share:
            return
        known = self._known.setdefault(size, {})
        if _SPACE.search(secret):
            self._spaced.add(size)
        for piece, margin in windows(secret, size, share):
            if len(pieces) >= 3 * share:
                break
            known[piece] = max(margin, known.get(piece, 0))
            if piece not in pieces:
                pieces[piece] = None
                self._counts[piece] = self._counts.get(piece, 0) + 1


def merged(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch or overlap as one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def spells_otherwise(
    text: str, spans: Callable[[str], list[Span]], run: int, *, long_spans: Callable[[str], list[Span]] | None = None
) -> bool:
    """Whether a text spells a secret in another way: escaped, encoded, or broken up by white space.

    Words that stand side by side make others (`to get her`), so that what is broken up counts from twice the run on.

    Args:
        text: what is to be shown.
        spans: the runs of a text that spell part of a secret.
        run: how many characters in a row are a part of one.
        long_spans: the same as `spans`, but shorter runs than two parts may be passed over.
    """
    if any(spans(plain) for plain in other_spellings(text)):
        return True
    unbroken = "".join(text.split())
    if not (unbroken.isascii() and unbroken.isprintable()):  # else it has no sign that is cleaned away
        unbroken = references().cleaned.sub("", unbroken)
    return 2 * run <= len(unbroken) < len(text) and any(
        end - start >= 2 * run for start, end in merged((long_spans or spans)(unbroken))
    )


def other_spellings(text: str) -> Iterator[str]:
    """What a text says once its escapes are undone, layer by layer, and what the codes in it say."""
    for _ in range(_LAYERS):
        before = text
        for sign, read in _READINGS:
            plain = read(text) if sign in text or (not sign and not text.isascii()) else text
            if plain != text:
                yield plain
                text = plain
        if text == before:
            break
    codes = "\n".join(_decoded_runs(text))
    if codes:
        yield codes


def _visible(text: str) -> str:
    """The text without invisible characters, and each character in its plain form (NFKC)."""
    cleaned = references().cleaned
    return unicodedata.normalize("NFKC", _NOT_ASCII.sub(lambda run: cleaned.sub("", run[0]), text))


def _decoded_runs(text: str) -> Iterator[str]:
    """What runs of base64 and of hexadecimal digits in a text spell."""
    runs = _BASE64.findall(text)
    for run in runs:
        content = decoded(run[: len(run) // 4 * 4])
        if content:
            yield content.decode("utf-8", "ignore")
    for run in runs:  # hexadecimal digits are digits of base64 as well, and more of them
        for digits in _HEX.findall(run):
            yield bytes.fromhex(digits).decode("utf-8", "ignore")


_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
# Shorter ones spell too little.
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}){8,}")
_LAYERS = 3
# A sign without which a reading changes nothing; the empty one stands for what is not ASCII.
_READINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("", _visible),
    ("\\", unfolded),
    ("%", unquote),
    ("&", html.unescape),
)
